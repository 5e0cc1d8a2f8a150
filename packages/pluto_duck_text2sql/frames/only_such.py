"""Those who have only such rows, however far away: `customers who only bought Rock`, `members who visit the North
location only`, `suppliers of nothing but dairy`.

Those with such rows are a question of its own; that they have none of another kind is put to it. What `whose rows are
all` says is all_alike.py's.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.all_alike import contrary, listed
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Col, Compare, Cond, During, Inside, Query, TableKey, all_nodes_in

_FEW = r"(?! (?:one|two|three|a|an|once|twice|\d|half|if|when|until|after|before|for \d|the (?:first|last|top)))"
_ONLY = Pattern(
    r"^(?P<who>(?:(?:which|what|how many|list|show|name|find|number of) (?:of )?(?:the |our |all )?)?(?:[a-z]+ ){1,4}?)"
    rf"(?P<before>(?:(?:[a-z]+ ){{0,4}}?))(?P<only>(?:only|exclusively|solely)(?: ever)?){_FEW}(?P<what>(?: .+)?)$",
    re.IGNORECASE,
)
_SHOWING = frozenset("show list give tell find name want need see with for by and or the a not is are".split())
"""After these `only` restricts what is shown, or is no more than emphasis."""


class OnlySuch(Compounds):
    """Answers questions for those that have rows of one kind and none of another."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those; None where the question asks no such, or what the rows are is told by more than one condition."""
        main, phrases = split_spec(question)
        said = _ONLY.match(main.strip(" .?!"))
        if said is None or f"{said['who']}{said['before']}".split()[-1].lower() in _SHOWING:
            return None
        part = self._part(tidy(f"{said['who']}{said['before']}{said['what']}"), run)
        query = self._with_none_else(part.tree, said["what"]) if part else None
        told = ["only → and none of another kind"]
        made = self.candidate(query, [part], phrases, run, told) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _with_none_else(self, tree: Query, what: str) -> Query | None:
        """The tree without those that have a row of another kind."""
        key = self._key(tree)
        of = self.reader.joins.pointed(key).table if key else None
        kinds = {each for each in all_nodes_in(tree) if of and _is_kind(each, of, what)}
        times = list(dict.fromkeys(each for each in all_nodes_in(tree) if isinstance(each, During)))
        such: list[Cond] = [*kinds] or [each for each in times if of and _is_of_others(each, of)]
        if key is None or of is None or len(such) != 1 or tree.group or tree.limit or tree.then or tree.having:
            return None
        others = Query(
            of,
            (self.reader.joins.pointed(key),),
            where=(*contrary(such[0]), *(each for each in times if each != such[0])),
        )
        return replace(tree, where=(*tree.where, Inside(key, others, negated=True)))

    def _key(self, tree: Query) -> Col | None:
        """What tells those apart whom a tree lists or counts; None where it shows anything else."""
        shown = tree.select[0] if len(tree.select) == 1 else None
        if isinstance(shown, Agg) and shown.function == "count" and isinstance(shown.of, Col):
            return shown.of if shown.distinct and self.reader.joins.pointed(shown.of) != shown.of else None
        of = listed(tree)
        table = self.reader.catalog.table(*of) if of else None
        keys = self.reader.resolver.key(table) if table else []
        return Col(table.key, keys[0]) if table and len(keys) == 1 else None


def _is_of_others(time: During, of: TableKey) -> bool:
    """Whether it is a time of what they did, not of themselves."""
    return isinstance(time.left, Col) and time.left.table != of


def _is_kind(node: object, of: TableKey, what: str) -> bool:
    """Whether a node says what rows of another table are, in words after `only`; before it where nothing follows."""
    if not isinstance(node, Compare) or node.operator != "=" or not isinstance(node.left, Col):
        return False
    is_said = not what.strip() or any(word in what.lower() for word in str(node.right).lower().split())
    return node.left.table != of and isinstance(node.right, str) and is_said

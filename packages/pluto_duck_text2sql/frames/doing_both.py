"""Those that did two things: `customers who have never filed a claim but shipped at least 50 times`.

Each is a question of its own about the same ones, and only who is found by both is meant: how often rows of one kind
belong to them says nothing of rows of another. What `and` joins is read as a whole; `but_not.py` is of the same deed,
done at one time and not at another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Col, Cond, Inside, Query, Related, Rows, TableKey, columns_in

_DOES = (
    r"(?:have|has|had|did|do|does|are|is|was|were|never|not|still|[a-z]{2,}ed|bought|paid|came|went|made|took|left|got"
    r"|gave|spent|sold|won|sent|wrote|taught|spoke|speak)\b"
)
_HEAD = rf"^(?P<head>(?:which|how many|what)(?: of (?:the|our))?(?: (?!{_DOES})[a-z-]+(?: [a-z-]+){{0,3}}?)) "
_WHO = r"(?:(?:who|that|which|they|it|these) )?"
_JOINED = (
    Pattern(
        rf"{_HEAD}(?=who |that |which |with |without |{_DOES})(?P<first>[^.?!;:]+?),?"
        rf" (?P<how>but|yet|although|though|even though|and yet) {_WHO}(?P<second>{_DOES}[^.?!;:]+)$",
        re.IGNORECASE,
    ),
    Pattern(
        rf"{_HEAD}(?P<first>(?P<how>with|without) [^,.?!;:]+?)"
        r" (?P<second>(?:have|has|had|did|are|were|was) [^.?!;:]+)$",
        re.IGNORECASE,
    ),
    Pattern(
        rf"{_HEAD}(?P<does>(?:that |who |which )?(?:have|has|had|with))"
        r" (?P<how>both) (?P<first>an? [^.?!;:]+?) and (?P<second>an? [^.?!;:]+)$",
        re.IGNORECASE,
    ),
)
_LEANS = Pattern(r"\b(?:an)?other\b|\belse\b|\bagain\b|\bthe same\b", re.IGNORECASE)
"""What the second says of the first is none of its own."""
_SURE, _SURE_OF_BOTH = 0.8, 0.95


class DoingBoth(Compounds):
    """Answers questions for those that did the one and the other."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those found by both; None where `plain` is sure of it, or the two do not tell of the same ones."""
        main, phrases = split_spec(question)
        sure = plain.candidates[0].confidence if plain.status == "answered" and plain.candidates else 0.0
        for how, parts in _parts(same(main).strip(" .?!")):
            if sure >= (_SURE_OF_BOTH if how == "both" else _SURE):
                continue
            known = self._answers(parts, run, self._whose)
            query = self._of_both(known[0].tree, known[1].tree) if known else None
            if query is None or (how != "both" and min(each.confidence for each in known) < sure):
                continue
            made = self.candidate(query, known, phrases, run)
            if made:
                return Analysis("answered", (made, *plain.candidates), links=plain.links)
        return None

    def _of_both(self, one: Query, other: Query) -> Query | None:
        """The first without whom the second does not find."""
        key, same_ones = self._whose(one), self._whose(other)
        if key is None or same_ones is None or self.reader.joins.pointed(key) != self.reader.joins.pointed(same_ones):
            return None
        if other.select == one.select and set(other.where) == set(one.where) and other.having == one.having:
            return None
        further = tuple(each for each in other.where if each not in one.where)
        if not other.group and one.anchor == other.anchor and all(_is_own(each, key.table) for each in other.where):
            return replace(one, where=(*one.where, *further)) if further else None
        return replace(one, where=(*one.where, Inside(key, _keys(other, same_ones))))

    def _whose(self, tree: Query) -> Col | None:
        """The key of the one kind of things that a tree lists or counts; None where it finds none, or not all."""
        if tree.limit or tree.then or tree.per or tree.beside or tree.outer:
            return None
        if tree.group:
            keys = [each for each in tree.group if isinstance(each, Col) and each == self._key(each.table)]
            return keys[0] if len(keys) == 1 else None
        shown = tree.select[0] if len(tree.select) == 1 else None
        if isinstance(shown, Agg):
            return self._counted(shown, tree)
        tables = {each.table for each in tree.select if isinstance(each, Col)}
        is_list = tables == {tree.anchor} and all(isinstance(each, Col) for each in tree.select)
        return self._key(tree.anchor) if is_list else None

    def _counted(self, shown: Agg, tree: Query) -> Col | None:
        if shown.function != "count" or shown.where or tree.having:
            return None
        if isinstance(shown.of, Rows):
            return self._key(shown.of.table) if shown.of.table == tree.anchor else None
        return shown.of if isinstance(shown.of, Col) and shown.distinct else None

    def _key(self, table: TableKey) -> Col | None:
        known = self.reader.catalog.table(*table)
        names = known.primary_key if known else ()
        return Col(table, names[0]) if len(names) == 1 else None


def _keys(query: Query, key: Col) -> Query:
    """The query for the keys alone of what it finds."""
    group = (key,) if query.group else ()
    return replace(query, select=(key,), group=group, order=(), distinct=False)


def _is_own(condition: Cond, table: TableKey) -> bool:
    """Whether it restricts rows of a table without joining another."""
    return isinstance(condition, Inside | Related) or {each.table for each in columns_in(condition)} == {table}


def _parts(text: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """The two questions that a text asks of the same ones, in each way in which it may be taken apart, and the word
    that joins them."""
    for pattern in _JOINED:
        found = pattern.match(text)
        if found is None or _LEANS.search(found["second"]):
            continue
        does = f"{found['does']} " if "does" in found.groupdict() else ""
        both = (f"{found['head']} {does}{found['first']}", f"{found['head']} {does}{found['second']}")
        yield found["how"].lower(), both

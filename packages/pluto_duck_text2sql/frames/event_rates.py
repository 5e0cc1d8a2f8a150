"""What part of rows has what happened to them: `return rate by category`, `what share of sold items comes back`.

Where rows of a table point at those of another, and nothing stored is called that rate. The number of the other rows is
a question of its own; what part of them was pointed at stands in its place, as of conversions.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.frames.conversions import part_with
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems, table_words
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Col, Compare, Query, Related, all_nodes_in

RATE = Pattern(
    r"(?:^what(?:'s| is| was) )?(?:\b(?:the|our) )?(?:\b(?:overall|average|total) )?\b(?P<deed>[a-z]{3,}) rates?\b",
    re.IGNORECASE,
)
_BE = r"(?:are|were|is|was|gets?|got|(?:have|has|had) been|be)"
_WITH = (
    r"(?:have|had|has|with|ends?(?: up)? (?:in|with)|ended(?: up)? (?:in|with)|leads? to|led to|results? in|resulted in"
    r"|comes? with|came with|used?|uses|includes?|included|contains?|contained)"
)
_PART = Pattern(
    r"\b(?:(?:what|which)(?: is| was)? )?(?:the )?(?P<how>share|percentage|percent|proportion|fraction|%) of"
    r" (?:(?:all|the|our|all our) )*(?:(?:sold|ordered|bought|shipped) )?(?P<rows>[a-z]+(?: [a-z]+)??)"
    rf" (?:that |which )?(?:{_WITH} (?:an?|any|at least one|some) (?P<deed>[a-z]+(?: [a-z]+)?)"
    rf"|(?:{_BE} )?(?P<done>[a-z]+(?:ed|en|t)))\b",
    re.IGNORECASE,
)
_OF_THEM = Pattern(
    r"[^,;]*? (?:that|which|who) (?:were|was|are|is|got|get|have|has|had|came|come)\b"
    r"|(?: [a-z]+){0,2} (?:were|was|are|is|got|came)\b",
    re.IGNORECASE,
)
"""A share is asked of those then, which happened to them or not."""
_SAYS = Pattern(r"\brates?\b|%|\b(?:share|percent|percentage|proportion|fraction) of\b", re.IGNORECASE)
_NAMED = 0.9


@dataclass(frozen=True)
class _Rate:
    """A question for how many rows there are, in place of that for a part of them: `of` those that the `deed` has."""

    text: str
    of: Table
    deed: Related
    scale: int


class EventRates(Compounds):
    """Answers questions for what part of some rows others point at."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The part, in the groups and the period asked for; None where the question asks no such."""
        said = self._said(question) if _SAYS.search(question) else None
        if said is None or _tells(plain, said):
            return None
        main, phrases = split_spec(said.text)
        part = self._part(main, run)
        query = part_with(part.tree, said.of.key, said.deed, said.scale) if part else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _said(self, question: str) -> _Rate | None:
        rate, part = RATE.search(question), _PART.search(question)
        if part and part["deed"] and _OF_THEM.match(question[part.end() :]):
            return None
        if part:
            said, of = (part["deed"] or part["done"]), self._rows(part["rows"])
            scale = 100 if part["how"].lower() in ("percentage", "percent", "%") else 1
            return self._asked(question, part, of, self._deed(said), scale)
        is_kept = rate is not None and rate_is_kept(rate["deed"], self.reader.names)
        deed = self._deed(rate["deed"]) if rate and not is_kept else None
        return self._asked(question, rate, self._owner(deed), deed, 100) if rate and deed else None

    def _asked(
        self, question: str, said: re.Match[str], of: Table | None, deed: Table | None, scale: int
    ) -> _Rate | None:
        """The question for the rows' number; None where the deeds are none of theirs."""
        pointer = self.reader.joins.pointer(deed.key, of.key) if of and deed else None
        if of is None or deed is None or pointer is None or deed.key == of.key:
            return None
        count = f"number of {' '.join(table_words(of.name))}"
        root = stem((said.groupdict().get("done") or said["deed"]).lower())
        return _Rate(f"{question[: said.start()]}{count}{question[said.end() :]}", of, _having(deed, root), scale)

    def _deed(self, word: str) -> Table | None:
        """The one table whose rows are called by a deed, or keep what it came to: the `refund` of a return."""
        said = tuple(stem(each) for each in word.lower().split())
        root = said[0]
        found = [each for each in self.reader.catalog.tables if table_stems(each.name)[-len(said) :] == said]
        paid = [each for each in self.reader.catalog.tables if any(_is_amount(each, col, root) for col in each.columns)]
        found = found or [each for each in paid if each.foreign_keys]
        return found[0] if len(found) == 1 else None

    def _rows(self, words: str) -> Table | None:
        """The one table whose rows are called so, by its whole name or the last word of it."""
        stems = tuple(stem(each) for each in words.lower().split())
        found = [each for each in self.reader.catalog.tables if table_stems(each.name)[-len(stems) :] == stems]
        return found[0] if len(found) == 1 else None

    def _owner(self, deed: Table | None) -> Table | None:
        """What deeds are done to: the one table that they point at, whose rows are of others in their turn."""
        keys = {(each.ref_schema, each.ref_table) for each in deed.foreign_keys} if deed else set()
        owner = self.reader.catalog.table(*keys.pop()) if len(keys) == 1 else None
        return owner if owner and owner.foreign_keys and not _flags(owner, deed) else None


def rate_is_kept(deed: str, names: NameIndex) -> bool:
    """Whether a column is called so: the `return rate` that is stored."""
    return any(each.score >= _NAMED for each in names.called((stem(deed.lower()), stem("rate"))))


def _having(deed: Table, root: str) -> Related:
    """The rows of a deed; where it is told by an amount that some of them have none of, those that have some."""
    amounts = [each for each in deed.columns if _is_amount(deed, each, root) and each.minimum == 0]
    is_called = table_stems(deed.name)[-1:] == (root,)
    where = () if is_called else tuple(Compare(Col(deed.key, each.name), ">", 0) for each in amounts[:1])
    return Related(deed.key, where)


def _is_amount(table: Table, column: Column, root: str) -> bool:
    return column.kind == "number" and not column.null_fraction and table.stems(column.name)[:1] == (root,)


def _flags(owner: Table, deed: Table | None) -> bool:
    """Whether the rows say themselves whether it happened to them: `is_returned`."""
    root = table_stems(deed.name)[-1] if deed else ""
    return any(is_yes_or_no(each) and root in owner.stems(each.name) for each in owner.columns)


def _tells(plain: Analysis, said: _Rate) -> bool:
    """Whether an answer counts such rows among all already."""
    tree: Query | None = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
    if tree is None or tree.anchor != said.of.key:
        return False
    return any(isinstance(each, Related) and each.table == said.deed.table for each in all_nodes_in(tree))

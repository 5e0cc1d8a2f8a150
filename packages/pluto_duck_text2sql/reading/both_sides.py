"""Is each of two things that a question sets side by side in its tree? `a sport but no game`, `both students and
faculty`, `neither advise students nor teach`; and are those that it denies denied there?

Called by `phrasing`, for trees of any origin. Only what names tables, and nothing else, is certain to leave a mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Cond, Inside, Query, Related, TableKey, all_nodes_in, columns_in
from pluto_duck_text2sql.trees.marks import UNSAID, Marks

if TYPE_CHECKING:
    from pluto_duck_text2sql.data.links import Mention
    from pluto_duck_text2sql.reading.reader import Pass

_BOTH = Pattern(r"\bboth (?P<one>.+?) and (?P<other>.+)")
_NEITHER = Pattern(r"\bneither (?P<one>.+?) nor (?P<other>.+)")
_BUT_NO = Pattern(r"(?P<had>.+)\bbut (?:\w+ ){0,2}?(?:not?|never|without|none)\b(?P<denied>.+)")
_TELLS = Pattern(r"\b(?:who|that|which|with|have|has|had|whose)\b")
_CALLED = 0.9
"""How well a table must be called as the words are, that they mean it."""


def lost_sides(roles: Pass, query: Query) -> Iterator[str]:
    """The sides that left no mark where they must."""
    said = roles.words_at(0, len(roles.tokens)).lower()
    if found := _BOTH.search(said):
        yield from _lost(found.groups(), [_reached(roles, query, query.anchor)], roles)
    if found := _NEITHER.search(said):
        yield from _lost(found.groups(), [_reached(roles, each) for each in _denied(query)], roles)
    if found := _BUT_NO.search(said):
        yield from _lost((found["denied"],), [_reached(roles, each) for each in _denied(query)], roles)
        if _TELLS.search(found["had"]) and all(map(_is_denial, query.where)) and not _is_joined(query):
            yield "but"


def _lost(parts: Iterable[str], held: Sequence[set[TableKey]], roles: Pass) -> Iterator[str]:
    """The parts whose tables are in nothing of this, or in what holds another part as well."""
    left = list(held)
    for item in filter(None, (_first_in(each, roles) for each in parts)):
        own = {each.table.key for each in item.targets}
        place = next((n for n, tables in enumerate(left) if not tables.isdisjoint(own)), None)
        if place is None:
            yield item.text
        elif len(held) > 1:
            del left[place]


def _first_in(part: str, roles: Pass) -> Mention | None:
    """The first name in a part of the question that is that of tables alone."""
    said = (each for each in roles.mentions if f" {each.text.lower()} " in f" {part} ")
    return next((each for each in said if _is_of_tables(each)), None)


def _is_of_tables(item: Mention) -> bool:
    sure = [each for each in item.targets if each.score >= _CALLED]
    return bool(sure) and not item.hits and not item.term and all(each.column is None for each in sure)


def _is_denial(condition: Cond) -> bool:
    return isinstance(condition, Inside | Related) and condition.negated


def _is_joined(query: Query) -> bool:
    """Whether its rows are restricted by what they are joined with, or by how many there are."""
    return bool(query.having or query.also or {each.table for each in columns_in(query)} - {query.anchor})


def _denied(query: Query) -> Iterator[Query | Related]:
    """What must not be, or is taken away."""
    for each in all_nodes_in(query, but=UNSAID):
        if isinstance(each, Related) and each.negated:
            yield each
        elif isinstance(each, Inside) and each.negated:
            yield each.query
        elif isinstance(each, Query) and each.then and each.then[0] == "except":
            yield each.then[1]


def _reached(roles: Pass, part: Query | Related, but: TableKey | None = None) -> set[TableKey]:
    """The tables of a part of a tree, and those that they point at: who attends by the rows of attendances."""
    tables = Marks(list(all_nodes_in(part, but=UNSAID))).tables
    steps = (step for key in tables if key != but for step in roles.reader.joins.neighbours(key))
    return tables | {step.target for step in steps if not step.multiplies}

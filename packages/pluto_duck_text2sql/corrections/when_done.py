"""When what is told of was done: `which technicians have left, and when did they go` shows the day of leaving.

Called by `corrections` for every tree. What a tree holds its rows to is a date that they have, or a state of which a
date beside it is called; any other date is shown only where a word behind `when` names it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.tree import Agg, Col, Compare, Cond, Missing, Query, mapped
from pluto_duck_text2sql.trees.durations import rooted

_WHEN = Pattern(r"(?:,|\band) (?:also )?when\b(?P<rest>[^,;.?!]*)\W*$")
_LAST_DID = Pattern(
    r"when (?:did|do|does|have|has|had) (?:[a-z]+ ){1,3}?(?:(?:very )?(?:first|last|most recently) )(?P<deed>[a-z]+)\b"
)
_OF_IT = Pattern(
    r"(?: exactly)?(?: (?:was|were|is|are|did|do|does|has|have|had) (?:that|it|this|they|he|she|those|these)"
    r"(?: (?P<deed>[a-z]+))?(?: [a-z]+)?)?$"
)


def when_done(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with the day of the deed that its rows are held to, in the place of another of theirs or as the last."""
    asked = _WHEN.search(question.lower())
    of_it = _OF_IT.match(asked["rest"]) if asked else None
    if of_it is None or query.group or query.then:
        return query
    days = dict.fromkeys(day for each in query.where for day in _days(each, catalog))
    day = next(iter(days)) if len(days) == 1 else None
    if day is None or day in query.select or day.table != query.anchor:
        return query
    named = rooted([stem(of_it["deed"])]) if of_it["deed"] else frozenset()
    others = [each for each in query.select if isinstance(each, Col) and _is_day(each, catalog)]
    if any(not named.isdisjoint(rooted(name_stems(each.name))) for each in others):
        return query
    kept = tuple(each for each in query.select if each not in others)
    return replace(query, select=(*kept, day))


def when_first_or_last(query: Query, question: str, catalog: Catalog) -> Query:
    """`when did we last ship to Germany`: the last day of shipping, where the tree has that of another deed."""
    said = _LAST_DID.match(question.strip().lower())
    shown = query.select[0] if said and len(query.select) == 1 else None
    of = shown.of if isinstance(shown, Agg) and shown.function in ("min", "max") else shown
    table = catalog.table(*of.table) if isinstance(of, Col) and _is_day(of, catalog) else None
    if said is None or table is None or not isinstance(of, Col):
        return query
    done = [each for each in _called(said["deed"], table) if each != of]
    if len(done) != 1 or of in _called(said["deed"], table):
        return query
    made: Query = mapped(query, lambda each: done[0] if each == of else each)
    return made


def _days(condition: Cond, catalog: Catalog) -> Iterator[Col]:
    """The date that a condition says is there, or that is called as the state it says."""
    left = condition.left if isinstance(condition, Missing | Compare) else None
    table = catalog.table(*left.table) if isinstance(left, Col) else None
    if table is None or not isinstance(left, Col):
        return
    if isinstance(condition, Missing) and condition.negated and _is_day(left, catalog):
        yield left
    elif isinstance(condition, Compare) and condition.operator == "=" and isinstance(condition.right, str):
        yield from _called(condition.right, table)


def _called(state: str, table: Table) -> Iterator[Col]:
    """The dates of a table that are called as a state of its rows: `cancelled_at` for `cancelled`."""
    said = rooted(name_stems(state))
    for column in table.columns:
        if column.is_time and not said.isdisjoint(rooted(table.stems(column.name))):
            yield Col(table.key, column.name)


def _is_day(column: Col, catalog: Catalog) -> bool:
    stored = catalog.column(*column.table, column.name)
    return stored is not None and stored.is_time

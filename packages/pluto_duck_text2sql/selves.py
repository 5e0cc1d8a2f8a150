"""Rows that point at rows of their own table: who reports to Ann, whose manager she is, who has none.

Called by `reader` at the end of a reading, and by `analyst` for the names. A table with a key to itself has a way up
(the row it points at) and a way down (the rows that point at it). Words say which: "reports to", "subordinates of"
look down, "manager of", "who manages" look up, "no manager" and "reports to nobody" mean that there is no row above.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pluto_duck_text2sql.catalog import Catalog, Table
from pluto_duck_text2sql.links import NameIndex, Target
from pluto_duck_text2sql.tree import Agg, Col, Cond, Expr, Inside, Missing, Query, Rows, columns_in
from pluto_duck_text2sql.words import stem

_ABOVE = r"(?:manager|boss|supervisor|superior|parent|leader|head|chief|lead)s?"
_BELOW = r"(?:subordinate|direct report|report|underling|child|children|subcategor(?:y|ie)|dependant)s?"
_NONE = re.compile(
    rf"\b(?:no |without (?:an? )?|lack(?:s|ing)? (?:an? )?|(?:not|n't) have (?:an? |any )?){_ABOVE}\b"
    rf"|\b(?:report|reports|reporting) to (?:nobody|no one|no-one)\b",
    re.IGNORECASE,
)
_UP = re.compile(
    rf"\b{_ABOVE} of\b|\bwho (?:is|was) .+ {_ABOVE}\b|\bwho (?:manages|supervises|leads|heads|is above)\b"
    r"|\b(?:whom?) (?:does|do|did) .+ (?:report|answer) to\b",
    re.IGNORECASE,
)
_DOWN = re.compile(
    rf"\b{_BELOW} (?:of|to)\b|\b(?:reports?|reporting|answers?|works?|working) (?:directly )?(?:to|under|for)\b"
    r"|\b(?:managed|supervised|led|headed) by\b|\bbelow\b|\bwhose (?:manager|boss|supervisor|parent)\b"
    r"|\bdoes .+ (?:manage|supervise|lead)\b",
    re.IGNORECASE,
)
_CALLED = ("manager", "boss", "supervisor", "parent")
_NAMED = 0.9
WORDS = re.compile(rf"{_ABOVE}|{_BELOW}|(?:manag|supervis|lead)(?:es|ed|ing)|reporting|answers?|nobody", re.IGNORECASE)
"""The words that say how rows of one table hang together."""


@dataclass(frozen=True)
class Ladder:
    """A table, the column that points at the row above, and what it points at."""

    table: Table
    up: Col
    key: Col

    @classmethod
    def of(cls, table: Table) -> Ladder | None:
        """The ladder of a table with a key to itself."""
        own = (each for each in table.foreign_keys if (each.ref_schema, each.ref_table) == table.key)
        found = next((each for each in own if len(each.columns) == 1), None)
        return cls(table, Col(table.key, found.columns[0]), Col(table.key, found.ref_columns[0])) if found else None


def name_ladders(catalog: Catalog, names: NameIndex) -> None:
    """Teach the index what people call the row above: `manager` is `ReportsTo`."""
    for table in catalog.tables:
        ladder = Ladder.of(table)
        column = table.column(ladder.up.name) if ladder else None
        for word in _CALLED if column else ():
            names.add((stem(word),), (Target(table, column, _NAMED),))


def climbed(question: str, query: Query, catalog: Catalog, label: Sequence[Col]) -> Query:
    """The query with its conditions on the rows above or below; as it was where no words say so."""
    table = catalog.table(*query.anchor)
    ladder = Ladder.of(table) if table else None
    if ladder is None or query.group not in ((), (ladder.up,)):
        return query
    whole, query = query, replace(query, group=())
    if _NONE.search(question):
        where = tuple(dict.fromkeys((*query.where, Missing(ladder.up))))
        return replace(query, select=_shown(query, ladder, label), where=where)
    theirs = tuple(each for each in query.where if _is_of(each, ladder))
    if not theirs or not (_UP.search(question) or _DOWN.search(question)):
        return whole
    rest = tuple(each for each in query.where if each not in theirs)
    return replace(query, select=_shown(query, ladder, label), where=(*rest, _step(question, ladder, theirs)))


def _step(question: str, ladder: Ladder, theirs: tuple[Cond, ...]) -> Cond:
    if _UP.search(question):
        return Inside(ladder.key, Query(ladder.table.key, (ladder.up,), theirs))
    return Inside(ladder.up, Query(ladder.table.key, (ladder.key,), theirs))


def _is_of(condition: Cond, ladder: Ladder) -> bool:
    return all(each.table == ladder.table.key for each in columns_in(condition)) and ladder.up not in (
        *columns_in(condition),
    )


def _shown(query: Query, ladder: Ladder, label: Sequence[Col]) -> tuple[Expr, ...]:
    """What is shown but for the key upwards, which only said how the rows hang together."""
    rows = Agg("count", Rows(ladder.table.key))
    counted = (rows if isinstance(each, Agg) and each.of == ladder.up else each for each in query.select)
    return tuple(each for each in counted if each != ladder.up) or tuple(label)

"""The stored values that a question says: which of them left no mark in a tree, and what marks are.

Called by `accounts`. Pure: reads the roles' finds and the tree.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pluto_duck_text2sql.language.words import LINKING, name_stems, root, stem, table_stems
from pluto_duck_text2sql.tree import Col, Query, TableKey
from pluto_duck_text2sql.trees.marks import Marks

if TYPE_CHECKING:
    from pluto_duck_text2sql.data.links import Mention
    from pluto_duck_text2sql.data.values import ValueHit
    from pluto_duck_text2sql.reading.reader import Pass

_EXACT = 1.0
_LEAST_ORIGIN = 4
"""How many letters a word has at least of which others are made."""
_INCLUDED, _NEAR_INCLUSION = frozenset("included including too also counted counting".split()), 3


def lost_values(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """The spans of stored values that left no mark."""
    values = set(marks.values())
    queries = (each for each in marks.nodes if isinstance(each, Query))
    grouped = {column for each in queries for column in each.group if isinstance(column, Col)}
    for item in roles.mentions:
        is_lost = not (
            item.text.lower() in LINKING
            or item.term
            or item.targets
            or is_held(item, values)
            or _is_told_apart(item, roles, grouped)
        )
        if item.hits and is_lost and not _is_done(item, roles, marks) and not _is_of_rows(item, roles, marks):
            yield item.start, item.end


def _is_of_rows(item: Mention, roles: Pass, marks: Marks) -> bool:
    """Whether it is a deed of which there is a row in the tree, that nothing else says, or whose one column names who
    did it: what was `nominated` has nominations, and nominees."""
    said = {root(stem(item.text.lower())), root(item.text.lower())}
    joins = roles.reader.joins
    tables = marks.tables | {
        each.target for here in marks.anchors for key in marks.tables for each in joins.path(here, key) or ()
    }
    others = {
        target.table.key for each in roles.mentions if each is not item for target in each.targets if not target.column
    }
    rows = {root(each) for key in tables - others for each in table_stems(key[1])[-1:]}
    doers = {root(each) for _, name in marks.columns for each in name_stems(name) if len(name_stems(name)) == 1}
    return not said.isdisjoint(rows | doers)


def _is_done(item: Mention, roles: Pass, marks: Marks) -> bool:
    """Whether a time that the tree goes by tells the same: rows of the state `cancelled` by their `cancelled_on`, of
    `shipped` by the date of a shipment."""
    said = set(map(stem, item.text.lower().split()))
    tables = ((roles.reader.catalog.table(*key), name) for key, name in marks.columns)
    times = (table.stems(name) for table, name in tables if table and (found := table.column(name)) and found.is_time)
    return any(all(_is_of_one_origin(word, each) for word in said) for each in times)


def _is_of_one_origin(word: str, stems: Sequence[str]) -> bool:
    """Whether one of the words of a name is this one, or is made of it."""
    return any(each == word or (len(word) >= _LEAST_ORIGIN and each.startswith(word)) for each in stems)


def _is_told_apart(item: Mention, roles: Pass, grouped: set[Col]) -> bool:
    """Whether it is a value of a column that the groups are by, all of whose values are said: `rates of urgent and
    planned visits`."""
    own = {_column_of(hit) for hit in item.hits} & grouped
    told = {(_column_of(hit), hit.value) for each in roles.mentions if own for hit in each.hits}
    kept = {column: roles.reader.catalog.column(*column.table, column.name) for column in own}
    return any(sum(of == column for of, _ in told) == (each.n_distinct if each else 0) for column, each in kept.items())


def is_gone_by(item: Mention, marks: Marks) -> bool:
    """Whether the tree goes by what keeps the value: groups by it, or restricts it to another that is said."""
    return any(((hit.schema, hit.table), hit.column) in marks.columns for hit in item.hits)


def _column_of(hit: ValueHit) -> Col:
    return Col((hit.schema, hit.table), hit.column)


def is_included(item: Mention, roles: Pass) -> bool:
    """Whether rows are said to be among the others, which leaves none out: `cancelled ones included`."""
    around = roles.tokens[max(item.start - _NEAR_INCLUSION, 0) : item.end + _NEAR_INCLUSION]
    return not _INCLUDED.isdisjoint(token.lower for token in around)


def is_stored_in(item: Mention, tables: Collection[TableKey]) -> bool:
    """Whether words are exactly what one of the tables stores."""
    return any(hit.score >= _EXACT and (hit.schema, hit.table) in tables for hit in item.hits)


def is_held(item: Mention, values: Collection[str]) -> bool:
    """Whether a value of the tree is one that the words are."""
    said = item.text.casefold()
    return any(hit.value.casefold() in values for hit in item.hits) or any(said in each for each in values)


def is_named(item: Mention, tables: set[Any], columns: set[Any]) -> bool:
    """Whether a table or column of the tree is one that the words name."""
    return any(
        (target.table.key, target.column.name) in columns if target.column else target.table.key in tables
        for target in item.targets
    )

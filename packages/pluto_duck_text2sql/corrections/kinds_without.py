"""Kinds without any: `which halls have no downtime` are those of whose machines none had any, not those of a machine
that had none.

Called by `corrections` for every tree. A tree that lists what several rows share, and denies something of each row,
denies it of all rows that share it, unless the question speaks of the rows themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.words import Token, name_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Col, Compare, Cond, Inside, Missing, Query, Related, columns_in

_CALLED = frozenset(map(stem, ("name", "title", "id", "code")))
_NONE = frozenset("no without zero".split())
_NEAR = 3
"""So many words after `no` may come before the rows: `no retired press machines`."""


def of_all_rows(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with what is denied of each row denied of all that share what is listed."""
    kind = _kind(query, catalog)
    if kind is None:
        return query
    denied = [(each, other) for each in query.where if (other := _affirmed(each)) and kind not in set(columns_in(each))]
    if len(denied) != 1 or not _is_of_kinds(kind, denied[0][0], tokenise(question)):
        return query
    others = tuple(each for each in query.where if each != denied[0][0])
    inside = Inside(kind, Query(query.anchor, (kind,), (*others, denied[0][1])), negated=True)
    return replace(query, where=(*others, inside), distinct=True)


def _affirmed(condition: Cond) -> Cond | None:
    """What a condition denies; None where it denies nothing."""
    if isinstance(condition, Inside | Related) and condition.negated:
        return replace(condition, negated=False)
    if isinstance(condition, Missing) and not condition.negated:
        return replace(condition, negated=True)
    is_other = isinstance(condition, Compare) and condition.operator == "!="
    return replace(condition, operator="=") if isinstance(condition, Compare) and is_other else None


def _is_of_kinds(kind: Col, denied: Cond, tokens: Sequence[Token]) -> bool:
    """Whether the question denies it of what it lists: not of rows that it names, unless it says that there are none of
    these (`manufacturers with no retired machines`)."""
    rows, own = table_stems(kind.table[1])[-1], name_stems(kind.name)
    said = [token.stem for token in tokens]
    if set(said).isdisjoint(own):
        return False
    none = [place for place, token in enumerate(tokens) if token.lower in _NONE]
    if any(rows in said[place : place + _NEAR + 1] for place in none):
        return True
    return said.count(rows) <= own.count(rows) and isinstance(denied, Inside | Related)


def _kind(query: Query, catalog: Catalog) -> Col | None:
    """The one text listed that several rows share; None where anything else is shown."""
    shown = query.select[0] if len(query.select) == 1 and not (query.group or query.having or query.then) else None
    if not isinstance(shown, Col) or shown.table != query.anchor or query.limit is not None:
        return None
    table, column = catalog.table(*shown.table), catalog.column(*shown.table, shown.name)
    if table is None or column is None or column.kind != "text" or not _CALLED.isdisjoint(name_stems(shown.name)):
        return None
    if name_stems(shown.name) == table_stems(table.name)[-1:]:
        return None  # what the rows themselves are called
    return shown if (column.n_distinct or 0) < (table.row_count or 0) else None

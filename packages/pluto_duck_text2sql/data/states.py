"""States that rows are in, and what a deed's noun is stored as: `cancelled` of a cancellation, `failed` of a failure.

Shared by deed_nouns.py, lateness.py, left_open/called_off.py, outcome_rates.py and openness.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Among, Col, Compare, Cond, Either, Missing

_MOST_STATES = 30
"""So many different values at most has a column of states."""
MOST_STATES = 12
"""So many different values at most has one that tells what became of rows."""
CALLED_OFF = Pattern(r"cancel\w*|no[ _-]?shows?|void(?:ed)?|called off", re.IGNORECASE)
TELLS_STATES = Pattern(
    r"\b(?:cancel\w*|void\w*|fell through|fallen through|called off|status\w*|states?|complet\w*|even if|whether)\b",
    re.IGNORECASE,
)
"""Words of what became of rows: where a question has some, it says itself which of them it means."""
_PARTS_OF_DAY = frozenset("morning day afternoon evening night".split())
_ENDING = Pattern(r"(?:ation|ition|ion|ment|al|ancy|ance|ence|ery|ure|y|)$")
_ENDS = {"ancy": ("ied", "ant")}
"""What other ending than that of most deeds goes with a noun's: occupied of an occupancy, vacant of a vacancy."""


def is_state(hit: ValueHit, catalog: Catalog) -> bool:
    """Whether a stored value is one of few that its column holds, more than a yes and a no."""
    column = catalog.column(hit.schema, hit.table, hit.column)
    return column is not None and 0 < (column.n_distinct or 0) <= _MOST_STATES and not is_yes_or_no(column)


def participles(noun: str) -> Iterator[str]:
    """What may be stored of things to which it happened: `delivered` of a delivery, `settled` of a settlement."""
    for found in _ENDING.finditer(noun):
        root = noun[: found.start()]
        roots = (root, root[:-1]) if root[-1:] == root[-2:-1] else (root,)
        yield from (f"{each}{ending}" for each in roots if len(each) > 2 for ending in _ENDS.get(found[0], ("ed", "d")))


def standing(table: Table, catalog: Catalog) -> tuple[Cond, ...]:
    """That rows were not called off, where a column of states tells it."""
    states = ((each, _called_off(table, each, catalog)) for each in table.columns)
    return tuple(_is_none_of(Col(table.key, each.name), off, each) for each, off in states if off)


def called_off(table: Table, catalog: Catalog) -> str:
    """The state in which rows are that were called off; nothing where no column tells it."""
    return next((each for column in table.columns for each in _called_off(table, column, catalog)), "")


def _called_off(table: Table, column: Column, catalog: Catalog) -> tuple[str, ...]:
    """Which of a column's few values say that something was called off."""
    values = catalog.values.held_in(*table.key, column.name)
    return tuple(each for each in values if CALLED_OFF.fullmatch(each)) if len(values) <= MOST_STATES else ()


def _is_none_of(state: Col, values: tuple[str, ...], column: Column) -> Cond:
    kept: Cond = Among(state, values, negated=True) if len(values) > 1 else Compare(state, "!=", values[0])
    return Either((Missing(state), kept)) if column.null_fraction else kept


def is_shift(hit: ValueHit, catalog: Catalog) -> bool:
    """Whether a stored value is a part of the day, as others of its column are: `Late`, beside `Early` and `Night`."""
    values = catalog.values.held_in(hit.schema, hit.table, hit.column)
    return not _PARTS_OF_DAY.isdisjoint(each.lower() for each in values)

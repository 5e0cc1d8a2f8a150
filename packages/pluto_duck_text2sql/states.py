"""States that rows are in, and what a deed's noun is stored as: `cancelled` of a cancellation, `failed` of a failure.

Shared by deed_nouns.py, outcome_rates.py and openness.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_text2sql.catalog import Catalog
from pluto_duck_text2sql.values import ValueHit
from pluto_duck_text2sql.yes_no import is_yes_or_no

_MOST_STATES = 30
"""So many different values at most has a column of states."""
_ENDING = re.compile(r"(?:ation|ition|ion|ment|al|ance|ence|ery|ure|y|)$")


def is_state(hit: ValueHit, catalog: Catalog) -> bool:
    """Whether a stored value is one of few that its column holds, more than a yes and a no."""
    column = catalog.column(hit.schema, hit.table, hit.column)
    return column is not None and 0 < (column.n_distinct or 0) <= _MOST_STATES and not is_yes_or_no(column)


def participles(noun: str) -> Iterator[str]:
    """What may be stored of things to which it happened: `delivered` of a delivery, `settled` of a settlement."""
    for found in _ENDING.finditer(noun):
        root = noun[: found.start()]
        roots = (root, root[:-1]) if root[-1:] == root[-2:-1] else (root,)
        yield from (f"{each}{ending}" for each in roots if len(each) > 2 for ending in ("ed", "d"))

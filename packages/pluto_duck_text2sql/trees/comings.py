"""When things come and when they go: staff hired and left, machines bought and sold, customers since they signed up.

Asked by had_then.py and levels.py, which count those that are there.
"""

from __future__ import annotations

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.people import PERSONS
from pluto_duck_text2sql.data.starting import started
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.tree import Col
from pluto_duck_text2sql.trees.durations import Durations

_CAME = frozenset(
    map(stem, "open opened launch launched found founded purchased bought acquired commissioned hired".split())
)
_GONE = frozenset(map(stem, "sold disposed retired scrapped decommissioned closed left".split()))


def comings(table: Table, durations: Durations) -> tuple[Col, tuple[Col, ...]] | None:
    """The date on which a table's things come, and that on which they go, if any does; None where none tells.

    Of what has no end, only people and what opens or is bought stay: a sale is over when it is made.
    """
    pair = durations.pair(table)
    if pair and isinstance(pair.start, Col) and isinstance(pair.end, Col):
        return pair.start, (pair.end,)
    came, gone = (_called(table, words) for words in (_CAME, _GONE))
    if len(came) == 1 and len(gone) <= 1:
        return came[0], tuple(gone)
    begun = started(table) if PERSONS.intersection(table_stems(table.name)[-1:]) else None
    return (begun, ()) if begun else None


def _called(table: Table, words: frozenset[str]) -> list[Col]:
    times = (each.name for each in table.columns if each.is_time)
    return [Col(table.key, name) for name in times if not words.isdisjoint(table.stems(name))]

"""What was called off: `how many appointments did we have in 2025` may leave out those that were cancelled.

Of what is agreed on for a day and called off sometimes, those of a past period are all that were agreed on, or those
that took place. Where the question says a state, or asks by it, nothing is open.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, counted, days
from pluto_duck_text2sql.data.catalog import Column
from pluto_duck_text2sql.data.states import CALLED_OFF, MOST_STATES
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.tree import Among, Col, Cond, Either, Missing, Query, TableKey, columns_in
from pluto_duck_text2sql.trees.phrases import shown_name

_ASKED = "With those that were called off?"
_AGREED = frozenset(map(stem, "appointment appt booking reservation session lesson class visit viewing".split()))
_HAD = Pattern(
    r"\b(?:did|have) (?:we|they|you) (?:have|had|get|got)\b|\b(?:were|was) there\b|^number of\b", re.IGNORECASE
)
_TOLD = Pattern(
    r"\b(?:status|state|whatever|cancel\w*|called off|complet\w*|finished|took place|held|kept|no[- ]shows?)\b",
    re.IGNORECASE,
)


def with_called_off(question: str, query: Query, data: Data) -> Opening | None:
    """All that a tree counts, and those that were not called off."""
    key = counted(query)
    is_open = _HAD.search(question) and not _TOLD.search(question)
    return without_called_off(query, key, data) if key and is_open else None


def without_called_off(query: Query, key: TableKey, data: Data) -> Opening | None:
    """The tree with all rows of a table, and without those that were called off."""
    table = data.table(key)
    if not days(query) or _AGREED.isdisjoint(table_stems(key[1])):
        return None
    states = [each for each in table.columns if _called_off(each)]
    if len(states) != 1 or Col(key, states[0].name) in set(columns_in(query)):
        return None
    state = Col(key, states[0].name)
    off = _called_off(states[0])
    kept: Cond = Among(state, off, negated=True)
    kept = Either((Missing(state), kept)) if states[0].null_fraction else kept
    held = replace(query, where=(*query.where, kept))
    return Opening(_ASKED, ((f"all of {shown_name(key)}", query), (f"without {state.name} {', '.join(off)}", held)))


def _called_off(column: Column) -> tuple[str, ...]:
    """Which of a column's few values say that something was called off."""
    values = [each for each in column.samples if isinstance(each, str)]
    is_state = 1 < len(values) <= MOST_STATES and len(values) == (column.n_distinct or 0)
    return tuple(each for each in values if CALLED_OFF.fullmatch(each)) if is_state else ()

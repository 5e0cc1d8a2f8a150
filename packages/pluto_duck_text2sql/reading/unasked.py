"""What a tree says and its question does not: a figure told apart by, a value that is only a table's name.

Called by `reader` beside `accounts`, for trees of any origin: each such part counts against a tree as a lost word does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from pluto_duck_text2sql.reading.percentages import added_percentages
from pluto_duck_text2sql.reading.unasked_bounds import bounded_keys, bounds_twice, doubled
from pluto_duck_text2sql.reading.unasked_columns import (
    beside,
    cut,
    looked_for,
    met_by_names,
    names_of_others,
    no_times,
    nobody,
    nowhere,
    other_rows,
    reached_by_columns,
)
from pluto_duck_text2sql.reading.unasked_denials import excepted, lacking, wrongly_denied
from pluto_duck_text2sql.reading.unasked_figures import (
    added_up,
    averaged,
    counted_apart,
    counted_unasked,
    given_back,
    no_revenue,
    piled_up,
    told_apart_by_figures,
    unasked_extremes,
)
from pluto_duck_text2sql.reading.unasked_times import mean_dates, raw_times, times_of_doers, turned_spans
from pluto_duck_text2sql.reading.unasked_values import (
    done,
    echoes,
    parts_of_flags,
    parts_of_names,
    rows_as_values,
    said_already,
    whatever,
)
from pluto_duck_text2sql.tree import Query

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Pass


def unasked(roles: Pass, query: Query) -> list[str]:
    """The parts of a tree that nothing in the question asks for."""
    return [part for rule in _RULES for part in rule(roles, query)]


def _percentages(roles: Pass, query: Query) -> Iterator[str]:
    """Percentages of rows are not added up."""
    yield from added_percentages(query, roles.tokens)


_RULES: tuple[Callable[[Pass, Query], Iterator[str]], ...] = (
    told_apart_by_figures,
    doubled,
    echoes,
    rows_as_values,
    parts_of_names,
    names_of_others,
    counted_unasked,
    nobody,
    nowhere,
    no_times,
    cut,
    wrongly_denied,
    lacking,
    excepted,
    done,
    said_already,
    beside,
    other_rows,
    looked_for,
    met_by_names,
    averaged,
    no_revenue,
    given_back,
    piled_up,
    whatever,
    counted_apart,
    parts_of_flags,
    reached_by_columns,
    added_up,
    unasked_extremes,
    _percentages,
    raw_times,
    times_of_doers,
    turned_spans,
    mean_dates,
    bounded_keys,
    bounds_twice,
)
"""Each finds such parts of one kind, in the order in which they are told."""

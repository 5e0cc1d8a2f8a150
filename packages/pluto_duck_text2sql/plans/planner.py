"""Which questions are planned, and by whom: each kind is one file with a pattern and a function."""

from __future__ import annotations

import re
from collections.abc import Callable

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.plans import (
    changes,
    compared_periods,
    compounded,
    correlations,
    cumulative,
    differences,
    exceptions,
    in_order,
    levels,
    levels_at,
    nth_rows,
    of_totals,
    ratios,
    retention,
    runs,
    steps_done,
)
from pluto_duck_text2sql.plans.readings import Read, Readings
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import Parts
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.rewording.business_figures import BusinessFigures

_Plan = Callable[[re.Match[str], Readings], Candidate | None]
_KINDS: tuple[tuple[Pattern, _Plan], ...] = tuple(
    (pattern, kind.plan)
    for kind in (
        correlations,
        differences,
        changes,
        exceptions,
        retention,
        levels,
        levels_at,
        runs,
        compounded,
        cumulative,
        in_order,
        compared_periods,
        steps_done,
        nth_rows,
        ratios,
        of_totals,
    )
    for pattern in kind.PATTERNS
)


class Planner:
    """Plans over what a reader reads; `read` answers the questions that a question is made of."""

    def __init__(self, reader: Reader, figures: BusinessFigures, read: Read) -> None:
        self._reader, self._figures, self._read = reader, figures, read

    def analysis(self, question: str, run: Run | None) -> Analysis | None:
        """The planned answer, or why there is none; None for a question of no such kind, or whose parts cannot be
        read."""
        text = " ".join(question.split()).rstrip(" ?.!")
        for pattern, plan in _KINDS:
            found = pattern.search(text)
            made = plan(found, self._readings(run)) if found else None
            if made:
                return Analysis("answered", (made,))
        kinds = (retention, correlations, levels, ratios)
        untold = next((told for each in kinds if (told := each.untold(text, self._readings(run)))), "")
        return Analysis("cannot_answer", message=untold) if untold else None

    def _readings(self, run: Run | None) -> Readings:
        reader = self._reader
        return Readings(reader.catalog, reader.joins, self._read, run, Parts(reader), self._figures.whom)

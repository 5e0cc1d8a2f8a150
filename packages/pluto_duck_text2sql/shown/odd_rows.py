"""Rows that go out and look odd: something in them is missing, or one is shown twice. Then the answer is less sure.

Called by `analyst` with what it answers, after all that changes its SQL; where that is as it was tried, nothing is run
again.
"""

from __future__ import annotations

from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.certainty import Grounds, certainty, showing
from pluto_duck_text2sql.pool import Run, rows_of


def as_shown(found: Analysis, run: Run | None) -> Analysis:
    """The answer, as sure as its rows let it."""
    if run is None or found.status != "answered" or not found.candidates:
        return found
    return replace(found, candidates=(_as_sure(found.candidates[0], run), *found.candidates[1:]))


def _as_sure(best: Candidate, run: Run) -> Candidate:
    of = best.grounds
    rows = rows_of(best.sql, run) if isinstance(of, Grounds) else None
    if rows is None or not isinstance(of, Grounds):
        return best
    shown = showing(of, rows)
    return best if shown == of else replace(best, confidence=round(certainty(shown), 3), grounds=shown)

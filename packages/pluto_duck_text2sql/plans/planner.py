"""Which questions are planned, and by whom: each kind is one file with a pattern and a function."""

from __future__ import annotations

import re
from collections.abc import Callable

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.plans import changes, correlations, differences, exceptions
from pluto_duck_text2sql.plans.readings import Read, Readings
from pluto_duck_text2sql.pool import Run

_Plan = Callable[[re.Match[str], Readings], Candidate | None]
_KINDS: tuple[tuple[re.Pattern[str], _Plan], ...] = tuple(
    (pattern, kind.plan) for kind in (correlations, differences, changes, exceptions) for pattern in kind.PATTERNS
)


class Planner:
    """Plans over one catalog; `read` answers the questions that a question is made of."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, read: Read) -> None:
        self._catalog, self._joins, self._read = catalog, joins, read

    def analysis(self, question: str, run: Run | None) -> Analysis | None:
        """The planned answer; None for a question of no such kind, or whose parts cannot be read."""
        text = " ".join(question.split()).rstrip(" ?.!")
        for pattern, plan in _KINDS:
            found = pattern.search(text)
            made = plan(found, Readings(self._catalog, self._joins, self._read, run)) if found else None
            if made:
                return Analysis("answered", (made,))
        return None

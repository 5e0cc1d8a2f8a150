"""Questions asked alone, the last ones remembered: what leans on a question has it not read again."""

from __future__ import annotations

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.followups.readings import Ask, Run
from pluto_duck_text2sql.lately import Lately

_MOST = 32


class AskedBefore:
    """Asks questions alone, but for the last that were."""

    def __init__(self, ask: Ask) -> None:
        self._ask, self._lately = ask, Lately[Analysis](_MOST)

    def __call__(self, question: str, run: Run | None, choice: str | None) -> Analysis:
        place = (question, run is not None, choice)
        return self._lately.of(place, lambda: self._ask(question, run, choice))

    def keep(self, question: str, run: Run | None, choice: str | None, found: Analysis) -> Analysis:
        """`found` is how the question was read alone."""
        return self._lately.keep((question, run is not None, choice), found)

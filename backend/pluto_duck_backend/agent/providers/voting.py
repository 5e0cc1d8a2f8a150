"""Two readings of a question, compared by the rows they give: agreement is what a confidence is worth.

The embedded analyst has a dozen candidates that cost nothing, so a model's draft is held against them: where one of
them gives the same rows, two ways that share nothing have come to one answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pluto_duck_backend.agent.evaluation_match import matches_leniently
from pluto_duck_backend.agent.events import RunChunk
from pluto_duck_backend.agent.models.faults import ModelFault
from pluto_duck_backend.agent.providers.contract import Draft, RunContext
from pluto_duck_backend.agent.providers.embedded import drafted
from pluto_duck_backend.agent.providers.router import EMBEDDED
from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_text2sql.analysis import Analysis, Candidate

Rows = list[tuple[Any, ...]]
_MOST_COMPARED = 6
_MOST_ROWS = 1_000
_MODEL = 0.85
#   how often a model's SQL is right, before anything is known of it
_LIKELY = 0.5
#   from which a rival is rather right than wrong, so that a user should hear of it where it leaves a doubt


class Voting:
    """Compares drafts over one user's view of the data."""

    def __init__(self, probe: Callable[[str, int], Rows]) -> None:
        self._probe = probe

    def judge(
        self, draft: Draft, analysis: Analysis, run: RunContext, again: Callable[[], Draft | None] | None
    ) -> Draft:
        """The draft that stands, with the confidence that its rivals leave it; `again` fetches a second opinion."""
        rows = self._rows(draft.sql)
        if not rows or draft.problem:
            return draft
        rivals = [(each, self._rows(each.sql)) for each in analysis.candidates[:_MOST_COMPARED]]
        ally = next((each for each, its in rivals if its and _same(rows, its)), None)
        if ally:
            return _agreed(draft, ally.confidence, "the embedded analyst", run)
        best = rivals[0][0] if rivals and rivals[0][1] else None
        second = self._second(again) if again else None
        if second and second[1] and _same(rows, second[1]):
            return _said_twice(draft, best, run)
        if second and best and second[1] and _same(rivals[0][1] or [], second[1]):
            return _outvoted(draft, best, run)
        return _alone(draft, best, run)

    def _second(self, again: Callable[[], Draft | None]) -> tuple[Draft, Rows | None] | None:
        try:
            draft = again()
        except ModelFault:
            # The first draft stands by itself, as it would without a second.
            return None
        return (draft, self._rows(draft.sql)) if draft else None

    def _rows(self, sql: str) -> Rows | None:
        """The first rows; None where the SQL fails or takes long, which is the verifier's to tell."""
        try:
            return self._probe(sql, _MOST_ROWS)
        except PlutoDuckError:
            return None


def _same(left: Rows, right: Rows) -> bool:
    """Whether one has all that the other has, row by row: who tells a column more says nothing else."""
    return matches_leniently(left, right) or matches_leniently(right, left)


def _agreed(draft: Draft, rival: float, whose: str, run: RunContext) -> Draft:
    sure = 1 - (1 - _MODEL) * (1 - rival)
    run.emit(RunChunk(f"{draft.provider} and {whose} come to the same rows ({sure:.0%})."))
    return replace(draft, confidence=round(sure, 3))


def _outvoted(draft: Draft, best: Candidate, run: RunContext) -> Draft:
    sure = 1 - (1 - _MODEL) * (1 - best.confidence)
    run.emit(
        RunChunk(f"{draft.provider} read it in two ways; the embedded analyst agrees with the second ({sure:.0%}).")
    )
    return replace(drafted(best), confidence=round(sure, 3), provider=EMBEDDED)


def _said_twice(draft: Draft, best: Candidate | None, run: RunContext) -> Draft:
    """The model comes to it again, by another prompt; a rival that says otherwise is told all the same."""
    if best is None:
        return _agreed(draft, _MODEL, "a second reading", run)
    return _against(draft, best, 1 - (1 - _MODEL) ** 2, f"{draft.provider}, asked twice,", run)


def _alone(draft: Draft, best: Candidate | None, run: RunContext) -> Draft:
    """Nobody agrees."""
    return draft if best is None else _against(draft, best, _MODEL, draft.provider, run)


def _against(draft: Draft, best: Candidate, own: float, who: str, run: RunContext) -> Draft:
    """The model is believed, which is right by `own`, as far as a rival so sure leaves it."""
    sure = own * (1 - best.confidence) / (1 - own * best.confidence)
    run.emit(RunChunk(f"{who} and the embedded analyst come to different rows ({sure:.0%})."))
    told = f"The embedded analyst would have answered otherwise ({best.confidence:.0%} sure)."
    is_told = best.confidence >= _LIKELY and sure < _MODEL
    return replace(draft, confidence=round(sure, 3), assumptions=(*draft.assumptions, *[told] * is_told))

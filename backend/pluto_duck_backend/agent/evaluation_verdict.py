"""The verdict on one case: right, right among more columns, or wrong, and what is wrong in words.

Called by `evaluation` with a case whose expected rows are known. A case that the data cannot answer is right where it
was refused or asked back; any other only where it was answered with the expected rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.agent.evaluation_kinds import kinds_of_case
from pluto_duck_backend.agent.evaluation_match import Rows, comparable, matches, matches_leniently, matches_part
from pluto_duck_backend.agent.evaluation_scored import ANSWERED, ASKED_BACK, REFUSED, Head, Scored
from pluto_duck_backend.agent.evaluation_suite import Case

HEAD_ROWS = 5


@dataclass(frozen=True)
class Outcome:
    """What came of a question: a contract `status`, the full result (not a preview) and the time taken.

    `elapsed_ms` None means: measured around the call. `answer` is the text of a refusal or of a question back.
    """

    status: str
    rows: Sequence[Sequence[Any]] = ()
    columns: Sequence[str] = ()
    confidence: float | None = None
    elapsed_ms: float | None = None
    sql: str | None = None
    error: str | None = None
    reading: Sequence[str] = ()
    answer: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0


def score(case: Case, outcome: Outcome) -> Scored:
    """The case with its verdict and the first rows of both sides."""
    right, lenient = _verdicts(case, outcome)
    return Scored(
        id=case.id,
        question=case.question,
        status=outcome.status,
        right=right,
        lenient=lenient,
        kinds=kinds_of_case(case),
        db=case.db,
        confidence=outcome.confidence,
        elapsed_ms=outcome.elapsed_ms or 0.0,
        sql=outcome.sql,
        expected_sql=case.sql,
        expected=_head(case.rows or ()),
        actual=_head(outcome.rows),
        error=outcome.error,
        answerable=case.answerable,
        split=case.split,
        dialogue=case.dialogue,
        history=case.history,
        expected_count=_expected_count(case),
        actual_count=len(outcome.rows),
        expected_columns=case.columns or (),
        columns=tuple(outcome.columns),
        reading=tuple(outcome.reading),
        answer=outcome.answer,
        why="" if right else _why(case, outcome, lenient),
        input_tokens=outcome.input_tokens,
        output_tokens=outcome.output_tokens,
        cost_usd=outcome.cost_usd,
    )


def _verdicts(case: Case, outcome: Outcome) -> tuple[bool, bool]:
    """(strictly right, leniently right)."""
    if not case.answerable:
        declined = outcome.status in (REFUSED, ASKED_BACK)
        return declined, declined
    if outcome.status != ANSWERED or case.rows is None:
        return False, False
    if case.cut_short:
        right = matches_part(case.rows, _expected_count(case), outcome.rows)
        return right, right
    ordered = case.ordered and not case.limited
    right = matches(case.rows, outcome.rows, ordered=ordered)
    return right, right or matches_leniently(case.rows, outcome.rows, ordered=ordered)


def _why(case: Case, outcome: Outcome, lenient: bool) -> str:
    """What sets the answer apart from the expected one; nothing where the status or the error says it."""
    if outcome.status != ANSWERED:
        return ""
    if not case.answerable:
        return "Answered, though the data cannot answer."
    if lenient:
        return "The expected columns are there, among more."
    rows = case.rows or ()
    wanted, given = _expected_count(case), len(outcome.rows)
    if wanted != given:
        return f"{_some(wanted, 'row')} expected, {given} given."
    if rows and len(rows[0]) != len(outcome.rows[0]):
        return f"{_some(len(rows[0]), 'column')} expected, {len(outcome.rows[0])} given."
    reordered = not case.cut_short and matches(rows, outcome.rows, ordered=False)
    return "The right rows, in another order." if reordered else "As many rows and columns, other values."


def _some(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _expected_count(case: Case) -> int:
    return len(case.rows or ()) if case.row_count is None else case.row_count


def _head(rows: Rows) -> Head:
    """The first rows as JSON values, as they are compared."""
    return tuple(tuple(comparable(cell) for cell in row) for row in rows[:HEAD_ROWS])

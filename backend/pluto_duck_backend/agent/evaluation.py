"""Asks every question of a suite and scores the answers.

Called by the `eval` command and by tests, with an `ask` that runs one question wherever the caller likes. Questions
are asked one after the other in suite order; nothing is printed. An expected result that cannot be had stops the
evaluation: a score over unknown truths would mean nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pluto_duck_backend.agent.evaluation_html import report_html
from pluto_duck_backend.agent.evaluation_match import Rows, comparable, matches, matches_leniently, matches_part
from pluto_duck_backend.agent.evaluation_report import ANSWERED, Head, Report, Scored
from pluto_duck_backend.agent.evaluation_suite import Case, kinds_of, load_suite
from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError

__all__ = [
    "Case",
    "Outcome",
    "Report",
    "Scored",
    "evaluate",
    "load_suite",
    "matches",
    "matches_leniently",
    "report_html",
]

HEAD_ROWS = 3


@dataclass(frozen=True)
class Outcome:
    """What came of a question: a contract `status`, the full result (not a preview) and the time taken.

    `elapsed_ms` None means: measured around the call.
    """

    status: str
    rows: Sequence[Sequence[Any]] = ()
    columns: Sequence[str] = ()
    confidence: float | None = None
    elapsed_ms: float | None = None
    sql: str | None = None
    error: str | None = None


Ask = Callable[[Case], Outcome]
RunSql = Callable[[Case], Rows]


def evaluate(
    cases: Iterable[Case],
    ask: Ask,
    on_case: Callable[[Scored], None] | None = None,
    *,
    run_sql: RunSql | None = None,
    previous: Mapping[str, bool] | None = None,
) -> Report:
    """The report over all cases; `on_case` sees each verdict as it falls.

    `run_sql` gives the rows of a case's own `sql` where the suite holds none, or only the first of them. `previous` is
    an earlier report's `rights()`. A PlutoDuckError from `ask` counts as a failed question, any other goes up.
    Raises InvalidInput where a case's expected rows are not known.
    """
    results = []
    for case in cases:
        results.append(_score(_with_rows(case, run_sql), _asked(case, ask)))
        if on_case:
            on_case(results[-1])
    return Report(tuple(results), previous)


def _with_rows(case: Case, run_sql: RunSql | None) -> Case:
    """The case with its expected rows, run where the suite lacks them."""
    if case.sql and run_sql and (case.rows is None or case.cut_short):
        rows = tuple(tuple(row) for row in run_sql(case))
        return replace(case, rows=rows, row_count=len(rows))
    if case.rows is None:
        raise InvalidInput(
            f"Case {case.id!r} has no expected rows.", hint="Give 'rows', or 'sql' and something to run it."
        )
    return case


def _asked(case: Case, ask: Ask) -> Outcome:
    begin = time.perf_counter()
    try:
        outcome = ask(case)
    except PlutoDuckError as error:
        outcome = Outcome("failed", error=f"{error.code}: {error.message}")
    took = 1000 * (time.perf_counter() - begin)
    return replace(outcome, elapsed_ms=took) if outcome.elapsed_ms is None else outcome


def _score(case: Case, outcome: Outcome) -> Scored:
    right, lenient = _verdicts(case, outcome)
    return Scored(
        id=case.id,
        question=case.question,
        status=outcome.status,
        right=right,
        lenient=lenient,
        kinds=kinds_of(case.sql),
        db=case.db,
        confidence=outcome.confidence,
        elapsed_ms=outcome.elapsed_ms or 0.0,
        sql=outcome.sql,
        expected_sql=case.sql,
        expected=_head(case.rows or ()),
        actual=_head(outcome.rows),
        error=outcome.error,
    )


def _verdicts(case: Case, outcome: Outcome) -> tuple[bool, bool]:
    """(strictly right, leniently right); only an answer can be either."""
    if outcome.status != ANSWERED or case.rows is None:
        return False, False
    if case.cut_short and case.row_count is not None:
        right = matches_part(case.rows, case.row_count, outcome.rows)
        return right, right
    ordered = case.ordered and not case.limited
    right = matches(case.rows, outcome.rows, ordered=ordered)
    return right, right or matches_leniently(case.rows, outcome.rows, ordered=ordered)


def _head(rows: Rows) -> Head:
    """The first rows as JSON values, as they are compared."""
    return tuple(tuple(comparable(cell) for cell in row) for row in rows[:HEAD_ROWS])

"""Asks every question of a suite and scores the answers.

Called by the `eval` command and by tests, with an `ask` that runs one question wherever the caller likes. Questions
are asked one after the other in suite order; nothing is printed. An expected result that cannot be had stops the
evaluation: a score over unknown truths would mean nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from pluto_duck_backend.agent.evaluation_html import report_html
from pluto_duck_backend.agent.evaluation_match import Rows, matches, matches_leniently
from pluto_duck_backend.agent.evaluation_report import Report, Scored
from pluto_duck_backend.agent.evaluation_suite import Case, chosen, load_suite
from pluto_duck_backend.agent.evaluation_verdict import HEAD_ROWS, Outcome, score
from pluto_duck_backend.app.core.errors import Cancelled, InvalidInput, PlutoDuckError, UserError

__all__ = [
    "HEAD_ROWS",
    "Case",
    "Outcome",
    "Report",
    "Scored",
    "Stop",
    "chosen",
    "evaluate",
    "load_suite",
    "matches",
    "matches_leniently",
    "report_html",
]


class Stop(Exception):
    """Raised by an `ask` where no further question could do better: the evaluation ends with `reason`."""

    def __init__(self, reason: PlutoDuckError) -> None:
        super().__init__(reason.message)
        self.reason = reason


Ask = Callable[[Case], Outcome]
RunSql = Callable[[Case], Rows]


def evaluate(
    cases: Iterable[Case],
    ask: Ask,
    on_case: Callable[[Scored], None] | None = None,
    *,
    run_sql: RunSql | None = None,
    previous: Mapping[str, bool] | None = None,
    about: Mapping[str, str] | None = None,
) -> Report:
    """The report over all cases; `on_case` sees each verdict as it falls.

    `run_sql` gives the rows of a case's own `sql` where the suite holds none, or only the first of them. `previous` is
    an earlier report's `rights()`. A PlutoDuckError from `ask` counts as a failed question, any other goes up.
    Raises InvalidInput where a case's expected rows are not known, and the reason of a Stop.
    """
    results = []
    for case in cases:
        results.append(score(_with_rows(case, run_sql), _asked(case, ask)))
        if on_case:
            on_case(results[-1])
    return Report(tuple(results), previous, about or {})


def _with_rows(case: Case, run_sql: RunSql | None) -> Case:
    """The case with its expected rows, run where the suite lacks them."""
    if case.sql and run_sql and (case.rows is None or case.cut_short):
        rows = tuple(tuple(row) for row in _expected(case, run_sql))
        return replace(case, rows=rows, row_count=len(rows))
    if case.rows is None and case.answerable:
        raise InvalidInput(
            f"Case {case.id!r} has no expected rows.", hint="Give 'rows', or 'sql' and something to run it."
        )
    return case


def _expected(case: Case, run_sql: RunSql) -> Rows:
    """A truth that does not run is the suite's mistake, named by its case, not the analyst's."""
    try:
        return run_sql(case)
    except Cancelled:
        raise
    except UserError as error:
        raise InvalidInput(
            f"The expected SQL of case {case.id!r} does not run: {error.message}",
            code="bad_expected_sql",
            hint="Mend its 'sql', or give its 'rows'.",
        ) from error


def _asked(case: Case, ask: Ask) -> Outcome:
    begin = time.perf_counter()
    try:
        outcome = ask(case)
    except Stop as stop:
        raise stop.reason from stop
    except PlutoDuckError as error:
        outcome = Outcome("failed", error=f"{error.code}: {error.message}")
    took = 1000 * (time.perf_counter() - begin)
    return replace(outcome, elapsed_ms=took) if outcome.elapsed_ms is None else outcome

"""A report as Markdown, for a terminal, an issue or a note. Called by `Report.to_markdown`.

The words for figures are shared with the HTML page, so both name a figure alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pluto_duck_backend.agent.wording import markdown_table

if TYPE_CHECKING:
    from pluto_duck_backend.agent.evaluation_report import Report
    from pluto_duck_backend.agent.evaluation_scored import Scored, Share

SHOWN_WRONG = 20
Figures = list[tuple[str, str]]


def report_markdown(report: Report) -> str:
    """Figures, the breakdowns, what changed since the previous report, and the first wrong answers."""
    return "\n\n".join(_sections(report)) + "\n"


def _sections(report: Report) -> Iterator[str]:
    yield "# Evaluation"
    if report.about:
        yield about(report)
    yield markdown_table(["figure", "value"], figures(report))
    for name, groups in breakdowns(report).items():
        yield _breakdown(name, groups)
    if report.reliability:
        yield markdown_table(["confidence", "answers", "mean confidence", "right"], reliability(report))
    if report.previous is not None:
        yield _flips(report)
    if report.wrong():
        yield from _wrong(report)


def about(report: Report) -> str:
    """The suite, the provider, the part asked and the time, in one line."""
    return ", ".join(report.about.values())


def figures(report: Report) -> Figures:
    """The overall figures as (name, text) pairs, in reading order."""
    return [*_accuracy(report), *_endings(report), *_calibration(report), *_effort(report)]


def _accuracy(report: Report) -> Iterator[tuple[str, str]]:
    yield "questions", str(report.total.cases)
    yield "right (strict)", f"{percent(report.total.strict_share)} ({report.total.right})"
    yield "right (lenient)", f"{percent(report.total.lenient_share)} ({report.total.lenient})"
    if dialogues := report.dialogues:
        yield "turns of dialogues right", f"{percent(dialogues.turns.strict_share)} of {dialogues.turns.cases}"
        yield "follow-ups right", f"{percent(dialogues.follow_ups.strict_share)} of {dialogues.follow_ups.cases}"
        yield "whole dialogues right", f"{percent(dialogues.whole_share)} of {dialogues.count}"


def _endings(report: Report) -> Iterator[tuple[str, str]]:
    yield "refused", percent(report.refused)
    yield "asked back", percent(report.asked_back)
    yield "failed", percent(report.failed)
    if report.unanswerable.cases:
        of_unanswerable, of_answerable = report.unanswerable.cases, report.answerable.cases
        declined = percent(report.declined_of_unanswerable)
        yield "unanswerable: refused or asked back", f"{declined} of {of_unanswerable}"
        yield "answerable: refused or asked back", f"{percent(report.declined_of_answerable)} of {of_answerable}"


def _calibration(report: Report) -> Iterator[tuple[str, str]]:
    yield "calibration error (ECE)", decimal(report.ece)
    yield "Brier score", decimal(report.brier)
    yield "AUROC", decimal(report.auroc)
    yield "right among the surest half", percent(report.surest_half)
    yield "coverage at 90 % precision", percent(report.coverage_at_precision)
    yield "coverage at 95 % precision", percent(report.coverage_at_higher_precision)


def _effort(report: Report) -> Iterator[tuple[str, str]]:
    read, written = report.tokens
    yield "time, median", f"{report.median_ms:.1f} ms"
    yield "time, 95th percentile", f"{report.p95_ms:.1f} ms"
    yield "tokens read, written", f"{read:,}, {written:,}"
    yield "cost", f"{report.cost_usd:.4f} USD"


def breakdowns(report: Report) -> dict[str, Mapping[str, Share]]:
    """The groups worth a table, by what they are grouped by."""
    split, database = report.by_split, report.by_db
    found = {"kind": report.by_kind, "database": database if len(database) > 1 else {}, "split": split}
    return {name: groups for name, groups in found.items() if groups}


def reliability(report: Report) -> list[tuple[str, str, str, str]]:
    """A row for each bin of confidence that holds an answer."""
    return [
        (
            f"{100 * each.low:.0f}–{100 * each.high:.0f} %",
            str(each.answers),
            percent(each.confidence),
            percent(each.right),
        )
        for each in report.reliability
    ]


def percent(share: float | None) -> str:
    return "not known" if share is None else f"{100 * share:.1f} %"


def decimal(value: float | None) -> str:
    return "not known" if value is None else f"{value:.3f}"


def _breakdown(name: str, groups: Mapping[str, Share]) -> str:
    rows = [
        (group, str(each.cases), percent(each.strict_share), percent(each.lenient_share))
        for group, each in groups.items()
    ]
    return markdown_table([name, "questions", "strict", "lenient"], rows)


def _flips(report: Report) -> str:
    gained, lost = (", ".join(ids) or "none" for ids in (report.flips.gained, report.flips.lost))
    return f"Since the previous report: now right: {gained}; no longer right: {lost}."


def _wrong(report: Report) -> Iterator[str]:
    wrong = report.wrong()
    rows = [(each.id, each.outcome, each.question, _given(each)) for each in wrong[:SHOWN_WRONG]]
    yield "## Wrong"
    yield markdown_table(["id", "outcome", "question", "error or SQL"], rows)
    if len(wrong) > SHOWN_WRONG:
        yield f"… and {len(wrong) - SHOWN_WRONG} more."


def _given(each: Scored) -> str:
    """What came instead: the error, the SQL on one line, or the words of a refusal."""
    return " ".join((each.error or each.sql or each.answer).split())

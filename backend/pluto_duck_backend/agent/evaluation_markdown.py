"""A report as Markdown, for a terminal, an issue or a note. Called by `Report.to_markdown`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pluto_duck_backend.agent.wording import markdown_table

if TYPE_CHECKING:
    from pluto_duck_backend.agent.evaluation_report import Report, Share

SHOWN_WRONG = 20


def report_markdown(report: Report) -> str:
    """Figures, the breakdowns, what changed since the previous report, and the first wrong answers."""
    return "\n\n".join(_sections(report)) + "\n"


def _sections(report: Report) -> Iterator[str]:
    yield "# Evaluation"
    yield markdown_table(["figure", "value"], figures(report))
    if report.by_kind:
        yield _breakdown("kind", report.by_kind)
    if len(report.by_db) > 1:
        yield _breakdown("database", report.by_db)
    if report.previous is not None:
        yield _flips(report)
    if report.wrong():
        yield from _wrong(report)


def figures(report: Report) -> list[tuple[str, str]]:
    """The overall figures as (name, text) pairs, in reading order."""
    return [
        ("questions", str(report.total.cases)),
        ("right (strict)", f"{percent(report.total.strict_share)} ({report.total.right})"),
        ("right (lenient)", f"{percent(report.total.lenient_share)} ({report.total.lenient})"),
        ("refused", percent(report.refused)),
        ("asked back", percent(report.asked_back)),
        ("failed", percent(report.failed)),
        ("calibration error (ECE)", decimal(report.ece)),
        ("Brier score", decimal(report.brier)),
        ("coverage at 90 % precision", percent(report.coverage_at_precision)),
        ("time, median", f"{report.median_ms:.1f} ms"),
        ("time, 95th percentile", f"{report.p95_ms:.1f} ms"),
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
    rows = [(each.id, each.status, each.question, each.error or each.sql or "") for each in wrong[:SHOWN_WRONG]]
    yield "## Wrong"
    yield markdown_table(["id", "status", "question", "error or SQL"], rows)
    if len(wrong) > SHOWN_WRONG:
        yield f"… and {len(wrong) - SHOWN_WRONG} more."

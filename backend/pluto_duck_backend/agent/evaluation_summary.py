"""A report's figures by name: what `--json` prints and what `--output` holds as `summary`.

Called by `Report.summary`. Scripts read these names, so one may be added and none may change its meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pluto_duck_backend.agent.evaluation_calibration import Bin
    from pluto_duck_backend.agent.evaluation_report import Report
    from pluto_duck_backend.agent.evaluation_scored import Share


def summary_of(report: Report) -> dict[str, Any]:
    """All figures, in reading order."""
    return {**_accuracy(report), **_endings(report), **_calibration(report), **_effort(report), "flips": _flips(report)}


def _accuracy(report: Report) -> dict[str, Any]:
    return {
        "cases": report.total.cases,
        "strict": report.total.strict_share,
        "lenient": report.total.lenient_share,
        "by_kind": _shares(report.by_kind),
        "by_db": _shares(report.by_db),
        "by_split": _shares(report.by_split),
        "dialogues": report.dialogues.to_dict() if report.dialogues else None,
    }


def _endings(report: Report) -> dict[str, Any]:
    return {
        "refused": report.refused,
        "asked_back": report.asked_back,
        "failed": report.failed,
        "answerable": {**_share(report.answerable), "refused_or_asked": report.declined_of_answerable},
        "unanswerable": {**_share(report.unanswerable), "refused_or_asked": report.declined_of_unanswerable},
    }


def _calibration(report: Report) -> dict[str, Any]:
    return {
        "ece": report.ece,
        "brier": report.brier,
        "auroc": report.auroc,
        "accuracy_of_surest_half": report.surest_half,
        "coverage_at_90_precision": report.coverage_at_precision,
        "coverage_at_95_precision": report.coverage_at_higher_precision,
        "reliability": [_bin(each) for each in report.reliability],
    }


def _effort(report: Report) -> dict[str, Any]:
    read, written = report.tokens
    return {
        "median_ms": report.median_ms,
        "p95_ms": report.p95_ms,
        "input_tokens": read,
        "output_tokens": written,
        "cost_usd": report.cost_usd,
    }


def _flips(report: Report) -> dict[str, list[str]]:
    return {"gained": list(report.flips.gained), "lost": list(report.flips.lost)}


def _shares(groups: Mapping[str, Share]) -> dict[str, dict[str, float]]:
    return {name: _share(each) for name, each in groups.items()}


def _share(each: Share) -> dict[str, float]:
    return {"cases": each.cases, "strict": each.strict_share, "lenient": each.lenient_share}


def _bin(each: Bin) -> dict[str, float]:
    return asdict(each)

"""Counts what reports of `pluto-duck eval --output` say: how many are right by suite, part and kind, and how sure."""

from collections import defaultdict

from pluto_duck_backend.agent.evaluation_calibration import expected_calibration_error, surest_half
from tests.figures.suites import BY_NAME, NEVER

ANSWERED = "succeeded"
BY_KIND = ("trades", "cold", "samples", "newcomers")
"""Which suites' kinds of questions are told."""
TOGETHER = ("trades", "cold", "fresh")
"""Whose answers are also counted as one, since a calibration error of few answers says little."""


def counted(reports):
    """`suites`: name to part to [right, of]; `kinds`: the same by kind; `sure`: of what was never looked at.

    `reports` are a suite's name to its report, as `--output` writes it.
    """
    return {
        "at": max(each["about"]["at"] for each in reports.values())[:10],
        "suites": {name: _tallied(name, each["results"]) for name, each in reports.items()},
        "kinds": {name: _by_kind(name, reports[name]["results"]) for name in BY_KIND},
        "sure": _sure(reports),
    }


def _tallied(name, results):
    """Each part's number of right ones, and of all."""
    found = defaultdict(lambda: [0, 0])
    for each in results:
        part = found[BY_NAME[name].part(each["split"])]
        part[0] += each["right"]
        part[1] += 1
    return dict(sorted(found.items()))


def _by_kind(name, results):
    kinds = sorted({kind for each in results for kind in each["kinds"]})
    return {kind: _tallied(name, [each for each in results if kind in each["kinds"]]) for kind in kinds}


def _sure(reports):
    never = {
        name: [each for each in report["results"] if BY_NAME[name].part(each["split"]) == NEVER]
        for name, report in reports.items()
    }
    together = [each for name in TOGETHER for each in never[name]]
    of = {name: _how_sure(some) for name, some in never.items() if some}
    return {**of, "together": _how_sure(together)}


def _how_sure(results):
    """An answer to what has none is wrong; what was refused or asked back is no answer."""
    rated = [(each["confidence"], bool(each["right"])) for each in results if each["status"] == ANSWERED]
    return {
        "answers": len(rated),
        "right": round(sum(right for _, right in rated) / len(rated), 4),
        "said": round(sum(said for said, _ in rated) / len(rated), 4),
        "error": round(expected_calibration_error(rated) or 0.0, 4),
        "surest_half": round(surest_half(rated) or 0.0, 4),
    }

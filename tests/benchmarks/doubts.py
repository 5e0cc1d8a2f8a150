"""How often right SQL is doubted: the suites' own queries, run, and what is found suspicious about their results."""

import os
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from pluto_duck_backend.agent.evaluation_suite import load_suite
from pluto_duck_backend.agent.findings import Outcome, suspicious
from pluto_duck_training.suites import workspace
from tests.agent.seen import data_of
from tests.figures.suites import BY_NAME, LOOKED_AT

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("PLUTODUCK_SHARED", ROOT.parent / "shared")) / "nl2sql"
SUITES = ("trades", "cold", "samples", "newcomers", "analysts", "chinook", "northwind", "shop", "tpch", "titanic")
MOST_ROWS = 5_000


def main():
    found = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as root:
        for name, cases in _by_database().items():
            with workspace(name, SHARED, Path(root)) as opened:
                for suite, case in cases:
                    found[suite].update(_doubts(case, opened) or ["believed"])
    for suite, counts in found.items():
        every, believed = counts.total(), counts.pop("believed", 0)
        print(f"{suite:10} {every - believed} of {every} right queries doubted: {dict(counts)}")


def _by_database():
    """The looked-at cases that have SQL, each with its suite."""
    found = defaultdict(list)
    for suite in SUITES:
        for case in load_suite(ROOT / "tests" / "fixtures" / "suites" / f"{suite}.jsonl"):
            if case.sql and case.answerable and BY_NAME[suite].part(case.split) == LOOKED_AT:
                found[case.db or suite].append((suite, case))
    return found


def _doubts(case, opened):
    result = opened.queries.run(case.sql)
    findings = suspicious(Outcome.of(case.question, result), data_of(opened, MOST_ROWS))
    doubts = [each for each in findings if each.weight == "doubt"]
    for each in doubts:
        print(f"{case.id}: {case.question}\n  {each.fact}", file=sys.stderr)
    return [each.code for each in doubts][:1]

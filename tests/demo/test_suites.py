"""The suites' questions about the demo agree with its marts: every expected SQL gives its expected rows."""

from pluto_duck_backend.agent.evaluation import Outcome, evaluate, load_suite
from tests.contracts.reference import ROOT

SUITES = ROOT / "tests" / "fixtures" / "suites"


def test_every_expected_row_comes_from_the_expected_sql(marts):
    every = [case for file in sorted(SUITES.glob("*.jsonl")) for case in load_suite(file)]
    cases = [case for case in every if case.db == "demo" and case.sql]
    report = evaluate(cases, lambda case: Outcome("succeeded", marts.execute(case.sql).fetchall()))
    assert len(report.rights()) >= 100
    assert [(each.id, each.expected, each.actual) for each in report.wrong()] == []

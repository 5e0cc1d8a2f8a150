"""The suites of questions over databases made for them: each has the rows that its SQL gives."""

import duckdb
import pytest
from tests.cold import build, names
from tests.contracts.reference import ROOT

from pluto_duck_backend.agent.evaluation import load_suite
from pluto_duck_backend.agent.evaluation_match import matches, matches_part
from pluto_duck_backend.app.services.execution.results import json_value

SUITES = ROOT / "tests" / "fixtures" / "suites"
CASES = [case for name in ("cold", "trades", "newcomers", "samples") for case in load_suite(SUITES / f"{name}.jsonl")]


@pytest.mark.parametrize("name", names())
def test_the_rows_of_a_question_are_those_of_its_sql(name, tmp_path):
    mine = [case for case in CASES if case.db == name]
    assert len(mine) >= 40
    with duckdb.connect(build(name, tmp_path)) as connection:
        for case in mine:
            if case.answerable:
                rows = [[json_value(cell) for cell in row] for row in connection.execute(case.sql).fetchall()]
                assert _are_those(case, rows), case.id


def _are_those(case, rows):
    """A long result is kept by its first rows."""
    if case.cut_short:
        return matches_part(case.rows, case.row_count, rows)
    return matches(case.rows, rows, ordered=case.ordered)

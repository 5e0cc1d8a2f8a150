"""What is suspicious about a result is found, with the facts; what is not is left alone."""

import json
from pathlib import Path

import pytest

from pluto_duck_backend.agent.findings import Outcome, caveats, facts, suspicious
from pluto_duck_backend.agent.findings.finding import Finding
from pluto_duck_backend.agent.findings.quoting import next_step
from pluto_duck_backend.app.core.errors import QueryFailed
from pluto_duck_backend.app.services.execution.results import json_value

CASES = [
    json.loads(line) for line in (Path(__file__).parents[2] / "fixtures/findings/cases.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["sql"][:70]) for case in CASES])
def test_what_is_suspicious_is_found(data, case):
    rows = [[json_value(cell) for cell in row] for row in data.rows(case["sql"])]
    columns = [name for name, *_ in data.rows(f"DESCRIBE {case['sql']}")]
    found = suspicious(Outcome(case["question"], case["sql"], columns, rows, len(rows)), data)
    assert [each.code for each in found] == case["codes"], found
    if found:
        assert found[0].weight == case.get("weight", "doubt")
        assert case.get("says", "") in found[0].told
        assert found[0].told.endswith(".")


def test_the_model_hears_what_it_can_do_and_the_user_everything():
    note = Finding("empty", "note", "No rows.", "No rows.")
    doubt = Finding("grain", "doubt", "By month was asked.", "By month was asked.")
    done = Finding("column_name", "repaired", "x was read as y.", "x was read as y.")
    assert facts([note, doubt, done]) == "By month was asked."
    assert facts([doubt, note, doubt]) == "- By month was asked.\n- By month was asked."
    assert caveats([note, doubt, done, done]) == ["No rows.", "By month was asked.", "x was read as y."]


@pytest.mark.parametrize(
    ("hint", "told"),
    [
        ("`pluto-duck schema` lists tables and columns.", ""),
        ("Allowed: range, unnest; files come in by `pluto-duck ingest`.", "Allowed: range, unnest"),
        ("TRY_CAST gives NULL where a value does not fit.", "TRY_CAST gives NULL where a value does not fit."),
    ],
)
def test_whoever_writes_sql_is_told_no_commands(hint, told):
    assert next_step(QueryFailed("It failed.", code="binder_error", hint=hint)) == told

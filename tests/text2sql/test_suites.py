"""Real databases nobody here made, asked what a person would ask; rows come from SQL written by hand."""

import pytest
from tests.contracts.reference import ROOT

from pluto_duck_backend.agent.evaluation import Outcome, evaluate, load_suite
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings

SUITES = ROOT / "tests" / "fixtures" / "suites"


@pytest.mark.parametrize("name", ["chinook", "northwind"])
def test_four_of_five_questions_are_answered_right(name, shared, tmp_path):
    workspace = Workspace.open(load_settings(tmp_path / "root"), wait_s=0)
    for request in workspace.ingestion.plan([str(shared / "data" / f"{name}.sqlite")]):
        list(workspace.ingestion.load(request, cancelled=lambda: False))
    report = evaluate(load_suite(SUITES / f"{name}.jsonl"), lambda case: _ask(workspace, case))
    workspace.close()
    right = sum(report.rights().values())
    assert right / len(report.rights()) >= 0.8, report.to_markdown()


def _ask(workspace, case):
    handle = workspace.runs.start(case.question, max_rows=1000)
    list(workspace.runs.log(handle.run_id).follow())
    final = workspace.runs.get(handle.run_id)["final"]
    names = [column["name"] for column in final["columns"]]
    return Outcome(final["status"], final["rows"], names, final["confidence"], sql=final["sql"])

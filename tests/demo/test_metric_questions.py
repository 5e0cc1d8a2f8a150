"""Questions about metrics in plain words, on the demo shop: right by the metric's definition, and naming it."""

import json
import re
import shutil
from pathlib import Path

import pytest

from pluto_duck_backend.agent.evaluation import matches
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.dbt_models import Models, write_models
from pluto_duck_backend.app.services.transformation.manifest import relations
from pluto_duck_cli import render
from tests.demo.conftest import PROJECT

FILE = Path(__file__).parents[1] / "fixtures" / "demo" / "metrics.jsonl"
QUESTIONS = [json.loads(line) for line in FILE.read_text().splitlines()]
LEAST_RIGHT = 0.9


@pytest.fixture(scope="module")
def shop(demo, marts, tmp_path_factory):
    """A workspace over a copy of the demo's warehouse, with what dbt says of it."""
    settings = load_settings(tmp_path_factory.mktemp("shop") / "root")
    paths = settings.paths.create()
    marts.execute("CHECKPOINT")
    shutil.copy(demo.warehouse, paths.warehouse)
    manifest, semantic = (
        json.loads((demo.target / name).read_text()) for name in ("manifest.json", "semantic_manifest.json")
    )
    found = relations(manifest, demo.warehouse.stem, Models(), {})
    write_models(paths, Models().with_project("pluto_duck", PROJECT, found, semantic))
    workspace = Workspace.open(settings, wait_s=0)
    yield workspace
    workspace.close()


def _answer(workspace, question):
    handle = workspace.runs.start(question)
    events = list(workspace.runs.log(handle.run_id).follow())
    return next((each["content"] for each in events if (each["type"], each["subtype"]) == ("message", "final")), {})


def _verdict(workspace, asked):
    final = _answer(workspace, asked["question"])
    with workspace.warehouse.read() as session:
        expected = session.rows(asked["sql"])
    if final.get("status") != "succeeded" or not matches(expected, final["rows"], ordered=False):
        return f"wrong: {final.get('status')} {final.get('sql') or final.get('answer')}"
    named = any(f"the metric {asked['metric']}" in line for line in final["reading"])
    return "right" if named else f"unnamed: {final['reading']}"


def test_nine_of_ten_questions_about_metrics_are_right_and_name_the_metric(shop):
    assert len(QUESTIONS) >= 40
    verdicts = {each["question"]: _verdict(shop, each) for each in QUESTIONS}
    failed = {question: verdict for question, verdict in verdicts.items() if verdict != "right"}
    assert len(failed) <= (1 - LEAST_RIGHT) * len(QUESTIONS), "\n".join(map(str, failed.items()))


def _examples():
    """The questions that the pages show an answer of, with the lines shown."""
    for page in ("AGENT_CLI_GUIDE.md", "transformation.md"):
        text = (PROJECT.parent / "docs" / page).read_text()
        for block in re.findall(r"^\$ pluto-duck ask \"([^\"]+)\"\n((?:(?!```).*\n)*)", text, re.MULTILINE):
            yield pytest.param(*block, id=block[0])


@pytest.mark.parametrize(("question", "shown"), list(_examples()))
def test_what_the_pages_show_of_an_answer_comes(shop, capsys, question, shown):
    render.answer(_answer(shop, question))
    printed = capsys.readouterr().out
    varies = (" is dbt's ", "  confidence ", "…", "/", "Next: ")
    lines = [line for line in shown.splitlines() if not any(each in line for each in varies)]
    assert [line for line in lines if line not in printed] == []

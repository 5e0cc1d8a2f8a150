"""A workspace over a small table, and runs whose provider follows a script."""

import json

import pytest

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings


@pytest.fixture
def open_workspace(tmp_path):
    """`open_workspace(replies)`: a workspace whose provider `scripted` gives these replies."""
    opened = []

    def _open(replies=({"sql": "SELECT count(*) AS n FROM t"},), **agent):
        script = tmp_path / "script.json"
        script.write_text(json.dumps({"replies": list(replies)}))
        settings = load_settings(tmp_path / "root", agent={"provider": "scripted", "script": script, **agent})
        workspace = Workspace.open(settings, wait_s=0)
        with workspace.warehouse.write() as session:
            session.execute("CREATE TABLE IF NOT EXISTS t AS SELECT range AS a, 'x' || range AS b FROM range(5)")
        opened.append(workspace)
        return workspace

    yield _open
    for workspace in opened:
        workspace.close()


@pytest.fixture
def ask():
    """`ask(workspace, question)`: all events of a run, when it has ended."""

    def _ask(workspace, question="How many?", **options):
        handle = workspace.runs.start(question, **options)
        return list(workspace.runs.log(handle.run_id).follow())

    return _ask

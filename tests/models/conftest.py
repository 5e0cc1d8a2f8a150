"""A workspace over a small table, a model server beside it, and questions put to the one through the other."""

import pytest
from tests.models.server import ModelServer

from pluto_duck_backend.agent.models import streaming
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings


@pytest.fixture
def server():
    made = ModelServer()
    yield made
    made.close()


@pytest.fixture
def open_workspace(tmp_path, server):
    """`open_workspace(**settings)`: a workspace whose provider `openai` is the server."""
    opened = []

    def _open(agent=None, limits=None, **settings):
        fast = {"base_url": f"{server.url}/v1", "model": "fake", "retries": 2, **(limits or {})}
        providers = {"openai": fast, **settings.pop("providers", {})}
        chosen = {"provider": "openai", **(agent or {})}
        workspace = Workspace.open(
            load_settings(tmp_path / "root", agent=chosen, providers=providers, **settings), wait_s=0
        )
        with workspace.warehouse.write() as session:
            session.execute(
                "CREATE TABLE IF NOT EXISTS albums AS SELECT range AS id, 'x' || range AS title FROM range(5)"
            )
        opened.append(workspace)
        return workspace

    yield _open
    for workspace in opened:
        workspace.close()


@pytest.fixture
def ask():
    """`ask(workspace, question)`: all events of a run, when it has ended."""

    def _ask(workspace, question="How many albums are there?", **options):
        handle = workspace.runs.start(question, **options)
        return list(workspace.runs.log(handle.run_id).follow())

    return _ask


@pytest.fixture
def at_once(monkeypatch):
    """Replies count as given at once, however busy the machine is: the embedded analyst reads nothing meanwhile."""
    monkeypatch.setattr(streaming, "PATIENCE_S", 30)


def names(events):
    return [f"{event['type']}.{event['subtype']}" for event in events]


def final(events):
    return next(event["content"] for event in events if names([event]) == ["message.final"])


def of(events, name):
    """The contents of all events called `name`."""
    return [event["content"] for event in events if names([event]) == [name]]

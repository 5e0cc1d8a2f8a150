"""The day that relative periods count from: the day it is, or the one that was set."""

import datetime as dt

import pytest

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import AgentSettings, load_settings
from pluto_duck_backend.app.core.errors import InvalidInput

ORDERS = "CREATE TABLE orders AS SELECT range AS id, DATE '2031-03-12' - range::INT AS ordered_on FROM range(100)"


@pytest.fixture
def opened(tmp_path):
    """`opened(today=...)`: a workspace over orders that came in every day until 12 March 2031."""
    made = []

    def _opened(**agent):
        workspace = Workspace.open(load_settings(tmp_path / "root", agent=agent), wait_s=0)
        with workspace.warehouse.write() as session:
            session.execute(ORDERS)
        made.append(workspace)
        return workspace

    yield _opened
    for workspace in made:
        workspace.close()


def _rows(workspace, question):
    run_id = workspace.runs.start(question).run_id
    list(workspace.runs.log(run_id).follow())
    return workspace.runs.get(run_id)["final"]["rows"]


@pytest.mark.parametrize(("today", "count"), [("2031-03-12", 7), ("2031-03-20", 3)])
def test_a_set_day_is_what_last_week_counts_from(opened, today, count):
    assert _rows(opened(today=today), "How many orders were there last week?") == [[count]]


def test_the_day_may_be_set_by_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUTODUCK_AGENT__TODAY", "2031-03-12")
    assert load_settings(tmp_path).agent.day() == dt.date(2031, 3, 12)


def test_a_day_that_is_none_is_told(tmp_path):
    with pytest.raises(InvalidInput, match=r"agent\.today"):
        load_settings(tmp_path, agent={"today": "yesterday"})


def test_what_runs_overnight_counts_from_the_new_day(opened, monkeypatch):
    workspace, days = opened(), [dt.date(2031, 3, 10)]
    monkeypatch.setattr(AgentSettings, "day", lambda settings: days[-1])
    question = "Show the id of yesterday's orders"
    assert _rows(workspace, question) == [[3]]
    days.append(dt.date(2031, 3, 11))
    assert _rows(workspace, question) == [[2]]

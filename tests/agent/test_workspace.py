"""A data root, opened and closed: what fails on the way leaves nothing open."""

import subprocess
import sys
import threading

import pytest

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import EnvironmentFault

OPEN = """
import sys
from pathlib import Path
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
Workspace.open(load_settings(Path(sys.argv[1])), wait_s=0).close()
"""


def _watching():
    return [thread for thread in threading.enumerate() if thread.name in ("watchdog", "keep")]


def test_where_its_state_is_away_nothing_stays_open(tmp_path):
    before = _watching()
    away = load_settings(tmp_path / "root", state={"sessions": "redis://127.0.0.1:1/0"})
    with pytest.raises(EnvironmentFault) as raised:
        Workspace.open(away, wait_s=0)
    assert _watching() == before
    subprocess.run([sys.executable, "-c", OPEN, str(tmp_path / "root")], check=True)
    assert "127.0.0.1:1" in raised.value.message  # whoever holds the error holds what raised it


def test_a_part_that_cannot_be_closed_keeps_no_other_open(tmp_path, monkeypatch):
    settings = load_settings(tmp_path / "root")
    workspace = Workspace.open(settings, wait_s=0)

    def fail():
        raise RuntimeError("it does not end")

    monkeypatch.setattr(workspace.outside, "close", fail)
    with pytest.raises(RuntimeError, match="does not end"):
        workspace.close()
    subprocess.run([sys.executable, "-c", OPEN, str(tmp_path / "root")], check=True)

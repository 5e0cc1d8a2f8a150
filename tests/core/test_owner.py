"""One owner at a time, found by the others, gone when its process is."""

import os
import stat
import subprocess
import sys

import pytest

from pluto_duck_backend.app.core import owner
from pluto_duck_backend.app.core.errors import EnvironmentFault, WarehouseBusy
from pluto_duck_backend.app.core.paths import Paths

_OWN = """
import sys
from pathlib import Path
from pluto_duck_backend.app.core import owner
from pluto_duck_backend.app.core.paths import Paths
held = owner.acquire(Paths(Path(sys.argv[1])))
held.serve_at("http://127.0.0.1:1", "secret")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def paths(tmp_path):
    return Paths(tmp_path / "root").create()


@pytest.fixture
def other(paths):
    with subprocess.Popen([sys.executable, "-c", _OWN, str(paths.root)], stdin=-1, stdout=-1, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_the_root_is_private(paths):
    assert stat.S_IMODE(paths.root.stat().st_mode) == 0o700


def test_a_second_owner_waits_and_is_told_for_whom(paths, other):
    told = []
    with pytest.raises(WarehouseBusy, match=str(other.pid)) as caught:
        owner.acquire(paths, wait_s=0.3, on_wait=told.append)
    assert "serves this root at http://127.0.0.1:1 already" in caught.value.hint
    assert len(told) == 1
    assert str(other.pid) in told[0]


def test_a_server_is_found_and_its_token_is_private(paths, other):
    found = owner.find_server(paths)
    assert (found.pid, found.address, found.token) == (other.pid, "http://127.0.0.1:1", "secret")
    assert stat.S_IMODE(paths.owner_file.stat().st_mode) == 0o600


def test_a_killed_owner_is_no_owner(paths, other):
    other.kill()
    other.wait()
    assert paths.owner_file.exists()
    assert owner.find_server(paths) is None
    owner.acquire(paths, wait_s=0).release()
    assert not paths.owner_file.exists()


def test_a_command_that_does_not_serve_is_no_server(paths):
    held = owner.acquire(paths)
    assert owner.find_server(paths) is None
    held.release()
    assert os.listdir(paths.root)


def test_a_root_where_nobody_can_write_is_said(paths):
    paths.owner_lock.mkdir()
    for look in (owner.acquire, owner.find_server):
        paths.owner_file.write_text('{"pid": 1, "command": "x", "address": "http://127.0.0.1:1", "token": ""}')
        with pytest.raises(EnvironmentFault, match="cannot be written") as caught:
            look(paths)
        assert (caught.value.code, "--root" in caught.value.hint) == ("root_unusable", True)

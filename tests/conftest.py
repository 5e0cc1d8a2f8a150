"""What every test stands on: no user's files, no user's settings, no network by accident."""

import gc
import ipaddress
import itertools
import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings

settings.register_profile("clockless", deadline=None)
settings.load_profile("clockless")

SHARED = Path(os.environ.get("PLUTODUCK_SHARED", Path(__file__).parents[2] / "shared"))
_connect = socket.socket.connect
_LONGEST = Path(__file__).with_name("text2sql") / "test_cases.py"


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is collected stays to the end: looking for garbage among it would take a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(items):
    """First the file that takes longest, then what waits for servers, browsers and processes; what only computes fills
    the cores to the end. Processes take files in this order (`--no-loadscope-reorder`)."""
    items.sort(key=lambda item: (item.path != _LONGEST, item.path.parent == _LONGEST.parent))


@pytest.fixture(scope="session")
def _roots(tmp_path_factory):
    """Places for roots: not made before somebody writes there, since most tests never do."""
    folder = tmp_path_factory.mktemp("roots")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _alone(_roots, monkeypatch):
    """A root of its own, none of the user's settings, and only loopback to talk to."""
    for name in [name for name in os.environ if name.startswith(("PLUTODUCK_", "OTEL_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PLUTODUCK_ROOT", str(next(_roots)))
    monkeypatch.setattr(socket.socket, "connect", _connect_to_loopback)


def _connect_to_loopback(self, address):
    if isinstance(address, tuple) and not _is_loopback(address[0]):
        raise AssertionError(f"A test tried to reach {address}.")
    return _connect(self, address)


def _is_loopback(host):
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """`made_once(name, make)`: a folder that `make(folder)` has filled, once for all processes of this run."""
    own = tmp_path_factory.getbasetemp()
    common = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def _made(name, make):
        folder, done = common / name, common / f"{name}.made"
        with FileLock(common / f"{name}.lock"):
            if not done.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                make(folder)
                done.touch()
        return folder

    return _made


@pytest.fixture(scope="session")
def shared():
    """The folder of real data beside the project; without it the test skips."""
    if not (SHARED / "data").is_dir():
        reason = f"the real data is not at {SHARED} (PLUTODUCK_SHARED)"
        pytest.fail(reason) if os.environ.get("PLUTODUCK_REQUIRE_SERVICES") else pytest.skip(reason)
    return SHARED


@pytest.fixture
def small_disk(tmp_path):
    """A root on a disk of 48 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip("needs the right to mount a small disk")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)

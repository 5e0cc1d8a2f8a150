"""What every test stands on: no user's files, no user's settings, no network by accident."""

import ipaddress
import os
import socket
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("clockless", deadline=None)
settings.load_profile("clockless")

SHARED = Path(os.environ.get("PLUTODUCK_SHARED", Path(__file__).parents[2] / "shared"))
_connect = socket.socket.connect


@pytest.fixture(autouse=True)
def _alone(tmp_path_factory, monkeypatch):
    """A root of its own, none of the user's settings, and only loopback to talk to."""
    for name in [name for name in os.environ if name.startswith("PLUTODUCK_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PLUTODUCK_ROOT", str(tmp_path_factory.mktemp("root")))
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
def shared():
    """The folder of real data beside the project; without it the test skips."""
    if not (SHARED / "data").is_dir():
        reason = f"the real data is not at {SHARED} (PLUTODUCK_SHARED)"
        pytest.fail(reason) if os.environ.get("PLUTODUCK_REQUIRE_SERVICES") else pytest.skip(reason)
    return SHARED

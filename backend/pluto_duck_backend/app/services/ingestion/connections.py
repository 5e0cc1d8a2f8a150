"""The connections that this process has to one database server, for what DuckDB's extensions do not do themselves.

An extension that waits for a server hears no interrupt, so a load from one that has fallen silent could not be
cancelled: its connections are cut. What must stay true: only those to this very server are, and only once the load
has been cancelled for a while; another load from the same server then ends with a fault that passes.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from pluto_duck_backend.app.services.ingestion.watch import each_beat

_OPEN_FILES = Path("/dev/fd")
_PORTS = {"postgres": 5432, "mysql": 3306}
_LOCAL = {"postgres": ".s.PGSQL.", "mysql": "mysql"}
#   what the path of a server's local socket holds
_GRACE_S = 2.0
#   that an interrupt is given to end the load by itself
_PATIENCE = {"TCP_KEEPIDLE": 15, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
#   seconds, seconds and times that a peer which says nothing is asked whether it is still there


@contextlib.contextmanager
def watched_over(kind: str, options: Mapping[str, str], cancelled: Callable[[], bool]) -> Iterator[None]:
    """While the block runs, the connections to the server are cut once the load has been cancelled for a while."""
    since: float | None = None

    def look() -> None:
        nonlocal since
        if cancelled():
            since = since or time.monotonic()
            if time.monotonic() - since > _GRACE_S:
                cut(kind, options)

    with each_beat(look):
        yield


def keep_alive(kind: str, options: Mapping[str, str]) -> None:
    """Have the system ask a silent server whether it is there, and end the connection when nothing answers."""
    for connection in _found(kind, options):
        if connection.family != socket.AF_UNIX:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in _PATIENCE.items():
                if hasattr(socket, name):  # not every system has them
                    connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def cut(kind: str, options: Mapping[str, str]) -> None:
    """End the connections: whoever waits on one fails at once."""
    for connection in _found(kind, options):
        with contextlib.suppress(OSError):  # it may have ended meanwhile
            connection.shutdown(socket.SHUT_RDWR)


def _found(kind: str, options: Mapping[str, str]) -> Iterator[socket.socket]:
    """The connections as copies of their own, each closed after use; none where the system does not list them."""
    if not _OPEN_FILES.is_dir():
        return
    addresses = _addresses(kind, options)
    for each in list(_OPEN_FILES.iterdir()):
        with contextlib.suppress(OSError), _copy(int(each.name)) as connection:
            peer = connection.getpeername()
            is_local = isinstance(peer, str) and _LOCAL[kind] in peer
            if is_local or peer[:2] in addresses:
                yield connection


def _copy(number: int) -> socket.socket:
    """Raises OSError for what is no socket, or closed meanwhile."""
    if not stat.S_ISSOCK(os.fstat(number).st_mode):
        raise OSError(f"{number} is no socket")
    return socket.socket(fileno=os.dup(number))


def _addresses(kind: str, options: Mapping[str, str]) -> set[tuple[str, int]]:
    host, port = options.get("host") or "localhost", int(options.get("port") or _PORTS[kind])
    with contextlib.suppress(OSError):
        return {(str(found[4][0]), port) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    return set()

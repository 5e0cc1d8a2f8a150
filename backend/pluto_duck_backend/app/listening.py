"""Where the server listens. Standard library only: the supervisor loads it."""

from __future__ import annotations

import errno
import ipaddress
import socket
import time

from pluto_duck_backend.app.core.errors import EnvironmentFault

_BACKLOG = 2048
_FREED_WITHIN_S = 2.0
#   a server that was just killed holds its address for a moment


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. asyncio sends small writes at once (no 40 ms of waiting) only where the protocol is named."""
    deadline = time.monotonic() + _FREED_WITHIN_S
    while True:
        try:
            return _bound(host, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and time.monotonic() < deadline:
                time.sleep(0.1)
                continue
            raise EnvironmentFault(
                f"{host}:{port} cannot be listened on: {error.strerror or error}.",
                code="address_unusable",
                hint="Choose another with --port (0: a free one) or --host.",
            ) from error


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def address_of(listener: socket.socket) -> str:
    """Where processes of this machine reach the server."""
    host, port = listener.getsockname()[:2]
    local = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{local}:{port}"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

"""Artifacts as lists of pieces of at most a mebibyte, one list a version; a hash of each scope says which is which.

A version passes away after a day unless it is named there: so a kill leaves the old one, and who reads it while another
takes its place reads it to its end.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from pluto_duck_backend.app.core.errors import EnvironmentFault
from pluto_duck_backend.app.core.state import checked, no_artifact, unreachable
from pluto_duck_backend.app.services.state.in_redis.server import Server
from pluto_duck_backend.app.services.state.pieces import pieces

_DAY_S = 86_400
_PUT = """
local named, version = unpack(KEYS)
local name, value, day, prefix = unpack(ARGV)
local old = redis.call('HGET', named, name)
redis.call('PERSIST', version)
if value == '' then redis.call('HDEL', named, name) else redis.call('HSET', named, name, value) end
if old then redis.call('EXPIRE', prefix .. string.match(old, '^%S+'), day) end
return old
"""


class RedisArtifacts:
    def __init__(self, server: Server) -> None:
        self._server = server
        self.place = server.place

    def write(self, scope: str, name: str, chunks: Iterable[bytes]) -> int:
        checked(name)
        version, count, size = uuid.uuid4().hex, 0, 0
        for piece in pieces(chunks):
            self._server.together(("RPUSH", self._version(version), piece), ("EXPIRE", self._version(version), _DAY_S))
            count, size = count + 1, size + len(piece)
        self._put(scope, name, version, f"{version} {count}")
        return size

    def read(self, scope: str, name: str) -> Iterator[bytes]:
        found = self._server.run(lambda client: client.hget(self._named(scope), checked(name)))
        if found is None:
            raise no_artifact(scope, name)
        version, count = found.decode().split()
        return self._pieces(version, int(count))

    def _pieces(self, version: str, count: int) -> Iterator[bytes]:
        for number in range(count):
            yield self._server.run(partial(_piece, self._version(version), number, self.place))

    def names(self, scope: str) -> list[str]:
        return sorted(name.decode() for name in self._server.run(lambda client: client.hkeys(self._named(scope))))

    def delete(self, scope: str, name: str) -> bool:
        return bool(self._put(scope, checked(name), "", ""))

    def _put(self, scope: str, name: str, version: str, value: str) -> Any:
        """In the place of what there is; nothing, where `value` is empty."""
        keys = [self._named(scope), self._version(version)]
        return self._server.script(_PUT, keys, [name, value, _DAY_S, self._version("")])

    def _named(self, scope: str) -> str:
        return self._server.key("artifacts", scope)

    def _version(self, version: str) -> str:
        return self._server.key("pieces", version)


def _piece(key: str, number: int, place: str, client: Any) -> bytes:
    found: bytes | None = client.lindex(key, number)
    if found is None:
        raise _gone(place)
    return found


def _gone(place: str) -> EnvironmentFault:
    return unreachable(place, "a piece of an artifact is gone; has the server evicted it?")

"""Texts in a hash of each scope, their marks in another; a mark is a number that no text had before."""

from __future__ import annotations

from pluto_duck_backend.app.core.state import Entry, changed_meanwhile, checked, no_text
from pluto_duck_backend.app.services.state.in_redis.server import Server

_ANY = "any"
_WRITE = """
local texts, marks, count = unpack(KEYS)
local name, data, wanted = unpack(ARGV)
if wanted ~= 'any' and (redis.call('HGET', marks, name) or '') ~= wanted then return false end
local mark = redis.call('INCR', count)
redis.call('HSET', texts, name, data)
redis.call('HSET', marks, name, mark)
return mark
"""


class RedisMemory:
    def __init__(self, server: Server) -> None:
        self._server = server
        self.place = server.place

    def entries(self, scope: str) -> list[Entry]:
        found = self._server.run(lambda client: client.hgetall(self._key("marks", scope)))
        entries = (Entry(name.decode(), mark.decode()) for name, mark in found.items())
        return sorted(entries, key=lambda each: each.name)

    def read(self, scope: str, name: str) -> tuple[bytes, str]:
        checked(name)
        data, mark = self._server.together(*(("HGET", self._key(kind, scope), name) for kind in ("texts", "marks")))
        if data is None:
            raise no_text(scope, name)
        return data, mark.decode()

    def write(self, scope: str, name: str, data: bytes, instead_of: str | None = None) -> str:
        keys = [self._key("texts", scope), self._key("marks", scope), self._server.key("count of marks")]
        made = self._server.script(_WRITE, keys, [checked(name), data, _ANY if instead_of is None else instead_of])
        if made is None:
            raise changed_meanwhile(scope, name)
        return str(made)

    def delete(self, scope: str, name: str) -> bool:
        checked(name)
        gone, _ = self._server.together(*(("HDEL", self._key(kind, scope), name) for kind in ("texts", "marks")))
        return bool(gone)

    def _key(self, kind: str, scope: str) -> str:
        return self._server.key(kind, scope)

"""State in one Redis server, below the prefix that the address's fragment names."""

from __future__ import annotations

from pluto_duck_backend.app.core.state import Address, ArtifactService, MemoryService, SessionService, Shape
from pluto_duck_backend.app.services.state.in_redis.artifacts import RedisArtifacts
from pluto_duck_backend.app.services.state.in_redis.memory import RedisMemory
from pluto_duck_backend.app.services.state.in_redis.server import Server
from pluto_duck_backend.app.services.state.in_redis.sessions import RedisSessions


class RedisState:
    def __init__(self, address: Address) -> None:
        self._server = Server(address.url)
        self._process = address.process
        self.place = self._server.place

    def sessions(self, scope: str, shape: Shape) -> SessionService:
        return RedisSessions(self._server, scope, shape, self._process)

    def memory(self) -> MemoryService:
        return RedisMemory(self._server)

    def artifacts(self) -> ArtifactService:
        return RedisArtifacts(self._server)

    def check(self) -> str:
        return self._server.fault()

    def close(self) -> None:
        self._server.close()

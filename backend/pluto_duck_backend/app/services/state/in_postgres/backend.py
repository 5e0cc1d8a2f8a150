"""State in the tables of one PostgreSQL database; its address's search path says in which schema."""

from __future__ import annotations

from pluto_duck_backend.app.core.state import Address, ArtifactService, MemoryService, SessionService, Shape
from pluto_duck_backend.app.services.state.in_postgres.artifacts import PostgresArtifacts
from pluto_duck_backend.app.services.state.in_postgres.database import Database
from pluto_duck_backend.app.services.state.in_postgres.memory import PostgresMemory
from pluto_duck_backend.app.services.state.in_postgres.sessions import PostgresSessions


class PostgresState:
    def __init__(self, address: Address) -> None:
        self._database = Database(address.url)
        self._process = address.process
        self.place = self._database.place

    def sessions(self, scope: str, shape: Shape) -> SessionService:
        return PostgresSessions(self._database, scope, shape, self._process)

    def memory(self) -> MemoryService:
        return PostgresMemory(self._database)

    def artifacts(self) -> ArtifactService:
        return PostgresArtifacts(self._database)

    def check(self) -> str:
        self._database.rows("SELECT 1")
        return ""

    def close(self) -> None:
        self._database.close()

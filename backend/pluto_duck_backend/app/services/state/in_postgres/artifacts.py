"""Artifacts as rows of at most a mebibyte in `pluto_duck_pieces`, by versions in `pluto_duck_artifacts`.

A version is *retired* until it is whole, and again when another takes its place; so a kill leaves the old one, and who
reads it meanwhile reads it to its end. What has been retired for a day is removed by the next write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pluto_duck_backend.app.core.state import checked, no_artifact
from pluto_duck_backend.app.services.state.in_postgres.database import Database
from pluto_duck_backend.app.services.state.pieces import pieces

if TYPE_CHECKING:
    from psycopg import Connection

_BEGIN = "INSERT INTO pluto_duck_artifacts (scope, name, retired) VALUES (%s, %s, now()) RETURNING version"
_PIECE = "INSERT INTO pluto_duck_pieces VALUES (%s, %s, %s)"
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 7165201))"
_RETIRE = "UPDATE pluto_duck_artifacts SET retired = now() WHERE scope = %s AND name = %s AND retired IS NULL"
_PUT = "UPDATE pluto_duck_artifacts SET retired = NULL, pieces = %s, bytes = %s WHERE version = %s"
_SWEEP = "DELETE FROM pluto_duck_artifacts WHERE retired < now() - interval '1 day'"


class PostgresArtifacts:
    def __init__(self, database: Database) -> None:
        self._database = database
        self.place = database.place

    def write(self, scope: str, name: str, chunks: Iterable[bytes]) -> int:
        self._database.changed(_SWEEP)
        version = self._database.rows(_BEGIN, scope, checked(name))[0][0]
        count = size = 0
        for piece in pieces(chunks):
            self._database.changed(_PIECE, version, count, piece)
            count, size = count + 1, size + len(piece)
        self._put(scope, name, version, count, size)
        return size

    def _put(self, scope: str, name: str, version: int, count: int, size: int) -> None:
        """In the place of what there is, in one transaction; two who do so at once take turns."""

        def work(connection: Connection) -> None:
            with connection.transaction():
                connection.execute(_LOCK, (f"{scope}/{name}",))
                connection.execute(_RETIRE, (scope, name))
                connection.execute(_PUT, (count, size, version))

        self._database.run(work)

    def read(self, scope: str, name: str) -> Iterator[bytes]:
        sql = "SELECT version, pieces FROM pluto_duck_artifacts WHERE scope = %s AND name = %s AND retired IS NULL"
        found = self._database.rows(sql, scope, checked(name))
        if not found:
            raise no_artifact(scope, name)
        return self._pieces(*found[0])

    def _pieces(self, version: int, count: int) -> Iterator[bytes]:
        sql = "SELECT data FROM pluto_duck_pieces WHERE version = %s AND number = %s"
        for number in range(count):
            yield self._database.data(sql, version, number)

    def names(self, scope: str) -> list[str]:
        sql = "SELECT name FROM pluto_duck_artifacts WHERE scope = %s AND retired IS NULL ORDER BY name"
        return [row[0] for row in self._database.rows(sql, scope)]

    def delete(self, scope: str, name: str) -> bool:
        return self._database.changed(_RETIRE, scope, checked(name)) > 0

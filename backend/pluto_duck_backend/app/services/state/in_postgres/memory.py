"""Texts as rows of `pluto_duck_memory`; a mark is a number that no row had before."""

from __future__ import annotations

from pluto_duck_backend.app.core.state import Entry, changed_meanwhile, checked, no_text
from pluto_duck_backend.app.services.state.in_postgres.database import Database

_INSERT = "INSERT INTO pluto_duck_memory (scope, name, data) VALUES (%s, %s, %s)"
_NEW = f"{_INSERT} ON CONFLICT DO NOTHING RETURNING mark"
_ANY = f"{_INSERT} ON CONFLICT (scope, name) DO UPDATE SET data = excluded.data, mark = DEFAULT RETURNING mark"
_CHANGE = """
UPDATE pluto_duck_memory SET data = %s, mark = DEFAULT WHERE scope = %s AND name = %s AND mark = %s RETURNING mark
"""


class PostgresMemory:
    def __init__(self, database: Database) -> None:
        self._database = database
        self.place = database.place

    def entries(self, scope: str) -> list[Entry]:
        sql = "SELECT name, mark FROM pluto_duck_memory WHERE scope = %s ORDER BY name"
        return [Entry(name, str(mark)) for name, mark in self._database.rows(sql, scope)]

    def read(self, scope: str, name: str) -> tuple[bytes, str]:
        sql = "SELECT data, mark FROM pluto_duck_memory WHERE scope = %s AND name = %s"
        found = self._database.rows(sql, scope, checked(name))
        if not found:
            raise no_text(scope, name)
        return bytes(found[0][0]), str(found[0][1])

    def write(self, scope: str, name: str, data: bytes, instead_of: str | None = None) -> str:
        checked(name)
        if instead_of:
            made = self._database.rows(_CHANGE, data, scope, name, int(instead_of))
        else:
            made = self._database.rows(_ANY if instead_of is None else _NEW, scope, name, data)
        if not made:
            raise changed_meanwhile(scope, name)
        return str(made[0][0])

    def delete(self, scope: str, name: str) -> bool:
        sql = "DELETE FROM pluto_duck_memory WHERE scope = %s AND name = %s"
        return self._database.changed(sql, scope, checked(name)) > 0

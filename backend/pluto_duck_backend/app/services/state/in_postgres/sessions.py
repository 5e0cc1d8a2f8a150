"""Sessions as rows of `pluto_duck_lines`; `pluto_duck_sessions` has their ends, to list and to find them by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pluto_duck_backend.app.core.state import (
    SILENCE_S,
    Session,
    SessionWriter,
    Shape,
    checked,
    no_session,
    session_exists,
    session_moved_on,
)
from pluto_duck_backend.app.services.state.counted_writer import CountedWriter
from pluto_duck_backend.app.services.state.in_postgres.database import Database

_PAGE = 100
_BEGIN = """
WITH made AS (
    INSERT INTO pluto_duck_sessions VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
    RETURNING scope, session)
INSERT INTO pluto_duck_lines
SELECT made.scope, made.session, given.number, given.line
FROM made, unnest(%s::text[]) WITH ORDINALITY given(line, number)
"""
_APPEND = """
WITH moved AS (
    UPDATE pluto_duck_sessions SET lines = lines + %s, last_line = %s, ended = %s, writer = %s
    WHERE scope = %s AND session = %s AND lines = %s
    RETURNING scope, session)
INSERT INTO pluto_duck_lines
SELECT moved.scope, moved.session, %s + given.number, given.line
FROM moved, unnest(%s::text[]) WITH ORDINALITY given(line, number)
"""
_LEFT_OPEN = """
SELECT session FROM pluto_duck_sessions LEFT JOIN pluto_duck_processes ON name = writer
WHERE scope = %s AND NOT ended AND (writer = %s OR seen IS NULL OR seen < now() - make_interval(secs => %s))
ORDER BY session
"""
_DELETE = """
WITH gone AS (DELETE FROM pluto_duck_lines WHERE scope = %s AND session = %s)
DELETE FROM pluto_duck_sessions WHERE scope = %s AND session = %s
"""
_BEAT = """
INSERT INTO pluto_duck_processes VALUES (%s, now()) ON CONFLICT (name) DO UPDATE SET seen = now()
"""


class PostgresSessions:
    """The sessions of a scope; `process` is this one's name among those that share them."""

    is_shared = True

    def __init__(self, database: Database, scope: str, shape: Shape, process: str) -> None:
        self._database = database
        self._scope = scope
        self._shape = shape
        self._process = process
        self.place = database.place

    def begin(self, session_id: str, lines: Sequence[bytes]) -> SessionWriter:
        ends = self._shape.is_end(lines[-1]), lines[0].decode(), lines[-1].decode()
        row = self._scope, checked(session_id), self._shape.thread_of(lines[0]), self._process, len(lines), *ends
        made = self._database.changed(_BEGIN, *row, [line.decode() for line in lines])
        if not made and self.read(session_id) != list(lines):  # the same: a connection broke after it was kept
            raise session_exists(session_id)
        return CountedWriter(self.append, session_id, len(lines))

    def resume(self, session_id: str) -> SessionWriter:
        sql = "SELECT lines FROM pluto_duck_sessions WHERE scope = %s AND session = %s"
        found = self._database.rows(sql, self._scope, session_id)
        if not found:
            raise no_session(session_id)
        return CountedWriter(self.append, session_id, found[0][0])

    def append(self, session_id: str, lines: Sequence[bytes], after: int) -> None:
        """Add lines where there are `after` now."""
        last = lines[-1].decode(), self._shape.is_end(lines[-1]), self._process
        which = self._scope, session_id, after
        made = self._database.changed(_APPEND, len(lines), *last, *which, after, [line.decode() for line in lines])
        if not made and self.read(session_id, after) != list(lines):
            raise session_moved_on(session_id)

    def read(self, session_id: str, after: int = 0) -> list[bytes]:
        sql = "SELECT line FROM pluto_duck_lines WHERE scope = %s AND session = %s AND number > %s ORDER BY number"
        return [row[0].encode() for row in self._database.rows(sql, self._scope, session_id, after)]

    def latest(self, before: str | None = None) -> Iterator[Session]:
        sql = (
            "SELECT session, first_line, last_line FROM pluto_duck_sessions "
            "WHERE scope = %s AND (%s::text IS NULL OR session < %s) ORDER BY session DESC LIMIT %s"
        )
        while found := self._database.rows(sql, self._scope, before, before, _PAGE):
            for session_id, first, last in found:
                yield Session(session_id, first.encode(), last.encode())
            before = found[-1][0]

    def of_thread(self, thread: str) -> list[str]:
        sql = (
            "SELECT session FROM pluto_duck_sessions "
            "WHERE scope = %s AND md5(thread) = md5(%s) AND thread = %s ORDER BY session"
        )
        return [row[0] for row in self._database.rows(sql, self._scope, thread, thread)]

    def left_open(self) -> list[str]:
        return [row[0] for row in self._database.rows(_LEFT_OPEN, self._scope, self._process, SILENCE_S)]

    def delete(self, session_id: str) -> bool:
        which = self._scope, session_id
        return self._database.changed(_DELETE, *which, *which) > 0

    def beat(self) -> None:
        self._database.changed(_BEAT, self._process)

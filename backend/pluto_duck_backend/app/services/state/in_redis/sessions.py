"""Sessions as lists of lines; by their side sets of names, to list them, and a hash of those that go on.

lines:<scope>:<session>   sessions:<scope>   thread:<scope>:<digest>   open:<scope>   process:<name>
"""

from __future__ import annotations

import hashlib
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
from pluto_duck_backend.app.services.state.in_redis.server import Server

_PAGE = 100
_APPEND = """
local lines, sessions, thread, open = unpack(KEYS)
local after, name, writer, is_end = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]
if redis.call('LLEN', lines) ~= after then return 0 end
for n = 5, #ARGV do redis.call('RPUSH', lines, ARGV[n]) end
if after == 0 then
    redis.call('ZADD', sessions, 0, name)
    redis.call('ZADD', thread, 0, name)
end
if is_end == '1' then redis.call('HDEL', open, name) else redis.call('HSET', open, name, writer) end
return 1
"""


class RedisSessions:
    """The sessions of a scope; `process` is this one's name among those that share them."""

    is_shared = True

    def __init__(self, server: Server, scope: str, shape: Shape, process: str) -> None:
        self._server = server
        self._scope = scope
        self._shape = shape
        self._process = process
        self._sessions, self._open = server.key("sessions", scope), server.key("open", scope)
        self.place = server.place

    def begin(self, session_id: str, lines: Sequence[bytes]) -> SessionWriter:
        if not self._added(checked(session_id), lines, 0, self._thread(self._shape.thread_of(lines[0]))):
            raise session_exists(session_id)
        return CountedWriter(self.append, session_id, len(lines))

    def resume(self, session_id: str) -> SessionWriter:
        count = self._server.run(lambda client: client.llen(self._lines(session_id)))
        if not count:
            raise no_session(session_id)
        return CountedWriter(self.append, session_id, count)

    def append(self, session_id: str, lines: Sequence[bytes], after: int) -> None:
        """Add lines where there are `after` now."""
        if not self._added(session_id, lines, after, self._thread("")):
            raise session_moved_on(session_id)

    def _added(self, session_id: str, lines: Sequence[bytes], after: int, thread: str) -> bool:
        """Also where the same lines are there: then an answer of the server was lost."""
        keys = [self._lines(session_id), self._sessions, thread, self._open]
        is_end = int(self._shape.is_end(lines[-1]))
        made = self._server.script(_APPEND, keys, [after, session_id, self._process, is_end, *lines])
        return bool(made) or self.read(session_id, after) == list(lines)

    def read(self, session_id: str, after: int = 0) -> list[bytes]:
        found: list[bytes] = self._server.run(lambda client: client.lrange(self._lines(session_id), after, -1))
        return found

    def latest(self, before: str | None = None) -> Iterator[Session]:
        least = "+" if before is None else f"({before}"
        while names := self._page(least):
            ends = self._server.together(
                *(("LINDEX", self._lines(name), place) for name in names for place in (0, -1)),
            )
            for number, name in enumerate(names):
                first, last = ends[2 * number : 2 * number + 2]
                if first is not None:  # deleted since
                    yield Session(name, first, last)
            least = f"({names[-1]}"

    def _page(self, least: str) -> list[str]:
        sessions, page = self._sessions, _PAGE
        found = self._server.run(lambda client: client.zrevrangebylex(sessions, least, "-", start=0, num=page))
        return [name.decode() for name in found]

    def of_thread(self, thread: str) -> list[str]:
        found = self._server.run(lambda client: client.zrange(self._thread(thread), 0, -1))
        return [name.decode() for name in found]

    def left_open(self) -> list[str]:
        going_on = self._server.run(lambda client: client.hgetall(self._open))
        writers = {writer.decode() for writer in going_on.values()} - {self._process}
        told = self._server.together(*(("EXISTS", self._heard(writer)) for writer in writers)) if writers else []
        living = {writer for writer, is_there in zip(writers, told, strict=True) if is_there}
        return sorted(name.decode() for name, writer in going_on.items() if writer.decode() not in living)

    def delete(self, session_id: str) -> bool:
        lines = self.read(session_id)
        if not lines:
            return False
        thread = self._thread(self._shape.thread_of(lines[0]))
        self._server.together(
            ("DEL", self._lines(session_id)),
            ("ZREM", self._sessions, session_id),
            ("ZREM", thread, session_id),
            ("HDEL", self._open, session_id),
        )
        return True

    def beat(self) -> None:
        self._server.run(lambda client: client.set(self._heard(self._process), 1, ex=int(SILENCE_S)))

    def _lines(self, session_id: str) -> str:
        return self._server.key("lines", self._scope, session_id)

    def _thread(self, thread: str) -> str:
        return self._server.key("thread", self._scope, hashlib.sha256(thread.encode()).hexdigest()[:32])

    def _heard(self, process: str) -> str:
        return self._server.key("process", process)

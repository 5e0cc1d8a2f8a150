"""Guesses: SQL that is looked at and leaves no trace, guarded and read-only, for whoever has to know whether it runs.

The repair of drafts and the embedded analyst probe through the executor. What must stay true: a guess is no job, but it
is held to its limits like one.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

from pluto_duck_backend.app.core.errors import Cancelled, PlutoDuckError
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.core.warehouse import Session, Warehouse
from pluto_duck_backend.app.services.execution.job import Request, Running
from pluto_duck_backend.app.services.execution.preparing import Preparer
from pluto_duck_backend.app.services.execution.roster import Roster

Rows = list[tuple[Any, ...]]
GUESS_ROWS, GUESS_S = 50, 1.0


class Prober:
    """Thread-safe; `begun` is called for each guess, so that somebody looks after it."""

    def __init__(self, warehouse: Warehouse, preparer: Preparer, roster: Roster, begun: Callable[[], None]) -> None:
        self._warehouse = warehouse
        self._preparer = preparer
        self._roster = roster
        self._begun = begun

    def one(self, sql: str, max_rows: int, timeout_s: float, who: Principal) -> Rows:
        """The first rows of `sql`."""
        with self._warehouse.read() as session:
            return self._probe(session, sql, max_rows, timeout_s, who)

    @contextlib.contextmanager
    def several(self, who: Principal) -> Iterator[Callable[[str], Rows]]:
        """For one guess after the other, in one thread: all see the same state, anew after one that failed."""
        with self._warehouse.read() as session:

            def probe(sql: str) -> Rows:
                try:
                    return self._probe(session, sql, GUESS_ROWS, GUESS_S, who)
                except PlutoDuckError:
                    session.begin_again()
                    raise

            yield probe

    def _probe(self, session: Session, sql: str, max_rows: int, timeout_s: float, who: Principal) -> Rows:
        guarded = self._preparer.guard(session, sql, who)
        running = Running(Request(sql, timeout_s), time.monotonic() + timeout_s)
        with self._roster.guest(new_id("probe"), running), running.within(session):
            self._begun()
            try:
                return session.execute(guarded.sql).fetchmany(max_rows)
            except Cancelled:
                running.check()
                raise

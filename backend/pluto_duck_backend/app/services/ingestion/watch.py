"""A long statement that can be watched and stopped: DuckDB works in a thread, the caller gets a beat.

The loader uses it. What must stay true: when the iterator ends, however it ends, the statement runs no more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from pluto_duck_backend.app.core.warehouse import Session

BEAT_S = 0.2


def watched(session: Session, sql: str, cancelled: Callable[[], bool]) -> Iterator[float | None]:
    """Run `sql`, yielding about five times a second the share that is done, None where that is unknown.

    Raises what the statement raises, Cancelled when stopped.
    """
    session.measure()
    failure: list[BaseException] = []
    thread = threading.Thread(target=_run, args=(session, sql, failure), name="ingest-statement", daemon=True)
    thread.start()
    try:
        while _still(thread):
            if cancelled():
                session.interrupt()
            yield session.progress
    finally:
        while thread.is_alive():
            session.interrupt()
            thread.join(BEAT_S)
    if failure:
        raise failure[0]


def _run(session: Session, sql: str, failure: list[BaseException]) -> None:
    try:
        session.execute(sql)
    except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
        failure.append(error)


def _still(thread: threading.Thread) -> bool:
    thread.join(BEAT_S)
    return thread.is_alive()

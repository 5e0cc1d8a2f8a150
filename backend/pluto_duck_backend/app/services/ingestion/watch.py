"""Work that can be watched and stopped: long statements, a session's other statements, waiting for a network.

Loader, service and connectors use it. What must stay true: a load that is cancelled stops within a few beats, whatever
it is doing, and of its session nothing runs on.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import TypeVar

from pluto_duck_backend.app.core.warehouse import Session

BEAT_S = 0.2
T = TypeVar("T")


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


@contextlib.contextmanager
def interruptible(session: Session, cancelled: Callable[[], bool]) -> Iterator[None]:
    """While the block runs, whatever the session is doing is interrupted once the user has cancelled."""

    def look() -> None:
        if cancelled():
            session.interrupt()

    with each_beat(look):
        yield


@contextlib.contextmanager
def each_beat(look: Callable[[], None]) -> Iterator[None]:
    """While the block runs, `look` is called about five times a second, in a thread of its own."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(BEAT_S):
            look()

    thread = threading.Thread(target=watch, name="ingest-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def beside(work: Callable[[], T], check: Callable[[], None]) -> T:
    """What `work` returns, done in a thread that is left alone where `check`, which is called each beat, raises.

    For what cannot be interrupted, such as waiting for a silent host; `work` has to end by itself.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            done.set_exception(error)

    threading.Thread(target=run, name="ingest-beside", daemon=True).start()
    while True:
        with contextlib.suppress(TimeoutError):
            return done.result(BEAT_S)
        check()

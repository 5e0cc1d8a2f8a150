"""Ctrl-C while a statement runs in the main thread; the tests run there."""

import asyncio
import os
import signal
import threading

import duckdb
import pytest

from pluto_duck_backend.app.core.warehouse import Session

LONG = "SELECT count(*) FROM range(3_000_000) a(i), range(1_000_000) b(j) WHERE (i * j) % 7 = 3"
SHORT = "SELECT count(*) FROM range(30_000) a(i), range(10_000) b(j) WHERE (i * j) % 7 = 3"


@pytest.fixture
def session():
    connection = duckdb.connect()
    yield Session(connection.cursor())
    connection.close()


@pytest.fixture
def signalled():
    """Sends a signal to this process while the test goes on."""
    timers = []

    def soon(number):
        timers.append(threading.Timer(0.1, os.kill, (os.getpid(), number)))
        timers[-1].start()

    yield soon
    for each in timers:
        each.join()


def test_it_ends_the_statement_and_the_next_one_runs(session, signalled):
    def interrupted():
        signalled(signal.SIGINT)
        session.rows(LONG)

    for _ in range(5):
        with pytest.raises(KeyboardInterrupt):
            interrupted()
    assert session.rows("SELECT 42") == [(42,)]


def test_a_program_that_handles_it_otherwise_keeps_its_statement(session, signalled):
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(True))
    try:
        signalled(signal.SIGINT)
        assert session.rows(SHORT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [True]


def test_an_event_loop_around_it_hears_its_own_signals(session, signalled):
    async def main():
        heard = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, heard.set)
        signalled(signal.SIGUSR1)
        session.rows(SHORT)
        await asyncio.wait_for(heard.wait(), timeout=30)

    asyncio.run(main())


def test_elsewhere_a_statement_runs_as_ever(session):
    rows = []
    thread = threading.Thread(target=lambda: rows.extend(session.rows("SELECT 42")))
    thread.start()
    thread.join()
    assert rows == [(42,)]

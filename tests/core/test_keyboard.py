"""Ctrl-C while a statement runs in the main thread; the tests run there."""

import asyncio
import os
import signal
import threading

import duckdb
import pytest

from pluto_duck_backend.app.core import keyboard
from pluto_duck_backend.app.core.warehouse import Session

LONG = "SELECT count(*) FROM range(3_000_000) a(i), range(1_000_000) b(j) WHERE (i * j) % 7 = 3"
SHORT = "SELECT count(*) FROM range(30_000) a(i), range(10_000) b(j) WHERE (i * j) % 7 = 3"


@pytest.fixture(autouse=True)
def in_the_foreground():
    """As a terminal starts a program; where a shell started the tests in the background, a Ctrl-C is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


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


def test_it_is_raised_when_all_that_belongs_to_the_statement_is_put_away():
    stopped, put_away = threading.Event(), []
    before = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(before)
    with pytest.raises(KeyboardInterrupt), keyboard.heard(stopped.set):
        signal.raise_signal(signal.SIGINT)
        assert stopped.wait(30)
        put_away.append(True)
    assert put_away and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.set_wakeup_fd(before) == before


def test_one_that_comes_before_a_statement_is_listened_for_lets_it_not_begin(monkeypatch):
    listen, begun = signal.set_wakeup_fd, []

    def late(*args, **options):
        signal.raise_signal(signal.SIGINT)
        return listen(*args, **options)

    monkeypatch.setattr(signal, "set_wakeup_fd", late)
    with pytest.raises(KeyboardInterrupt), keyboard.heard(lambda: None):
        begun.append(True)
    assert not begun and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_statement_of_a_closed_connection_has_nothing_to_stop(session, signalled):
    connection = duckdb.connect()
    closed = Session(connection)
    connection.close()
    closed.interrupt()
    test_it_ends_the_statement_and_the_next_one_runs(session, signalled)


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

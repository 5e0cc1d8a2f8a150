"""Ctrl-C while a statement runs in the main thread.

Python calls its signal handlers between two of its own instructions, and DuckDB looks for a signal only now and then,
from 2.0 on sometimes not before the statement ends. The number of a signal is written to a file descriptor at once,
though (`signal.set_wakeup_fd`): a thread that reads it stops the statement, and KeyboardInterrupt is raised when all
that belongs to the statement is put away. Raised by Python itself it could come in the middle of that.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache

_AGAIN_S = 0.05
Interrupt = Callable[[], None]


def heard(interrupt: Interrupt) -> contextlib.AbstractContextManager[None]:
    """Within it a Ctrl-C calls `interrupt` until it is left; only the main thread ever gets one."""
    main = threading.current_thread() is threading.main_thread()
    return _ear().open(interrupt) if main else contextlib.nullcontext()


class _Ear:
    """One thread that waits for signals, and what the main thread runs now."""

    def __init__(self) -> None:
        self._out, self._in = socket.socketpair()
        for each in (self._out, self._in):
            each.setblocking(False)
        self._interrupt: Interrupt | None = None
        self._others = -1
        self._came = False
        self._taking = threading.Lock()
        threading.Thread(target=self._listen, name="keyboard", daemon=True).start()

    @contextlib.contextmanager
    def open(self, interrupt: Interrupt) -> Iterator[None]:
        """Until it is left `interrupt` stops what runs, and a Ctrl-C is raised after that."""
        with self._deferred(), self._at_hand(interrupt):
            yield

    @contextlib.contextmanager
    def _deferred(self) -> Iterator[None]:
        """A Ctrl-C is raised when this is left; a program that handles it otherwise goes on doing so."""
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield
            return
        signal.signal(signal.SIGINT, self._note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self._raise()

    def _raise(self) -> None:
        came, self._came = self._came, False
        if came:
            raise KeyboardInterrupt

    def _note(self, *_: object) -> None:
        self._came = True

    @contextlib.contextmanager
    def _at_hand(self, interrupt: Interrupt) -> Iterator[None]:
        """What an event loop of the main thread listens at is told as well, and is put back."""
        with self._taking:
            self._take()  # what came before is not meant for this statement
        outer = self._interrupt, self._others
        self._interrupt = interrupt
        others = signal.set_wakeup_fd(self._in.fileno(), warn_on_full_buffer=False)
        if others != self._in.fileno():
            self._others = others
        try:
            self._raise()  # what came before the thread listened would stop nothing
            yield
        finally:
            self._interrupt = outer[0]
            with self._taking:  # an interrupt on its way would stop the next statement
                signal.set_wakeup_fd(others)
                self._take()  # of a signal just before the end the others must still hear
            self._others = outer[1]

    def _listen(self) -> None:
        while True:
            select.select([self._out], [], [])
            with self._taking:
                interrupt = self._interrupt if signal.SIGINT in self._take() else None
            if signal.getsignal(signal.SIGINT) == self._note:
                self._stop(interrupt)

    def _take(self) -> bytes:
        """The signals that came; nobody else would tell those whose place this took."""
        try:
            numbers = self._out.recv(64)
        except BlockingIOError:
            return b""
        if self._others >= 0:
            with contextlib.suppress(OSError):  # closed meanwhile: nobody listens there any more
                os.write(self._others, numbers)
        return numbers

    def _stop(self, interrupt: Interrupt | None) -> None:
        """Again and again: DuckDB forgets an interrupt that comes between two steps of a query."""
        while interrupt and self._interrupt is interrupt:
            with self._taking:
                if self._interrupt is interrupt:
                    interrupt()
            time.sleep(_AGAIN_S)


_ear = cache(_Ear)
os.register_at_fork(after_in_child=_ear.cache_clear)

"""The token by which another thread ends a run: nodes check it, and it interrupts the query or call that runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pluto_duck_backend.app.core.errors import Cancelled, PlutoDuckError


@dataclass
class CancelToken:
    """One run's; the first reason given stays."""

    reason: PlutoDuckError | None = None
    _on_cancel: list[Callable[[], object]] = field(default_factory=list)
    _ended: threading.Event = field(default_factory=threading.Event)

    def cancel(self, reason: PlutoDuckError | None = None) -> None:
        """End the run with `reason`."""
        self.reason = self.reason or reason or Cancelled("The run was cancelled.")
        self._ended.set()
        for interrupt in list(self._on_cancel):
            interrupt()

    def check(self) -> None:
        """Raises the reason once cancelled."""
        if self.reason:
            raise self.reason

    def wait(self, seconds: float) -> None:
        """Let time pass. Raises the reason as soon as cancelled."""
        self._ended.wait(seconds)
        self.check()

    @contextmanager
    def interrupting(self, interrupt: Callable[[], object]) -> Iterator[None]:
        """Have `interrupt` called on cancellation while this lasts (at once where that has happened)."""
        self._on_cancel.append(interrupt)
        try:
            if self.reason:
                interrupt()
            yield
        finally:
            self._on_cancel.remove(interrupt)

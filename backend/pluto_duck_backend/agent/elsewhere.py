"""Logs that another process writes: looked at again and again while somebody may follow them here.

What must stay true: a follower sees every event at most POLL_S after it was written, and its end where the writer dies,
since whoever finds a log without a living writer ends it (`RunManager.recover`).
"""

from __future__ import annotations

import logging
import threading

from pluto_duck_backend.agent.event_log import EventLog
from pluto_duck_backend.app.core.errors import EnvironmentFault

POLL_S = 0.2
_logger = logging.getLogger(__name__)


class Elsewhere:
    """Thread-safe; one thread looks after all of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._logs: set[EventLog] = set()
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()

    def kept_up(self, log: EventLog) -> EventLog:
        """The log as it is now, and kept so until its end; one of our own comes back as it is."""
        if log.is_followed:
            log.catch_up()
        if log.is_followed:
            with self._lock:
                self._logs.add(log)
                if self._thread is None:
                    self._thread = threading.Thread(target=self._look, name="runs elsewhere", daemon=True)
                    self._thread.start()
        return log

    def _look(self) -> None:
        while not self._closing.wait(POLL_S):
            for log in list(self._logs):
                try:
                    log.catch_up()
                except EnvironmentFault as error:
                    _logger.warning("%s cannot be followed for now: %s", log.owner_id, error.message)
            if self._is_done():
                return

    def _is_done(self) -> bool:
        with self._lock:
            self._logs = {log for log in self._logs if log.is_followed}
            if not self._logs:
                self._thread = None
            return not self._logs

    def close(self) -> None:
        self._closing.set()

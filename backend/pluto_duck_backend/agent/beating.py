"""Where several processes share sessions, each tells the others that it lives, and ends what the dead left open.

It also hears, while it answers something, which of its runs others wish to end.
"""

from __future__ import annotations

import logging
import threading

from pluto_duck_backend.agent.runs import RunManager
from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault
from pluto_duck_backend.app.core.state import BEAT_S, SessionService

HEAR_S = 1.0
_HEARD_PER_BEAT = round(BEAT_S / HEAR_S)
_logger = logging.getLogger(__name__)


class Beating:
    """Beats when it begins, then every BEAT_S until `close`; nobody listens where sessions are one process's own."""

    def __init__(self, sessions: SessionService, runs: RunManager) -> None:
        self._sessions = sessions
        self._runs = runs
        self._closing = threading.Event()

    def begin(self) -> None:
        self._sessions.beat()
        if self._sessions.is_shared:
            threading.Thread(target=self._beat_on, name="beating", daemon=True).start()

    def _beat_on(self) -> None:
        heard = 0
        while not self._closing.wait(HEAR_S):
            heard += 1
            try:
                self._runs.hear()
                if heard % _HEARD_PER_BEAT == 0:
                    self._sessions.beat()
                    self._runs.recover()
                    self._runs.forget_wishes()
            except (EnvironmentFault, Conflict) as error:
                _logger.warning("this process and the others do not hear of each other for now: %s", error.message)

    def close(self) -> None:
        self._closing.set()

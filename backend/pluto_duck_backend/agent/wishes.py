"""Wishes that a run end, from processes that do not answer it: a text each, kept where the runs are.

`RunManager.cancel` makes one where the run is another's, whose `Beating` hears of it. What must stay true: a wish is
gone when its run is over.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from pluto_duck_backend.app.core.state import MemoryService

_SCOPE = "artifacts/cancel"


class Wishes:
    """Thread-safe. Every call may raise EnvironmentFault."""

    def __init__(self, texts: MemoryService) -> None:
        self._texts = texts

    def make(self, run_id: str) -> None:
        self._texts.write(_SCOPE, run_id, b"")

    def taken(self, runs: Collection[str]) -> list[str]:
        """Those of `runs` that somebody wishes to end; each is given once."""
        found = [entry.name for entry in self._texts.entries(_SCOPE) if entry.name in runs]
        return [run_id for run_id in found if self._texts.delete(_SCOPE, run_id)]

    def forget(self, is_over: Callable[[str], bool]) -> None:
        """Remove those that came too late."""
        for entry in self._texts.entries(_SCOPE):
            if is_over(entry.name):
                self._texts.delete(_SCOPE, entry.name)

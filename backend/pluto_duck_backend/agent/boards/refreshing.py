"""Running a board's queries again, some at a time, each by the same guard and rights as any query."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from pluto_duck_backend.agent.boards.board import Board, Tile
from pluto_duck_backend.agent.boards.outcome import Outcome, Outcomes, result_of
from pluto_duck_backend.app.core.errors import Cancelled, NotFound, PlutoDuckError
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.services.execution.executor import QueryService

_AT_ONCE = 4


class Refreshing:
    """One refresh: `run` it; `cancel` it from another thread, which leaves what has not ended as it was."""

    def __init__(
        self, queries: QueryService, outcomes: Outcomes, board: Board, tiles: Sequence[Tile], who: Principal
    ) -> None:
        self.board = board
        self._queries = queries
        self._outcomes = outcomes
        self._who = who
        self._jobs = {tile.id: (tile, new_id("query")) for tile in tiles}
        self._is_cancelled = False

    def run(self) -> None:
        """Run all. A query that fails is kept as failed; raises EnvironmentFault where nothing can be kept."""
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="board") as pool:
            list(pool.map(self._run_one, self._jobs))

    def cancel(self) -> None:
        self._is_cancelled = True
        for _, job_id in self._jobs.values():
            with contextlib.suppress(NotFound):  # it has not begun
                self._queries.cancel(job_id, self._who)

    def _begun(self, job_id: str) -> None:
        """Who cancelled before it was there has not met it."""
        if self._is_cancelled:
            self._queries.cancel(job_id, self._who)

    def _run_one(self, tile_id: str) -> None:
        tile, job_id = self._jobs[tile_id]
        if self._is_cancelled:
            return
        try:
            job = self._queries.run(tile.sql, job_id=job_id, who=self._who, begun=partial(self._begun, job_id))
            outcome = Outcome(result_of(job, self._queries, self._who))
        except Cancelled:
            return
        except PlutoDuckError as error:
            outcome = self._outcomes.read(self.board, tile).failed(error)
        self._outcomes.write(self.board, tile, outcome)

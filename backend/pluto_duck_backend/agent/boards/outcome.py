"""What came of a tile's query: the last result and, where it failed since, the failure. One JSON file a tile.

Below `artifacts/`, so that it is history: without it a tile has not been run yet. It holds for one SQL under one right
only; a file that was edited begins anew.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.agent.boards.board import Board, Tile
from pluto_duck_backend.agent.charting import CHART_ROWS
from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.core.whole_files import write_whole
from pluto_duck_backend.app.services.execution.executor import QueryResult, QueryService
from pluto_duck_backend.app.services.execution.job import now

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Result:
    """Rows of a query that ran; at most CHART_ROWS of `row_count`."""

    job_id: str
    ran_at: str
    elapsed_ms: float
    columns: list[dict[str, str]]
    rows: list[list[Any]]
    row_count: int
    tables: list[str]


@dataclass(frozen=True)
class Outcome:
    """`failure` is a query's error with the time `at`; null where the last try succeeded."""

    result: Result | None = None
    failure: dict[str, Any] | None = None

    def failed(self, error: PlutoDuckError) -> Outcome:
        return replace(self, failure={**error.to_dict(), "at": now()})


def result_of(job: QueryResult, queries: QueryService, who: Principal) -> Result:
    """What is kept of an ended job. Raises as `QueryService.first_rows` does."""
    rows = queries.first_rows(job, CHART_ROWS, who)
    return Result(job.job_id, job.created_at, job.elapsed_ms, job.columns, rows, job.row_count or 0, list(job.tables))


class Outcomes:
    """Of all tiles of one data root."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, board: Board, tile: Tile) -> Outcome:
        """What is known of a tile's query; nothing where it never ran."""
        path = self._path(board, tile)
        try:
            kept = orjson.loads(path.read_bytes()) if path.is_file() else {}
            if kept.get("of") != _mark(board, tile):
                return Outcome()
            return Outcome(Result(**kept["result"]) if kept["result"] else None, kept["failure"])
        except (OSError, ValueError, TypeError, KeyError) as error:
            _logger.warning("%s is not readable, so its tile counts as not run: %s", path, error)
            return Outcome()

    def write(self, board: Board, tile: Tile, outcome: Outcome) -> None:
        """Keep it, whole or not at all. Raises EnvironmentFault."""
        kept = orjson.dumps({"of": _mark(board, tile), **asdict(outcome)})
        write_whole(self._path(board, tile), [kept], private=True)

    def forget(self, board: Board, tile: Tile | None = None) -> None:
        """Of one tile, or of a whole board."""
        if tile:
            self._path(board, tile).unlink(missing_ok=True)
        else:
            shutil.rmtree(self._folder / board.board_id, ignore_errors=True)

    def _path(self, board: Board, tile: Tile) -> Path:
        return self._folder / board.board_id / f"{tile.id}.json"


def _mark(board: Board, tile: Tile) -> str:
    return hashlib.sha256(f"{board.rights}\0{tile.sql}".encode()).hexdigest()

"""What came of a tile's query: the last result and, where it failed since, the failure. One JSON file a tile.

They are artifacts, thus history: without one a tile has not been run yet. It holds for one SQL under one right only; a
board's file that was edited begins anew.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import asdict, dataclass, replace
from typing import Any

import orjson

from pluto_duck_backend.agent.boards.board import Board, Tile
from pluto_duck_backend.agent.charting import CHART_ROWS
from pluto_duck_backend.app.core.errors import NotFound, PlutoDuckError
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.core.state import ArtifactService
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

    def __init__(self, artifacts: ArtifactService) -> None:
        self._artifacts = artifacts

    def read(self, board: Board, tile: Tile) -> Outcome:
        """What is known of a tile's query; nothing where it never ran."""
        scope, name = _scope(board), _name(tile)
        try:
            kept = orjson.loads(b"".join(self._artifacts.read(scope, name)))
            if kept.get("of") != _mark(board, tile):
                return Outcome()
            return Outcome(Result(**kept["result"]) if kept["result"] else None, kept["failure"])
        except NotFound:
            return Outcome()
        except (OSError, ValueError, TypeError, KeyError) as error:
            _logger.warning("%s/%s is not readable, so its tile counts as not run: %s", scope, name, error)
            return Outcome()

    def write(self, board: Board, tile: Tile, outcome: Outcome) -> None:
        """Keep it, whole or not at all. Raises EnvironmentFault."""
        kept = orjson.dumps({"of": _mark(board, tile), **asdict(outcome)})
        self._artifacts.write(_scope(board), _name(tile), [kept])

    def forget(self, board: Board, tile: Tile | None = None) -> None:
        """Of one tile, or of a whole board."""
        for name in [_name(tile)] if tile else self._artifacts.names(_scope(board)):
            self._artifacts.delete(_scope(board), name)


def _scope(board: Board) -> str:
    return f"artifacts/boards/{board.board_id}"


def _name(tile: Tile) -> str:
    return f"{tile.id}.json"


def _mark(board: Board, tile: Tile) -> str:
    return hashlib.sha256(f"{board.rights}\0{tile.sql}".encode()).hexdigest()

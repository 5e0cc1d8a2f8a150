"""A tile as its readers see it: what it asks, what came of it last, and what has changed since it was pinned."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pluto_duck_backend.agent.boards.board import Tile
from pluto_duck_backend.agent.boards.outcome import Outcome, Result
from pluto_duck_backend.agent.charting import Spec, chart_of
from pluto_duck_backend.agent.charting.themes import Theme, themed
from pluto_duck_backend.agent.memory.schema_read import changed
from pluto_duck_text2sql.data.catalog import Catalog

SHOWN_ROWS = 50


def shown(tile: Tile, outcome: Outcome, catalog: Catalog, theme: Theme) -> dict[str, Any]:
    """The tile as `GET /boards/{board_id}` has it."""
    result = outcome.result
    return {
        "tile_id": tile.id,
        **tile.model_dump(exclude={"id", "reads"}),
        "reads": result.tables if result else list(tile.reads),
        "changed": changed(tile.read_then, catalog) or None,
        "result": _shown_result(tile, result, theme) if result else None,
        "failure": outcome.failure,
    }


def _shown_result(tile: Tile, result: Result, theme: Theme) -> dict[str, Any]:
    spec = _chart(tile, result)
    return {**asdict(result), "rows": result.rows[:SHOWN_ROWS], "chart": themed(spec, theme) if spec else None}


def _chart(tile: Tile, result: Result) -> Spec | None:
    if tile.display == "table":
        return None
    kind = None if tile.display == "auto" else tile.display
    return chart_of(
        tile.question or tile.title,
        result.columns,
        result.rows,
        result.row_count,
        sql=tile.sql,
        title=tile.title,
        kind=kind,
    )

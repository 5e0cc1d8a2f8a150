"""Boards and their tiles."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from pluto_duck_backend.app.api.answers.fault_answers import Fault


class BoardSummary(BaseModel):
    board_id: str = Field(description="The name of its file.")
    title: str
    file: str = Field(description="Its file below the root.")
    tile_count: int
    error: Fault | None = Field(description="Why its file is no board; null: it is one.")


class Boards(BaseModel):
    boards: list[BoardSummary]


class BoardId(BaseModel):
    board_id: str


class TileResult(BaseModel):
    job_id: str
    ran_at: str
    elapsed_ms: float
    columns: list[dict[str, str]]
    rows: list[list[Any]] = Field(description="The first rows.")
    row_count: int
    tables: list[str]
    chart: dict[str, Any] | None = Field(description="A Vega-Lite specification with a theme's colours.")


class TileFailure(Fault):
    at: str


class Tile(BaseModel):
    tile_id: str
    title: str
    display: str = Field(description="auto, table or a kind of chart.")
    question: str
    reading: list[str]
    caveats: list[str]
    run_id: str
    pinned_at: str
    sql: str
    reads: list[str] = Field(description="Tables, as schema.table.")
    changed: str | None = Field(description="What of the tables is not as it was when it was pinned; null: nothing.")
    result: TileResult | None = Field(description="The last result there was; null: it never succeeded.")
    failure: TileFailure | None = Field(description="Why the last try failed, after `result`; null: it did not.")


class Board(BoardSummary):
    tiles: list[Tile]

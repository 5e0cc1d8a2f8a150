"""A question with the SQL that ran for it and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.app.services.execution.executor import QueryResult


@dataclass(frozen=True)
class Outcome:
    """`rows` may be a preview; `row_count` counts all."""

    question: str
    sql: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    row_count: int

    @classmethod
    def of(cls, question: str, result: QueryResult) -> Outcome:
        names = [column["name"] for column in result.columns]
        return cls(question, result.sql, names, result.rows, result.row_count or 0)

    def numbers(self, place: int) -> list[float]:
        """The numbers of one column; none where it holds anything else."""
        cells = [row[place] for row in self.rows if row[place] is not None]
        numeric = all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells)
        return [float(cell) for cell in cells] if numeric else []

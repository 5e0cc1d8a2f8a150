"""One step of an answer as it is planned, and as it was taken."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

StepKind = Literal["query", "calculate", "statistics", "python"]
KINDS: tuple[str, ...] = get_args(StepKind)


@dataclass(frozen=True)
class Step:
    """What is to be done: `text` is SQL, an expression, `correlation(step, x, y)`, or Python that sets `result`.

    It may name the steps before it: as tables in SQL, as `step.column` in an expression, as polars frames in Python.
    """

    name: str
    kind: StepKind
    text: str
    purpose: str = ""

    def to_dict(self) -> dict[str, str]:
        return {"name": self.name, "kind": self.kind, "purpose": self.purpose, "text": self.text}


@dataclass(frozen=True)
class Taken:
    """A step that was taken: `sql` gives its rows, complete in itself; the query `job_id` ran it."""

    step: Step
    sql: str
    job_id: str
    columns: list[dict[str, str]] = field(default_factory=list)
    row_count: int = 0
    told: tuple[str, ...] = ()
    #   what the user hears of it

    def line(self) -> str:
        """As the answer's reading names it."""
        rows = f"{self.row_count:,} {'row' if self.row_count == 1 else 'rows'}"
        return f"step {self.step.name}: {self.step.purpose or self.step.kind} ({self.step.kind}, {rows})"

    def to_dict(self) -> dict[str, Any]:
        """As the final object shows it."""
        return {
            **self.step.to_dict(),
            "sql": self.sql,
            "job_id": self.job_id,
            "columns": self.columns,
            "row_count": self.row_count,
            "told": list(self.told),
        }

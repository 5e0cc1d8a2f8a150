"""What a dbt command tells: an event for each node that starts or ends, and the result at the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class NodeEvent:
    """A node that started (`running`) or ended, with dbt's own status.

    `index` of `total` in this command, 0 where dbt never began it; `rows` that a model, seed or snapshot wrote, None
    where nothing counts them; of a test `failures` and the query of the rows that fail.
    """

    node: str
    path: str
    status: str
    index: int = 0
    total: int = 0
    elapsed_s: float = 0.0
    rows: int | None = None
    failures: int | None = None
    failing_rows: str = ""
    message: str = ""

    @property
    def may_have_written(self) -> bool:
        """Tests only read, and what only starts has done nothing yet."""
        return self.status != "running" and not self.node.startswith(("test.", "unit_test."))

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class DbtResult:
    """How a command ended; `nodes` as NodeEvent has them, `output` what the command printed for people."""

    command: str
    success: bool
    exit_code: int
    nodes: list[dict[str, Any]] = field(default_factory=list)
    output: list[str] = field(default_factory=list)
    message: str = ""
    hint: str = ""
    #   the next step, where a node ended with an error or nothing was selected
    unmatched: list[str] = field(default_factory=list)
    #   parts of the selection that no node fits

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "counts": dict(Counter(node["status"] for node in self.nodes))}

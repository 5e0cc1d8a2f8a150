"""What is pinned becomes a tile: the answer of a run, or the result of a query."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.agent.boards.board import Display, Tile, usable_title
from pluto_duck_backend.agent.memory.schema_read import reads_of
from pluto_duck_backend.agent.runs import RunManager
from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.services.execution.executor import QueryResult, QueryService
from pluto_duck_backend.app.services.execution.job import now
from pluto_duck_text2sql.data.catalog import Catalog

_LONGEST = 120


@dataclass(frozen=True)
class Pin:
    """A run or, where no run led to it, a query; `title` and `display` None: from the answer."""

    run_id: str | None = None
    job_id: str | None = None
    title: str | None = None
    display: Display | None = None


class Pinning:
    """Makes tiles. Only what succeeded, and what `who` may see, becomes one."""

    def __init__(self, queries: QueryService, runs: RunManager, catalog_for: Callable[[Principal], Catalog]) -> None:
        self._queries = queries
        self._runs = runs
        self._catalog_for = catalog_for

    def tile(self, pin: Pin, who: Principal) -> tuple[Tile, QueryResult]:
        """The tile and its query's job. Raises NotFound, InvalidInput for what has no answer."""
        told = self._told(pin.run_id, who) if pin.run_id else {}
        job = self._queries.get(told.pop("job_id", pin.job_id or ""), who)
        if job.status != "succeeded":
            raise _nothing_to_pin(job.job_id, job.status)
        title = told.get("question") or f"Query of {', '.join(job.tables) or 'no table'}"
        tile = Tile(
            id=f"tile-{secrets.token_hex(4)}",
            title=usable_title(pin.title) if pin.title is not None else _title(title),
            display=pin.display or "auto",
            pinned_at=now(),
            sql=job.sql,
            reads={table: list(columns) for table, columns in reads_of(job.sql, self._catalog_for(who))},
            **told,
        )
        return tile, job

    def _told(self, run_id: str, who: Principal) -> dict[str, Any]:
        """What only a run knows of its answer."""
        run = self._runs.get(run_id, who)
        if run["status"] != "succeeded":
            raise _nothing_to_pin(run_id, run["status"].replace("_", " "))
        final = run["final"]
        return {
            "question": " ".join(run["question"].split()),
            "run_id": run_id,
            **{name: final[name] for name in ("reading", "caveats", "job_id")},
        }


def _title(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"


def _nothing_to_pin(name: str, status: str) -> InvalidInput:
    return InvalidInput(
        f"{name} has no answer to pin: it is {status}.",
        code="nothing_to_pin",
        hint="`pluto-duck runs list` shows the runs that succeeded.",
    )

"""The training questions, and their databases as the product itself loads and describes them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from pluto_duck_backend.agent.evaluation_match import matches
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_backend.app.services.execution.results import json_value
from pluto_duck_text2sql.data.catalog import Catalog

Rows = list[tuple[Any, ...]]
FAILURES = (duckdb.Error, PlutoDuckError)
"""What a query that does not run raises, through the product or straight from the engine."""
_MOST_ROWS = 5_000


@dataclass(frozen=True)
class Database:
    """An open database: its catalog as the analyst sees it, and a way to run SQL on it."""

    name: str
    catalog: Catalog
    run: Callable[[str], Rows]


def questions(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The questions of `folder`/questions.jsonl by database."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        found[question["db"]].append(question)
    return dict(found)


def gold(some: Sequence[dict[str, Any]]) -> dict[str, str]:
    """The expected SQL of questions, by their ids."""
    return {each["id"]: each["sql"] for each in some}


@contextmanager
def opened(name: str, folder: Path, roots: Path) -> Iterator[Database]:
    """A database, loaded into a root of its own the first time."""
    settings = load_settings(roots / name)
    loaded = settings.paths.warehouse.exists()
    workspace = Workspace.open(settings)
    try:
        if not loaded:
            for request in workspace.ingestion.plan([str(folder / "databases" / f"{name}.sqlite")]):
                for _ in workspace.ingestion.load(request, cancelled=lambda: False):
                    pass
        catalog = workspace.catalog.catalog()
        yield Database(name, catalog, lambda sql: _rows(workspace, sql))
    finally:
        workspace.close()


def _rows(workspace: Workspace, sql: str) -> Rows:
    """In a transaction of its own: one that fails takes no other with it."""
    with workspace.warehouse.read() as session:
        return session.execute(sql).fetchmany(_MOST_ROWS)


def is_right(question: dict[str, Any], rows: Rows) -> bool:
    """Whether `rows` are those expected, as the contract compares them."""
    shown = [[json_value(cell) for cell in row] for row in rows]
    if question["row_count"] != len(shown):
        return False
    if len(question["rows"]) != question["row_count"]:
        shown = shown[: len(question["rows"])]
    return matches(question["rows"], shown, ordered=bool(question["ordered"]) and not question["limited"])

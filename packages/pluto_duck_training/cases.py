"""The questions that tests of the analyst ask, over small databases of their own, as training takes them.

They are about what only rules know of, so that the ranker learns when to go by these.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from pluto_duck_training.candidates import Judge, Judged
from pluto_duck_training.sources import Rows

_ABOVE = Path(__file__).parents[2]
_FOLDER = _ABOVE / "tests" / "text2sql"


def judged() -> dict[str, list[Judged]]:
    """What the analyst ranks for each question that leans on none before, kept as a fold's answers are."""
    found: dict[str, list[Judged]] = {"judged": [], "invented": [], "lacking": []}
    for path in sorted(_FOLDER.glob("*/questions.jsonl")):
        for kind, each in _of(path):
            found[kind].append(each)
    return found


def _of(path: Path) -> Iterator[tuple[str, Judged]]:
    """One folder's, each with whether it has an answer."""
    sys.path.insert(0, str(_ABOVE))
    made = import_module("tests.text2sql.databases")
    databases = made.opened(path.parent)
    for number, case in enumerate(made.cases_of(path)):
        name = case.get("db")
        if case.get("history") or name not in databases or not ("sql" in case or case.get("status") == "cannot_answer"):
            continue
        connection, analyst = databases[name]
        question = {"id": f"{path.parent.name}-{number}", "db": f"{path.parent.name}/{name}", **case}
        judge = Judge(analyst.catalog, _runner(connection), _is_right(made, connection, case))
        yield "invented" if "sql" in case else "lacking", judge.of(question, analyst)
    made.closed(databases)


def _runner(connection: Any) -> Callable[[str], Rows]:
    return lambda sql: connection.execute(sql).fetchall()


def _is_right(made: Any, connection: Any, case: dict[str, Any]) -> Callable[[dict[str, Any], Rows], bool]:
    """Whether rows are those of the wanted SQL; nothing is right where none is wanted."""
    wanted = made.rows_of(connection, case["sql"]) if "sql" in case else None

    def is_right(question: dict[str, Any], rows: Rows) -> bool:
        given = [tuple(map(made.plain, row)) for row in rows]
        if wanted is None or case.get("ordered"):
            return given == wanted
        return sorted(given, key=str) == sorted(wanted, key=str)

    return is_right

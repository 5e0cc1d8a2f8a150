"""Rewrites the rows of the demo suite from its own SQL: `python -m tests.demo.record`.

For the day the generator changes on purpose. The tests compare the SQL with the generator's truth, so wrong
SQL cannot be recorded unnoticed.
"""

import json
import tempfile
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

from pluto_duck_backend.app.services.demo import generate
from tests.demo.conftest import load_raw, run_dbt

SUITE = Path(__file__).parents[1] / "fixtures" / "demo" / "questions.jsonl"


def questions() -> list[dict[str, Any]]:
    """The suite as it stands in the file."""
    return [json.loads(line) for line in SUITE.read_text(encoding="utf-8").splitlines()]


def answer(connection: duckdb.DuckDBPyConnection, question: dict[str, Any]) -> dict[str, Any]:
    """The question with columns, rows and row count as its SQL gives them, values as in JSON."""
    result = connection.execute(question["sql"])
    columns = [column[0] for column in result.description]
    rows = [[_plain(value) for value in row] for row in result.fetchall()]
    known = {"columns": columns, "rows": rows, "row_count": len(rows)}
    return {key: known.get(key, question.get(key)) for key in _KEYS}


def main() -> None:
    """Builds the demo in a temporary folder and writes the file anew."""
    with tempfile.TemporaryDirectory() as name:
        folder, warehouse = Path(name) / "files", Path(name) / "warehouse.duckdb"
        generate(folder)
        load_raw(folder, warehouse)
        run_dbt("build", warehouse, Path(name) / "target")
        with duckdb.connect(str(warehouse)) as connection:
            lines = [json.dumps(answer(connection, question)) for question in questions()]
    SUITE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    return value.isoformat() if isinstance(value, date) else value


_KEYS = ("id", "question", "sql", "columns", "rows", "row_count", "ordered")

if __name__ == "__main__":
    main()

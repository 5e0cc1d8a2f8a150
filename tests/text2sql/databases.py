"""Questions in data files, asked of small databases of their own, and the rows that a wanted and a written SQL give."""

import json
import math

from tests.text2sql.catalogs import catalog_of, in_memory

from pluto_duck_text2sql import Analyst


def cases_of(path):
    """The cases of a JSON lines file: `question`, the `history` before it, `db`, the wanted `sql`."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def opened(*folders, **options):
    """Every `<name>.sql` of the folders as a database in memory: name to (connection, analyst)."""
    made = {}
    for path in sorted(path for folder in folders for path in folder.glob("*.sql")):
        connection = in_memory()
        connection.execute(path.read_text(encoding="utf-8"))
        made[path.stem] = (connection, Analyst(catalog_of(connection), **options))
    return made


def closed(databases):
    """Close them."""
    for connection, _ in databases.values():
        connection.close()


def answered(databases, case):
    """The wanted rows and the rows of the first candidate, numbers alike to six digits behind the point; its SQL."""
    connection, analyst = databases[case["db"]]
    asked = {"history": case.get("history", ()), "run": lambda sql: connection.execute(sql).fetchall()}
    found = analyst.ask(case["question"], **asked)
    assert found.status == "answered", found.message or found.clarification
    sql = found.candidates[0].sql
    return rows_of(connection, case["sql"]), rows_of(connection, sql), sql


def rows_of(connection, sql):
    """What a query finds, numbers alike to six digits behind the point."""
    return [tuple(map(plain, row)) for row in connection.execute(sql).fetchall()]


def plain(value):
    """A cell, numbers alike to six digits behind the point."""
    return round(float(value), 6) + 0.0 if isinstance(value, int | float) and not math.isnan(value) else value

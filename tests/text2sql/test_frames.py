"""Cohorts, funnels and other framed questions in many wordings (frames/questions.jsonl), on three small databases."""

import datetime as dt
import json
import math
from pathlib import Path

import duckdb
import pytest
from tests.text2sql.catalogs import catalog_of

from pluto_duck_text2sql import Analyst

_HERE = Path(__file__).parent
_CASES = [json.loads(line) for line in (_HERE / "frames/questions.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def asked():
    """Each database with its analyst."""
    made = {}
    for path in sorted([*(_HERE / "times").glob("*.sql"), *(_HERE / "frames").glob("*.sql")]):
        connection = duckdb.connect()
        connection.execute(path.read_text(encoding="utf-8"))
        made[path.stem] = (connection, Analyst(catalog_of(connection), today=dt.date(2026, 3, 10)))
    yield made
    for connection, _ in made.values():
        connection.close()


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["question"])
def test_the_rows_are_those_asked_for(case, asked):
    connection, analyst = asked[case["db"]]
    found = analyst.ask(case["question"], run=lambda sql: connection.execute(sql).fetchall())
    assert found.status == "answered", found.message or found.clarification
    wanted, given = (_rows(connection, sql) for sql in (case["sql"], found.candidates[0].sql))
    assert sorted(given, key=str) == sorted(wanted, key=str), found.candidates[0].sql


def _rows(connection, sql):
    return [tuple(map(_plain, row)) for row in connection.execute(sql).fetchall()]


def _plain(value):
    return round(float(value), 6) + 0.0 if isinstance(value, int | float) and not math.isnan(value) else value

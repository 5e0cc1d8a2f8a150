"""What the prompts tell a model of DuckDB is true, and the parts of the contract that they must not lose are there."""

import datetime as dt

import duckdb
import pytest

from pluto_duck_backend.agent.providers.decisions import TOOLS
from pluto_duck_backend.agent.providers.prompting import Prompts

FACTS = [
    ("`/` gives a fraction also of integers", "1 / 2", 0.5),
    ("`//` the whole part", "7 // 2", 3),
    ("date - date gives days", "DATE '2024-02-01' - DATE '2024-01-31'", 1),
    (
        "date_diff('month', a, b) counts the borders between",
        "date_diff('month', DATE '2024-01-31', DATE '2024-02-01')",
        1,
    ),
    ("date_sub('month', a, b) whole months", "date_sub('month', DATE '2024-01-31', DATE '2024-02-01')", 0),
    ("dayofweek(d) is 0 on Sunday", "dayofweek(DATE '2024-01-07')", 0),
    ("isodow(d) 7", "isodow(DATE '2024-01-07')", 7),
    ("dayname(d) its name", "dayname(DATE '2024-01-07')", "Sunday"),
    ("epoch(ts - ts) seconds", "epoch(TIMESTAMP '2024-01-02 01:00:00' - TIMESTAMP '2024-01-01')", 90_000.0),
    ("NULL comes last in either order", "list_last(list(x ORDER BY x DESC)) FROM (VALUES (NULL), (1), (2)) t(x)", None),
    ("CAST(x AS DECIMAL) keeps three digits", "CAST(1.23456 AS DECIMAL) = 1.235", True),
    ("`~` matches whole texts", "'abc' ~ 'b'", False),
    ("regexp_matches(x, p) parts", "regexp_matches('abc', 'b')", True),
    ("ts + INTERVAL 1 MONTH", "TIMESTAMP '2024-01-31' + INTERVAL 1 MONTH", dt.datetime(2024, 2, 29)),
    ("strptime(text, '%d.%m.%Y')", "strptime('31.01.2024', '%d.%m.%Y')", dt.datetime(2024, 1, 31)),
    ("strftime(ts, '%Y-%m')", "strftime(TIMESTAMP '2024-01-31', '%Y-%m')", "2024-01"),
    ("arg_max(name, amount)", "arg_max(a, b) FROM (VALUES ('x', 1), ('y', 2)) t(a, b)", "y"),
    ("weeks begin on Monday", "dayname(date_trunc('week', DATE '2024-01-07'))", "Monday"),
    ("s.field reads a STRUCT", "s.field FROM (SELECT {'field': 2} AS s)", 2),
    ("unnest(list) makes a row of each member", "count(*) FROM (SELECT unnest([7, 8]))", 2),
    ("(j->>'$.a') reads JSON", """(j->>'$.a') = 'x' FROM (SELECT '{"a": "x"}'::JSON AS j)""", True),
    ("`=` tells 'a' from 'A'", "'a' = 'A'", False),
    ("avg ignores NULL", "avg(x) FROM (VALUES (NULL), (1), (3)) t(x)", 2.0),
]


@pytest.fixture
def told(tmp_path):
    return lambda name: " ".join(Prompts(tmp_path).text(name).split())


@pytest.mark.parametrize(("words", "sql", "value"), FACTS, ids=[words for words, _, _ in FACTS])
def test_what_is_said_of_duckdb_is_so(told, words, sql, value):
    assert words in told("write_sql")
    with duckdb.connect() as connection:
        assert connection.execute(f"SELECT {sql}").fetchone() == (value,)


def test_functions_that_are_said_to_be_missing_are(told):
    absent = told("write_sql").rpartition("There are no backticks, no TOP, no ")[2].partition(". ")[0]
    named = [each.partition("(")[0] for each in absent.replace("(a, b)", "").split(", ")]
    with duckdb.connect() as connection:
        known = {
            row[0] for row in connection.execute("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()
        }
    assert named[:2] == ["ISNULL", "NVL"]
    assert not {each.lower() for each in named} & known


def test_both_lanes_offer_the_same_three_ways(told):
    for tool in TOOLS:
        function = tool["function"]
        assert function["name"] in told("lane_tools")
        for field in function["parameters"]["required"]:
            assert f'"{field}"' in told("lane_json")

"""Which names are written in quotes is what DuckDB itself says."""

import duckdb
import pytest

from pluto_duck_text2sql.trees.reserved import needs_quotes


@pytest.fixture(scope="module")
def keywords():
    with duckdb.connect() as connection:
        return [row[0] for row in connection.execute("SELECT DISTINCT keyword_name FROM duckdb_keywords()").fetchall()]


def test_exactly_those_words_are_quoted_that_cannot_stand_for_a_column_or_a_table(keywords):
    with duckdb.connect() as connection:
        refused = {each for each in keywords if not _stands_alone(each, connection)}
    assert {each for each in keywords if needs_quotes(each)} == refused
    assert len(refused) > 50


@pytest.mark.parametrize(
    ("name", "quoted"), [("order", True), ("Order", True), ("order_id", False), ("unit price", True), ("1st", True)]
)
def test_names(name, quoted):
    assert needs_quotes(name) is quoted


def _stands_alone(word, connection):
    connection.execute(f'CREATE OR REPLACE TABLE things ("{word}" INTEGER)')
    connection.execute(f'CREATE TABLE "{word}" (a INTEGER)')
    try:
        connection.execute(f"SELECT {word} FROM things WHERE {word} = 1 GROUP BY {word}")
        connection.execute(f"SELECT {word}.a FROM {word}")
    except duckdb.Error:
        return False
    finally:
        connection.execute(f'DROP TABLE "{word}"')
    return True

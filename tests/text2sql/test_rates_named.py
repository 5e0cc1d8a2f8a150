"""`price per player` where a column is called so asks for no group; `which guests` lists no missing one."""

import pytest
from tests.text2sql.catalogs import asking

from pluto_duck_text2sql import Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.rewording.best_marks import marks_of

TABLES = """
CREATE TABLE rooms (room_id INTEGER PRIMARY KEY, title VARCHAR, max_players INTEGER, price_per_player DECIMAL(6, 2));
INSERT INTO rooms SELECT n, 'Room ' || n, 2 + n % 3, 10 + n * 7 % 23 FROM range(1, 13) t(n);
CREATE TABLE talks (talk_id INTEGER PRIMARY KEY, guest_name VARCHAR, held_on DATE);
INSERT INTO talks SELECT n, CASE WHEN n % 3 > 0 THEN 'Guest ' || n % 7 END, DATE '2025-01-01' + n::INTEGER
FROM range(60) t(n);
"""


@pytest.fixture(scope="module")
def ask():
    with asking(TABLES) as asked:
        yield asked


@pytest.mark.parametrize(
    "question", ["Which room has the highest price per player?", "room with the highest price per player"]
)
def test_a_rate_that_is_a_column_makes_no_groups(question, ask):
    found, rows = ask(question)
    assert "max_players" not in found.candidates[0].sql
    assert len(rows) == 1


def test_the_guests_of_at_least_six_talks_are_guests(ask):
    found, rows = ask("Which guests gave at least six talks? Show the guest name and the number of talks.")
    assert rows
    assert all(name is not None for name, _ in rows)
    assert "rows without guest_name are left out" in found.candidates[0].reading


def test_scores_are_not_those_whose_table_is_only_short_for_a_word_with_them():
    keys = (ForeignKey(("visit_id",), "main", "visits", ("visit_id",)),)
    named = (("nps_responses", "nps_score"), ("tickets", "csat_score"))
    tables = [Table(table, "main", (Column(column, "INTEGER"),), foreign_keys=keys) for table, column in named]
    assert marks_of("scores", Catalog(tuple(tables))) is None
    assert marks_of("scores", Catalog(tuple(tables[:1]))) is not None

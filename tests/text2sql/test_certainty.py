"""What an answer's confidence rests on, and that more speaks for it where it should."""

from dataclasses import replace

import duckdb
import pytest
from tests.text2sql.catalogs import catalog_of

from pluto_duck_text2sql import Analyst
from pluto_duck_text2sql.certainty import Grounds, certainty

PLAIN = Grounds(ranked=1.0, unsaid=0.0, is_empty=0.0, unlike=0.0, left=0.0, is_unread=0.0)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (replace(PLAIN, ranked=3.0), PLAIN),
        (PLAIN, replace(PLAIN, unsaid=2.0)),
        (PLAIN, replace(PLAIN, is_empty=1.0)),
        (PLAIN, replace(PLAIN, unlike=1.5)),
        (PLAIN, replace(PLAIN, left=1.1)),
    ],
)
def test_what_speaks_for_an_answer_makes_it_surer(better, worse):
    assert 0 < certainty(worse) < certainty(better) < 1


@pytest.mark.parametrize(
    "question", ["What is the average age of singers?", "median, average and 90th percentile of age"]
)
def test_an_answer_tells_what_its_confidence_rests_on(question):
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE singer AS SELECT * FROM (VALUES ('Ann', 30), ('Ben', 41)) AS t (name, age)")
        analyst = Analyst(catalog_of(connection))
        best = analyst.ask(question, run=lambda sql: connection.execute(sql).fetchall()).candidates[0]
    assert best.grounds.unsaid == best.grounds.is_unread == 0
    assert best.confidence == round(certainty(best.grounds), 3)

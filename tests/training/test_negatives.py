"""Questions robbed of what they need: the catalog lacks it, and the line says what is right then."""

import pytest

from pluto_duck_text2sql import Catalog, Column, ForeignKey, Table, ValueIndex
from pluto_duck_text2sql.learned.sketch import Val
from pluto_duck_text2sql.tree import Col, Rows
from pluto_duck_training.negatives import lesser

SINGER, SONG = ("main", "singer"), ("main", "song")


@pytest.fixture
def catalog():
    singer = Table(
        "singer",
        "main",
        (Column("singer_id", "INTEGER"), Column("age", "INTEGER"), Column("country", "VARCHAR")),
        ("singer_id",),
    )
    song = Table(
        "song",
        "main",
        (Column("song_id", "INTEGER"), Column("singer_id", "INTEGER"), Column("title", "VARCHAR")),
        ("song_id",),
        (ForeignKey(("singer_id",), "main", "singer", ("singer_id",)),),
    )
    return Catalog((singer, song), ValueIndex.build([("main", "singer", "country", "France")]))


def ways(line, catalog):
    """What is taken away, over many ids."""
    return [each for each in (lesser(str(n), line, catalog) for n in range(12)) if each]


def test_a_column_that_nothing_else_stands_for_is_taken(catalog):
    for each in ways([Col(SINGER, "age"), "where", Col(SINGER, "age"), ">", Val(30.0)], catalog):
        assert each.line == ["nothing"]
        assert each.catalog.table("main", "singer").column("age") is None


def test_a_table_that_no_other_points_to_is_taken(catalog):
    taken = ways(["count", Rows(SONG)], catalog)
    assert taken
    assert all(each.line == ["nothing"] and len(each.catalog.tables) == 1 for each in taken)


def test_a_table_that_others_need_stays(catalog):
    assert ways(["count", Rows(SINGER)], catalog) == []


def test_without_a_value_the_same_line_looks_for_its_text(catalog):
    line = ["count", Rows(SINGER), "where", Col(SINGER, "country"), "=", Val("France")]
    kept = [each for each in ways(line, catalog) if each.line == line]
    assert kept
    assert all(each.catalog.values.lookup("France") == [] for each in kept)
    assert catalog.values.lookup("France")


def test_the_same_question_loses_the_same_thing(catalog):
    line = ["count", Rows(SONG), "where", Col(SINGER, "age"), ">", Val(30.0)]
    assert lesser("a", line, catalog).line == lesser("a", line, catalog).line

"""Linking: names and values spelt wrong, and the right table's among very many of one name."""

import pytest

from pluto_duck_text2sql import Analyst, Catalog, Column, Table, ValueIndex
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.links import find_mentions
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.words import tokenise

COLUMNS = (Column("id", "INTEGER"), Column("unit_cost", "INTEGER"), Column("region", "VARCHAR"))


def _catalog(tables, values=()):
    return Catalog(tuple(tables), ValueIndex.build(values))


def _mentions(question, catalog):
    tokens = tokenise(question)
    return find_mentions(tokens, [False] * len(tokens), NameIndex(catalog), catalog)


MANY = [Table(f"{theme}_shipments", "main", COLUMNS, ("id",)) for theme in (f"theme{n}x" for n in range(200))]
NORTHS = [("main", table.name, "region", "Northland") for table in MANY]


@pytest.mark.parametrize("question", ["unit cost of theme150x shipments", "theme150x shipments by unit csot"])
def test_of_many_columns_of_a_name_that_of_the_table_named_is_kept(question):
    found = [each for each in _mentions(question, _catalog(MANY)) if "unit" in each.text or "csot" in each.text]
    assert all("theme150x_shipments" in [target.table.name for target in each.targets] for each in found)
    assert found
    assert all(len(each.targets) <= 40 for each in found)


@pytest.mark.parametrize("word", ["Northland", "Nortland"])
def test_of_many_columns_with_a_value_that_of_the_table_named_is_kept(word):
    catalog = _catalog(MANY, NORTHS)
    (found,) = [each for each in _mentions(f"theme150x shipments in {word}", catalog) if each.hits]
    assert found.hits[0].table == "theme150x_shipments"
    assert len(found.hits) <= 12


PEOPLE = [("main", "people", "name", "Johanna Schmidt"), ("main", "people", "city", "Soure")]


def test_a_value_of_several_words_is_found_misspelt():
    (found,) = [each for each in _mentions("orders of Johana Schmitd", _catalog([], PEOPLE)) if each.hits]
    assert (found.text, found.hits[0].value) == ("Johana Schmitd", "Johanna Schmidt")


def test_a_common_word_is_no_misspelling_of_a_value():
    assert not [each for each in _mentions("orders by source", _catalog([], PEOPLE)) if each.hits]


def test_a_name_is_found_with_a_letter_wrong_or_not_at_all():
    names = NameIndex(_catalog(MANY))
    assert len(names.find_misspelt("shipmnt")) == 200
    assert names.find_misspelt("helicopt") == []
    assert names.nearest("theme77_shipment")[0] == "theme77x_shipments"


def test_a_thousand_tables_of_one_key_s_name_make_no_web():
    parts = [Table(f"orders_{n}", "main", (Column("order_id", "INTEGER"),), ("order_id",)) for n in range(1000)]
    graph = JoinGraph(_catalog(parts))
    assert graph.path(parts[0].key, parts[1].key) is None


def test_ways_are_the_same_asked_again():
    tables = [
        Table(f"t{n}", "main", (Column(f"t{n}_id", "INTEGER"), Column(f"t{n - 1}_id", "INTEGER")), (f"t{n}_id",))
        for n in range(100)
    ]
    graph = JoinGraph(_catalog(tables))
    first = graph.path(("main", "t0"), ("main", "t99"))
    assert first == graph.path(("main", "t0"), ("main", "t99"))
    assert [step.target[1] for step in first or ()] == [f"t{n}" for n in range(1, 100)]
    assert graph.distance(("main", "t99"), ("main", "t90")) == pytest.approx(9 * 1.3)
    steps = graph.tree(("main", "t5"), [("main", "t7"), ("main", "t3")])
    assert {step.target[1] for step in steps or ()} == {"t3", "t4", "t6", "t7"}


def test_an_analyst_over_many_tables_answers():
    answer = Analyst(_catalog(MANY, NORTHS)).ask("How many theme150x shipments in Nortland?")
    assert answer.status == "answered"
    assert "theme150x_shipments" in answer.candidates[0].sql
    assert "'Northland'" in answer.candidates[0].sql


def test_what_most_tables_begin_with_says_nothing_of_their_rows():
    tables = [Table(f"whs_{each}", "main", COLUMNS, ("id",)) for each in ("dock", "pallet", "gate")]
    (found,) = _mentions("pallets", _catalog(tables))
    assert [(each.table.name, each.score) for each in found.targets] == [("whs_pallet", 0.95)]


def test_a_log_has_a_row_for_each_of_what_it_keeps():
    (found,) = _mentions("calls", _catalog([Table("call_log", "main", COLUMNS, ("id",))]))
    assert found.targets[0].table.name == "call_log"
    assert found.targets[0].score == 0.9


@pytest.mark.parametrize(
    ("name", "word"), [("life_boat", "lifeboats"), ("lifeboat", "lifeboat"), ("home_town", "hometown")]
)
def test_a_name_of_several_words_is_found_written_as_one(name, word):
    passenger = Table(
        "passenger", "main", (Column("passenger_id", "INTEGER"), Column(name, "VARCHAR")), ("passenger_id",)
    )
    (found,) = _mentions(word, _catalog([passenger]))
    assert [(each.column.name, each.score) for each in found.targets] == [(name, 0.95)]

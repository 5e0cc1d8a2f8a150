"""Questions about data as systems export it: short names, units and flags in names, no declared keys (exports/)."""

from pathlib import Path

import pytest
from tests.text2sql.databases import answered, cases_of, closed, opened

from pluto_duck_text2sql.data.catalog import Column
from pluto_duck_text2sql.data.yes_no import is_yes_or_no, says_no, yes_of
from pluto_duck_text2sql.language.abbreviations import other_meanings, spelt_out
from pluto_duck_text2sql.language.words import name_stems, stem, table_stems

_HERE = Path(__file__).parent
_CASES = cases_of(_HERE / "exports/questions.jsonl")


@pytest.fixture(scope="module")
def databases():
    made = opened(_HERE / "exports")
    yield made
    closed(made)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["question"])
def test_the_rows_are_those_asked_for(case, databases):
    wanted, given, sql = answered(databases, case)
    assert sorted(given, key=str) == sorted(wanted, key=str), sql


@pytest.mark.parametrize(
    ("db", "question", "assumed"),
    [
        ("kasse", "total spending by year", "In tbl_umsaetze.betrag amounts below zero are money spent"),
        ("pool", "How many active contracts are there?", "Active is what has begun and not ended by its dates."),
        ("desk", "How many contracts are there right now?", "What is so now has begun and not ended by its dates."),
    ],
)
def test_what_is_taken_for_spent_or_active_is_told(databases, db, question, assumed):
    connection, analyst = databases[db]
    found = analyst.ask(question, run=lambda sql: connection.execute(sql).fetchall())
    assert any(each.startswith(assumed) for each in found.candidates[0].assumptions)


def test_a_flag_of_its_own_says_which_rows_are_active(databases):
    connection, analyst = databases["pool"]
    found = analyst.ask("How many members are active?", run=lambda sql: connection.execute(sql).fetchall())
    assert "is_act" in found.candidates[0].sql
    assert "endDt" not in found.candidates[0].sql


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cust_id", "customer id"),
        ("AcctNm", "account name"),
        ("txns", "transaction"),
        ("fname", "first name"),
        ("bus", "bus"),
        ("order_date", "order date"),
        ("KundenNr", "customer number"),
        ("tbl_aufträge", "tbl order"),
        ("catégorie", "category"),
        ("fecha_pago", "date payment"),
    ],
)
def test_a_name_is_read_by_what_its_words_are_short_for(name, words):
    assert name_stems(name) == tuple(map(stem, words.split()))


@pytest.mark.parametrize(
    ("name", "rows"),
    [("tbl_cust", "customers"), ("fct_Orders", "orders"), ("tkt_export", "tickets"), ("visits_dataset", "visits")],
)
def test_what_only_tells_the_kind_of_a_table_is_no_part_of_its_name(name, rows):
    assert table_stems(name) == (stem(rows),)


@pytest.mark.parametrize("name", ["raw", "export"])
def test_a_table_is_called_something(name):
    assert table_stems(name) == name_stems(name)


def test_a_word_may_be_short_for_more_than_one_thing():
    assert spelt_out("disc") == "discount"
    assert other_meanings("dev") == ("development", "dev")
    assert other_meanings("qte") == ("quantity", "qte")
    assert other_meanings("orders") == ()


@pytest.mark.parametrize(
    ("stored", "yes"),
    [
        (("Y", "N"), "Y"),
        (("No", "Yes", "Not sure"), "Yes"),
        (("ja", "nein"), "ja"),
        (("S", "N"), "S"),
        (("S",), None),
        (("N", "E", "S", "W"), None),
        (("F", "M"), None),
        (("Yes", "No", "a", "b", "c"), None),
    ],
)
def test_a_column_of_texts_says_yes_or_no(stored, yes):
    column = Column("x", "VARCHAR", n_distinct=len(stored), samples=stored)
    assert yes_of(column) == yes
    assert is_yes_or_no(column) is (yes is not None)


@pytest.mark.parametrize(("value", "is_no"), [(0, True), (0.0, True), (False, True), ("nein", True), ("Y", False)])
def test_a_value_says_no(value, is_no):
    assert says_no(value) is is_no

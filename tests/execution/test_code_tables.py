"""Code tables: what the codes of other tables mean, told by one table that no key points at."""

import pytest

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.execution.catalog import CatalogService
from pluto_duck_text2sql import Analyst

SCHEMA = """
CREATE TABLE cd_tab (tab_id VARCHAR, cd VARCHAR, dsc VARCHAR);
INSERT INTO cd_tab VALUES
  ('THR', 'CV', 'Cardiovascular'), ('THR', 'DM', 'Diabetes'), ('THR', 'RS', 'Respiratory'),
  ('RGN', '01', 'Lake Erie'), ('RGN', '02', 'Laurel Highlands'), ('RGN', '03', NULL),
  ('STS', 'N', 'New'), ('STS', 'P', 'Picked up'), ('STS', 'W', 'Awaiting carrier'),
  ('INS', 'MED', 'Medicare'), ('INS', 'UNH', 'Unity Health'),
  ('ONE', 'X', 'Xenon'), ('TWO', 'X', 'Xylophone'), ('ONE', 'Y2', 'Yttrium'), ('TWO', 'Y2', 'Yoke');
CREATE TABLE item (item_id INTEGER PRIMARY KEY, name VARCHAR, thr_cls VARCHAR, kind VARCHAR);
CREATE TABLE store (store_id INTEGER PRIMARY KEY, name VARCHAR, rgn_cd VARCHAR);
CREATE TABLE sheet (sheet_id INTEGER PRIMARY KEY, store_id INTEGER REFERENCES store (store_id),
  item_id INTEGER REFERENCES item (item_id), sts VARCHAR, ins_cd VARCHAR);
CREATE TABLE members (member_id INTEGER PRIMARY KEY, ins_cd VARCHAR);
INSERT INTO item SELECT i, 'Item ' || i, ['CV', 'DM', 'RS'][1 + i % 3], ['X', 'Y2'][1 + i % 2] FROM range(1, 31) t(i);
INSERT INTO store SELECT i, 'Store ' || i, ['01', '02'][1 + i % 2] FROM range(1, 9) t(i);
INSERT INTO sheet SELECT i, 1 + i % 8, 1 + i % 30, ['N', 'P', 'W'][1 + i % 3], ['MED', 'UNH', NULL][1 + i % 3]
  FROM range(1, 91) t(i);
INSERT INTO members SELECT i, ['MED', 'UNH'][1 + i % 2] FROM range(1, 21) t(i);
"""


@pytest.fixture
def warehouse(tmp_path):
    opened = Warehouse.open(load_settings(tmp_path / "root").paths.create().warehouse)
    with opened.write() as session:
        session.execute(SCHEMA)
    yield opened
    opened.close()


@pytest.fixture
def service(warehouse, tmp_path):
    return CatalogService(warehouse, load_settings(tmp_path / "root"))


def _said(service):
    return {item.terms[0]: item.meaning for item in service.catalog().glossary}


def test_texts_of_a_code_table_are_words_for_the_codes_of_others(service):
    said = _said(service)
    assert said["Cardiovascular"] == '"item"."thr_cls" = \'CV\''
    assert said["Laurel Highlands"] == '"store"."rgn_cd" = \'02\''
    assert said["Medicare"] == "\"ins_cd\" = 'MED'", "two tables have a column of this name"


def test_what_says_much_else_or_may_be_of_two_kinds_is_no_word_for_a_code(service):
    assert not {"New", "Picked up", "Xenon", "Xylophone", "Yoke"} & set(_said(service))
    assert "Awaiting carrier" in _said(service)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many cardiovascular items are there?", "SELECT count(*) FROM item WHERE thr_cls = 'CV'"),
        ("which stores are in the Laurel Highlands?", "SELECT name FROM store WHERE rgn_cd = '02'"),
        ("number of sheets with Medicare", "SELECT count(*) FROM sheet WHERE ins_cd = 'MED'"),
        ("how many members have Unity Health?", "SELECT count(*) FROM members WHERE ins_cd = 'UNH'"),
    ],
)
def test_a_question_may_say_what_a_code_means(service, warehouse, question, sql):
    with warehouse.read() as session:

        def run(text):
            return session.execute(text).fetchmany(1_000)

        found = Analyst(service.catalog()).ask(question, run=run)
        assert found.status == "answered", found.message
        assert sorted(run(found.candidates[0].sql)) == sorted(run(sql))


def test_what_a_user_says_of_a_word_counts(service, tmp_path):
    folder = tmp_path / "root" / "configs" / "knowledge"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "words.md").write_text("- Diabetes: item.name = 'Item 7'\n")
    assert [each.meaning for each in service.catalog().glossary if "Diabetes" in each.terms] == ["item.name = 'Item 7'"]


def test_a_table_that_a_key_points_at_is_joined_as_ever(service, warehouse):
    with warehouse.write() as session:
        session.execute("CREATE TABLE countries (code VARCHAR PRIMARY KEY, name VARCHAR)")
        session.execute("INSERT INTO countries VALUES ('DE', 'Germany'), ('FR', 'France')")
        session.execute("CREATE TABLE towns (town VARCHAR, code VARCHAR REFERENCES countries (code))")
        session.execute("INSERT INTO towns VALUES ('Bonn', 'DE'), ('Lyon', 'FR')")
    assert "Germany" not in _said(service)


def _shown(service, warehouse, question, *earlier):
    """The rows of the answer, and its SQL."""
    with warehouse.read() as session:
        found = Analyst(service.catalog()).ask(
            question, history=earlier, run=lambda sql: session.execute(sql).fetchmany(1_000)
        )
        assert found.candidates, found.message
        sql = found.candidates[0].sql
        return session.execute(sql).fetchmany(1_000), sql


def test_an_answer_shows_what_codes_mean(service, warehouse):
    rows, _ = _shown(service, warehouse, "number of items by therapeutic class")
    assert sorted(rows) == [("Cardiovascular", 10), ("Diabetes", 10), ("Respiratory", 10)]


def test_a_code_whose_meaning_is_told_twice_has_one_row(service, warehouse):
    with warehouse.write() as session:
        session.execute("INSERT INTO cd_tab VALUES ('THR', 'RS', 'Respiratory')")
    rows, _ = _shown(service, warehouse, "number of items by therapeutic class")
    assert sorted(rows) == [("Cardiovascular", 10), ("Diabetes", 10), ("Respiratory", 10)]


def test_codes_are_shown_where_they_are_asked_for(service, warehouse):
    rows, _ = _shown(service, warehouse, "number of items by therapeutic class code")
    assert sorted(rows) == [("CV", 10), ("DM", 10), ("RS", 10)]


def test_a_later_question_finds_the_codes_themselves(service, warehouse):
    rows, sql = _shown(service, warehouse, "only Diabetes", "number of items by therapeutic class")
    assert rows == [("Diabetes", 10)]
    assert "'DM'" in sql

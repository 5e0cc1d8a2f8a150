"""Parts of names that are no words are written for words of a question: `arpt` for airports, `drv` for the driver."""

import pytest
from tests.text2sql.catalogs import asking

from pluto_duck_text2sql.language.abbreviations import shortens

TABLES = """
CREATE TABLE arpt (arpt_cd VARCHAR PRIMARY KEY, arpt_nm VARCHAR, ctry_nm VARCHAR);
CREATE TABLE drv (drv_id INTEGER PRIMARY KEY, drv_nm VARCHAR, city VARCHAR);
CREATE TABLE mach (mach_id INTEGER PRIMARY KEY, mach_nm VARCHAR, drv_id INTEGER REFERENCES drv, cap_kg INTEGER);
CREATE TABLE wkshp (wkshp_id INTEGER PRIMARY KEY, wkshp_nm VARCHAR, city VARCHAR);
INSERT INTO wkshp VALUES (1, 'North', 'Bern'), (2, 'South', 'Graz');
INSERT INTO arpt VALUES ('ZRH', 'Zurich', 'Switzerland'), ('VIE', 'Vienna', 'Austria'),
    ('GVA', 'Geneva', 'Switzerland');
INSERT INTO drv VALUES (1, 'Ann', 'Bern'), (2, 'Ben', 'Graz'), (3, 'Cid', 'Bern');
INSERT INTO mach VALUES (1, 'M1', 1, 40), (2, 'M2', 1, 70), (3, 'M3', 3, 20);
"""


@pytest.fixture(scope="module")
def ask():
    with asking(TABLES) as asked:
        yield asked


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many airports are there in Switzerland?", [(2,)]),
        ("How many drivers live in Bern?", [(2,)]),
        ("Which machine has the largest capacity?", [("M2",)]),
    ],
)
def test_the_word_is_read_as_what_it_is_written_for(ask, question, rows):
    assert ask(question)[1] == rows


def test_the_reading_tells_it(ask):
    found, rows = ask("How many workshops are there in Bern?")
    assert '"workshops" is wkshps (written short here)' in found.candidates[0].reading
    assert rows == [(1,)]


@pytest.mark.parametrize(
    ("short", "word"),
    [
        ("arpt", "airport"),
        ("drv", "driver"),
        ("dnr", "donor"),
        ("wkshp", "workshop"),
        ("mach", "machine"),
        ("ln", "line"),
    ],
)
def test_a_part_shortens_a_word(short, word):
    assert shortens(short, word)


@pytest.mark.parametrize(
    ("short", "word"),
    [("drv", "river"), ("arpt", "carport"), ("mach", "mechanic"), ("ma", "machine"), ("qty", "quality")],
)
def test_a_part_shortens_no_other_word(short, word):
    assert not shortens(short, word)

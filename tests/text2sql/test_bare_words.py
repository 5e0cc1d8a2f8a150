"""What bare words leave open is asked back, an average number of what; of bare sales it is told that they are money."""

import pytest
from tests.text2sql.catalogs import asking, names

TABLES = """
CREATE TABLE grower (grower_id INTEGER PRIMARY KEY, name VARCHAR);
CREATE TABLE plot (plot_id INTEGER PRIMARY KEY, label VARCHAR);
CREATE TABLE crate (crate_id INTEGER PRIMARY KEY, grower_id INTEGER REFERENCES grower, plot_id INTEGER REFERENCES plot,
    weight INTEGER, crate_kind VARCHAR);
CREATE TABLE label_tag (tag_id INTEGER PRIMARY KEY, name VARCHAR);
CREATE TABLE crate_tag (crate_id INTEGER REFERENCES crate, tag_id INTEGER REFERENCES label_tag,
    PRIMARY KEY (crate_id, tag_id));
CREATE TABLE deal (deal_id INTEGER PRIMARY KEY, grower_id INTEGER REFERENCES grower, dealt_on DATE, revenue INTEGER,
    town VARCHAR, deal_kind VARCHAR);
INSERT INTO grower VALUES (1, 'Ann'), (2, 'Ben'), (3, 'Cid');
INSERT INTO plot VALUES (1, 'A'), (2, 'B'), (3, 'C'), (4, 'D');
INSERT INTO crate VALUES (1, 1, 1, 5, 'box'), (2, 1, 2, 6, 'box'), (3, 2, 2, 7, 'sack'), (4, 1, 3, 8, 'box'),
    (5, 2, 4, 4, 'bag'), (6, 3, 4, 3, 'bag');
INSERT INTO label_tag VALUES (1, 'sweet'), (2, 'sour'), (3, 'raw');
INSERT INTO crate_tag VALUES (1, 1), (1, 2), (2, 1), (3, 1), (4, 3);
INSERT INTO deal VALUES (1, 1, '2024-01-05', 30, 'Oulu', 'cash'), (2, 1, '2024-02-05', 50, 'Oulu', 'card'),
    (3, 2, '2024-02-09', 7, 'Pori', 'cash'), (4, 3, '2024-03-09', 70, 'Lahti', 'card'),
    (5, 3, '2024-03-10', 2, 'Lahti', 'card');
"""
SALES = "'sales' are read as sum of deal.revenue, not as a number of them"


@pytest.fixture(scope="module")
def ask():
    with asking(TABLES) as asked:
        yield asked


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("What is the average number of crates?", ["per grower", "per plot", "per label_tag"]),
        ("How many are there of each kind? Kind and count.", ["crate.crate_kind", "deal.deal_kind"]),
    ],
)
def test_it_is_asked_back(question, options, ask):
    found, _ = ask(question)
    assert found.status == "needs_input"
    assert sorted(names(found)) == sorted(options)


def test_an_option_is_its_reading(ask):
    found, shown = ask("What is the average number of crates?", "per label_tag")
    assert (found.status, shown) == ("answered", [(5 / 3,)])


@pytest.mark.parametrize(
    ("question", "rows"),
    [("What were the sales in 2024?", [(159,)]), ("Sales by town", [("Lahti", 72), ("Oulu", 80), ("Pori", 7)])],
)
def test_bare_sales_are_money_which_is_told(question, rows, ask):
    found, shown = ask(question)
    assert (found.status, sorted(shown)) == ("answered", rows)
    assert SALES in found.candidates[0].assumptions


@pytest.mark.parametrize(
    "question",
    [
        "What is the average number of crates per grower?",
        "Total sales by town",
        "number of sales by town",
        "Which town has the highest sales?",
        "Sales by month and their growth",
        "How many crates are there of each kind? Kind and count.",
    ],
)
def test_what_is_said_is_not_asked(question, ask):
    found, _ = ask(question)
    assert found.status == "answered"
    assert SALES not in found.candidates[0].assumptions


@pytest.mark.parametrize(
    ("question", "count"),
    [("Show only 2 growers", 2), ("list just three plots", 3), ("Only show 2 crates", 2), ("Show all growers", 3)],
)
def test_so_many_rows_are_listed_as_are_asked_for(question, count, ask):
    found, shown = ask(question)
    assert (found.status, len(shown)) == ("answered", count)

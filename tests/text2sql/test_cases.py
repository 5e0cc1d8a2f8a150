"""Questions whose rows are known, or that are not answered, in folders by what they are about.

Each is `<folder>/questions.jsonl`, or a file for each of its databases; a case has the wanted `sql`, or the `status`
that it ends with.
`measures`: arithmetic, comparisons of columns, ranking and shares; `everyday`: several figures side by side, parts of
groups, both of two years, units, names; `commerce`: profit, buyers who come back, what they spend, baskets;
`operations`: what trade calls late, open, in store; `spoken`: everyday words of people, times and what each has;
`otherwise`: values and names said in other words, or misspelt; `upkeep`: what is still so, shares of a part, names of
several words; `trading`: what a trade asks of its
customers, orders and goods along time, in short and misspelt words; `boarding`: codes, bounds, money that rows are
called after, and those who are customers by another name; `practices`: rows that point at rows of their own, several of
what is reached by what was done, parts of a part; `plainly`: what is asked in the words of the columns; `takings`: what
is sold in pieces and what that brought, codes of states, orders from most to least; `returns`: what revenue is not, who
is above each, names without vowels, what a date tells was done, and what nothing here is called; `associations`: ways
by keys of a role, a year after a column's name, rows that nothing owns, whose name is meant; `dues`: amounts before tax
and with it, what is listed beside a count, figures of rows or of what there is of each, those who left and count all
the same, deeds that a date tells of what is counted, running totals that begin again each year; `strangers`: what
people ask who do not know the tool: those that have none counted with them, what settles ties, how long rows last,
several different ones, what took place, what a percentage is of, means in groups, and dialogues as they lead them.
`newcomers`: what new people asked of new databases: labels and letters of states, months alone, names of masters and
headers, which date of several, talk before a question. `business`: figures that every business knows by a name of its
own: active users, new and returning ones, repeat rates, what an order and a client are worth, what the biggest make up.
`numbered`: days and moments that are kept as numbers, keys of calendars and seconds since 1970, and what looks like
them.
`histories`: what holds now of rows that end on a day that never comes, members for the unknown, rows in versions.
`callings`: what rows are called, which of several dates or years is their own.
`threads`: dialogues that go back to an earlier answer, leave something out, ask for a part of it or the same of others.
`standings`: how things stood on a day that is over, until what a span runs, roles by their last word, what some rows
lack, amounts gross or net, and names made of German words.
`moments`: moments that are kept beside their days, times of day, days that campaigns are called after, who is ranked.
`sorts`: rows of a kind that a lookup tells, two keys to one lookup, several values of one column said together.
`wording`: what analysts and managers type, half sentences without the columns' names: parts of the day, feasts, what
comes back, rates of what happened to rows, and dialogues that go on so.
`deadlines`: what runs from one day to another or is still open, how many there were at the end of each period, days
without any, periods against the mean of those before.
`unseen`: the words of people who have not seen the names: other words for tables, for columns and for parts of these,
where and when, what a second sentence asks for beside.
`shipping`: totals by other totals of other rows, revenue that is no worth of stock, the most of something per row,
rows with some of an amount that their parts keep.
`workplaces`: measurements of air and weather, freight and tickets, advertising, documents with headers and items: two
sides weighed up, costs for a unit, waits, levels that nobody adds up.
`sequences`: how periods and the rows of one owner follow one another: runs, gaps, what grew at a compound rate, what
the largest make up together, balances at the end of periods, working days.
`own_files`: what people ask of exports of their own: statements of banks, meters, orders of a shop with a row for each
line, timesheets, deals, surveys, web traffic: money's ways, means of periods, who did so much in one period.
`asked`: long sentences of people at a firm: what part of some rows did something, those that did two things, what was
done because of something, what pieces cost together, means per thing.
`own_rows`: figures of different rows beside each other, each of its own; rates of states among some; when what was
told was done; people told by what they did.
`namings`: tables and columns that their owner calls otherwise than people do: figures of months in columns of their
own, second names, ids that are references, German names, documents that are files.
`upright`: which of two amounts, days or places is meant, what payments come to, kinds that nothing here is of.
`worded`: orders told by their ends, numbers in words, years since, how people are reached, from when to when.
`talks`: dialogues as an analyst and a shop owner lead them: what lines of orders came to, those that have none of such,
what nothing here tells, the one that was first, and what is taken back.
`headwords`: what people call heads and staff: letters of names, who works under whom, the fastest first, whom it hurt.
`synonyms`: what people of a trade call its tables and columns, and verbs for columns: when one was set up, what it
sells for.
`whenever`: what runs and brings something at the end of each period, what is open since it was reported, months of
targets that are still to come.
"""

from pathlib import Path

import pytest
from tests.text2sql.databases import answered, cases_of, closed, opened

_NAMES = ("measures", "everyday", "commerce", "operations", "spoken", "otherwise", "upkeep", "trading")
_NAMES += ("boarding", "practices", "plainly", "takings", "returns", "associations", "dues", "strangers", "newcomers")
_NAMES += ("business", "numbered", "histories", "callings", "sorts", "threads", "standings", "moments", "wording")
_NAMES += ("deadlines", "unseen", "shipping", "workplaces", "sequences", "own_files", "asked", "worded", "own_rows")
_NAMES += ("talks", "headwords", "synonyms", "namings", "upright", "whenever")
_FOLDERS = {name: Path(__file__).with_name(name) for name in _NAMES}
_FILES = [(name, path) for name, folder in _FOLDERS.items() for path in sorted(folder.glob("*.jsonl"))]
_EVERY = [(name, case) for name, path in _FILES for case in cases_of(path)]


def _with(key):
    return [pytest.param(name, case, id=case["question"]) for name, case in _EVERY if key in case]


@pytest.fixture(scope="module")
def databases():
    made = {name: opened(folder) for name, folder in _FOLDERS.items()}
    yield made
    for each in made.values():
        closed(each)


@pytest.fixture
def first(databases):
    """`first(folder, db, question, history)`: the best candidate."""

    def _first(folder, db, question, history=()):
        return _asked(databases, folder, db, question, history).candidates[0]

    return _first


def _asked(databases, folder, db, question, history=()):
    connection, analyst = databases[folder][db]
    return analyst.ask(question, history=history, run=lambda sql: connection.execute(sql).fetchall())


def test_every_case_says_what_is_wanted():
    assert all(("sql" in case) != ("status" in case) for _, case in _EVERY)


@pytest.mark.parametrize(("folder", "case"), _with("sql"))
def test_the_rows_are_those_asked_for(folder, case, databases):
    wanted, given, sql = answered(databases[folder], case)
    assert given == wanted if case.get("ordered") else sorted(given, key=str) == sorted(wanted, key=str), sql


@pytest.mark.parametrize(("folder", "case"), _with("status"))
def test_what_nothing_here_tells_is_not_answered(folder, case, databases):
    found = _asked(databases, folder, case["db"], case["question"], case.get("history", ()))
    assert found.status == case["status"]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("What is the average amount of a print?", "the amount is print.final_amount; print.quote would fit too"),
        ("How many bills were there in 2024?", "the day is bill.issued_on; bill.settled_on would fit too"),
    ],
)
def test_what_everybody_means_is_answered_and_told(question, line, first):
    assert line in first("upright", "gallery", question).assumptions


@pytest.mark.parametrize("question", ["What is the average quote of a print?", "How many bills were settled in 2024?"])
def test_nothing_is_told_where_a_word_says_which(question, first):
    assert not any("would fit too" in line for line in first("upright", "gallery", question).assumptions)


def test_by_which_columns_rows_are_late_is_told(first):
    told = "arrived_on after expected_on, or expected_on before 2025-03-04 and no arrived_on"
    assert any(told in line for line in first("operations", "wharf", "How many deliveries are late?").reading)


def test_the_days_of_a_fiscal_quarter_are_told(first):
    found = first("spoken", "stall", "Revenue in fiscal Q2 2024, our fiscal year starts in July")
    assert "Quarter 2 of the fiscal year 2024 is 2023-10-01 to 2023-12-31." in found.assumptions


def test_what_was_put_for_a_word_is_told(first):
    found = first("otherwise", "depot", "How many orders were called off?")
    assert '"called off" is cancelled (general lexicon)' in found.reading


def test_what_was_put_for_a_word_is_kept_by_later_questions(first):
    before = ["total order amount by status", "only the German customers"]
    found = first("otherwise", "depot", "and by month?", before)
    assert "'Germany'" in found.sql and "SUM(" in found.sql


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("number of seats on coaches OPO to LIS", "OPO → coaches.origin = 'OPO'"),
        ("number of seats on coaches OPO to LIS", "LIS → coaches.destination = 'LIS'"),
        ("How many shows are not in English?", "English → shows.spoken_language != 'English'"),
        ("How many shows are in English?", "English → shows.spoken_language = 'English'"),
    ],
)
def test_a_reading_tells_the_values_as_the_query_looks_for_them(question, line, first):
    assert line in first("takings", "zoo", question).reading

"""A user's glossary: what its lines mean, in the rows that questions get; what is wrong with a line is said."""

import datetime as dt

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pluto_duck_text2sql import Analyst, Catalog, Column, ForeignKey, Table, ValueIndex
from pluto_duck_text2sql.language.glossary import read_glossary

SCHEMA = """
CREATE TABLE customers (customer_id INTEGER, name VARCHAR, country VARCHAR, status VARCHAR);
CREATE TABLE suppliers (supplier_id INTEGER, name VARCHAR, country VARCHAR);
CREATE TABLE products (product_id INTEGER, name VARCHAR, cost INTEGER, supplier_id INTEGER);
CREATE TABLE invoices (invoice_id INTEGER, customer_id INTEGER, invoice_date DATE, total INTEGER, paid_at DATE);
CREATE TABLE lines (invoice_id INTEGER, product_id INTEGER, quantity INTEGER, unit_price INTEGER, discount DOUBLE);
INSERT INTO customers VALUES
  (1, 'Ann', 'Germany', 'active'), (2, 'Bob', 'France', 'lapsed'), (3, 'Cid', 'Austria', 'active'),
  (4, 'Dee', 'United Kingdom', 'lapsed');
INSERT INTO suppliers VALUES (1, 'Sup', 'Germany'), (2, 'Tap', 'Italy');
INSERT INTO products VALUES (1, 'Chair', 5, 1), (2, 'Desk', 20, 2);
INSERT INTO invoices VALUES
  (1, 1, '2024-05-01', 30, NULL), (2, 1, '2025-11-05', 20, '2025-11-15'), (3, 2, '2025-12-30', 5, NULL),
  (4, 3, '2025-12-31', 100, '2026-01-10');
INSERT INTO lines VALUES (1, 1, 3, 10, 0), (2, 1, 2, 10, 0), (3, 1, 1, 5, 0), (4, 2, 2, 50, 0.1);
"""
GLOSSARY = """# Sales, as we say it

Turnover: what was billed, before anything was paid. A paragraph is for people, whatever is in it.

- Note: the invoices of one night are all booked in the morning after
- turnover: invoices.total
- **bills**, vouchers: `invoices`, those sent to anybody
- client = customer
* net sales: sum of lines.quantity * lines.unit_price * (1 - lines.discount)
- margin: `sum(lines.quantity * (lines.unit_price - products.cost))`
- margin rate: 100 * sum(lines.quantity * (lines.unit_price - products.cost)) / sum(lines.quantity * lines.unit_price)
- basket: sum of invoices.total / count of invoices
- paid turnover: sum of invoices.total where paid_at is not null
- days to pay: avg(date_diff('day', invoices.invoice_date, invoices.paid_at))
- takings = net sales
- active customer: customers where status = 'Active'
- dormant: customers where status = lapsed
- DACH: country in Germany, Austria, Switzerland
- open bill: invoices where paid_at is null
- British Isles: country = United Kingdom
- Deutschland = Germany
"""
CASES = [
    ("total turnover by country", [("Austria", 100), ("France", 5), ("Germany", 50)]),
    ("turnover by country", [("Austria", 100), ("France", 5), ("Germany", 50)]),
    ("What is the turnover in 2025?", [(125,)]),
    ("which client has the highest turnover", [("Cid",)]),
    ("how many vouchers are there", [(4,)]),
    ("net sales by product", [("Chair", 55), ("Desk", 90)]),
    ("net sales by year", [(2024, 30), (2025, 115)]),
    ("takings by product", [("Chair", 55), ("Desk", 90)]),
    ("top 1 customers by margin", [("Cid", 60)]),
    ("products sorted by margin", [("Chair",), ("Desk",)]),
    ("What is the margin rate by product?", [("Chair", pytest.approx(100 * 25 / 55)), ("Desk", 60)]),
    ("what is the basket by country", [("Austria", 100), ("France", 5), ("Germany", 25)]),
    ("paid turnover by year", [(2024, None), (2025, 120)]),
    ("What are the days to pay by customer?", [("Ann", 10), ("Bob", None), ("Cid", 10)]),
    ("customers with net sales over 40", [("Ann",), ("Cid",)]),
    ("Net sales by product. Show the product name and the margin.", [("Chair", 25), ("Desk", 60)]),
    ("how many active customers are there", [(2,)]),
    ("dormant customers", [("Bob",), ("Dee",)]),
    ("turnover of active customers in 2025", [(120,)]),
    ("Which active customers have no open bill?", [("Cid",)]),
    ("how many open bills do we have by country", [("France", 1), ("Germany", 1)]),
    ("net sales in DACH", [(140,)]),
    ("how many suppliers are in DACH", [(1,)]),
    ("how many customers not in DACH", [(2,)]),
    ("customers in the British Isles", [("Dee",)]),
    ("how many clients in Deutschland", [(1,)]),
]


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as opened:
        opened.execute(SCHEMA)
        yield opened


def _catalog(connection, glossary):
    tables = tuple(_table(connection, name) for name in ("customers", "suppliers", "products", "invoices", "lines"))
    values = [
        ("main", table.name, column.name, row[0])
        for table in tables
        for column in table.columns
        if column.kind == "text"
        for row in connection.execute(f"SELECT DISTINCT {column.name} FROM {table.name}").fetchall()
    ]
    return Catalog(tables, ValueIndex.build(values), tuple(read_glossary(glossary, "configs/knowledge/sales.md")))


def _table(connection, name):
    described = connection.execute(f"DESCRIBE {name}").fetchall()
    own = described[0][0]
    parents = {"customer_id": "customers", "supplier_id": "suppliers", "product_id": "products"}
    parents["invoice_id"] = "invoices"
    keys = [column for column, *_ in described if column in parents and parents[column] != name]
    foreign = tuple(ForeignKey((key,), "main", parents[key], (key,)) for key in keys)
    primary = (own, "product_id") if name == "lines" else (own,)
    columns = tuple(Column(column, kind, **_statistics(connection, name, column)) for column, kind, *_ in described)
    return Table(name, "main", columns, primary, foreign, row_count=4)


def _statistics(connection, table, column):
    names = ("n_distinct", "minimum", "maximum")
    sql = f"SELECT count(DISTINCT {column}), min({column}), max({column}) FROM {table}"
    return dict(zip(names, connection.execute(sql).fetchone(), strict=True))


@pytest.fixture(scope="module")
def analyst(connection):
    return Analyst(_catalog(connection, GLOSSARY), today=dt.date(2026, 3, 10))


@pytest.mark.parametrize(("question", "rows"), CASES)
def test_a_question_in_the_users_words_means_its_rows(question, rows, analyst, connection):
    analysis = analyst.ask(question, run=lambda sql: connection.execute(sql).fetchall())
    assert analysis.status == "answered", analysis.message
    found = connection.execute(analysis.candidates[0].sql).fetchall()
    assert sorted(found, key=str) == sorted(rows, key=str), analysis.candidates[0].sql


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("turnover by country", '"turnover" is invoices.total (configs/knowledge/sales.md:6)'),
        ("How many clients do we have?", '"clients" is customers (configs/knowledge/sales.md:8)'),
        ("suppliers in DACH", '"DACH" is country in Germany, Austria, Switzerland (configs/knowledge/sales.md:18)'),
    ],
)
def test_the_reading_says_what_a_term_is_and_where_that_is_written(question, line, analyst, connection):
    (best, *_) = analyst.ask(question, run=lambda sql: connection.execute(sql).fetchall()).candidates
    assert line in best.reading


def test_a_total_that_its_groups_would_count_again_is_refused(analyst, connection):
    analysis = analyst.ask("turnover by product", run=lambda sql: connection.execute(sql).fetchall())
    assert analysis.status == "cannot_answer"
    assert "a row of invoices would count again for each row of products" in analysis.message


def test_a_quoted_word_is_a_value_and_no_term(analyst):
    analysis = analyst.ask('customers whose name is "turnover"')
    assert not [line for each in analysis.candidates for line in each.reading if " is invoices.total " in line]


def test_no_reading_goes_without_what_the_glossary_defines(analyst, connection):
    """A network's reading that leaves a definition out is none, however sure it is."""
    analysis = analyst.ask(
        "net sales of the dormant by country", run=lambda sql: connection.execute(sql).fetchall(), max_candidates=50
    )
    assert all("lapsed" in each.sql and "discount" in each.sql for each in analysis.candidates)


@pytest.mark.parametrize(
    ("line", "warning"),
    [
        ("- vip: invoices.totl", "vip: there is no column 'invoices.totl'; closest: total"),
        ("- vip: sum of foo.bar", "vip: there is no column 'foo.bar'"),
        ("- vip: customers where statsu = 'x'", "vip: there is no column 'statsu'; closest: status"),
        ("- vip: customers where total > 5", "vip: customers has no column 'total'; there is invoices.total"),
        ("- vip: costumers where status = 'x'", "vip: there is no table 'costumers'; closest: customers"),
        ("- vip: sum(invoices.total) + 1", "vip: the analyst's queries have no part for SUM(invoices.total) + 1"),
        ("- vip: sum of country", "vip: 'country' is a column of customers and of suppliers: say whose"),
        ("- vip: sum(products.cost * 2 * 3)", "the analyst's queries have no part for 2"),
        ("- vip: sum(products.cost * customers.customer_id)", "no key joins its tables so that each row counts once"),
        ("- vip: count(lines.product_id) / sum(invoices.total)", "its parts are of lines and of invoices"),
        ("- vip: sum of invoices.total where lines.quantity > 1", "rows of invoices would count again"),
        ("- vip: sum(", "vip: 'sum(' is no expression in SQL"),
        ("- vip = xyzzy", "vip: nothing is called 'xyzzy'"),
        ("- the: invoices", "'the' is no word of its own"),
        ("- cost: products.cost\n- cost: invoices.total", "'cost' has a meaning already, from g.md:1"),
        ("- vip: country in Germany, Atlantis", "no stored value is 'Atlantis'"),
    ],
)
def test_a_wrong_line_is_told_with_its_place_and_disturbs_no_other(line, warning, connection):
    text = f"{line}\n- bill: invoices\n"
    catalog = _catalog(connection, "")
    analyst = Analyst(Catalog(catalog.tables, catalog.values, tuple(read_glossary(text, "g.md"))))
    (found,) = analyst.terms.warnings
    assert found.startswith("g.md:")
    assert warning.casefold() in found.casefold()
    assert "invoices" in analyst.ask("how many bills are there").candidates[0].sql


def test_terms_may_lean_on_terms_that_come_later_but_not_on_each_other(connection):
    catalog = _catalog(connection, "- uno = due\n- due = tre\n- tre: invoices\n- nix = nada\n- nada = nix\n")
    analyst = Analyst(catalog)
    assert {" ".join(term.stems) for term in analyst.terms.all} == {"uno", "due", "tre"}
    assert len(analyst.terms.warnings) == 2


PROSE = [
    "# turnover: invoices.total",
    "Turnover: invoices.total",
    "```\n- turnover: invoices.total\n```",
    "<!--\n- turnover: invoices.total\n-->",
    "- this list item of many words has a colon: invoices.total",
    "- turnover",
]


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_none_of_the_analysts_business(text):
    assert read_glossary(text, "g.md") == []


@given(st.text())
def test_any_text_can_be_read(text):
    assert all(item.terms and item.meaning for item in read_glossary(text, "g.md"))


@given(st.text(alphabet="- ab:=.`()*/'\"<>,1[]\n", max_size=60), st.sampled_from(["", "customers where ", "sum of "]))
def test_any_meaning_is_understood_or_told(text, begun):
    catalog = Catalog((Table("a", "main", (Column("b", "INTEGER"), Column("ab", "VARCHAR"))),))
    items = tuple(read_glossary(f"- term: {begun}{text}", "g.md"))
    analyst = Analyst(Catalog(catalog.tables, catalog.values, items))
    assert len(analyst.terms.all) + len(analyst.terms.warnings) >= bool(items)

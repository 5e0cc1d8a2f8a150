"""What a prompt holds: what the question needs, within its room, and nothing that may not leave."""

import unicodedata
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pluto_duck_backend.agent.context import Linker, context_for
from pluto_duck_backend.agent.context.quoting import line, name, value
from pluto_duck_backend.agent.context.rules import read_rules
from pluto_duck_backend.agent.memory.example import Example
from pluto_duck_text2sql import Analyst, Catalog
from pluto_duck_text2sql.data.catalog import Column, ForeignKey, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.values import ValueIndex
from pluto_duck_text2sql.language.glossary import Item, read_glossary

ROOM = 12_000
_ORDER = [("order_id", "orders")]


def _table(name, *columns, keys=(), comment="", rows=10):
    made = tuple(each if isinstance(each, Column) else Column(each, "VARCHAR") for each in columns)
    foreign = tuple(ForeignKey((column,), "main", other, ("id",)) for column, other in keys)
    return Table(name, "main", (Column("id", "INTEGER"), *made), ("id",), foreign, comment, rows)


def _of(tables, values=(), glossary=()):
    analyst = Analyst(Catalog(tuple(tables), ValueIndex.build(values), tuple(glossary)))
    return analyst, Linker(analyst.catalog, JoinGraph(analyst.catalog))


def test_what_a_preferred_table_holds_as_well_is_named_last_unless_the_question_names_it():
    layers = [
        replace(_table("orders", "status", comment="as delivered", rows=22), schema="raw"),
        replace(_table("orders", "status"), schema="marts", preference=1.0, made_from=frozenset({("raw", "orders")})),
        replace(_table("suppliers", "company"), schema="raw"),
    ]
    known = _of(layers)
    found = context_for("orders by status", *known, ROOM, values=True)
    assert [f"{table.schema}.{table.name}" for table in found.tables] == ["marts.orders", "raw.suppliers"]
    assert "only where the question names them: raw.orders (as marts.orders)" in found.text
    assert "as delivered" not in found.text
    assert "as delivered" in context_for("raw orders by status", *known, ROOM, values=True).text
    crowded = _of([*layers, *(_table(f"log_{n}", *(f"entry_{n}_{m}" for m in range(9))) for n in range(400))])
    text = context_for("orders by status", *crowded, 3_000, values=True).text
    assert "raw.orders (as marts.orders)" in text and len(text) <= 3_000


def test_a_schema_that_the_question_names_has_the_tables_meant():
    tables = [replace(_table("orders", "region"), schema=each) for each in ("estate", "fleet", "sales", "stock")]
    assert context_for("sales orders by region", *_of(tables), ROOM, values=True).tables[0].schema == "sales"


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("open", "'open'"),
        (" open", "' open'"),
        ("open  ", "'open  '"),
        ("a  b", "'a b'"),
        ("  ", "''"),
        ("it's ", "'it''s '"),
    ],
)
def test_blanks_around_a_value_are_a_part_of_it(stored, shown):
    assert value(stored, 30) == shown


@pytest.mark.parametrize(
    ("column", "shown"),
    [
        (Column("shipped", "DATE", minimum="2024-01-01", maximum="2024-05-01", null_fraction=0.125), "DATE from"),
        (Column("shipped", "DATE", null_fraction=0.125), "DATE NULL in 12 %"),
        (Column("code", "VARCHAR", samples=("Y",), null_fraction=0.9), "VARCHAR in ('Y') NULL in 90 %"),
        (Column("code", "VARCHAR", null_fraction=0.001), "VARCHAR NULL in under 1 %"),
        (Column("code", "VARCHAR", null_fraction=0.0), "code VARCHAR\n"),
        (Column("model_year", "INTEGER", minimum=2001, maximum=2010), "INTEGER from 2001 to 2010"),
        (Column("salary", "INTEGER", minimum=2001, maximum=2010), "salary INTEGER\n"),
        (Column("End", "INTEGER"), '"End" INTEGER'),
        (Column("row", "INTEGER"), "  row INTEGER"),
    ],
)
def test_a_column_tells_what_is_missing_years_and_how_its_name_is_written(column, shown):
    known = _of([_table("things", column)])
    assert shown in context_for("how many things", *known, ROOM, values=True).text
    hidden = context_for("how many things", *known, ROOM, values=False).text
    assert "NULL in" not in hidden and "2001" not in hidden


def test_the_words_told_as_the_users_own_are_those_of_files_and_a_metric_tells_how_it_is_computed():
    orders = _table("orders", Column("price", "DOUBLE"), Column("quantity", "INTEGER"), "status")
    paid = "count(orders) FILTER (WHERE status = 'paid')"
    metric = Item(("paid orders",), paid, "dbt: shop", "the metric paid_orders")
    known = _of([orders], glossary=[*read_glossary("- basket: sum of price * quantity", "words.md"), metric])
    assert '"basket" means' in context_for("basket by status", *known, ROOM, values=True).text
    told = context_for("number of paid orders", *known, ROOM, values=True).text
    query = "SELECT COUNT(*) FILTER(WHERE status = 'paid') AS orders_count FROM orders"
    assert f'"paid orders" means "the metric paid_orders", computed by "{query}"' in told
    assert "own words" not in context_for("price times quantity by status", *known, ROOM, values=True).text


@pytest.mark.parametrize(
    ("question", "stored", "is_told"),
    [
        ("how many drivers are there", "Driver", False),
        ("name of each driver", "Nam", False),
        ("drivers called Prost", "Prost", True),
        ("drivers called Prosst", "Prost", True),
    ],
)
def test_a_stored_value_that_a_name_says_already_is_not_told(question, stored, is_told):
    known = _of([_table("drivers", "name")], [("main", "drivers", "name", stored)])
    assert (f"name = '{stored}'" in context_for(question, *known, ROOM, values=True).text) is is_told


@pytest.fixture(scope="module")
def thousand():
    """A shop's five tables among a thousand others."""
    others = [_table(f"log_{n}_archive", f"entry_{n}", f"payload_{n}", comment="kept for audits") for n in range(995)]
    shop = [
        _table("customers", "name", "country"),
        _table("orders", "customer_id", Column("ordered_on", "DATE"), keys=[("customer_id", "customers")]),
        _table("order_items", "order_id", "product_id", "quantity", keys=[*_ORDER, ("product_id", "products")]),
        _table("products", "title", "unit_price"),
        _table("suppliers", "company", comment="who delivers what we sell"),
    ]  # fmt: skip
    return _of([*others[:500], *shop, *others[500:]], [("main", "customers", "country", "Peru")])


@pytest.mark.parametrize(
    ("question", "tables"),
    [
        ("How many customers are there?", {"customers"}),
        ("Quantity of each product title", {"products", "order_items"}),
        ("Which products did customers from Peru order?", {"products", "order_items", "orders", "customers"}),
        ("Who delivers what?", {"suppliers"}),
    ],
)
def test_of_a_thousand_tables_those_that_the_question_needs_are_described(thousand, question, tables):
    found = context_for(question, *thousand, ROOM, values=True)
    assert tables <= {table.name for table in found.tables}
    assert len(found.text) <= ROOM
    for each in tables:
        assert f"main.{each} (" in found.text


def test_keys_comments_and_values_are_there(thousand):
    text = context_for("products of customers from Peru", *thousand, ROOM, values=True).text
    assert "product_id -> main.products (id)" in text
    assert "main.customers.country = 'Peru'" in text
    assert '-- "who delivers what we sell"' in context_for("suppliers", *thousand, ROOM, values=True).text


def test_a_schema_only_context_holds_no_value():
    flag = Column("grade", "VARCHAR", samples=("gold", "silver"))
    day = Column("born", "DATE", minimum="1970-01-01", maximum="1999-12-31")
    made = _of([_table("members", flag, day)], [("main", "members", "grade", "gold")])
    examples = [Example("how many gold members?", "SELECT count(*) FROM members WHERE grade = 'gold'")]
    shown = context_for("gold members", *made, ROOM, values=True, examples=examples).text
    bare = context_for("gold members", *made, ROOM, values=False, examples=examples).text
    for stored in ("gold", "1970"):
        assert stored in shown
        assert stored not in bare


@pytest.mark.parametrize(
    ("column", "shown"),
    [
        (
            Column("born", "VARCHAR", minimum="1970-01-01", maximum="1999-12-31", date_format="%d.%m.%Y"),
            "born VARCHAR dates as '%d.%m.%Y' from 1970-01-01 to 1999-12-31",
        ),
        (Column("staff", "VARCHAR", of_numbers=True), "staff VARCHAR numbers as texts\n"),
        (
            Column("staff", "VARCHAR", of_numbers=True, minimum=7.0, maximum=972.5),
            "staff VARCHAR numbers as texts from 7 to 972.5\n",
        ),
        (Column("discount", "DOUBLE", minimum=0.0, maximum=0.25), "discount DOUBLE between 0 and 1"),
        (Column("discount", "DECIMAL(5,2)", minimum=0, maximum=25), "discount DECIMAL(5,2)\n"),
        (Column("is_open", "INTEGER", minimum=0, maximum=1), "is_open INTEGER\n"),
    ],
)
def test_how_dates_are_written_and_which_numbers_are_fractions_is_told(column, shown):
    analyst, linker = _of([_table("people", column)])
    assert shown in context_for("How many people are there?", analyst, linker, ROOM, values=True).text
    kept = context_for("How many people are there?", analyst, linker, ROOM, values=False).text
    assert f"{column.name} {column.type}\n" in kept


def test_of_few_tables_all_are_told_in_full_where_that_fits():
    tables = [_table(f"part_{n}", Column("made_on", "DATE"), Column("price", "DECIMAL(9,2)")) for n in range(12)]
    text = context_for("How many of part 3 are there?", *_of(tables), ROOM, values=True).text
    assert text.count("made_on DATE") == len(tables)
    cramped = context_for("How many of part 3 are there?", *_of(tables), len(text) - 1, values=True).text
    assert 0 < cramped.count("made_on DATE") < len(tables)


def test_room_that_is_left_tells_in_full_what_was_told_briefly():
    tables = [_table(f"part_{n}", Column("made_on", "DATE"), Column("price", "DECIMAL(9,2)")) for n in range(12)]
    whole = context_for("How many of part 3 are there?", *_of(tables), ROOM, values=True).text
    for less, in_full in ((1, 11), (60, 10), (100, 9)):
        text = context_for("How many of part 3 are there?", *_of(tables), len(whole) - less, values=True).text
        assert (text.count("made_on DATE") >= in_full, text.count("made_on")) == (True, 12)
        assert len(text) <= len(whole) - less


def test_tables_without_rows_come_after_those_with_some():
    empty = [_table(f"order_{each}", "order_note", "orders", rows=0) for each in ("drafts", "kinds", "orders")]
    tables = [*empty, _table("bookings", "order_status")]
    assert context_for("order status", *_of(tables), ROOM, values=True).tables[0].name == "bookings"
    named = context_for("How many order kinds are there?", *_of(tables), ROOM, values=True).tables
    assert named[0].name in ("bookings", "order_kinds")


def test_numbers_are_told_as_numbers():
    price = Column("price", "DECIMAL(10,2)", samples=(Decimal("0.99"), Decimal("1.99")))
    made = _of([_table("tracks", price)])
    assert "price DECIMAL(10,2) in (0.99, 1.99)" in context_for("prices", *made, ROOM, values=True).text


def test_what_the_user_wrote_is_there(tmp_path):
    text = "# Sales\n\nA client counts once a year.\n\n- client = member\n\n```\nnot this\n```\n"
    (tmp_path / "sales.md").write_text(text)
    made = _of([_table("members", "grade")], glossary=read_glossary(text, "sales.md"))
    rules = read_rules(tmp_path)
    example = Example("members by grade", "SELECT grade, count(*) FROM members GROUP BY grade")
    shown = context_for("How many clients?", *made, ROOM, values=True, rules=rules, examples=[example]).text
    assert '"client" means ' in shown
    assert '"A client counts once a year."' in shown
    assert "not this" not in shown
    assert "GROUP BY grade" in shown


@given(st.integers(300, 15_000), st.integers(1, 60), st.integers(1, 120), st.text(max_size=400))
@settings(deadline=None, max_examples=30)
def test_no_context_exceeds_its_room(room, tables, columns, comment):
    made = [_table(f"table_{n}", *(f"column_{m}" for m in range(columns)), comment=comment) for n in range(tables)]
    assert len(context_for("column 3 of table 7", *_of(made), room, values=True).text) <= room


@given(st.text())
@settings(deadline=None)
def test_what_comes_from_the_data_stays_on_its_line(text):
    for shown in (line(text, 100), name(text), value(text, 100)):
        assert len(shown.splitlines()) <= 1
        assert not any(unicodedata.category(each) in ("Cc", "Cf") for each in shown)


def test_a_table_of_very_many_columns_shows_those_that_are_asked_for():
    wide = _table("survey", *(f"answer_{n}" for n in range(400)), "mood")
    shown = context_for("average mood", *_of([wide]), ROOM, values=True).text
    assert "\n  mood " in shown
    assert "more columns" in shown

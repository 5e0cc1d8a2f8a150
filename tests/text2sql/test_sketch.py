"""Sketches: a line of words in, the rows its SQL finds out, worked out by hand from five orders."""

import datetime as dt

import duckdb
import pytest

from pluto_duck_text2sql import Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.learned.grammar import START, allowed, step
from pluto_duck_text2sql.learned.sketch import Malformed, Val, to_query
from pluto_duck_text2sql.times.periods import period_of
from pluto_duck_text2sql.tree import Col, Compare, During, Every, Rows
from pluto_duck_text2sql.trees.facts import Facts
from pluto_duck_text2sql.trees.render import render
from pluto_duck_text2sql.trees.titles import assumptions, title

TODAY = dt.date(2026, 3, 10)
SCHEMA = """
CREATE TABLE customers (customer_id INTEGER, name VARCHAR, country VARCHAR);
CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, day TIMESTAMP, shipped DATE, noted VARCHAR);
CREATE TABLE items (item_id INTEGER, order_id INTEGER, product VARCHAR, price DECIMAL(9,2), quantity INTEGER,
                    discount DOUBLE);
INSERT INTO customers VALUES (1, 'Ann', 'Germany'), (2, 'Bob', 'France'), (3, 'Cid', 'Germany');
INSERT INTO orders VALUES
  (1, 1, '2023-01-10 10:00', '2023-01-12', '2023-01-12'), (2, 1, '2023-02-05 23:30', '2023-02-15', 'soon'),
  (3, 2, '2023-02-20', '2023-02-21', NULL), (4, 2, '2024-01-15', '2024-01-20', '2024-01-21'),
  (5, 1, '2024-02-10', '2024-02-13', '2024-02-14');
INSERT INTO items VALUES
  (1, 1, 'pen', 2, 10, 0), (2, 1, 'ink', 5, 2, 0.5), (3, 2, 'pen', 2, 5, 0), (4, 3, 'ink', 5, 4, 0),
  (5, 4, 'pad', 10, 1, 0.1), (6, 5, 'pen', 2, 20, 0);
"""
MONEY = "sum times items.price items.quantity"
MONTH = "month orders.day"
MONTHS = [dt.date(2023, 1, 1), dt.date(2023, 2, 1), dt.date(2024, 1, 1), dt.date(2024, 2, 1)]  # 30, 30, 10, 40
CASES = {
    # aggregates and their arguments
    "median items.quantity": [(4.5,)],
    "stddev items.price": [(pytest.approx((148 / 15) ** 0.5),)],
    "quantile '25' items.quantity": [(2.5,)],
    "quantile '0.5' items.quantity": [(4.5,)],
    MONEY: [(110,)],
    "sum net items.price items.quantity items.discount": [(pytest.approx(104),)],
    "avg days orders.day orders.shipped": [(pytest.approx(21 / 5),)],
    "avg from ( sum items.quantity group items.order_id )": [(pytest.approx(42 / 5),)],
    "max from ( count orders group orders.customer_id ) min from ( count orders group orders.customer_id )": [(3, 2)],
    "orders.order_id times items.price items.quantity where items.product = 'pad'": [(4, 10)],
    "orders.order_id days orders.day orders.shipped where days orders.day orders.shipped > '5'": [(2, 10)],
    "count orders sum items.quantity count items": [(5, 42, 6)],
    "ratio sum times items.price items.quantity count orders if orders.day during '2023' fi": [
        (pytest.approx(110 / 3),)
    ],
    # filters
    "count orders if orders.shipped during '2023' fi count orders": [(3, 5)],
    "sum items.quantity if items.product = 'pen' & items.quantity > '5' fi": [(30,)],
    "sum items.quantity if items.price > ( avg items.price ) fi": [(7,)],
    "customers.name count orders if orders.day during '2024' fi group customers.name asc customers.name": [
        ("Ann", 1),
        ("Bob", 1),
    ],
    # buckets of time
    f"{MONTH} count orders group {MONTH} asc {MONTH}": [(MONTHS[0], 1), (MONTHS[1], 2), (MONTHS[2], 1), (MONTHS[3], 1)],
    "year orders.day count orders group year orders.day asc year orders.day": [(2023, 3), (2024, 2)],
    "quarter orders.day count orders group quarter orders.day asc quarter orders.day": [
        (dt.date(2023, 1, 1), 3),
        (dt.date(2024, 1, 1), 2),
    ],
    "week orders.day where orders.order_id = '5'": [(dt.date(2024, 2, 5),)],
    "day orders.day hour orders.day where orders.order_id = '1'": [
        (dt.date(2023, 1, 10), dt.datetime(2023, 1, 10, 10)),
    ],
    "weekday orders.day count orders group weekday orders.day desc count orders asc weekday orders.day limit '1'": [
        ("Monday", 2)
    ],
    "month_of_year orders.day count orders group month_of_year orders.day asc month_of_year orders.day": [
        (1, 2),
        (2, 3),
    ],
    "month orders.noted count orders where orders.noted notnull group month orders.noted asc month orders.noted": [
        (None, 1),
        (MONTHS[0], 1),
        (MONTHS[2], 1),
        (MONTHS[3], 1),
    ],
    # first and last dates
    "month firstof orders.day customers.customer_id count customers"
    " group month firstof orders.day customers.customer_id asc month firstof orders.day customers.customer_id": [
        (None, 1),
        (MONTHS[0], 1),
        (MONTHS[1], 1),
    ],
    "customers.name where firstof orders.day customers.customer_id during 'February_2023'": [("Bob",)],
    "customers.name where lastof orders.day customers.customer_id < '2024-02-01'": [("Bob",)],
    "count orders where firstof orders.day orders.customer_id > 'January_2023'": [(2,)],
    # parts of a total
    f"items.product share {MONEY} group items.product asc items.product": [
        ("ink", pytest.approx(30 / 110)),
        ("pad", pytest.approx(10 / 110)),
        ("pen", pytest.approx(70 / 110)),
    ],
    f"items.product group items.product desc share% {MONEY} top1": [("pen",)],
    "ratio% sum items.quantity if items.product = 'pen' fi sum items.quantity": [(pytest.approx(3500 / 42),)],
    "customers.country ratio count orders countd orders.customer_id group customers.country asc customers.country": [
        ("France", 2),
        ("Germany", 3),
    ],
    "minus max items.price min items.price": [(8,)],
    "ratio% minus sum items.quantity sum items.price sum items.quantity": [(pytest.approx(1600 / 42),)],
    "change sum items.quantity if orders.day during '2023' fi sum items.quantity if orders.day during '2024' fi": [
        (0,)
    ],
    "change% count orders if orders.day during '2023' fi count orders if orders.day during '2024' fi": [
        (pytest.approx(-100 / 3),)
    ],
    # beside other buckets
    f"{MONTH} growth {MONEY} group {MONTH} asc {MONTH}": [
        (MONTHS[0], None),
        (MONTHS[1], 0),
        (MONTHS[2], pytest.approx(-2 / 3)),
        (MONTHS[3], 3),
    ],
    f"{MONTH} group {MONTH} desc growth% {MONEY} top1": [(MONTHS[3],)],
    f"{MONTH} group {MONTH} asc growth% {MONEY} top1": [(MONTHS[2],)],
    f"year orders.day yoy% {MONEY} group year orders.day asc year orders.day": [
        (2023, None),
        (2024, pytest.approx(-1000 / 60)),
    ],
    f"{MONTH} running {MONEY} group {MONTH} asc {MONTH}": list(zip(MONTHS, (30, 60, 70, 110), strict=True)),
    f"{MONTH} moving '2' {MONEY} group {MONTH} asc {MONTH}": list(zip(MONTHS, (30, 30, 20, 25), strict=True)),
    "year orders.day customers.name growth count orders group year orders.day customers.name"
    " asc customers.name asc year orders.day": [
        (2023, "Ann", None),
        (2024, "Ann", -0.5),
        (2023, "Bob", None),
        (2024, "Bob", 0),
    ],
    "year orders.day customers.name running count orders group customers.name year orders.day"
    " asc customers.name asc year orders.day": [(2023, "Ann", 2), (2024, "Ann", 3), (2023, "Bob", 1), (2024, "Bob", 2)],
    # conditions
    "count orders where orders.day during '2023'": [(3,)],
    "count orders where orders.day during 'Q1_2024'": [(2,)],
    "count orders where orders.day during 'last_month'": [(1,)],
    "count orders where orders.day during 'since_2024'": [(2,)],
    "count orders where orders.day during '2024' or orders.day during 'January_2023'": [(3,)],
    "count orders where orders.day > '2023'": [(2,)],
    "count orders where orders.day >= 'February_2023' and orders.day <= '2023'": [(2,)],
    "count orders where orders.day != 'February_2023'": [(3,)],
    "count orders where orders.day between 'January_2023' 'February_2023'": [(3,)],
    "count orders where orders.noted during '2024'": [(2,)],
    "count orders where weekday orders.day = '1'": [(2,)],
    "count orders where month_of_year orders.day = 'February_2023'": [(3,)],
    "count orders where month orders.day = 'February_2023'": [(2,)],
    "count orders where quarter orders.day > 'Q1_2023'": [(2,)],
    "count orders where year orders.day between '2023' '2023'": [(3,)],
    "items.item_id where items.quantity > own items.product avg items.quantity asc items.item_id": [(4,), (6,)],
    "items.item_id where items.quantity >= own customers.country max items.quantity asc items.item_id": [(4,), (6,)],
    "items.item_id where items.quantity > fold '2' ( avg items.quantity )": [(6,)],
    "customers.name group customers.name having count orders"
    " > ( avg from ( count orders group orders.customer_id ) )": [("Ann",)],
    "items.product group items.product having sum items.quantity > fold '1.5' ( max items.quantity )": [("pen",)],
    "items.product group items.product having ratio sum items.quantity count items > '10'": [("pen",)],
    "customers.name group customers.customer_id having min orders.day >= 'February_2023'": [("Bob",)],
    "customers.name group customers.customer_id having max orders.day < 'February_2024'": [("Bob",)],
    "customers.name group customers.customer_id having min orders.day = 'January_2023'": [("Ann",)],
    "customers.name group customers.customer_id having max orders.day between '2024-01-01' '2024-01-31'": [("Bob",)],
    # two queries
    "items.product desc items.quantity top1 except items.product where items.product = 'pad'": [("pen",)],
    # the n-th, and the best of each
    "items.product desc items.quantity nth '2'": [("pen",)],
    "items.item_id desc items.quantity asc items.item_id nth '3'": [(3,)],
    "items.order_id items.product desc items.price top1 per items.order_id": [
        *((1, "ink"), (2, "pen"), (3, "ink"), (4, "pad"), (5, "pen"))
    ],
    "items.item_id desc items.quantity nth '2' per items.product": [(2,), (1,)],
    f"customers.name items.product {MONEY} group customers.name items.product desc {MONEY} top1 per customers.name": [
        ("Ann", "pen", 70),
        ("Bob", "ink", 20),
    ],
    f"customers.name {MONTH} group customers.name {MONTH} desc growth count orders desc {MONTH} top1"
    " per customers.name": [("Ann", MONTHS[3]), ("Bob", MONTHS[2])],
    f"customers.name {MONTH} share count orders group customers.name {MONTH} asc running count orders nth '2'"
    " per customers.name": [("Ann", MONTHS[1], 0.2), ("Bob", MONTHS[2], 0.2)],
    "year orders.day items.product group year orders.day items.product desc sum items.quantity limit '1'"
    " per year orders.day": [(2023, "pen"), (2024, "pen")],
}


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as opened:
        opened.execute(SCHEMA)
        yield opened


@pytest.fixture(scope="module")
def catalog(connection):
    keys = {"orders": ("customer_id", "customers"), "items": ("order_id", "orders")}
    tables = []
    for name in ("customers", "orders", "items"):
        described = connection.execute(f"DESCRIBE {name}").fetchall()
        last = dt.datetime(2024, 3, 5) if name == "orders" else None
        columns = tuple(Column(each[0], each[1], maximum=last if each[0] == "day" else None) for each in described)
        points = keys.get(name)
        foreign = (ForeignKey((points[0],), "main", points[1], (points[0],)),) if points else ()
        tables.append(Table(name, "main", columns, (f"{name[:-1]}_id",), foreign, row_count=5))
    return Catalog(tuple(tables))


def line_of(text):
    """A line from a text: `table.column`, `table`, values in quotes with _ for spaces, all else is grammar."""

    def word(part):
        if part.startswith("'"):
            said = part.strip("'").replace("_", " ")
            return Val(float(said) if said.replace(".", "").isdigit() else period_of(said) or said)
        if "." in part:
            table, column = part.split(".")
            return Col(("main", table), column)
        return Rows(("main", part)) if part in ("customers", "orders", "items") else part

    return [word(part) for part in text.split()]


@pytest.mark.parametrize("text", CASES)
def test_a_sketch_means_its_rows(text, catalog, connection):
    query = to_query(line_of(text), catalog, TODAY)
    sql = render(query, catalog, JoinGraph(catalog))
    assert connection.execute(sql).fetchall() == CASES[text], sql
    assert title(query)
    assert Facts.of(query).clauses["queries"] >= 1


def test_a_period_may_be_given_in_words_and_a_day_stays_as_it_is(catalog):
    said = to_query([*line_of("count orders where orders.shipped between"), Val("2023"), Val("2024")], catalog, TODAY)
    assert said == to_query(line_of("count orders where orders.shipped between '2023' '2024'"), catalog, TODAY)
    (day,) = to_query([*line_of("count orders where orders.shipped >"), Val("2023-02-15")], catalog, TODAY).where
    assert day == Compare(Col(("main", "orders"), "shipped"), ">", "2023-02-15")


@pytest.mark.parametrize(
    ("period", "bounds"),
    [
        ("in the 1980s", [(">=", 1980), ("<=", 1989)]),
        ("since 1990", [(">=", 1990)]),
        ("before 1990", [("<=", 1989)]),
        ("from 2012 to 2017", [(">=", 2012), ("<=", 2017)]),
        ("in 2013", [("=", 2013)]),
    ],
)
def test_a_column_of_years_is_compared_with_the_years_of_a_period(period, bounds):
    races = Catalog((Table("races", "main", (Column("year", "INTEGER"),)),))
    year = Col(("main", "races"), "year")
    line = ["count", Rows(("main", "races")), "where", year, "during", Val(period.removeprefix("in "))]
    (found,) = to_query(line, races, TODAY).where
    tests = found.all_of if isinstance(found, Every) else (found,)
    assert [(each.operator, each.right) for each in tests] == bounds


@pytest.mark.parametrize("text", CASES)
def test_the_grammar_allows_it(text):
    state = START
    kinds = {Col: "<column>", Rows: "<table>", Val: "<value>"}
    for word in [*line_of(text), "end"]:
        word = kinds.get(type(word), word)
        assert word in allowed(state), word
        state = step(state, word)


@pytest.mark.parametrize(
    "text",
    [
        "growth sum items.quantity group items.product",
        "weekday orders.day yoy count orders group weekday orders.day",
        "quantile '101' items.price",
        "items.product group items.product avg",
        "items.product avg from ( count items group items.order_id ) group items.product",
        "avg from ( items.product count items group items.product )",
        "items.product desc items.price limit '0'",
        "count orders where orders.day during 'pen'",
        "count orders where orders.day = 'pen'",
        "count orders where month orders.day = 'pen'",
        "count orders where items.price > own items.product avg from ( sum items.price group items.product )",
        "where",
        "avg",
        "items.product where items.price >",
    ],
)
def test_what_is_no_query_is_malformed(text, catalog):
    with pytest.raises(Malformed):
        to_query(line_of(text), catalog, TODAY)


def test_a_relative_period_tells_the_day_it_counts_from(catalog):
    query = to_query(line_of("count orders where orders.day during 'last_3_months'"), catalog, TODAY)
    (condition,) = query.where
    assert condition == During(Col(("main", "orders"), "day"), dt.date(2023, 12, 6), dt.date(2024, 3, 6))
    assert condition.anchored == dt.date(2024, 3, 5)
    fixed = to_query(line_of("count orders where orders.day during 'before_2024'"), catalog, TODAY).where[0]
    assert fixed == Compare(Col(("main", "orders"), "day"), "<", dt.date(2024, 1, 1))
    assert fixed.anchored is None


def test_what_is_assumed_of_relative_periods_is_told(catalog):
    inner = "( count orders where orders.day during 'last_month' )"
    text = f"customers.name where orders.shipped during 'last_month' group customers.name having count orders > {inner}"
    told = assumptions(to_query(line_of(text), catalog, TODAY))
    assert [each.split(",")[0] for each in told] == [
        "Relative periods count from 2026-03-10",
        "Relative periods count from 2024-03-05",
    ]
    assert assumptions(to_query(line_of("count orders where orders.day during '2023'"), catalog, TODAY)) == []


def test_today_counts_where_nothing_is_known_of_the_data(catalog):
    (condition,) = to_query(line_of("count orders where orders.shipped during 'last_month'"), catalog, TODAY).where
    assert (condition.start, condition.end) == (dt.date(2026, 2, 1), dt.date(2026, 3, 1))


def test_values_missing_from_a_list_keep_nothing_out_of_what_is_not_in_it():
    left = Table("maker", "main", (Column("id", "INTEGER"), Column("name", "VARCHAR")), ("id",), row_count=2)
    right = Table("car", "main", (Column("maker_id", "INTEGER", null_fraction=0.5),), row_count=2)
    cars = Catalog((left, right))
    makers, car = ("main", "maker"), ("main", "car")
    line = [Col(makers, "name"), "where", Col(makers, "id"), "notin", "(", Col(car, "maker_id"), ")"]
    with duckdb.connect() as opened:
        opened.execute("CREATE TABLE maker AS FROM (VALUES (1, 'a'), (2, 'b')) t(id, name)")
        opened.execute("CREATE TABLE car AS FROM (VALUES (1), (NULL)) t(maker_id)")
        found = opened.execute(render(to_query(line, cars), cars, JoinGraph(cars))).fetchall()
    assert found == [("b",)]

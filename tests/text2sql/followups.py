"""A small shop for follow-ups: its data, its catalog, and an analyst whose first questions are answered already."""

import datetime as dt
from pathlib import Path

from tests.text2sql.catalogs import in_memory

from pluto_duck_text2sql import Analysis, Analyst, Candidate, Catalog, Column, ForeignKey, Table, ValueIndex
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Compare, During, Order, Query, Rows

FIXTURES = Path(__file__).parents[1] / "fixtures" / "followups"
TODAY = dt.date(2026, 3, 10)
KEYS = {"orders": ["customer_id"], "lessons": ["customer_id"], "order_lines": ["order_id", "product_id"]}
POINTED = {"customer_id": "customers", "order_id": "orders", "product_id": "products"}
CUSTOMERS, SALES, PRODUCTS = ("main", "customers"), ("main", "orders"), ("main", "products")
LESSONS = ("main", "lessons")
ORDERED, CHANNEL, NAME, PRICE = (
    Col(SALES, "order_date"),
    Col(SALES, "channel"),
    Col(CUSTOMERS, "name"),
    Col(PRODUCTS, "price"),
)
CATEGORY, ORDERS = Col(PRODUCTS, "category"), Agg("count", Rows(SALES))
IN_2024 = During(ORDERED, dt.date(2024, 1, 1), dt.date(2025, 1, 1))
MONTH = Bucket("month", ORDERED)
FIRSTS = {
    "How many orders were placed in 2024?": Query(SALES, (ORDERS,), (IN_2024,)),
    "What is the sum of order amount for each channel?": Query(
        SALES, (CHANNEL, Agg("sum", Col(SALES, "amount"))), group=(CHANNEL,)
    ),
    "Number of orders per month in 2024: month and number of orders.": Query(
        SALES, (MONTH, ORDERS), (IN_2024,), group=(MONTH,), order=(Order(MONTH),)
    ),
    "List the customers from Germany: name and city.": Query(
        CUSTOMERS, (NAME, Col(CUSTOMERS, "city")), (Compare(Col(CUSTOMERS, "country"), "=", "Germany"),), flat=True
    ),
    "Top 3 customers by number of orders: name and number of orders.": Query(
        SALES, (NAME, ORDERS), group=(Col(CUSTOMERS, "customer_id"), NAME), order=(Order(ORDERS, True),), limit=3
    ),
    "average price by category": Query(PRODUCTS, (CATEGORY, Agg("avg", PRICE)), group=(CATEGORY,)),
    "How many customers are from France?": Query(
        CUSTOMERS, (Agg("count", Rows(CUSTOMERS)),), (Compare(Col(CUSTOMERS, "country"), "=", "France"),), flat=True
    ),
    "List the products of the brand Acme: product name and price.": Query(
        PRODUCTS, (Col(PRODUCTS, "product_name"), PRICE), (Compare(Col(PRODUCTS, "brand"), "=", "Acme"),)
    ),
    "How many lessons were about Sailing?": Query(
        LESSONS, (Agg("count", Rows(LESSONS)),), (Compare(Col(LESSONS, "topic"), "=", "Sailing"),)
    ),
    "How many orders have the status refunded?": Query(
        SALES, (ORDERS,), (Compare(Col(SALES, "status"), "=", "refunded"),)
    ),
}


class Begun(Analyst):
    """The first questions have their trees, so that only what follows is tried; any other one stands alone."""

    def _alone(self, question, run, choice=None, max_candidates=20):
        if question not in FIRSTS:
            return Analysis("cannot_answer", message=f"alone: {question}")
        return Analysis("answered", (Candidate("", 0.9, "", (), (), FIRSTS[question]),))


def shop():
    """The shop in memory."""
    connection = in_memory()
    connection.execute((FIXTURES / "shop.sql").read_text())
    return connection


def analyst_of(connection) -> Begun:
    """An analyst over the shop."""
    names = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall()]
    values = [item for name in names for item in _values(connection, name)]
    return Begun(Catalog(tuple(_table(connection, name) for name in names), ValueIndex.build(values)), today=TODAY)


def _columns(connection, table):
    sql = "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index"
    return connection.execute(sql, [table]).fetchall()


def _table(connection, name) -> Table:
    columns = tuple(_column(connection, name, *each) for each in _columns(connection, name))
    keys = tuple(ForeignKey((key,), "main", POINTED[key], (key,)) for key in KEYS.get(name, ()))
    (count,) = connection.execute(f"SELECT count(*) FROM {name}").fetchone()
    return Table(name, "main", columns, primary_key=(columns[0].name,), foreign_keys=keys, row_count=count)


def _column(connection, table, name, kind) -> Column:
    sql = f"SELECT count(DISTINCT {name}), min({name}), max({name}) FROM {table}"
    distinct, low, high = connection.execute(sql).fetchone()
    return Column(name, kind, n_distinct=distinct, minimum=low, maximum=high, null_fraction=0.0)


def _values(connection, table):
    for name, kind in _columns(connection, table):
        if kind == "VARCHAR":
            found = connection.execute(f"SELECT DISTINCT {name} FROM {table} ORDER BY 1").fetchall()
            yield from (("main", table, name, value) for (value,) in found)

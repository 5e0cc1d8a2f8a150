"""Writes the dirty rows as CSV, Parquet and SQLite files.

Called by generator. Existing files of these names are replaced; nothing else in the folder is touched.
"""

import csv
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from pluto_duck_backend.app.services.demo import dirt
from pluto_duck_backend.app.services.demo.draw import stream
from pluto_duck_backend.app.services.demo.shop import Shop

ORDERS = ("order_id", "customer_id", "ordered_at", "status", "channel")
LINES = ("order_line_id", "order_id", "product_id", "quantity", "unit_price", "discount", "amount")
RETURNS = ("return_id", "order_line_id", "return_date", "reason", "refund_amount")
SPEND = ("spend_date", "channel", "campaign", "spend")
_CRM = """
create table customers (
  customer_id integer primary key, name text not null, email text, country text not null, city text,
  segment text not null, signup_date text not null
);
create table products (
  product_id integer primary key, name text not null, category text not null, brand text not null,
  price real not null, cost real not null
);
"""


def write_files(folder: Path, shop: Shop, seed: int) -> None:
    """orders.csv, order_lines.csv, returns.csv, marketing_spend.parquet and crm.sqlite in `folder`."""
    write_csv(folder / "orders.csv", ORDERS, dirt.order_rows(stream(seed, "orders.csv"), shop))
    write_csv(folder / "order_lines.csv", LINES, dirt.line_rows(stream(seed, "order_lines.csv"), shop))
    write_csv(folder / "returns.csv", RETURNS, dirt.return_rows(stream(seed, "returns.csv"), shop))
    write_parquet(folder / "marketing_spend.parquet", SPEND, dirt.spend_rows(stream(seed, "spend"), shop))
    write_crm(folder / "crm.sqlite", shop, seed)


def write_csv(path: Path, header: tuple[str, ...], rows: Iterable[dirt.Row]) -> None:
    """Comma separated, UTF-8, newline endings on every platform; None is an empty field."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def write_parquet(path: Path, header: tuple[str, ...], rows: Iterable[dirt.Row]) -> None:
    """One row group, types taken from all rows."""
    import polars

    polars.DataFrame(list(rows), schema=header, orient="row", infer_schema_length=None).write_parquet(path)


def write_crm(path: Path, shop: Shop, seed: int) -> None:
    """customers and products with declared primary keys."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as crm, crm:
        crm.executescript(_CRM)
        customers = dirt.customer_rows(stream(seed, "crm customers"), shop)
        crm.executemany("insert into customers values (?, ?, ?, ?, ?, ?, ?)", customers)
        products = dirt.product_rows(stream(seed, "crm products"), shop)
        crm.executemany("insert into products values (?, ?, ?, ?, ?, ?)", products)

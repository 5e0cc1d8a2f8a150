"""Made-up databases: a domain's tables, named in some style and filled, in DuckDB, and their catalog.

The catalog is looked at as the product looks at a warehouse, keys that nobody declared included.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb

from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.execution.declared import Declared
from pluto_duck_backend.app.services.execution.keys import KeyFinder
from pluto_duck_backend.app.services.execution.looking import definitions, look, texts
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.values import ValueIndex
from pluto_duck_training.synthetic.domains import Domain, Field, Plan, domains, trades
from pluto_duck_training.synthetic.makers import Makers, Row
from pluto_duck_training.synthetic.styles import Style

_TYPES = {
    **dict.fromkeys(("int", "year"), "INTEGER"),
    **dict.fromkeys(("score", "part"), "DOUBLE"),
    "money": "DECIMAL(12,2)",
    "flag": "BOOLEAN",
    "day": "DATE",
    "time": "TIMESTAMP",
    ">": "INTEGER",
}
_MOST_TEXTS = 5_000


@dataclass(frozen=True)
class MadeUp:
    """A database in memory; `run` runs SQL on it."""

    name: str
    catalog: Catalog
    run: Callable[[str], list[tuple[Any, ...]]]


def made_up(count: int, seed: int = 1, first: int = 0) -> Iterator[MadeUp]:
    """`count` databases, but for those before the `first`: each domain in turn, each time in another style."""
    every = domains()
    for number in range(first, count):
        yield make(every[number % len(every)], random.Random(f"{seed}/{number}"), f"synthetic_{number:03d}")


def make(domain: Domain, rng: random.Random, name: str) -> MadeUp:
    """One database of a domain."""
    style = Style.any(rng)
    is_declared = style.case == "glued" or rng.random() < 0.6
    plans = [_thinned(plan, rng) for plan in domain.tables]
    return _made(f"{name}_{domain.name}", plans, style, is_declared, rng)


def traded(name: str, seed: int = 1) -> MadeUp:
    """The database of a trade, as its file names and fills it; half of them declare their keys."""
    rng = random.Random(f"{seed}/{name}")
    return _made(name, trades()[name].tables, Style.as_written(), rng.random() < 0.5, rng)


def _made(name: str, tables: Sequence[Plan], style: Style, is_declared: bool, rng: random.Random) -> MadeUp:
    connection = duckdb.connect()
    plans = {plan.name: plan for plan in tables}
    keys: dict[str, list[int]] = {}
    makers = Makers(rng)
    for plan in plans.values():
        rows = _rows(plan, makers, keys, rng)
        _load(connection, plan, rows, keys[plan.name], style, plans, is_declared)
    return MadeUp(name, _catalog(connection), lambda sql: connection.execute(sql).fetchall())


def _thinned(plan: Plan, rng: random.Random) -> Plan:
    """Without a column now and then, so that no two databases of a domain are the same."""
    needed = {each.arguments[0] for each in plan.fields if each.maker == "later"}
    kept = [
        each
        for each in plan.fields
        if each.maker in (">", "first", "last") or each.name in needed or each is plan.fields[0] or rng.random() < 0.9
    ]
    return replace(plan, fields=tuple(kept))


def _rows(plan: Plan, makers: Makers, keys: dict[str, list[int]], rng: random.Random) -> list[Row]:
    count = len(plan.fields[0].arguments) if _is_list(plan) else plan.rows
    rows: list[Row] = [{} for _ in range(count)]
    for field in plan.fields:
        values = _values(plan, field, rows, makers, keys.get(field.parent or "", ()))
        for row, value in zip(rows, values, strict=True):
            row[field.name] = value
    first = rng.choice((1, 1, 1, 101, 1001))
    keys[plan.name] = list(range(first, first + count))
    for field in plan.fields:
        if field.parent == plan.name:
            _point_back(rows, field.name, keys[plan.name], rng)
    return rows


def _values(plan: Plan, field: Field, rows: list[Row], makers: Makers, parents: Sequence[int]) -> Sequence[Any]:
    if field.parent == plan.name:
        return [None] * len(rows)
    if field.maker == "each":
        return field.arguments
    made = makers.column(field, rows, parents)
    return field.arguments if field is plan.fields[0] and _is_list(plan) else made


def _point_back(rows: list[Row], name: str, keys: list[int], rng: random.Random) -> None:
    """Rows that point at rows of their own table: all but a few at one of the first quarter, which have none."""
    heads = _heads(len(rows))
    for place, row in enumerate(rows):
        row[name] = rng.choice(keys[:heads]) if place >= heads else None


def _heads(count: int) -> int:
    """How many rows, the first, point at no row of their own table."""
    return max(1, count // 4)


def _is_list(plan: Plan) -> bool:
    """Whether there is a row for each name of a list: departments, plans."""
    return plan.fields[0].maker == "of" and plan.rows <= 10 and not plan.key


def _load(
    connection: duckdb.DuckDBPyConnection,
    plan: Plan,
    rows: list[Row],
    keys: list[int],
    style: Style,
    plans: dict[str, Plan],
    is_declared: bool,
) -> None:
    columns = [f"{quote(style.key_of(plan))} INTEGER PRIMARY KEY"]
    columns += [_column(plan, field, plans, style, is_declared) for field in plan.fields]
    table = quote(style.table(plan))
    connection.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
    written = [", ".join(map(_written, (key, *row.values()))) for key, row in zip(keys, rows, strict=True)]
    for some in filter(None, (written[: _heads(len(rows))], written[_heads(len(rows)) :])):
        connection.execute(f"INSERT INTO {table} VALUES {', '.join(f'({each})' for each in some)}")


def _written(value: Any) -> str:
    """A value in SQL."""
    if value is None or isinstance(value, bool):
        return {None: "NULL", True: "true", False: "false"}[value]
    return str(value) if isinstance(value, int | float) else literal(str(value))


def _column(plan: Plan, field: Field, plans: dict[str, Plan], style: Style, is_declared: bool) -> str:
    name = style.pointer(plan, field.name) if field.parent else style.column(plan, field.name)
    kind = _kind(plan, field)
    parent = plans.get(field.parent or "")
    if parent and is_declared:
        kind += f" REFERENCES {quote(style.table(parent))} ({quote(style.key_of(parent))})"
    return f"{quote(name)} {kind}"


def _kind(plan: Plan, field: Field) -> str:
    """Its type in SQL; of what comes later than another column, that column's."""
    if field.maker == "later":
        return _kind(plan, next(each for each in plan.fields if each.name == field.arguments[0]))
    return _TYPES.get(field.maker, "VARCHAR")


def _catalog(connection: duckdb.DuckDBPyConnection) -> Catalog:
    session = Session(connection.cursor())
    values = ValueIndex()
    every = definitions(session, {})
    tables = []
    for key, defined in every.items():
        source = quote(key[1])
        tables.append(look(session, defined, source, Declared(), None))
        values.fill(*key, texts(session, tables[-1], source, _MOST_TEXTS))
    return Catalog(KeyFinder().tables(session, tables, dict.fromkeys(every)), values, is_kept=False)

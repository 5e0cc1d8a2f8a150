"""Names of tables, columns, values and ranges as a reading shows them, and what the passes share."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from typing import Any

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import (
    Col,
    Cond,
    Either,
    Expr,
    Product,
    Query,
    TableKey,
)

TIE = 0.04
_PIECES = frozenset(map(stem, ("quantity", "qty", "units", "pieces")))
OF_ONE = frozenset(map(stem, ("price", "cost", "weight", "value")))
"""What one unit is said to be worth: `unit_cost` is no number of units."""
AMOUNT_WORDS = frozenset(("value", "amount", "total", "size", "values", "totals", "revenue"))
NO_TABLE = Table("", "", ())


def counts_pieces(stems: Collection[str]) -> bool:
    """Whether a column of these stems tells a number of pieces: `quantity`, `units_sold`."""
    return not _PIECES.isdisjoint(stems) and OF_ONE.isdisjoint(stems)


def shown_name(key: TableKey) -> str:
    return key[1] if key[0] == "main" else f"{key[0]}.{key[1]}"


def label_of(target: Target) -> str:
    return f"{shown_name(target.table.key)}.{target.column.name}" if target.column else shown_name(target.table.key)


def hit_label(hit: ValueHit) -> str:
    return f"{shown_name((hit.schema, hit.table))}.{hit.column} = {hit.value}"


def factors(product: Product) -> str:
    """`price × quantity`, and what is taken from it."""
    less = f" × (1 − {product.discount.name})" if product.discount else ""
    off = f" − {product.off.name}" if product.off else ""
    return f"{product.price.name} × {product.quantity.name}{less}{off}"


def said_as(expression: Expr) -> str:
    if isinstance(expression, Col):
        return f"sum of {shown_name(expression.table)}.{expression.name}"
    if isinstance(expression, Product):
        return f"sum of {shown_name(expression.price.table)}.{factors(expression)}"
    return "count"


def range_text(start: dt.date | None, end: dt.date | None) -> str:
    last = end - dt.timedelta(days=1) if end else None
    if start and last:
        return start.isoformat() if start == last else f"{start.isoformat()} to {last.isoformat()}"
    return f"from {start.isoformat()}" if start else f"before {end.isoformat()}" if end else "any time"


def counted_from(day: dt.date) -> str:
    """What is assumed of a relative period."""
    return f"Relative periods count from {day.isoformat()}, the data's last day or today."


def flat(part: Any) -> Any:
    return (
        tuple(getattr(part, name) for name in ("select", "group", "order", "having"))
        if isinstance(part, Query)
        else part
    )


def flattened(conditions: tuple[Cond, ...]) -> list[Cond]:
    return [inner for each in conditions for inner in (each.any_of if isinstance(each, Either) else (each,))]

"""A short name for what a query shows, made from its tree: "Sum of orders.revenue by month"."""

from __future__ import annotations

from pluto_duck_text2sql.tree import Agg, Bucket, Col, Expr, Growth, Minus, Product, Query, Ratio, Rows, Running, Share

_FUNCTIONS = {
    "sum": "sum of",
    "avg": "average",
    "min": "lowest",
    "max": "highest",
    "median": "median",
    "count": "number of",
}


def title(query: Query) -> str:
    """What the query shows, in words."""
    keys = [each for each in query.select if isinstance(each, Col | Bucket)]
    values = [each for each in query.select if not isinstance(each, Col | Bucket)]
    if not values:
        text = ", ".join(words(each) for each in keys)
        return _capital(f"{text} of {query.anchor[1]}" if keys else query.anchor[1])
    text = ", ".join(words(each) for each in values)
    return _capital(text + (" by " + ", ".join(words(each) for each in keys) if keys else ""))


def words(expression: Expr) -> str:
    """One expression in words."""
    match expression:
        case Col(_, name):
            return name
        case Rows(table):
            return table[1]
        case Bucket(grain):
            return grain.replace("_", " ")
        case Agg("count", of, distinct):
            return f"number of {'different ' if distinct else ''}{words(of)}"
        case Agg(function, of):
            return f"{_FUNCTIONS[function]} {words(of)}"
        case Product(price, quantity):
            return f"{price.name} × {quantity.name}"
        case Share(of):
            return f"share of {words(of)}"
        case Growth(of):
            return f"growth of {words(of)}"
        case Running(of, _, last):
            return f"{'moving average' if last else 'running total'} of {words(of)}"
        case Ratio(top, _):
            return f"share of {words(top)}"
        case Minus(left, right):
            return f"{words(left)} less {words(right)}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

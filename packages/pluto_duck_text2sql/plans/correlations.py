"""`is there a correlation between price and quantity in Germany`: the pairs are listed, DuckDB correlates them."""

from __future__ import annotations

import re

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.plans.composing import quoted
from pluto_duck_text2sql.plans.readings import Readings, listed, planned
from pluto_duck_text2sql.plans.statistics import correlation
from pluto_duck_text2sql.tree import Agg, Col, Days, Expr, Product, Share, columns_in
from pluto_duck_text2sql.trees.titles import words

_REST = r"(?P<rest> (?:in|for|by|of|among|during|since|across|over|where|per|on) .+)?"
_DOES = r"^(?:do|does|is|are|how (?:\w+ )?(?:do|does|is|are))"
_LINK = r"(?:correlations?|relation(?:ship)?|association|link)"
_COUNTED = Pattern(r"^(?:the )?(?:number|amount|total|count) of ", re.IGNORECASE)
"""Of each row it is the number that is kept of it."""
_SAID = Pattern(r"\bcorrelat(?:e[sd]?|ions?|ing)\b", re.IGNORECASE)
_UNPLANNED = "A correlation is of two numbers that the same rows keep: name two such columns."
PATTERNS = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_LINK} between (?:the )?(?P<x>.+?) and (?:the )?(?P<y>.+?){_REST}$",
        rf"\bcorrelation of (?:the )?(?P<x>.+?) (?:and|with|to) (?:the )?(?P<y>.+?){_REST}$",
        rf"{_DOES} (?:the )?(?P<x>.+?) (?:correlated?|related) (?:with|to) (?:the )?(?P<y>.+?){_REST}$",
        rf"{_DOES} (?:the )?(?P<x>.+?) and (?:the )?(?P<y>.+?) (?:correlated?|related){_REST}$",
    )
)


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """Pairs of two numbers of one row, then how they go together."""
    x, y = (_COUNTED.sub("", found[each]) for each in "xy")
    base = readings.of(f"List {x} and {y}{found['rest'] or ''}")
    shown = tuple(map(_of_rows, base.tree.select)) if base else ()
    if base is None or base.tree.then or len(shown) != 2 or not all(_is_number(each, readings) for each in shown):
        return None
    sql = readings.sql(listed(base.tree, *shown))
    if sql is None:
        return None
    x, y = map(words, shown)
    x, y = (x, y) if x.casefold() != y.casefold() else (f"first {x}", f"second {y}")
    pairs = f"SELECT * FROM (\n{sql}\n) AS listed({quoted(x)}, {quoted(y)})"
    part = Part("pairs", f"{x} and {y} of each row", pairs)
    told = "A correlation says that two numbers go together, not that one makes the other."
    return planned([base], f"Correlation of {x} and {y}", [part], correlation("pairs", x, y), [told])


def untold(question: str, readings: Readings) -> str | None:
    """Why there is no correlation where one is asked for: no sum, share or ratio is one. None where none is asked for,
    or something is called so."""
    is_asked = _SAID.search(question) is not None
    return _UNPLANNED if is_asked and not _is_kept(readings) else None


def _is_kept(readings: Readings) -> bool:
    names = (column.name for table in readings.catalog.tables for column in table.columns)
    return any("correlation" in name.lower() for name in names)


def _of_rows(shown: Expr) -> Expr:
    """What is listed of each row where a reading adds it up: `discount and bottles` as the bottles by discount."""
    while isinstance(shown, Share | Agg) and isinstance(shown.of, Col | Agg):
        shown = shown.of
    return shown


def _is_number(shown: object, readings: Readings) -> bool:
    if isinstance(shown, Product | Days):
        return True
    if not isinstance(shown, Col):
        return False
    table = readings.catalog.table(*next(columns_in(shown)).table)
    column = table.column(shown.name) if table else None
    return column is not None and column.kind == "number"

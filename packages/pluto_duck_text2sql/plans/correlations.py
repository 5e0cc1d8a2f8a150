"""`is there a correlation between price and quantity in Germany`: the pairs are listed, DuckDB correlates them."""

from __future__ import annotations

import re

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.plans.composing import quoted
from pluto_duck_text2sql.plans.readings import Readings, listed, planned
from pluto_duck_text2sql.plans.statistics import correlation
from pluto_duck_text2sql.tree import Col, Days, Product, columns_in
from pluto_duck_text2sql.trees.titles import words

_REST = r"(?P<rest> (?:in|for|by|of|among|during|since|across|over|where|per|on) .+)?"
_DOES = r"^(?:do|does|is|are|how (?:\w+ )?(?:do|does|is|are))"
_LINK = r"(?:correlations?|relation(?:ship)?|association|link)"
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
    base = readings.of(f"List {found['x']} and {found['y']}{found['rest'] or ''}")
    if base is None or base.tree.group or base.tree.then or len(base.tree.select) != 2:
        return None
    if not all(_is_number(each, readings) for each in base.tree.select):
        return None
    sql = readings.sql(listed(base.tree, *base.tree.select))
    if sql is None:
        return None
    x, y = (words(each) for each in base.tree.select)
    x, y = (x, y) if x.casefold() != y.casefold() else (f"first {x}", f"second {y}")
    pairs = f"SELECT * FROM (\n{sql}\n) AS listed({quoted(x)}, {quoted(y)})"
    part = Part("pairs", f"{x} and {y} of each row", pairs)
    told = "A correlation says that two numbers go together, not that one makes the other."
    return planned([base], f"Correlation of {x} and {y}", [part], correlation("pairs", x, y), [told])


def _is_number(shown: object, readings: Readings) -> bool:
    if isinstance(shown, Product | Days):
        return True
    if not isinstance(shown, Col):
        return False
    table = readings.catalog.table(*next(columns_in(shown)).table)
    column = table.column(shown.name) if table else None
    return column is not None and column.kind == "number"

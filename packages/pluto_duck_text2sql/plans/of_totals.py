"""The median, a percentile or an extreme of totals: `median order value by year`, where an order's lines keep the
amounts, so that an order is worth what they add up to.

Their sum by group is a question of its own; it is taken of each order first. Their mean is one query
(reading/measuring.py).
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.plans.composing import quoted, with_columns
from pluto_duck_text2sql.plans.readings import Readings, keyed, planned, shown_keys
from pluto_duck_text2sql.tree import Agg, Col, Product, Query, is_total

_FUNCTION = (
    r"(?P<function>median|maximum|max|minimum|min|largest|highest|biggest|smallest|lowest"
    r"|(?P<at>\d{1,2})(?:st|nd|rd|th) percentile|p(?P<p>\d{1,2}))"
)
PATTERNS = (
    Pattern(
        rf"^(?:(?:what (?:is|was|'s) |(?:show|give)(?: me)? ))?(?:the |our )?{_FUNCTION}(?: of)?(?: the| our)?"
        r" (?P<one>[a-z]+) (?:value|worth|total|amount)s?"
        r"(?P<tail>(?: (?:by|per|for each|for every|in each|in every|in|during|since|for) .+)?)$",
        re.IGNORECASE,
    ),
)
_FUNCTIONS = {
    "median": "median",
    **dict.fromkeys(("maximum", "max", "largest", "highest", "biggest"), "max"),
    **dict.fromkeys(("minimum", "min", "smallest", "lowest"), "min"),
}


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """The total of each of them with its group, then the figure of these totals."""
    base = readings.of(f"total {found['one']} value{found['tail']}")
    key = _owner(base.tree, stem(found["one"].lower()), readings) if base else None
    if base is None or key is None:
        return None
    tree = base.tree
    total = next(each for each in tree.select if is_total(each))
    sql = readings.sql(replace(tree, select=(*tree.group, total), group=(*tree.group, key), order=()))
    if sql is None:
        return None
    named = keyed(tree.group)
    totals = Part("totals", f"the value of each {found['one']}", with_columns(sql, *named, "value"))
    title = f"{found['function']} {found['one']} value{found['tail']}".capitalize()
    return planned([base], title, [totals], _of_each(tree, _figure(found)), [])


def _owner(tree: Query, called: str, readings: Readings) -> Col | None:
    """The key by which the lines whose amounts are added up point to what is called so; None where it keeps them."""
    totals = [each for each in tree.select if is_total(each)]
    total = totals[0] if len(totals) == 1 and tree.is_plain else None
    if not isinstance(total, Agg) or total.function != "sum" or not isinstance(total.of, Product):
        return None
    lines = total.of.price.table
    steps = (each for each in readings.joins.neighbours(lines) if not each.multiplies)
    keys = [Col(lines, each.pairs[0][0]) for each in steps if table_stems(each.target[1])[-1:] == (called,)]
    return keys[0] if len(keys) == 1 else None


def _figure(found: re.Match[str]) -> str:
    """What is computed of the totals, with its name."""
    percent, function = found["at"] or found["p"], _FUNCTIONS.get(found["function"].lower(), "")
    if percent:
        return f"quantile_cont(value, {int(percent) / 100}) AS p{percent}_value"
    return f"{function}(value) AS {function}_value"


def _of_each(tree: Query, figure: str) -> str:
    """The figure of all totals, or of those of each group."""
    if not tree.group:
        return f"SELECT {figure} FROM totals"
    shown = [f"{key} AS {quoted(name)}" for key, name in shown_keys(tree, tree.group).items()]
    order = ", ".join(str(n + 1) for n in range(len(shown)))
    return f"SELECT {', '.join(shown)}, {figure} FROM totals GROUP BY {', '.join(keyed(tree.group))} ORDER BY {order}"

"""What the first make up together: `cumulative share of revenue by category`, `Pareto of sales by country`, `how many
customers make up 80% of our sales`.

The figure of each is a question of its own; its rows are added up from the largest on.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.plans.composing import quoted, with_columns
from pluto_duck_text2sql.plans.readings import Readings, called, planned
from pluto_duck_text2sql.tree import Agg, Bucket, Expr, Query, is_total, nodes_in
from pluto_duck_text2sql.trees.titles import words

_LEAD = r"^(?:(?:show|give|list|make|draw|what is|what are)(?: me)? )?(?:the |our |an? )?"
_LARGEST = (
    r"(?:,? (?:the )?(?:largest|biggest|highest|most|best|top)(?: [a-z]+)? first|,? (?:in )?descending(?: order)?)?"
)
_COLUMNS = r"(?:\s*[:;] .+)?"
_PERCENT = r" ?(?:%|percent|per cent)"
PATTERNS = (
    *(
        Pattern(_LEAD + pattern + rf"{_LARGEST}{_COLUMNS}$", re.IGNORECASE)
        for pattern in (
            r"(?:cumulative|running|accumulated) (?P<share>share|percentage|percent|proportion|%)s?(?: of| in)?"
            r" (?:the |our |total )*(?P<what>[a-z].*?) (?:by|per|for each|across) (?P<by>[a-z].*?)",
            r"pareto(?: analysis| chart| table| curve| distribution)?(?P<share>)(?: of| for) (?:the |our )?"
            r"(?P<what>[a-z].*?) (?:by|per|across) (?P<by>[a-z].*?)",
            r"(?P<what>[a-z][a-z ]*?) by (?P<by>[a-z][a-z ]*?) with (?:the |its |their )?(?:cumulative|running)"
            r" (?P<share>share|percentage|percent|proportion)",
        )
    ),
    Pattern(
        r"^how many (?P<by>[a-z][a-z ]*?) (?:(?:does it|do we) (?:take|need) to )?(?:together )?"
        r"(?:makes? up|accounts? for|generate|bring in|contribute|represent|are responsible for|cover|reach|get to)"
        rf" (?P<n>\d+(?:\.\d+)?){_PERCENT}"
        r" of (?:the |our |all |total )*(?P<what>[a-z].*)$",
        re.IGNORECASE,
    ),
)
_WHEN = Pattern(r"^(?P<by>.+?)(?P<when>,? (?:in|during|since|for|over|this|last|between|from) .+)$", re.IGNORECASE)


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """Each with its figure and what it and those before it make up; or how many it takes."""
    when, by = _WHEN.match(found["by"]), found["by"]
    by, tail = (when["by"], when["when"]) if when else (by, "")
    asked = (f"{lead}{found['what']} by {by}{tail}" for lead in ("total ", "", "number of "))
    base = next((each for text in asked if (each := readings.of(text)) and _figure(each.tree)), None)
    figure = _figure(base.tree) if base else None
    if base is None or figure is None:
        return None
    keys = [each for each in base.tree.select if each != figure]
    sql = readings.sql(replace(base.tree, select=(*keys, figure), order=()))
    if sql is None:
        return None
    names = [called(each) for each in keys]
    part = Part("observed", f"{found['what']} of each", with_columns(sql, *names, "figure"))
    told = ["Added up from the largest to the smallest."]
    if "n" in found.groupdict():
        return planned([base], f"How many make up {found['n']} %", [part], _enough(float(found["n"])), told)
    scale = 1 if found["share"].lower() in ("share", "proportion") else 100
    last = _shares([quoted(each) for each in names], words(figure), scale)
    return planned([base], f"Cumulative share of {found['what']}", [part], last, told)


def _figure(tree: Query) -> Expr | None:
    """The one amount or number that a plain tree by kinds shows; none of it is a mean, which cannot be added up."""
    figures = [each for each in tree.select if is_total(each)]
    keys = [each for each in tree.select if each not in figures]
    is_fit = len(figures) == 1 and bool(keys) and tree.is_plain and not any(isinstance(each, Bucket) for each in keys)
    made = figures[0] if is_fit else None
    adds = isinstance(made, Agg) and made.function in ("sum", "count") and not made.distinct
    return made if adds and not any(isinstance(each, Query) for each in nodes_in(made)) else None


def _shares(keys: list[str], figure: str, scale: int) -> str:
    listed = ", ".join(keys)
    run = f"sum(figure) OVER (ORDER BY figure DESC, {listed} ROWS UNBOUNDED PRECEDING)"
    top = f"{scale} * CAST({run} AS DOUBLE)" if scale > 1 else f"CAST({run} AS DOUBLE)"
    return (
        f"SELECT {listed}, figure AS {quoted(figure)}, {top} / nullif(sum(figure) OVER (), 0) AS cumulative_share\n"
        f"FROM observed ORDER BY figure DESC NULLS LAST, {listed}"
    )


def _enough(percent: float) -> str:
    """How many of the largest come to that part, the one by which it is reached with them."""
    before = "sum(figure) OVER (ORDER BY figure DESC ROWS UNBOUNDED PRECEDING) - figure"
    added = f"SELECT {before} AS before, sum(figure) OVER () AS whole FROM observed"
    return f"SELECT count(*) AS number FROM ({added}) AS added\nWHERE before < whole * {percent / 100}"

"""`outliers in freight`: the rows are listed with their key, those far from the middle half are shown."""

from __future__ import annotations

import re

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.plans.composing import quoted
from pluto_duck_text2sql.plans.readings import Readings, figure, listed, planned
from pluto_duck_text2sql.plans.statistics import outliers
from pluto_duck_text2sql.tree import Col, Nested
from pluto_duck_text2sql.trees.titles import words

PATTERNS = (
    Pattern(
        r"\b(?:outliers?|anomal(?:y|ies)|unusual values?|extreme values?) (?:in|of|among|for|by) (?:the )?"
        r"(?P<what>.+)$",
        re.IGNORECASE,
    ),
)


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """A number of each row, then the rows beyond Tukey's fences."""
    base = readings.of(f"average {found['what']}")
    mean = figure(base, ("avg",))
    if base is None or mean is None or isinstance(mean.of, Nested):
        return None
    table = readings.catalog.table(*base.tree.anchor)
    key = [Col(base.tree.anchor, name) for name in table.primary_key] if table else []
    sql = readings.sql(listed(base.tree, *key, mean.of))
    if sql is None:
        return None
    names = ", ".join(quoted(name) for name in [*(column.name for column in key), words(mean.of)])
    part = Part("observed", f"{words(mean.of)} of each row", f"SELECT * FROM (\n{sql}\n) AS listed({names})")
    told = "Outliers are beyond the middle half by more than one and a half times its width."
    last = outliers("observed", words(mean.of))
    return planned([base], f"Outliers of {words(mean.of)}", [part], last, [told])

"""`is the difference in average freight between Germany and France significant`: two samples, their means compared."""

from __future__ import annotations

import re

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.plans.composing import quoted
from pluto_duck_text2sql.plans.readings import Readings, figure, listed, planned
from pluto_duck_text2sql.plans.statistics import FEW, difference
from pluto_duck_text2sql.tree import Nested

_MEAN = r"(?:the )?(?:average |mean |avg )?"
_AT = r"(?:for|in|on|by|with|of|from|at) "
PATTERNS = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:difference|gap) (?:in|of) {_MEAN}(?P<what>.+?) between (?P<a>.+?) and (?P<b>.+?)"
        r" (?:\w+ )?significant",
        rf"\bsignificant (?:difference|gap) in {_MEAN}(?P<what>.+?) between (?P<a>.+?) and (?P<b>.+)$",
        rf"^(?:is|are|was|were) {_MEAN}(?P<what>.+?) (?:statistically )?significantly (?:\w+) (?:{_AT})?(?P<a>.+?)"
        rf" than (?:{_AT})?(?P<b>.+)$",
        rf"^(?:does|do|did) {_MEAN}(?P<what>.+?) differ (?:statistically )?significantly between (?P<a>.+?)"
        r" and (?P<b>.+)$",
    )
)


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """The values of either group, then the difference of their means with its interval."""
    bases = [readings.of(f"average {found['what']} for {found[group]}") for group in "ab"]
    samples = [_sample(base, readings) for base in bases]
    kept = [base for base in bases if base]
    if len(kept) != 2 or not all(samples) or kept[0].sql == kept[1].sql:
        return None
    names = [found["a"], found["b"]]
    parts = [
        Part(name, f"{found['what']} of {said}", f"SELECT * FROM (\n{sql}\n) AS listed(value)")
        for name, said, sql in zip(("first_group", "second_group"), names, samples, strict=True)
    ]
    both = " UNION ALL ".join(
        f"SELECT {_text(said)} AS {quoted('group')}, value FROM {part.name}"
        for part, said in zip(parts, names, strict=True)
    )
    parts.append(Part("observed", "both groups", both))
    told = f"The interval is at 95 % and takes some {FEW} rows of each group or more."
    title = f"Difference in average {found['what']} between {names[0]} and {names[1]}"
    return planned(kept, title, parts, difference("observed", "group", "value"), [told])


def _sample(base: Candidate | None, readings: Readings) -> str | None:
    """The values that an average is taken of."""
    mean = figure(base, ("avg",))
    if base is None or mean is None:
        return None
    return readings.sql(mean.of.query if isinstance(mean.of, Nested) else listed(base.tree, mean.of))


def _text(said: str) -> str:
    return "'" + said.replace("'", "''") + "'"

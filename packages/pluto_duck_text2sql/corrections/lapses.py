"""Last and not since: `trails last inspected in 2024`, `trails not inspected since May`, by the last day kept.

Called by `corrections` for every tree. A date called last (`last_inspected_on`) is that of the latest
such deed: nothing was done since a day where it is before that. A row that keeps none never had it done, and is one of
those, unless the question leaves it out.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.event_dates import is_last
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems
from pluto_duck_text2sql.tree import Col, Compare, Cond, During, Either, Missing, Query
from pluto_duck_text2sql.trees.durations import rooted

_NOT = r"(?:\bnot|n['’]t|\bnever|\bno)"
_NOT_SINCE = Pattern(
    rf"{_NOT} (?:(?:been|yet|had|an?|any) )*(?P<deed>[a-z]{{3,}}(?: in)?)(?: again)?"
    r" (?:since|after|in|during|within|for|over)\b",
    re.IGNORECASE,
)
_LEFT_OUT = Pattern(
    r"\b(?:leav(?:e|ing) out|ignor(?:e|ing)|skip(?:ping)?|exclud(?:e|ing)|without|but not|only) (?:the |those |ones )*"
    r"(?:[a-z]+ )?(?:with no|without|that have (?:no|never)|never|with an?|that have an?)\b",
    re.IGNORECASE,
)
"""`leave out those with no inspection date`, `only those with a date`."""
_LAST_DONE = Pattern(
    r"(?<!\bthe )\blast [a-z]{3,}(?:ed|en) (?:in|before|since|after|on|during|more|less|over|at|by|this|last)\b",
    re.IGNORECASE,
)


def lapsed(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with what was not done since a day as done last before it, and all that was done last within a time."""
    query = _all_of_them(query, question, catalog)
    said = _NOT_SINCE.search(question)
    if said is None:
        return query
    roots = rooted(name_stems(said["deed"]))
    dates = {each.left: day for each in query.where if (day := _first_day(each)) and isinstance(each.left, Col)}  # type: ignore[union-attr]
    last = [each for each in dates if is_last(each, catalog) and not roots.isdisjoint(rooted(name_stems(each.name)))]
    if len(last) != 1:
        return query
    before: Cond = Compare(last[0], "<", dates[last[0]])
    whole = before if _LEFT_OUT.search(question) else Either((before, Missing(last[0])))
    kept = tuple(each for each in query.where if getattr(each, "left", None) != last[0])
    return replace(query, where=(*kept, whole))


def _all_of_them(query: Query, question: str, catalog: Catalog) -> Query:
    """`trails last inspected in 2024`: each of them, not the last of all."""
    by = query.order[0].by if query.order else None
    is_one = query.limit == 1 and isinstance(by, Col) and is_last(by, catalog) and not query.group
    within = any(getattr(each, "left", None) == by for each in query.where)
    return replace(query, order=(), limit=None) if is_one and within and _LAST_DONE.search(question) else query


def _first_day(condition: Cond) -> dt.date | None:
    """The day from which on a date must be."""
    if isinstance(condition, During):
        return condition.start
    is_bound = isinstance(condition, Compare) and condition.operator in (">=", ">")
    day = condition.right if is_bound else None  # type: ignore[union-attr]
    return day if isinstance(day, dt.date) else None

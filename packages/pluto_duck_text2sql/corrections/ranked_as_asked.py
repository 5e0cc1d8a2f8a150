"""One is asked for by the most or least of a figure: `which station has the biggest gap between …? name and gap`.

Called by `corrections` for every tree. One that shows the figure of all groups in no order has not answered which.
Pure.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.superlatives import is_high, is_low
from pluto_duck_text2sql.tree import Col, Order, Query, is_total

_ASKED = Pattern(
    r"^(?:and |so )?(?:which|what) (?P<who>[a-z]+(?: [a-z]+)?) (?:has|had|is|was|gets?|got|makes?|made|shows?|showed)"
    r" (?:the |our )?(?P<way>[a-z]+est|most|least)\b",
    re.IGNORECASE,
)
_EACH = Pattern(r"\b(?:each|every|per month|per year|by month|by year)\b", re.IGNORECASE)


def ranked_as_asked(query: Query, question: str) -> Query:
    """The tree of all groups with the one first and alone that has the most, or the least."""
    said = _ASKED.match(question.strip())
    figures = [each for each in query.select if is_total(each)]
    if said is None or not query.group or query.limit or query.then or query.having or query.per or len(figures) != 1:
        return query
    if said["who"].lower().endswith("s") or _EACH.search(question) or not _are_keys(query):
        return query
    way = said["way"].lower()
    if not (way == "most" or is_high(way) or is_low(way)):
        return query
    first = Order(figures[0], not is_low(way))
    rest = tuple(each for each in query.order if each.by != figures[0])
    return replace(query, order=(first, *rest), limit=1)


def _are_keys(query: Query) -> bool:
    """Whether all else that is shown are columns."""
    return all(isinstance(each, Col) or is_total(each) for each in query.select)

"""A share along time is one of each period's total: `share of each channel in revenue by quarter`.

Called by `corrections` for every tree. Of all periods together it is where the question says so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Bucket, Query, Share, kinds_in, mapped

_OF_ALL = Pattern(
    r"(?i)\b(?:overall|grand total|of (?:the )?(?:whole|entire) (?:year|period|time)|of (?:the )?year's)\b"
)


def within_periods(query: Query, question: str) -> Query:
    """The tree with shares of kinds and periods within each period."""
    if Share not in kinds_in(query) or _OF_ALL.search(question):
        return query
    times = tuple(each for each in query.group if isinstance(each, Bucket))
    if not times or len(times) == len(query.group):
        return query
    made: Query = mapped(query, lambda node: _within(node, times), (Share,))
    return made


def _within(node: Any, times: tuple[Bucket, ...]) -> Any:
    return replace(node, by=times) if isinstance(node, Share) and not node.by else node

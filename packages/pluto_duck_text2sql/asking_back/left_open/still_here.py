"""Who or what is still here: `how many game masters do we have` may count those who have left.

Rows that keep when somebody left, or when a thing was sold, died or was retired, are all that were ever here, or those
that still are. Where nothing in the question says the time, `do we have` may be said of either.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, counted
from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Col, Missing, Query
from pluto_duck_text2sql.trees.phrases import shown_name

_ASKED = "With those that are no longer here?"
_HAVE = Pattern(
    r"\b(?:do|have) we (?:have|got|employ)\b"
    r"|\b(?:number of|how many) (?:employees|staff|workers|colleagues|people work)\b",
    re.IGNORECASE,
)
_TOLD = Pattern(
    r"\b(?:ever|all|current\w*|now|still|former\w*|left|today|active|past|sold|died|dead|alive"
    r"|retired|closed|open|on (?:file|record|the books))\b",
    re.IGNORECASE,
)

_LEFT = frozenset(map(stem, "left leave leaving resigned resignation quit departed terminated termination".split()))

_GONE = frozenset(
    map(stem, "sold deceased died death retired retirement scrapped disposed decommissioned closed closure".split())
)
"""What becomes of things and animals; what happens, as a case does, is closed and still counted."""


def still_here(question: str, query: Query, data: Data) -> Opening | None:
    """All that a tree counts, and those that have not left."""
    key = counted(query)
    if key is None or query.where or not _HAVE.search(question) or _TOLD.search(question):
        return None
    table = data.table(key)
    ended = [each for each in table.columns if each.is_time and _is_gone(each, table, data)]
    left = [Col(key, each.name) for each in ended if 0 < (each.null_fraction or 0) < 1]
    if len(left) != 1:
        return None
    here = replace(query, where=(*query.where, Missing(left[0])))
    return Opening(_ASKED, ((f"all of {shown_name(key)}", query), (f"without {left[0].name}", here)))


def _is_gone(date: Column, table: Table, data: Data) -> bool:
    """Whether a date tells that a row is no longer here: one of somebody, or of a thing that others point at."""
    stems = table.stems(date.name)
    is_thing = date.is_day and bool(data.joins.children(table.key))
    return not _LEFT.isdisjoint(stems) or (is_thing and not _GONE.isdisjoint(stems))

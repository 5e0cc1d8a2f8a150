"""Who is still here: `how many game masters do we have` may count those who have left.

Rows that keep when somebody left are all that were ever here, or those that still are. Where nothing in
the question says the time, `do we have` may be said of either.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, counted
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Col, Missing, Query
from pluto_duck_text2sql.trees.phrases import shown_name

_ASKED = "With those that have left?"
_HAVE = Pattern(
    r"\b(?:do|have) we (?:have|got|employ)\b"
    r"|\b(?:number of|how many) (?:employees|staff|workers|colleagues|people work)\b",
    re.IGNORECASE,
)
_TOLD = Pattern(
    r"\b(?:ever|all|current\w*|now|still|former\w*|left|today|active|past|on (?:file|record|the books))\b",
    re.IGNORECASE,
)

_LEFT = frozenset(map(stem, "left leave leaving resigned resignation quit departed terminated termination".split()))


def still_here(question: str, query: Query, data: Data) -> Opening | None:
    """All that a tree counts, and those that have not left."""
    key = counted(query)
    if key is None or query.where or not _HAVE.search(question) or _TOLD.search(question):
        return None
    table = data.table(key)
    ended = [each for each in table.columns if each.is_time and not _LEFT.isdisjoint(table.stems(each.name))]
    left = [Col(key, each.name) for each in ended if 0 < (each.null_fraction or 0) < 1]
    if len(left) != 1:
        return None
    here = replace(query, where=(*query.where, Missing(left[0])))
    return Opening(_ASKED, ((f"all of {shown_name(key)}", query), (f"without {left[0].name}", here)))

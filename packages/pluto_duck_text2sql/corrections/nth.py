"""The one at a place: `the third most expensive` is the last of the first three.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Query

_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split()
_MOST = "most highest largest biggest longest greatest".split()
_LEAST = "least lowest smallest shortest cheapest fewest".split()
_DATED = "best worst oldest youngest newest latest earliest fastest slowest".split()
_NTH = Pattern(
    rf"\b(?P<nth>{'|'.join(_ORDINALS)})[- ](?P<most>{'|'.join((*_MOST, *_LEAST, *_DATED))})\b", re.IGNORECASE
)


def nth(query: Query, question: str) -> Query:
    """`the third most expensive`: the last of the first three."""
    found = list(_NTH.finditer(question))
    if len(found) != 1 or not query.order or query.limit is None:
        return query
    place, most = _ORDINALS.index(found[0]["nth"].lower()) % 9 + 2, found[0]["most"].lower()
    descends = most in _MOST if most in (*_MOST, *_LEAST) else query.order[0].descending
    order = (replace(query.order[0], descending=descends), *query.order[1:])
    return replace(query, limit=place, nth=True, order=order)

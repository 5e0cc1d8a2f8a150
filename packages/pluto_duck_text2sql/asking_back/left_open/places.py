"""Whose place is meant: `Leeds customers` live there, or are those of a branch there.

A thing that has a place of its own and belongs to something else that has one, too: where both hold the value that the
question says, and no word names what it belongs to, both may be meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_text2sql.asking_back.left_open.deeds import are_people
from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, full_name, only_total
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Col, Compare, Query
from pluto_duck_text2sql.trees.parts import swapped

_ASKED = "Whose {} do you mean?"
_PLACES = frozenset(map(stem, "city town country region state county district".split()))
_LIVE = Pattern(r"\b(?:live[sd]?|living|reside\w*|based|home|from|located|addresses?)\b", re.IGNORECASE)


def whose_place(question: str, query: Query, data: Data) -> Opening | None:
    """The tree by the place of what it counts, and by that of what this belongs to."""
    total = only_total(query)
    places = [each for each in query.where if isinstance(each, Compare) and _is_place(each, data)]
    if total is None or len(places) != 1 or _LIVE.search(question):
        return None
    own, value = places[0].left, places[0].right
    ways = [(full_name(each), swapped(query, own, each)) for each in _others(own, value, data)]  # type: ignore[arg-type]
    return Opening(_ASKED.format(own.name), ((full_name(own), query), *ways)) if ways else None  # type: ignore


def _is_place(condition: Compare, data: Data) -> bool:
    left = condition.left
    is_equal = isinstance(left, Col) and condition.operator == "=" and isinstance(condition.right, str)
    return is_equal and _kind(left, data) in _PLACES  # type: ignore[arg-type]


def _kind(place: Col, data: Data) -> str:
    """The last word of its name."""
    return next(reversed(data.table(place.table).stems(place.name)), "")


def _others(place: Col, value: str, data: Data) -> Iterator[Col]:
    """The places of the same kind, that hold the value, of what the rows point at themselves.

    That of who looks after them is not theirs.
    """
    hits = data.catalog.values.lookup(value, 50)
    for step in data.joins.neighbours(place.table):
        if not step.multiplies and not are_people(step.target, data):
            held = (Col(step.target, hit.column) for hit in hits if (hit.schema, hit.table) == step.target)
            yield from (each for each in held if _kind(each, data) == _kind(place, data))

"""Moving averages over so many days go by day, whatever an answer would go by: a `7-day moving average` of orders is of
seven days each, and no mean of seven weeks.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re
from typing import Any, cast

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Bucket, Grain, Query, Running, mapped, nodes_in

_UNIT = "day|week|month|quarter|year"
_MOVING = Pattern(
    rf"\b\w+[ -](?P<unit>{_UNIT})s?[ -](?:moving|rolling|trailing|sliding) (?:average|mean|avg)\b", re.IGNORECASE
)
_GRAIN_SAID = Pattern(
    rf"\b(?:(?:by|per|each|every) (?:{_UNIT})|daily|weekly|monthly|quarterly|yearly|annual\w*)\b", re.IGNORECASE
)


def by_moving_unit(query: Query, question: str) -> Query:
    """The tree by the unit that its moving average is said in, where the question names no other."""
    said = _MOVING.search(question)
    if said is None or _GRAIN_SAID.search(question):
        return query
    unit = cast(Grain, said["unit"].lower())
    keys = {each.over for each in nodes_in(query) if isinstance(each, Running) and each.last}

    def by_unit(node: Any) -> Any:
        return Bucket(unit, node.of) if isinstance(node, Bucket) and node in keys else node

    made: Query = mapped(query, by_unit, (Bucket,)) if keys else query
    return made

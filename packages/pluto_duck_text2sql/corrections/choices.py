"""Alternatives that are none: `(a and b) or (a and b)` is a and b, `(a and b) or a` is a.

Called by `corrections` for every tree. The network writes such where a phrase is heard twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.tree import Cond, Either, Every, Query, mapped


def without_idle_choices(query: Query) -> Query:
    """The tree with each alternative once, without those that another one holds whole."""
    made: Query = mapped(query, _plain, (Either,))
    where = tuple(part for each in made.where for part in _parts(each))
    return made if made == query else replace(made, where=tuple(dict.fromkeys(where)))


def _plain(node: Any) -> Any:
    if not isinstance(node, Either):
        return node
    sets = [frozenset(_parts(each)) for each in node.any_of]
    kept = [each for n, each in enumerate(node.any_of) if not any(_holds(sets, n, m) for m in range(len(sets)))]
    return node if len(kept) == len(node.any_of) else kept[0] if len(kept) == 1 else Either(tuple(kept))


def _holds(sets: list[frozenset[Cond]], one: int, other: int) -> bool:
    """Whether an alternative says no less than another one, of two alike than the first."""
    return one != other and sets[other] <= sets[one] and (sets[other] < sets[one] or other < one)


def _parts(condition: Cond) -> Iterator[Cond]:
    """The conditions that must all hold for it."""
    return iter(condition.all_of) if isinstance(condition, Every) else iter((condition,))

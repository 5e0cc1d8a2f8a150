"""The figure of the one that came first, at another time: `how much was it?` and `in 2023?` asks of the same one,
whoever came first then.
"""

from __future__ import annotations

from dataclasses import replace

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.filters import filters
from pluto_duck_text2sql.followups.times import periods
from pluto_duck_text2sql.followups.trees import shown_rows
from pluto_duck_text2sql.tree import Query, is_total
from pluto_duck_text2sql.trees.parts import subject


def of_same_winner(turn: Turn) -> Draft | None:
    """The figure with the follow-up's periods and conditions, of the one whose figure it was; None where it says more,
    or the figure was of no one named before."""
    query = turn.earlier
    inside = shown_rows(query, turn.reader) if _is_of_one_named(turn) else None
    if inside is None:
        return None
    bare = replace(query, anchor=subject(query), group=(), order=(), limit=None, having=())
    made = filters(turn, periods(turn, Draft(bare))[0])[0]
    if not made.changes or turn.fragment.left_over(set(made.used)):
        return None
    held = replace(made.query, where=(*made.query.where, inside))
    return made.changed(held, "of the one just shown")


def _is_of_one_named(turn: Turn) -> bool:
    """Whether the last answer is the figure alone of the one that the answer before it named."""
    if len(turn.trees) < 2:
        return False
    named, query = turn.trees[-2:]
    is_first = query.limit == 1 and bool(query.group) and all(map(is_total, query.select))
    return is_first and _ranked(named) == _ranked(query) and not all(map(is_total, named.select))


def _ranked(query: Query) -> tuple[object, ...]:
    """What an answer is of, and what it is the first by."""
    return query.group, query.where, query.order[:1], query.limit, query.nth

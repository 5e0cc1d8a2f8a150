"""`back to counts`, `in absolute numbers`, `not as a percentage`: the figures that the shares before were made of."""

from __future__ import annotations

from typing import Any

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.tree import Query, Share, mapped


def in_numbers(turn: Turn) -> Draft | None:
    """The answer before with its parts of a total as what they are parts of; None where nothing is so asked, or it
    shows none."""
    query = turn.earlier
    made: Query = mapped(query, _of) if turn.frame.has("absolute") else query
    return Draft(query).changed(made, "measured → in numbers, not as shares") if made != query else None


def _of(node: Any) -> Any:
    return node.of if isinstance(node, Share) else node

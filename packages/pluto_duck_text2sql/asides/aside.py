"""What is said beside what is asked: a question without it, and what it changes in the tree of the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pluto_duck_text2sql.tree import Query

Change = Callable[[Query], Query | None]
"""The tree with what was said; None where it cannot be said of it."""


@dataclass(frozen=True)
class Aside:
    """A question without its aside, what that changes in a tree, and what is told of it."""

    text: str
    change: Change
    told: tuple[str, ...] = ()

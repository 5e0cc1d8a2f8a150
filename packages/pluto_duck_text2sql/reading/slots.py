"""The roles that the parts of a question fill, the ways to read one thing, and a question that fills none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.reading.accounts import nothing_lost
from pluto_duck_text2sql.reading.cues import Cue
from pluto_duck_text2sql.tree import Query


class Unreadable(ValueError):
    """The question names nothing that a query could be made of.

    `unclaimed` are its unexplained words, `lost_by` tells those that leave no mark in another reading's tree,
    `passed_over` those of them that no answer may leave out.
    """

    unclaimed: list[str] = []
    asked: str = ""
    told: str = ""
    lost_by: Callable[[Query], list[str]] = staticmethod(nothing_lost)
    passed_over: Callable[[Query], list[str]] = staticmethod(nothing_lost)


@dataclass(frozen=True)
class Choice:
    """Two or more ways to read one thing: what it is about, and the labels, the chosen one first."""

    about: str
    labels: tuple[str, ...]


@dataclass
class Slots:
    """The roles filled so far."""

    shown: list[Mention] = field(default_factory=list)
    measures: list[tuple[str, Mention | None, bool]] = field(default_factory=list)
    groups: list[Mention] = field(default_factory=list)
    orders: list[tuple[Mention | None, bool]] = field(default_factory=list)
    values: list[tuple[Mention, bool]] = field(default_factory=list)
    compares: list[tuple[Cue, Mention | None]] = field(default_factory=list)
    also: list[Mention] = field(default_factory=list)
    absent: list[Mention] = field(default_factory=list)
    filters: list[tuple[Mention, bool]] = field(default_factory=list)
    likes: list[tuple[Cue, str, Mention | None, bool]] = field(default_factory=list)
    best: Cue | None = None
    best_of: Mention | None = None
    each: bool = False
    entity: Mention | None = None

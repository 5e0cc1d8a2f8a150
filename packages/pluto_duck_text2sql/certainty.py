"""How likely the answer that goes out is right, from 0 to 1: what is told to people, and what a router goes by.

The ranker's own figure knows a question's readings; this curve judges the one that was chosen, also where rules put it
first, among all that is known of the question. Fitted by `pluto_duck_training calibrate`; for what leans on the answers
before it, by `pluto_duck_training turns`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

import numpy as np

from pluto_duck_text2sql.learned.features import counted
from pluto_duck_text2sql.learned.model import load
from pluto_duck_text2sql.learned.network import Floats
from pluto_duck_text2sql.learned.ranking import on_curve
from pluto_duck_text2sql.pool import Entry, Scored
from pluto_duck_text2sql.tree import Inside, Query, Related, all_nodes_in

_LEAST = 1e-4
_LEAST_KEPT = 0.05
"""What part of the confidence in the answer before a turn keeps at least."""
_MOST_BEFORE = 3
"""Of longer dialogues too little is known to tell their turns from the third."""
_MOST_ROWS = 5_000
"""Of how many rows a turn finds no more are told."""


@dataclass(frozen=True)
class Grounds:
    """What the confidence in a reading rests on."""

    ranked: float
    #   what the ranker gives it, as log odds
    is_empty: float
    #   1 where it finds nothing
    written: float
    #   how likely the network writes what finds these rows, from 0 to 1
    rival: float
    #   what the ranker gives the likeliest reading that finds other rows, from 0 to 1
    unnamed: float
    #   how many columns it uses that no word names, as a logarithm of one more
    held: float
    #   how likely the data holds an answer at all, as log odds
    gaps: float
    #   1 where something that it shows is missing
    repeats: float
    #   1 where it shows a row twice

    def told(self) -> Floats:
        """As the curve takes it."""
        return np.array(astuple(self), np.float32)


@dataclass(frozen=True)
class Before:
    """What a turn leans on: how many questions came before it, how many of their answers are known, and how sure the
    last of these is."""

    asked: int
    known: int
    sure: float


@dataclass(frozen=True)
class TurnGrounds:
    """What the confidence in the reading of a question that leans on those before it rests on."""

    said: float
    #   what the reading says of itself, as log odds
    words: float
    #   how many words the question has, as a logarithm
    before: float
    #   how many questions came before it, as a logarithm
    lost: float
    #   how many of these it knows no answer of, as a difference of logarithms
    own: float
    #   how sure it is beside the answer before, as a logarithm: 0 where it adds no doubt
    nested: float
    #   how many queries it is made of, as a logarithm
    rows: float
    #   how many rows it finds, as a logarithm of one more

    @staticmethod
    def of(said: float, question: str, before: Before, query: Query, found: int) -> TurnGrounds:
        """Of a reading that says how likely it is right, from 0 to 1, and finds so many rows."""
        asked, known = (math.log(min(max(each, 1), _MOST_BEFORE)) for each in (before.asked, before.known))
        kept = min(max(said / max(before.sure, _LEAST), _LEAST_KEPT), 1.0)
        queries = sum(isinstance(each, Query) for each in all_nodes_in(query))
        return TurnGrounds(
            said=log_odds(said),
            words=math.log(max(len(question.split()), 1)),
            before=asked,
            lost=asked - known,
            own=math.log(kept),
            nested=math.log(max(queries, 1)),
            rows=math.log1p(min(found, _MOST_ROWS)),
        )

    def told(self) -> Floats:
        """As the curve takes it."""
        return np.array(astuple(self), np.float32)


def grounds(entry: Entry, scored: Scored) -> Grounds:
    """What speaks for an entry among those of its question."""
    every = [each for each, _ in scored.entries]
    alike = [each for each in every if each.is_like(entry)]
    return Grounds(
        ranked=log_odds(entry.ranked),
        is_empty=float(entry.rows is not None and not entry.rows and not _only_denies(entry.query)),
        written=min(sum(math.exp(each.sketch.score) for each in alike if each.sketch), 1.0),
        rival=max((each.ranked for each in every if not each.is_like(entry)), default=0.0),
        unnamed=math.log1p(entry.unnamed),
        held=log_odds(scored.answerable),
        gaps=_has_gaps(entry.rows or ()),
        repeats=float(len(entry.counted or ()) < len(entry.rows or ())),
    )


def showing(of: Grounds, rows: Sequence[tuple[Any, ...]]) -> Grounds:
    """The grounds of a reading of which these are the rows that go out."""
    return replace(of, gaps=_has_gaps(rows), repeats=float(len(counted(rows) or ()) < len(rows)))


def _has_gaps(rows: Sequence[tuple[Any, ...]]) -> float:
    return float(any(cell is None for row in rows for cell in row))


def _only_denies(query: Query) -> bool:
    """Whether all that it says of its rows is what they lack: that it finds none tells that each of them has it."""
    return bool(query.where) and all(isinstance(each, Related | Inside) and each.negated for each in query.where)


def certainty(of: Grounds) -> float:
    """How likely such a reading is right."""
    return on_curve(load().ranker.certain, of.told())


def certainty_in_turn(of: TurnGrounds) -> float:
    """How likely such a reading of a dialogue's turn is right."""
    return on_curve(load().ranker.in_turn, of.told())


def log_odds(probability: float) -> float:
    """The logarithm of its odds, from -9.2 to 9.2."""
    bounded = min(max(probability, _LEAST), 1 - _LEAST)
    return math.log(bounded) - math.log(1 - bounded)

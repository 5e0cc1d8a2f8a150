"""How likely the answer that goes out is right, from 0 to 1: what is told to people, and what a router goes by.

The ranker's own figure knows a question's readings; this curve judges the one that was chosen, also where rules put it
first, among all that is known of the question. Fitted by `pluto_duck_training calibrate`.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass

import numpy as np

from pluto_duck_text2sql.learned.model import load
from pluto_duck_text2sql.learned.network import Floats
from pluto_duck_text2sql.learned.ranking import on_curve
from pluto_duck_text2sql.pool import Entry, Scored
from pluto_duck_text2sql.tree import Inside, Query, Related

_LEAST = 1e-4
_MOST_BEFORE = 3
"""Of longer dialogues too little is known to tell their turns from the third."""


@dataclass(frozen=True)
class Grounds:
    """What the confidence in a reading rests on."""

    ranked: float
    #   what the ranker gives it, as log odds
    unsaid: float
    #   how much of the question it leaves unsaid
    is_empty: float
    #   1 where it finds nothing
    unlike: float
    #   how many different rows the candidates find, as a logarithm: 0 where all agree
    left: float
    #   how many words the rules' own reading leaves over, as a logarithm of one more
    is_unread: float
    #   1 where the rules can make nothing of the question

    def told(self) -> Floats:
        """As the curve takes it."""
        return np.array(astuple(self), np.float32)


@dataclass(frozen=True)
class TurnGrounds:
    """What the confidence in the reading of a question that leans on those before it rests on."""

    said: float
    #   what the reading says of itself, as log odds
    words: float
    #   how many words the question has, as a logarithm
    before: float
    #   how many questions came before it, as a logarithm

    @staticmethod
    def of(said: float, question: str, before: int) -> TurnGrounds:
        """Of a reading that says how likely it is right, from 0 to 1, after `before` questions."""
        words = max(len(question.split()), 1)
        return TurnGrounds(log_odds(said), math.log(words), math.log(min(max(before, 1), _MOST_BEFORE)))

    def told(self) -> Floats:
        """As the curve takes it."""
        return np.array(astuple(self), np.float32)


def grounds(entry: Entry, scored: Scored) -> Grounds:
    """What speaks for an entry among those of its question."""
    return Grounds(
        ranked=log_odds(entry.ranked),
        unsaid=float(entry.unsaid),
        is_empty=float(entry.rows is not None and not entry.rows and not _only_denies(entry.query)),
        unlike=math.log(max(scored.results, 1)),
        left=math.log1p(scored.left),
        is_unread=float(not scored.is_read),
    )


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

"""Puts a question's candidates in order and says how likely each is right.

Boosted trees give each candidate a score; a logistic curve over the best one's score, its lead and the agreement among
candidates, bent by steps fitted to answers on databases not seen in training (isotonic regression), gives confidence.
More trees, taught by the same questions beside those whose data lacks something, tell whether there is an answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pluto_duck_text2sql.learned.features import NAMES
from pluto_duck_text2sql.learned.forest import Forest
from pluto_duck_text2sql.learned.network import Floats

_AT = {name: place for place, name in enumerate(NAMES)}
_FOUND = [_AT[name] for name in ("same", "same_share", "rows", "wide")]
_SAID = ("score", "share", "unclaimed", "linked_unclaimed", "used_log", "unused_log", "same_share", "tables", "words")


@dataclass(frozen=True)
class Ranked:
    """A candidate's place in what was given, and how likely it is right."""

    place: int
    confidence: float


@dataclass(frozen=True)
class Ranking:
    """The candidates, the best first, and how likely the data holds an answer at all."""

    ranked: list[Ranked]
    answerable: float


class Ranker:
    """Trees that order, those that tell whether there is an answer, and the curves of confidence. Made once."""

    def __init__(self, forest: Forest, answering: Forest, curves: Mapping[str, Any]) -> None:
        self._forest, self._answering = forest, answering
        self._curve: Mapping[str, Any] = curves["right"]
        self.certain: Mapping[str, Any] = curves["certain"]
        self.in_turn: Mapping[str, Any] = curves["in_turn"]
        self.least_answerable = float(curves["least_answerable"])

    def order(self, rows: Floats, nothing: float = 0.0) -> Ranking:
        """The candidates by their features, equal ones in the order given; `nothing` is the network's own word on
        there being none."""
        scores = self._forest.score(rows)
        order = np.argsort(-scores, kind="stable")
        ranked = [Ranked(int(n), on_curve(self._curve, evidence(rows, scores, int(n)))) for n in order]
        told = doubts(rows, scores, ranked[0].place, nothing)
        return Ranking(ranked, logistic(float(self._answering.score(told[None])[0])))


def on_curve(curve: Mapping[str, Any], told: Floats) -> float:
    """The confidence that the evidence gives, from 0 to 1."""
    scaled = (told - np.array(curve["means"])) / np.array(curve["spreads"])
    inner = float(scaled @ np.array(curve["weights"])) + curve["bias"]
    return float(np.interp(logistic(inner), curve["steps_at"], curve["steps"]))


def logistic(log_odds: float) -> float:
    """The probability of these log odds."""
    return 1 / (1 + math.exp(-log_odds))


def evidence(rows: Floats, scores: Floats, place: int) -> Floats:
    """What confidence is told of the candidate at `place`: (3 + len(_SAID),)."""
    same = rows[:, _AT["same"]]
    lead = scores[place] - max(scores[~_equal(rows, place)], default=scores[place] - 4)
    own = np.nan_to_num(rows[place], nan=-20.0)
    told = [float(scores[place]), float(np.clip(lead, -6, 6)), float(same[place])]
    return np.array([*told, *(float(own[_AT[name]]) for name in _SAID)], np.float32)


def doubts(rows: Floats, scores: Floats, place: int, nothing: float) -> Floats:
    """What tells whether there is an answer: the best candidate's evidence and features, how many there are, and
    `nothing`."""
    log_odds = math.log(max(nothing, 1e-6)) - math.log(max(1 - nothing, 1e-6))
    return np.array([*evidence(rows, scores, place), *rows[place], len(rows), log_odds], np.float32)


def _equal(rows: Floats, place: int) -> NDArray[np.bool_]:
    """Which candidates found what the one at `place` found, itself among them: their shares of agreement, rows and
    widths are equal."""
    found = rows[:, _FOUND]
    equal: NDArray[np.bool_] = (found == found[place]).all(1) & (rows[:, _AT["same"]] > 1)
    equal[place] = True
    return equal

"""What every fold's network wrote for questions that it had not seen, and what ranker and curves make of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

from pluto_duck_training import confidence, ranker

Samples = list[tuple[Any, bool]]


def halves(judged: Mapping[str, Sequence[Any]]) -> list[Mapping[str, Sequence[Any]]]:
    """A fold in two by databases, so that the ranker of one fold alone can be judged too."""
    return [
        {name: [each for each in some if half_of(each.database) == half] for name, some in judged.items()}
        for half in (0, 1)
    ]


def half_of(database: str) -> int:
    """0 or 1, by the database's name."""
    return int(hashlib.sha256(database.encode()).hexdigest(), 16) % 2


class Folds:
    """What every fold's network wrote for questions that it had not seen, each ranked by trees of the other folds.

    `counts` tells how often the questions of a part count that is not a fold's.
    """

    def __init__(
        self, parts: Mapping[int, Mapping[str, Sequence[Any]]], counts: Mapping[int, int] = MappingProxyType({})
    ) -> None:
        self._parts, self._counts = parts, counts
        self.asked = {fold: part["judged"] for fold, part in parts.items()}
        self._boosters: dict[int, Any] = {}
        self._answering: dict[int | None, Any] = {}
        self._doubts: dict[int, Samples] = {}

    def all(self, without: int | None = None) -> list[Any]:
        """All questions that have an answer, but those of one fold."""
        others = [(part, self._counts.get(fold, 1)) for fold, part in self._parts.items() if fold != without]
        return [each for part, count in others for each in (*part["judged"], *part["invented"]) * count]

    def evidence(self, fold: int) -> Samples:
        """The evidence for the best candidate of each question, and whether it was right."""
        booster = self.booster(fold)
        return [confidence.told(each, confidence.scores_of(booster, each)) for each in self.asked[fold] if each.right]

    def doubts(self, fold: int) -> Samples:
        """What tells whether there is an answer, and whether there was."""
        if fold not in self._doubts:
            part, booster = self._parts[fold], self.booster(fold)
            there = [(each, True) for each in (*part["judged"], *part["invented"])]
            every = [*there, *((each, False) for each in part["lacking"])]
            self._doubts[fold] = [
                (confidence.doubted(each, confidence.scores_of(booster, each)), is_there)
                for each, is_there in every
                if each.right
            ]
        return self._doubts[fold]

    def answering(self, without: int | None = None) -> Any:
        """The trees that tell whether there is an answer, learned from all parts but one."""
        if without not in self._answering:
            parts = [part for part in self._parts if part != without]
            some = [each for part in parts for each in self.doubts(part) * self._counts.get(part, 1)]
            self._answering[without] = ranker.fit_answerable(some)
        return self._answering[without]

    @cached_property
    def refused(self) -> dict[str, float]:
        """How likely an answer must be for it to be told, and what part of those without one is refused then; each
        part by the trees of the others."""
        sure = list[tuple[float, bool]]()
        for part in self._parts:
            some = self.doubts(part)
            told = confidence.likely(self.answering(part), [each for each, _ in some])
            sure += [(float(each), has) for each, (_, has) in zip(told, some, strict=True)]
        return confidence.refused(sure)

    def curves(self, without: int | None = None) -> dict[str, Any]:
        """The curve of confidence of all parts but one, and how likely there must be an answer."""
        parts = [each for each in self._parts if each != without]
        return {
            "right": confidence.fit_curve([each for part in parts for each in self.evidence(part)]),
            "least_answerable": self.refused["least_answerable"],
        }

    def share(self, holds: Callable[[list[bool]], bool]) -> float:
        """The part of the questions whose candidates' outcomes are such."""
        every = [each for some in self.asked.values() for each in some]
        return sum(holds(each.right) for each in every) / len(every)

    def booster(self, fold: int) -> Any:
        """The trees learned from the others."""
        if fold not in self._boosters:
            self._boosters[fold] = ranker.fit(self.all(without=fold))
        return self._boosters[fold]

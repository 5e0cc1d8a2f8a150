"""What every fold's network wrote for questions that it had not seen, and what ranker and curves make of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
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
    """What every fold's network wrote for questions that it had not seen, each ranked by trees of the other folds."""

    def __init__(self, parts: Mapping[int, Mapping[str, Sequence[Any]]]) -> None:
        self._parts = parts
        self.asked = {fold: part["judged"] for fold, part in parts.items()}
        self._boosters: dict[int, Any] = {}

    def all(self, without: int | None = None) -> list[Any]:
        """All questions that have an answer, but those of one fold."""
        others = [part for fold, part in self._parts.items() if fold != without]
        return [each for part in others for each in (*part["judged"], *part["invented"])]

    def asked_by_people(self, without: int) -> list[Any]:
        """What people asked, but of one fold: folds' questions less those invented beside them; the suites, which have
        no others."""
        others = [part for fold, part in self._parts.items() if fold != without]
        return [each for part in others for each in (part["judged"] or part["invented"])]

    def evidence(self, fold: int) -> Samples:
        """The evidence for the best candidate of each question, and whether it was right."""
        booster = self.booster(fold)
        return [confidence.told(each, confidence.scores_of(booster, each)) for each in self.asked[fold] if each.right]

    def doubts(self, fold: int) -> Samples:
        """What tells whether there is an answer, and whether there was."""
        part, booster = self._parts[fold], self.booster(fold)
        there = [(each, True) for each in (*part["judged"], *part["invented"])]
        every = [*there, *((each, False) for each in part["lacking"])]
        return [
            (confidence.doubted(each, confidence.scores_of(booster, each)), is_there)
            for each, is_there in every
            if each.right
        ]

    def curves(self, without: int | None = None) -> dict[str, Any]:
        """The curves of all parts but one: of confidence, of there being an answer, the least to be said of that."""
        parts = [each for each in self._parts if each != without]
        doubts = {each: self.doubts(each) for each in parts}
        return {
            "right": confidence.fit_curve([each for part in parts for each in self.evidence(part)]),
            "answerable": confidence.fit_curve([each for some in doubts.values() for each in some]),
            "least_answerable": confidence.refused(doubts)["least_answerable"],
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

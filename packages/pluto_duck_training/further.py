"""Teaching the network that ships more, once questions were written.

judge (the written questions, by the network as it ships) ─▶ learn, and meet halfway ─▶ judge (those kept apart) ─▶ fit

Trees and curves learn from questions that the network which answered them had not seen: those written since it was
taught (asked/seen.py), and those kept apart. The new trees are joined with those that ship, which learned from others.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pluto_duck_text2sql.learned.forest import Forest
from pluto_duck_text2sql.learned.model import using
from pluto_duck_text2sql.learned.ranking import on_curve
from pluto_duck_training import asked, confidence, invented, learn, ranker, steps
from pluto_duck_training.asked.databases import named
from pluto_duck_training.asked.seen import mark, remember, seen
from pluto_duck_training.candidates import Judge
from pluto_duck_training.invented import family_fold
from pluto_duck_training.ship import shipped
from pluto_duck_training.sources import gold, is_right, questions
from pluto_duck_training.store import keep, kept

PASSES, SEED = 2, 20
REPEATS = 3
"""How often a question kept apart counts, which the network that ships answered."""
REFUSED = 0.05
"""The share of questions with an answer, in people's words, that may be refused."""
Lists = dict[str, dict[str, list[Any]]]


def further(shared: Path, work: Path, out: Path) -> dict[str, float]:
    """Teach, judge and fit; the weights in `out` are replaced. The figures are of the questions kept apart."""
    before = _judged(shared, out, work / "asked.pkl", held=False)
    if not (work / "held.pkl").exists():
        _teach(work, out)
    found = _fit(before, _judged(shared, out, work / "held.pkl", held=True), out)
    remember()
    return found


def _teach(work: Path, out: Path) -> None:
    questions_, before = steps.asked_of(work), shipped(out)
    taught = learn.further(questions_, before, PASSES, SEED).state_dict()
    steps.write(learn.halfway(before, taught), questions_, kept(work / "pretrained.pkl"), out)


def _judged(shared: Path, network: Path, cache: Path, held: bool) -> Lists:
    """By database, what became of its written questions that the network has not seen, and of those whose data was
    robbed of something."""
    if cache.exists():
        return kept(cache)
    one = partial(_over, shared=shared, network=network, roots=cache.parent / "databases", held=held)
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        every = dict(zip(asked.files(), pool.map(one, asked.files()), strict=True))
    found = {name: each for name, each in every.items() if each["judged"]}
    keep(cache, **found)
    return found


def _over(name: str, shared: Path, network: Path, roots: Path, held: bool) -> dict[str, list[Any]]:
    """One database's."""
    with named(name, shared, roots) as database:
        every = asked.over(database, gold(questions(shared).get(name, ())), held)
        some = invented.with_rows([each for each in every if mark(name, each["question"]) not in seen()], database)
        judge = Judge(database.catalog, database.run, is_right)
        with using(network):
            return {"judged": list(judge.judged(some)), "lacking": list(judge.lacking(some))}


def _fit(before: Lists, held: Lists, out: Path) -> dict[str, float]:
    """Write trees and curves; each database's figures come from trees and curves that had not seen it."""
    with np.load(out / "ranker.npz") as file:
        old = dict(file)
    lists = _Lists(before, held, old)
    right = [each for name in before for each in lists.evidence(name, lists.booster(family_fold(name), ""))]
    there = [each for name in before for each in lists.doubts(name, lists.booster(family_fold(name), ""))]
    own = {name: lists.evidence(name, lists.booster(None, name)) for name in held}
    doubts = {name: lists.doubts(name, lists.booster(None, name)) for name in held}
    figures = lists.figures(right, own) | lists.least(there, doubts)
    curves = {
        "right": confidence.fit_curve([*right, *_flat(own.values()) * REPEATS]),
        "answerable": confidence.fit_curve([*there, *_flat(doubts.values()) * REPEATS]),
        "least_answerable": figures["least_answerable"],
    }
    trees = ranker.arrays_of(lists.booster(None, ""))
    with (out / "ranker.npz").open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **ranker.joined([trees, old]))
    confidence.write(out / "curves.json", curves)
    return figures


def _flat(some: Any) -> list[Any]:
    return [each for part in some for each in part]


class _Lists:
    """What was judged, and trees of all of it but a part, joined with those that ship."""

    def __init__(self, before: Lists, held: Lists, shipped: dict[str, np.ndarray]) -> None:
        self._before, self._held, self._every = before, held, {**before, **held}
        self._shipped = Forest(shipped)
        self._boosters: dict[tuple[int | None, str], Any] = {}

    def booster(self, fold: int | None, without: str) -> Any:
        """Trees of all questions but those of a fold, or of one database kept apart."""
        if (fold, without) not in self._boosters:
            learned = [
                each for name, part in self._before.items() if family_fold(name) != fold for each in part["judged"]
            ]
            apart = [each for name, part in self._held.items() if name != without for each in part["judged"]]
            some = [each for each in (*learned, *apart * REPEATS) if each.right]
            self._boosters[fold, without] = ranker.fit(some)
        return self._boosters[fold, without]

    def _scored(self, name: str, kind: str, booster: Any) -> Iterator[tuple[Any, np.ndarray]]:

        for each in self._every[name][kind]:
            if each.right:
                yield each, confidence.scores_of(booster, each) + self._shipped.score(each.features)

    def evidence(self, name: str, booster: Any) -> list[Any]:
        """What speaks for the best candidate of each question, and whether it was right."""
        return [confidence.told(each, scores) for each, scores in self._scored(name, "judged", booster)]

    def doubts(self, name: str, booster: Any) -> list[Any]:
        """What tells whether there is an answer, and whether there was."""
        return [
            (confidence.doubted(each, scores), kind == "judged")
            for kind in ("judged", "lacking")
            for each, scores in self._scored(name, kind, booster)
        ]

    def figures(self, right: Sequence[Any], own: dict[str, list[Any]]) -> dict[str, float]:
        """Accuracy and calibration over the databases kept apart, each with the curve of the others."""
        sure, told = list[float](), list[bool]()
        for name, some in own.items():
            curve = confidence.fit_curve([*right, *_flat(own[each] for each in own if each != name) * REPEATS])
            sure += [on_curve(curve, each) for each, _ in some]
            told += [is_right_ for _, is_right_ in some]
        return confidence.figures(sure, told)

    def least(self, there: Sequence[Any], doubts: dict[str, list[Any]]) -> dict[str, float]:
        """How likely an answer must be, and the part refused of questions that have none."""
        found = list[tuple[float, bool]]()
        for name, some in doubts.items():
            curve = confidence.fit_curve([*there, *_flat(doubts[each] for each in doubts if each != name) * REPEATS])
            found += [(on_curve(curve, told), is_there) for told, is_there in some]
        least = round(float(np.quantile([sure for sure, is_there in found if is_there], REFUSED)), 2)
        refused = float(np.mean([sure < least for sure, is_there in found if not is_there]))
        return {"least_answerable": least, "refused": refused}

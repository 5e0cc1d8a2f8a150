"""Fits how sure an answer says it is (certainty.py) to whether answers were right.

The analyst that ships answers the suites, but for what its trees learned from; the folds' databases were answered by
networks that had not seen them (answers.py), where these answers are kept. Its own grounds for each answer, and whether
the rows were right, are the samples; any answer to a question without one is wrong. Of what nobody has looked at no
word is read here either, only what came of each question: it alone tells how often an answer to people unknown is
right, so the curve has its level. That rules were written from the others is told while fitting, so that these tell
only what speaks for an answer. Each database's figures come from a curve that had not seen it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pluto_duck_backend.agent.evaluation_suite import Case
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_text2sql import Analyst
from pluto_duck_text2sql.certainty import Grounds, TurnGrounds
from pluto_duck_text2sql.learned.ranking import on_curve
from pluto_duck_training import confidence, suites
from pluto_duck_training.answers import Answer
from pluto_duck_training.sources import is_right
from pluto_duck_training.store import keep, kept

_RIDGE = 3.0
_FOLDS = "folds"
_UNSEEN, _SEEN = "never looked at", "looked at"
_COUNTS = {_UNSEEN: 1.0, _SEEN: 0.5, _FOLDS: 0.25}
"""How much an answer tells beside others; of the folds' there are many."""


@dataclass(frozen=True)
class Sample:
    """An answer: where its question comes from, what its confidence rests on, what it said, whether it was right."""

    suite: str
    database: str
    grounds: Grounds | TurnGrounds
    said: float
    right: bool
    counts: float = 1.0
    #   how much it tells beside others
    was_seen: bool = False
    #   whether rules were written from it, or a network learned from questions like it


def calibrate(shared: Path, work: Path, out: Path) -> dict[str, float]:
    """Write the curve into `out`/curves.json. The figures are of databases that its curve had not seen."""
    cache = work / "answers.pkl"
    if not cache.exists():
        keep(cache, samples=list(_of_suites(shared, work / "databases")))
    samples: list[Sample] = [*kept(cache)["samples"], *_of_folds(work)]
    confidence.write(out / "curves.json", {"certain": curve(samples)})
    return figures(samples)


def named(suite: str, is_unseen: bool) -> str:
    """What the figures of a suite's part are told by."""
    return f"{suite}, {_UNSEEN if is_unseen else _SEEN}"


def figures(samples: Sequence[Sample]) -> dict[str, float]:
    """Of all that nobody has looked at, and of each part: as told, and by curves that had not seen their database.

    The first are of what shipped when the questions were asked.
    """
    curves = {name: curve([each for each in samples if each.database != name]) for name in _databases(samples)}
    found = dict[str, float]()
    for suite in (_UNSEEN, *dict.fromkeys(each.suite for each in samples)):
        some = [each for each in samples if each.suite == suite or (suite == _UNSEEN and not each.was_seen)]
        now = [on_curve(curves[each.database], each.grounds.told()) for each in some]
        found |= _figures(suite, some, now) if some else {}
    return found


def _figures(suite: str, some: Sequence[Sample], now: Sequence[float]) -> dict[str, float]:
    right = [each.right for each in some]
    found = {f"{suite}: answers": len(some), f"{suite}: right": float(np.mean(right))}
    for when, sure in (("before", [each.said for each in some]), ("now", now)):
        told = confidence.figures(sure, right)
        told |= {"said": float(np.mean(sure)), "told_apart": confidence.told_apart(sure, right)}
        told["ece_by_chance"] = confidence.by_chance(sure)
        names = ("said", "ece", "ece_by_chance", "brier", "told_apart", "surest_half")
        found |= {f"{suite}: {name}, {when}": told[name] for name in names}
    return found


def _databases(samples: Sequence[Sample]) -> list[str]:
    return list(dict.fromkeys(each.database for each in samples))


def curve(samples: Sequence[Sample]) -> dict[str, Any]:
    """The curve that fits these best, each as much as it counts, at the level of those that nobody has looked at."""
    told = [(np.append(each.grounds.told(), each.was_seen), each.right) for each in samples]
    return confidence.without_last(confidence.fit_curve(told, _RIDGE, False, [each.counts for each in samples]))


def _of_suites(shared: Path, roots: Path) -> Iterator[Sample]:
    """The answers to the suites, each question asked for itself."""
    known = [(suite, case) for suite, case in suites.cases(suites.EVERY) if suites.is_known(case)]
    known = [(suite, case) for suite, case in known if not suites.is_learned(suite, case)]
    for workspace, own in suites.opened(known, shared, roots):
        for suite, case in own:
            sample = _answered(suite, case, workspace)
            if sample:
                yield sample


def _answered(suite: str, case: Case, workspace: Workspace) -> Sample | None:
    run, expected = suites.runner(workspace), suites.expected(case) if case.answerable else None
    is_unseen = suites.is_unseen(suite, case)
    of = _Source(named(suite, is_unseen), case.db or suite, _COUNTS[_UNSEEN if is_unseen else _SEEN], not is_unseen)
    return of.sample(workspace.analyst(), case.question, run, expected)


def _of_folds(work: Path) -> Iterator[Sample]:
    """The whole analyst's answers on the folds' databases, which nothing in it had seen (`steps.answer`)."""
    path = work / "whole.pkl"
    every: list[Answer] = kept(path)["answers"] if path.exists() else []
    for each in every:
        if each.grounds:
            of = _Source(_FOLDS, each.database, _COUNTS[_FOLDS])
            yield of.told(each.grounds, each.confidence, each.right)


@dataclass(frozen=True)
class _Source:
    """Where answers come from: what they are told by, their database, how much each counts, whether it was seen."""

    suite: str
    database: str
    counts: float
    was_seen: bool = True

    def sample(self, analyst: Analyst, question: str, run: Any, expected: dict[str, Any] | None) -> Sample | None:
        """What was answered and how sure; None where nothing was. Any answer is wrong where none is `expected`."""
        found = analyst.ask(question, run=run)
        best = found.candidates[0] if found.status == "answered" else None
        if best is None or best.grounds is None:
            return None
        return self.told(best.grounds, best.confidence, expected is not None and is_right(expected, run(best.sql)))

    def told(self, grounds: Grounds | TurnGrounds, said: float, right: bool) -> Sample:
        return Sample(self.suite, self.database, grounds, said, right, self.counts, self.was_seen)

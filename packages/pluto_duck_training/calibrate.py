"""Fits how sure an answer says it is (certainty.py) to whether answers were right.

The analyst answers the suites, by trees that have not learned from these, and the written questions of the databases
that nothing learned from; the folds' databases were answered by networks that had not seen them (answers.py). Its own
grounds for each answer, and whether the rows were right, are the samples; any answer to a question without one is
wrong. Each database's figures come from a curve that had not seen it. `fresh` and what `cold` and `trades` hold back
are no part of it: these are only ever measured.
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
from pluto_duck_text2sql.learned.model import using
from pluto_duck_text2sql.learned.ranking import on_curve
from pluto_duck_training import asked, confidence, invented, steps, suites
from pluto_duck_training.answers import Answer
from pluto_duck_training.asked.databases import named
from pluto_duck_training.sources import gold, is_right, questions
from pluto_duck_training.store import keep, kept

SUITES = (*suites.ANSWERABLE, *suites.LACKING, *suites.COLD)
_RIDGE = 3.0
_WRITTEN = "written"
_SUITES = "suites"
_FOLDS = "folds"
_COUNTS = {_WRITTEN: 0.5, _FOLDS: 0.25, **dict.fromkeys(suites.COLD, 1.0)}
_LOOKED_AT = 0.6
"""What is like what the network learned from, and suites that were looked at while rules were written, tell less; of
the folds' there are many."""


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


def calibrate(shared: Path, work: Path, out: Path) -> dict[str, float]:
    """Write the curve into `out`/curves.json. The figures are of databases that its curve had not seen."""
    cache = work / "answers.pkl"
    if not cache.exists():
        with using(steps.without_suites(work)):
            found = list(_of_suites(shared, work / "databases"))
        keep(cache, samples=[*found, *_of_written(shared, work / "databases")])
    samples: list[Sample] = [*kept(cache)["samples"], *_of_folds(work)]
    confidence.write(out / "curves.json", {"certain": curve(samples)})
    return figures(samples)


def figures(samples: Sequence[Sample]) -> dict[str, float]:
    """Of the suites, of each, of the written questions: as told, and by curves that had not seen their database.

    The first are of what shipped when the questions were asked.
    """
    curves = {name: curve([each for each in samples if each.database != name]) for name in _databases(samples)}
    found = dict[str, float]()
    for suite in (_SUITES, *dict.fromkeys(each.suite for each in samples)):
        some = [each for each in samples if suite in (each.suite, "" if each.suite in _COUNTS else _SUITES)]
        right = [each.right for each in some]
        found[f"{suite}: answers"] = len(some)
        for when, sure in (
            ("before", [each.said for each in some]),
            ("now", [on_curve(curves[each.database], each.grounds.told()) for each in some]),
        ):
            told = confidence.figures(sure, right)
            found |= {f"{suite}: {name}, {when}": told[name] for name in ("ece", "brier", "surest_half")}
        found[f"{suite}: right"] = float(np.mean(right))
    return found


def _databases(samples: Sequence[Sample]) -> list[str]:
    return list(dict.fromkeys(each.database for each in samples))


def curve(samples: Sequence[Sample]) -> dict[str, Any]:
    """The curve that fits these best, each as much as it counts."""
    told = [(each.grounds.told(), each.right) for each in samples]
    return confidence.fit_curve(told, _RIDGE, False, [each.counts for each in samples])


def _of_suites(shared: Path, roots: Path) -> Iterator[Sample]:
    """The answers to the suites, each question asked for itself."""
    known = [(suite, case) for suite, case in suites.cases(SUITES) if suites.is_known(case)]
    asked_ = [(suite, case) for suite, case in known if suite not in suites.COLD or case.split != suites.HELD]
    for name in sorted({case.db for _, case in asked_ if case.db}):
        with suites.workspace(name, shared, roots) as workspace:
            for suite, case in asked_:
                sample = _answered(suite, case, workspace) if case.db == name else None
                if sample:
                    yield sample


def _answered(suite: str, case: Case, workspace: Workspace) -> Sample | None:
    run, expected = suites.runner(workspace), suites.expected(case) if case.answerable else None
    return _sample(suite, case.db or suite, workspace.analyst(), case.question, run, expected)


def _of_folds(work: Path) -> Iterator[Sample]:
    """The whole analyst's answers on the folds' databases, which nothing in it had seen (`steps.answer`)."""
    path = work / "whole.pkl"
    every: list[Answer] = kept(path)["answers"] if path.exists() else []
    for each in every:
        if each.grounds:
            yield Sample(_FOLDS, each.database, each.grounds, each.confidence, each.right, _COUNTS[_FOLDS])


def _of_written(shared: Path, roots: Path) -> Iterator[Sample]:
    """The answers to the written questions of the databases kept apart."""
    every = questions(shared)
    for name in sorted(asked.HELD):
        with named(name, shared, roots) as database:
            analyst = Analyst(database.catalog)
            some = invented.with_rows(asked.over(database, gold(every.get(name, ())), held=True), database)
            for each in some:
                sample = _sample(_WRITTEN, name, analyst, each["question"], database.run, each)
                if sample:
                    yield sample


def _sample(
    suite: str, database: str, analyst: Analyst, question: str, run: Any, expected: dict[str, Any] | None
) -> Sample | None:
    """What was answered and how sure; None where nothing was. Any answer is wrong where none is `expected`."""
    found = analyst.ask(question, run=run)
    best = found.candidates[0] if found.status == "answered" else None
    if best is None or best.grounds is None:
        return None
    right = expected is not None and is_right(expected, run(best.sql))
    return Sample(suite, database, best.grounds, best.confidence, right, _COUNTS.get(suite, _LOOKED_AT))

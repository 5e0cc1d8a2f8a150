"""How much choosing better among the readings that are there could bring, suite by suite: only counts, no question.

Of every question that stands alone and has an answer: is it answered rightly, is the ranker's first reading right, is
any of those ranked right? A part that nobody has looked at is counted by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pluto_duck_backend.agent.evaluation_suite import Case
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_text2sql.learned.model import load
from pluto_duck_training import suites
from pluto_duck_training.candidates import Judge
from pluto_duck_training.sources import is_right

SUITES = (*suites.ANSWERABLE, *suites.COLD, "samples", "flat", "strangers", "threads", "fresh")


@dataclass(frozen=True)
class Chosen:
    """A question of a suite's `part`: whether its answer is right, the ranker's first reading, any of them."""

    part: str
    answered: bool
    first: bool
    there: bool


def gaps(shared: Path, work: Path, names: Sequence[str] = SUITES) -> dict[str, float]:
    """What `counts` says of these suites."""
    return counts(_chosen(shared, work / "databases", names))


def counts(every: Iterable[Chosen]) -> dict[str, float]:
    """Of each part: how many questions, and of how many the answer, the first reading, any reading is right."""
    found = Counter[str]()
    for each in every:
        told = {"questions": True, "answered rightly": each.answered, "first": each.first, "there": each.there}
        found.update({f"{each.part}: {name}": int(value) for name, value in told.items()})
    return dict(found)


def _chosen(shared: Path, roots: Path, names: Sequence[str]) -> Iterator[Chosen]:
    every = [(suite, case) for suite, case in suites.cases(names) if case.answerable and suites.is_known(case)]
    for name in sorted({case.db for _, case in every if case.db}):
        with suites.workspace(name, shared, roots) as workspace:
            for suite, case in every:
                if case.db == name:
                    yield _of(suites.part(suite, case), case, workspace)


def _of(part: str, case: Case, workspace: Workspace) -> Chosen:
    analyst, run, wanted = workspace.analyst(), suites.runner(workspace), suites.expected(case)
    found = analyst.ask(case.question, run=run)
    is_answered = found.status == "answered" and is_right(wanted, run(found.candidates[0].sql))
    asked = {"id": case.id, "db": case.db, "question": case.question, **wanted}
    ranked = Judge(analyst.catalog, run, is_right).of(asked, analyst)
    first = load().ranker.order(ranked.features).ranked[0].place if ranked.right else None
    return Chosen(part, is_answered, first is not None and ranked.right[first], any(ranked.right))

"""The whole analyst on databases that nothing in it had seen: what a user gets, refusals and questions back included.

Each half of a fold is answered by the fold's network with the ranker and the curves that all other halves gave.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pluto_duck_text2sql import Analyst
from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.certainty import Grounds
from pluto_duck_text2sql.learned.model import using
from pluto_duck_training import confidence
from pluto_duck_training.sources import FAILURES, Database, is_right, opened, questions

if TYPE_CHECKING:
    from pluto_duck_training.judgements import Folds


@dataclass(frozen=True)
class Answer:
    """What came of a question: `right` where its rows were those expected; `grounds` where it was answered."""

    id: str
    database: str
    status: str
    right: bool
    confidence: float
    grounds: Grounds | None


def answers(shared: Path, work: Path, folds: Folds, networks: dict[int, Path], at_once: int = 2) -> list[Answer]:
    """The answers to the questions of all parts of the folds; `networks` are those that had not seen each part."""
    wanted = {number: sorted({each.database for each in some}) for number, some in folds.asked.items() if some}
    for number in wanted:
        write_model(work / f"model{number}", networks[number], folds, number)
    tasks = [(name, work / f"model{number}") for number, names in wanted.items() for name in names]
    with ProcessPoolExecutor(at_once) as pool:
        return [each for some in pool.map(partial(_over, shared=shared, work=work), tasks) for each in some]


def figures(every: Sequence[Answer]) -> dict[str, float]:
    """What part is right, refused and asked back, and how sure the answers are, rightly or not."""
    answered = [each for each in every if each.status == "answered"]
    told = confidence.figures([each.confidence for each in answered], [each.right for each in answered])
    ends = ("cannot_answer", "needs_input")
    shares = {name: float(np.mean([each.status == name for each in every])) for name in ends}
    return {"right": sum(each.right for each in answered) / len(every), **shares, **told}


def write_model(folder: Path, network: Path, folds: Folds, number: int) -> None:
    """A network with the trees and the curves of the other parts; how sure an answer is, as what ships says."""
    from pluto_duck_training import ranker

    shutil.copytree(network, folder, dirs_exist_ok=True)
    ranker.save(folds.booster(number), folder / "ranker.npz")
    ranker.save(folds.answering(number), folder / "answerable.npz")
    confidence.write(folder / "curves.json", folds.curves(without=number))


def _over(task: tuple[str, Path], shared: Path, work: Path) -> list[Answer]:
    """One database's, by one model."""
    name, model = task
    with using(model), opened(name, shared, work / "databases") as database:
        return list(_answered(database, questions(shared)[name]))


def _answered(database: Database, some: Sequence[dict[str, Any]]) -> Iterator[Answer]:
    analyst = Analyst(database.catalog)
    for question in some:
        found = analyst.ask(question["question"], run=database.run)
        best = found.candidates[0] if found.status == "answered" else None
        right = _is_right(question, found, database)
        grounds = best.grounds if best and isinstance(best.grounds, Grounds) else None
        confident = best.confidence if best else 0.0
        yield Answer(question["id"], database.name, found.status, right, confident, grounds)


def _is_right(question: dict[str, Any], found: Analysis, database: Database) -> bool:
    if found.status != "answered":
        return False
    try:
        return is_right(question, database.run(found.candidates[0].sql))
    except FAILURES:
        return False

"""Trees that prefer one reading of a question to another, by all that is known of them (`decision` asks these).

Learned from what people ask: the suites, as far as they may be looked at, by the network that ships, and the folds that
were judged, each by the network that had not seen it. The ranker's trees know only what the network says, which is
most of what benchmarks ask; these know what the rules say, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pluto_duck_training import ranker
from pluto_duck_training.candidates import Judged
from pluto_duck_training.folds import FOLDS
from pluto_duck_training.store import kept

ROUNDS = 200
SETTINGS: dict[str, Any] = {
    **ranker.SETTINGS,
    "num_leaves": 9,
    "min_data_in_leaf": 25,
    "feature_fraction": 0.4,
    "lambda_l2": 10.0,
}


def prefer(work: Path, out: Path) -> dict[str, float]:
    """Write the trees; the figure is how many questions with an answer taught them."""
    every = learned(work)
    save(every, out)
    return {"questions": len(every)}


def save(some: Sequence[Judged], out: Path) -> None:
    """Write trees learned from these questions."""
    ranker.save(ranker.fit([each for each in some if each.right], ROUNDS, SETTINGS), out / "preference.npz")


def learned(work: Path) -> Sequence[Judged]:
    """The suites' questions and those of the folds that were judged, with their readings; of folds what people asked
    alone, since what was invented for the network is as the network likes it."""
    suites = kept(work / "suites.pkl")
    folds = [kept(path) for fold in range(FOLDS) if (path := work / f"judged{fold}.pkl").exists()]
    return [*suites["judged"], *suites["invented"], *(each for part in folds for each in part["judged"])]

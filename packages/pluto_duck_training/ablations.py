"""What each part of the analyst adds: a fold's questions answered without it, by the same network and ranker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.values import ValueIndex
from pluto_duck_text2sql.learned.features import NAMES
from pluto_duck_text2sql.learned.model import using
from pluto_duck_training import ranker
from pluto_duck_training.candidates import Judge, Judged
from pluto_duck_training.judgements import Folds, half_of, halves
from pluto_duck_training.sources import is_right, opened, questions
from pluto_duck_training.store import kept

_IS_RULES = NAMES.index("is_rules")


def ablations(shared: Path, work: Path, fold: int) -> dict[str, float]:
    """The part of the fold's questions answered right, with everything and without one thing each."""
    folds = Folds(dict(enumerate(halves(kept(work / f"judged{fold}.pkl")))))
    every = [each for some in folds.asked.values() for each in some]
    blind = [replace(each, features=ranker.unseen(each.features)) if each.right else each for each in every]
    asked = {name: some for name, some in questions(shared).items() if name in {each.database for each in every}}

    def again(change: Callable[[Catalog], Catalog], without: Any) -> Iterator[Judged]:
        for name, some in sorted(asked.items()):
            with opened(name, shared, work / "databases") as database, without, using(work / f"network{fold}"):
                yield from Judge(change(database.catalog), database.run, is_right).judged(some)

    return {
        "everything": _right(folds, every),
        "no ranker: the network's first": folds.share(lambda right: right[:1] == [True]),
        "no self-check: nothing is run": _right(folds, blind),
        "no network: the rules alone": sum(_by_rules(each) for each in every) / len(every),
        "no value index": _right(folds, list(again(_without_values, nullcontext()))),
        "no lexicon": _right(folds, list(again(lambda catalog: catalog, _WithoutLexicon()))),
    }


def _right(folds: Folds, some: list[Judged]) -> float:
    boosters = [folds.booster(half) for half in (0, 1)]
    right = (each.right and each.right[ranker.best(boosters[half_of(each.database)], each)] for each in some)
    return sum(map(bool, right)) / len(some)


def _by_rules(judged: Judged) -> bool:
    if not judged.right:
        return False
    return any(judged.right[n] for n in np.flatnonzero(judged.features[:, _IS_RULES]))


def _without_values(catalog: Catalog) -> Catalog:
    return replace(catalog, values=ValueIndex())


class _WithoutLexicon:
    """Usable again and again: nothing of the general lexicon is known within."""

    def __enter__(self) -> None:
        self._patch = patch("pluto_duck_text2sql.data.links.alike", dict)
        self._patch.start()

    def __exit__(self, *raised: object) -> None:
        self._patch.stop()

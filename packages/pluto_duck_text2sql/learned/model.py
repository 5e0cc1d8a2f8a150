"""The weights that ship with the package, opened once, when the first question comes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from pluto_duck_text2sql.learned.forest import Forest
from pluto_duck_text2sql.learned.memory import give_back
from pluto_duck_text2sql.learned.network import Network
from pluto_duck_text2sql.learned.ranking import Ranker

WEIGHTS = Path(__file__).parent.parent / "weights"


@dataclass(frozen=True)
class Model:
    """What was learned: a network that writes, a ranker that judges."""

    network: Network
    ranker: Ranker


_folder = WEIGHTS


def load() -> Model:
    """The model that ships. Raises FileNotFoundError where it was not installed with it."""
    return _load(_folder)


@contextmanager
def using(folder: Path) -> Iterator[Model]:
    """The model in `folder` instead, for all that is asked within: training judges networks that do not ship."""
    global _folder
    before, _folder = _folder, folder
    try:
        yield load()
    finally:
        _folder = before


@cache
def _load(folder: Path) -> Model:
    curves = json.loads((folder / "curves.json").read_text(encoding="utf-8"))
    model = Model(Network(folder), Ranker(_forest(folder / "ranker.npz"), _forest(folder / "answerable.npz"), curves))
    give_back()  # ONNX Runtime opens bytes by way of two copies
    return model


def _forest(path: Path) -> Forest:
    with np.load(path) as arrays:
        return Forest({name: arrays[name] for name in arrays.files})

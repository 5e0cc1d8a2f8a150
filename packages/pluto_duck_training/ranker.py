"""Boosted trees (LambdaRank, Burges 2010, by LightGBM) that put a question's right candidate first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np

from pluto_duck_text2sql.learned.features import NAMES, ROW_NAMES
from pluto_duck_text2sql.learned.forest import MISSING, Forest
from pluto_duck_training.candidates import Judged

ROUNDS = 260
FURTHER_ROUNDS = 40
"""How many trees are added where a network has learned on."""
ANSWERABLE_ROUNDS = 300
_BLIND_EVERY = 10
_BINARY = {"objective": "binary", "feature_fraction": 0.4}
SETTINGS: dict[str, Any] = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 3,
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
    "seed": 7,
}


def fit(questions: Sequence[Judged], rounds: int = ROUNDS, settings: dict[str, Any] | None = None) -> lightgbm.Booster:
    """Trees learned from the questions that have a right and a wrong candidate."""
    kept = [each for each in questions if any(each.right) and not all(each.right)]
    blind = [replace(each, features=unseen(each.features)) for each in kept[::_BLIND_EVERY]]
    every = [*kept, *blind]
    rows = np.nan_to_num(np.concatenate([each.features for each in every]), nan=MISSING)
    labels = np.concatenate([np.array(each.right, int) for each in every])
    data = lightgbm.Dataset(rows, labels, group=[len(each.right) for each in every])
    return lightgbm.train(settings or SETTINGS, data, rounds)


def further(before: Mapping[str, np.ndarray], questions: Sequence[Judged]) -> dict[str, np.ndarray]:
    """The trees that there are, as `Forest` reads them, with more that begin where these end."""
    kept = [each for each in questions if any(each.right) and not all(each.right)]
    rows = [np.nan_to_num(each.features, nan=MISSING) for each in kept]
    trees = Forest(before)
    data = lightgbm.Dataset(
        np.concatenate(rows),
        np.concatenate([np.array(each.right, int) for each in kept]),
        group=[len(each.right) for each in kept],
        init_score=np.concatenate([np.asarray(trees.score(each)) for each in rows]),
    )
    return _joined(before, arrays_of(lightgbm.train(SETTINGS, data, FURTHER_ROUNDS)))


def _joined(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Two forests as one: the leaves of both are added up."""
    most = max(each["feature"].shape[1] for each in (one, other))

    def both_of(name: str) -> np.ndarray:
        return np.concatenate([np.pad(each[name], ((0, 0), (0, most - each[name].shape[1]))) for each in (one, other)])

    both = {name: both_of(name) for name, _ in _KINDS}
    return {**both, "depth": np.maximum(one["depth"], other["depth"])}


def fit_answerable(samples: Sequence[tuple[np.ndarray, bool]]) -> lightgbm.Booster:
    """Trees that tell, as log odds, whether a question has an answer (`ranking.doubts`)."""
    rows = np.nan_to_num(np.array([told for told, _ in samples], np.float32), nan=MISSING)
    labels = np.array([is_there for _, is_there in samples], int)
    return lightgbm.train({**SETTINGS, **_BINARY}, lightgbm.Dataset(rows, labels), ANSWERABLE_ROUNDS)


def arrays_of(booster: lightgbm.Booster) -> dict[str, np.ndarray]:
    """The trees as `Forest` reads them."""
    trees = [_flat(each["tree_structure"]) for each in booster.dump_model()["tree_info"]]
    most = max(len(each) for each in trees)
    arrays = {name: np.zeros((len(trees), most), kind) for name, kind in _KINDS}
    for t, nodes in enumerate(trees):
        for n, node in enumerate(nodes):
            for (name, _), value in zip(_KINDS, node, strict=True):
                arrays[name][t, n] = value
    arrays["depth"] = np.array(max(_depth(each["tree_structure"]) for each in booster.dump_model()["tree_info"]))
    return arrays


def unseen(features: np.ndarray) -> np.ndarray:
    """The features as they are where nothing is run: the ranker must do without rows too."""
    blind = features.copy()
    for name in ROW_NAMES:
        blind[:, NAMES.index(name)] = 0.0 if name in ("ran", "same", "same_share", "same_best") else np.nan
    blind[:, NAMES.index("rules_agree")] = 0.0
    return blind


def save(booster: lightgbm.Booster, path: Path) -> None:
    """Write the trees as `Forest` reads them."""
    write(arrays_of(booster), path)


def write(trees: Mapping[str, np.ndarray], path: Path) -> None:
    """Write trees that are arrays already."""
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **trees)


_KINDS = (
    ("feature", np.int16),
    ("threshold", np.float32),
    ("left", np.int16),
    ("right", np.int16),
    ("value", np.float32),
)
_Node = tuple[int, float, int, int, float]


def _flat(tree: dict[str, Any]) -> list[_Node]:
    nodes: list[_Node] = []

    def add(node: dict[str, Any]) -> int:
        place = len(nodes)
        nodes.append((0, 0.0, place, place, float(node.get("leaf_value", 0.0))))
        if "split_feature" in node:
            left, right = add(node["left_child"]), add(node["right_child"])
            nodes[place] = (int(node["split_feature"]), float(node["threshold"]), left, right, 0.0)
        return place

    add(tree)
    return nodes


def _depth(tree: dict[str, Any]) -> int:
    if "split_feature" not in tree:
        return 0
    return 1 + max(_depth(tree["left_child"]), _depth(tree["right_child"]))


def best(booster: lightgbm.Booster | Forest, question: Judged) -> int:
    """The number of the candidate that the trees put first."""
    rows = np.nan_to_num(question.features, nan=MISSING)
    scores = booster.score(rows) if isinstance(booster, Forest) else booster.predict(rows, num_threads=1)
    return int(np.argmax(np.asarray(scores)))

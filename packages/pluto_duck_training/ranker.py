"""Boosted trees (LambdaRank, Burges 2010, by LightGBM) that put a question's right candidate first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lightgbm
import numpy as np

from pluto_duck_text2sql.learned.forest import MISSING, Forest
from pluto_duck_training.candidates import Judged

ROUNDS = 260
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
    rows = np.nan_to_num(np.concatenate([each.features for each in kept]), nan=MISSING)
    labels = np.concatenate([np.array(each.right, int) for each in kept])
    data = lightgbm.Dataset(rows, labels, group=[len(each.right) for each in kept])
    return lightgbm.train(settings or SETTINGS, data, rounds)


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

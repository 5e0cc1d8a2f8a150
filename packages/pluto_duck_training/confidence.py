"""Fits the curve of confidence on answers to questions about databases the models had not seen."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pluto_duck_text2sql.learned.forest import MISSING
from pluto_duck_text2sql.learned.ranking import doubts, evidence, on_curve
from pluto_duck_training.candidates import Judged

_STEPS = 40
_SAME = 1e-4
"""What spreads less is the same in every sample, and tells nothing."""
_AS_IT_IS = np.array([0.0, 1.0])


def told(question: Judged, scores: np.ndarray) -> tuple[np.ndarray, bool]:
    """The evidence for a question's best candidate, and whether it was right."""
    place = int(np.argmax(scores))
    return evidence(question.features, scores, place), question.right[place]


def doubted(question: Judged, scores: np.ndarray) -> np.ndarray:
    """What tells whether a question has an answer at all."""
    return doubts(question.features, scores, int(np.argmax(scores)), question.nothing)


def refused(sure: Sequence[tuple[float, bool]]) -> dict[str, float]:
    """Of questions without an answer, the part refused where one in twenty with an answer is; `sure` is how likely each
    has one, and whether it has."""
    there, not_there = ([each for each, has in sure if has is wanted] for wanted in (True, False))
    least = float(np.quantile(there, 0.05))
    return {"refused": float(np.mean(np.array(not_there) < least)), "least_answerable": least}


def fit_curve(
    samples: Sequence[tuple[np.ndarray, bool]],
    ridge: float = 1e-2,
    bent: bool = True,
    counts: Sequence[float] | None = None,
) -> dict[str, Any]:
    """A logistic regression (Newton's steps, a little ridge), `bent` by isotonic regression over its probabilities.

    `counts` tells how much each sample does, where not all do alike.
    """
    x = np.array([each for each, _ in samples], float)
    y = np.array([right for _, right in samples], float)
    much = np.ones(len(y)) if counts is None else np.array(counts)
    means = x.mean(0)
    spreads = np.where(x.std(0) > _SAME, x.std(0), 1.0)
    z = np.hstack([(x - means) / spreads, np.ones((len(x), 1))])
    weights = np.zeros(z.shape[1])
    held = np.append(np.full(x.shape[1], ridge), 0.0)
    for _ in range(30):
        p = 1 / (1 + np.exp(-z @ weights))
        slope = z.T @ (much * (y - p)) - held * weights
        bend = (z * (much * p * (1 - p))[:, None]).T @ z + np.diag(held)
        weights += np.linalg.solve(bend, slope)
    at, steps = _isotonic(1 / (1 + np.exp(-z @ weights)), y) if bent else (_AS_IT_IS, _AS_IT_IS)
    return {
        "weights": [round(float(each), 5) for each in weights[:-1]],
        "bias": round(float(weights[-1]), 5),
        "means": [round(float(each), 5) for each in means],
        "spreads": [round(float(each), 5) for each in spreads],
        "steps_at": [round(float(each), 4) for each in at],
        "steps": [round(float(each), 4) for each in steps],
    }


def write(path: Path, curves: Mapping[str, Any]) -> None:
    """Put these curves into the file; those of other steps stay."""
    others = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps({**others, **curves}) + "\n", encoding="utf-8")


def _isotonic(p: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bins of equal size by probability, their rates made to rise (pool adjacent violators)."""
    order = np.argsort(p, kind="stable")
    bins = [chunk for chunk in np.array_split(order, _STEPS) if len(chunk)]
    blocks = [[float(p[chunk].mean()), float(y[chunk].sum()), float(len(chunk)), 1.0] for chunk in bins]
    pooled: list[list[float]] = []
    for block in blocks:
        pooled.append(block)
        while len(pooled) > 1 and pooled[-2][1] / pooled[-2][2] > pooled[-1][1] / pooled[-1][2]:
            last = pooled.pop()
            before = pooled[-1]
            total = before[2] + last[2]
            before[0] = (before[0] * before[2] + last[0] * last[2]) / total
            before[1], before[2] = before[1] + last[1], total
    return np.array([each[0] for each in pooled]), np.array([each[1] / each[2] for each in pooled])


def figures(confidences: Sequence[float], right: Sequence[bool]) -> dict[str, float]:
    """Expected calibration error (ten equal bins), Brier score, accuracy of the surest half, coverage at 90 %."""
    c, y = np.array(confidences), np.array(right, float)
    bins = np.minimum((c * 10).astype(int), 9)
    ece = sum(
        abs(c[bins == b].mean() - y[bins == b].mean()) * (bins == b).mean() for b in range(10) if (bins == b).any()
    )
    order = np.argsort(-c, kind="stable")
    sorted_right = y[order]
    running = np.cumsum(sorted_right) / np.arange(1, len(y) + 1)
    enough = np.flatnonzero(running >= 0.9)
    return {
        "accuracy": float(y.mean()),
        "ece": float(ece),
        "brier": float(((c - y) ** 2).mean()),
        "surest_half": float(sorted_right[: len(y) // 2].mean()),
        "coverage_90": float((enough[-1] + 1) / len(y)) if len(enough) else 0.0,
    }


def across(told_: Mapping[int, Sequence[tuple[np.ndarray, bool]]], asked: Mapping[int, int]) -> dict[str, float]:
    """The figures of all folds, each with the curve that the others gave; a question without candidates is wrong."""
    confidences, right = list[float](), list[bool]()
    for fold, samples in told_.items():
        curve = fit_curve([each for other, some in told_.items() if other != fold for each in some])
        confidences += [on_curve(curve, each) for each, _ in samples] + [0.0] * (asked[fold] - len(samples))
        right += [each for _, each in samples] + [False] * (asked[fold] - len(samples))
    return figures(confidences, right)


def scores_of(booster: Any, question: Judged) -> np.ndarray:
    """The trees' scores of a question's candidates."""
    return np.asarray(booster.predict(np.nan_to_num(question.features, nan=MISSING), num_threads=1), float)


def likely(booster: Any, told: Sequence[np.ndarray]) -> np.ndarray:
    """How likely the trees hold that there is an answer."""
    return np.asarray(booster.predict(np.nan_to_num(np.array(told, np.float32), nan=MISSING), num_threads=1), float)

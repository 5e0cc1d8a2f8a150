"""How far a stated confidence can be trusted: pure figures over (confidence, right) pairs of answered questions.

Called by `evaluation_report`. Every figure is None where the pairs cannot say it, never a made-up number. Answers of
equal confidence stay together: no figure depends on the order of the pairs.
"""

from __future__ import annotations

import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BINS = 10

Pairs = Sequence[tuple[float, bool]]


@dataclass(frozen=True)
class Bin:
    """The answers whose confidence lies from `low` up to `high`: their mean confidence and the share right."""

    low: float
    high: float
    answers: int
    confidence: float
    right: float


def reliability(rated: Pairs) -> list[Bin]:
    """The ten bins of equal width that hold an answer, from unsure to sure; 1.0 belongs to the last."""
    held = [[pair for pair in rated if _bin(pair[0]) == number] for number in range(BINS)]
    return [
        Bin(number / BINS, (number + 1) / BINS, len(some), _mean(c for c, _ in some), _mean(right for _, right in some))
        for number, some in enumerate(held)
        if some
    ]


def expected_calibration_error(rated: Pairs) -> float | None:
    """The distance of confidence to the share right, bin by bin, weighted by the answers in it."""
    gaps = (each.answers * abs(each.confidence - each.right) for each in reliability(rated))
    return sum(gaps) / len(rated) if rated else None


def brier(rated: Pairs) -> float | None:
    """Mean squared distance of confidence to the verdict (0 or 1)."""
    return statistics.fmean((c - right) ** 2 for c, right in rated) if rated else None


def auroc(rated: Pairs) -> float | None:
    """How often a right answer is surer than a wrong one, equal ones counting half; None without both."""
    wrong = sorted(c for c, right in rated if not right)
    rights = [c for c, right in rated if right]
    if not wrong or not rights:
        return None
    below = sum(bisect_left(wrong, c) + bisect_right(wrong, c) for c in rights)
    return below / (2 * len(wrong) * len(rights))


def surest_half(rated: Pairs) -> float | None:
    """The share right among the surer half; answers as sure as the last of it count by their own share."""
    if not rated:
        return None
    half = (len(rated) + 1) // 2
    limit = sorted((c for c, _ in rated), reverse=True)[half - 1]
    surer = [right for c, right in rated if c > limit]
    as_sure = [right for c, right in rated if c == limit]
    return (sum(surer) + (half - len(surer)) * _mean(as_sure)) / half


def answered_at(rated: Pairs, precision: float) -> int:
    """The most answers that a threshold on confidence lets through while at least `precision` of them are right."""
    rights, best = 0, 0
    ordered = sorted(rated, reverse=True)
    for count, (confidence, right) in enumerate(ordered, 1):
        rights += right
        threshold_ends = count == len(ordered) or ordered[count][0] < confidence
        if threshold_ends and rights >= precision * count:
            best = count
    return best


def _bin(confidence: float) -> int:
    return min(BINS - 1, max(0, int(confidence * BINS)))


def _mean(values: Iterable[float]) -> float:
    return statistics.fmean(values)

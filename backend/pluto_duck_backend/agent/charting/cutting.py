"""At most what a reader can take in: the first of a ranking and the rest as one, the extremes of a long line.

Whatever is left out is told in the chart's subtitle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Record = dict[str, Any]

MOST_BARS = 30
_SHOWN_BARS = 15
_MOST_POINTS = 1_000
_MOST_MARKS = 2_000
_MOST_LINES_OF_HEAT = 25
_TALLEST = 1.5
#   times the longest bar that the rest may be, before it dwarfs what is to be compared
OTHERS = "__others"
#   marks the record that stands for the rest of a ranking


@dataclass(frozen=True)
class Cut:
    """The records to draw and what to say of the others."""

    records: list[Record]
    note: str = ""


def ranking(records: list[Record], name: str, value: str, *, can_add: bool, total: int) -> Cut:
    """The first bars; the others summed as one where `can_add`. `total`: rows of the whole result."""
    if len(records) <= MOST_BARS and total == len(records):
        return Cut(records)
    shown, rest = records[:_SHOWN_BARS], records[_SHOWN_BARS:]
    hidden = total - len(shown)
    note = f"The first {len(shown)} of {total:,}"
    if not can_add or total > len(records):
        return Cut(shown, note)
    together = sum(each[value] or 0 for each in rest)
    if abs(together) > _TALLEST * max(abs(each[value] or 0) for each in shown):
        return Cut(shown, f"{note}; the {hidden:,} others together: {together:,.0f}")
    return Cut([*shown, {name: f"{hidden:,} others", value: together, OTHERS: True}], f"{note}; the others summed")


def line(records: list[Record], time: str, value: str) -> Cut:
    """Of a long line the least and the greatest of each stretch: its outline stays as it is."""
    if len(records) <= _MOST_POINTS:
        return Cut(records)
    length = -(-2 * len(records) // _MOST_POINTS)
    kept: list[Record] = []
    for start in range(0, len(records), length):
        stretch = [each for each in records[start : start + length] if each[value] is not None]
        ends = {id(pick): pick for pick in _extremes(stretch, value)}
        kept += sorted(ends.values(), key=lambda each: str(each[time]))
    return Cut(kept, f"{len(records):,} points, drawn by the least and greatest of every {length}")


def _extremes(stretch: Sequence[Record], value: str) -> list[Record]:
    if not stretch:
        return []
    return [min(stretch, key=lambda each: each[value]), max(stretch, key=lambda each: each[value])]


def points(records: list[Record]) -> Cut:
    """Evenly chosen points."""
    if len(records) <= _MOST_MARKS:
        return Cut(records)
    step = -(-len(records) // _MOST_MARKS)
    kept = records[::step]
    return Cut(kept, f"{len(kept):,} of {len(records):,} points, one in {step}")


def heat(records: list[Record], name: str, value: str) -> Cut:
    """The rows of a heat map with the largest values."""
    totals: dict[Any, float] = {}
    for each in records:
        totals[each[name]] = totals.get(each[name], 0) + abs(each[value] or 0)
    if len(totals) <= MOST_BARS:
        return Cut(records)
    kept = set(sorted(totals, key=lambda key: -totals[key])[:_MOST_LINES_OF_HEAT])
    note = f"The {_MOST_LINES_OF_HEAT} largest of {len(totals):,}"
    return Cut([each for each in records if each[name] in kept], note)

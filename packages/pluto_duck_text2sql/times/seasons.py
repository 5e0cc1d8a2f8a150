"""Months and quarters of any year: what rows are by where several years stand side by side."""

from __future__ import annotations

from dataclasses import replace

from pluto_duck_text2sql.tree import Bucket, Grain, Query, mapped

OF_A_YEAR: dict[Grain, Grain] = {"month": "month_of_year", "quarter": "quarter_of_year"}


def by_part_of_year(tree: Query) -> Query:
    """The tree by month (or quarter) of any year where it is by month of one; else as it is."""
    times = [each for each in tree.group if isinstance(each, Bucket) and each.grain in OF_A_YEAR]
    if len(times) != 1:
        return tree
    cycle = replace(times[0], grain=OF_A_YEAR[times[0].grain])
    made: Query = mapped(tree, lambda each: cycle if each == times[0] else each)
    return made


def is_by_date(tree: Query) -> bool:
    """Whether rows are by periods that never come again, so that two of these share no row."""
    return any(isinstance(each, Bucket) and each.grain in _ONCE for each in tree.group)


_ONCE: tuple[Grain, ...] = ("hour", "day", "week", "month", "quarter", "half", "year")

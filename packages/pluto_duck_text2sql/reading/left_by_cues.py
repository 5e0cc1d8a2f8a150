"""What a cue leaves behind in a tree: `top` an order, `never` something denied, `over` a bound.

The others are only joints. Pure: reads the cue and the marks of a tree.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from pluto_duck_text2sql.data.yes_no import says_no
from pluto_duck_text2sql.reading.other_way import is_other_way
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Compare,
    Days,
    During,
    Either,
    First,
    Fold,
    Growth,
    Inside,
    Minus,
    Missing,
    Own,
    Query,
    Ratio,
    Related,
    Running,
    Share,
)
from pluto_duck_text2sql.trees.marks import Marks

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.cues import Cue

Leaves: TypeAlias = "Callable[[Cue, Marks], bool]"


def _is_grouped(marks: Marks) -> bool:
    return marks.any(Query, lambda each: bool(each.group or each.per or each.order))


def _ranked(marks: Marks) -> bool:
    sorts = marks.any(Query, lambda each: each.limit is not None or bool(each.order))
    return sorts or marks.any(Agg, lambda each: each.function in ("max", "min"))


def negated(marks: Marks) -> bool:
    """Whether something of a tree is denied, missing, or taken from the rest."""
    kinds = (Related, Missing, Inside, Among)
    return (
        any(isinstance(each, kinds) and (each.negated or isinstance(each, Missing)) for each in marks.nodes)
        or marks.any(Compare, _says_not)
        or marks.any(Query, lambda each: each.then is not None)
    )


def tells_apart(query: Query) -> bool:
    """Whether a tree denies something, or holds rows against a bound: `did not exceed 50`."""
    marks = Marks.of(query)
    return negated(marks) or _compares(marks)


def _says_not(each: Compare) -> bool:
    """A value that is ruled out, or a stored no that is not."""
    is_no = isinstance(each.right, str | int | float) and says_no(each.right)
    ruled_out = each.operator in ("!=", "not like")
    return not ruled_out if is_no and isinstance(each.right, str) else ruled_out or is_no


def _compares(marks: Marks) -> bool:
    """A bound is there; that a text is stored so is none."""
    counted = marks.any(Related, lambda each: each.count is not None)
    return counted or marks.any(Compare, _is_bound)


def _is_bound(compare: Compare) -> bool:
    is_number = compare.operator == "=" and not isinstance(compare.right, str)
    return is_number or compare.operator in ("<", "<=", ">", ">=")


def _is_pair(marks: Marks) -> bool:
    """Two parts side by side, one less the other, or two periods."""
    parts = sum(isinstance(each, Agg) and bool(each.where) for each in marks.nodes)
    return parts > 1 or marks.has(Minus, Growth, Either) or marks.any(Among, lambda each: len(each.values) > 1)


def _aggregates(cue: Cue, marks: Marks) -> bool:
    functions = {each.function for each in marks.nodes if isinstance(each, Agg)}
    asked = cue.data.get("fn")
    same = {"median": {"median", "quantile"}, "sum": {"sum", "count"}, "avg": {"avg"}}
    averaged = asked == "avg" and marks.has(Running, Ratio)
    return bool(functions & same.get(str(asked), {asked})) or averaged


def _is_as_long(moving: Running, said: float | None) -> bool:
    """Whether it is of the last rows, and of so many as are said: a 3-month moving average."""
    return moving.last is not None and (said is None or moving.last == said)


def _compares_with_average(cue: Cue, marks: Marks) -> bool:
    """Whether it has an average, and as often as is said: 1.5 times it."""
    times = cue.data.get("times")
    said = [each.times for each in marks.nodes if isinstance(each, Fold | Own)]
    if is_other_way(cue, marks):
        return False
    is_as_often = times is None or any(math.isclose(each, times) for each in said)
    return is_as_often and marks.any(Agg, lambda each: each.function == "avg")


CERTAIN: dict[str, Leaves] = {
    "growth": lambda _, marks: marks.has(Growth, Minus, Ratio),
    "running": lambda _, marks: marks.any(Running, lambda each: each.last is None),
    "moving": lambda cue, marks: marks.any(Running, lambda each: _is_as_long(each, cue.data.get("n"))),
    "share": lambda _, marks: marks.has(Share, Ratio) or marks.any(Agg, lambda each: each.function == "avg"),
    "cmp": lambda _, marks: _compares(marks),
    "between": lambda _, marks: marks.has(Compare, During),
    "cmp_avg": lambda cue, marks: _compares_with_average(cue, marks),
    "super": lambda _, marks: _ranked(marks),
    "popular": lambda _, marks: _ranked(marks),
    "bestselling": lambda _, marks: _ranked(marks),
    "never": lambda _, marks: negated(marks),
}
"""What cues leave behind that mean nothing else."""
MARK_OF: dict[str, Leaves] = {
    **CERTAIN,
    "versus": lambda _, marks: _is_pair(marks) or marks.has(Compare),
    "super_adj": lambda _, marks: _ranked(marks) or marks.has(First),
    "sort": lambda _, marks: _ranked(marks),
    "sort_adj": lambda _, marks: _ranked(marks),
    "count": lambda _, marks: marks.any(Agg, lambda each: each.function in ("count", "sum")) or marks.has(Days),
    "agg": _aggregates,
    "group": lambda cue, marks: _is_grouped(marks) or ("each" in cue.data and not marks.has(Agg)),
    "not": lambda _, marks: negated(marks),
}
"""What each kind of cue leaves behind; the others are only joints."""

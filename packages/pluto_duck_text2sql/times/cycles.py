"""Days that come round every week: `on weekends`, `on Mondays and Fridays`, `on working days`.

Called by `roles` after periods and grains; `conditions` turns what is found into a condition on a time's weekday. A day
that is a stored value is that value, and left alone.
"""

from __future__ import annotations

import calendar
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.tree import Bucket, Col, Compare, Cond, Either, Every

_DAYS = {name.lower(): number for number, name in enumerate(calendar.day_name, 1)}
_DAY = rf"(?:{'|'.join(_DAYS)})s?"
_OPERATORS = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_NOT = r"(?P<not>(?:not|except|excluding|without|other than) )?"
_AT = r"(?:on|at|over|during) (?:(?:a|the|any|every) )?"
WEEKEND, WORKING = (6, 7), (1, 2, 3, 4, 5)
_PATTERNS = (
    rf"{_NOT}(?:{_AT})?(?:the )?(?P<weekend>week ?ends?)",
    rf"(?:{_NOT}{_AT}|(?P<but>except|excluding) (?:on )?)(?P<working>(?:working|business|week) ?days?|workdays?)",
    r"(?P<working>during the week)(?! (?:of|from|before|after|starting|ending))",
    rf"{_NOT}(?:{_AT})?(?:an? )?(?P<first>{_DAY}),? (?:to|through|until|till) (?P<last>{_DAY})",
    rf"{_NOT}(?:{_AT})?(?:an? )?(?P<days>{_DAY}(?:(?: and| or|,|, and|, or)? {_DAY})*)",
)
"""`business days to ship` are counted, so working days need a word that leads to them."""


@dataclass(frozen=True)
class Cycle:
    """Words `start` to before `end`, and the weekdays they mean: Monday is 1, Sunday 7."""

    start: int
    end: int
    days: tuple[int, ...]

    @property
    def restricts(self) -> bool:
        """Whether it leaves days out: `Monday to Sunday` is how they are sorted."""
        return len(self.days) < len(_DAYS)

    def condition(self, column: Col) -> Cond:
        """That a time is on one of the days."""
        day = Bucket("weekday", column)
        first, last = self.days[0], self.days[-1]
        if len(self.days) == 1:
            return Compare(day, "=", first)
        if len(self.days) == last - first + 1:
            bounds = (
                *((Compare(day, ">=", first),) if first > 1 else ()),
                *((Compare(day, "<=", last),) if last < 7 else ()),
            )
            return bounds[0] if len(bounds) == 1 else Every(bounds)
        return Either(tuple(Compare(day, "=", each) for each in self.days))


def find_cycles(
    words: Words, is_stored: Callable[[str], bool], is_within: Callable[[int, int], bool] = lambda start, end: False
) -> list[Cycle]:
    """The days named, none that is a stored value, or `is_within` one: `the Black Friday campaign`. Their words are
    taken."""
    found = list[Cycle]()
    for pattern in _PATTERNS:
        for match in words.peek(pattern):
            start, end = words.span(match)
            if is_within(start, end) or any(is_stored(each) for each in words.words(start, end)):
                continue
            words.take(start, end)
            found.append(Cycle(start, end, _days(match.groupdict())))
    return sorted(found, key=lambda each: each.start)


def _days(said: dict[str, str | None]) -> tuple[int, ...]:
    days = WEEKEND if said.get("weekend") else WORKING if said.get("working") else _named(said)
    return tuple(each for each in _DAYS.values() if each not in days) if said.get("not") or said.get("but") else days


def _named(said: dict[str, str | None]) -> tuple[int, ...]:
    """The days of a list, or from one to another."""
    words = " ".join(filter(None, (said.get("first"), said.get("last"), said.get("days")))).replace(",", " ").split()
    days = sorted({_DAYS[each.removesuffix("s")] for each in words if each.removesuffix("s") in _DAYS})
    return tuple(range(days[0], days[-1] + 1)) if said.get("first") else tuple(days)


def days_of(conditions: Sequence[Cond]) -> tuple[int, ...]:
    """The weekdays on which all of the conditions can hold."""
    return tuple(day for day in _DAYS.values() if all(_may_hold(each, day) for each in conditions))


def _may_hold(condition: Cond, day: int) -> bool:
    if isinstance(condition, Every):
        return all(_may_hold(each, day) for each in condition.all_of)
    if isinstance(condition, Either):
        return any(_may_hold(each, day) for each in condition.any_of)
    if isinstance(condition, Compare) and isinstance(condition.left, Bucket) and condition.left.grain == "weekday":
        return bool(_OPERATORS[condition.operator](day, condition.right))
    return True

"""Days of the calendar that words name, and how far they are moved: months by name, real dates, whole units."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import cast

from pluto_duck_text2sql.language.words import number_of
from pluto_duck_text2sql.tree import Grain

Range = tuple[dt.date | None, dt.date | None]
Resolve = Callable[[dt.date], Range]
Made = tuple[Resolve, Grain]
"""How a time is resolved against an anchor day, and its grain."""
MONTHS = "january february march april may june july august september october november december".split()
MONTH = "|".join(f"{name}|{name[:3]}" for name in MONTHS) + "|sept"
YEAR = r"(?:1[6-9]|20)\d\d"
TOLD_YEAR = (
    r"(?:(?:this|next|the current|current|(?:the )?(?:last|past|previous|prior|preceding)) year|(?:a|one) year ago)"
)
"""A year that today tells."""
_MOST_IN_A_ROW = 4


def _in_a_row() -> str:
    """`june and july`, `october november and december`: months that follow each other, as one pattern."""
    said = [f"(?:{name}|{name[:3]})" for name in MONTHS]
    rows = ([said[(n + k) % 12] for k in range(count)] for count in range(_MOST_IN_A_ROW, 1, -1) for n in range(12))
    return "|".join(" ".join((*row[:-1], "and", row[-1])) for row in rows)


MONTHS_IN_A_ROW = rf"(?:{_in_a_row()})"
ARTICLES = frozenset(("a", "an"))
_LAST_YEAR, _MOST_YEARS = 9998, 1500
_IN_A_YEAR = {"year": 1, "quarter": 4, "month": 12, "week": 52, "day": 365}


def fixed(start: dt.date, unit: str, count: int = 1) -> Made:
    return (lambda anchor: (start, shift(start, unit, count))), cast(Grain, unit)


def units_said(text: str | None, unit: str) -> int:
    """How many units a text says in digits or as a word, 1 for an article or none; at most 1,500 years of them."""
    number = None if not text or text.lower() in ARTICLES else number_of(text.lower())
    return 1 if number is None else min(int(number), _MOST_YEARS * _IN_A_YEAR[unit])


def shift(day: dt.date, unit: str, count: int) -> dt.date:
    """`day` moved by `count` units; a month's last days stay in their month."""
    if unit in ("day", "week"):
        return day + dt.timedelta(days=count * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + count * {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = divmod(months, 12)
    first_of_next = dt.date(year + month // 11, (month + 1) % 12 + 1, 1)
    return dt.date(year, month + 1, min(day.day, (first_of_next - dt.timedelta(days=1)).day))


def floor(day: dt.date, unit: str) -> dt.date:
    """The first day of the unit that holds `day`; weeks begin on Monday."""
    if unit == "week":
        return day - dt.timedelta(days=day.weekday())
    if unit == "quarter":
        return dt.date(day.year, (day.month - 1) // 3 * 3 + 1, 1)
    return {"day": day, "month": day.replace(day=1), "year": day.replace(month=1, day=1)}[unit]


def month_number(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, 1) if month.startswith(name[:3]))


def real_date(year: int, month: int, day: int) -> dt.date:
    """The date, or the last of its month where the day does not exist."""
    first = dt.date(min(max(year, 1), _LAST_YEAR), min(max(month, 1), 12), 1)
    return min(first + dt.timedelta(days=max(day, 1) - 1), shift(first, "month", 1) - dt.timedelta(days=1))


def iso_day(text: str) -> dt.date:
    year, month, day = text.split("-")
    return real_date(int(year), int(month), int(day))


def month_seen(number: int, day: dt.date) -> tuple[dt.date, dt.date]:
    """The latest month of that number that has begun on a day, from its first day to before the next."""
    start = dt.date(day.year - (number > day.month), number, 1)
    return start, shift(start, "month", 1)

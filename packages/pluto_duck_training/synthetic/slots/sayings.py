"""Periods as people say them: in Q3 2012, the past 90 days, since March 2013, year to date."""

from __future__ import annotations

import datetime as dt

from pluto_duck_training.synthetic.slots.draw import Draw

MONTHS = "January February March April May June July August September October November December".split()
_QUARTERS = ("first", "second", "third", "fourth")
_ROLLING = (("days", (7, 14, 30, 60, 90, 180)), ("weeks", (2, 4, 6)), ("months", (2, 3, 6, 12, 18)), ("years", (2, 3)))
_NUMBERS = {2: "two", 3: "three", 4: "four", 6: "six", 12: "twelve"}


def day_in(draw: Draw, low: dt.date, high: dt.date) -> dt.date:
    return low + dt.timedelta(days=int((high - low).days * draw.rng.uniform(0.1, 0.95)))


def _in_year(draw: Draw, low: dt.date, high: dt.date) -> str:
    return draw.rng.choice(("in {}", "in {}", "{}", "during {}", "for {}")).format(day_in(draw, low, high).year)


def _in_quarter(draw: Draw, low: dt.date, high: dt.date) -> str:
    day = day_in(draw, low, high)
    number = (day.month - 1) // 3
    ways = ("in Q{n} {year}", "in the {name} quarter of {year}", "Q{n} {year}", "in Q{n} of {year}", "{year} Q{n}")
    return draw.rng.choice(ways).format(n=number + 1, name=_QUARTERS[number], year=day.year)


def _in_month(draw: Draw, low: dt.date, high: dt.date) -> str:
    day = day_in(draw, low, high)
    name = MONTHS[day.month - 1]
    ways = ("in {name} {year}", "in {name} {year}", "{name} {year}", "in {name} of {year}", "in {short} {year}")
    return draw.rng.choice(ways).format(name=name, short=name[:3], year=day.year)


def _half(draw: Draw, low: dt.date, high: dt.date) -> str:
    half = draw.rng.choice(("first", "second"))
    return f"in the {half} half of {day_in(draw, low, high).year}"


def _rolling(draw: Draw, low: dt.date, high: dt.date) -> str:
    unit, numbers = draw.rng.choice(_ROLLING)
    number = draw.rng.choice(numbers)
    said = _NUMBERS.get(number, str(number)) if draw.rng.random() < 0.4 else str(number)
    lead = draw.rng.choice(
        ("in the last", "in the past", "over the last", "over the past", "last", "past", "during the last")
    )
    return f"{lead} {said} {unit}"


def _long_rolling(draw: Draw, low: dt.date, high: dt.date) -> str:
    return f"{draw.rng.choice(('in the last', 'over the past', 'last'))} {draw.rng.choice((9, 12, 18, 24))} months"


def _relative(draw: Draw, low: dt.date, high: dt.date) -> str:
    unit = draw.rng.choice(("month", "month", "quarter", "year", "week"))
    short = {"month": "MTD", "quarter": "QTD", "year": "YTD", "week": "this week"}[unit]
    to_date = f"{unit} to date" if unit != "week" else "last week"
    return draw.rng.choice((f"last {unit}", f"last {unit}", f"this {unit}", f"in the last {unit}", to_date, short))


def _open_year(draw: Draw, low: dt.date, high: dt.date) -> str:
    return f"{draw.rng.choice(('since', 'since', 'before', 'after', 'until'))} {day_in(draw, low, high).year}"


def _open_month(draw: Draw, low: dt.date, high: dt.date) -> str:
    day = day_in(draw, low, high)
    return f"{draw.rng.choice(('since', 'since', 'before', 'after'))} {MONTHS[day.month - 1]} {day.year}"


def _years(draw: Draw, low: dt.date, high: dt.date) -> str:
    first = draw.rng.randint(low.year, max(low.year, high.year - 1))
    ways = ("in {} and {}", "from {} to {}", "between {} and {}", "{} to {}")
    return draw.rng.choice(ways).format(first, first + 1)


def _days(draw: Draw, low: dt.date, high: dt.date) -> str:
    first = day_in(draw, low, high)
    last = first + dt.timedelta(days=draw.rng.choice((13, 29, 60, 89)))
    return draw.rng.choice(("between {} and {}", "from {} to {}")).format(first, last)


def _months(draw: Draw, low: dt.date, high: dt.date) -> str:
    day = day_in(draw, low, high).replace(day=1)
    first, last = day.month - 1, min(day.month + draw.rng.randint(1, 3), 12) - 1
    if first >= last:
        return _in_month(draw, low, high)
    return draw.rng.choice(("between {} and {} {}", "from {} to {} {}")).format(MONTHS[first], MONTHS[last], day.year)


KINDS = (
    *(_in_year,) * 6,
    *(_in_quarter, _in_quarter, _in_month, _in_month, _in_month, _half, _rolling, _rolling, _relative, _relative),
    *(_open_year, _open_month, _years, _years, _days, _months),
)


def two_years(draw: Draw, low: dt.date, high: dt.date) -> tuple[str, str]:
    first = draw.rng.randint(low.year, high.year - 1)
    return str(first), str(first + 1)


def two_quarters(draw: Draw, low: dt.date, high: dt.date) -> tuple[str, str]:
    year, number = day_in(draw, low, high).year, draw.rng.randint(1, 3)
    if draw.rng.random() < 0.4 and year > low.year:
        return f"Q{number} {year - 1}", f"Q{number} {year}"
    return f"Q{number} {year}", f"Q{number + 1} {year}"


LONG = (_in_year, _in_year, _in_year, _years, _half, _open_year, _long_rolling)

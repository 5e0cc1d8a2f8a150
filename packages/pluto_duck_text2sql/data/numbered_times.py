"""Times kept as numbers: days as `20240131` in `date_key`, moments as `1700000000` in `created_utc`.

What a column is called and the ends of what it holds tell the form; whether all of it is so, the data alone. A few
numbers stand for no time at all: -1 and 0, 19000101, 99991231. How such a column is read as a time is `read` here.
"""

from __future__ import annotations

from math import isfinite
from typing import Any

from pluto_duck_text2sql.language.words import name_parts

DAYS, SECONDS_OF_DAYS = "%Y%m%d", "%Y%m%d%H%M%S"
SECONDS, MILLISECONDS, MICROSECONDS = (f"{unit} since 1970" for unit in ("seconds", "milliseconds", "microseconds"))
_SINCE_1990, _BEFORE_2100 = 631_152_000, 4_102_444_800
_SINCE_1970 = frozenset((SECONDS, MILLISECONDS, MICROSECONDS))
_BOUNDS = {
    DAYS: (18_500_101, 21_501_231),
    SECONDS_OF_DAYS: (18_500_101_000_000, 21_501_231_235_959),
    SECONDS: (_SINCE_1990, _BEFORE_2100),
    MILLISECONDS: (_SINCE_1990 * 10**3, _BEFORE_2100 * 10**3),
    MICROSECONDS: (_SINCE_1990 * 10**6, _BEFORE_2100 * 10**6),
}
"""The first and the last number of each form that is a time."""
_NONE = (-1, 0)
_NO_TIMES = {
    DAYS: (*_NONE, 19_000_101, 99_991_231, 99_999_999),
    SECONDS_OF_DAYS: (*_NONE, 19_000_101_000_000, 99_991_231_000_000, 99_991_231_235_959),
    SECONDS: (*_NONE, 2_147_483_647),
    MILLISECONDS: _NONE,
    MICROSECONDS: _NONE,
}
_READ = {
    DAYS: "CAST(TRY_STRPTIME(CAST({} AS VARCHAR), '%Y%m%d') AS DATE)",
    SECONDS_OF_DAYS: "TRY_STRPTIME(CAST({} AS VARCHAR), '%Y%m%d%H%M%S')",
    SECONDS: "MAKE_TIMESTAMP(CAST({} AS BIGINT) * 1000000)",
    MILLISECONDS: "MAKE_TIMESTAMP(CAST({} AS BIGINT) * 1000)",
    MICROSECONDS: "MAKE_TIMESTAMP(CAST({} AS BIGINT))",
}
KEYS_OF_TIMES = frozenset("id key sk fk pk nk".split())
"""Words of a name that say only that it is a key: those of `date_key`, which is a day all the same."""
_UNITS = frozenset("utc gmt unix epoch sec secs second seconds s ms millis milliseconds us micros microseconds".split())
_SINCE = frozenset("epoch unix utc gmt ms millis milliseconds us micros microseconds".split())
"""Words that say a time by themselves, behind whatever happened then: `arrival_epoch`, `joined_ms`."""
_TIMES = frozenset(
    """date day dt dte dat datum ymd yyyymmdd time timestamp ts tstamp datetime dttm dts epoch birthday dob on at
    created updated modified""".split()
)
_FIRST = frozenset("date day dt epoch timestamp".split())
"""What a name may begin with that ends in what happened then: `date_of_sale`, `dt_paid`."""
_GLUED = ("date", "datetime", "timestamp", "dat")
"""What times are called behind another word without anything between: `orderdate`, `erdat`."""
_NO_DATES = frozenset("candidate mandate validate consolidate liquidate accommodate intimidate elucidate".split())
_MEASURED = frozenset(
    """amount count total sum price cost value version number no num qty quantity duration elapsed zip zipcode postcode
    phone code rate days minutes hours""".split()
)
"""What a number is of that a time is only said of: `date_count`."""


def says_time(name: str) -> bool:
    """Whether a column is called after a time, be it the key of one: `order_date_key`, `sale_dt`, `created_utc`."""
    words = [each for each in name_parts(name) if each not in KEYS_OF_TIMES]
    is_since = not _SINCE.isdisjoint(words)
    if len(words) > 1 and words[-1] in _UNITS:
        words = [each for each in words if each not in _UNITS] or words
    if not words or not _MEASURED.isdisjoint(words):
        return False
    return is_since or words[-1] in _TIMES or words[0] in _FIRST or _is_glued(words[-1])


def _is_glued(word: str) -> bool:
    return word.endswith(_GLUED) and word not in _NO_DATES


def likely_form(least: Any, greatest: Any) -> str:
    """The form of which both ends are, as far as they are times; nothing where there is none."""
    if least is None or greatest is None or not (isfinite(least) and isfinite(greatest)) or greatest <= 0:
        return ""
    return next((form for form in _BOUNDS if _are_of(form, int(least), int(greatest))), "")


def _are_of(form: str, least: int, greatest: int) -> bool:
    first, last = _BOUNDS[form]
    return all(first <= each <= last for each in (least, greatest) if each not in _NO_TIMES[form])


def no_times(form: str) -> tuple[int, ...]:
    """The numbers of a form that stand for no time."""
    return _NO_TIMES[form]


def is_moment(form: str) -> bool:
    """Whether times of this form have a time of day."""
    return form in _READ and form != DAYS


def whole(number: str, type_: str) -> str:
    """DuckDB's SQL for a number that is kept with a fraction, which no time has, without it."""
    return number if "INT" in type_.upper() else f"CAST({number} AS BIGINT)"


def read(number: str, form: str, without: tuple[int, ...] = ()) -> str:
    """DuckDB's SQL for what a number is as a time; None of what stands for none."""
    for each in without if form in _SINCE_1970 else (each for each in without if each > 0):
        number = f"NULLIF({number}, {each})"
    return _READ[form].format(number)


def holds(number: str, form: str) -> str:
    """DuckDB's SQL for whether a number is a time of a form, or stands for none."""
    first, last = _BOUNDS[form]
    none = ", ".join(map(str, _NO_TIMES[form]))
    return f"{number} IN ({none}) OR ({number} BETWEEN {first} AND {last} AND {read(number, form)} IS NOT NULL)"

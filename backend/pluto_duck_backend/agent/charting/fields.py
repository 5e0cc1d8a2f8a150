"""What each column of a result is to a reader: a time, a place, a name, an order of its own, or a measure.

`choice.py` asks `read_fields` first. Roles come from DuckDB's type, the column's name and the values really there, so
that an id is never added up and a year is never averaged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from pluto_duck_backend.agent.charting import times

Role = Literal["time", "order", "category", "measure", "identifier", "latitude", "longitude", "constant", "other"]
Value = Any

_NUMERIC = re.compile(r"(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|BIGNUM|DOUBLE|FLOAT|REAL|DECIMAL.*)$")
_WHOLE = re.compile(r"(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|BIGNUM|DECIMAL\(\d+,0\))$")
_IDENTIFYING = {
    "id",
    "ids",
    "key",
    "code",
    "zip",
    "zipcode",
    "postal",
    "postcode",
    "phone",
    "fax",
    "uuid",
    "sku",
    "isbn",
}
_LATITUDE, _LONGITUDE = {"lat", "latitude"}, {"lon", "lng", "long", "longitude"}
_CYCLES = {
    **dict.fromkeys(("month", "months", "monthnumber"), (1, 12)),
    **dict.fromkeys(("quarter", "quarters"), (1, 4)),
    **dict.fromkeys(("hour", "hours"), (0, 23)),
    **dict.fromkeys(("weekday", "dow", "dayofweek", "isodow"), (0, 7)),
    **dict.fromkeys(("day", "dayofmonth"), (1, 31)),
    **dict.fromkeys(("week", "weeknumber"), (1, 53)),
}
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CALENDAR_WORD = re.compile(
    r"(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?$"
    r"|(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)$",
    re.IGNORECASE,
)
_BAND = re.compile(
    r"\s*(?:[<>≤≥]=?\s*|under |over |up to )?\D{0,2}(\d[\d,.]*)\D*(?:(?:-|–|to|\.\.)\D*\d[\d,.]*.*|\+.*)?$"
)
_SHARED = re.compile(r"(rate|ratio|share|pct|percent|percentage|fraction|proportion)$")
_LONGEST_LABEL = 80


@dataclass(frozen=True)
class Field:
    """A result's column with its role; `values` of measures are numbers, of times ISO texts."""

    name: str
    type: str
    role: Role
    values: tuple[Value, ...]
    grain: times.Grain = "none"

    @cached_property
    def known(self) -> tuple[Value, ...]:
        """The values that are not null."""
        return tuple(value for value in self.values if value is not None)

    @cached_property
    def distinct(self) -> tuple[Value, ...]:
        """The different values in the order in which they appear, null among them."""
        return tuple(dict.fromkeys(self.values))

    @cached_property
    def words(self) -> list[str]:
        return words_of(self.name)

    @property
    def is_unique(self) -> bool:
        return len(self.distinct) == len(self.values)

    @property
    def is_whole(self) -> bool:
        """Numbers of things, not amounts."""
        return bool(_WHOLE.match(self.type))

    @property
    def has_negative(self) -> bool:
        return any(value < 0 for value in self.known)

    @cached_property
    def share(self) -> Literal["", "of one", "of hundred"]:
        """Whether the values are parts of a whole, and of which."""
        if not _SHARED.search("_".join(self.words)) or not self.known:
            return ""
        return "of one" if max(map(abs, self.known)) <= 1 else "of hundred"

    @property
    def ordered(self) -> tuple[Value, ...]:
        """The different values as their own order wants them: by time, by weekday, by the number that begins them."""
        if self.role not in ("time", "order"):
            return self.distinct
        return tuple(sorted(self.distinct, key=_place_of))


def words_of(name: str) -> list[str]:
    """A column's name in words: `avgOrder_value` is avg, order, value."""
    return [word.casefold() for word in re.findall(r"[^\W\d_]+|\d+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))]


def read_fields(columns: Sequence[dict[str, str]], rows: Sequence[Sequence[Value]]) -> list[Field]:
    """A field for each column of the result."""
    values = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
    fields = [_read(column["name"], column["type"], each) for column, each in zip(columns, values, strict=True)]
    return _without_lonely_coordinates(fields)


def _read(name: str, kind: str, values: tuple[Value, ...]) -> Field:
    known = [value for value in values if value is not None]
    if not known or kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION", "BLOB", "BIT", "INTERVAL")):
        return Field(name, kind, "other", values)
    grain = times.grain_of(name, kind, known)
    if grain != "none":
        field = Field(name, kind, "time", tuple(times.to_iso(value) for value in values), grain)
    elif _NUMERIC.match(kind):
        numbers = tuple(None if value is None else _number(value) for value in values)
        field = Field(name, kind, _numeric_role(name, kind, numbers), numbers)
    else:
        field = Field(name, kind, _text_role(kind, known), values)
    is_same = len(values) > 1 and len(set(map(str, values))) == 1 and field.role != "measure"
    return replace(field, role="constant") if is_same else field


def _number(value: Value) -> Value:
    """Integers beyond 2^53 come as text; a chart cannot show their last digits anyway."""
    return float(value) if isinstance(value, str) else value


def _numeric_role(name: str, kind: str, values: Sequence[Value]) -> Role:
    words, known = words_of(name), [value for value in values if value is not None]
    last = words[-1] if words else ""
    if last in _LATITUDE and all(-90 <= value <= 90 for value in known):
        return "latitude"
    if last in _LONGITUDE and all(-360 <= value <= 360 for value in known):
        return "longitude"
    if not _WHOLE.match(kind):
        return "measure"
    if _IDENTIFYING & set(words):
        return "identifier"
    low, high = _CYCLES.get("".join(words), (1, 0))
    return "order" if low <= min(known) and max(known) <= high else "measure"


def _text_role(kind: str, known: Sequence[Value]) -> Role:
    if kind == "BOOLEAN":
        return "category"
    if kind == "UUID":
        return "identifier"
    texts = [str(value) for value in known]
    if len(set(texts)) > 1 and (all(map(_CALENDAR_WORD.match, texts)) or _are_bands(texts)):
        return "order"
    return "other" if sum(map(len, texts)) > _LONGEST_LABEL * len(texts) else "category"


def _are_bands(texts: Sequence[str]) -> bool:
    """Texts like 18-25, 65+ or <10; at least one is a span, since codes are numbers too."""
    return all(map(_BAND.match, texts)) and any(
        re.search(r"\d\s*(-|–|to|\.\.)\s*\D?\d|\d\+|[<>≤≥]", each) for each in texts
    )


def _place_of(value: Value) -> tuple[int, Value, str]:
    """Where a value stands in its own order; null comes last."""
    if value is None:
        return (3, 0, "")
    if isinstance(value, int | float):
        return (0, value, "")
    start = str(value)[:3].casefold()
    for calendar in (_WEEKDAYS, _MONTHS):
        if start in calendar and _CALENDAR_WORD.match(str(value)):
            return (0, calendar.index(start), "")
    return _place_of_band(str(value))


def _place_of_band(text: str) -> tuple[int, Value, str]:
    band = None if times.is_iso(text) else _BAND.match(text)
    if not band:
        return (1, 0, text)
    number = float(band[1].replace(",", "").rstrip("."))
    return (0, number - (0.5 if re.match(r"\s*[<≤]|under|up to", text) else 0), text)


def _without_lonely_coordinates(fields: list[Field]) -> list[Field]:
    """Half a place is a number."""
    roles = {field.role for field in fields}
    if {"latitude", "longitude"} <= roles:
        return fields
    return [replace(each, role="measure") if each.role in ("latitude", "longitude") else each for each in fields]

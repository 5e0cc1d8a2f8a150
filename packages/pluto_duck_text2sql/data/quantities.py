"""Numbers as people say them: two dozen, half a million, 5 percent, an hour and a half, three quarters of an hour.

A percentage is spelt as a fraction where a column holds fractions, a duration in the unit its column is named after.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import NUMBER_WORDS, Token, name_stems, number_of, stem
from pluto_duck_text2sql.tree import Col

_TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))
_TEENS = dict(zip("thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(), range(13, 20), strict=True))
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1e3, "k": 1e3, "million": 1e6, "billion": 1e9, "bn": 1e9}
_SMALL = {word: number for word, number in NUMBER_WORDS.items() if word not in _SCALES} | _TENS | _TEENS
_ORDINALS = dict(
    zip("first second third fourth fifth sixth seventh eighth ninth tenth".split(), range(1, 11), strict=True)
)
_NTH = Pattern(r"(\d+)(?:st|nd|rd|th)\b")
_UNITS_JOINED = Pattern(r"(\w+)-(?:minute|hour|day|week|month|quarter|year)s?$")
_PERCENT = ("percent", "pct", "percents")
_ONE = ("a", "an", "one")
_UNITS = {
    "millisecond": 1.0,
    "ms": 1.0,
    "second": 1e3,
    "sec": 1e3,
    "minute": 6e4,
    "min": 6e4,
    "hour": 3.6e6,
    "hr": 3.6e6,
    "day": 8.64e7,
    "week": 6.048e8,
}
"""Milliseconds in each."""
_BY_STEM = {stem(word): milliseconds for word, milliseconds in _UNITS.items()}
Spelt = dict[Col, str | float]


@dataclass(frozen=True)
class Quantity:
    """Words `start` to before `end` that say a number, and how columns spell it that keep another unit."""

    start: int
    end: int
    value: float
    spelt: Spelt = field(default_factory=dict)


_PER = stem("per")


@dataclass(frozen=True)
class Measures:
    """The columns of a catalog that hold fractions of 1, those that hold durations, with their unit, and any times."""

    fractions: tuple[Col, ...]
    durations: dict[Col, float]
    has_times: bool

    @classmethod
    def of(cls, catalog: Catalog) -> Measures:
        """Those of a catalog."""
        columns = [(table, column) for table in catalog.tables for column in table.columns if column.kind == "number"]
        fractions = tuple(Col(table.key, column.name) for table, column in columns if _is_fraction(column))
        units = {Col(table.key, column.name): _unit(table, column) for table, column in columns}
        kinds = {column.kind for table in catalog.tables for column in table.columns}
        durations = {column: unit for column, unit in units.items() if unit}
        return cls(fractions, durations, not kinds.isdisjoint(("time", "text")))


def quantities(tokens: Sequence[Token], measures: Measures) -> Iterator[Quantity]:
    """The numbers of a question, the longest reading of each."""
    place = 0
    while place < len(tokens):
        found = _duration(tokens, place, measures) or _amount(tokens, place, measures)
        if found:
            yield found
        place = found.end if found else place + 1


def _is_fraction(column: Column) -> bool:
    low, high = column.minimum, column.maximum
    known = isinstance(low, int | float | Decimal) and isinstance(high, int | float | Decimal)
    is_whole = "INT" in column.type.upper()
    return not is_whole and known and low >= 0 and high <= 1


def _unit(table: Table, column: Column) -> float:
    """Milliseconds in the unit that the column is named after; 0 for none."""
    stems = (*table.stems(column.name), *name_stems(column.unit)) if column.unit else table.stems(column.name)
    if _PER in stems:  # hours per week are no weeks
        return 0.0
    found = [_BY_STEM[each] for each in stems if each in _BY_STEM and (each != "min" or each == stems[-1])]
    is_rate = len(set(found)) > 1  # hours a week: `hrs_wk`
    return found[-1] if found and not is_rate else 0.0


def _amount(tokens: Sequence[Token], place: int, measures: Measures) -> Quantity | None:
    """A number, perhaps of percents."""
    number = spoken(tokens, place)
    if number is None:
        return None
    end, value = number
    if end < len(tokens) and tokens[end].lower in _PERCENT and measures.fractions:
        fraction = round(value / 100, 12)
        return Quantity(place, end + 1, value, dict.fromkeys(measures.fractions, fraction))
    return Quantity(place, end, value)


def _duration(tokens: Sequence[Token], place: int, measures: Measures) -> Quantity | None:
    """A number of units of time, where a column holds such: `2 minutes and 30 seconds`, `half an hour`."""
    first = _timed(tokens, place) if measures.durations else None
    if first is None:
        return None
    end, value, unit = first
    total = value * unit
    after = end + 1 if _lower(tokens, end) == "and" else end
    second = _timed(tokens, after)
    if second and second[2] < unit:
        end, total = second[0], total + second[1] * second[2]
    spelt: Spelt = {column: round(total / each, 9) for column, each in measures.durations.items()}
    return Quantity(place, end, round(total / unit, 9), spelt)


def _timed(tokens: Sequence[Token], place: int) -> tuple[int, float, float] | None:
    """Where a duration ends, its number, and the milliseconds of its unit."""
    single = (place + 1, 1.0) if _lower(tokens, place) in _ONE else None
    for number in (_part_of_one(tokens, place), spoken(tokens, place), single):
        if number is None:
            continue
        end, value = _with_half(tokens, *number)
        unit = _BY_STEM.get(tokens[end].stem) if end < len(tokens) else None
        if unit is not None:
            return *_with_half(tokens, end + 1, value), unit
    return None


def _with_half(tokens: Sequence[Token], end: int, value: float) -> tuple[int, float]:
    """`and a half` after a number or its unit."""
    return (end + 3, value + 0.5) if _lowers(tokens, end, 3) == ("and", "a", "half") else (end, value)


def _part_of_one(tokens: Sequence[Token], place: int) -> tuple[int, float] | None:
    """Half an hour, a quarter of an hour, three quarters of an hour: up to the unit."""
    if _lower(tokens, place) == "half" and _lower(tokens, place + 1) in _ONE:
        return place + 2, 0.5
    count = 1.0 if _lower(tokens, place) in _ONE else _SMALL.get(_lower(tokens, place))
    is_quarter = _lower(tokens, place + 1) in ("quarter", "quarters")
    if count is not None and is_quarter and _lower(tokens, place + 2) == "of" and _lower(tokens, place + 3) in _ONE:
        return place + 4, count / 4
    return None


def spoken(tokens: Sequence[Token], place: int) -> tuple[int, float] | None:
    """Where a number that begins at `place` ends, and what it is; None where none does."""
    halved = _lower(tokens, place) == "half" and _lower(tokens, place + 1) in _ONE
    start = place + 2 if halved else place + 1 if _lower(tokens, place) in ("a", "an") else place
    if start > place:
        scale = _SCALES.get(_lower(tokens, start))
        rest = _composed(tokens, start) if scale and scale > 1 else None
        return (rest[0], rest[1] * (0.5 if halved else 1)) if rest else None
    return _composed(tokens, place)


def _composed(tokens: Sequence[Token], place: int) -> tuple[int, float] | None:
    """Digits or words, and the scales after them: two hundred and fifty, 1.5 million."""
    total, current, at = 0.0, None, place
    while at < len(tokens) and not tokens[at].quoted:
        joined = _is_joined(tokens, at, current) and _is_less(tokens, place, at)
        word = _lower(tokens, at + joined)
        scale = _SCALES.get(word)
        if scale and (current is not None or at == place) and word not in (("k", "bn") if at == place else ()):
            current = (1.0 if current is None else current) * scale
            if scale >= 1e3:
                total, current = total + current, 0.0
        elif (part := _plain_number(tokens, at + joined)) is not None and _adds(current, part, at > place, word):
            current = (current or 0.0) + part
        else:
            break
        at += 1 + joined
    return (at, total + (current or 0.0)) if at > place else None


def _is_joined(tokens: Sequence[Token], at: int, current: float | None) -> bool:
    """`and` within a number: two hundred and fifty."""
    before = _lower(tokens, at - 1) if at else ""
    follows = _small(_lower(tokens, at + 1)) is not None
    return _lower(tokens, at) == "and" and current is not None and before in _SCALES and follows


def _is_less(tokens: Sequence[Token], place: int, at: int) -> bool:
    """Whether what follows `and` is a part of the number before, not the other end of a range or the next of a list:
    `two hundred and fifty`, `two hundred and fifty thousand`, but not `between one thousand and three thousand`."""
    before, rest = _SCALES[_lower(tokens, at - 1)], _composed(tokens, at + 1)
    if rest is None or rest[1] < before:
        return rest is not None
    is_range = _lower(tokens, place - 1) == "between" and _lower(tokens, rest[0]) != "and"
    return _SCALES.get(_lower(tokens, at + 2), 0) > before and not is_range


def _plain_number(tokens: Sequence[Token], at: int) -> float | None:
    """One word: digits, a number word, `twenty-five`, an ordinal, `3-month`."""
    if at >= len(tokens) or tokens[at].quoted:
        return None
    word = tokens[at].lower
    nth, joined = _NTH.match(word), _UNITS_JOINED.match(word)
    counted = number_of(joined[1]) if joined else None
    ordinal = float(nth[1]) if nth else _ORDINALS.get(word.split("-")[0], counted)
    found = (_small(word), tokens[at].number, ordinal)
    return next((float(each) for each in found if each is not None), None)


def _small(word: str) -> float | None:
    """A number below a hundred in one word, `twenty-five` too."""
    tens, _, ones = word.partition("-")
    return _TENS[tens] + _SMALL[ones] if tens in _TENS and ones in _SMALL else _SMALL.get(word)


def _adds(current: float | None, part: float, follows: bool, word: str) -> bool:
    """Whether a further number word goes on with the number: fifty five, two hundred six; `five six` are two."""
    if not follows:
        return True
    if current is None or _small(word) is None:
        return False
    if current == 0:
        return True
    return (part < 100 and current % 100 == 0) or (part < 10 and current % 10 == 0 and current % 100 >= 20)


def _lower(tokens: Sequence[Token], place: int) -> str:
    return tokens[place].lower if place < len(tokens) and not tokens[place].quoted else ""


def _lowers(tokens: Sequence[Token], place: int, count: int) -> tuple[str, ...]:
    return tuple(_lower(tokens, place + n) for n in range(count))

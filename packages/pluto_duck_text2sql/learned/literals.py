"""The values a question may speak of: numbers, times, quoted texts, stored values, flags, and words to look for."""

from __future__ import annotations

import calendar
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress, count

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.held_words import held_values
from pluto_duck_text2sql.data.links import may_begin_value
from pluto_duck_text2sql.data.qualifiers import coded_values
from pluto_duck_text2sql.data.quantities import Measures, quantities
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.data.yes_no import is_yes_or_no, says_either
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.words import STOP, Token
from pluto_duck_text2sql.times.periods import Period
from pluto_duck_text2sql.times.recurring import periods_in
from pluto_duck_text2sql.tree import Col

KINDS = ("number", "stored", "text", "flag", "date", "period", "calendar", "held")
"""What a value may be: networks trained before one of them was added are not shown it."""
_LONGEST = 7
_MOST = 24
_MOST_FLAGS = 6
# Words after which comes a text to look for, though nothing stored is called so.
_BEFORE_TEXT = frozenset(
    """word words letter letters substring string phrase contain contains containing contained include includes
    including named called titled like prefix suffix with is as in""".split()
)


@dataclass(frozen=True)
class Literal:
    """Words `start` to before `end` (none for a flag) and the value they stand for; `stored` spells it by column."""

    start: int
    end: int
    value: float | str | Period
    kind: str
    stored: dict[Col, str | float] = field(default_factory=dict)

    def spelt(self, column: Col) -> float | str | Period:
        """The value as `column` keeps it, where it does."""
        return self.stored.get(column, self.value)


def literals(
    tokens: Sequence[Token],
    catalog: Catalog,
    linked: Sequence[bool],
    measures: Measures | None = None,
    kinds: Collection[str] = KINDS,
) -> list[Literal]:
    """The values of a question of these kinds, at most 24; `linked` tells which words name a table or column."""
    measures = measures or Measures.of(catalog)
    said = quantities(tokens, measures)
    numbers = [Literal(each.start, each.end, each.value, "number", each.spelt) for each in said]
    found = [*numbers, *_dates(tokens), *_named(tokens, catalog), *_parts(tokens, catalog)]
    taken = {place for each in found for place in range(each.start, each.end)}
    times = _times(tokens) if measures.has_times else []
    texts = _texts(tokens, taken, linked, catalog)
    held = _held(tokens, [*taken, *compress(count(), linked)], catalog) if "held" in kinds else ()
    return [each for each in (*found, *times, *texts, *held) if each.kind in kinds][:_MOST]


def _times(tokens: Sequence[Token]) -> list[Literal]:
    """Periods, and weekdays and months outside of those that say more than a month."""
    periods = list(_periods(tokens))
    fixed = [each for each in periods if isinstance(each.value, Period) and not _is_a_month_alone(each.value)]
    dated = {place for each in fixed for place in range(each.start, each.end)}
    return [*periods, *(each for each in _calendar(tokens) if each.start not in dated)]


def _periods(tokens: Sequence[Token]) -> Iterator[Literal]:
    """Times, without the words that only lead to them."""
    for period in periods_in(Words(tokens)):
        start = period.start
        while start < period.end - 1 and tokens[start].lower in _LEADING:
            start += 1
        if _is_real(period):
            yield Literal(start, period.end, period, "period")


def _is_a_month_alone(period: Period) -> bool:
    """Whether it may be that month of every year."""
    return period.relative and period.grain == "month" and len(period.name.split()) == 1


_LEADING = frozenset("in during for of on over within the".split())


def _is_real(period: Period) -> bool:
    """Whether it lies within the years that dates have."""
    try:
        return bool(str(period))
    except (ValueError, OverflowError):
        return False


def _calendar(tokens: Sequence[Token]) -> Iterator[Literal]:
    """Weekdays and months as numbers, Monday and January 1, where no day or year makes a date of them."""
    for place, token in enumerate(tokens):
        number = _WEEKDAYS.get(token.lower.removesuffix("s")) or _month(token)
        beside = [each.lower for each in tokens[max(place - 1, 0) : place + 2] if each is not token]
        if number and not token.quoted and not any(_DAY.fullmatch(each) or _YEAR.fullmatch(each) for each in beside):
            yield Literal(place, place + 1, float(number), "calendar")


def _month(token: Token) -> int | None:
    """The month that a word names; `may`, `march` and short forms only with a capital."""
    is_plain = len(token.lower) > 3 and token.lower != "march"
    return _MONTHS.get(token.lower) if is_plain or token.text[:1].isupper() else None


def _named(tokens: Sequence[Token], catalog: Catalog) -> Iterator[Literal]:
    """Spans that stored values are called by: the longest, and shorter ones within where they are not plain words."""
    covered = [False] * len(tokens)
    spans = list(_spans(tokens))
    texts = [" ".join(token.text for token in tokens[start:end]) for start, end in spans]
    for (start, end), hits in zip(spans, catalog.values.lookup_all(texts, limit=24), strict=True):
        if all(covered[start:end]):
            continue
        found = hits or (coded_values(tokens[start].lower, catalog) if end - start == 1 else [])
        if found:
            covered[start:end] = [True] * (end - start)
            stored: dict[Col, str | float] = {
                Col((hit.schema, hit.table), hit.column): hit.value for hit in reversed(found)
            }
            yield Literal(start, end, found[0].value, "stored", stored)


def _held(tokens: Sequence[Token], taken: Collection[int], catalog: Catalog) -> Iterator[Literal]:
    """Spans that some stored values hold, the longest first, where nothing is called so."""
    covered = set(taken)
    for start, end in _spans(tokens):
        if covered.isdisjoint(range(start, end)):
            hits = held_values([token.lower for token in tokens[start:end]], catalog)
            covered |= set(range(start, end)) if hits else set()
            yield from (Literal(start, end, each.value, "held", {_column(each): each.value}) for each in hits)


def _column(hit: ValueHit) -> Col:
    return Col((hit.schema, hit.table), hit.column)


def _spans(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """What may be called by a name, the longest first."""
    for length in range(min(_LONGEST, len(tokens)), 0, -1):
        for start in range(len(tokens) - length + 1):
            if _may_name(tokens[start : start + length]):
                yield start, start + length


def _parts(tokens: Sequence[Token], catalog: Catalog) -> Iterator[Literal]:
    """The words of a quoted text that nothing is called: a first and a last name, or one of them misspelt."""
    for place, token in enumerate(tokens):
        if not token.quoted or catalog.values.lookup(token.text, limit=1):
            continue
        for part in token.text.split() if " " in token.text else ():
            hits = catalog.values.lookup(part, limit=24)
            if hits:
                stored: dict[Col, str | float] = {
                    Col((hit.schema, hit.table), hit.column): hit.value for hit in reversed(hits)
                }
                yield Literal(place, place + 1, part, "stored", stored)


def _dates(tokens: Sequence[Token]) -> Iterator[Literal]:
    """Days: 2019-03-01, March 1st, 2019 or 1 March 2019."""
    for place, token in enumerate(tokens):
        if _ISO.fullmatch(token.text):
            yield Literal(place, place + 1, token.text, "date")
        elif month := _MONTHS.get(token.lower):
            end = min(place + 3, len(tokens))
            near = [each.lower for each in tokens[max(place - 1, 0) : end]]
            years = [each for each in near if _YEAR.fullmatch(each)]
            days = [day[1] for each in near if (day := _DAY.fullmatch(each))]
            if years and days:
                yield Literal(place, end, f"{years[0]}-{month:02d}-{int(days[0]):02d}", "date")


_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_YEAR = re.compile(r"(?:19|20)\d{2}")
_MONTHS = {
    name: number
    for number, month in enumerate(calendar.month_name)
    if month
    for name in (month.casefold(), month[:3].casefold())
}


_WEEKDAYS = {name.casefold(): number for number, name in enumerate(calendar.day_name, 1)} | {"weekend": 6}


def _may_name(span: Sequence[Token]) -> bool:
    if len(span) == 1:
        token = span[0]
        return token.quoted or token.number is not None or (token.lower not in STOP and len(token.lower) > 1)
    first, last = span[0], span[-1]
    return first.lower not in STOP or first.text[:1].isupper() or (may_begin_value(span) and last.lower not in STOP)


def _texts(tokens: Sequence[Token], taken: set[int], linked: Sequence[bool], catalog: Catalog) -> Iterator[Literal]:
    """Quoted words, capitalised ones, and words after `containing` and its like."""
    place = 0
    while place < len(tokens):
        token = tokens[place]
        end = place + 1
        if place in taken or token.number is not None:
            if token.quoted:
                yield Literal(place, end, token.text, "text")
        elif token.quoted or _looked_for(tokens, place, linked):
            if not token.quoted:
                while end < len(tokens) and _capital(tokens[end]) and end not in taken:
                    end += 1
            text = " ".join(each.text for each in tokens[place:end])
            yield _looked_up(Literal(place, end, text, "text"), catalog)
        place = end


def _looked_up(literal: Literal, catalog: Catalog) -> Literal:
    """A text that nothing is called, with what it may misspell."""
    hits = catalog.values.lookup_fuzzy(str(literal.value))
    stored: dict[Col, str | float] = {Col((hit.schema, hit.table), hit.column): hit.value for hit in reversed(hits)}
    return replace(literal, stored=stored)


def _looked_for(tokens: Sequence[Token], place: int, linked: Sequence[bool]) -> bool:
    token = tokens[place]
    if place and _capital(token) and not linked[place]:
        return True
    before = tokens[place - 1].lower if place else ""
    if before in ("letter", "letters", "character") and len(token.lower) == 1:
        return True
    return before in _BEFORE_TEXT and token.lower not in STOP and not linked[place]


def _capital(token: Token) -> bool:
    return token.text[:1].isupper() or (token.text.isupper() and len(token.text) > 1)


def flags(columns: Sequence[tuple[Table, Column]]) -> list[Literal]:
    """`Y` and `N`, 1 and 0 of columns that hold nothing else: nobody writes them in a question."""
    found: list[Literal] = []
    for table, column in [each for each in columns if _flag(each[1])][:_MOST_FLAGS]:
        found += [Literal(0, 0, value, "flag", {Col(table.key, column.name): value}) for value in _flag(column)]
    return found


def _flag(column: Column) -> tuple[str, ...]:
    """The values of a column that holds two or three, all of them flags."""
    if column.kind == "flag":
        return ("true", "false")
    values = tuple(str(each) for each in column.samples)
    if is_yes_or_no(column):
        return tuple(filter(says_either, values))
    few = column.n_distinct is not None and column.n_distinct <= 3 and len(values) == column.n_distinct
    return values if few and all(map(says_either, values)) else ()

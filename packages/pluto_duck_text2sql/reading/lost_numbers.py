"""Numbers, keys, codes of places, times and money of a question that left no mark in its tree."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pluto_duck_text2sql.language.otherwise import otherwise
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.reading.lost_names import NAMED, is_called
from pluto_duck_text2sql.times.cycles import days_of
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Bucket,
    Col,
    Compare,
    During,
    Growth,
    Later,
    Number,
    Product,
    Query,
    Running,
    columns_in,
)
from pluto_duck_text2sql.trees.marks import Marks
from pluto_duck_text2sql.trees.phrases import counts_pieces

if TYPE_CHECKING:
    from pluto_duck_text2sql.data.links import Mention
    from pluto_duck_text2sql.reading.reader import Pass

_GRAINS = ("day", "week", "month", "quarter")
_CODE = 2
_BEFORE_PLACES = ("in", "from")
_UNITS = (60, 3600, 86400, 1000, 60000, 3600000, 0.01, 100, 24, 7, 12, 365, 30, 1e6, 1e9)
"""How many of what may be stored are one of what is said."""
_NO_MONEY = frozenset(map(stem, "day hour minute month year week rating star score point age rank percent".split()))
_TURNOVER = frozenset(("revenue", "revenues", "turnover", "takings", "earnings", "spend", "spending"))
_IN_STORE = frozenset(map(stem, ("stock", "inventory", "hand", "reorder")))
_ON_ORDER = frozenset(map(stem, ("on", "order")))
_LEADS_VERB = frozenset("do does did can could will would to".split())
_NEAR_VERB = 4


def lost_places(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`customers in WY`: a place by its code is looked for, whether any column is known to hold it or not."""
    named = {place for each in roles.mentions for place in range(each.start, each.end)}
    texts = [*marks.values()]
    for place, token in enumerate(roles.tokens):
        is_code = place > 0 and place not in named and token.text.isupper() and len(token.text) == _CODE
        is_code = is_code and roles.tokens[place - 1].lower in _BEFORE_PLACES
        if (
            is_code
            and any(each.place for each in otherwise(token.text))
            and not any(token.lower in each for each in texts)
        ):
            yield place, place + 1


def lost_numbers(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`over 20,000`: the number itself is compared with, in its unit or that of what is stored, or told by dates."""
    held = [float(each) for each in marks.numbers()]
    is_told = not held and (marks.has(During, Later, Number) or marks.any(Compare, _is_of_date))
    for cue in () if is_told else roles.cues:
        number = cue.data.get("n") if cue.kind == "cmp" else None
        if number and not any(_is_number_of(each, number) for each in held):
            yield cue.start, cue.end
    yield from () if is_told else _lost_bare_numbers(roles, marks)


def _lost_bare_numbers(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`either 3 credits or 1 credit`: each number of what the tree compares."""
    compared = [each for each in marks.nodes if isinstance(each, Compare | Among) and isinstance(each.left, Col)]
    held = {str(each).removesuffix(".0") for each in (*marks.numbers(), *marks.values())}
    columns = {(each.left.table, each.left.name) for each in compared if isinstance(each.left, Col)}
    for item in roles.mentions:
        named = {(each.table.key, each.column.name) for each in item.targets if each.column and each.score >= NAMED}
        number = roles.tokens[item.start - 1].number if item.start else None
        if number is not None and named & columns and str(float(number)).removesuffix(".0") not in held:
            yield item.start - 1, item.start


def lost_keys(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`the courses of student 171`: of that row alone."""
    held = {*map(float, marks.numbers())}
    spans = (each for some in (roles.cues, roles.grains, roles.periods, roles.cycles) for each in some)
    taken = {place for each in spans for place in range(each.start, each.end)}
    for item in roles.mentions:
        after = roles.tokens[item.end] if item.end < len(roles.tokens) else None
        is_row = is_called(item) and any(each.column is None and each.score >= NAMED for each in item.targets)
        if after is None or after.number is None or item.end in taken or not is_row:
            continue
        if after.number not in held and not any(after.lower in each for each in marks.values()):
            yield item.start, item.end + 1


def _is_of_date(compare: Compare) -> bool:
    return isinstance(compare.right, dt.date)


def _is_number_of(stored: float, said: float) -> bool:
    """Whether a number is the one that was said, next to it, or that in another unit."""
    is_other = any(math.isclose(stored, said * unit) or math.isclose(stored * unit, said) for unit in _UNITS)
    return abs(stored - said) <= 1 or is_other


def lost_times(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    grains = {each.grain for each in marks.nodes if isinstance(each, Bucket)}
    for grain in roles.grains:
        if grain.grain not in grains and not marks.has(Growth, Running):
            yield grain.start, grain.end
    held = {days_of(each.where) for each in marks.nodes if isinstance(each, Query | Agg)}
    yield from ((each.start, each.end) for each in roles.cycles if each.days not in held)
    dated = sum(isinstance(each, During) for each in marks.nodes) + sum(
        isinstance(each, Compare) and not isinstance(each.right, str) for each in marks.nodes
    )
    if roles.periods and not dated:
        yield from ((each.start, each.end) for each in roles.periods)


def lost_lags(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`quarter over quarter` is against the one before, not a year earlier."""
    words = [each.lower for each in roles.tokens]
    for place, word in enumerate(words[:-2]):
        is_said = word in _GRAINS and words[place + 1] in ("over", "on") and words[place + 2] == word
        if is_said and marks.has(Growth) and not marks.any(Growth, lambda each: each.lag == 1):
            yield place, place + 3


def lost_money(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`revenue`, where no column is called so, is an amount: added up, multiplied, or one of its extremes; how many
    pieces were sold is none."""
    known = {each for each in marks.nodes if isinstance(each, Col)}
    columns = (each for each in roles.mentions if each.hits or not known.isdisjoint(_columns_of(each)))
    named = {place for each in columns for place in range(each.start, each.end)}
    if marks.any(Product, _is_of_what_went) or marks.any(
        Agg, lambda each: each.function != "count" and not _is_no_money(each)
    ):
        return
    for place, token in enumerate(roles.tokens):
        if token.lower in _TURNOVER and place not in named and not _is_verb_at(place, roles):
            yield place, place + 1


def _is_of_what_went(product: Product) -> bool:
    """Whether a price is times what was sold: what lies in stock or is on order has brought nothing yet."""
    words = {stem for each in columns_in(product) if isinstance(each, Col) for stem in name_stems(each.name)}
    return words.isdisjoint(_IN_STORE) and not words >= _ON_ORDER


def _is_verb_at(place: int, roles: Pass) -> bool:
    """Whether a word is what somebody does, not a figure: `do Germans spend much`, but `total spend`."""
    before = roles.tokens[max(0, place - _NEAR_VERB) : place]
    return roles.tokens[place].lower == "spend" and any(each.lower in _LEADS_VERB for each in before)


def _columns_of(item: Mention) -> set[Col]:
    return {Col(each.table.key, each.column.name) for each in item.targets if each.column}


def _is_no_money(agg: Agg) -> bool:
    """Whether what is added up is a number of pieces, or of days, stars or points, or what lies in stock."""
    if isinstance(agg.of, Product):
        return not _is_of_what_went(agg.of)
    stems = name_stems(agg.of.name) if isinstance(agg.of, Col) else ()
    return counts_pieces(stems) or not _NO_MONEY.isdisjoint(stems[-1:])

"""Counts that are said without a word for them: `at least five orders and how many`, `orders in February 2025`."""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, stem
from pluto_duck_text2sql.rewording.busiest import happens
from pluto_duck_text2sql.rewording.turns_of_phrase import SOME_TIME

_WHAT = r"(?:different |distinct )?[a-z]+"
_THEM = r"(?:them|those|these|each)"
_THE_COUNT = (
    r"(?:and|plus|with|along with|together with|including)(?: by| on| with| of| in)?"
    rf" (?:how many(?: each| of {_THEM})?(?: (?:did|do|has|have|had) (?:they|it|each|he|she)(?: \w+)?)?"
    rf"|(?:the|their|a|its) (?:counts?|numbers?)(?: (?:of {_THEM}|(?:for )?each))?)"
)
_BOUNDS = "at least|more than|over|fewer than|less than|at most|up to|exactly|no more than|no fewer than"
_BOUND = Pattern(
    rf"^(?P<main>.*?\b(?:(?:{_BOUNDS}) (?:a )?{A_NUMBER} (?P<what>{_WHAT})"
    rf"|{A_NUMBER} or (?:more|fewer|less) (?P<of>{_WHAT}))\b.*?)[,;:]? (?:- |– )?{_THE_COUNT}\W*$",
    re.IGNORECASE,
)
_AND_MORE = Pattern(
    r", (?:plus|along with|together with|alongside) (?=(?:the|their|its|how many|number|total|average)\b)",
    re.IGNORECASE,
)
_NAMED, _ROWS = 0.9, 0.6
_IN_SOME_TIME = Pattern(rf"^(?P<what>[a-z]+) (?:in|during|for|of) (?:{SOME_TIME})\W*$", re.IGNORECASE)
_PER_BY = Pattern(
    r"^(?P<what>[a-z]+) (?:per|for each) (?P<whom>[a-z]+) (?P<by>(?:by|in each|for each|for every|across) [^,;]+)$",
    re.IGNORECASE,
)
_MONEY = frozenset("revenue turnover spend spending income profit".split())
_SALES_ARE_DONE = r"(?= (?:were|was|are|have|had|did|that|which|got|went)\b)"
_OF_ELSE = (
    r"(?! (?:executive|person|people|rep|representative|agent|manager|assistant|staff|team|channel|order|lead)s?\b)"
)
_COUNTED_ROWS = Pattern(
    rf"\b(?P<lead>how many|number of|count of|which(?= sales{_SALES_ARE_DONE})) sales\b{_OF_ELSE}", re.IGNORECASE
)


def with_counts(text: str, names: NameIndex) -> str:
    """`at least five orders, and how many` with the number of orders; what stands beside it is told of it."""
    return _AND_MORE.sub(", with ", _BOUND.sub(lambda match: _with_the_count(match, names), text))


def with_rows_counted(text: str, names: NameIndex) -> str:
    """`how many sales` as rows, where a table is called so."""
    return _COUNTED_ROWS.sub(lambda match: _as_named(match, names), text)


def per_each_by(text: str, names: NameIndex) -> str:
    """`orders per customer by country` as their average number: a figure of each country, not of each customer."""
    said = _PER_BY.match(text.strip(" ?.!"))
    rows, owners = (names.rows(said[part]) if said else None for part in ("what", "whom"))
    if said is None or owners is None or rows is owners or not (rows or said["what"].lower() in _MONEY):
        return text
    return f"average {'number of ' if rows else ''}{said['what']} per {said['whom']} {said['by']}"


def as_number_of(text: str, names: NameIndex) -> str:
    """A bare `orders in February 2025` as the number of them."""
    return _IN_SOME_TIME.sub(lambda match: _how_many(match, names), text)


def calls_rows(word: str, names: NameIndex) -> bool:
    """Whether a word is what the rows of a table are called."""
    return any(each.column is None and each.score >= _NAMED for each in names.find((stem(word),)))


def _with_the_count(match: re.Match[str], names: NameIndex) -> str:
    """`and how many` after `at least five orders` as `with the number of orders`, where a table is called so."""
    what = match["what"] or match["of"]
    kind = what.split()[-1].lower()
    rows = any(each.column is None and each.score >= _ROWS for each in names.called((stem(kind),)))
    return f"{match['main']}, with the number of {what}" if rows else match[0]


def _as_named(match: re.Match[str], names: NameIndex) -> str:
    """`how many sales` of a table that is called sale, where `sales` alone is money."""
    table = names.rows("sale")
    return f"{match['lead']} sale" if table and table is names.rows("sales") else match[0]


def _how_many(match: re.Match[str], names: NameIndex) -> str:
    """`orders in February 2025` as the number of them, where what is called so is rows that have a time."""
    called = [each for each in names.called((stem(match["what"].lower()),)) if each.score >= _NAMED]
    dated = (each.column is None and happens(each.table) for each in called)
    return f"number of {match[0]}" if called and all(dated) else match[0]

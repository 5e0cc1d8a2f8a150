"""What the words of a question ask of the shape of its answer, and the answer has not: grain, number, order, unit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_backend.agent.findings.finding import Finding, Weight
from pluto_duck_backend.agent.findings.outcome import Outcome
from pluto_duck_backend.agent.repair.data import Data
from pluto_duck_text2sql.language.words import NUMBER_WORDS

_NUMBER = rf"(\d{{1,3}}|{'|'.join(NUMBER_WORDS)})"
_TOP = re.compile(
    rf"\b(?:top|bottom|first|last|best|worst)[ -](?!one\b){_NUMBER}\b(?! (?:hour|day|week|month|quarter|year)s?\b)"
    rf"|\b{_NUMBER} (?:(?!at )\w+ )?(?:most|least|best|worst|top|highest|lowest|largest|biggest|smallest|longest|oldest"
    rf"|youngest|cheapest|newest|latest|fewest)\b(?!-)",
    re.IGNORECASE,
)
_SORTED = re.compile(
    r"(?:\b(?:sort|rank)(?:ed)?|\bordered|(?:^|[,.;:] |\band |\bthen )order) (?:them |it |the \w+ )?"
    r"(?:by (?!(?:each|every|any|an?|our) )|alphabetically|in (?:\w+ ){1,2}order)\b"
    r"|\border (?:them|it|the \w+) (?:by|alphabetically|in (?:\w+ ){1,2}order)\b"
    r"|\b(?:sort|rank)(?:ed)? (?:them |it |the \w+ )?from\b"
    #   what is ordered in 2024, from or by somebody, is a deed and no order of rows; an order by a customer is a thing
    r"|\b(?:ascending|descending|alphabetical(?:ly)?|chronological(?:ly)?)\b"
    r"|\bfrom (?:the )?(?:highest|lowest|most|least|oldest|newest)\b",
    re.IGNORECASE,
)
_GRAIN = r"\b(?:by|per|each|every) (?!the {0} (?:of|the|it|they)\b)(?:\w+ )?{0}\b|\b{1}\b|\b{0}[ -](?:by|over)[ -]{0}\b"
_GRAINS = {
    grain: re.compile(_GRAIN.format(grain, adverb), re.IGNORECASE)
    for grain, adverb in {
        "year": "(?:yearly|annual(?:ly)?)",
        "quarter": "quarterly",
        "month": "monthly",
        "week": "weekly",
        "day": "daily",
    }.items()
}
_AVERAGED = re.compile(r"\b(?:average|avg|mean|rate|times?)\b", re.IGNORECASE)
_SAYS_GRAIN = {
    "year": re.compile(r"year|annual|%Y|%y|\b12\b", re.I),
    #   a yearly sum is a column of that name, or twelve monthly ones
    "quarter": re.compile(r"quarter|qtr", re.I),
    "month": re.compile(r"month|%m|%b|%B", re.I),
    "week": re.compile(r"week|%W|%V|%U", re.I),
    "day": re.compile(r"day|daily|date|%d|%j", re.I),
}
_PERCENT = re.compile(r"\bper ?cent(?:age)?s?\b|%", re.IGNORECASE)
_FRACTION = re.compile(r"\bfraction\b|\bproportion\b|\bratio\b", re.IGNORECASE)
_TIMES_100 = re.compile(r"\b100(?:\.0*)?\b")
_HOLDS_PERCENT = re.compile(r"pct|percent|share|rate|ratio|fraction|proportion|prop", re.IGNORECASE)
_MONTH_ALONE = re.compile(
    r"\bmonth(?:name)?\s*\(|extract\s*\(\s*'?month|date_part\s*\(\s*'month'|'%[mbB]'", re.IGNORECASE
)


def asked_otherwise(outcome: Outcome, data: Data) -> Iterator[Finding]:
    """What the question says of the answer's shape that the answer does not keep."""
    yield from _too_many(outcome)
    yield from _unsorted(outcome)
    yield from _wrong_grain(outcome, data)
    yield from _wrong_unit(outcome)


def _too_many(outcome: Outcome) -> Iterator[Finding]:
    found = _TOP.search(outcome.question)
    if not found:
        return
    word = (found[1] or found[2]).casefold()
    wanted = int(word) if word.isdigit() else int(NUMBER_WORDS[word])
    if wanted < 1 or outcome.row_count <= wanted:
        return
    ties = re.search(r"\b(?:dense_)?rank\s*\(", outcome.sql, re.IGNORECASE)
    partitioned = re.search(r"\bpartition\s+by\b|\blateral\b", outcome.sql, re.IGNORECASE)
    if partitioned:
        return
    fact = f"The question asks for {wanted} ({found[0]!r}); the result has {outcome.row_count} rows."
    bare = f"The question asks for {wanted} ({found[0]!r}); the result has more rows."
    yield Finding("limit_missing", "note" if ties else "doubt", fact, fact, bare=bare)


def _unsorted(outcome: Outcome) -> Iterator[Finding]:
    said = _SORTED.search(outcome.question) or _TOP.search(outcome.question)
    if said and outcome.row_count > 1 and not re.search(r"\border\s+by\b", outcome.sql, re.IGNORECASE):
        fact = f"The question asks for an order ({said[0]!r}); the SQL has no ORDER BY."
        yield Finding("order_missing", "doubt", fact, fact)


def _wrong_grain(outcome: Outcome, data: Data) -> Iterator[Finding]:
    for grain, said in _GRAINS.items():
        found = said.search(outcome.question)
        if found and not _SAYS_GRAIN[grain].search(outcome.sql):
            weight: Weight = "note" if _AVERAGED.search(outcome.question) else "doubt"
            fact = f"The question asks for {grain}s ({found[0]!r}); nothing in the SQL is by {grain}."
            yield Finding("grain", weight, fact, fact)
    yield from _months_of_all_years(outcome, data)


def _months_of_all_years(outcome: Outcome, data: Data) -> Iterator[Finding]:
    """`GROUP BY month(d)` puts the Januaries of all years together."""
    if not _MONTH_ALONE.search(outcome.sql) or _SAYS_GRAIN["year"].search(outcome.sql):
        return
    for table in data.catalog.tables:
        for column in table.columns:
            if column.kind == "time" and re.search(rf"\b{re.escape(column.name)}\b", outcome.sql, re.IGNORECASE):
                first, last = getattr(column.minimum, "year", None), getattr(column.maximum, "year", None)
                if first and last and first != last and f"{table.name}".casefold() in outcome.sql.casefold():
                    told = f"Each month is that of all years from {first} to {last} together."
                    yield Finding("grain", "note", told, told)
                    return


def _wrong_unit(outcome: Outcome) -> Iterator[Finding]:
    for place, name in enumerate(outcome.columns):
        numbers = outcome.numbers(place)
        if _PERCENT.search(outcome.question):
            is_meant = len(outcome.columns) == 1 or _HOLDS_PERCENT.search(name)
            if is_meant and _are_fractions(numbers) and not _TIMES_100.search(outcome.sql):
                span = f"from {min(numbers):g} to {max(numbers):g}"
                fact = f"The question asks for percent; {name} goes {span}, so it is a fraction of 1."
                bare = "The question asks for percent; the result holds a fraction of 1."
                yield Finding("unit", "doubt", fact, fact, bare=bare)
        elif _FRACTION.search(outcome.question) and _HOLDS_PERCENT.search(name) and max(numbers, default=0) > 2:
            told = f"{name} goes up to {max(numbers):g}, so it is in percent."
            yield Finding("unit", "note", told, told)


def _are_fractions(numbers: list[float]) -> bool:
    """Whether all lie between 0 and 1, and some are neither."""
    return all(abs(each) <= 1 for each in numbers) and any(not each.is_integer() for each in numbers)

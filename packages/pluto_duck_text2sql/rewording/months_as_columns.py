"""A figure and its month told by one column: `the temperature of Lima in January`, where `jan_temp` is kept.

Called by `analyst`. Only of tables without a day, whose names tell the figure of three months, where no column is
called as the figure alone.
"""

from __future__ import annotations

import re
from collections import defaultdict

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.lexicon import others_for
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_words, stem
from pluto_duck_text2sql.times.calendar_days import MONTH, YEAR

_LEAST_MONTHS = 3
_LETTERS = 3
_NAMED = Pattern(rf"(?:{MONTH})", re.IGNORECASE)
_IN = r"(?:in|for|during) (?:the month of )?"
_LATER = Pattern(
    rf"\b(?:(?:(?:that|it|the one) (?:was )?)?{_IN}|(?P<link>(?:and|or|than|to) ))(?P<month>{MONTH})\b", re.IGNORECASE
)
_OF_A_DAY = Pattern(rf"\b(?:{MONTH})\.?,? (?:\d|{YEAR})|\b\d+(?:st|nd|rd|th)? (?:of )?(?:{MONTH})\b", re.IGNORECASE)

Figure = tuple[str, ...]


class MonthsAsColumns:
    """The figures of one catalog that a column for each month keeps."""

    def __init__(self, catalog: Catalog) -> None:
        called = {table.stems(column.name) for table in catalog.tables for column in table.columns}
        found = (each for table in catalog.tables for each in _of_table(table).items())
        self._columns = {figure: months for figure, months in found if figure not in called}

    def said(self, question: str) -> str:
        """The question with each figure and its month said by their column."""
        if not self._columns or not _NAMED.search(question) or _OF_A_DAY.search(question):
            return question
        for figure, columns in self._columns.items():
            question = _put(question, _said_as(figure, question), columns)
        return question


def _of_table(table: Table) -> dict[Figure, dict[str, str]]:
    """For each figure, by its stems, the column of each month."""
    found: dict[Figure, dict[str, str]] = defaultdict(dict)
    for column in table.columns:
        words = name_words(column.name)
        months = [each for each in words if _NAMED.fullmatch(each)]
        if column.kind == "number" and len(months) == 1 and len(words) > 1:
            found[tuple(stem(each) for each in words if each not in months)][months[0][:_LETTERS]] = column.name
    has_days = any(each.is_time for each in table.columns)
    return {} if has_days else {figure: some for figure, some in found.items() if len(some) >= _LEAST_MONTHS}


def _said_as(figure: Figure, question: str) -> str:
    """The words of the question that are the figure, or stand for it; nothing where none are."""
    words = question.split()
    runs = (words[n : n + len(figure)] for n in range(len(words)))
    said = (" ".join(run) for run in runs if _is_called(run, figure))
    return next(said, "")


def _is_called(run: list[str], figure: Figure) -> bool:
    stems = tuple(stem(each.casefold()) for each in run)
    return stems == figure or figure in others_for(" ".join(run).casefold())


def _put(question: str, figure: str, columns: dict[str, str]) -> str:
    """The column in place of `January temperature` or of `temperature … in January`, then of `that in July`."""
    found = _first(figure).search(question) if figure else None
    column = columns.get((found["month"] or found["later"])[:_LETTERS].casefold()) if found else None
    if found is None or column is None:
        return question
    rest = _LATER.sub(lambda each: _column_of(each, columns), question[found.end() :])
    return question[: found.start()] + column + (found["between"] or "") + rest


def _first(figure: str) -> re.Pattern[str]:
    """What finds a figure with its first month."""
    said = re.escape(figure)
    after = rf"\b{said}\b(?P<between>[^.?!;]*?) {_IN}(?P<later>{MONTH})\b"
    return re.compile(rf"\b(?P<month>{MONTH}) {said}\b|{after}", re.IGNORECASE)


def _column_of(said: re.Match[str], columns: dict[str, str]) -> str:
    """The column of a month that is said later."""
    column = columns.get(said["month"][:_LETTERS].casefold())
    return f"{said['link'] or ''}{column}" if column else said[0]

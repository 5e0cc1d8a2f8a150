"""Questions about metrics over windows, to date, and conversions: read whole, or not at all.

`takings so far by month in 2024` is the metric's name, grains, dimensions, one period, stored values. A question in
which another word asks for something is left to whoever answers otherwise. The SQL is MetricFlow's, by the definition.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.agent.providers.contract import Draft
from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.services.transformation.metrics import MetricQuery, MetricService, Spoken
from pluto_duck_backend.app.services.transformation.metrics.engine import Dimension
from pluto_duck_backend.app.services.transformation.metrics.query import GRAINS
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.words import Token, tokenise
from pluto_duck_text2sql.times.grains import GrainMention, find_grains
from pluto_duck_text2sql.times.periods import Period, find_periods

Values = Callable[[str], list[ValueHit]]
Probe = Callable[[str], list[tuple[Any, ...]]]
_SURE = 0.95
_FEW_WORDS = 5
_ARTICLES = frozenset("the a an our my".split())
_ASKS_NOTHING = frozenset(
    """what is was are were show me give tell us of for in by per each and how much many please list let see with from
    chart plot graph as to over time each every""".split()
)
_RUNNING = frozenset(("running", "cumulative"))
_CUT = frozenset("by per each every and".split())


@dataclass(frozen=True)
class _Named:
    """A metric at words `start` to before `end` of the question."""

    metric: Spoken
    start: int
    end: int


class MetricQuestions:
    """Reads questions of one data root; `values` finds stored texts, `probe` runs SQL of one row, `day` is today."""

    def __init__(self, metrics: MetricService, values: Values, probe: Probe, day: Callable[[], dt.date]) -> None:
        self._metrics = metrics
        self._values = values
        self._probe = probe
        self._day = day

    def read(self, question: str) -> Draft | None:
        """The SQL of the definition that the question asks for; None where it asks for something else, or for more."""
        tokens = [each for each in tokenise(question) if each.lower not in _ARTICLES]
        named = _named(tokens, self._metrics.spoken())
        return self._read(named, tokens) if named else None

    def _read(self, named: _Named, tokens: Sequence[Token]) -> Draft | None:
        words = Words(tokens)
        words.take(named.start, named.end)
        periods, grains = find_periods(words), find_grains(words)
        left = _Left(tokens, words)
        dimensions = self._metrics.dimensions(named.metric.metric)
        by = left.take_dimensions(dimensions)
        where = [self._condition(run, dimensions) for run in left.runs()]
        is_of_a_time = (
            named.metric.type == "cumulative" and bool(periods) and (not grains or _is_running(named, tokens))
        )
        if None in where or is_of_a_time or not _is_calendar(periods, grains):
            return None
        start, end = self._days(periods, named.metric, is_over_time=bool(grains))
        conditions = tuple(each for each in where if each)
        cut = (*(each.grain for each in grains), *by)
        asked = MetricQuery((named.metric.metric,), cut, None, conditions, cut, start=start, end=end)
        return self._draft(asked, named, tokens)

    def _draft(self, asked: MetricQuery, named: _Named, tokens: Sequence[Token]) -> Draft | None:
        try:
            sql = self._metrics.sql(asked)
        except InvalidInput:
            return None  # the definition cannot be cut so, thus the question is about something else
        said = " ".join(each.text for each in tokens[named.start : named.end])
        lines = [f'"{said}" is {named.metric.meaning}', *asked.where]
        lines += [f"by {', '.join(asked.by)}"] if asked.by else []
        lines += [f"{asked.start or '…'} to {asked.end or '…'}"] if asked.start or asked.end else []
        return Draft(sql, _SURE, said[:1].upper() + said[1:], tuple(lines))

    def _days(
        self, periods: Sequence[Period], metric: Spoken, *, is_over_time: bool
    ) -> tuple[dt.date | None, dt.date | None]:
        """The first and the last day; a running total over time ends where its data does, not with the calendar."""
        found = self._probe(metric.last_day) if metric.last_day else []
        last = found[0][0] if found else None
        until = last if metric.type == "cumulative" and is_over_time else None
        if not periods:
            return None, until
        start, after = periods[0].resolve(min(last or dt.date.max, self._day()))
        end = after - dt.timedelta(days=1) if after else None
        return start, min(filter(None, (end, until)), default=None)

    def _condition(self, text: str, dimensions: Sequence[Dimension]) -> str | None:
        """`plan = 'flat'` for a stored value of one dimension."""
        hits = {(each.column, each.value) for each in self._values(text)}
        found = {(d.name, value) for d in dimensions for column, value in hits if d.short == column and not d.is_time}
        if len(found) != 1:
            return None
        name, value = found.pop()
        quoted = str(value).replace("'", "''")
        return f"{name} = '{quoted}'"


class _Left:
    """The words that nobody has taken yet."""

    def __init__(self, tokens: Sequence[Token], words: Words) -> None:
        self._tokens = tokens
        self._free = [not words.taken(n) for n in range(len(tokens))]

    def take_dimensions(self, dimensions: Sequence[Dimension]) -> list[str]:
        """The dimensions that stand behind `by` or `per`, in the order they are said."""
        found: list[str] = []
        for n, token in enumerate(self._tokens):
            if token.lower in _CUT and self._free[n]:
                found += self._dimension(n + 1, dimensions)
        return found

    def _dimension(self, start: int, dimensions: Sequence[Dimension]) -> Iterator[str]:
        for size in range(_FEW_WORDS, 0, -1):
            said = tuple(_key(each) for each in self._tokens[start : start + size] if each)
            fits = sorted((d.path, d.name) for d in dimensions if _stems(d.short.replace("_", " ")) == said)
            if len(said) == size and fits and all(self._free[start : start + size]):
                self._free[start : start + size] = [False] * size
                yield fits[0][1]
                return

    def runs(self) -> list[str]:
        """The words that ask for something and are not understood yet, those side by side together."""
        shown = (
            each.text if self._free[n] and each.lower not in _ASKS_NOTHING else "\n"
            for n, each in enumerate(self._tokens)
        )
        return [each.strip() for each in re.split(r"\s*\n\s*", " ".join(shown)) if each.strip()]


def _named(tokens: Sequence[Token], metrics: Sequence[Spoken]) -> _Named | None:
    """The metric with the longest term that the question holds; None where two have it."""
    keys = [_key(each) for each in tokens]
    best: list[_Named] = []
    for metric in metrics:
        for stems in map(_stems, metric.terms):
            for start in range(len(keys) - len(stems) + 1):
                if tuple(keys[start : start + len(stems)]) == stems:
                    best.append(_Named(metric, start, start + len(stems)))
    longest = max((each.end - each.start for each in best), default=0)
    found = {each.metric.metric: each for each in best if each.end - each.start == longest}
    return next(iter(found.values())) if len(found) == 1 else None


def _is_running(named: _Named, tokens: Sequence[Token]) -> bool:
    """Whether it is said as a running total, which begins with the period that is asked for."""
    return tokens[named.start].lower in _RUNNING


def _stems(term: str) -> tuple[str | float, ...]:
    return tuple(_key(each) for each in tokenise(term) if each.lower not in _ARTICLES)


def _key(token: Token) -> str | float:
    return token.number if token.number is not None else token.stem


def _is_calendar(periods: Sequence[Period], grains: Sequence[GrainMention]) -> bool:
    """At most one period, and grains that metrics have."""
    return len(periods) < 2 and all(each.grain in GRAINS and not each.asked for each in grains)

"""Candidates for every question, run and judged: what the ranker learns from, and what `make eval` counts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pluto_duck_text2sql.catalog import Catalog
from pluto_duck_text2sql.confidence import fit_of
from pluto_duck_text2sql.joins import JoinGraph
from pluto_duck_text2sql.learned.features import Tried, features
from pluto_duck_text2sql.learned.network import Floats, Network
from pluto_duck_text2sql.learned.sketch import Word
from pluto_duck_text2sql.learned.sketcher import Sketcher, Sketches
from pluto_duck_text2sql.links import NameIndex
from pluto_duck_text2sql.pool import written
from pluto_duck_text2sql.reader import Reader, Unreadable
from pluto_duck_text2sql.tree import Query, columns_in
from pluto_duck_training import negatives
from pluto_duck_training.gold import Beyond, to_sketch
from pluto_duck_training.sources import FAILURES

Rows = list[tuple[Any, ...]]
Run = Callable[[str], Rows]
_TODAY = dt.date(2025, 1, 1)


Rules = Callable[[str], tuple[Query, float] | None]
IsRight = Callable[[dict[str, Any], Rows], bool]


@dataclass(frozen=True)
class Judged:
    """One question's candidates: their features, whether each is right, their SQL; `nothing` as the network said."""

    id: str
    database: str
    features: Floats
    right: list[bool]
    sql: list[str]
    nothing: float = 0.0


@dataclass(frozen=True)
class Judge:
    """Writes candidates over one catalog, runs them, and compares what they find."""

    catalog: Catalog
    network: Network
    run: Run
    is_right: IsRight
    rules: Rules
    beam: int

    def judged(self, questions: Sequence[dict[str, Any]]) -> Iterator[Judged]:
        """The candidates of each question."""
        joins = JoinGraph(self.catalog)
        sketcher = Sketcher(self.catalog, joins, self.network)
        for question in questions:
            yield self._judged(question, sketcher, joins)

    def lacking(self, questions: Sequence[dict[str, Any]]) -> Iterator[Judged]:
        """The candidates of questions whose data lacks something: none of them is right."""
        for question in questions:
            line = _line(question, self.catalog)
            less = negatives.lesser(question["id"], line, self.catalog) if line else None
            if less:
                rules = ruled(less.catalog, _TODAY)
                yield from replace(self, catalog=less.catalog, rules=rules, is_right=_never).judged([question])

    def _judged(self, question: dict[str, Any], sketcher: Sketcher, joins: JoinGraph) -> Judged:
        text = question["question"]
        sketches = sketcher.sketches(text, self.beam)
        tried, sqls, right = [], list[str](), []
        for query, score, confidence in self._trees(text, sketches):
            sql = written(query, self.catalog, joins)
            if sql is None or (sql in sqls and score is not None):
                continue
            try:
                rows = self.run(sql)
            except FAILURES:
                continue
            sqls.append(sql)
            tried.append(Tried(query, len({each.table for each in columns_in(query)}), score, confidence, rows))
            right.append(self.is_right(question, rows))
        rows_ = features(text, sketches.memory, tried) if tried else np.zeros((0, 0), np.float32)
        return Judged(question["id"], question["db"], rows_, right, sqls, sketches.nothing)

    def _trees(self, text: str, sketches: Sketches) -> list[tuple[Query, float | None, float]]:
        trees: list[tuple[Query, float | None, float]] = [(each.query, each.score, 0.0) for each in sketches.found]
        ruled_ = self.rules(text)
        return [*trees, (ruled_[0], None, ruled_[1])] if ruled_ else trees


def _never(question: dict[str, Any], rows: Rows) -> bool:
    return False


def _line(question: dict[str, Any], catalog: Catalog) -> list[Word] | None:
    """The line of a question in three, where its SQL has one."""
    if not negatives.is_chosen(question["id"]):
        return None
    try:
        return question.get("line") or to_sketch(question["sql"], catalog, JoinGraph(catalog))
    except Beyond:
        return None


def ruled(catalog: Catalog, today: dt.date = _TODAY) -> Rules:
    """What the rules read in a question, and how well that explains it."""
    reader = Reader(catalog, JoinGraph(catalog), NameIndex(catalog), today)

    def read(question: str) -> tuple[Query, float] | None:
        try:
            reading = reader.read(question)
        except Unreadable:
            return None
        return reading.query, fit_of(reading.weakest, len(reading.unclaimed), 0)

    return read

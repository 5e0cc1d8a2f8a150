"""Candidates for every question, run and judged: what the ranker learns from, and what `make eval` counts.

The candidates are those that the analyst itself ranks, by the model that is in use (`learned.model.using`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pluto_duck_text2sql import Analyst
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.learned.network import Floats
from pluto_duck_text2sql.learned.sketch import Word
from pluto_duck_training import negatives
from pluto_duck_training.gold import Beyond, to_sketch

Rows = list[tuple[Any, ...]]
Run = Callable[[str], Rows]
IsRight = Callable[[dict[str, Any], Rows], bool]
TODAY = dt.date(2025, 1, 1)
"""When the questions that are learned from are asked."""


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
    """Has the analyst write and run candidates over one catalog, and compares what they find, as they are `today`."""

    catalog: Catalog
    run: Run
    is_right: IsRight
    today: dt.date = TODAY

    def judged(self, questions: Sequence[dict[str, Any]]) -> Iterator[Judged]:
        """The candidates of each question."""
        analyst = Analyst(self.catalog, today=self.today)
        for question in questions:
            yield self.of(question, analyst)

    def lacking(self, questions: Sequence[dict[str, Any]]) -> Iterator[Judged]:
        """The candidates of questions whose data lacks something: none of them is right."""
        for question in questions:
            line = _line(question, self.catalog)
            less = negatives.lesser(question["id"], line, self.catalog) if line else None
            if less:
                yield from replace(self, catalog=less.catalog).in_vain([question])

    def in_vain(self, questions: Sequence[dict[str, Any]]) -> Iterator[Judged]:
        """The candidates of questions that the data does not answer."""
        return replace(self, is_right=_never).judged(questions)

    def of(self, question: dict[str, Any], analyst: Analyst) -> Judged:
        """The candidates of one question."""
        found = analyst.found(question["question"], self.run)
        right = [self.is_right(question, each.rows or []) for each in found.entries]
        rows = found.features() if right else np.zeros((0, 0), np.float32)
        sql = [each.sql for each in found.entries]
        return Judged(question["id"], question["db"], rows, right, sql, found.sketches.nothing)


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

"""Candidates for every question, run and judged: what the ranker learns from, and what `make eval` counts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pluto_duck_text2sql.catalog import Catalog
from pluto_duck_text2sql.confidence import fit_of
from pluto_duck_text2sql.joins import JoinGraph
from pluto_duck_text2sql.learned.features import Tried, features
from pluto_duck_text2sql.learned.network import Floats, Network
from pluto_duck_text2sql.learned.sketcher import Sketcher
from pluto_duck_text2sql.links import NameIndex
from pluto_duck_text2sql.reader import Reader, Unreadable
from pluto_duck_text2sql.render import Unreachable, render
from pluto_duck_text2sql.tree import Query, columns_in

Rows = list[tuple[Any, ...]]
Run = Callable[[str], Rows]


@dataclass(frozen=True)
class Judged:
    """One question's candidates: their features, whether each is right, their SQL."""

    id: str
    database: str
    features: Floats
    right: list[bool]
    sql: list[str]


def judged(
    questions: Sequence[dict[str, Any]],
    catalog: Catalog,
    network: Network,
    run: Run,
    is_right: Callable[[dict[str, Any], Rows], bool],
    rules: Callable[[str], tuple[Query, float] | None],
    beam: int,
) -> Iterator[Judged]:
    """The candidates of each question over one catalog."""
    joins = JoinGraph(catalog)
    sketcher = Sketcher(catalog, joins, network)
    for question in questions:
        text = question["question"]
        written = sketcher.sketches(text, beam)
        trees: list[tuple[Query, float | None, float]] = [(each.query, each.score, 0.0) for each in written.found]
        ruled = rules(text)
        if ruled:
            trees.append((ruled[0], None, ruled[1]))
        tried, sqls, right = [], list[str](), []
        for query, score, confidence in trees:
            try:
                sql = render(query, catalog, joins)
            except (Unreachable, KeyError, AttributeError):
                continue
            if sql in sqls and score is not None:
                continue
            try:
                rows = run(sql)
            except Exception:
                continue
            sqls.append(sql)
            tried.append(Tried(query, len({each.table for each in columns_in(query)}), score, confidence, rows))
            right.append(is_right(question, rows))
        rows_ = features(text, written.memory, tried) if tried else np.zeros((0, 0), np.float32)
        yield Judged(question["id"], question["db"], rows_, right, sqls)


def ruled(catalog: Catalog, today: dt.date) -> Callable[[str], tuple[Query, float] | None]:
    """What the rules read in a question, and how well that explains it."""
    reader = Reader(catalog, JoinGraph(catalog), NameIndex(catalog), today)

    def read(question: str) -> tuple[Query, float] | None:
        try:
            reading = reader.read(question)
        except Unreadable:
            return None
        return reading.query, fit_of(reading.weakest, len(reading.unclaimed), 0)

    return read

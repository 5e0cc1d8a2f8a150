"""The embedded analyst: a catalog and a question in, ranked SQL and its reading out. No model, no network, no database.

    question ─▶ tokens ─▶ periods, grains, cues (words.py, periods.py, cues.py)
             ─▶ links: names, stored values (links.py, values.py)
             ─▶ reader: roles, names, measures or ranks, conditions: a query tree, with the choices met (reader.py)
             ─▶ render: joins and SQL from the tree (joins.py, render.py)
             ─▶ self-check: run the readings, drop what fails, ask where two differ ─▶ answer | ask | refuse

Usable alone: `Analyst(catalog).ask("revenue by month")`. Deterministic.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any

from pluto_duck_text2sql.analysis import Analysis, Candidate, Clarification, ColumnLink, Links
from pluto_duck_text2sql.catalog import Catalog
from pluto_duck_text2sql.confidence import fit_of, probability
from pluto_duck_text2sql.followup import complete
from pluto_duck_text2sql.joins import JoinGraph
from pluto_duck_text2sql.links import Mention, NameIndex
from pluto_duck_text2sql.reader import Reader, Reading, Unreadable
from pluto_duck_text2sql.refusals import refusal
from pluto_duck_text2sql.render import Unreachable, render
from pluto_duck_text2sql.spec import split_spec
from pluto_duck_text2sql.titles import title
from pluto_duck_text2sql.tree import columns_in
from pluto_duck_text2sql.words import tokenise

Run = Callable[[str], list[tuple[Any, ...]]]
_NO_READING = (
    "No reading of this question runs: the tables it names are not connected by any key, or a column does not hold what"
    " is asked of it. Ask in other words, or name the table and column."
)
_MOST_UNCLAIMED = 0.34


class Analyst:
    """Answers questions over one catalog."""

    def __init__(self, catalog: Catalog, *, today: dt.date | None = None) -> None:
        self._catalog = catalog
        self._joins = JoinGraph(catalog)
        self._names = NameIndex(catalog)
        self._reader = Reader(catalog, self._joins, self._names, today or dt.date.today())

    def link(self, question: str) -> Links:
        """The tables, columns and values the question names."""
        try:
            return _links(self._reader.read(question).mentions)
        except Unreadable:
            return Links()

    def ask(
        self,
        question: str,
        *,
        history: Sequence[str] = (),
        run: Run | None = None,
        choice: str | None = None,
        max_candidates: int = 20,
    ) -> Analysis:
        """The readings of `question`, best first, or a question back, or why it cannot be answered.

        `run` executes a candidate and returns rows, raising where it fails; `choice` is the option picked from an
        earlier clarification of the same question. Raises ValueError for an empty question.
        """
        if not question.strip():
            raise ValueError("The question is empty.")
        question = complete(question, history, self._names)
        refused = refusal(question)
        if refused:
            return Analysis("cannot_answer", message=refused)
        try:
            readings = self._readings(question, choice)
        except Unreadable as error:
            return self._cannot(question, Links(), error.unclaimed)
        links = _links(readings[0].mentions)
        unclaimed = readings[0].unclaimed
        if _too_much(unclaimed, question):
            return self._cannot(question, links, unclaimed)
        return self._decide(question, readings, links, run, choice, max_candidates)

    def _readings(self, question: str, choice: str | None) -> list[Reading]:
        """The best reading, then one for each way not taken at a choice."""
        first = self._reader.read(question, choice)
        if choice:
            return [first]
        readings = [first]
        for label in [label for each in first.choices for label in each.labels[1:]][:4]:
            try:
                readings.append(self._reader.read(question, label))
            except Unreadable:
                continue
        return readings

    def _decide(
        self, question: str, readings: list[Reading], links: Links, run: Run | None, choice: str | None, most: int
    ) -> Analysis:
        candidates: list[Candidate] = []
        rows: list[Any] = []
        for place, reading in enumerate(readings):
            candidate = self._candidate(question, reading, place)
            if candidate is None or candidate.sql in [each.sql for each in candidates]:
                continue
            found = _tried(candidate, run)
            if found is not _FAILED:
                candidates.append(candidate)
                rows.append(found)
        if not candidates:
            return Analysis("cannot_answer", message=_NO_READING, links=links)
        clarification = None if choice else _clarify(readings[0], candidates, rows)
        if clarification:
            return Analysis("needs_input", tuple(candidates[:most]), clarification, links=links)
        return Analysis("answered", tuple(_by_rows(candidates, rows)[:most]), links=links)

    def _candidate(self, question: str, reading: Reading, rank: int) -> Candidate | None:
        try:
            sql = render(reading.query, self._catalog, self._joins)
        except (Unreachable, KeyError):
            return None
        fit = fit_of(reading.weakest, len(reading.unclaimed), rank)
        assumptions = list(dict.fromkeys(reading.assumptions))
        tables = tuple(sorted({f"{each.table[0]}.{each.table[1]}" for each in columns_in(reading.query)}))
        return Candidate(
            sql,
            round(probability(split_spec(question)[0], fit, sql), 3),
            title(reading.query),
            tuple(dict.fromkeys(reading.lines)),
            tuple(assumptions),
            reading.query,
            tables,
        )

    def _cannot(self, question: str, links: Links, unclaimed: Sequence[str]) -> Analysis:
        words = list(unclaimed) or [token.text for token in tokenise(question)][-1:]
        nearest = list(dict.fromkeys(name for word in words for name in self._names.nearest(word)))[:3]
        tables = ", ".join(table.name for table in self._catalog.tables[:8]) or "nothing yet"
        hint = f" Closest: {', '.join(nearest)}." if nearest else f" There is: {tables}."
        said = " or ".join(repr(word) for word in words[:3])
        return Analysis("cannot_answer", message=f"Nothing here is called {said}.{hint}", links=links)


_FAILED = object()


def _tried(candidate: Candidate, run: Run | None) -> Any:
    """The candidate's rows, None where nothing runs, _FAILED where it fails: a reading that cannot run is none."""
    if run is None:
        return None
    try:
        return run(candidate.sql)
    except Exception:  # noqa: BLE001 - whatever the caller's runner raises, this reading does not run
        return _FAILED


def _clarify(reading: Reading, candidates: list[Candidate], rows: list[Any]) -> Clarification | None:
    """A question back where two readings fit equally and their rows differ."""
    if len(candidates) < 2 or rows[0] is None or rows[0] == rows[1] or not rows[1] or not rows[0]:
        return None
    choice = reading.choices[0]
    return Clarification(f"Which one do you mean by {choice.about!r}?", choice.labels)


def _by_rows(candidates: list[Candidate], rows: list[Any]) -> list[Candidate]:
    """Readings that find something before those that find nothing; otherwise as ranked."""
    empty = [found is not None and not found for found in rows]
    order = sorted(range(len(candidates)), key=lambda n: (empty[n], n))
    return [candidates[n] for n in order]


def _too_much(unclaimed: Sequence[str], question: str) -> bool:
    content = max(len([token for token in tokenise(question) if len(token.lower) > 3]), 1)
    return len(unclaimed) / content > _MOST_UNCLAIMED


def _links(mentions: Sequence[Mention]) -> Links:
    tables: dict[Any, tuple[Any, float]] = {}
    columns: dict[tuple[str, str, str], ColumnLink] = {}
    for mention in mentions:
        for target in mention.targets[:6]:
            key = target.table.key
            weight = target.score * (1.0 if target.column is None else 0.8)
            tables[key] = (target.table, max(weight, tables.get(key, (None, 0.0))[1]))
            if target.column:
                link = ColumnLink(*key, target.column.name, target.score)
                columns.setdefault((*key, target.column.name), link)
    values = tuple(hit for mention in mentions for hit in mention.hits[:3])
    best = sorted(tables.values(), key=lambda pair: -pair[1])[:8]
    return Links(tuple(best), tuple(sorted(columns.values(), key=lambda each: -each.score))[:20], values)

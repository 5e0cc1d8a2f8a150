"""Questions of a fixed frame, whose parts are questions of their own: what the frames share.

A frame (cohorts.py, funnels.py, thresholds.py, shared.py) takes a whole question or leaves it to the passes
(reader.py). Each word of it is the frame's own or is read as a part, so nothing of a framed question is unaccounted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.words import STOP, row_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.reading.accounts import nothing_lost
from pluto_duck_text2sql.times.periods import find_periods
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    Cond,
    During,
    First,
    Query,
    Related,
    Rows,
    TableKey,
    columns_in,
)
from pluto_duck_text2sql.trees.phrases import counted_from, range_text

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Reader, Reading

UNIT = "day|week|month|quarter|year"
TRADED = frozenset(stem(each) for each in "bought buy purchased purchase ordered order shopped sale".split())
"""Verbs and nouns of a purchase, whatever the table of the purchases is called."""
_BEING_THERE = frozenset(
    map(stem, "session login logon visit activity event usage checkin attendance pageview play stream".split())
)
_GOES_ON = frozenset(
    map(
        stem,
        "subscription membership lease contract policy plan tenancy enrolment enrollment invoice bill payment fee"
        " installment".split(),
    )
)
_UNREACHED = 90
_NAMED = 0.6


@dataclass(frozen=True)
class Deeds:
    """The rows of `table` that belong to an owner: by which column, and which date is theirs."""

    table: TableKey
    owner: Col
    date: Col


class Parts:
    """Reads the parts of one framed question."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.lines: list[str] = []
        self.assumptions: list[str] = []

    def table(self, words: str) -> Table | None:
        """The table that all these words name, an article aside."""
        best = self._tables(words)
        return best[0][1].table if best and best[0][1].score >= _NAMED else None

    def fit(self, words: str) -> float:
        """How well the words name a table."""
        return max((each.score for _, each in self._tables(words)), default=0.0)

    def _tables(self, words: str) -> list[tuple[float, Target]]:
        stems = tuple(token.stem for token in tokenise(words) if token.lower not in STOP)
        found = [each for each in self.reader.names.find(stems) if each.column is None] if stems else []
        own = [each for each in found if table_stems(each.table.name)[-len(stems) :] == stems]
        return self.reader.resolver.best(own or found, [], None)

    def deeds(self, owner: Table, words: str = "") -> Deeds | None:
        """What an owner did: the table these words name, or where the owner's purchases are; without words, either."""
        stems = [token.stem for token in tokenise(words) if token.lower not in STOP]
        named = [each.table.key for word in stems for each in self.reader.names.find((word,)) if each.column is None]
        if not stems or TRADED & set(stems):
            named += [next(columns_in(each)).table for each in self.reader.resolver.money()]
        every = [table.key for table in self.reader.catalog.tables] if not stems else []
        tables = [*self._nearest(owner, named), *self._nearest(owner, every)]
        return next((made for key in tables if (made := self._dated(owner, key))), None)

    def presence(self, owner: Table) -> Deeds | None:
        """The rows of an owner that are called after being there: sessions, visits, check-ins."""
        named = [each.key for each in self.reader.catalog.tables if _BEING_THERE & row_stems(each.name)]
        return next((made for key in self._nearest(owner, named) if (made := self._dated(owner, key))), None)

    def payer(self) -> Table | None:
        """The one table that the rows of money point at and that anybody is called by."""
        homes = {each.table for money in self.reader.resolver.income() for each in columns_in(money)}
        return self.people_of(table for key in homes if (table := self.reader.catalog.table(*key)))

    def people_of(self, tables: Iterable[Table]) -> Table | None:
        """The one table of people that rows of these point at."""
        keys = (key for table in tables for key in table.foreign_keys)
        owners = (self.reader.catalog.table(key.ref_schema, key.ref_table) for key in keys)
        people = {each.key: each for each in owners if each and is_of_people(each, self.reader.resolver.label(each))}
        return next(iter(people.values())) if len(people) == 1 else None

    def activity(self, owner: Table) -> Deeds | None:
        """What tells that an owner did something then: being there, else what they ordered; no bill and no plan, which
        go on without anything done."""
        deeds = self.presence(owner) or self.deeds(owner)
        done = self.reader.catalog.table(*deeds.table) if deeds else None
        return deeds if done and _GOES_ON.isdisjoint(row_stems(done.name)) else None

    def _nearest(self, owner: Table, tables: Sequence[TableKey]) -> list[TableKey]:
        far = self.reader.joins.distance
        return sorted(
            (each for each in tables if far(owner.key, each) < _UNREACHED), key=lambda key: far(owner.key, key)
        )

    def _dated(self, owner: Table, key: TableKey) -> Deeds | None:
        """The deeds in a table, or where it has no date in the one that dates its rows."""
        joins = self.reader.joins
        if key == owner.key or not joins.belongs(key, owner.key):
            return None
        for _, date in self.reader.resolver.time_column([key], frozenset()):
            pointer = joins.pointer(date.table, owner.key)
            if pointer and pointer.table == date.table and joins.belongs(date.table, owner.key):
                return Deeds(date.table, pointer, date)
        return None

    def has_gaps(self, column: Col) -> bool:
        """Whether rows belong to nobody: orders of guests."""
        stored = self.reader.catalog.column(*column.table, column.name)
        return bool(stored and stored.null_fraction)

    def first(self, deeds: Deeds) -> First:
        """The date of each owner's first deed."""
        return First(deeds.date, deeds.owner)

    def during(self, text: str, date: Col | First) -> tuple[Cond, str] | None:
        """The condition of the period that a text begins with, and the words after it."""
        tokens = tokenise(text)
        found = [each for each in find_periods(Words(tokens)) if each.start == 0]
        column = date.of if isinstance(date, First) else date
        if not found:
            return None
        day = self.reader.catalog.last_day(*column.table, column.name, self.reader.today)
        start, end = found[0].resolve(day)
        self.assumptions += [counted_from(day)] if found[0].relative else []
        said = " ".join(token.text for token in tokens[: found[0].end])
        rest = " ".join(token.text for token in tokens[found[0].end :])
        self.lines.append(f"{said} → {range_text(start, end)}")
        if start and end:
            return During(date, start, end), rest
        return (Compare(date, ">=", start) if start else Compare(date, "<", end)), rest

    def reading(self, query: Query, lines: Sequence[str] = ()) -> Reading:
        """A reading that explains every word."""
        from pluto_duck_text2sql.reading.reader import Reading

        return Reading(query, [*self.lines, *lines], self.assumptions, [], [], 1.0, [], knows=True, is_framed=True)

    def of_rows(self, anchor: TableKey, conditions: Sequence[Cond]) -> tuple[Cond, ...]:
        """Conditions on other tables as what must be there of them, so that no join multiplies or drops a row."""
        own: list[Cond] = []
        others: dict[TableKey, list[Cond]] = {}
        for each in conditions:
            tables = {column.table for column in columns_in(each)} - {anchor}
            if len(tables) == 1 and not isinstance(each, Related):
                others.setdefault(next(iter(tables)), []).append(each)
            else:
                own.append(each)
        return (*own, *(Related(table, tuple(made)) for table, made in others.items()))

    def asked(self, question: str) -> Reading | None:
        """What a part asks; None where it is no question, or some of its words name nothing."""
        from pluto_duck_text2sql.reading.slots import Unreadable

        try:
            found = self.reader.read(question)
        except Unreadable:
            return None
        return None if found.unclaimed else found

    def counted(self, question: str) -> Reading | None:
        """A part that counts the rows of one table, and no more."""
        found = self.asked(question)
        if found is None:
            return None
        query = found.query
        plain = not query.group and not query.having and query.limit is None and query.then is None
        return found if plain and query.select == (Agg("count", Rows(query.anchor)),) else None


def same(text: str) -> str:
    """A question in one line, without what ends it."""
    return re.sub(r"\s+", " ", text).strip(" .?!,;:")


def merged(readings: Sequence[Reading], query: Query) -> Reading:
    """The reading of a query that was made of several."""
    return replace(
        readings[0],
        query=query,
        lines=list(dict.fromkeys(line for each in readings for line in each.lines)),
        assumptions=list(dict.fromkeys(line for each in readings for line in each.assumptions)),
        mentions=[],
        choices=[],
        lost_by=nothing_lost,
        passed_over=nothing_lost,
        weakest=min(each.weakest for each in readings),
        knows=True,
        is_framed=True,
    )

"""Deals of a sales pipeline: rows with a stage of which some values mean that they were won, others that they were
lost.

`Closed Won` and `Closed Lost`, or `won` and `lost`; what is at neither is open, whatever day it is expected to close.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.words import name_words, stem
from pluto_duck_text2sql.tree import Among, Col, Compare, Cond

_MOST_STAGES = 20
_CREATED = (("created",), ("create",), ("opened",), ("open",), ("start",), ("started",))
_CLOSED = (("closed",), ("close",), ("closing",), ("end",))
_STAGE = frozenset(map(stem, "stage status state step phase".split()))
"""A result of games may be won or lost as well; those drawn are not open."""
_AMOUNT = frozenset(map(stem, "amount value".split()))
_PROBABILITY = stem("probability")


@dataclass(frozen=True)
class Deals:
    """The stage of deals, the values of it that are won and those that are lost, and what there is one column of."""

    stage: Col
    won: tuple[str, ...]
    lost: tuple[str, ...]
    amount: Col | None
    probability: Col | None
    created: Col | None
    closed: Col | None

    def is_won(self) -> Cond:
        return _one_of(self.stage, self.won)

    def is_lost(self) -> Cond:
        return _one_of(self.stage, self.lost)

    def is_open(self) -> Cond:
        return Among(self.stage, (*self.won, *self.lost), negated=True)

    def is_over(self) -> Cond:
        return Among(self.stage, (*self.won, *self.lost))


def _one_of(stage: Col, values: tuple[str, ...]) -> Cond:
    return Compare(stage, "=", values[0]) if len(values) == 1 else Among(stage, values)


def deals(catalog: Catalog) -> Deals | None:
    """The deals of a catalog; None where no table has them, or several do."""
    found = [made for table in catalog.tables if (made := _deals(table, catalog))]
    return found[0] if len(found) == 1 else None


def _deals(table: Table, catalog: Catalog) -> Deals | None:
    for column in table.columns:
        values = _stages(table, column, catalog)
        won, lost = (tuple(each for each in values if _says(each, word)) for word in ("won", "lost"))
        if won and lost and len(values) > len(won) + len(lost):
            dated, stage = _dates(table), Col(table.key, column.name)
            return Deals(stage, won, lost, _number(table, _AMOUNT), _number(table, {_PROBABILITY}), *dated)
    return None


def _stages(table: Table, column: Column, catalog: Catalog) -> Sequence[str]:
    few = column.kind == "text" and 0 < (column.n_distinct or 0) <= _MOST_STAGES
    few = few and not _STAGE.isdisjoint(table.stems(column.name))
    return catalog.values.held_in(table.schema, table.name, column.name) if few else ()


def _says(value: str, word: str) -> bool:
    """Whether a stage is `Won`, `Closed Won` or `Closed - Won`."""
    words = [each for each in name_words(value) if each != "closed"]
    return words == [word]


def _number(table: Table, words: frozenset[str] | set[str]) -> Col | None:
    found = [each for each in table.columns if each.kind == "number" and words & set(table.stems(each.name))]
    return Col(table.key, found[0].name) if len(found) == 1 else None


def _dates(table: Table) -> tuple[Col | None, Col | None]:
    """When deals were created, and when they are or were closed."""
    times = [each for each in table.columns if each.is_time]
    return _called(table, times, _CREATED), _called(table, times, _CLOSED)


def _called(table: Table, times: Sequence[Column], begins: Sequence[tuple[str, ...]]) -> Col | None:
    found = [each for each in times if tuple(name_words(each.name)[:1]) in begins]
    return Col(table.key, found[0].name) if len(found) == 1 else None

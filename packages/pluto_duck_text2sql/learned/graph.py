"""A question over a catalog as the network sees it: nodes (words, columns, tables, values), features, relations.

A relation between two nodes is one small number (RAT-SQL, Wang et al. 2020): the network adds a learned bias for it to
its attention. Features are what names, values and statistics say of a node by itself.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table, newest_day
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.quantities import Measures
from pluto_duck_text2sql.language.words import MONEY, STOP, Token, stem, tokenise
from pluto_duck_text2sql.learned.literals import KINDS, Literal, flags, literals
from pluto_duck_text2sql.learned.names import ALIKE, INNER, PART, SYNONYM, WHOLE, Name, Names
from pluto_duck_text2sql.learned.statics import FEATURES, Floats, Pointing, Statics, pointing
from pluto_duck_text2sql.times.periods import Period
from pluto_duck_text2sql.tree import Col, TableKey
from pluto_duck_text2sql.trees.phrases import OF_ONE, counts_pieces
from pluto_duck_text2sql.trees.term import Term

MOST_COLUMNS = 80
LINKED = slice(4, 14)
#   of a word's features, what it names and how
MOST_TABLES = 20
MOST_WORDS = 48
# Relations, by the kinds of the two nodes.
_WORD_WORD = 1  # 1..7: the distance from -3 to 3
_WORD_COLUMN = 8  # + WHOLE..ALIKE: 9..13
WORD_TABLE = 14  # 15..19
_WORD_VALUE = 20  # within its span
_COLUMN_WORD = 21  # 22..26
_TABLE_WORD = 27  # 28..32
_VALUE_WORD = 33
_SAME_TABLE, _KEY_TO, _KEY_FROM, _SAME_NAME = 34, 35, 36, 37
_COLUMN_TABLE, _PRIMARY_TABLE, _TABLE_COLUMN, _TABLE_PRIMARY = 38, 39, 40, 41
_TABLE_TO, _TABLE_FROM = 42, 43
_VALUE_COLUMN, _COLUMN_VALUE, _NUMBER_COLUMN, _COLUMN_NUMBER = 44, 45, 46, 47
_ITSELF = 48
RELATIONS = 50
_STORED = frozenset(("stored", "text", "held"))
_TIMES = frozenset(("period", "date", "calendar"))
_CALLED = frozenset(map(stem, ("name", "title")))
_AMOUNTS = MONEY | OF_ONE | frozenset(map(stem, "amount total fee charge discount rate hours".split()))
_MEETINGS = (WHOLE, INNER, PART, SYNONYM, ALIKE)

Bytes = NDArray[np.int8]


@dataclass(frozen=True)
class Graph:
    """Nodes in the order words, columns, tables, values; `features` (n, 40), `relations` (n, n)."""

    tokens: list[Token]
    columns: list[tuple[Table, Column]]
    tables: list[Table]
    values: list[Literal]
    features: Floats
    relations: Bytes

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        return len(self.tokens), len(self.columns), len(self.tables), len(self.values)

    @property
    def is_linked(self) -> bool:
        """Whether a word names something, or begins or ends as what does."""
        return bool(self.features[: len(self.tokens), LINKED].any())

    def column(self, index: int) -> Col:
        table, column = self.columns[index]
        return Col(table.key, column.name)


class Grapher:
    """Makes graphs over one catalog, with values of those `kinds` that the network has learned of.

    `aliases` are the user's other names for tables and columns.
    """

    def __init__(
        self, catalog: Catalog, joins: JoinGraph, kinds: Collection[str] = KINDS, aliases: Sequence[Term] = ()
    ) -> None:
        self._catalog = catalog
        self._kinds = frozenset(kinds)
        self._names = Names(catalog, aliases)
        self._measures = Measures.of(catalog)
        self._pointing = pointing(catalog)
        self._statics = Statics(self._pointing)
        self._joins = joins

    def graph(self, question: str) -> Graph:
        """The graph of a question. Raises nothing: a question without words is a graph without words."""
        tokens = tokenise(question)[:MOST_WORDS]
        met = self._names.met(tokens)
        linked = [any(found[place] in (WHOLE, INNER) for found in met.values()) for place in range(len(tokens))]
        values = literals(tokens, self._catalog, linked, self._measures, self._kinds)
        strengths = _strengths(met, values)
        tables = self._tables_of(strengths)
        columns = self._columns_of(tables, strengths, any(each.kind in _TIMES for each in values))
        values += flags([(each.table, each.column) for each in columns if each.column and any(met.get(each, ()))])
        nothing = [0] * len(tokens)
        drawn = [[(each, met.get(each, nothing)) for each in some] for some in (columns, tables)]
        return _Drawing(self._pointing, self._statics, tokens, drawn[0], drawn[1], values).graph()

    def _tables_of(self, strengths: Mapping[Col | TableKey, float]) -> list[Name]:
        """All tables where they are few; of many those that words name: themselves, their columns, their values."""
        names = self._names
        if len(names.tables) <= MOST_TABLES:
            return names.tables
        total: dict[TableKey, float] = defaultdict(float)
        for node, strength in strengths.items():
            total[node.table if isinstance(node, Col) else node] += strength * (1.0 if isinstance(node, Col) else 2.0)
        kept = set(sorted(total, key=lambda key: (-total[key], key))[:MOST_TABLES])
        return [name for name in names.tables if name.table.key in kept] or names.tables[:MOST_TABLES]

    def _columns_of(
        self, tables: Sequence[Name], strengths: Mapping[Col | TableKey, float], is_dated: bool
    ) -> list[Name]:
        """The columns of these tables; of very many those that words name or values are stored in, then keys, what
        rows are called by, amounts, and days where a time is said, the best named tables' first."""
        columns = [each for table in tables for each in self._names.columns[table.table.key]]
        if len(columns) <= MOST_COLUMNS:
            return columns
        nearness = self._nearness(strengths)
        ranked = sorted(
            range(len(columns)),
            key=lambda n: (
                -strengths.get(_node(columns[n]), 0.0),
                not (_may_be_unsaid(columns[n]) or (is_dated and _is_time(columns[n]))),
                -nearness.get(columns[n].table.key, 0.0),
                n,
            ),
        )
        return [columns[n] for n in sorted(ranked[:MOST_COLUMNS])]

    def _nearness(self, strengths: Mapping[Col | TableKey, float]) -> dict[TableKey, float]:
        """How well each table is named, itself or by a column; one that points at it, half as well."""
        named: dict[TableKey, float] = defaultdict(float)
        for node, strength in strengths.items():
            table = node.table if isinstance(node, Col) else node
            named[table] = max(named[table], strength)
        near = dict(named)
        for each in self._catalog.tables:
            pointed = [named.get((key.ref_schema, key.ref_table), 0.0) / 2 for key in each.foreign_keys]
            near[each.key] = max(near.get(each.key, 0.0), *pointed, 0.0)
        return near


_Met = tuple[Name, list[int]]


def _strength(found: Sequence[int]) -> float:
    weights = {WHOLE: 1.0, INNER: 0.8, PART: 0.4, SYNONYM: 0.35, ALIKE: 0.2}
    return sum(weights.get(each, 0.0) for each in found)


def _strengths(met: Mapping[Name, list[int]], values: Sequence[Literal]) -> dict[Col | TableKey, float]:
    """How well a question names columns and tables; a column that stores what it names is named as by its own name."""
    found: dict[Col | TableKey, float] = {_node(name): _strength(places) for name, places in met.items()}
    for column in {each for value in values if value.kind in _STORED for each in value.stored}:
        found[column] = found.get(column, 0.0) + 1.0
    return found


def _node(name: Name) -> Col | TableKey:
    return Col(name.table.key, name.column.name) if name.column else name.table.key


def _may_be_unsaid(name: Name) -> bool:
    """Whether a question may mean the column though no word of it names it: a key, a name, an amount."""
    return _is_key(name) or _is_name(name) or _is_amount(name)


def _is_amount(name: Name) -> bool:
    is_number = name.column is not None and name.column.kind == "number"
    return is_number and (counts_pieces(name.stems) or not _AMOUNTS.isdisjoint(name.stems))


def _is_name(name: Name) -> bool:
    return bool(_CALLED & set(name.stems))


def _is_time(name: Name) -> bool:
    return name.column is not None and name.column.kind == "time"


def _is_key(name: Name) -> bool:
    return name.column is not None and name.column.name in name.table.primary_key


class _Drawing:
    """Fills the features and relations of one graph."""

    def __init__(
        self,
        pointing: Pointing,
        statics: Statics,
        tokens: list[Token],
        columns: list[_Met],
        tables: list[_Met],
        values: list[Literal],
    ) -> None:
        self._tokens, self._columns, self._tables, self._values = tokens, columns, tables, values
        self._pointing, self._statics = pointing, statics
        self._w, self._c, self._t = len(tokens), len(columns), len(tables)
        n = self._w + self._c + self._t + len(values)
        self._relations: Bytes = np.zeros((n, n), np.int8)
        self._features: Floats = np.zeros((n, FEATURES), np.float32)
        self._found: NDArray[np.int64] = np.array([found for _, found in (*columns, *tables)], np.int64).reshape(
            self._c + self._t, self._w
        )

    def graph(self) -> Graph:
        self._words()
        self._names()
        self._keys()
        self._literals()
        np.fill_diagonal(self._relations, _ITSELF)
        return Graph(
            self._tokens,
            [(name.table, name.column) for name, _ in self._columns if name.column],
            [name.table for name, _ in self._tables],
            self._values,
            self._features,
            self._relations,
        )

    def _words(self) -> None:
        w, c = self._w, self._c
        distance = np.clip(np.arange(w)[None, :] - np.arange(w)[:, None], -3, 3)
        self._relations[:w, :w] = _WORD_WORD + 3 + distance
        rows, columns, tables = self._features[:w], self._found[:c], self._found[c:]
        rows[:, 0] = 1
        for kind in _MEETINGS:
            rows[:, 3 + kind] = (columns == kind).any(0)
            rows[:, 8 + kind] = (tables == kind).any(0)
        for row, token in zip(rows, self._tokens, strict=True):
            row[14], row[15] = token.number is not None, token.quoted
            row[16], row[17] = token.lower in STOP, token.text[:1].isupper()
        rows[:1, 18] = 1

    def _names(self) -> None:
        w, c, t = self._w, self._c, self._t
        columns, tables = self._found[:c], self._found[c:]
        if c:
            self._relations[:w, w : w + c] = np.where(columns > 0, columns + _WORD_COLUMN, 0).T
            self._relations[w : w + c, :w] = np.where(columns > 0, columns + _COLUMN_WORD, 0)
        if t:
            self._relations[:w, w + c : w + c + t] = np.where(tables > 0, tables + WORD_TABLE, 0).T
            self._relations[w + c : w + c + t, :w] = np.where(tables > 0, tables + _TABLE_WORD, 0)
        if c + t:
            self._name_features([name for name, _ in (*self._columns, *self._tables)])

    def _name_features(self, names: list[Name]) -> None:
        """What is always known of the names, and how the words meet them."""
        rows, met = self._features[self._w : self._w + len(names)], self._found > 0
        rows[:] = np.array([self._statics.of(name) for name in names])
        for kind in _MEETINGS:
            rows[:, 3 + kind] = (self._found == kind).any(1)
        rows[:, 10] = -1
        for n in np.flatnonzero(met.any(1)):
            places = np.flatnonzero(met[n])
            covered = len({self._tokens[place].stem for place in places})
            rows[n, 9] = min(covered / max(len(names[n].stems), 1), 1)
            rows[n, 10] = places[0] / self._w

    def _keys(self) -> None:
        w, c = self._w, self._c
        places = {
            (name.table.key, name.column.name.casefold()): w + n
            for n, (name, _) in enumerate(self._columns)
            if name.column
        }
        tables = {name.table.key: w + c + n for n, (name, _) in enumerate(self._tables)}
        self._alike(tables)
        for (key, column), place in places.items():
            table = tables[key]
            primary = column in {each.casefold() for each in self._columns[place - w][0].table.primary_key}
            self._relations[place, table] = _PRIMARY_TABLE if primary else _COLUMN_TABLE
            self._relations[table, place] = _TABLE_PRIMARY if primary else _TABLE_COLUMN
            target = self._pointing.get((key, column))
            if target:
                self._point(place, places.get(target), table, tables.get(target[0]))

    def _alike(self, tables: Mapping[TableKey, int]) -> None:
        """Columns of one table, and those of one name in several."""
        w, c = self._w, self._c
        keys = np.array([tables.get(name.table.key, -1) for name, _ in self._columns])
        block = self._relations[w : w + c, w : w + c]
        block[keys[:, None] == keys[None, :]] = _SAME_TABLE
        names = np.array([name.column.name.casefold() if name.column else "" for name, _ in self._columns], object)
        if len(names):
            block[(names[:, None] == names[None, :]) & (keys[:, None] != keys[None, :])] = _SAME_NAME

    def _point(self, column: int, target: int | None, table: int, other: int | None) -> None:
        if target is not None:
            self._relations[column, target], self._relations[target, column] = _KEY_TO, _KEY_FROM
            self._features[target, 27] = 1
        if other is not None:
            self._relations[table, other], self._relations[other, table] = _TABLE_TO, _TABLE_FROM

    def _literals(self) -> None:
        first = self._w + self._c + self._t
        for n, literal in enumerate(self._values):
            place = first + n
            row = self._features[place]
            row[28] = 1
            for kind_at, kind in enumerate(("number", "stored", "text", "flag")):
                row[29 + kind_at] = literal.kind == kind or (literal.kind == "held" and kind in _STORED)
            row[39] = literal.kind == "period"
            row[33] = len(literal.stored) == 1
            row[34] = min(literal.end - literal.start, 4) / 4
            for word in range(literal.start, literal.end):
                self._relations[word, place], self._relations[place, word] = _WORD_VALUE, _VALUE_WORD
                self._features[word, 35] = 1
                self._features[word, 36] = literal.kind in ("stored", "held")
            for m, (name, _) in enumerate(self._columns):
                if name.column:
                    self._stored(place, self._w + m, name.table, name.column, literal)

    def _stored(self, place: int, at: int, table: Table, column: Column, literal: Literal) -> None:
        if Col(table.key, column.name) in literal.stored:
            self._relations[place, at], self._relations[at, place] = _VALUE_COLUMN, _COLUMN_VALUE
            self._features[at, 37] = 1
        elif isinstance(literal.value, float) and literal.kind == column.kind and _within(literal.value, column):
            self._relations[place, at], self._relations[at, place] = _NUMBER_COLUMN, _COLUMN_NUMBER
            self._features[at, 38] = 1
        elif column.kind == "time" and (literal.kind == "calendar" or _meets(literal.value, column)):
            self._relations[place, at], self._relations[at, place] = _NUMBER_COLUMN, _COLUMN_NUMBER


def _meets(value: object, column: Column) -> bool:
    """Whether the value is a period that some of the column's days may lie in; relative ones count from its last."""
    if not isinstance(value, Period):
        return False
    first, last = _day(column.minimum), _day(column.maximum)
    start, end = value.resolve(newest_day(column) or dt.date.today())
    is_early = end is not None and first is not None and end <= first
    is_late = start is not None and last is not None and start > last
    return value.relative or not (is_early or is_late)


def _day(value: object) -> dt.date | None:
    day = value.date() if isinstance(value, dt.datetime) else value
    return day if isinstance(day, dt.date) else None


def _within(number: float, column: Column) -> bool:
    if not isinstance(column.minimum, int | float) or not isinstance(column.maximum, int | float):
        return True
    return column.minimum <= number <= column.maximum

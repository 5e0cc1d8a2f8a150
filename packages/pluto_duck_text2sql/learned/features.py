"""What the ranker knows of a candidate: what the network says, which words it explains, what its rows look like.

One row of numbers a candidate, in the order of `NAMES`. Nothing here is fitted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pluto_duck_text2sql.language.words import STOP
from pluto_duck_text2sql.learned.graph import Graph
from pluto_duck_text2sql.learned.network import Floats, Memory
from pluto_duck_text2sql.learned.signs import SIGNS, fits, signs
from pluto_duck_text2sql.tree import Agg, Col, Query
from pluto_duck_text2sql.trees.facts import Facts

_CLAUSES = (
    *("queries", "select", "where", "group", "having", "order", "desc", "asc", "limit", "limit1", "distinct", "star"),
    *("also", "union", "intersect", "except", "scalar", "in", "notin", "or", "null"),
    *("if", "during", "by_day", "by_week", "by_month", "by_quarter", "by_year", "by_weekday", "by_month_of_year"),
    *("growth", "yoy", "running", "moving", "share", "ratio", "minus", "product", "days", "first", "from", "own"),
    *("fold", "per", "nth"),
)
_FUNCTIONS = ("count", "countd", "sum", "avg", "min", "max", "median", "stddev", "quantile")
_OPERATORS = ("=", "!=", "<", "<=", ">", ">=", "like", "not like")
_SCORES = ("score", "behind", "rank", "share", "length", "is_rules", "rules_confidence", "rules_agree", "rules_there")
_WORDS = (
    *("content", "unclaimed", "linked_unclaimed", "double", "columns_unlinked", "columns_weak", "tables_unlinked"),
    *("numbers_left", "stored_left", "texts_left", "values_used", "fit_min", "fit_sum", "inversions", "words"),
    *("used_log", "unused_log", "used_least", "unused_most_column", "unused_most_value", "unused_most_table"),
    *("tables", "is_superset", "value_gap", "select_whole", "select_used_least", "column_count", "value_count"),
)
_SAYS = (
    *("unsaid", "unsaid_more", "explains", "explained", "is_known"),
    *("asks_else", "tells_else", "figure_else", "deed_else", "rules_left", "rules_read"),
)
ROW_NAMES = ("ran", "rows", "wide", "nulls", "zero", "repeats", "single", "same", "same_share", "same_best", "constant")
NAMES: tuple[str, ...] = (
    *_SCORES,
    *_WORDS,
    *ROW_NAMES,
    *(f"has_{each}" for each in _CLAUSES),
    *(f"function_{each}" for each in _FUNCTIONS),
    *(f"operator_{each}" for each in _OPERATORS),
    *(f"sign_{each}" for each in SIGNS),
    *_SAYS,
)


@dataclass(frozen=True)
class Tried:
    """A candidate as ranked: `score` is the network's (None: of the rules), `rows` what it found, where it ran.

    `unsaid` is how much of the question leaves no mark in it; `explains`: whether the rules explain every word by it;
    `is_known`: whether they read it from phrases that the network has hardly seen; `asks_else`, `tells_else`: whether
    the words for what is asked, or those that tell the rows apart, name nothing that it has; `figure_else`: whether no
    word names what it computes; `deed_else`: whether its time is that of another deed.
    """

    query: Query
    tables: int
    score: float | None
    rules_confidence: float
    rows: Sequence[tuple[Any, ...]] | None
    unsaid: int = 0
    explains: bool = False
    is_known: bool = False
    asks_else: bool = False
    tells_else: bool = False
    figure_else: bool = False
    deed_else: bool = False


def features(question: str, memory: Memory, candidates: Sequence[Tried], left: int | None = None) -> Floats:
    """(candidates, len(NAMES)); `left` is how many words the rules leave over, None where they can read nothing."""
    group = _Group(question, memory, candidates, left)
    return np.array([group.row(n) for n in range(len(candidates))], np.float32)


class _Group:
    """The candidates of one question, each seen beside the others."""

    def __init__(self, question: str, memory: Memory, candidates: Sequence[Tried], left: int | None) -> None:
        self._memory, self._graph, self._all, self._left = memory, memory.graph, candidates, left
        self._least = min((each.unsaid for each in candidates), default=0)
        self._signs = signs(question)
        self._probabilities = [math.exp(each.score) if each.score is not None else 0.0 for each in candidates]
        self._best = max((each.score for each in candidates if each.score is not None), default=math.nan)
        self._counted = [_counted(each.rows) for each in candidates]
        self._marks = [_mark(each) for each in self._counted]
        self._facts = [Facts.of(each.query) for each in candidates]
        self._links = _Links(self._graph)
        self._order = sorted(range(len(candidates)), key=lambda n: -self._probabilities[n])

    def row(self, n: int) -> list[float]:
        candidate, facts = self._all[n], self._facts[n]
        return [
            *self._scores(n, candidate, facts),
            *self._words(candidate, facts),
            *self._rows(n, candidate),
            *(float(facts.clauses[each]) for each in _CLAUSES),
            *(float(facts.functions[each]) for each in _FUNCTIONS),
            *_operators(facts),
            *self._signs,
            *self._says(n, candidate),
        ]

    def _scores(self, n: int, candidate: Tried, facts: Facts) -> list[float]:
        score = candidate.score if candidate.score is not None else math.nan
        total = sum(self._probabilities) or 1.0
        rules = [m for m, each in enumerate(self._all) if each.score is None]
        agree = any(self._marks[m] == self._marks[n] and self._marks[n] is not None for m in rules)
        confidence = max((self._all[m].rules_confidence for m in rules), default=0.0)
        length = len(facts.columns) + len(facts.compared) + sum(facts.functions.values())
        return [
            *(score, score - self._best, float(self._order.index(n)), self._probabilities[n] / total, float(length)),
            *(float(candidate.score is None), confidence, float(agree), float(bool(rules))),
        ]

    def _says(self, n: int, candidate: Tried) -> list[float]:
        """What it leaves unsaid, and whether the rules explain every word by it or by one that finds the same."""
        alike = [each for m, each in enumerate(self._all) if m == n or self._are_alike(m, n)]
        return [
            *(float(candidate.unsaid), float(candidate.unsaid - self._least), float(candidate.explains)),
            float(any(each.explains for each in alike)),
            float(any(each.is_known for each in alike)),
            *map(float, (candidate.asks_else, candidate.tells_else, candidate.figure_else, candidate.deed_else)),
            *(-1.0 if self._left is None else float(self._left), float(self._left is not None)),
        ]

    def _are_alike(self, one: int, other: int) -> bool:
        return self._marks[one] is not None and self._marks[one] == self._marks[other]

    def _words(self, candidate: Tried, facts: Facts) -> list[float]:
        links, memory = self._links, self._memory
        columns, tables, values = links.used(facts)
        claims = links.claims(columns, tables, values)
        content = links.content
        linked = content & links.linked
        names = np.array(sorted(columns), int) if columns else np.zeros(0, int)
        strengths = [links.strength(each) for each in columns]
        used = memory.used
        items = {*(links.first_column + c for c in columns), *(links.first_table + t for t in tables)}
        items |= {links.first_value + v for v in values}
        fit = self._fits(facts, values)
        placed = (links.column_at(each) for each in _shown(candidate.query))
        shown = [each for each in placed if each is not None]
        left = [v for v in range(len(self._graph.values)) if v not in values]
        return [
            *(float(content.sum()), float((content & (claims == 0)).sum()), float((linked & (claims == 0)).sum())),
            float((claims > 1).sum()),
            float(sum(each == 0 for each in strengths)),
            float(sum(0 < each < 3 for each in strengths)),
            float(sum(links.table_strength(each) == 0 for each in tables)),
            *(float(sum(self._counts(v, kind, values) for v in left)) for kind in ("number", "stored", "text")),
            float(len(values)),
            *(min(fit, default=0.0), sum(fit), links.inversions(shown), float(len(self._graph.tokens))),
            *_likelihood(used, items, links),
            *(float(candidate.tables), float(len(columns)), links.gap(facts, values)),
            float(sum(links.strength(each) >= 4 for each in shown)),
            min((float(used[links.first_column + each]) for each in shown), default=1.0),
            *(float(len(names)), float(len(self._graph.values))),
        ]

    def _counts(self, value: int, kind: str, used: set[int]) -> bool:
        """A value left over, unless its words are those of one that is used."""
        literal = self._graph.values[value]
        covered = any(
            self._graph.values[each].start <= literal.start and literal.end <= self._graph.values[each].end
            for each in used
        )
        return literal.kind == kind and not covered

    def _fits(self, facts: Facts, values: set[int]) -> list[float]:
        """Whether the words around each value speak for its comparison."""
        found = []
        for _, operator, right in facts.compared:
            place = self._links.place_of(right, values)
            if place is not None and isinstance(right, int | float):
                found.append(fits(self._graph.tokens, place, operator))
        return found

    def _rows(self, n: int, candidate: Tried) -> list[float]:
        rows, counted = candidate.rows, self._counted[n]
        same = [m for m, mark_ in enumerate(self._marks) if mark_ is not None and mark_ == self._marks[n]]
        total = sum(self._probabilities) or 1.0
        share = sum(self._probabilities[m] for m in same) / total
        best = float(bool(same) and self._order[0] in same)
        if rows is None or counted is None:
            return [0.0, math.nan, math.nan, math.nan, math.nan, math.nan, math.nan, 0.0, 0.0, 0.0, math.nan]
        cells = [cell for row in rows for cell in row]
        nulls = sum(cell is None for cell in cells) / max(len(cells), 1)
        zero = len(cells) == 1 and cells[0] in (0, None)
        repeats = 1 - len(counted) / len(rows) if rows else 0.0
        constant = len(rows) > 2 and any(_is_constant([row[c] for row in rows]) for c in range(len(rows[0])))
        return [
            *(1.0, math.log1p(len(rows)), float(len(rows[0]) if rows else 0), nulls, float(zero), repeats),
            *(float(len(rows) == 1), float(len(same)), share, best, float(constant)),
        ]


def _operators(facts: Facts) -> list[float]:
    counted = Counter(operator for _, operator, _ in facts.compared)
    return [float(counted[each]) for each in _OPERATORS]


def _shown(query: Query) -> list[Col]:
    """The columns that the query shows, also within an aggregate."""
    inner = [each.of if isinstance(each, Agg) else each for each in query.select]
    return [each for each in inner if isinstance(each, Col)]


def _likelihood(used: Floats, items: set[int], links: _Links) -> list[float]:
    """How well the used and unused items go with what the network expects to be used."""
    chosen = np.zeros(len(used) - links.first_column, bool)
    chosen[[each - links.first_column for each in items]] = True
    p = np.clip(used[links.first_column :], 1e-4, 1 - 1e-4)
    c, t = links.first_table - links.first_column, links.first_value - links.first_column
    rest = np.where(chosen, 0.0, p)
    return [
        float(np.log(p[chosen]).sum()),
        float(np.log(1 - p[~chosen]).sum()),
        float(p[chosen].min()) if chosen.any() else 0.0,
        *(float(part.max()) if len(part) else 0.0 for part in (rest[:c], rest[t:], rest[c:t])),
    ]


def _is_constant(cells: Sequence[Any]) -> bool:
    """Whether all cells of a column look the same."""
    first = repr(cells[0])
    return all(repr(each) == first for each in cells)


def mark(rows: Sequence[tuple[Any, ...]] | None) -> int | None:
    """A number that equal results share, in whatever order of rows; None where nothing was run."""
    return _mark(_counted(rows))


def _counted(rows: Sequence[tuple[Any, ...]] | None) -> Counter[str] | None:
    """How often each row is there."""
    return None if rows is None else Counter(map(repr, rows))


def _mark(counted: Counter[str] | None) -> int | None:
    return None if counted is None else hash(frozenset(counted.items()))


class _Links:
    """Which words of a graph name which of its items."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        words, columns, tables, _ = graph.sizes
        self.first_column, self.first_table = words, words + columns
        self.first_value = words + columns + tables
        self._columns = _kinds(graph.relations[:words, words : words + columns], 8)
        self._tables = _kinds(graph.relations[:words, words + columns : words + columns + tables], 14)
        self._at = {graph.column(n): n for n in range(columns)}
        self._table_at = {table.key: n for n, table in enumerate(graph.tables)}
        self.content = np.array([token.lower not in STOP for token in graph.tokens], bool)
        strong = np.isin(self._columns, (1, 2)).any(1) if columns else np.zeros(words, bool)
        strong |= np.isin(self._tables, (1, 2)).any(1) if tables else np.zeros(words, bool)
        self.linked = strong

    def column_at(self, column: Col) -> int | None:
        return self._at.get(column)

    def used(self, facts: Facts) -> tuple[set[int], set[int], set[int]]:
        columns = {self._at[each] for each in facts.columns if each in self._at}
        tables = {self._table_at[each.table] for each in facts.counted if each.table in self._table_at}
        values = set()
        for left, _, right in facts.compared:
            place = self._value_at(left, right)
            if place is not None:
                values.add(place)
        return columns, tables, values

    def _value_at(self, left: Any, right: Any) -> int | None:
        """The value node of a comparison's right side."""
        wanted = _plain(right)
        if wanted is None:
            return None
        for n, each in enumerate(self._graph.values):
            spelt = each.stored.get(left) if isinstance(left, Col) else None
            if _plain(spelt if spelt is not None else each.value) == wanted:
                return n
        return None

    def place_of(self, right: Any, values: set[int]) -> int | None:
        for n in sorted(values):
            literal = self._graph.values[n]
            if literal.end > literal.start and _plain(literal.value) == _plain(right):
                return literal.start
        return None

    def claims(self, columns: set[int], tables: set[int], values: set[int]) -> NDArray[np.int64]:
        """How many of the used items each word speaks for; a column also for its table."""
        claimed = np.zeros(len(self._graph.tokens), np.int64)
        for each in columns:
            claimed += self._columns[:, each] > 0
        owners = {self._table_at[self._graph.columns[each][0].key] for each in columns}
        for each in tables | owners:
            claimed += self._tables[:, each] > 0
        for each in values:
            literal = self._graph.values[each]
            claimed[literal.start : literal.end] += 1
        return claimed

    def strength(self, column: int) -> int:
        """5 where the whole name is in the question, down to 0 where no word speaks for the column."""
        kinds = self._columns[:, column]
        kinds = kinds[kinds > 0]
        return 6 - int(kinds.min()) if len(kinds) else 0

    def table_strength(self, table: int) -> int:
        kinds = self._tables[:, table]
        kinds = kinds[kinds > 0]
        return 6 - int(kinds.min()) if len(kinds) else 0

    def inversions(self, shown: Sequence[int]) -> float:
        """How often columns are shown in another order than they are named."""
        first = [np.flatnonzero(self._columns[:, each]) for each in shown]
        places = [int(each[0]) for each in first if len(each)]
        return float(sum(a > b for n, a in enumerate(places) for b in places[n + 1 :]))

    def gap(self, facts: Facts, values: set[int]) -> float:
        """The words between each value and the name of its column, on average."""
        gaps = []
        for left, _, right in facts.compared:
            place = self.place_of(right, values)
            column = self._at.get(left) if isinstance(left, Col) else None
            named = np.flatnonzero(self._columns[:, column]) if column is not None else np.zeros(0)
            if place is not None and len(named):
                gaps.append(float(np.abs(named - place).min()))
        return sum(gaps) / len(gaps) if gaps else -1.0


def _kinds(block: NDArray[np.int8], first: int) -> NDArray[np.int64]:
    return np.where(block > 0, block.astype(np.int64) - first, 0)


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, Query | Agg | Col):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return str(value).strip("%").casefold()

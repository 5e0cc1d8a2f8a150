"""Chooses and orders the columns of an answer by the phrases its question lists (spec.py)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    Expr,
    Query,
    Related,
    Rows,
    TableKey,
)
from pluto_duck_text2sql.words import MONEY, Token, tokenise

if TYPE_CHECKING:
    from pluto_duck_text2sql.reader import Reader


_MEASURE_WORDS = frozenset(
    """amount total value average mean revenue sales sum much share percentage growth spend spent sold median freight
    highest lowest largest smallest units quantity price rate""".split()
)


class Columns:
    """Chooses the columns of an answer by the phrases a question lists."""

    def __init__(self, reader: Reader, query: Query) -> None:
        self._reader = reader
        self._query = query
        keys = [each.table for each in (*query.group, *query.select) if isinstance(each, Col)]
        self._near = list(dict.fromkeys([*keys, query.anchor]))
        self.missed: list[str] = []

    def choose(self, phrases: list[str]) -> Query:
        """The query with the phrases' columns, in their order; unchanged where none is understood."""
        chosen = []
        for phrase in phrases:
            found = self.expression(phrase)
            if found is None:
                self.missed.append(phrase)
            elif found not in chosen:
                chosen.append(found)
        if not chosen:
            return self._query
        query = self._query
        group = query.group
        if group or any(isinstance(each, Agg) for each in chosen):
            keys = [each for each in chosen if isinstance(each, Col | Bucket) and each not in group]
            listed = [each for each in query.select if isinstance(each, Col)] if not group else []
            group = (*group, *(self._keys(listed) if not group else ()), *keys)
        return replace(query, select=tuple(chosen), group=tuple(dict.fromkeys(group)))

    def _keys(self, listed: list[Col]) -> list[Col]:
        table = self._reader.catalog.table(*self._query.anchor)
        keys = [Col(table.key, name) for name in self._reader.resolver.key(table)] if table else []
        return keys if any(each.table == self._query.anchor for each in listed) else []

    def expression(self, phrase: str) -> Expr | None:
        """The column or measure that a phrase names; None where it names none."""
        tokens = tokenise(phrase)
        words = {token.lower for token in tokens}
        defined = [each.term.measure for each in self._reader.terms.find(tokens) if each.term.measure]
        if defined:
            return defined[0]
        measures = self._measures()
        grain = next((each for each in self._query.select if isinstance(each, Bucket) and each.grain in words), None)
        if grain:
            return grain
        counted = words & {"number", "count", "many", "counts"}
        if counted:
            return next((m for m in measures if isinstance(m, Agg) and m.function == "count"), None) or self._counted(
                tokens
            )
        column = self._column(tokens)
        if column and column[0] >= 0.9 and not (measures and words & _MEASURE_WORDS and len(tokens) == 1):
            return column[1]
        if words & _MEASURE_WORDS or {token.stem for token in tokens} & MONEY:
            return next(iter(measures), column[1] if column else None)
        return column[1] if column else None

    def _measures(self) -> list[Expr]:
        query = self._query
        having = [each.left for each in query.having if isinstance(each, Compare)]
        parts = [*query.select, *(order.by for order in query.order), *having]
        related = [Agg("count", Rows(each.table)) for each in query.where if isinstance(each, Related) and each.count]
        return [*(each for each in parts if not isinstance(each, Col | Bucket | Rows)), *related]

    def _counted(self, tokens: list[Token]) -> Expr | None:
        for token in tokens:
            tables = [
                each for each in self._reader.names.find((token.stem,)) if each.column is None and each.score > 0.7
            ]
            if tables:
                return Agg("count", Rows(tables[0].table.key))
        return None

    def _column(self, tokens: list[Token]) -> tuple[float, Col] | None:
        """The best column for the longest part of the phrase, in the tables the answer is about."""
        stems = tuple(token.stem for token in tokens if token.lower not in ("of", "the", "a", "each"))
        owned = self._owned(stems) or self._label_of(stems)
        if owned:
            return owned
        for length in range(len(stems), 0, -1):
            for start in range(len(stems) - length, -1, -1):
                found = self._in_tables(stems[start : start + length])
                if found:
                    return found
        tables = [t for stem_ in stems for t in self._reader.names.find((stem_,)) if t.column is None and t.score > 0.7]
        label = self._reader.resolver.label(tables[0].table) if tables else []
        return (0.9, label[0]) if len(label) == 1 else None

    def _label_of(self, stems: tuple[str, ...]) -> tuple[float, Col] | None:
        """`region` is what a row of a table called so is known by, where the answer is about that table."""
        for target in self._reader.names.find(stems):
            if target.column is None and target.score >= 0.95 and target.table.key in self._near:
                label = self._reader.resolver.label(target.table)
                return (0.95, label[0]) if len(label) == 1 else None
        return None

    def _owned(self, stems: tuple[str, ...]) -> tuple[float, Col] | None:
        """`media type name`: a table's name, then one of its columns."""
        for place in range(1, len(stems)):
            tables = {t.table.key for t in self._reader.names.find(stems[:place]) if t.column is None and t.score > 0.9}
            for target in self._reader.names.find(stems[place:]):
                if target.column and target.score >= 0.9 and target.table.key in tables:
                    return target.score, Col(target.table.key, target.column.name)
        return None

    def _in_tables(self, stems: tuple[str, ...]) -> tuple[float, Col] | None:
        targets = [each for each in self._reader.names.find(stems) if each.column and each.score >= 0.6]
        named = self._reader.resolver.best(targets, self._near, None)
        near = [(score, each) for score, each in named if self._distance(each.table.key) < 3.5]
        if not near or not near[0][1].column:
            return None
        best = near[0][1]
        assert best.column is not None
        return best.score, Col(best.table.key, best.column.name)

    def _distance(self, key: TableKey) -> float:
        return min(self._reader.joins.distance(each, key) for each in self._near)

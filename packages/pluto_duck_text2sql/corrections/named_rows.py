"""Rows and not what is called as they are: `tickets per customer` are no messages whose author is a customer, `flights
per airport` no different numbers of flights.

Called by `corrections` for every tree. A word that is a table's name means its rows, where neither the table nor the
column that holds the same word as a value is named, and where no number of theirs is asked for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.identifiers import is_called_as_its_rows
from pluto_duck_text2sql.language.words import STOP, Token, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Agg, Col, Compare, Cond, Query, Rows, mapped

_NUMBERS = frozenset(map(stem, "numbers codes different distinct unique".split()))


def of_named_rows(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree without conditions on values that are the names of other tables, and said once as such."""
    tokens = tokenise(question)
    called = {table_stems(each.name): each.key for each in catalog.tables}

    def is_name(condition: Cond) -> bool:
        value = condition.right if isinstance(condition, Compare) and condition.operator == "=" else None
        left = condition.left if isinstance(condition, Compare) else None
        if not isinstance(value, str) or not isinstance(left, Col):
            return False
        stems = tuple(map(stem, value.lower().split()))
        home = called.get(stems)
        return home is not None and home != left.table and not _is_named(left, stems, tokens, catalog)

    def kept(node: Any) -> Any:
        if not isinstance(node, Query):
            return node
        where = tuple(each for each in node.where if not is_name(each))
        return node if where == node.where else replace(node, where=where)

    return mapped(query, kept, (Query,))


def counting_rows(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with rows counted in place of the numbers that are called as they are: `flight` in `nyc_flights`; and in
    place of different amounts, of which nobody asks how many there are."""
    if not _NUMBERS.isdisjoint(token.stem for token in tokenise(question)):
        return query

    def counted(node: Any) -> Any:
        if not isinstance(node, Agg) or node.function != "count" or not isinstance(node.of, Col):
            return node
        is_of_rows = _is_row(node.of, catalog) or (node.distinct and _is_amount(node.of, catalog))
        return replace(node, of=Rows(node.of.table), distinct=False) if is_of_rows else node

    return mapped(query, counted, (Agg,))


def _is_amount(of: Col, catalog: Catalog) -> bool:
    """Whether a column holds numbers with decimals."""
    column = catalog.column(*of.table, of.name)
    return column is not None and column.type.upper().startswith(("DECIMAL", "DOUBLE", "FLOAT", "REAL", "NUMERIC"))


def _is_row(of: Col, catalog: Catalog) -> bool:
    table, column = catalog.table(*of.table), catalog.column(*of.table, of.name)
    return table is not None and column is not None and is_called_as_its_rows(table, column)


def _is_named(column: Col, value: tuple[str, ...], tokens: list[Token], catalog: Catalog) -> bool:
    """Whether the question says the column, its table, or the value twice."""
    said = [token.stem for token in tokens]
    table = catalog.table(*column.table)
    own = {*table_stems(column.table[1])[-1:], *(table.stems(column.name) if table else ())} - {*value, *STOP}
    return not own.isdisjoint(said) or said.count(value[-1]) > 1

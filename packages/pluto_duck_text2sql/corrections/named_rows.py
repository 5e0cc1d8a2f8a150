"""Rows and not a value that is called as they are: `tickets per customer` are no messages whose author is a customer.

Called by `corrections` for every tree. A word that is a table's name means its rows, where neither the table nor the
column that holds the same word as a value is named.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.words import STOP, Token, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Col, Compare, Cond, Query, mapped


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

    return mapped(query, kept)


def _is_named(column: Col, value: tuple[str, ...], tokens: list[Token], catalog: Catalog) -> bool:
    """Whether the question says the column, its table, or the value twice."""
    said = [token.stem for token in tokens]
    table = catalog.table(*column.table)
    own = {*table_stems(column.table[1])[-1:], *(table.stems(column.name) if table else ())} - {*value, *STOP}
    return not own.isdisjoint(said) or said.count(value[-1]) > 1

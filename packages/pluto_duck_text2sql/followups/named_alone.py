"""Rows told by their names alone: `which one is the longest?` of boats and their lengths asks for a boat."""

from __future__ import annotations

from dataclasses import replace

from pluto_duck_text2sql.followups.asking import asks_names
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import Expr, Query
from pluto_duck_text2sql.trees.parts import is_aggregate, keys


def named_alone(query: Query, text: str, reader: Reader) -> Query:
    """The query with nothing beside the names of its groups or rows, where a question asks which or who they are."""
    names = _names(query, reader) if asks_names(text) else []
    return replace(query, select=tuple(names)) if names else query


def _names(query: Query, reader: Reader) -> list[Expr]:
    """What tells the groups apart; of rows that are listed, those of their names that are shown."""
    if query.group:
        return list(keys(query))
    table = reader.catalog.table(*query.anchor)
    label = list[Expr](reader.resolver.label(table)) if table and not is_aggregate(query) else []
    return label if set(label) < set(query.select) else []

"""The rows that an answer speaks of, for which a word of the next question can stand, and what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pluto_duck_text2sql.followups.draft import Turn
from pluto_duck_text2sql.followups.trees import restrictions, row_key, shown_rows
from pluto_duck_text2sql.language.words import table_words
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import Col, Compare, Cond, Query, TableKey, all_nodes_in, columns_in
from pluto_duck_text2sql.trees.parts import is_aggregate, subject

_OF_NAME = 0.6
"""How well a word must name a table to be what its rows are called."""


def named_row(earlier: Query, reader: Reader) -> tuple[TableKey, str] | None:
    """The one row that a figure is of, by its name: `sales at Harbourside`."""
    if earlier.group or not is_aggregate(earlier):
        return None
    told = [each for each in earlier.where if isinstance(each, Compare) and each.operator == "="]
    named = [(each.left, each.right) for each in told if isinstance(each.left, Col) and isinstance(each.right, str)]
    labels = [(left.table, name) for left, name in named if _is_label(left, reader)]
    return labels[0] if len(labels) == 1 else None


def _is_label(column: Col, reader: Reader) -> bool:
    table = reader.catalog.table(*column.table)
    return table is not None and reader.resolver.label(table) == [column]


def tells_of_one(earlier: Query, shown: Sequence[tuple[Any, ...]], reader: Reader) -> bool:
    """Whether an answer is of a single row, which `she` can stand for: the only one shown, or one that is named."""
    named = [each.left for each in all_nodes_in(earlier) if isinstance(each, Compare) and each.operator == "="]
    tables = [(each, reader.catalog.table(*each.table)) for each in named if isinstance(each, Col)]
    if any(table and each in reader.resolver.label(table) for each, table in tables):
        return True
    return len(shown) == 1 and (bool(earlier.group) or not is_aggregate(earlier))


def rows_meant(earlier: Query, reader: Reader) -> TableKey:
    """The table whose rows the last answer speaks of: those that it groups by, lists or counts."""
    if not is_aggregate(earlier):
        return earlier.anchor
    key = row_key(earlier, reader) if earlier.group else None
    table = reader.catalog.table(*key.table) if key else None
    if key and table and (reader.resolver.is_key(table, key.name) or key in reader.resolver.label(table)):
        return key.table
    return subject(earlier)


def are_rows(turn: Turn, query: Query) -> bool:
    """Whether what is shown are rows of a table, or groups that a bound tells apart; of others what they count is
    meant: `animals of each species` and `how many of those are chipped?`"""
    if query.limit is not None or not query.group:
        return query.limit is not None
    of = rows_meant(query, turn.reader)
    told = {t.table.key for item in turn.fragment.mentions for t in item.targets if t.score >= _OF_NAME}
    told |= {(hit.schema, hit.table) for item in turn.fragment.mentions for hit in item.hits if hit.score >= 1.0}
    of_counted = subject(query) in told and of not in told
    return bool(turn.fragment.slots.compares) or (of != subject(query) and not of_counted)


def among_shown(earlier: Query, of: TableKey, reader: Reader) -> tuple[Cond, ...]:
    """That a row is one of those: by their own conditions, else among the rows that were found."""
    conditions = restrictions(earlier, of, reader)
    grouped = bool(earlier.group) and of != subject(earlier)
    own = all(column.table == of for each in conditions for column in columns_in(each))
    inside = None if own and not grouped else shown_rows(earlier, reader)
    table = reader.catalog.table(*of)
    is_row = inside is not None and table is not None and reader.resolver.is_key(table, inside.left.name)
    return (inside,) if inside and is_row and inside.left.table == of else conditions


def is_called(noun: str, of: TableKey, reader: Reader) -> bool:
    """Whether a noun, its first word or its last one, names the rows of a table, or what they are called by."""
    return any(
        t.table.key == of and t.score >= _OF_NAME and (t.column is None or _is_label(Col(of, t.column.name), reader))
        for item in reader.named(noun)
        for t in item.targets
    )


def noun_for(of: TableKey, asked: Sequence[str], reader: Reader) -> str:
    """What the rows of a table were called in the last question that named them, else what the table is called."""
    for question in reversed(asked):
        for item in reader.named(question):
            if any(t.table.key == of and t.column is None and t.score >= _OF_NAME for t in item.targets):
                return item.text
    return " ".join(table_words(of[1]))


def name_shown(earlier: Query, of: TableKey, reader: Reader, shown: Sequence[tuple[Any, ...]]) -> str:
    """What the only row shown is called; nothing where there are others, or its name is not shown."""
    table = reader.catalog.table(*of)
    if len(shown) != 1 or table is None:
        return ""
    places = [earlier.select.index(each) for each in reader.resolver.label(table) if each in earlier.select]
    values = [shown[0][place] for place in places if place < len(shown[0])]
    return " ".join(values) if values and all(isinstance(each, str) for each in values) else ""


def among_namesakes(earlier: Query, of: TableKey, reader: Reader) -> tuple[Cond, ...]:
    """That a row is the very one shown, where rows of its table share what they are called by."""
    table = reader.catalog.table(*of)
    label = reader.resolver.label(table) if table else []
    column = table.column(label[0].name) if table and len(label) == 1 else None
    inside = shown_rows(earlier, reader)
    is_shared = column and table and column.n_distinct and table.row_count and column.n_distinct < table.row_count
    return (inside,) if is_shared and inside and inside.left.table == of else ()

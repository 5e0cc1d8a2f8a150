"""A text that is said once is looked for in one column: of tests that Mia reviewed hers as the reviewer, not both.

Called by `corrections` for every tree. Where two columns of the same rows hold a text and the question names one of
them, a tree that looks for it in both would find only the rows where both are the same.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.told_apart import roots_said
from pluto_duck_text2sql.language.words import root
from pluto_duck_text2sql.tree import Col, Compare, Cond, Query


def of_one_column(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree without what looks for a text in a column that no word names, beside one that is named."""
    if len(query.where) < 2:
        return query
    said = roots_said(question)
    kept = tuple(each for each in query.where if not _is_said_of_another(each, query.where, question, said, catalog))
    return query if kept == query.where else replace(query, where=kept)


def _is_said_of_another(
    condition: Cond, beside: Collection[Cond], question: str, said: Collection[str], catalog: Catalog
) -> bool:
    """Whether a text that is said once is looked for in a column that is not named, and in one that is."""
    column, text = _looked_for(condition)
    if column is None or question.casefold().count(text.casefold()) != 1 or _is_named(column, said, catalog):
        return False
    others = (other for other, same in map(_looked_for, beside) if other and other != column and same == text)
    return any(each.table == column.table and _is_named(each, said, catalog) for each in others)


def _looked_for(condition: Cond) -> tuple[Col | None, str]:
    """The column in which a text is looked for, and the text."""
    if isinstance(condition, Compare) and condition.operator == "=" and isinstance(condition.right, str):
        return (condition.left, condition.right) if isinstance(condition.left, Col) else (None, "")
    return None, ""


def _is_named(column: Col, said: Collection[str], catalog: Catalog) -> bool:
    table = catalog.table(*column.table)
    return table is not None and not {*map(root, table.stems(column.name))}.isdisjoint(said)

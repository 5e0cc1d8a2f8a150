"""What is one of several in a cell: `titles from India` are those whose countries hold India, alone or beside others;
`tagged with both sql and index` are those that list the two.

Called by `corrections` for every tree, and by `dialogue`. Which columns hold lists the catalog tells.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.data.listing import items_of
from pluto_duck_text2sql.tree import Among, Col, Compare, Cond, Either, Every, Holding, Item, Query, mapped

_BOTH = re.compile(r"\b(?:both|as well as|and also|at the same time|together with|all of)\b", re.IGNORECASE)


def among_items(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with items held by lists in place of lists of one item."""
    is_both = bool(_BOTH.search(question))

    def held(node: Any) -> Any:
        if isinstance(node, Compare) and node.operator in ("=", "!="):
            return _held(node, catalog) or node
        if isinstance(node, Among):
            parts = [_held(Compare(node.left, "!=" if node.negated else "=", each), catalog) for each in node.values]
            found = tuple(each for each in parts if each)
            whole: type[Every | Either] = Every if node.negated or is_both else Either
            return whole(found) if len(found) == len(parts) else node
        is_split = is_both and isinstance(node, Either) and _are_of_one_list(node.any_of)
        return Every(node.any_of) if is_split else node

    return mapped(query, held, (Compare, Among, Either))


def _held(told: Compare, catalog: Catalog) -> Compare | None:
    """The condition with the item that a text is in lists; None where it is of none."""
    if isinstance(told.right, Item):
        return told
    column = catalog.column(*told.left.table, told.left.name) if isinstance(told.left, Col) else None
    if column is None or not _is_item(column, told.right):
        return None
    return replace(told, right=Item(items_of(told.right, column.listed_by)[0].casefold()))


def _is_item(column: Column, right: Any) -> bool:
    """Whether a text is one item of a column's lists, alone in its own or as it stands in others."""
    is_text = isinstance(right, str) and not isinstance(right, Holding) and bool(column.listed_by)
    return is_text and len(items_of(right, column.listed_by)) == 1


def _are_of_one_list(parts: tuple[Cond, ...]) -> bool:
    lists = {each.left if isinstance(each, Compare) and isinstance(each.right, Item) else None for each in parts}
    return len(lists) == 1 and None not in lists

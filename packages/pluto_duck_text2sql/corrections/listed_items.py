"""What is one of several in a cell: `titles from India` are those whose countries hold India, alone or beside others;
`tagged with both sql and index` are those that list the two.

Called by `corrections` for every tree, and by `dialogue`. Which columns hold lists the catalog tells.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.data.listing import items_of
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Among, Col, Compare, Cond, Either, Every, Holding, Item, Query, mapped

_ALL_OF = Pattern(r"\b(?:both|all of|all three)\b[^.;:?!]{0,24}$")
_WITH = Pattern(r"\b(?:as well as|and also|together with)\b")
_OR = Pattern(r"\bor\b")
_ENDING = 2
"""So many last letters may differ: `comedies` of the item Comedy."""


def among_items(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with items held by lists in place of lists of one item."""

    def held(node: Any) -> Any:
        if isinstance(node, Compare) and node.operator in ("=", "!="):
            return _held(node, catalog) or node
        if isinstance(node, Among):
            parts = [_held(Compare(node.left, "!=" if node.negated else "=", each), catalog) for each in node.values]
            found = tuple(each for each in parts if each)
            if not found or len(found) != len(parts):
                return node
            return Every(found) if node.negated or _are_all_meant(found, question) else Either(found)
        is_split = isinstance(node, Either) and _are_of_one_list(node.any_of) and _are_all_meant(node.any_of, question)
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


def _are_all_meant(parts: tuple[Cond, ...], question: str) -> bool:
    """Whether items are said together: `both sql and index`, `sql as well as index`, but not `sql or index`."""
    text = question.casefold()
    items = [str(each.right) for each in parts if isinstance(each, Compare)]
    places = sorted(text.find(each[: max(len(each) - _ENDING, _ENDING + 1)]) for each in items)
    if len(places) < 2 or places[0] < 0:
        return False
    between = text[places[0] : places[-1]]
    return not _OR.search(between) and bool(_WITH.search(between) or _ALL_OF.search(text[: places[0]]))

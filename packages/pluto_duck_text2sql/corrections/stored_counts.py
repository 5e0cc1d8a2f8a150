"""Numbers that a table keeps as counted: `degrees` of a year are its `degrees.degrees`, not its rows.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.identifiers import is_called_as_its_rows
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import table_stems, tokenise
from pluto_duck_text2sql.tree import Agg, Col, Compare, Query, Rows, mapped, nodes_in
from pluto_duck_text2sql.trees.years import is_from_a_year_on

_ROWS = Pattern(r"\b(?:rows?|records?|entries|lines)\b", re.IGNORECASE)


def added_up(query: Query, question: str, catalog: Catalog) -> Query:
    """What a table counts already is added up: `degrees` of a year are its `degrees.degrees`, not its rows."""
    compared = {each.left for each in nodes_in(query) if isinstance(each, Compare)}
    said = {token.stem for token in tokenise(question)}
    added_up = partial(_stored_count, catalog=catalog, compared=compared, said=said)
    return query if _ROWS.search(question) else mapped(query, added_up, (Agg,))


def _stored_count(node: Any, catalog: Catalog, compared: Collection[Any], said: Collection[str]) -> Any:
    """An amount that is `compared`, as where `grades below 5` are counted, is no count, nor is one that no word says:
    `how many clubs`, the rows of `club_rank`, adds up no ranks; years of a `season` are counted by none, nor is what
    a key of others leads to: the `host_city` of `hosting_city`."""
    if not isinstance(node, Agg) or node.function != "count" or node.distinct or not isinstance(node.of, Rows):
        return node
    table = catalog.table(*node.of.table)
    own = table_stems(table.name) if table else ()
    pointers = {name for key in table.foreign_keys for name in key.columns} if table else set()
    for column in table.columns if table else ():
        of = Col(node.of.table, column.name)
        is_count = column.kind == "number" and table is not None and not is_called_as_its_rows(table, column)
        is_count = is_count and not is_from_a_year_on(column) and own[-1] in said and column.name not in pointers
        if table and is_count and table.stems(column.name) in (own, own[-1:]) and of not in compared:
            return replace(node, function="sum", of=of)
    return node

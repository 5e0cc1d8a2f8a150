"""Gross or net, as the question says: `how much is overdue, gross` adds up `gross_amount`, not the net one beside it.

Called by `corrections` for every tree. Where rows keep an amount in both ways, the one that is said is meant.
"""

from __future__ import annotations

import re
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Col, Query, mapped

_SAID = Pattern(
    r"\b(?P<way>gross|net)\b(?! (?:margins?|profits?|loss|losses|gains?|income|weights?|promoters?|worth|change|of)\b)",
    re.IGNORECASE,
)
_OTHER = {stem("gross"): stem("net"), stem("net"): stem("gross")}


def in_said_way(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree by the amounts of the way that is said; as it is where both are, or the rows keep only one."""
    ways = {stem(each["way"].lower()) for each in _SAID.finditer(question)}
    if len(ways) != 1:
        return query
    way = ways.pop()

    def changed(node: Any) -> Any:
        table = catalog.table(*node.table) if isinstance(node, Col) else None
        return _beside(table, node, way) if table else node

    made: Query = mapped(query, changed, (Col,))
    return made


def _beside(table: Table, column: Col, way: str) -> Col:
    """The column of the same name but for the way; the column itself where there is none."""
    own = table.stems(column.name)
    said = tuple(way if each == _OTHER[way] else each for each in own)
    found = [each.name for each in table.columns if table.stems(each.name) == said]
    return Col(column.table, found[0]) if said != own and len(found) == 1 else column

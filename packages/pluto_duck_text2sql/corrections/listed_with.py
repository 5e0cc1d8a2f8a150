"""Whose attributes are listed: `list all branches with city and opening date` shows each branch by its name first.

Called by `corrections` for every tree. What a condition fixes to one value is not shown in place of the name.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, stem, table_stems
from pluto_duck_text2sql.tree import Col, Compare, Expr, Query
from pluto_duck_text2sql.trees.parts import is_aggregate
from pluto_duck_text2sql.trees.resolve import Resolver

_LISTED = Pattern(
    rf"{LEAD}(?:list|show|give|display|get|print)(?: me| us)?(?: a list of| an overview of)?"
    r"(?: all| every| each)?(?: of)?(?: the| our)?"
    r" (?P<rows>[a-z][\w ,-]*?),? (?:(?:together |along )?with|including|showing) (?P<what>.+)$",
    re.IGNORECASE,
)
_WORD = Pattern(r"\w+")


def by_name_first(query: Query, question: str, catalog: Catalog, resolver: Resolver) -> Query:
    """The tree with what its rows are called by in front of what is listed of them."""
    said = _LISTED.match(question.strip())
    is_listing = not (is_aggregate(query) or query.group or query.distinct)
    table = catalog.table(*query.anchor) if said and is_listing else None
    label = resolver.label(table) if table else []
    if said is None or table is None or not label or set(label) & set(query.select):
        return query
    what = {stem(word.lower()) for word in _WORD.findall(said["what"])}
    rows = {stem(word.lower()) for word in _WORD.findall(said["rows"])}
    listed = [each for each in query.select if isinstance(each, Col) and what & _stems(each, catalog)]
    if not listed or rows.isdisjoint(table_stems(table.name)[-1:]):
        return query
    fixed = {each.left for each in query.where if isinstance(each, Compare) and each.operator == "="}
    kept: list[Expr] = [each for each in query.select if each not in fixed or each in listed]
    return replace(query, select=(*label, *kept))


def _stems(column: Col, catalog: Catalog) -> set[str]:
    table = catalog.table(*column.table)
    return set(table.stems(column.name)) if table else set()

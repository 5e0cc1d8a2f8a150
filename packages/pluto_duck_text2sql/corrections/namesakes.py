"""Two customers of one name are two: a list of what has a key of its own does not merge them.

Called by `corrections` for every tree. Only where rows of one table are listed by what they are called and no other is
joined, so that none comes twice; who asks for names, or different ones, gets each once.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Query, columns_in
from pluto_duck_text2sql.trees.resolve import Resolver

_EACH_ONCE = Pattern(r"\b(?:names?|titles?|distinct|different|unique|kinds?|types?)\b", re.IGNORECASE)


def with_namesakes(query: Query, question: str, resolver: Resolver, catalog: Catalog) -> Query:
    """The tree with a row for each that is listed, also for those of one name."""
    table = catalog.table(*query.anchor) if query.distinct else None
    if table is None or not table.primary_key or _EACH_ONCE.search(question):
        return query
    alone = {each.table for each in columns_in(query)} | set(query.also) == {query.anchor}
    listed = set(query.select) == set(resolver.label(table)) and not (query.group or query.then or query.per)
    return replace(query, distinct=False) if alone and listed else query

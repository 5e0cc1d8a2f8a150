"""A row for each thing that is named: `revenue per customer` is by customer, not by the country of each; the most of
something per row is told by a mean.

Called by `corrections` for every tree. What tells the groups apart is said by a word, or is what the things are called.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Agg, Col, Order, Query, is_total, mapped
from pluto_duck_text2sql.trees.resolve import Resolver

_EACH = Pattern(
    r"\b(?:per|for each|for every|by) (?P<what>[a-z]+)"
    r"(?=[?.! ]*$|[,;:]| (?:in|for|during|since|of|from|on|between|over) )",
    re.IGNORECASE,
)

_MOST_PER = Pattern(
    r"\b(?:most|least|highest|lowest|largest|smallest|greatest|biggest|fewest) [a-z]+(?: [a-z]+)?"
    r" per (?P<what>[a-z]+)\b",
    re.IGNORECASE,
)


def per_row(query: Query, question: str, catalog: Catalog, resolver: Resolver) -> Query:
    """The tree ranked by the mean of each row, not by what all come to: `which country pays the most freight per
    order`."""
    said = _MOST_PER.search(question)
    rank = query.order[0].by if said and query.order and query.limit is not None and query.group else None
    of = rank.of if isinstance(rank, Agg) and rank.function == "sum" else None
    table = catalog.table(*of.table) if isinstance(of, Col) else None
    if said is None or table is None or table_stems(table.name)[-1:] != (stem(said["what"].lower()),):
        return query
    own = {*resolver.label(table), *(Col(table.key, each) for each in resolver.key(table))}
    if not own.isdisjoint(query.group):
        return query

    def mean(node: Any) -> Any:
        return replace(rank, function="avg") if isinstance(rank, Agg) and node == rank else node

    made: Query = mapped(query, mean, (Agg,))
    return made


def per_thing(query: Query, question: str, catalog: Catalog, resolver: Resolver) -> Query:
    """The tree by the rows that are named, where its one group is a column of theirs of which nothing is said."""
    said = _EACH.search(question)
    group = query.group[0] if len(query.group) == 1 else None
    if said is None or not isinstance(group, Col) or query.having or query.per or query.limit or query.then:
        return query
    table = catalog.table(*group.table)
    if table is None or table_stems(table.name)[-1:] != (stem(said["what"].lower()),):
        return query
    label, keys = resolver.label(table), [Col(table.key, each) for each in resolver.key(table)]
    spoken = {token.stem for token in tokenise(question)}
    is_said = not spoken.isdisjoint(set(name_stems(group.name)) - set(table_stems(table.name)))
    shown = [each for each in query.select if not is_total(each)]
    if is_said or group in (*label, *keys) or shown != [group] or len(keys) != 1:
        return query
    select = (*label, *(each for each in query.select if is_total(each)))
    order = tuple(Order(each) for each in label) if query.order and query.order[0].by == group else query.order
    return replace(query, select=select, group=(*keys, *label), order=order)

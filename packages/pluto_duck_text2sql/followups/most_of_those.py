"""Who has the most of what was counted: `who has the most of those?` after accounts, and whose they are."""

from __future__ import annotations

import re

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD
from pluto_duck_text2sql.tree import Agg, Col, Order, Query, Rows, TableKey, columns_in
from pluto_duck_text2sql.trees.parts import is_aggregate, subject

_ASKS = Pattern(
    rf"{LEAD}(?:who|which (?:one|[a-z]+)) [a-z]+ (?:the )?(?P<way>most|fewest|least) of (?:them|those|these)$",
    re.IGNORECASE,
)


def most_of_those(turn: Turn) -> Draft | None:
    """Those shown, by how many each has of the rows counted before them, the first alone; None where nothing is so
    asked."""
    said, query = _ASKS.search(turn.frame.text), turn.earlier
    counted = _counted_before(turn) if said else None
    table = turn.reader.catalog.table(*query.anchor)
    if said is None or counted is None or table is None:
        return None
    label = tuple(turn.reader.resolver.label(table))
    key = tuple(Col(table.key, name) for name in turn.reader.resolver.key(table))
    order = (Order(Agg("count", Rows(counted)), said["way"].lower() == "most"),)
    group = tuple(dict.fromkeys((*key, *label)))
    made = Query(counted, label, query.where, group=group, order=order, limit=1, through=query.through)
    return Draft(query).changed(made, f"by how many → {counted[1]}", range(len(turn.fragment.tokens)))


def _counted_before(turn: Turn) -> TableKey | None:
    """The one other table that restricts the rows listed, where its rows were counted just before."""
    query = turn.earlier
    others = {each.table for each in columns_in(query.where)} - {query.anchor}
    if is_aggregate(query) or len(turn.trees) < 2 or len(others) != 1:
        return None
    (counted,) = others
    return counted if is_aggregate(turn.trees[-2]) and subject(turn.trees[-2]) == counted else None

"""`show me all drivers with that number` after the driver with the most: the figure that it was first by, of each."""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.referents import is_called, rows_meant
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD
from pluto_duck_text2sql.tree import Col, Expr, is_total
from pluto_duck_text2sql.trees.parts import keys

_ASKS = Pattern(
    rf"{LEAD}(?:(?:show|list|give|see)(?: me| us)? )?(?:all|every|each|the other)(?: of)?(?: the| our)?"
    r" (?P<noun>[a-z]+(?: [a-z]+)?)"
    r" with (?:that|this|their|its|the|the same)"
    r" (?:number|figure|count|total|amount|sum|average|value|measure)s?$",
    re.IGNORECASE,
)


def asks_of_all(text: str) -> bool:
    """Whether a question asks for all of those of whom the first were told, with their figure."""
    return bool(_ASKS.search(text))


def told_of_all(turn: Turn) -> Draft | None:
    """The figure of all those of which the first were shown; None where nothing is so asked."""
    said, query = _ASKS.search(turn.frame.text), turn.earlier
    of, reader = rows_meant(query, turn.reader), turn.reader
    table = reader.catalog.table(*of)
    figures = [each for each in query.select if is_total(each)] or [e.by for e in query.order[:1] if is_total(e.by)]
    if said is None or table is None or not query.group or not figures or query.limit is None:
        return None
    if not is_called(said["noun"], of, reader) or not any(_is_of(each, of) for each in query.group):
        return None
    shown = keys(query) or list[Expr](reader.resolver.label(table))
    group = tuple(dict.fromkeys((*query.group, *shown)))
    made = replace(query, select=(*shown, *figures), group=group, limit=None, nth=False)
    return Draft(query).changed(made, f"told of → all {said['noun']}", range(len(turn.fragment.tokens)))


def _is_of(group: Expr, of: tuple[str, str]) -> bool:
    return isinstance(group, Col) and group.table == of

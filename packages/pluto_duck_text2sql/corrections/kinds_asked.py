"""Kinds, each once: `which brands …`, `in which cities …`, `list our countries`, though many rows are of each.

What is asked of the rows is told of each of them: `what are the origins of all flights`.

Called by `corrections` for every tree, and by `gaps`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import Token, table_stems, tokenise
from pluto_duck_text2sql.tree import Col, Query

_KIND_ASKED = Pattern(r"^(?:in |from |at |on |of |for |to )?(?:which|what) (?P<words>(?:\w+ ){0,2}\w+)", re.IGNORECASE)
_KINDS_LISTED = Pattern(
    r"^(?:please )?(?:list|show|give|name)(?: me| us)?(?: all)?(?: (?:of )?(?:the|our))? (?P<words>[a-z]+(?: [a-z]+)?)"
    r"(?:,? (?:alphabetically|in alphabetical order|from a to z|(?:sorted|ordered) alphabetically))?\W*$",
    re.IGNORECASE,
)
_OF_ROWS = 3
"""So many words after `of` may come before the rows: `of all the delayed flights`."""


def each_once(query: Query, question: str, catalog: Catalog) -> Query:
    """`which brands …`, `in which cities …`: each kind once, though many rows are of it."""
    shown = kind_asked(query, question, catalog)
    if shown is None or query.limit or query.distinct or _is_of_rows(query, shown, tokenise(question)):
        return query
    table, column = catalog.table(*shown.table), catalog.column(*shown.table, shown.name)
    if table is None or column is None or not table.tells_kinds(column):
        return query
    return replace(query, distinct=True, order=tuple(each for each in query.order if each.by == shown))


def kind_asked(query: Query, question: str, catalog: Catalog) -> Col | None:
    """The only column shown, where `which` asks for it by its name, or nothing else is listed: `list our cities`."""
    asked = _KIND_ASKED.match(question.strip()) or _KINDS_LISTED.match(question.strip())
    shown = query.select[0] if len(query.select) == 1 else None
    if not asked or query.group or query.then or not isinstance(shown, Col):
        return None
    table = catalog.table(*shown.table)
    stems = {token.stem for token in tokenise(asked["words"])}
    return shown if table and set(table.stems(shown.name)) & stems else None


def _is_of_rows(query: Query, shown: Col, tokens: Sequence[Token]) -> bool:
    """Whether it is asked for as something of the rows: `what are the prices of wines …`."""
    rows = {stem for key in (query.anchor, shown.table) for stem in table_stems(key[1])}
    after = (tokens[place + 1 : place + 2 + _OF_ROWS] for place, token in enumerate(tokens) if token.lower == "of")
    return any(not rows.isdisjoint(token.stem for token in some) for some in after)

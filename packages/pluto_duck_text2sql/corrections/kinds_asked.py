"""Kinds, each once: `which brands …`, `in which cities …`, `list our countries`, though many rows are of each.

Called by `corrections` for every tree, and by `gaps`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.tree import Col, Query

_KIND_ASKED = Pattern(r"^(?:in |from |at |on |of |for |to )?(?:which|what) (?P<words>(?:\w+ ){0,2}\w+)", re.IGNORECASE)
_KINDS_LISTED = Pattern(
    r"^(?:please )?(?:list|show|give|name)(?: me| us)?(?: all)?(?: (?:of )?(?:the|our))? (?P<words>[a-z]+(?: [a-z]+)?)"
    r"(?:,? (?:alphabetically|in alphabetical order|from a to z|(?:sorted|ordered) alphabetically))?\W*$",
    re.IGNORECASE,
)


def each_once(query: Query, question: str, catalog: Catalog) -> Query:
    """`which brands …`, `in which cities …`: each kind once, though many rows are of it."""
    shown = kind_asked(query, question, catalog)
    if shown is None or query.limit or query.distinct:
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

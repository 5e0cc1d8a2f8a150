"""The number of groups where that is asked: `how many towns have more than three wells` is one number, no list.

Called by `corrections` for every tree that keeps some of its groups.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Agg, Col, Inside, Query

_ASKS = Pattern(
    r"^\W*(?:how many|(?:what is |find |count |show |give )?(?:the )?(?:total )?(?:number|count) of)"
    r" (?:different |distinct |unique )?(?P<what>[a-z]+(?: [a-z]+)?)\b"
    r"(?!.*\b(?:which|each|every|per|by|list|and|with their|respectively)\b)",
    re.IGNORECASE,
)


def number_of_groups(query: Query, question: str, catalog: Catalog) -> Query:
    """The number of the groups that a tree keeps, where what they are by is what the question counts."""
    said = _ASKS.match(question)
    key = query.group[0] if len(query.group) == 1 else None
    is_plain = bool(query.having) and query.limit is None and not (query.per or query.then)
    if said is None or not isinstance(key, Col) or not is_plain or not _is_called(key, said["what"], catalog):
        return query
    kept = Inside(key, replace(query, select=(key,), order=()))
    total = Agg("count", key, distinct=True)
    return replace(query, select=(total,), where=(kept,), group=(), having=(), order=(), also=(), through=())


def _is_called(key: Col, said: str, catalog: Catalog) -> bool:
    """Whether words begin with the name of a column, or with the last word of it."""
    table = catalog.table(*key.table)
    own = tuple(table.stems(key.name)) if table else ()
    stems = tuple(map(stem, said.lower().split()))
    return bool(own) and any(stems[: len(each)] == each for each in (own, own[-1:]))

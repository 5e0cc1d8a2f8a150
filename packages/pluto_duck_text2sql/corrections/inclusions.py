"""What counts as well: `number of clients, including dealers` counts all clients, not the dealers alone.

Called by `corrections` for every tree: a stored value of the rows themselves that is said to be included restricts
nothing, neither to it nor to others. What rows of another table must have is no such: `playlists including Latin hits`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, tokenise
from pluto_duck_text2sql.tree import Agg, Among, Col, Compare, Cond, Either, Query, Rows, TableKey

_INCLUDED = Pattern(
    r"\b(?:including|inclusive of|also counting|counting (?:in|also))(?: also| even)? (?:the |all |any |those |our )*"
    r"(?P<what>(?!only\b|just\b|at least\b)[\w' ,/-]+?)"
    r"(?=[?.;:()]|$| (?:by|per|in|for|from|since|during|of|on|over|at|with|grouped)\b)",
    re.IGNORECASE,
)


def with_included(query: Query, question: str) -> Query:
    """The tree without conditions that say only what is included."""
    said = _INCLUDED.search(question)
    if said is None:
        return query
    stems = {token.stem for token in tokenise(said["what"])}
    outside = _INCLUDED.sub(" ", question).lower()
    own = {
        query.anchor,
        *(each.of.table for each in query.select if isinstance(each, Agg) and isinstance(each.of, Rows)),
    }
    where = tuple(each for each in query.where if not _is_included(each, own, stems, outside))
    return query if where == query.where else replace(query, where=where)


def _is_included(condition: Cond, own: set[TableKey], stems: set[str], outside: str) -> bool:
    """Whether a condition tells a value of the rows themselves, or of those counted, that is said there alone."""
    if isinstance(condition, Either):
        return all(_is_included(each, own, stems, outside) for each in condition.any_of)
    values: tuple[object, ...] = ()
    if isinstance(condition, Compare) and condition.operator in ("=", "!=", "like"):
        values = (condition.right,)
    elif isinstance(condition, Among):
        values = condition.values
    left = getattr(condition, "left", None)
    if not values or not isinstance(left, Col) or left.table not in own:
        return False
    return all(isinstance(each, str) and _is_said(each, stems, outside) for each in values)


def _is_said(value: str, stems: set[str], outside: str) -> bool:
    words = value.strip("%").lower().split()
    return bool(words) and all(stem(word) in stems for word in words) and value.lower() not in outside

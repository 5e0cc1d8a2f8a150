"""What else there is: `what else does Audi supply?` leaves out what was shown of it before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.followups.referents import rows_meant
from pluto_duck_text2sql.followups.trees import shown_rows
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import Col, Inside, Query, TableKey
from pluto_duck_text2sql.trees.parts import is_aggregate

_ELSE = Pattern(
    r"\b(?:(?:what|who|whom|which (?:ones|[a-z]+)|where) else|(?:what|which) other(?= (?!than\b)[a-z]))\b",
    re.IGNORECASE,
)


def says_else(question: str) -> bool:
    """Whether a question asks for others than those shown."""
    return bool(_ELSE.search(question))


def without_else(question: str) -> str:
    """The question for all of them."""
    return _ELSE.sub(lambda said: said[0].rsplit(maxsplit=1)[0], question)


def but_shown(query: Query, trees: Sequence[Query], reader: Reader) -> Query | None:
    """A listing without the rows that the last answer of such rows showed; None where none did."""
    rows = _listed(query)
    shown = next((found for each in reversed(trees) if (found := _shown(each, rows, reader))), None) if rows else None
    return replace(query, where=(*query.where, shown)) if shown and shown not in query.where else None


def _listed(query: Query) -> TableKey | None:
    """The one table whose rows a listing shows."""
    tables = {each.table for each in query.select if isinstance(each, Col)}
    return next(iter(tables)) if len(tables) == 1 and not is_aggregate(query) else None


def _shown(query: Query, rows: TableKey, reader: Reader) -> Inside | None:
    """That a row is not among those that an answer shows, or leaves out itself as shown before it."""
    left_out = [each for each in query.where if isinstance(each, Inside) and each.negated and each.left.table == rows]
    if left_out:
        return left_out[-1]
    is_of_rows = rows_meant(query, reader) == rows if query.group else _listed(query) == rows
    inside = shown_rows(query, reader) if is_of_rows else None
    return replace(inside, negated=True) if inside and inside.left.table == rows else None

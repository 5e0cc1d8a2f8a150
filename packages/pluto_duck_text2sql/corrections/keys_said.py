"""How many keys a question groups by: `bookings by room and month` wants two, whoever wrote a tree with one.

Called by `gathered` for the readings in order. A key that a name can lie in (`pub` in PubEvent) leaves nothing unsaid
where it is not grouped by, so that only the list itself tells that it is missing.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Bucket, Col, Query

_NEXT = r"(?:,? (?:and|by|per)(?: by| per)?|,|/)(?: the| each)?"
_ENDS = r"(?=$|[?.!,;:]| (?:in|for|during|since|from|of|between|over|last|this|with|where|and show|sorted|ordered)\b)"
_LISTED = Pattern(
    rf"\b(?:by|per|for each|for every) (?:the )?(?P<one>[a-z]+){_NEXT}"
    rf" (?P<other>(?!how|what|show|then|also)[a-z]+){_ENDS}",
    re.IGNORECASE,
)


def says_two(question: str) -> bool:
    """Whether the question groups by two things that it lists."""
    found = _LISTED.search(question)
    return found is not None and found["one"].lower() != found["other"].lower()


def keys_of(query: Query, catalog: Catalog) -> int:
    """How many keys a tree groups by; a row's key and its name are one."""
    keys = [each for each in query.group if isinstance(each, Col)]
    named = {each.table for each in keys if not _is_key(each, catalog)}
    alone = {each.table for each in keys if _is_key(each, catalog)} - named
    others = sum(1 for each in keys if not _is_key(each, catalog))
    return others + len(alone) + sum(isinstance(each, Bucket) for each in query.group)


def _is_key(column: Col, catalog: Catalog) -> bool:
    table = catalog.table(*column.table)
    return table is not None and column.name in table.primary_key

"""Whether an edited tree shows what its question asks for: `who placed them?` wants people, `which beers?` beers.

An edit that explains every word may still answer something else: then the question is better asked as a whole
(dialogue.py).
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, LEAD
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import Bucket, Col, Expr, Query, columns_in, is_total

_WHO = Pattern(rf"{LEAD}(?:who|whom)\b(?!['’])", re.IGNORECASE)
_WHICH = Pattern(
    rf"{LEAD}(?:in |at |on |from |for |by |with |to )?(?:which|what)(?: {A_NUMBER})? (?=[a-z])", re.IGNORECASE
)
_OF_EACH = Pattern(r"\bwho (?:has |have |had )?[a-z]+ (?:each|every) (?:one|of)\b", re.IGNORECASE)
"""What asks for others than those shown: `who supervises each of them?`"""
_RANKED = Pattern(r"\b(?:most|least|fewest|highest|lowest|best|worst|on top|at the (?:top|bottom))\W*$", re.IGNORECASE)
"""`who sold the least?` and `who was on top?` ask for one of the groups just shown."""
_HOW_MANY = Pattern(rf"{LEAD}how (?:many|much)\b", re.IGNORECASE)
_NAMED = 0.9
"""How well a word must name what is asked for."""


def shows(query: Query, question: str, before: Query, reader: Reader) -> bool:
    """Whether the tree shows what the question asks for by name; so does one that is asked for nothing by name."""
    if _HOW_MANY.match(question):
        return any(is_total(each) or _is_number(each, reader) for each in query.select)
    if _WHO.match(question):
        others = tuple(each for each in query.select if each not in before.select or not _OF_EACH.search(question))
        groups = before.group if _RANKED.search(question) else ()
        return any(each in groups or _is_somebody(each, before, reader) for each in others)
    asked = _WHICH.match(question)
    item = _first(question, asked.end(), reader) if asked else None
    return item is None or any(_is_called(each, item, reader) for each in query.select)


def _is_number(shown: Expr, reader: Reader) -> bool:
    column = reader.catalog.column(*shown.table, shown.name) if isinstance(shown, Col) else None
    return not isinstance(shown, Bucket) and (column is None or column.kind == "number")


def _is_somebody(shown: Expr, before: Query, reader: Reader) -> bool:
    """Whether what is shown is a name of people, or a text that was not shown before."""
    table = reader.catalog.table(*shown.table) if isinstance(shown, Col) else None
    if table is None or not isinstance(shown, Col):
        return not is_total(shown) and not isinstance(shown, Bucket)
    column = table.column(shown.name)
    is_text = column is not None and column.kind == "text"
    return is_text and (shown not in before.select or is_of_people(table, reader.resolver.label(table)))


def _first(question: str, place: int, reader: Reader) -> Mention | None:
    """What stands at this place of the question, where it names a table or a column well."""
    words = len(question[:place].split())
    return next((each for each in reader.named(question) if each.start <= words < each.end and _is_named(each)), None)


def _is_named(item: Mention) -> bool:
    return any(each.score >= _NAMED for each in item.targets)


def _is_called(shown: Expr, item: Mention, reader: Reader) -> bool:
    """Whether what is shown is of what is named: a row of that table, or that column."""
    tables = {each.table.key for each in item.targets if each.column is None and each.score >= _NAMED}
    names = {(each.table.key, each.column.name) for each in item.targets if each.column and each.score >= _NAMED}
    columns = [each for each in columns_in(shown) if isinstance(each, Col)]
    pointed = [reader.joins.pointed(each) for each in columns]
    return any(each.table in tables or (each.table, each.name) in names for each in (*columns, *pointed))

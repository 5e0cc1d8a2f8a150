"""Sorted by what the question says: `in alphabetical order of the venue`, `sorted by price decreasing and name`.

Called by `corrections` for every tree that lists rows; what is named as a column of none of its tables settles nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, table_stems, tokenise
from pluto_duck_text2sql.tree import Col, Order, Query, columns_in, is_total

_WAY = (
    r"(?:ascending|descending|increasing|decreasing|asc|desc|reverse|alphabetical(?:ly)?|alphabetic"
    r"|lexicographical(?:ly)?)"
)
_SORTED = Pattern(
    rf"\b(?:(?P<before>(?:{_WAY} )*)order of|(?:ordered|sorted|arranged)(?: (?P<led>{_WAY}))? by)"
    r" (?P<by>[^.?!;:()]+?)\W*$",
    re.IGNORECASE,
)
_IN_ORDER = Pattern(rf"(?:,? in)?(?: (?:an|the))? (?P<way>{_WAY})(?: (?:{_WAY}|order))*$", re.IGNORECASE)
_PARTS = Pattern(r",? (?:and )?then (?:by |finally )*|,? and (?:by )?|, ?", re.IGNORECASE)
_DOWN = Pattern(r"desc|decreas|reverse", re.IGNORECASE)


def by_said_columns(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree sorted by the columns that a question says its rows are sorted by, where it names each of them."""
    said = _SORTED.search(question)
    lists = not (query.group or query.per or query.then or query.limit or any(map(is_total, query.select)))
    if said is None or not lists or any(is_total(each.by) for each in query.order) or _is_way(said, catalog):
        return query
    order = tuple(_orders(said, query, catalog))
    named = [each.by for each in order if each is not None]
    if len(named) < len(order) or not named or named == [each.by for each in query.order]:
        return query
    return replace(query, order=tuple(each for each in order if each))


_BY_LETTERS = Pattern(r"\balphabetic(?:al(?:ly)?)?(?: order)?\b(?! (?:of|by))", re.IGNORECASE)
_BY_SOME = Pattern(r"\b(?:sorted|ordered|arranged|listed|order) (?:[a-z]+ )?(?:by|of)\b", re.IGNORECASE)


def by_letters(query: Query, question: str, catalog: Catalog) -> Query:
    """`networks in alphabetical order`: by the first text that is shown, not by a number or what nobody sees."""
    by = query.order[0].by if len(query.order) == 1 else None
    texts = [each for each in query.select if isinstance(each, Col) and _is_text(each, catalog)]
    plain = isinstance(by, Col) and texts and not (query.limit or query.then or query.per)
    if not plain or by in query.select or _BY_SOME.search(question) or not _BY_LETTERS.search(question):
        return query
    return replace(query, order=(Order(texts[0], query.order[0].descending),))


def _is_text(shown: Col, catalog: Catalog) -> bool:
    column = catalog.column(*shown.table, shown.name)
    return column is not None and column.kind == "text"


def _is_way(said: re.Match[str], catalog: Catalog) -> bool:
    """Whether `by` tells how somebody ordered: `customers who ordered by phone`, where phone is stored."""
    return said[0].lower().startswith("ordered") and bool(catalog.values.lookup(said["by"].strip(), 1))


def _orders(said: re.Match[str], query: Query, catalog: Catalog) -> Iterator[Order | None]:
    """How each part of what is said sorts; None where it names no one column."""
    led = f"{said['before'] or ''}{said['led'] or ''}"
    for part in _PARTS.split(said["by"]):
        way = _IN_ORDER.search(part)
        column = named_column(part[: way.start()] if way else part, query, catalog)
        yield Order(column, bool(_DOWN.search(way["way"] if way else led))) if column else None


def named_column(phrase: str, query: Query, catalog: Catalog) -> Col | None:
    """The one column that words name wholly, of those shown before others of the tree's tables."""
    stems = tuple(token.stem for token in tokenise(phrase) if token.lower not in STOP)
    shown = [each for each in query.select if isinstance(each, Col)]
    keys = {query.anchor, *query.also, *(each.table for each in columns_in(query))}
    tables = [table for key in sorted(keys) if (table := catalog.table(*key))]
    every = [Col(table.key, column.name) for table in tables for column in table.columns]
    for columns in (shown, every):
        found = [each for each in columns if stems in _names(each, catalog)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _names(column: Col, catalog: Catalog) -> Iterator[tuple[str, ...]]:
    """What a column is called, with and without what its rows are."""
    table = catalog.table(*column.table)
    own, rows = table.stems(column.name) if table else (), table_stems(column.table[1])[-1:]
    yield from (tuple(own), (*rows, *own))
    if own[: len(rows)] == rows and len(own) > len(rows):
        yield tuple(own[len(rows) :])

"""Texts that are lists: `Drama, Comedy`, as catalogues keep genres, countries and casts in one cell.

Such a column has the same items again and again, in this company and that; a name with a comma in it has no such.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from pluto_duck_backend.app.core.warehouse import Session, quote
from pluto_duck_text2sql.data.catalog import Column

_LOOKED_AT = 500
_BETWEEN = ", "
_LEAST, _PART = 20, 0.2
"""How many texts there must be, and what part of them several items."""
_REPEATED = 0.5
"""At most so many different items there are for each that stands somewhere."""
_LONGEST = 40


def with_lists(session: Session, source: str, columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns; those whose texts are lists of what comes again know it."""
    told = [column for column in columns if column.kind == "text" and column.n_distinct and not column.date_format]
    if not told:
        return tuple(columns)
    shown = ", ".join(f"CAST({quote(each.name)} AS VARCHAR)" for each in told)
    rows = session.rows(f"SELECT {shown} FROM {source} LIMIT {_LOOKED_AT}")
    listed = {column.name for n, column in enumerate(told) if _are_lists({row[n] for row in rows if row[n]})}
    return tuple(replace(each, of_lists=True) if each.name in listed else each for each in columns)


def with_items(batches: Iterable[Sequence[str]]) -> Iterator[list[str]]:
    """The lists, then what they list and did not stand before, each once."""
    listed = dict[str, None]()
    alone = set[str]()
    for texts in batches:
        alone.update(text for text in texts if _BETWEEN not in text)
        listed.update(dict.fromkeys(item for text in texts for item in text.split(_BETWEEN)))
        yield list(texts)
    yield [each for each in listed if each not in alone]


def _are_lists(texts: Collection[str]) -> bool:
    """Whether different texts list what others list too; the same address again and again is no list."""
    parts = [text.split(_BETWEEN) for text in texts]
    listed = [item for some in parts for item in some]
    several = sum(len(some) > 1 for some in parts)
    if len(texts) < _LEAST or several < _PART * len(texts) or any(len(item) > _LONGEST for item in listed):
        return False
    return len(set(listed)) <= _REPEATED * len(listed)

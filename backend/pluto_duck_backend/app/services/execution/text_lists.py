"""Texts that are lists: `Drama, Comedy`, `Drama|Comedy`, `<drama><comedy>`, as catalogues keep genres, countries and
tags in one cell.

Such a column has the same items again and again, in this company and that, now more of them and now fewer; a name with
a comma in it has no such.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from pluto_duck_backend.app.core.warehouse import Session, quote
from pluto_duck_text2sql.data.catalog import Column
from pluto_duck_text2sql.data.listing import MARKS, items_of

_LOOKED_AT = 500
_LEAST, _LEAST_MARKED, _PART = 20, 6, 0.2
"""How many texts there must be, fewer with a mark that stands in no names, and what part of them several items."""
_OF_NAMES = (", ", ",")
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
    marks = {column.name: _mark_between({row[n] for row in rows if row[n]}) for n, column in enumerate(told)}
    return tuple(replace(each, listed_by=marks[each.name]) if marks.get(each.name) else each for each in columns)


def with_items(batches: Iterable[Sequence[str]], mark: str) -> Iterator[list[str]]:
    """The lists, then what they list and did not stand before, each once."""
    listed = dict[str, None]()
    alone = set[str]()
    for texts in batches:
        parts = [items_of(text, mark) for text in texts]
        alone.update(text for text, items in zip(texts, parts, strict=True) if items == [text])
        listed.update(dict.fromkeys(item for items in parts for item in items))
        yield list(texts)
    yield [each for each in listed if each not in alone]


def _mark_between(texts: Collection[str]) -> str:
    """What stands between the items of lists; "" where the texts are none."""
    able = [mark for mark in MARKS if len(texts) >= (_LEAST if mark in _OF_NAMES else _LEAST_MARKED)]
    return next((mark for mark in able if _are_lists([items_of(text, mark) for text in texts])), "")


def _are_lists(parts: Sequence[Sequence[str]]) -> bool:
    """Whether different texts list what others list too; the same address again and again is no list."""
    listed = [item for some in parts for item in some]
    several = sum(len(some) > 1 for some in parts)
    if several < _PART * len(parts) or any(len(item) > _LONGEST for item in listed) or _are_named_in_parts(parts):
        return False
    return all(listed) and len(set(listed)) <= _REPEATED * len(listed)


def _are_named_in_parts(parts: Sequence[Sequence[str]]) -> bool:
    """Whether each has as many parts, and what stands first never stands last: `Lee,Anna`, surnames and first names."""
    return len({len(some) for some in parts}) == 1 and {some[0] for some in parts}.isdisjoint(
        each[-1] for each in parts
    )

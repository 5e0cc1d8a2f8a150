"""What columns are called where one part of their names has another word that says the same there: the start date of a
`from_day`, the maximum speed of a `top_speed`, the number of docks of `n_docks`.

Called by `analyst`. What a column of the table is called itself is no other's name.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.words import name_parts, stem
from pluto_duck_text2sql.trees.term import Term

_SAME = 1.0
_GROUPS = {
    ("min", "minimum"): ("lowest", "least", "smallest"),
    ("max", "maximum"): ("highest", "top", "greatest", "largest", "peak"),
    ("avg", "average", "mean"): (),
    ("previous", "prior"): ("prev", "preceding", "past", "former"),
    ("next", "following"): ("subsequent",),
    ("total", "overall"): ("all",),
}
"""What is said for each other, and what names have for it besides: the highest price is asked of `price`, too."""
_FROM, _TO = (
    ("start", "starting", "begin", "origin", "departure"),
    ("end", "ending", "finish", "destination", "arrival"),
)
_ENDS = {"from": _FROM, "to": _TO}
"""Where and when something begins and ends, where a table has both."""
_OTHERS = {stem(each): tuple(map(stem, said)) for said, besides in _GROUPS.items() for each in (*said, *besides)}
_DAY, _DATE = stem("day"), stem("date")
_COUNTS, _COUNT = frozenset("n no num nr nbr number cnt".split()), stem("count")
_MOST = 24
"""How many names of one column are looked at."""


def other_parts(catalog: Catalog) -> list[Term]:
    """The names, each as a term with its column."""
    found = []
    for table in catalog.tables:
        own = {table.stems(each.name) for each in table.columns}
        for column in table.columns:
            names = dict.fromkeys((*_swapped(table, column), *_counted(column)))
            found += [_term(stems, table, column) for stems in list(names)[:_MOST] if stems not in own]
    return found


def _term(stems: tuple[str, ...], table: Table, column: Column) -> Term:
    return Term(stems, column.name, "the name", " ".join(stems), (Target(table, column, _SAME),))


def _swapped(table: Table, column: Column) -> Iterator[tuple[str, ...]]:
    """The column's name with each choice of words for its parts."""
    stems = table.stems(column.name)
    choices = [(each, *_instead(each, stems, table, column)) for each in stems]
    if len(stems) > 1:
        yield from (names for names in product(*choices) if names != stems)


def _instead(part: str, stems: tuple[str, ...], table: Table, column: Column) -> tuple[str, ...]:
    """What else a part of a name may be called."""
    if part in _ENDS and part == stems[0] and _has_both_ends(stems, table):
        return tuple(map(stem, _ENDS[part]))
    if part == _DAY and column.is_time:
        return (_DATE,)
    return tuple(each for each in _OTHERS.get(part, ()) if each != part)


def _has_both_ends(stems: tuple[str, ...], table: Table) -> bool:
    names = {table.stems(each.name) for each in table.columns}
    return all((end, *stems[1:]) in names for end in _ENDS)


def _counted(column: Column) -> Iterator[tuple[str, ...]]:
    """`docks count` of `n_docks`."""
    parts = name_parts(column.name)
    is_count = column.kind == "number" and len(parts) > 1 and parts[0] in _COUNTS and parts[-1].endswith("s")
    if is_count:
        yield (*map(stem, parts[1:]), _COUNT)

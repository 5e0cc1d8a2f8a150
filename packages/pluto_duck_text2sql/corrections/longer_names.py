"""A longer name is none that it holds: `number of funded beds` counts no beds, `unique clicks` shows no clicks beside.

Called by `corrections` for every tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.words import stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Agg, Col, Expr, Query, Rows, columns_in, is_total, mapped

_Span = tuple[int, int]
_COUNTS = tuple(tuple(map(stem, each.split())) for each in ("how many", "number of", "count of"))


def by_whole_name(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with the column whose whole name is said in place of one that is called by a part of it alone."""
    stems = [token.stem for token in tokenise(question)]
    shown = {each for each in columns_in(query) if isinstance(each, Col)}
    put = {each: to for each in shown if (to := _fuller(each, stems, catalog)) and to not in shown}
    if not put:
        return query
    made: Query = mapped(query, lambda node: put.get(node, node) if isinstance(node, Col) else node)
    return made


def _fuller(column: Col, stems: Sequence[str], catalog: Catalog) -> Col | None:
    """The one column of the same table and kind whose name is said and holds all that is said of this one's."""
    table = catalog.table(*column.table)
    own = table.column(column.name) if table else None
    said = list(_spans(_name(column, catalog), stems))
    if table is None or own is None or not said:
        return None
    others = [Col(column.table, each.name) for each in table.columns if each.kind == own.kind and each.name != own.name]
    spans = {each: list(_spans(_name(each, catalog), stems)) for each in others}
    fuller = [each for each, some in spans.items() if all(any(_holds(long, one) for long in some) for one in said)]
    return fuller[0] if len(fuller) == 1 else None


def without_shorter(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree without what it shows only because the name of a column that it shows as well holds the word; what is
    set against other rows shows what these do."""
    if query.then:
        return query
    stems = [token.stem for token in tokenise(question)]
    named = {each: list(_spans(_name(each, catalog), stems)) for each in query.select}
    counted = set(_counted(stems))
    kept = tuple(each for each in query.select if not _is_within(each, named, counted))
    if kept == query.select or not kept:
        return query
    is_listing = bool(query.group) and not (query.having or any(map(is_total, kept)))
    shown = replace(
        query, select=kept, order=tuple(each for each in query.order if each.by not in {*query.select} - {*kept})
    )
    return replace(shown, group=()) if is_listing else shown


def _is_within(shown: Expr, named: dict[Expr, list[_Span]], counted: set[int]) -> bool:
    """Whether it is named, and only within the longer names of columns that are shown; rows are counted all the same
    where the question counts what has no such name: `allergy types and how many students have each`."""
    longer = [span for each, spans in named.items() if isinstance(each, Col) and each != shown for span in spans]
    own = named[shown]
    if isinstance(shown, Agg) and isinstance(shown.of, Rows) and counted - {start for start, _ in longer}:
        return False
    return bool(own) and all(any(_holds(span, each) for span in longer) for each in own)


def _counted(stems: Sequence[str]) -> Iterator[int]:
    """Where what is counted begins: behind `how many`, `number of`, `count of`."""
    yield from (n + 2 for n, pair in enumerate(pairwise(stems)) if pair in _COUNTS)


def _holds(long: _Span, short: _Span) -> bool:
    return long != short and long[0] <= short[0] and short[1] <= long[1]


def _name(shown: Expr, catalog: Catalog) -> tuple[str, ...]:
    """The stems that a column is called by, or its figure, or the rows that are counted."""
    of = shown.of if isinstance(shown, Agg) else shown
    if isinstance(of, Rows):
        return table_stems(of.table[1])[-1:]
    table = catalog.table(*of.table) if isinstance(of, Col) else None
    return tuple(table.stems(of.name)) if table and isinstance(of, Col) else ()


def _spans(name: tuple[str, ...], stems: Sequence[str]) -> Iterator[_Span]:
    """Where a name is said, word by word."""
    long = len(name)
    yield from ((n, n + long) for n in range(len(stems) - long + 1) if long and tuple(stems[n : n + long]) == name)

"""A number right after a name is the one it goes by: `the instructor of lesson 3` is none of its hours, `season 2024`
is what a column `season` holds, no time of another.

Called by `corrections` for each tree. Pure.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, zip_longest
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.words import name_stems, table_stems, tokenise
from pluto_duck_text2sql.tree import Col, Compare, During, Query, columns_in, mapped
from pluto_duck_text2sql.trees.units import unit_said

_NUMBERS = frozenset(name_stems("id key code number no num nr"))


def by_number(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with the key where a number that follows its table's name was looked for in another column, and with
    the column whose name a year follows where that was taken for a time."""
    query = mapped(query, partial(_keyed, question=question, catalog=catalog), (Compare,))
    return mapped(query, partial(_named_year, question=question, catalog=catalog), (During,))


def _named_year(node: Any, question: str, catalog: Catalog) -> Any:
    if not isinstance(node, Query):
        return node
    keys = sorted({node.anchor, *(each.table for each in columns_in(node))})
    tables = [table for key in keys if (table := catalog.table(*key))]
    for year, column in _years_after_names(question, tables):
        period = (dt.date(year, 1, 1), dt.date(year + 1, 1, 1))
        taken = [each for each in node.where if isinstance(each, During) and (each.start, each.end) == period]
        if len(taken) == 1:
            where = tuple(Compare(column, "=", year) if each == taken[0] else each for each in node.where)
            return replace(node, where=where, group=tuple(each for each in node.group if each != column))
    return node


def _years_after_names(question: str, tables: Sequence[Table]) -> Iterator[tuple[int, Col]]:
    """The years of a question that follow the name of a column which holds numbers up to there."""
    for one, other in pairwise(tokenise(question)):
        year = int(other.number) if other.number and other.number in range(1900, 2101) else 0
        for table in tables if year else ():
            for column in table.columns:
                least, most = column.minimum, column.maximum
                is_held = isinstance(least, int) and isinstance(most, int) and least <= year <= most
                if is_held and table.stems(column.name)[-1:] == (one.stem,) and "year" not in table.stems(column.name):
                    yield year, Col(table.key, column.name)


def _keyed(node: Any, question: str, catalog: Catalog) -> Any:
    match node:
        case Compare(Col(key, name), "=", int() | float() as number) if not isinstance(number, bool):
            table = catalog.table(*key)
            if table and _goes_by(table, number, question) and not _is_said(table, name, question):
                return Compare(Col(key, table.primary_key[0]), "=", int(number))
    return node


def _goes_by(table: Table, number: float, question: str) -> bool:
    """Whether the question says the table's name and then the number, which its one key holds."""
    column = table.column(table.primary_key[0]) if len(table.primary_key) == 1 else None
    least, most = (column.minimum, column.maximum) if column else (None, None)
    if not isinstance(least, int) or not isinstance(most, int) or not least <= number <= most:
        return False
    tokens, name = tokenise(question), table_stems(table.name)[-1:]
    own = {stem for each in table.columns for stem in table.stems(each.name)}
    return any(
        (one.stem,) == name and other.number == number and not (after and (after.stem in own or unit_said(after.lower)))
        for one, other, after in zip_longest(tokens, tokens[1:], tokens[2:])
        if other
    )


def _is_said(table: Table, name: str, question: str) -> bool:
    """Whether a column is called a number of its table, or the question says its name."""
    stems = set(table.stems(name)) - set(table_stems(table.name)) - _NUMBERS
    return not stems or not stems.isdisjoint(token.stem for token in tokenise(question))

"""A moment that is kept beside its day: `ordered_at` and `order_date` tell one time.

They are told by their names, which say the same deed, and by their first and last day, which are the same. Called where
a time is said once and two columns could take it.
"""

from __future__ import annotations

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.words import root, stem
from pluto_duck_text2sql.tree import Col

_FORMS = frozenset(map(stem, "at on date day time datetime timestamp ts dt moment".split()))
"""What a name says of how its time is kept, not of what it is of."""


def are_one_time(one: object, other: object, catalog: Catalog) -> bool:
    """Whether two columns tell one time, the one as a moment and the other as its day."""
    if not isinstance(one, Col) or not isinstance(other, Col) or one.table != other.table or one == other:
        return False
    table, pair = catalog.table(*one.table), [catalog.column(*each.table, each.name) for each in (one, other)]
    known = [each for each in pair if each is not None]
    return table is not None and len(known) == 2 and _are_of_one_time(table, *known)


def moment_of(day: Col, catalog: Catalog) -> Col | None:
    """The moment that is kept beside a day; None where none is."""
    table = catalog.table(*day.table)
    beside = (Col(day.table, each.name) for each in table.columns if each.is_moment) if table else ()
    return next((each for each in beside if are_one_time(day, each, catalog)), None)


def _are_of_one_time(table: Table, one: Column, other: Column) -> bool:
    is_pair = (one.is_moment and other.is_day) or (one.is_day and other.is_moment)
    ends = {(str(each.minimum)[:10], str(each.maximum)[:10], each.null_fraction) for each in (one, other)}
    is_known = one.minimum is not None and one.maximum is not None
    return is_pair and is_known and len(ends) == 1 and _deed(table, one) == _deed(table, other)


def _deed(table: Table, column: Column) -> frozenset[str]:
    """What a column's name says that its time is of."""
    return frozenset(root(each) for each in table.stems(column.name) if each not in _FORMS)

"""The two days that a booking has: `bookings in July` were made then, or are for a day in July.

Called by `doubts` with the best reading's tree. A number of bookings or orders in a period, counted by one of these
days, may mean the other where the rows keep both and no word of the question tells which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.date_names import begins
from pluto_duck_text2sql.data.event_dates import BOOKED
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Agg, Col, During, Query, Rows, mapped, nodes_in

_MADE = BOOKED | frozenset(map(stem, "created made placed ordered order ord taken entered".split()))
_AGREED = BOOKED | frozenset(map(stem, ("order", "ord")))
"""What something is called that is agreed on one day for another; a visit is when it is."""
_HELD = frozenset(
    map(stem, "slot appointment appt visit event meal session departure sailing travel play show lesson".split())
)
_TOLD = Pattern(
    r"\b(?!(?:need|speed|breed|bed|feed|shed|red|led)\b)[a-z]+ed\b"
    r"|\b(?:made|taken?|took|taking|came?|coming|begins?|began|begun|starts?|starting|held|due|new|so far|upcoming"
    r"|future|open|still|until|since|when|date|day|for the (?:month|year|day|week))\b",
    re.IGNORECASE,
)
"""What may tell which day is meant: what was done, and when."""


def other_day(query: Query, question: str, catalog: Catalog) -> tuple[Col, Col, Query] | None:
    """The day by which a tree counts, the other day that its rows keep, and the tree by that one."""
    counted = query.select[0] if len(query.select) == 1 and not query.group and query.then is None else None
    if not isinstance(counted, Agg) or counted.function != "count" or not isinstance(counted.of, Rows):
        return None
    days = set(_days(query))
    table = catalog.table(*counted.of.table)
    said = {token.stem for token in tokenise(question)}
    if table is None or _AGREED.isdisjoint({*table_stems(table.name), *said}) or len(days) != 1:
        return None
    if _TOLD.search(question):
        return None
    day = days.pop()
    other = _other(day, table)
    if other is None or _names_one(said - _AGREED, table, day, other):
        return None
    return day, other, mapped(query, lambda node: other if node == day else node)


def _days(query: Query) -> Iterator[Col]:
    """The columns by which it restricts its rows to a period."""
    for each in nodes_in(query):
        if isinstance(each, During) and isinstance(each.left, Col):
            yield each.left


def _other(day: Col, table: Table) -> Col | None:
    """The day of the other kind, where a row has just one of each."""
    if day.table != table.key:
        return None
    times = [(each.name, table.stems(each.name)) for each in table.columns if each.is_time]
    begun = [name for name, stems in times if begins(stems)]
    held = begun or [name for name, stems in times if not _HELD.isdisjoint(stems)]
    made = [name for name, stems in times if not _MADE.isdisjoint(stems) and name not in held]
    if len(made) != 1 or len(held) != 1 or day.name not in (*made, *held):
        return None
    return Col(table.key, held[0] if day.name in made else made[0])


def _names_one(said: set[str], table: Table, day: Col, other: Col) -> bool:
    """Whether a word names the one day alone, and not the rows themselves as well."""
    own, others = set(table.stems(day.name)), set(table.stems(other.name))
    return bool(said & ((own ^ others) - {*table.stems(table.name)}))

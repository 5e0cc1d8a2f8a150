"""By which day: `how many projects did we have in September` were ordered then, delivered then, or under way then.

Asked of what has a day on which it came and another on which it was done or was over, where neither is called as the
rows are, as that of an order is, and no word says what was done.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, counted, days, full_name, says_day
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.date_names import begins, ends, is_broken_off
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import root, table_stems
from pluto_duck_text2sql.terms.lateness import what_is_done
from pluto_duck_text2sql.tree import Col, Compare, Cond, During, Either, Missing, Query
from pluto_duck_text2sql.trees.parts import swapped

_ASKED = "By which date do you mean it?"
_HAD = Pattern(
    r"^how many (?:\w+ ){1,3}(?:did we have|were there)\b|^number of (?:\w+ ){1,3}(?=in |during |for )"
    r"|^how many (?!\w+ (?:came|went|left|sold|sent|got|took|ran|fell|broke|were|was|are|is)\b)"
    r"(?:\w+ )?\w+ (?=(?:in|during) )",
    re.IGNORECASE,
)
_DEED = Pattern(
    r"\b(?!(?:need|speed|breed|bed|feed|shed|red|led)\b)[a-z]+ed\b"
    r"|\b(?:made|placed|held|due|start|end|began|new|running|active|open)\b",
    re.IGNORECASE,
)


def whose_day(question: str, query: Query, data: Data) -> Opening | None:
    """The tree by the day on which its rows came, and by that on which they were done, or as those under way."""
    key, own = counted(query), days(query)
    periods = [each for each in query.where if isinstance(each, During) and isinstance(each.left, Col)]
    if key is None or len(own) != 1 or len(periods) != 1 or not _HAD.search(question) or _DEED.search(question):
        return None
    day, table = own.pop(), data.table(key)
    if day.table != key or periods[0].left != day:
        return None
    if says_day(question, [each.name for each in table.columns if each.is_time]):
        return None
    ways = [*by_done(query, day, table), *_under_way(query, periods[0], table)]
    return Opening(_ASKED, ((f"by {full_name(day)}", query), *ways)) if ways else None


def _is_called_so(name: str, table: Table) -> bool:
    """Whether a date is called as the rows are: enrolled, of enrolments."""
    return not set(map(root, table.stems(name))).isdisjoint(map(root, table_stems(table.name)))


def _end_alike(table: Table, one: str, other: str) -> bool:
    """Whether two moments begin and end on the same days, as those of a bill that is opened and closed do, or of a
    session of some minutes."""
    stored = [column for name in (one, other) if (column := table.column(name)) and column.is_moment]
    if len(stored) < 2:
        return False
    begun, ended = stored
    return _are_near(begun.minimum, ended.minimum) and _are_near(begun.maximum, ended.maximum)


def _are_near(one: Any, other: Any) -> bool:
    """Whether two moments are at most a day apart."""
    if one is None or other is None:
        return False
    return abs(dt.date.fromisoformat(str(one)[:10]) - dt.date.fromisoformat(str(other)[:10])).days <= 1


def by_done(query: Query, day: Col, table: Table) -> Iterator[tuple[str, Query]]:
    """The tree by the day on which the rows were done, or by the only other where it is by that, where neither day is
    called as they are."""
    done = what_is_done(table)
    for name in [each for each in done if each != day.name][:1] or done[:1]:
        others = [each.name for each in table.columns if each.is_time and each.name != name]
        other = name if name != day.name else others[0] if len(others) == 1 else ""
        is_said = any(_is_called_so(each, table) for each in (day.name, name, other))
        is_told = is_said or ends(table.stems(name)) or _end_alike(table, day.name, name)
        if other and not is_told:
            column = Col(table.key, other)
            yield f"by {full_name(column)}", swapped(query, day, column)


def _under_way(query: Query, period: During, table: Table) -> Iterator[tuple[str, Query]]:
    """Those that began before the period was over, and were not over before it began."""
    over = [each for each in table.columns if each.is_time and ends(table.stems(each.name))]
    ended = [each for each in over if not is_broken_off(table.stems(each.name))] or over
    began = period.left
    if not isinstance(began, Col) or not begins(table.stems(began.name)) or len(ended) != 1:
        return
    if _is_called_so(began.name, table) or _end_alike(table, began.name, ended[0].name):
        return
    end = Col(table.key, ended[0].name)
    late: Cond = Compare(end, ">=", period.start)
    late = Either((Missing(end), late)) if ended[0].null_fraction else late
    others = tuple(each for each in query.where if each != period)
    begun = Compare(began, "<", period.end)
    yield "under way then", replace(query, where=(*others, begun, late))

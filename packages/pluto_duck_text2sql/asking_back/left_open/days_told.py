"""By which day a period is taken, where the rows have another that would do: told beside an answer, not asked.

`the copies that were printed in July` may be those that were ordered then or those that were delivered then. Nothing is
told where a word says which or what was done, where the day is called as the rows are (the visits of `visited_on`) or
but a date, nor of days that something was only planned for, on which somebody was born, or on which a row was written.
"""

from __future__ import annotations

from pluto_duck_text2sql.asking_back.left_open.opening import Data, days, full_name, says_day
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.date_names import is_meant, stems_of
from pluto_duck_text2sql.language.words import root, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Col, Query

_TOLD = "the day is {}; {} would fit too"
_MOST = 2
_ANY_DATE = frozenset(map(stem, "date time day on at dt ts month".split()))
_NO_EVENT = stems_of("birth born died death created updated modified inserted loaded added registered joined valid")


def day_told(question: str, query: Query, data: Data) -> str:
    """What an answer says of the days that it does not go by."""
    own = days(query)
    day = own.pop() if len(own) == 1 else None
    table = data.table(day.table) if day else None
    if day is None or table is None or _is_clear(day.name, table):
        return ""
    others = [name for name in _times(table) if name != day.name and _happens(name, table)][:_MOST]
    if not others or says_day(question, _times(table)) or _says_deed(question, table):
        return ""
    return _TOLD.format(full_name(day), " or ".join(full_name(Col(day.table, name)) for name in others))


def _says_deed(question: str, table: Table) -> bool:
    """Whether a word says what was done, which may tell the day though no rule knows it: but that the rows were."""
    rows = {*map(root, table_stems(table.name))}
    return any(each.lower.endswith("ed") and root(each.stem) not in rows for each in tokenise(question))


def _times(table: Table) -> list[str]:
    return [each.name for each in table.columns if each.is_time]


def _is_clear(name: str, table: Table) -> bool:
    """Whether the rows are called as their day is, or it is a date and no more."""
    own = {*map(root, set(table.stems(name)) - _ANY_DATE)}
    return not own or not own.isdisjoint(map(root, table_stems(table.name))) or not _happens(name, table)


def _happens(name: str, table: Table) -> bool:
    """Whether a date tells when something happened to a row."""
    stems = table.stems(name)
    return not is_meant(stems) and _NO_EVENT.isdisjoint(stems)

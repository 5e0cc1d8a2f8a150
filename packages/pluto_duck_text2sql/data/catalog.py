"""What the analyst knows of a database: tables, columns, keys, statistics, and an index of stored values.

Built by whoever has the database (in Pluto-Duck the catalog service); the analyst only reads it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from pluto_duck_text2sql.data.date_names import ends, is_meant
from pluto_duck_text2sql.data.numbered_times import DAYS, is_moment
from pluto_duck_text2sql.data.text_times import WITH_ZONE
from pluto_duck_text2sql.data.values import ValueIndex
from pluto_duck_text2sql.language.glossary import Item
from pluto_duck_text2sql.language.words import name_parts, name_stems, stem, table_stems

Kind = Literal["number", "time", "text", "flag", "other"]
_NUMBERS = (
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
)
_EARLIEST_YEAR, _LATEST_YEAR = 1500, 2500
"""Years between which days that anything is counted from lie; others stand for no day: 0001-01-01, infinity."""
_LIVE, _YEAR = dt.timedelta(days=14), dt.timedelta(days=366)
"""How old the newest row may be that periods count from today; and how old a date in such data, for today to mean
anything beside it."""
_CALENDARS = frozenset(("calendar", "spine"))
_AIMS = frozenset(map(stem, ("target", "budget", "forecast", "quota", "goal")))
"""What tables are called that tell what was wanted, also of months to come."""
_OF_DAYS = frozenset(map(stem, ("date", "day", "time")))
_SECOND, _LAST_NAME = "second", tuple(map(stem, ("last", "name")))
_FRACTIONS = ("FLOAT", "DOUBLE", "DECIMAL", "REAL")


@dataclass(frozen=True)
class OpenEnd:
    """From which day on an end stands for none, the `last` one before it, the fraction of rows with no end, and whether
    some of the others are NULL (open_ends.py)."""

    day: dt.date
    last: Any
    fraction: float
    beside_gaps: bool = False


@dataclass(frozen=True)
class Column:
    """A column; `type` is DuckDB's name of its type, statistics are None where unknown.

    `date_format` is that of texts which all are dates, as strptime takes it, or of numbers (numbered_times.py); their
    least and greatest are times. `no_times` are the numbers in it that stand for none.
    `of_numbers` are texts that are numbers wherever they are not missing; their least and greatest are numbers,
    and where each has a unit behind it (`90 min`) that is the `unit`, or two of them. `listed_by` is what stands
    between the items of texts that list several (listing.py). `samples` are all values of one that holds few; `lookup`
    those of a small table which the rows of others point at, and are sorted by. `open_end`: what of a date stands for
    none; `meets_next`: a row ends on the day on which the next one of the same thing begins.
    """

    name: str
    type: str
    comment: str = ""
    nullable: bool = True
    n_distinct: int | None = None
    minimum: Any = None
    maximum: Any = None
    null_fraction: float | None = None
    samples: tuple[Any, ...] = ()
    date_format: str = ""
    no_times: tuple[int, ...] = ()
    of_numbers: bool = False
    listed_by: str = ""
    unit: str = ""
    lookup: tuple[Any, ...] = ()
    open_end: OpenEnd | None = None
    meets_next: bool = False

    @cached_property
    def kind(self) -> Kind:
        """What its values are: numbers also where these are kept as texts, times also where these are numbers."""
        if self.of_numbers:
            return "number"
        base = self.type.upper().split("(")[0]
        if base in _NUMBERS or base in _FRACTIONS:
            return "time" if self.date_format else "number"
        if base.startswith(("DATE", "TIMESTAMP")):
            return "time"
        if base == "BOOLEAN":
            return "flag"
        return "text" if base in ("VARCHAR", "TEXT", "CHAR", "UUID") or base.startswith("ENUM") else "other"

    @property
    def is_time(self) -> bool:
        """Whether it holds dates or times, also where these are kept as texts."""
        return self.kind == "time" or bool(self.date_format)

    @property
    def is_numbered(self) -> bool:
        """Whether it holds times as numbers."""
        return self.kind == "time" and bool(self.date_format)

    @property
    def is_moment(self) -> bool:
        """Whether it holds times of day with their dates."""
        return self.type.upper().startswith("TIMESTAMP") or is_moment(self.date_format)

    @property
    def is_day(self) -> bool:
        """Whether it holds days, without a time of day."""
        return self.type.upper() == "DATE" or self.date_format == DAYS

    @property
    def of_dates(self) -> bool:
        """Whether it holds dates as texts that are not cast to dates as they are."""
        is_cast = self.date_format.startswith("%Y-%m-%d") and not self.date_format.endswith(WITH_ZONE)
        return bool(self.date_format) and not is_cast and not self.is_numbered


@dataclass(frozen=True)
class ForeignKey:
    """`columns` of its table point at `ref_columns`; `inferred` where the database does not declare it."""

    columns: tuple[str, ...]
    ref_schema: str
    ref_table: str
    ref_columns: tuple[str, ...]
    inferred: bool = False


@dataclass(frozen=True)
class Table:
    """A table or view; of two that tell the same fact the one with the higher `preference` is read.

    `made_from` are the tables whose rows it is made of, where that is known.
    """

    name: str
    schema: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    comment: str = ""
    row_count: int | None = None
    kind: str = "table"
    preference: float = 0.0
    made_from: frozenset[tuple[str, str]] = frozenset()

    @cached_property
    def key(self) -> tuple[str, str]:
        return (self.schema, self.name)

    @cached_property
    def has_times(self) -> bool:
        """Whether a column holds times."""
        return any(each.is_time for each in self.columns)

    def tells_kinds(self, column: Column) -> bool:
        """Whether a column of this table tells of what kind a row is: two rows or more for each of its values."""
        return bool(column.n_distinct) and 2 * (column.n_distinct or 0) <= (self.row_count or 0)

    def column(self, name: str) -> Column | None:
        """The column called `name`, in any case."""
        return self._by_name.get(name.casefold())

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name.casefold(): column for column in self.columns}

    def stems(self, name: str) -> tuple[str, ...]:
        """The stems of a column's name, without a prefix that all columns of the table share (`l_quantity`)."""
        return self._stems.get(name) or name_stems(name)

    @cached_property
    def _stems(self) -> dict[str, tuple[str, ...]]:
        every = _told_apart({column.name: name_stems(column.name) for column in self.columns})
        first = {stems[0] for stems in every.values() if stems}
        shared = len(every) > 2 and len(first) == 1 and all(len(stems) > 1 for stems in every.values())
        return {name: stems[1:] if shared else stems for name, stems in every.items()}


@dataclass(frozen=True)
class CodeTable:
    """Where the meaning of a column's codes is told: the table's columns of codes and of texts, and, where it tells
    codes of several kinds, the column that says whose they are with its value."""

    table: tuple[str, str]
    code: str
    text: str
    kind: tuple[str, str] | None = None


@dataclass(frozen=True)
class Catalog:
    """All tables; `glossary` is what the user's files, and dbt's metrics, say that words mean (terms.py).

    `instead` are tables that are left out, each with the one that tells the same and is read in its place (twins.py).
    `meanings` are the code tables of columns, by table and name. `is_kept`: rows may go on coming in, so that where the
    newest are but days old periods count from today; made-up data ends when it ends.
    """

    tables: tuple[Table, ...]
    values: ValueIndex = field(default_factory=ValueIndex)
    glossary: tuple[Item, ...] = ()
    instead: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    meanings: Mapping[tuple[tuple[str, str], str], CodeTable] = field(default_factory=dict)
    is_kept: bool = True

    def table(self, schema: str, name: str) -> Table | None:
        """The table with this schema and name, in any case."""
        return self._by_key.get((schema.casefold(), name.casefold()))

    def column(self, schema: str, table: str, name: str) -> Column | None:
        """The column of the table of this schema and name, in any case."""
        found = self.table(schema, table)
        return found.column(name) if found else None

    def last_day(self, schema: str, table: str, column: str, today: dt.date) -> dt.date:
        """The day that relative periods count from: today, or the column's last day where the data ends earlier. What
        is only planned for a later day does not move it. In data that is kept up to date nothing happened since."""
        last = newest_day(self.column(schema, table, column))
        if last is None or (self._is_live(today) and today - last <= _YEAR):
            return today
        return min(last, self.latest_day(today))

    def latest_day(self, today: dt.date) -> dt.date:
        """Today, or the last day on which anything in the data happened where that is long ago."""
        return min(self._latest, today) if self._latest and not self._is_live(today) else today

    def _is_live(self, today: dt.date) -> bool:
        """Whether something happened within the last days."""
        return self.is_kept and any(dt.timedelta(0) <= today - day <= _LIVE for day in self._done)

    def looks_ahead(self, today: dt.date) -> bool:
        """Whether it keeps days that were still to come when anything happened last."""
        return self._newest is not None and self._newest > self.latest_day(today)

    @cached_property
    def _newest(self) -> dt.date | None:
        """The last day that any date keeps."""
        times = (newest_day(each) for table in self.tables for each in table.columns if each.is_time)
        return max(filter(None, times), default=None)

    @cached_property
    def _latest(self) -> dt.date | None:
        """The last day of what happened."""
        return max(self._done, default=None)

    @cached_property
    def _done(self) -> tuple[dt.date, ...]:
        """The last days of what happened: not of what was planned, nor of what will be over, nor of a calendar. Of
        targets and budgets only where there is nothing else."""
        told = [table for table in self.tables if not is_calendar(table)]
        done = [table for table in told if _AIMS.isdisjoint(table_stems(table.name))]
        return _newest_of(done) or _newest_of(told)

    @cached_property
    def _by_key(self) -> dict[tuple[str, str], Table]:
        return {(table.schema.casefold(), table.name.casefold()): table for table in self.tables}


def _told_apart(every: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The stems of a table's columns, in which a `second_name` is the middle one where there is a surname as well."""
    second = next((name for name, stems in every.items() if _SECOND in name_parts(name) and stems == _LAST_NAME), None)
    is_middle = second is not None and list(every.values()).count(_LAST_NAME) > 1
    return every | ({second: (stem("middle"), _LAST_NAME[1])} if second is not None and is_middle else {})


def _newest_of(tables: Sequence[Table]) -> tuple[dt.date, ...]:
    """The last days that their dates keep, but of those planned or over then."""
    newest = (
        newest_day(column)
        for table in tables
        for column in table.columns
        if column.is_time and not (is_meant(stems := table.stems(column.name)) or ends(stems))
    )
    return tuple(filter(None, newest))


def is_calendar(table: Table) -> bool:
    """Whether it lists days, whatever happened on them: a date dimension, a time spine."""
    stems = table_stems(table.name)
    if all(each.is_time for each in table.columns) or not _CALENDARS.isdisjoint(stems[:1] + stems[-1:]):
        return True
    return set(stems) <= _OF_DAYS and any(_is_of_each_row(table, each) for each in table.columns)


def _is_of_each_row(table: Table, column: Column) -> bool:
    """Whether each row has a day of its own."""
    return column.is_time and bool(table.row_count) and column.n_distinct == table.row_count


def newest_day(column: Column | None) -> dt.date | None:
    """The last day that a date keeps; None where it keeps none, is no date, or keeps what stands for none."""
    last = column.maximum if column else None
    if column and column.kind == "number" and "year" in name_stems(column.name) and isinstance(last, int | float):
        return dt.date(int(last), 12, 31) if _EARLIEST_YEAR < last < _LATEST_YEAR else None
    last = last.date() if isinstance(last, dt.datetime) else last
    return last if isinstance(last, dt.date) and _EARLIEST_YEAR < last.year < _LATEST_YEAR else None

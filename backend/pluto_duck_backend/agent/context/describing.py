"""One table as a prompt shows it: all of it, or what a question needs of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum

from pluto_duck_backend.agent.context.quoting import line, name, name_of, value, without_enum
from pluto_duck_text2sql.data.catalog import Column, ForeignKey, Table
from pluto_duck_text2sql.language.words import name_stems

_LONGEST_COMMENT = 160
_LONGEST_TABLE_COMMENT = 240
_LONGEST_VALUE = 30
_MOST_COLUMNS = 60
_MOST_BRIEF = 12
_FRACTIONS = ("FLOAT", "DOUBLE", "DECIMAL", "REAL")


class Detail(Enum):
    """How much of a table is shown."""

    FULL = "full"
    BRIEF = "brief"


def shown_in(detail: Detail) -> int:
    """How many columns of a table are shown at least; of one with no more, all are."""
    return _MOST_BRIEF if detail is Detail.BRIEF else _MOST_COLUMNS


def described(table: Table, linked: Collection[str], detail: Detail, *, values: bool) -> str:
    """The table's head, columns and keys; the columns that a question names are never left out."""
    rows = f", {table.row_count:,} rows" if values and table.row_count is not None and detail is Detail.FULL else ""
    head = f"{name_of(table)} ({table.kind}{rows}){_comment(table.comment, _LONGEST_TABLE_COMMENT)}"
    shown = list(_shown(table, linked, detail))
    if detail is Detail.BRIEF:
        body = [f"  {', '.join(name(column.name) for column in shown)}{_more(table, shown)}"]
    else:
        body = [_column(column, values) for column in shown]
        body += [f"  {_more(table, shown).lstrip(', ')}"] if len(shown) < len(table.columns) else []
    return "\n".join([head, *body, *_keys(table)])


def _shown(table: Table, linked: Collection[str], detail: Detail) -> Iterator[Column]:
    """In the table's order; where there are very many, the linked ones, those of keys, and the first others."""
    most = shown_in(detail)
    keys = {each for key in table.foreign_keys for each in key.columns} | set(table.primary_key)
    wanted = [c.name for c in table.columns if c.name in linked or c.name in keys]
    others = [c.name for c in table.columns if c.name not in wanted]
    chosen = set(wanted) | set(others[: max(most - len(wanted), 0)])
    return (column for column in table.columns if column.name in chosen)


def _more(table: Table, shown: list[Column]) -> str:
    rest = len(table.columns) - len(shown)
    return f", and {rest} more columns" if rest else ""


def _column(column: Column, values: bool) -> str:
    held = f"{_held(column)}{_missing(column)}" if values else ""
    kind = column.type if values else without_enum(column.type)
    return f"  {name(column.name)} {kind[:60]}{held}{_comment(column.comment)}"


def _held(column: Column) -> str:
    """The values of a column that holds few; of another how its dates are written, what it goes from and to.

    Texts that all are numbers are told to be, since as texts they sort wrongly and do not add up.
    """
    written = f" dates as {value(column.date_format, _LONGEST_VALUE)}" if column.date_format else ""
    written = written or (" numbers as texts" if column.of_numbers else "")
    if held := column.samples or column.lookup:
        return f"{written} in ({', '.join(value(each, _LONGEST_VALUE) for each in held)})"
    if (column.kind == "time" or written or _is_year(column)) and column.minimum is not None:
        return f"{written} from {_bound(column.minimum)} to {_bound(column.maximum)}"
    return written or (" between 0 and 1" if _is_share(column) else "")


def _bound(least_or_most: object) -> str:
    """A day or moment to the second; a number of texts as they may write it, 7 for 7.0."""
    return str(least_or_most)[:19].removesuffix(".0")


def _missing(column: Column) -> str:
    """In how many of the rows nothing is stored."""
    percent = 100 * (column.null_fraction or 0)
    return f" NULL in {round(percent) or 'under 1'} %" if percent else ""


def _is_year(column: Column) -> bool:
    """Whether it is called a year, which a question may name; how the numbers of others go is not told."""
    return column.kind == "number" and "year" in name_stems(column.name)


def _is_share(column: Column) -> bool:
    """Whether all its numbers are fractions of 1, so that it holds no percentages; which they are is not told."""
    if column.minimum is None or not column.type.upper().startswith(_FRACTIONS):
        return False
    return bool(column.minimum >= 0 and column.maximum <= 1)


def _keys(table: Table) -> Iterator[str]:
    if table.primary_key:
        yield f"  key: {', '.join(map(name, table.primary_key))}"
    for key in table.foreign_keys:
        yield f"  {', '.join(map(name, key.columns))} -> {_target(key)}"


def _target(key: ForeignKey) -> str:
    return f"{name(key.ref_schema)}.{name(key.ref_table)} ({', '.join(map(name, key.ref_columns))})"


def _comment(text: str, most: int = _LONGEST_COMMENT) -> str:
    return f" -- {line(text, most)}" if text.strip() else ""

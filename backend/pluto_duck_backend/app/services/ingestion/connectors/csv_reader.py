"""Types of delimited text whose dialect is known, the SELECT that reads it, and its errors in the words of the file.

`csv_files` asks. What must stay true: a type holds for the whole column, `00123` and `+49…` stay text, and no digit is
lost in silence.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError, QueryFailed
from pluto_duck_backend.app.core.warehouse import literal, quote
from pluto_duck_backend.app.services.ingestion.connectors import digits, exact
from pluto_duck_backend.app.services.ingestion.connectors.csv_dialect import Dialect
from pluto_duck_backend.app.services.ingestion.connectors.csv_values import read_as
from pluto_duck_backend.app.services.ingestion.contract import Toolbox
from pluto_duck_backend.app.services.ingestion.text import TextFile

_AT_ONCE = 1000  # columns looked at in one query
_LONG = ("HUGEINT", "BIGNUM")
#   types of long integers that DuckDB finds from 2.0 on; which one keeps the digits of a column is chosen here
_EXACT: dict[str, Callable[[str, str], str]] = {"BIGINT": exact.whole_number, "DOUBLE": exact.number}
_CODE = r"([-+]?0[0-9].*|\+.*)"  # what a number would lose: leading zeros, a plus sign
_SHORT_YEAR = re.compile(r"\s*\d\d?([/.-])\d\d?\1\d\d\b(?!\1).*")
_PARTS = {"%d": "day", "%m": "month", "%b": "month", "%B": "month", "%Y": "year", "%y": "year"}
_PARTS |= {"%H": "hour", "%I": "hour", "%M": "minute", "%S": "second", "%p": "am or pm"}
_YEAR_FIRST = re.compile(r"^%y([/.])%m\1%d")
_MIXED_ENDS = "reached an invalid state"
_BROKEN_ROWS = ("expected number of columns", "nterminated", "quote", "invalid unicode", "finds no columns")
_OTHER_NUMBER = "a number of another form than the first ones"
_NEED_ALL_ROWS = (
    *(_OTHER_NUMBER, "Conversion Error", "Error when converting"),
    *("Maximum line size", "nvalid unicode", _MIXED_ENDS),
)
_DIGITS = r"\s*-?[0-9]+\s*"
_NUMBER = r"\s*-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*"


class Reader:
    """Finds the types of one file and words its errors."""

    def __init__(self, path: Path, text: TextFile, dialect: Dialect, names: Sequence[str], tools: Toolbox) -> None:
        self._path = path
        self._text = text
        self._dialect = dialect
        self._names = names
        self._tools = tools
        self._options: dict[str, str] = {}
        self.notes: list[str] = []

    def types(self) -> list[str]:
        """A DuckDB type for each column."""
        covered = self._tools.thorough or self._text.lines <= self._tools.sample_rows
        sample = -1 if covered else self._tools.sample_rows
        types = self._sniffed(sample)
        if "DOUBLE" not in types and self._dialect.delimiter == ";":
            types = self._with_decimal_comma(sample, types)
        types = self._without_codes(self._without_lost_centuries(types))
        return self._that_hold(types) if self._tools.thorough else types

    def _sniffed(self, sample: int, extra: str = "") -> list[str]:
        """The types DuckDB finds; text for all where it finds another shape, so that reading names the line."""
        everything_text = ["VARCHAR"] * len(self._names)
        if not self._has_rows():
            return everything_text
        found = f"sniff_csv({self._arguments()}, sample_size = {sample}{extra})"
        with contextlib.suppress(QueryFailed):
            row = self._with_year_last(self._formats(found), sample, extra)
            if len(row[0]) == len(self._names):
                self._remember_formats(row[1], row[2])
                return ["DOUBLE" if each["type"] in _LONG else str(each["type"]) for each in row[0]]
        error = self._broken(everything_text)
        if _MIXED_ENDS not in error.message or "strict_mode" in self._options:
            raise error
        self._options["strict_mode"] = "false"
        self.notes.append("lines end in different ways")
        return self._sniffed(sample, extra)

    def _without_lost_centuries(self, types: list[str]) -> list[str]:
        """Times of days with two digits of the year stay text, to be read as such (csv_values.py).

        DuckDB takes the first digits for the year where it finds no format: 31/12/23 14:05 for one of the year 31.
        """
        if "timestampformat" in self._options or "TIMESTAMP" not in types:
            return types
        rows = self._dialect.rows[int(self._dialect.header) :]
        short = {i for row in rows for i, cell in enumerate(row) if _SHORT_YEAR.fullmatch(cell)}
        return ["VARCHAR" if i in short and kind == "TIMESTAMP" else kind for i, kind in enumerate(types)]

    def _formats(self, sniffed: str) -> tuple[Any, ...]:
        return self._row(f"SELECT Columns, DateFormat, TimestampFormat FROM {sniffed}")

    def _with_year_last(self, row: tuple[Any, ...], sample: int, extra: str) -> tuple[Any, ...]:
        """Of 31/12/23 the last digits are the year as far as all values allow it; DuckDB takes the first."""
        pairs = (("dateformat", row[1]), ("timestampformat", row[2]))
        turned = {option: _YEAR_FIRST.sub(r"%d\1%m\1%y", found) for option, found in pairs if found}
        asked = "".join(f", {option} = {literal(each)}" for option, each in turned.items())
        if list(turned.values()) == [found for _, found in pairs if found]:
            return row
        other = self._formats(f"sniff_csv({self._arguments()}, sample_size = {sample}{extra}{asked})")
        return other if other[0] == row[0] else row

    def _has_rows(self) -> bool:
        return self._text.lines > self._dialect.skip + 1 or len(self._dialect.rows) > int(self._dialect.header)

    def _remember_formats(self, date: str | None, timestamp: str | None) -> None:
        for option, found in (("dateformat", date), ("timestampformat", timestamp)):
            if found:
                self._options[option] = literal(found)
                note = f"dates read as {_spelt(found)}"
                if not found.startswith("%Y-%m-%d") and note not in self.notes:
                    self.notes.append(note)

    def _with_decimal_comma(self, sample: int, types: list[str]) -> list[str]:
        found = self._sniffed(sample, ", decimal_separator = ','")
        if "DOUBLE" not in found:
            return types
        self._options["decimal_separator"] = "','"
        self.notes.append("numbers read with a decimal comma")
        return found

    def _without_codes(self, types: list[str]) -> list[str]:
        """Number columns with the type that keeps every digit of every row."""
        numbers = [i for i, kind in enumerate(types) if kind in _EXACT]
        if not numbers or self._numbers_are_checked():
            return types
        long: list[int] = []
        for start in range(0, len(numbers), _AT_ONCE):
            some = numbers[start : start + _AT_ONCE]
            row = self._asked_of_texts(len(types), [_number_tests(f"c{i}") for i in some])
            for at, i in enumerate(some):
                found = row[4 * at : 4 * at + 4]
                types[i] = _number_type(types[i], *found)
                long += [i] if _may_lose_digits(types[i], found[3]) else []
        self._keep_digits(types, long)
        return types

    def _asked_of_texts(self, width: int, tests: Sequence[str]) -> Sequence[Any]:
        """Aggregates over the cells of all rows as they are spelt, called c0, c1, …"""
        columns = _struct({f"c{i}": "VARCHAR" for i in range(width)})
        try:
            return self._row(
                f"SELECT {', '.join(tests)} FROM read_csv({self._arguments()}, {columns}, auto_detect = false)"
            )
        except QueryFailed as error:
            raise self.explain(error) from error

    def _keep_digits(self, types: list[str], long: Sequence[int]) -> None:
        """Columns of long numbers with the type that keeps their digits."""
        has_comma = "decimal_separator" in self._options
        for start in range(0, len(long), _AT_ONCE):
            some = long[start : start + _AT_ONCE]
            cells = [f"replace(c{i}, ',', '.')" if has_comma else f"c{i}" for i in some]
            found = digits.exacts(self._asked_of_texts(len(types), [digits.tests(cell) for cell in cells]))
            for i, each in zip(some, found, strict=True):
                types[i] = each.type
                self.notes += [f"column {self._names[i]} {each.note}"] if each.note else []

    def _numbers_are_checked(self) -> bool:
        """Whether `select` looks at each number as it is read: types come from the first rows of a large file."""
        is_large = not self._tools.thorough and self._text.lines > self._tools.sample_rows
        return is_large and "decimal_separator" not in self._options

    def _checked(self, types: Sequence[str]) -> dict[str, str]:
        """By column, the expression that makes a number of its text or stops."""
        if not self._numbers_are_checked():
            return {}
        pairs = zip(self._names, types, strict=True)
        return {name: _EXACT[kind](quote(name), _OTHER_NUMBER) for name, kind in pairs if kind in _EXACT}

    def _that_hold(self, types: list[str]) -> list[str]:
        """Text for each column in which a value does not fit the type that DuckDB found; it looks at some rows only."""
        while True:
            try:
                self._row(f"SELECT count(COLUMNS(*)) FROM {self.call(types)}")
            except QueryFailed as error:
                wrong = re.search(r'Error when converting column "(.*?)"\.', error.message)
                if not wrong or types[self._names.index(wrong[1])] == "VARCHAR":
                    return types
                types[self._names.index(wrong[1])] = "VARCHAR"
            else:
                return types

    def _row(self, sql: str) -> tuple[Any, ...]:
        """One row, in a session of its own, since a failed statement spoils the session."""
        with self._tools.read() as session:
            return session.row(sql) or ()

    def _broken(self, types: Sequence[str]) -> PlutoDuckError:
        """The error that reading all rows as text gives."""
        try:
            self._row(f"SELECT count(COLUMNS(*)) FROM {self.call(types)}")
        except QueryFailed as error:
            return self.explain(error)
        return InvalidInput(
            f"{self._path}: DuckDB finds no columns in it with the delimiter {self._dialect.delimiter!r}.",
            code="bad_csv",
            hint="Look at the first lines of the file; docs/connectors.md names the options.",
        )

    def _arguments(self) -> str:
        options = {
            "delim": literal(self._dialect.delimiter),
            "quote": "'\"'",
            "escape": "'\"'",
            "skip": str(self._dialect.skip),
            "header": str(self._dialect.header).lower(),
            "max_line_size": "33554432" if self._tools.thorough else "4194304",
            **self._options,
        }
        return ", ".join([literal(str(self._text.path)), *(f"{name} = {value}" for name, value in options.items())])

    def call(self, types: Sequence[str]) -> str:
        """`read_csv(…)` with every choice made."""
        columns = dict(zip(self._names, types, strict=True))
        return f"read_csv({self._arguments()}, {_struct(columns)}, auto_detect = false)"

    def select(self, types: Sequence[str]) -> str:
        """The rows, with text turned into the numbers and dates that all of it is."""
        changes = self._checked(types)
        given = ["VARCHAR" if name in changes else kind for name, kind in zip(self._names, types, strict=True)]
        changes |= self._readings(types)
        changed = ", ".join(f"{sql} AS {quote(name)}" for name, sql in changes.items())
        return f"SELECT *{f' REPLACE ({changed})' if changed else ''} FROM {self.call(given)}"

    def _readings(self, types: Sequence[str]) -> dict[str, str]:
        """What makes values of the columns of text that are numbers or dates in another form."""
        texts = [name for name, kind in zip(self._names, types, strict=True) if kind == "VARCHAR"]
        if not texts or not self._has_rows():
            return {}
        sample = None if self._tools.thorough else self._tools.sample_rows

        def ask(asked: str, first: int | None) -> Sequence[Any]:
            limit = sample if first is None else first
            some = f" LIMIT {limit}" if limit else ""
            return self._row(f"SELECT {asked} FROM (SELECT * FROM {self.call(types)}{some})")

        try:
            found = read_as(ask, texts)
        except QueryFailed as error:
            raise self.explain(error) from error
        self.notes.extend(f"column {name} read as {each.note}" for name, each in found.items())
        return {name: each.sql(quote(name)) for name, each in found.items()}

    def explain(self, error: PlutoDuckError) -> PlutoDuckError:
        """DuckDB's report in the words of the file: line, column, what is wrong there."""
        message = error.message
        if not self._tools.thorough and any(each in message for each in _NEED_ALL_ROWS):
            return QueryFailed(message, code="types_from_sample")
        if not self._tools.mending and any(each in _told(message) for each in _BROKEN_ROWS):
            return QueryFailed(message, code="rows_to_mend")
        line = re.search(r"CSV Error on Line: (\d+)", message)
        place = f"{self._path}, line {line[1]}" if line else str(self._path)
        return InvalidInput(f"{place}: {_reason(message)}", code="bad_csv", hint="Mend that line; nothing was loaded.")


def _spelt(form: str) -> str:
    """A format in words: `day.month.year` for %d.%m.%Y."""
    return re.sub("%[a-zA-Z]", lambda found: _PARTS.get(found[0], found[0]), form)


def _number_tests(cell: str) -> str:
    """Any value is a code; all are digits; all are numbers; the length of the longest."""
    return (
        f"bool_or(regexp_full_match({cell}, '{_CODE}')), bool_and(regexp_full_match({cell}, '{_DIGITS}')),"
        f" bool_and(regexp_full_match({cell}, '{_NUMBER}')), max(length({cell}))"
    )


def _may_lose_digits(kind: str, length: int) -> bool:
    """Whether the longest value of a column may be longer than its type holds."""
    return (kind == "DOUBLE" and length > 15) or (kind == "HUGEINT" and length > 38)


def _number_type(sniffed: str, is_code: bool | None, whole: bool | None, numbers: bool | None, length: int) -> str:
    """DuckDB rounds 2.5 to fit a BIGINT column without a word, so the sample's type is checked against all rows."""
    if is_code:
        return "VARCHAR"
    if sniffed == "DOUBLE":
        return "HUGEINT" if whole else "DOUBLE"
    if whole is False:
        return "DOUBLE" if numbers else "VARCHAR"
    return sniffed


def _struct(columns: dict[str, str]) -> str:
    return "columns = {" + ", ".join(f"{literal(name)}: {literal(kind)}" for name, kind in columns.items()) + "}"


def _told(message: str) -> str:
    """What DuckDB says of the error itself, in lower case, without its advice and the settings it lists."""
    return message.casefold().split("possible")[0].split("  file = ")[0]


def _reason(message: str) -> str:
    original = re.search(r"Original Line: ?(.*)", message)
    text = f": {original[1].strip()[:200]}" if original and original[1].strip() else ""
    width = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if width:
        return f"expected {width[1]} columns, found {width[2]}{text}"
    converting = re.search(r'Error when converting column "(.*?)"\. ?(.*)', message)
    if converting:
        return f"column {converting[1]}: {converting[2]}{text}"
    if "nterminated" in message or "quote" in _told(message):
        return f"a quoted value is not closed, or a quote stands inside one{text}"
    lines = [each for each in message.splitlines() if each and not each.startswith("CSV Error on Line")]
    return (lines[0] if lines else "it cannot be read") + text

"""What text in a column really is: numbers with thousands separators, decimal points and commas, dates of any form.

`csv_files` asks about the columns that DuckDB leaves as text. What must stay true: a column changes only where every
value fits one reading, nothing is ambiguous, and the reading is told in a warning; codes such as 00123 stay text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.app.core.warehouse import literal, quote

_AT_ONCE = 1000  # conditions in one query
_FIRST = 1000  # rows


@dataclass(frozen=True)
class Reading:
    """How to read a text column: `fits` must match every value, one value at least has to match `needs`.

    What `alike` finds in values must be the same in all that have it.
    """

    note: str
    fits: str
    needs: str
    form: str
    alike: str = ""

    def sql(self, column: str) -> str:
        return self.form.format(f"trim({column})")

    def fits_all(self, column: str) -> str:
        """A condition over rows, as SQL: every value fits."""
        fits = f"coalesce(bool_and({self._matches(column, self.fits)}) FILTER ({column} IS NOT NULL), true)"
        found = f"nullif(regexp_extract({column}, {literal(self.alike)}), '')"
        return f"{fits} AND count(DISTINCT {found}) <= 1" if self.alike else fits

    def is_needed(self, column: str) -> str:
        """A condition over rows, as SQL: a value can be read in this way only."""
        return f"coalesce(bool_or({self._matches(column, self.needs)}), false)"

    def _matches(self, column: str, pattern: str) -> str:
        return f"regexp_full_match(trim({column}), {literal(pattern)})"


def _dates(note: str, pattern: str, needs: str, *formats: str) -> Reading:
    listed = ", ".join(literal(each) for each in formats)
    return Reading(f"dates, {note}", pattern, needs, f"CAST(strptime({{}}, [{listed}]) AS DATE)")


def _times(note: str, day: str, needs: str, *formats: str) -> Reading:
    """Days with a time as Excel writes them; the day of one value at least has to tell the order."""
    return Reading(
        f"times, {note}",
        f"(?:{day}) {_CLOCK}",
        f"(?:{needs}) {_CLOCK}",
        f"CAST(strptime({{}}, [{_clocked(*formats)}]) AS TIMESTAMP)",
    )


def _clocked(*days: str) -> str:
    """Formats of days with every form of a time, listed as SQL."""
    clock = ("%H:%M:%S", "%H:%M", "%I:%M:%S %p", "%I:%M %p")
    return ", ".join(literal(f"{each} {time}") for each in days for time in clock)


_SIGN = r"(?:[$€£¥]|USD|EUR|GBP|CHF|JPY)"
_SPACE = r"[ \x{00A0}\x{202F}]"
_GROUPED = r"(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3})"  # 1,234,567 or as in India 12,34,567
_ENGLISH = rf"(?:0|{_GROUPED}|[1-9]\d*)(?:\.(?:\d{{1,2}}|\d{{4,}}))?"
_EUROPEAN = rf"(?:0|[1-9]\d{{0,2}}(?:(?:[.]|{_SPACE})\d{{3}})+|[1-9]\d*)(?:,\d{{1,2}})?"


def _money(note: str, number: str, needs: str, mark: str) -> Reading:
    """Numbers with one sign of money, or negative as accountants and SAP write them; `mark` is before the decimals."""
    around = rf"{_SPACE}?{number}{_SPACE}?{_SIGN}?"
    fits = rf"[-+]?{_SIGN}?[-+]?{around}|\({_SIGN}?{around}\)|{around}-"
    size = f"replace(regexp_replace({{0}}, '[^0-9{mark}]', '', 'g'), '{mark}', '.')"
    sign = "CASE WHEN regexp_matches({0}, '[-(]') THEN '-' ELSE '' END"
    return Reading(note, fits, needs, f"CAST({sign} || {size} AS DOUBLE)", _SIGN)


_DAY, _MONTH = r"(0?[1-9]|[12][0-9]|3[01])", r"(0?[1-9]|1[0-2])"
_NAMED = r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_CLOCK = r"([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?( (?i:[ap]m))?"
_HALF_DAY = r"(0?[1-9]|1[0-2]):[0-5]\d(:[0-5]\d)? ?(?i:[ap]\.?m\.?)"
_ISO = rf"\d{{4}}-{_MONTH}-{_DAY}"
_YEAR_FIRST = rf"\d{{4}}[-/]{_MONTH}[-/]{_DAY} {_HALF_DAY}"
_IN_WORDS = rf"(?:{_NAMED} {_DAY},? \d{{4}}|{_DAY}[ -]{_NAMED}[ -]\d{{4}}),? {_CLOCK}"
_IN_WORDS_DAYS = ("%b %d %Y", "%B %d %Y", "%d %b %Y", "%d %B %Y", "%d-%b-%Y")
_OF_UTC = rf"{_ISO}[ T]([01]?\d|2[0-3]):[0-5]\d:[0-5]\d ?(?:[+]00:?00|UTC)"
_LOGGED = rf"\[?{_DAY}/{_NAMED}/\d{{4}}:{_CLOCK} [-+]\d{{4}}\]?"
_FORMULA = r'="[^"]*"|[^"=]*'
_FORMULA_FORM = """regexp_replace({}, '^="(.*)"$', '\\1')"""
READINGS = (
    Reading(
        "numbers with thousands separators (1,234.5)",
        rf"-?(0|{_GROUPED}|[1-9]\d*)(\.\d+)?",
        rf"-?{_GROUPED}(\.\d+)?",
        "CAST(replace({}, ',', '') AS DOUBLE)",
    ),
    Reading(
        "numbers with thousands separators (1.234,5)",
        r"-?(0|[1-9]\d{0,2}(\.\d{3})+|[1-9]\d*)(,\d+)?",
        r"-?\d{1,3}(\.\d{3})+,\d+|-?\d{1,3}(\.\d{3}){2,}",
        "CAST(replace(replace({}, '.', ''), ',', '.') AS DOUBLE)",
    ),
    Reading(
        "numbers with thousands separators (1 234,5)",
        r"-?(0|[1-9]\d{0,2}([ '’\x{00A0}\x{202F}]\d{3})+|[1-9]\d*)([.,]\d+)?",
        r"-?\d{1,3}([ '’\x{00A0}\x{202F}]\d{3})+([.,]\d+)?",
        "CAST(replace(regexp_replace({}, '[ ''’\\x{{00A0}}\\x{{202F}}]', '', 'g'), ',', '.') AS DOUBLE)",
    ),
    Reading(
        "numbers with decimal points and commas",
        r"-?(0|[1-9]\d*)([.,](\d{1,2}|\d{4,}))?",
        r"-?\d+,(\d{1,2}|\d{4,})",
        "CAST(replace({}, ',', '.') AS DOUBLE)",
    ),
    Reading(
        "numbers with the minus sign of typography (−1.5)",
        r"[-−]?(0|[1-9]\d*)([.,](\d{1,2}|\d{4,}))?",
        "−.*",
        "CAST(replace(replace({}, '−', '-'), ',', '.') AS DOUBLE)",
    ),
    _dates(
        "day before month",
        rf"{_ISO}|{_DAY}\.{_MONTH}\.\d{{4}}|{_DAY}/{_MONTH}/\d{{4}}",
        rf"{_DAY}\.{_MONTH}\.\d{{4}}|(1[3-9]|2\d|3[01])/{_MONTH}/\d{{4}}",
        *("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y"),
    ),
    _dates(
        "month before day",
        rf"{_ISO}|{_MONTH}/{_DAY}/\d{{4}}",
        rf"{_MONTH}/(1[3-9]|2\d|3[01])/\d{{4}}",
        *("%Y-%m-%d", "%m/%d/%Y"),
    ),
    _dates(
        "with names of months",
        rf"{_ISO}|{_DAY}[ -]{_NAMED}[ -]\d{{4}}|{_NAMED} {_DAY},? \d{{4}}",
        rf"{_DAY}[ -]{_NAMED}[ -]\d{{4}}|{_NAMED} {_DAY},? \d{{4}}",
        *("%Y-%m-%d", "%d %b %Y", "%d-%b-%Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y"),
    ),
    _dates(
        "with names of months and two digits of the year", *[rf"{_DAY}[ -]{_NAMED}[ -]\d\d"] * 2, "%d-%b-%y", "%d %b %y"
    ),
    _times(
        "day before month",
        rf"{_DAY}[./]{_MONTH}[./]\d{{4}}",
        rf"{_DAY}\.{_MONTH}\.\d{{4}}|(1[3-9]|2\d|3[01])/{_MONTH}/\d{{4}}",
        *("%d.%m.%Y", "%d/%m/%Y"),
    ),
    _times("month before day", rf"{_MONTH}/{_DAY}/\d{{4}}", rf"{_MONTH}/(1[3-9]|2\d|3[01])/\d{{4}}", "%m/%d/%Y"),
    _times(
        "day before month, two digits of the year",
        rf"{_DAY}[./]{_MONTH}[./]\d\d",
        rf"{_DAY}\.{_MONTH}\.\d\d|(1[3-9]|2\d|3[01])/{_MONTH}/\d\d",
        *("%d.%m.%y", "%d/%m/%y"),
    ),
    _times(
        "month before day, two digits of the year",
        *(rf"{_MONTH}/{_DAY}/\d\d", rf"{_MONTH}/(1[3-9]|2\d|3[01])/\d\d", "%m/%d/%y"),
    ),
    Reading(
        "times, year first, with am and pm",
        _YEAR_FIRST,
        _YEAR_FIRST,
        "CAST(strptime(regexp_replace(upper({}), '(:[0-9]+) ?([AP])[.]?M[.]?$', '\\1 \\2M'),"
        " ['%Y/%m/%d %I:%M:%S %p', '%Y-%m-%d %I:%M:%S %p', '%Y/%m/%d %I:%M %p', '%Y-%m-%d %I:%M %p']) AS TIMESTAMP)",
    ),
    Reading(
        "times with names of months",
        _IN_WORDS,
        _IN_WORDS,
        f"CAST(strptime(replace({{}}, ',', ''), [{_clocked(*_IN_WORDS_DAYS)}]) AS TIMESTAMP)",
    ),
    Reading(
        "times of UTC",
        _OF_UTC,
        _OF_UTC,
        "CAST(strptime(replace(regexp_replace({}, ' ?([+]00:?00|UTC)$', ''), 'T', ' '), '%Y-%m-%d %H:%M:%S')"
        " AS TIMESTAMP)",
    ),
    Reading(
        "times as web servers log them",
        _LOGGED,
        _LOGGED,
        "strptime(trim({}, '[]'), '%d/%b/%Y:%H:%M:%S %z')",
    ),
    Reading(
        "times of day with am and pm",
        _HALF_DAY,
        _HALF_DAY,
        "CAST(strptime(regexp_replace(upper({}), '[ .]', '', 'g'), ['%I:%M%p', '%I:%M:%S%p']) AS TIME)",
    ),
    Reading('texts that Excel is kept from reading as numbers (="00123")', _FORMULA, '=".*', _FORMULA_FORM),
    _money("amounts with their sign or brackets ($1,234.50)", _ENGLISH, rf".*{_SIGN}.*|\(.*\)|.*\d-", "."),
    _money(
        "amounts with their sign or brackets (1.234,50 €)",
        _EUROPEAN,
        rf".*,\d{{1,2}}(?:\D*{_SIGN}|\)|-)|\D*{_SIGN}.*,\d{{1,2}}\D*",
        ",",
    ),
)


Ask = Callable[[str, int | None], Sequence[Any]]
#   gives the row of a SELECT list over the values: of so many first rows, or of all that are to be looked at


def read_as(ask: Ask, columns: Sequence[str]) -> dict[str, Reading]:
    """The reading of each column that has one. What the first rows do not fit is not looked for in the others."""
    pairs = [(name, each) for name in columns for each in READINGS]
    likely = _holding(ask, [(pair, pair[1].fits_all(quote(pair[0]))) for pair in pairs], _FIRST)
    conditions = [
        (pair, f"{pair[1].fits_all(quote(pair[0]))} AND {pair[1].is_needed(quote(pair[0]))}") for pair in likely
    ]
    found: dict[str, Reading] = {}
    for name, reading in _holding(ask, conditions, None):
        found.setdefault(name, reading)
    return found


Pair = tuple[str, Reading]


def _holding(ask: Ask, conditions: Sequence[tuple[Pair, str]], first: int | None) -> list[Pair]:
    """Those whose condition holds."""
    held: list[Pair] = []
    for start in range(0, len(conditions), _AT_ONCE):
        some = conditions[start : start + _AT_ONCE]
        row = ask(", ".join(condition for _, condition in some), first)
        held += [pair for (pair, _), holds in zip(some, row, strict=True) if holds]
    return held

"""Closing totals of delimited text: a last line such as `Total,,30` or `Average,,15`, which is no row of the table.

`csv_files` asks whether the last line may be one, and `csv_mending` leaves it out. What must stay true: a line goes
only where it calls itself a total (an average) and every number in it is the sum (the mean) of its column; it is told
in the notes.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path

from pluto_duck_backend.app.services.ingestion.unpacking import tail_of

_LABEL = re.compile(
    r"((grand|sub|net|overall)[ -]?)?totals?|totale[ns]?|total g[eé]n[eé]ral|sum|summe|suma|somme|"
    r"(gesamt|end|zwischen)(summe|betrag)?|insgesamt|totaal|итого|всего|合計|总计|總計|합계",
    re.IGNORECASE,
)
_MEAN = re.compile(
    r"(average|avg|mean)s?|durchschnitt|mittel(wert)?|moyenne|promedio|media|gemiddelde|среднее|平均", re.IGNORECASE
)
_TAIL = 1 << 16  # bytes
_NUMBER = re.compile(r"\(?[-+]?\d[\d.,\s\u00a0\u202f']*\)?")
_AROUND = " \u00a0%€$£¥"


def is_label(cell: str) -> bool:
    """Whether a cell says that its line is a total."""
    return _LABEL.fullmatch(_words(cell)) is not None or _is_mean(cell)


def _is_mean(cell: str) -> bool:
    return _MEAN.fullmatch(_words(cell)) is not None


def _words(cell: str) -> str:
    return cell.strip().rstrip(":.").strip()


def last_line_of(path: Path) -> tuple[str, bool]:
    """The last line of a text file that is not blank, and whether a blank one stands before it."""
    lines = re.split(r"\r\n|\r|\n", tail_of(path, _TAIL).decode("utf-8", "replace"))
    last = next((i for i in reversed(range(len(lines))) if lines[i].strip()), 0)
    return lines[last], last > 0 and not lines[last - 1].strip()


def calls_itself_total(line: str, delimiter: str) -> bool:
    """Whether one of the first cells says so."""
    return any(map(is_label, cells_of(line, delimiter)[:3]))


def is_total_of(total: Sequence[str], rows: Iterable[Sequence[str]]) -> bool:
    """Whether each number of the row `total` is the sum of its column in `rows` (the mean where it says so), and there
    is one."""
    numbers = {i: _number(cell) for i, cell in enumerate(total) if cell.strip() and not is_label(cell)}
    wanted = {i: number for i, number in numbers.items() if number is not None}
    if not wanted or len(wanted) < len(numbers):
        return False
    sums, counts = dict.fromkeys(wanted, Decimal(0)), dict.fromkeys(wanted, 0)
    for row in rows:
        for i in wanted:
            found = _number(row[i]) if i < len(row) else None
            sums[i] += found or 0
            counts[i] += found is not None
    parts = {i: max(1, counts[i]) if any(map(_is_mean, total)) else 1 for i in wanted}
    return all(abs(sums[i] / parts[i] - number) <= _last_digit(number) for i, number in wanted.items())


def cells_of(line: str, delimiter: str) -> list[str]:
    """The cells of one line."""
    return next(csv.reader([line.strip("\r\n")], delimiter=delimiter), [])


def _last_digit(number: Decimal) -> Decimal:
    """A total is rounded to the digits that it shows."""
    return Decimal(1).scaleb(int(number.as_tuple().exponent)) / 2


def _number(cell: str) -> Decimal | None:
    """The number that a cell shows, in whatever way thousands and decimals are marked; None for anything else."""
    text = cell.strip(_AROUND)
    if _NUMBER.fullmatch(text) is None:
        return None
    sign = "-" if text.startswith(("(", "-")) else ""
    digits = re.sub(r"[\s\u00a0\u202f'()+-]", "", text)
    marks = [each for each in digits if each in ".,"]
    if len(set(marks)) == 2 or (len(marks) == 1 and not re.fullmatch(r"\d{1,3},\d{3}", digits)):
        whole, _, part = digits.rpartition(marks[-1])
    else:
        whole, part = digits, ""
    return Decimal(sign + re.sub(r"[.,]", "", whole) + (f".{part}" if part else ""))

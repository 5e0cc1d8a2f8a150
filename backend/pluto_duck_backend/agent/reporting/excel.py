"""A report as an Excel workbook: a sheet that tells, with the chart, and a sheet with the rows, typed.

Text is written as text, whatever it begins with: a cell that says `=…` is no formula.
"""

from __future__ import annotations

import datetime as dt
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.agent.charting.images import image_of
from pluto_duck_backend.agent.reporting.report import Report

_MOST_ROWS = 1_048_575
_CHUNK = 1 << 20
_SCALE = 0.5
#   images have twice the pixels of their size
_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}
_DAYS = {"DATE": "yyyy-mm-dd", "TIMESTAMP": "yyyy-mm-dd hh:mm:ss"}
_FIRST_YEAR = 1900


def write(report: Report) -> Iterator[bytes]:
    """The workbook, through a file of its own, since it may have a million rows."""
    import xlsxwriter

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.xlsx"
        with xlsxwriter.Workbook(path, _OPTIONS) as book:
            _tell(book, report)
            _fill(book, report)
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk


def _tell(book: Any, report: Report) -> None:
    final, sheet, bold = report.final, book.add_worksheet("Answer"), book.add_format({"bold": True})
    wrapped = book.add_format({"text_wrap": True, "valign": "top"})
    sheet.set_column(0, 0, 16)
    sheet.set_column(1, 1, 90)
    lines = [("Question", report.title), ("Answer", report.sentence), *report.facts()]
    lines += [("Read as", line) for line in final["reading"]] + [("Beware", line) for line in final["caveats"]]
    lines += [("SQL", final["sql"]), ("", report.left_out(_MOST_ROWS))]
    for n, (name, text) in enumerate(lines):
        sheet.write_string(n, 0, name, bold)
        sheet.write_string(n, 1, text[:32_000], wrapped)
    if final["chart"]:
        image = {"image_data": io.BytesIO(image_of(final["chart"], "png")), "x_scale": _SCALE, "y_scale": _SCALE}
        sheet.insert_image(len(lines) + 1, 1, "chart.png", image)


def _fill(book: Any, report: Report) -> None:
    sheet, bold = book.add_worksheet("Rows"), book.add_format({"bold": True})
    formats = [
        book.add_format({"num_format": _DAYS[kind]}) if (kind := _day(column)) else None
        for column in report.final["columns"]
    ]
    for n, name in enumerate(report.names):
        sheet.write_string(0, n, name, bold)
    row_number = 0
    for batch in report.rows():
        for row in batch[: _MOST_ROWS - row_number]:
            row_number += 1
            for n, value in enumerate(row):
                _write(sheet, row_number, n, value, formats[n])
    sheet.freeze_panes(1, 0)


def _day(column: dict[str, str]) -> str:
    return column["type"] if column["type"] in _DAYS else ""


def _write(sheet: Any, row: int, column: int, value: Any, day: Any) -> None:
    if value is None:
        return
    if day and (moment := _moment(value)):
        sheet.write_datetime(row, column, moment, day)
    elif isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, int | float):
        sheet.write_number(row, column, value)
    else:
        sheet.write_string(row, column, value if isinstance(value, str) else orjson.dumps(value).decode())


def _moment(text: str) -> dt.datetime | None:
    """Excel's days begin in 1900; what lies before, or beyond all time, stays text."""
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.year >= _FIRST_YEAR and moment.tzinfo is None else None

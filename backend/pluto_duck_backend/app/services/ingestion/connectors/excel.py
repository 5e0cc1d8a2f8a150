"""Excel workbooks (xlsx, xlsm, xlsb, xls, ods): every sheet that is not empty, or the one named.

What must stay true: a column's type is one that each of its cells has; text such as `00123` stays text.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput, did_you_mean
from pluto_duck_backend.app.services.ingestion.connectors.sheets import sheet_of
from pluto_duck_backend.app.services.ingestion.content import head_of, kind_of
from pluto_duck_backend.app.services.ingestion.contract import Batch, Column, Config, SourceTable, Toolbox
from pluto_duck_backend.app.services.ingestion.names import table_name, unique_names
from pluto_duck_backend.app.services.ingestion.registry import stem_of, suffix_of

_BATCH = 10_000
_NAMELESS = re.compile(r"(sheet|tabelle|feuil|hoja|foglio|blad|folha|лист|工作表|シート)\s*\d*", re.IGNORECASE)
_TYPES: dict[type, str] = {
    bool: "BOOLEAN",
    int: "BIGINT",
    float: "DOUBLE",
    str: "VARCHAR",
    dt.date: "DATE",
    dt.datetime: "TIMESTAMP",
    dt.time: "TIME",
    dt.timedelta: "INTERVAL",
}


class ExcelFiles:
    name = "excel"
    summary = "Excel workbooks"
    suffixes: tuple[str, ...] = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """One table a sheet; `config` may name one `sheet`."""
        path = Path(config["path"])
        _check_content(path)
        sheets = _sheets(path, config.get("sheet"), tools)
        alone = len(sheets) == 1
        yield [_table(path, name, rows, alone=alone) for name, rows in sheets]


def _check_content(path: Path) -> None:
    """All kinds but `.xls` are ZIP archives; an Office container in their place is an encrypted file."""
    kind = kind_of(head_of(path)) or ""
    if suffix_of(path) == ".xls" or kind.startswith("ZIP"):
        return
    if kind.startswith("old Excel"):
        raise _unreadable(path, "it is encrypted, or an old .xls under another name", "Save it without a password.")
    raise _unreadable(path, f"it looks like {kind}" if kind else "its first bytes say otherwise")


def _sheets(path: Path, wanted: str | None, tools: Toolbox) -> list[tuple[str, list[list[Any]]]]:
    """`(name, rows)` of the sheets to load. Raises InvalidInput where there is none."""
    import python_calamine as calamine

    try:
        with calamine.CalamineWorkbook.from_path(str(path)) as book:
            names = list(book.sheet_names)
            _check_sheet(path, wanted, names)
            found = []
            for name in [wanted] if wanted else names:
                tools.check_cancelled()
                rows = book.get_sheet_by_name(name).to_python(skip_empty_area=True)
                found.append((name, rows if any(map(_holds, rows)) else []))
    except (calamine.CalamineError, OSError) as error:
        raise _unreadable(path, str(error)) from error
    filled = [(name, rows) for name, rows in found if rows]
    if not filled:
        raise InvalidInput(f"{path} holds no cells.", code="empty_file", hint="Check that it is the right workbook.")
    return filled


def _holds(row: Sequence[Any]) -> bool:
    return any(cell != "" for cell in row)


def _check_sheet(path: Path, wanted: str | None, names: Sequence[str]) -> None:
    if wanted and wanted not in names:
        raise InvalidInput(
            f"{path} has no sheet {wanted!r}. Sheets: {', '.join(names)}. {did_you_mean(wanted, names)}".rstrip(),
            code="unknown_sheet",
        )


def _unreadable(path: Path, why: str, hint: str = "Open it in a spreadsheet and save it again.") -> InvalidInput:
    return InvalidInput(f"{path} cannot be read as a workbook: {why}.", code="unreadable_file", hint=hint)


def _table(path: Path, name: str, rows: list[list[Any]], *, alone: bool) -> SourceTable:
    width = max(len(row) for row in rows)
    filled = [i for i, row in enumerate(rows) if _holds(row)]
    apart = [at for at, (above, i) in enumerate(pairwise(filled), 1) if i > above + 1]
    sheet = sheet_of([rows[i] + [""] * (width - len(rows[i])) for i in filled], apart)
    names, notes = unique_names(sheet.names)
    types = [_type_of([row[i] for row in sheet.rows]) for i in range(width)]
    return SourceTable(
        name=_name(path, name, alone=alone),
        own_name=not alone,
        origin=f"{path}, sheet {name}",
        columns=tuple(map(Column, names, types)),
        batches=partial(_batches, sheet.rows, types),
        column_comments={name: unit for name, unit in zip(names, sheet.units, strict=False) if unit},
        total_rows=len(sheet.rows),
        warnings=(*sheet.notes, *(notes if any(sheet.names) else ())),
    )


def _name(path: Path, sheet: str, *, alone: bool) -> str:
    """The file's name for a single sheet, the sheet's for several, both where the sheet's says nothing."""
    if alone:
        return table_name(stem_of(path))
    return table_name(f"{stem_of(path)} {sheet}" if _NAMELESS.fullmatch(sheet.strip()) else sheet)


def _label(cell: Any) -> str | None:
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return str(cell) if cell != "" else None


def _type_of(cells: Sequence[Any]) -> str:
    kinds = {type(cell) for cell in cells if cell != ""}
    if kinds == {float} and all(cell.is_integer() and abs(cell) < 2**53 for cell in cells if cell != ""):
        return "BIGINT"
    if kinds and kinds <= {int, float}:
        return "DOUBLE" if float in kinds else "BIGINT"
    if kinds == {dt.date, dt.datetime}:
        return "TIMESTAMP"
    return _TYPES.get(kinds.pop(), "VARCHAR") if len(kinds) == 1 else "VARCHAR"


def _batches(body: Sequence[Sequence[Any]], types: Sequence[str]) -> Iterator[Batch]:
    for start in range(0, len(body), _BATCH):
        rows = body[start : start + _BATCH]
        yield [[_value(cell, kind) for cell, kind in zip(row, types, strict=True)] for row in rows]


def _value(cell: Any, kind: str) -> Any:
    if cell == "":
        return None
    if kind == "VARCHAR" and not isinstance(cell, str):
        return _label(cell)
    if kind == "BIGINT":
        return int(cell)
    if kind == "DOUBLE":
        return float(cell)
    if kind == "TIMESTAMP" and not isinstance(cell, dt.datetime):
        return dt.datetime.combine(cell, dt.time())
    return cell

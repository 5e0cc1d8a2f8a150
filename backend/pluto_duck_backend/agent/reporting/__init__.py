"""A run as a file to keep or to send: question, reading, SQL, table, chart, caveats and time.

    run, job ─▶ Report ─▶ html (one file, nothing to load) | markdown | excel;  csv and parquet are the result alone

`Workspace.export` calls `write`. What must stay true: a file says which query it shows and how many rows it leaves out,
and no cell of it is ever run (as markup, as a formula).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, get_args

from pluto_duck_backend.agent.reporting import excel, html, markdown
from pluto_duck_backend.agent.reporting.report import Report

__all__ = ["EXPORT_FORMS", "EXPORT_TYPES", "ExportForm", "Report", "write"]

ExportForm = Literal["html", "md", "xlsx", "csv", "parquet"]
EXPORT_FORMS: tuple[ExportForm, ...] = get_args(ExportForm)
EXPORT_TYPES: dict[ExportForm, str] = {
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}
_WRITERS: dict[str, Callable[[Report], Iterator[bytes]]] = {
    "html": html.write,
    "md": markdown.write,
    "xlsx": excel.write,
}


def write(report: Report, form: ExportForm) -> Iterator[bytes]:
    """The file, piece by piece."""
    return _WRITERS[form](report) if form in _WRITERS else iter(report.data(form))

"""A warehouse of its own for each test, a service over it, and helpers that write real files."""

import contextlib
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from pluto_duck_backend.app.core.config import IngestSettings
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.warehouse import Warehouse, quote
from pluto_duck_backend.app.services.ingestion import IngestionService, LoadResult, Progress


@dataclass
class Bench:
    """The service under test and short words for what tests do with it."""

    paths: Paths
    warehouse: Warehouse
    service: IngestionService
    progress: list[Progress] = field(default_factory=list)

    def load(self, *sources, cancelled=lambda: False, **options) -> LoadResult:
        """Plan and load; the result of the last request."""
        result = None
        for request in self.service.plan([str(each) for each in sources], **options):
            *self.progress, result = self.service.load(request, cancelled=cancelled)
        assert isinstance(result, LoadResult)
        return result

    def rows(self, sql):
        with self.warehouse.read() as session:
            return session.rows(sql)

    def types(self, table):
        return {row[0]: row[1] for row in self.rows(f"DESCRIBE {quote(table)}")}

    def tables(self):
        return [row[0] for row in self.rows("SELECT table_name FROM duckdb_tables() ORDER BY ALL")]


@contextlib.contextmanager
def opened_bench(root):
    """A service with a sample of 1,000 rows, so that small files reach past it."""
    paths = Paths(root).create()
    warehouse = Warehouse.open(paths.warehouse)
    yield Bench(paths, warehouse, IngestionService(warehouse, paths, IngestSettings(sample_rows=1000, retry_s=0.01)))
    warehouse.close()


@pytest.fixture
def bench(tmp_path):
    with opened_bench(tmp_path / "root") as opened:
        yield opened


@pytest.fixture
def write(tmp_path):
    """`write("a.csv", b"…")` gives the path of a new file."""

    def make(name: str, data: bytes | str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return make


_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def write_xlsx(path: Path, sheets: dict[str, list[list[object]]]) -> Path:
    """A real workbook with text and number cells; None leaves a cell out."""
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("[Content_Types].xml", _content_types(len(sheets)))
        book.writestr("_rels/.rels", _relations([("officeDocument", "xl/workbook.xml")]))
        book.writestr("xl/workbook.xml", _workbook(sheets))
        targets = [("worksheet", f"worksheets/sheet{i}.xml") for i in range(1, len(sheets) + 1)]
        book.writestr("xl/_rels/workbook.xml.rels", _relations(targets))
        for number, rows in enumerate(sheets.values(), 1):
            book.writestr(f"xl/worksheets/sheet{number}.xml", _sheet(rows))
    return path


def _content_types(count):
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="application/vnd.openxmlformats-'
        f'officedocument.spreadsheetml.worksheet+xml"/>'
        for i in range(1, count + 1)
    )
    return (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats'
        '-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats'
        f'-officedocument.spreadsheetml.sheet.main+xml"/>{parts}</Types>'
    )


def _relations(targets):
    parts = "".join(
        f'<Relationship Id="rId{i}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for i, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{parts}</Relationships>'


def _workbook(sheets):
    parts = "".join(f'<sheet name="{escape(name)}" sheetId="{i}" r:id="rId{i}"/>' for i, name in enumerate(sheets, 1))
    return f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{parts}</sheets></workbook>'


def _sheet(rows):
    lines = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{lines}</sheetData></worksheet>'


def _cell(value):
    if value is None:
        return "<c/>"
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f"<c><v>{value}</v></c>"

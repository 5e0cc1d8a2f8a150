"""A run as a file: what a reader, a spreadsheet and a program find in it."""

import datetime as dt
import io
import zipfile

import polars
import pytest
from python_calamine import CalamineWorkbook

ROWS = (
    {
        "sql": "SELECT '=1+1<b>' || a AS name, DATE '2025-03-01' AS day, a * 1.5::DOUBLE AS sum_a, a > 2 AS big "
        "FROM range(1200) t(a) ORDER BY a DESC"
    },
)


@pytest.fixture
def exported(shared_api):
    """`exported(form, question)`: the answer of an export of a run."""

    def _export(form, question="the <greatest> sums", replies=ROWS):
        client = shared_api(replies)
        run = client.post("/agent/run", json={"question": question}).json()
        client.get(run["events_url"].removeprefix("/api/v1"))
        return client.get(f"/agent/{run['run_id']}/export", params={"format": form})

    return _export


def test_html_is_one_file_that_loads_nothing_and_runs_nothing(exported):
    answer = exported("html")
    assert answer.headers["content-disposition"].endswith('.html"')
    page = answer.text
    assert "<h1>The &lt;greatest&gt; sums</h1>" in page and "=1+1&lt;b&gt;" in page and "<b>" not in page
    assert "<svg" in page and "SQL that ran" in page and "The first 1,000 of 1,200 rows." in page
    assert "<script" not in page and "src=" not in page and "<link" not in page and "@import" not in page


def test_markdown_tells_all(exported):
    page = exported("md").text
    assert page.startswith("# The \\<greatest> sums\n")
    assert "| =1+1\\<b>1199 | 2025-03-01 | 1798.50 | yes |" in page
    assert "The first 100 of 1,200 rows." in page and "```sql\nSELECT" in page and "- Query: query-" in page


def test_a_workbook_has_typed_cells_and_no_formulas(exported):
    data = exported("xlsx").content
    rows = CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_name("Rows").to_python()
    assert len(rows) == 1201
    assert rows[1] == ["=1+1<b>1199", dt.date(2025, 3, 1), 1798.5, True]
    book = zipfile.ZipFile(io.BytesIO(data))
    assert any(name.endswith(".png") for name in book.namelist())
    assert b"<f>" not in b"".join(book.read(name) for name in book.namelist() if "sheet" in name)


@pytest.mark.parametrize(("form", "read"), [("csv", polars.read_csv), ("parquet", polars.read_parquet)])
def test_the_result_alone_is_whole(exported, form, read):
    assert read(io.BytesIO(exported(form).content)).height == 1200


def test_a_run_without_an_answer_is_no_file(exported):
    problem = exported("html", replies=({"clarify": {"question": "Which?", "options": ["a", "b"]}},))
    assert (problem.status_code, problem.json()["code"]) == (422, "nothing_to_export")

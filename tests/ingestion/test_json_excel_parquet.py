"""JSON, Excel and Parquet files."""

from datetime import date

import duckdb
import pytest
from tests.ingestion.conftest import write_xlsx

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.warehouse import literal
from pluto_duck_backend.app.services.ingestion import IngestRequest, creating


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '[{"id": "00123", "n": 1}, {"id": "7", "n": 2}]'),
        ("a.ndjson", '{"id": "00123", "n": 1}\n{"id": "7", "n": 2}\n'),
        ("a.json", '{"id": "00123", "n": 1}\n{"id": "7", "n": 2}\n'),
        ("a.json", '{\n "id": "00123",\n "n": 1\n}\n{"id": "7", "n": 2}'),
    ],
)
def test_json_in_every_shape(bench, write, name, text):
    bench.load(write(name, text))
    assert bench.rows("FROM a") == [("00123", 1), ("7", 2)]


def test_a_json_column_of_different_scalars_is_text(bench, write):
    bench.load(write("a.ndjson", '{"a":1}\n' * 3000 + '{"a":"x"}\n'))
    assert bench.types("a") == {"a": "VARCHAR"}
    assert bench.rows("SELECT a, count(*) FROM a GROUP BY ALL ORDER BY ALL") == [("1", 3000), ("x", 1)]


def test_a_column_that_first_comes_late_is_kept(bench, write):
    bench.load(write("a.ndjson", '{"a":1}\n' * 3000 + '{"a":2,"b":"x"}\n'))
    assert bench.rows("SELECT max(a), count(*) FROM a") == [(2, 3001)]
    assert bench.types("a") == {"a": "BIGINT", "b": "VARCHAR"}


@pytest.mark.parametrize(
    ("first", "late", "kind", "value"),
    [
        ("1", "2.5", "DOUBLE", 2.5),
        ("1", '"007"', "VARCHAR", "007"),
        ("1", "true", "VARCHAR", "true"),
        ("1.5", '"007"', "VARCHAR", "007"),
        ("true", "1", "VARCHAR", "1"),
        ("1", "null", "BIGINT", None),
        ('"2026-01-01"', '"soon"', "VARCHAR", "soon"),
    ],
)
def test_no_late_json_value_is_changed_to_fit(bench, write, first, late, kind, value):
    text = f'{{"a":{first},"n":0}}\n' * 3000 + f'{{"a":{late},"n":1}}\n'
    bench.load(write("a.ndjson", text))
    assert bench.rows("SELECT a FROM a WHERE n = 1") == [(value,)]
    assert bench.types("a")["a"] == kind


def test_a_late_name_that_takes_the_place_of_another_is_kept(bench, write):
    bench.load(write("a.ndjson", '{"a":1,"n":0}\n' * 3000 + '{"b":7,"n":1}\n'))
    assert bench.rows("SELECT a, b FROM a WHERE n = 1") == [(None, 7)]


IS_OLDER = duckdb.__version__ < "2"


def _told(bench):
    return any("reading all rows" in each.message for each in bench.progress)


@pytest.mark.parametrize(
    ("first", "late", "kind", "value"),
    [
        ('{"x":1,"l":["a"]}', '{"x":2,"l":[]}', "STRUCT(x BIGINT, l VARCHAR[])", {"x": 2, "l": []}),
        ("[1.5]", "[2.5]", "DOUBLE[]", [2.5]),
        ('"2026-01-01"', '"2026-01-02"', "DATE", date(2026, 1, 2)),
        ('"Zoë"', "null", "VARCHAR", None),
        ("9223372036854775808", "1", "HUGEINT", 1),
    ],
)
def test_a_large_file_of_like_objects_is_read_once(bench, write, first, late, kind, value):
    bench.load(write("a.ndjson", f'{{"a":{first},"n":0}}\n' * 3000 + f'{{"n":1}}\n{{"a":{late},"n":2}}\n'))
    assert not _told(bench)
    assert bench.types("a")["a"] == kind
    assert bench.rows("SELECT a FROM a WHERE n > 0 ORDER BY n") == [(None,), (value,)]


@pytest.mark.parametrize(
    ("first", "late", "kind"),
    [
        ('{"x":1}', '{"x":2.5}', "STRUCT(x DOUBLE)"),
        ('{"x":1}', '{"x":1,"y":2}', "STRUCT(x BIGINT, y BIGINT)"),
        ('"2026-01-01"', '"2026-01-02 10:00:00"', "VARCHAR"),
        ("1", '"7"', "VARCHAR"),
    ],
)
def test_a_large_file_of_unlike_objects_is_looked_at_whole(bench, write, first, late, kind):
    bench.load(write("a.ndjson", f'{{"a":{first}}}\n' * 3000 + f'{{"a":{late}}}\n'))
    assert _told(bench) == IS_OLDER  # 2.0 passes over late names, so all objects are looked at from the start
    assert bench.types("a")["a"] == kind


def test_a_late_name_is_kept_also_where_rows_are_added(bench, write):
    bench.load(write("a.ndjson", '{"a":1}\n'))
    bench.load(write("b.ndjson", '{"a":1}\n' * 3000 + '{"a":2,"b":7}\n'), table="a", mode="append")
    assert bench.rows("SELECT sum(a), sum(b) FROM a") == [(3003, 7)]


def test_a_late_foreign_byte_does_not_spoil_json_lines(bench, write):
    bench.load(write("a.ndjson", ('{"a":"x"}\n' * 3000 + '{"a":"Zoë"}\n').encode("cp1252")))
    assert bench.rows("SELECT a FROM a WHERE a <> 'x'") == [("Zoë",)]


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("cut.json", '[{"a":1},{"a":2', "malformed"),
        ("cut.ndjson", '{"a":1}\n{"a":\n{"a":3}\n', "line 2"),
        ("none.json", "[]", "empty array"),
        ("text.json", "hello", "starts with"),
    ],
)
def test_bad_json_is_named_with_its_place(bench, write, name, text, word):
    path = write(name, text)
    with pytest.raises(InvalidInput, match=word) as caught:
        bench.load(path, max_rejects=0)
    assert str(path) in caught.value.message
    assert bench.tables() == []


def test_one_sheet_becomes_a_table_of_the_files_name(bench, tmp_path):
    path = write_xlsx(tmp_path / "Order Book.xlsx", {"Sheet1": [["id", "zip"], [1, "00123"], [2.5, None]]})
    bench.load(path)
    assert bench.rows("FROM order_book") == [(1.0, "00123"), (2.5, None)]


def test_every_sheet_with_cells_becomes_a_table(bench, tmp_path):
    sheets = {"Customers": [["id"], [1]], "Sheet2": [["n", "n"], [7, 8]], "Void": []}
    result = bench.load(write_xlsx(tmp_path / "shop.xlsx", sheets))
    assert bench.rows("FROM customers") == [(1,)]
    assert bench.rows("SELECT n, n_2 FROM shop_sheet2") == [(7, 8)]
    assert len(result.tables) == 2
    assert len(result.warnings) == 1


@pytest.mark.parametrize("names", [["region", "manager", "total"], ["region", "total"]])
def test_a_second_table_in_a_sheet_is_told(bench, tmp_path, names):
    first = [["id", "name", "n"], [1, "a", 1.5], [2, "b", 2.5]]
    second = [names, ["north", *["x"] * (len(names) - 2), 5], ["south", *["y"] * (len(names) - 2), 7]]
    told = f"a second table seems to begin with the names {', '.join(names)}"
    assert told in str(bench.load(write_xlsx(tmp_path / "a.xlsx", {"A": [*first, [], *second]})).warnings)
    apart = [*first, [], ["North:", "Europe"], [3, "c", 3.5], [], ["total", None, 7.5]]
    assert "second table" not in str(bench.load(write_xlsx(tmp_path / "b.xlsx", {"A": apart})).warnings)


def test_a_named_sheet_is_loaded_alone(bench, tmp_path):
    path = write_xlsx(tmp_path / "shop.xlsx", {"A": [["id"], [1]], "B": [["id"], [2]]})
    request = IngestRequest.from_dict(
        {"connector": "excel", "config": {"path": str(path), "sheet": "B"}, "target": "t"}
    )
    list(bench.service.load(request, cancelled=lambda: False))
    assert bench.rows("FROM t") == [(2,)]
    wrong = IngestRequest("excel", {"path": str(path), "sheet": "C"})
    with pytest.raises(InvalidInput, match="Sheets: A, B"):
        list(bench.service.load(wrong, cancelled=lambda: False))


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"PK\x03\x04junk", "workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "encrypted"),
        (b"hi", "bytes"),
    ],
)
def test_a_damaged_workbook_is_said(bench, write, data, word):
    with pytest.raises(InvalidInput, match=word):
        bench.load(write("a.xlsx", data))
    assert bench.tables() == []


def test_parquet_keeps_its_types(bench, tmp_path):
    path = tmp_path / "Facts.parquet"
    with bench.warehouse.read() as session:
        session.execute(
            f"COPY (SELECT 1::DECIMAL(9, 2) AS d, [1, 2] AS l, 'x'::BLOB AS b) TO {literal(str(path))} (FORMAT parquet)"
        )
    bench.load(path)
    assert bench.types("facts") == {"d": "DECIMAL(9,2)", "l": "INTEGER[]", "b": "BLOB"}


def test_a_damaged_parquet_file_is_said(bench, write):
    with pytest.raises(InvalidInput, match="cannot be read"):
        bench.load(write("a.parquet", b"PAR1" + bytes(100)))
    with pytest.raises(InvalidInput, match="no Parquet file"):
        bench.load(write("b.parquet", b"id,name\n"))
    assert bench.tables() == []


@pytest.mark.parametrize(
    ("rows", "types", "body"),
    [
        (
            [[None, "2023", None, "2024"], ["Region", "Units", "Revenue", "Units"], ["N", 1, 2.5, 3], ["S", 5, 6.5, 7]],
            {"Region": "VARCHAR", "2023 Units": "BIGINT", "2023 Revenue": "DOUBLE", "2024 Units": "BIGINT"},
            [("N", 1, 2.5, 3), ("S", 5, 6.5, 7)],
        ),
        (
            [["Sales"], ["Region", "Amount"], ["N", 0.1], ["S", 0.2], ["Total", 0.1 + 0.2], ["Source: the shop"]],
            {"Region": "VARCHAR", "Amount": "DOUBLE"},
            [("N", 0.1), ("S", 0.2)],
        ),
        (
            [["Region", "Amount"], ["N", 1], ["S", 2], ["Total", 4]],
            {"Region": "VARCHAR", "Amount": "BIGINT"},
            [("N", 1), ("S", 2), ("Total", 4)],
        ),
        ([["t", "p"], ["s", "hPa"], [0, 1013], [1, 1012]], {"t": "BIGINT", "p": "BIGINT"}, [(0, 1013), (1, 1012)]),
        ([[1, 1.5], [2, 2.5]], {"column_1": "BIGINT", "column_2": "DOUBLE"}, [(1, 1.5), (2, 2.5)]),
    ],
    ids=["groups", "total and source", "no total", "units", "no names"],
)
def test_what_is_around_the_rows_of_a_sheet(bench, tmp_path, rows, types, body):
    bench.load(write_xlsx(tmp_path / "t.xlsx", {"A": rows}))
    assert bench.types("t") == types
    assert bench.rows("FROM t") == body


def test_texts_that_all_differ_are_stored_without_trying_a_dictionary(bench, tmp_path, monkeypatch):
    monkeypatch.setattr(creating, "_LARGE_ROWS", 1)
    path = tmp_path / "t.parquet"
    rows = "SELECT i AS id, substr(base64(unhex(md5(CAST(i AS VARCHAR)))), 1, 7) AS code, 'kind ' || i % 3 AS kind"
    with bench.warehouse.read() as session:
        session.execute(f"COPY ({rows} FROM range(100000) r(i)) TO {literal(str(path))}")
    bench.load(path)
    with bench.warehouse.guest() as session:
        session.execute("CHECKPOINT")
    stored = (
        "SELECT DISTINCT compression FROM pragma_storage_info('t') WHERE segment_type = 'VARCHAR' AND column_name = "
    )
    if IS_OLDER:  # from 2.0 on one compression does both
        assert bench.rows(stored + "'code'") == [("FSST",)]
        assert ("FSST",) not in bench.rows(stored + "'kind'")
    differing = f"SELECT * FROM (FROM t EXCEPT FROM {literal(str(path))})"
    assert bench.rows(f"SELECT count(*), (SELECT count(*) FROM ({differing})) FROM t") == [(100_000, 0)]

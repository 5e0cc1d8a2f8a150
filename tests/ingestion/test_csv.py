"""Delimited text: dialects, encodings, compression, types of whole columns, errors that name the line."""

import bz2
import gzip
import io
import lzma
import os
import zipfile

import pytest

from pluto_duck_backend.app.core.errors import InvalidInput, NotFound
from pluto_duck_backend.app.core.warehouse import literal


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_any_delimiter_is_found(bench, write, delimiter):
    path = write("a.csv", f"id{delimiter}name\n1{delimiter}ann\n2{delimiter}bob\n")
    bench.load(path)
    assert bench.rows("FROM a") == [(1, "ann"), (2, "bob")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1"])
def test_encodings_are_found(bench, write, encoding):
    bench.load(write("a.csv", "name,city\nZoë,Malmö\nÅsa,Århus\n".encode(encoding)))
    assert bench.rows("FROM a") == [("Zoë", "Malmö"), ("Åsa", "Århus")]


def test_a_late_foreign_byte_does_not_spoil_the_rest(bench, write):
    text = "name\n" + "ann\n" * 400_000 + "Zoë\n"
    result = bench.load(write("a.csv", text.encode("cp1252")))
    assert any("cp1252" in each for each in result.warnings)
    assert bench.rows("SELECT count(*) FROM a WHERE name = 'Zoë'") == [(1,)]


def _zip(data):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("inner.csv", data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("ending", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress), ("zip", _zip)]
)
def test_compressed_files_are_read(bench, write, ending, pack):
    bench.load(write(f"a.csv.{ending}", pack(b"id,name\n1,ann\n")))
    assert bench.rows("FROM a") == [(1, "ann")]


@pytest.mark.parametrize(
    ("name", "pack"),
    [("a.csv.gz", gzip.compress), ("a.csv.bz2", bz2.compress), ("a.csv", lambda data: data.replace(b"\n", b"\r"))],
)
def test_a_closing_total_is_found_in_archives_and_behind_old_line_ends(bench, write, name, pack):
    rows = "".join(f"name {number},1\n" for number in range(40_000))
    bench.load(write(name, pack(f"name,n\n{rows}Total,40000\n".encode())))
    assert bench.rows("SELECT count(*), sum(n) FROM a") == [(40_000, 40_000)]


def test_zstandard_is_read(bench, tmp_path):
    path = tmp_path / "a.csv.zst"
    with bench.warehouse.read() as session:
        session.execute(
            f"COPY (SELECT 7 AS id, 'a,\"b' AS name UNION ALL SELECT 8, 'two\nlines')"
            f" TO {literal(str(path))} (FORMAT csv, HEADER, COMPRESSION zstd)"
        )
    bench.load(path)
    assert bench.rows("FROM a ORDER BY id") == [(7, 'a,"b'), (8, "two\nlines")]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "2"], "BIGINT"),
        (["1", "2.5"], "DOUBLE"),
        (["00123", "00456"], "VARCHAR"),
        (["+4912", "+4413"], "VARCHAR"),
        (["123456789012345678901", "1"], "HUGEINT"),
        (["2024-01-02", "2024-02-03"], "DATE"),
        (["2024-01-02 10:00:00", "2024-02-03 11:00:00"], "TIMESTAMP"),
        (["true", "false"], "BOOLEAN"),
        (["1", "NA"], "VARCHAR"),
        (["1", ""], "BIGINT"),
    ],
)
def test_types_are_those_of_the_values(bench, write, values, kind):
    bench.load(write("a.csv", "k,v\n" + "".join(f"{i},{value}\n" for i, value in enumerate(values))))
    assert bench.types("a")["v"] == kind


@pytest.mark.parametrize("late", ["N/A", "01234", "2.5"])
def test_a_value_after_the_sample_decides_too(bench, write, late):
    bench.load(write("a.csv", "v,w\n" + "12345,1\n" * 5000 + f"{late},2\n"))
    assert bench.rows("SELECT v::VARCHAR FROM a WHERE w = 2") == [(late,)]
    assert bench.rows("SELECT count(*) FROM a") == [(5001,)]


def test_decimal_commas_are_numbers(bench, write):
    result = bench.load(write("a.csv", "v;n\n1,5;1\n2,25;2\n"))
    assert bench.rows("SELECT sum(v) FROM a") == [(3.75,)]
    assert any("decimal comma" in each for each in result.warnings)


def test_headers_that_are_double_or_empty_get_names_and_are_reported(bench, write):
    result = bench.load(write("a.csv", "a,A,,select\n1,2,3,4\n"))
    assert list(bench.types("a")) == ["a", "A_2", "column_3", "select"]
    assert len(result.warnings) == 2


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("1,2.5,x\n2,3.5,y\n", ["column_1", "column_2", "column_3"]),
        ("country,2020,2021\nDE,1,2\nFR,3,4\n", ["country", "2020", "2021"]),
        ("name,city\nbob,paris\n", ["name", "city"]),
        ("My report\n\na,b\n1,2\n3,4\n", ["a", "b"]),
    ],
)
def test_the_header_is_found(bench, write, text, names):
    bench.load(write("a.csv", text))
    assert list(bench.types("a")) == names


def test_a_header_alone_is_a_table_without_rows(bench, write):
    result = bench.load(write("a.csv", "id,name\n"))
    assert (result.tables[0].rows, result.tables[0].columns) == (0, 2)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("ragged.csv", "a,b,c\n1,2,3\n4,5\n6,7,8\n", ["line 3", "expected 3 columns, found 2"]),
        ("wide.csv", "a,b\n1,2\n4,5,9\n6,7\n", ["line 3", "expected 2 columns, found 3"]),
        ("late.csv", "a,b\n" + "1,2\n" * 5000 + "1,2,3\n", ["line 5002", "found 3"]),
        ("quote.csv", 'a,b\n"x,2\nz,3\n', ["line 2", "quoted"]),
        ("empty.csv", "", ["empty"]),
        ("blank.csv", "\n\n  \n", ["no text"]),
        ("png.csv", b"\x89PNG\r\n\x1a\n" + bytes(200), ["PNG"]),
        ("binary.csv", bytes(range(256)) * 20, ["no text file"]),
        ("nul.csv", b"a,b\n1,x\x00\x00y\n", ["zero bytes"]),
        ("page.csv", "<!DOCTYPE html>\n<html><body>404, not found</body></html>\n", ["web page"]),
        ("book.csv", b"PK\x03\x04" + bytes(100), ["unpacked"]),
    ],
)
def test_a_bad_file_is_named_with_its_place_and_nothing_is_done(bench, write, name, data, words):
    path = write(name, data)
    with pytest.raises(InvalidInput) as caught:
        bench.load(path, max_rejects=0)
    assert str(path) in caught.value.message
    assert all(word in caught.value.message for word in words)
    assert caught.value.hint
    assert bench.tables() == []


def test_a_missing_file_is_said_with_the_nearest_name(bench, write):
    path = write("orders.csv", "a\n1\n")
    with pytest.raises(NotFound, match=r"Did you mean orders\.csv"):
        bench.load(path.with_name("order.csv"))


def test_a_zero_byte_in_a_cell_is_kept_and_told(bench, write):
    result = bench.load(write("a.csv", b"id,name\n1,x\x00y\n2,z\n3,w\n"))
    assert bench.rows("SELECT name FROM a WHERE id = 1") == [("x\x00y",)]
    assert "kept 1 zero byte (NUL)" in str(result.warnings)


def test_a_zero_byte_in_a_column_name_is_left_out_and_told(bench, write):
    result = bench.load(write("a.csv", b"id,na\x00me,and one more\n1,x,2\n3,w,4\n"))
    assert bench.rows("SELECT name FROM a WHERE id = 1") == [("x",)]
    assert "is now 'name'" in str(result.warnings)


_SECOND = "id,name,n\n1,a,1.5\n2,b,2.5\n\n{}region,manager,total\nnorth,bob,5\nsouth,al,7\n"


@pytest.mark.parametrize("title", ["", "Regions\n", "Regions\n\n"])
def test_a_second_table_below_the_first_is_told(bench, write, title):
    result = bench.load(write("a.csv", _SECOND.format(title)))
    assert "a second table seems to begin with the names region, manager, total" in str(result.warnings)


@pytest.mark.parametrize(
    "text",
    [
        "id,name,n\n1,a,1.5\n2,b,2.5\n\nx,unknown,none\n",
        "id,name,n\n1,a,1.5\n\n2,b,2.5\n",
        "city,name\nparis,a\n\nrome,b\n\noslo,c\n",
        "city,n\nparis,1\nrome,n/a\noslo,3\n",
        "id,name\n1,a\n2,b\n\nid,name\n3,c\n4,d\n",
    ],
)
def test_rows_behind_a_blank_line_are_no_second_table(bench, write, text):
    assert "second table" not in str(bench.load(write("a.csv", text)).warnings)


def test_mixed_line_ends_are_read(bench, write):
    bench.load(write("a.csv", "a,b\r\n1,2\n3,4\r\n"))
    assert bench.rows("FROM a") == [(1, 2), (3, 4)]


def test_a_cell_of_six_million_characters_is_read(bench, write):
    bench.load(write("a.csv", "a,b\n1," + "x" * 6_000_000 + "\n"))
    assert bench.rows("SELECT length(b) FROM a") == [(6_000_000,)]


@pytest.mark.parametrize(
    ("first", "late"),
    [
        ("2024-01-02", "2024-01-03 10:11:12"),
        ("true", "2"),
        ("1.5", "12345678901234567890123"),
        ("10:00:00", "11:00:00.5"),
        ("12", "99999999999999999999"),
    ],
)
def test_no_late_value_is_cut_to_fit(bench, write, first, late):
    bench.load(write("a.csv", "v,w\n" + f"{first},1\n" * 5000 + f"{late},2\n"))
    ((value,),) = bench.rows("SELECT v FROM a WHERE w = 2")
    assert str(value) in (late, f"{late}.0", f"{late}00000")


@pytest.mark.parametrize("late", ["2.5", "007", "-07", "+5", "99999999999999999999"])
@pytest.mark.parametrize("other", ["1.5", "text"])
def test_a_large_file_is_read_once_and_yet_nothing_is_rounded(bench, write, late, other):
    bench.load(write("a.csv", "v,w,x\n" + f"12345,1,{other}\n" * 5000 + f"{late},2,{other}\n"))
    ((value,),) = bench.rows("SELECT v::VARCHAR FROM a WHERE w = 2")
    assert value == late
    assert bench.rows("SELECT count(*) FROM a") == [(5001,)]


@pytest.mark.parametrize(
    ("late", "kind"),
    [
        *((each, "DOUBLE") for each in ("0.25", "-0.5", "-3", "0", "1e3", "")),
        *((each, "VARCHAR") for each in ("007", "+1.5", "-07.5")),
    ],
)
def test_a_late_code_makes_a_column_of_fractions_text(bench, write, late, kind):
    bench.load(write("a.csv", "v,w\n" + "12.5,1\n" * 5000 + f"{late},2\n"))
    assert bench.types("a")["v"] == kind
    ((value,),) = bench.rows("SELECT v FROM a WHERE w = 2")
    assert value == (late if kind == "VARCHAR" else float(late) if late else None)


def test_large_files_keep_every_row(bench, write):
    rows = 1_200_000
    path = write("a.csv", "id,v\n" + "".join(f"{n},{'x' * 60}\n" for n in range(rows)))
    assert path.stat().st_size > 64_000_000
    bench.load(path)
    assert bench.rows("SELECT count(*), count(DISTINCT id), sum(id) FROM a") == [(rows, rows, rows * (rows - 1) // 2)]


def test_files_of_two_encodings_put_together(bench, write):
    lines = ["id,name\n1,Zoë\n2,Łukasz\n".encode(), "3,Jürgen\n".encode("cp1252"), "4,日本\n".encode()]
    result = bench.load(write("t.csv", b"".join(lines)))
    assert bench.rows("SELECT name FROM t ORDER BY id") == [("Zoë",), ("Łukasz",), ("Jürgen",), ("日本",)]
    assert any("utf-8 and cp1252" in each for each in result.warnings)


@pytest.mark.parametrize(("name", "pack"), [("t.csv", gzip.compress), ("t.csv.gz", bytes)])
def test_the_bytes_say_whether_a_file_is_packed(bench, write, name, pack):
    bench.load(write(name, pack(b"id,name\n1,a\n")))
    assert bench.rows("FROM t") == [(1, "a")]


@pytest.mark.parametrize("text", ['[{"a": 1},\n {"a": 2}]', '{"a": 1}\n{"a": 2}\n'])
def test_json_under_another_name_is_refused(bench, write, text):
    with pytest.raises(InvalidInput, match="looks like JSON"):
        bench.load(write("t.csv", text))


def test_a_file_of_delimiters_alone_is_refused(bench, write):
    with pytest.raises(InvalidInput, match="nothing but delimiters"):
        bench.load(write("t.csv", ",,\n,,\n"))


def test_what_is_no_file_is_said(bench, tmp_path):
    link, pipe = tmp_path / "link.csv", tmp_path / "pipe.csv"
    link.symlink_to(tmp_path / "gone.csv")
    os.mkfifo(pipe)
    with pytest.raises(NotFound, match=r"is a link to .*gone\.csv, which does not exist"):
        bench.load(link)
    with pytest.raises(InvalidInput, match="is a pipe or a device") as caught:
        bench.load(pipe)
    assert "ingest - --table" in caught.value.hint


@pytest.mark.parametrize(("table", "told"), [("pg_catalog.x", "DuckDB's own"), ("x" * 5000, "5,000 characters")])
def test_a_target_that_nobody_can_use_is_refused(bench, write, table, told):
    with pytest.raises(InvalidInput, match=told):
        bench.load(write("a.csv", "a\n1\n"), table=table)


def test_more_unreadable_rows_than_good_ones_are_told_as_that(bench, write):
    with pytest.raises(InvalidInput, match=r"\(2 rows are unreadable, 1 are not\)"):
        bench.load(write("a.csv", "a,b,c\n1,2\n3,4,5,6\n7,8,9\n"))


def test_a_date_format_is_told_once_and_in_words(bench, write):
    path = write("a.csv", "day;kg\n31.12.2023;1,5\n01.02.2024;2,25\n")
    told = ["dates read as day.month.year", "numbers read with a decimal comma"]
    assert bench.load(path).warnings == [f"{path}: {each}" for each in told]

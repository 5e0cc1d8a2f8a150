"""Messy files: the corpus of tests/fixtures/messy.txt, and every defect in every dialect and encoding."""

import re
from pathlib import Path

import pytest
from tests.ingestion.conftest import write_xlsx

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.services.ingestion.rejects import Reject, check_limit

CORPUS = (Path(__file__).parents[1] / "fixtures" / "messy.txt").read_text()


_FIELDS = "encoding|rows|rejects|line|columns|column|types|first|last"
_PICTURES = str.maketrans("␀␌␍␚", "\x00\f\r\x1a")


def _cases():
    """`(file name, text, what is expected)` of each section; `{3} line` is three such lines, ␀ ␌ ␍ ␚ are bytes."""
    for name, expected, text in re.findall(r"^=== (\S+) (.*)\n((?:(?!===).*\n)*)", CORPUS, re.MULTILINE):
        fields = re.findall(rf"({_FIELDS})=(.*?)(?= (?:{_FIELDS})=|$)", expected)
        written = re.sub(r"^\{(\d+)\} (.*\n)", lambda found: found[2] * int(found[1]), text, flags=re.MULTILINE)
        yield pytest.param(name, written.translate(_PICTURES), dict(fields), id=name)


def _cell(text):
    return int(text) if text.isdigit() else text or None


@pytest.mark.parametrize(("name", "text", "expected"), list(_cases()))
def test_each_file_of_the_corpus(bench, write, name, text, expected):
    path = write(name, text.encode(expected.get("encoding", "utf-8")))
    if name.endswith(".xlsx"):
        write_xlsx(path, {"sheet": [list(map(_cell, line.split("\t"))) for line in text.splitlines()]})
    (table,) = bench.load(path, table="t").tables
    assert (table.rows, table.rejected) == (int(expected["rows"]), int(expected.get("rejects", 0)))
    assert ",".join(bench.types("t")) == expected["columns"]
    assert ",".join(bench.types("t").values()) == expected.get("types", ",".join(bench.types("t").values()))
    if "line" in expected:
        source, line, column = bench.rows('SELECT source, line, "column" FROM t_rejects ORDER BY line')[0]
        assert (Path(source).name, line) == (name, int(expected["line"]))
        assert column == expected.get("column", column)
    for place in {"first", "last"} & set(expected):
        rows = bench.rows("FROM t")
        assert "|".join(map(str, rows[0 if place == "first" else -1])) == expected[place]


DEFECTS = {
    "none": ("{h}\n1{d}Zoë\n2{d}b\n3{d}c\n", 3, 0),
    "title": ("Umsätze 2024\n\n{h}\n1{d}Zoë\n2{d}b\n3{d}c\n", 3, 0),
    "footnote": ("{h}\n1{d}Zoë\n2{d}b\n3{d}c\n\nGeprüft\n", 3, 0),
    "short": ("{h}\n1{d}Zoë\n2\n3{d}c\n4{d}d\n", 3, 1),
    "long": ("{h}\n1{d}Zoë\n2{d}b{d}x\n3{d}c\n4{d}d\n", 3, 1),
    "open quote": ('{h}\n1{d}Zoë\n2{d}"b\n3{d}c\n4{d}d\n', 3, 1),
    "crlf": ("{h}\r\n1{d}Zoë\r\n2{d}b\r\n3{d}c\r\n", 3, 0),
    "mixed ends": ("{h}\r\n1{d}Zoë\n2{d}b\r\n3{d}c\n", 3, 0),
    "no last end": ("{h}\n1{d}Zoë\n2{d}b\n3{d}c", 3, 0),
    "blank lines": ("{h}\n\n1{d}Zoë\n2{d}b\n\n3{d}c\n\n", 3, 0),
}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("defect", DEFECTS)
def test_every_defect_in_every_dialect(bench, write, encoding, delimiter, defect):
    text, rows, rejects = DEFECTS[defect]
    data = text.format(h=f"id{delimiter}name", d=delimiter).encode(encoding)
    (table,) = bench.load(write("t.csv", data)).tables
    assert (table.rows, table.rejected) == (rows, rejects)
    assert bench.types("t") == {"id": "BIGINT", "name": "VARCHAR"}
    assert bench.rows("SELECT name FROM t WHERE id = 1") == [("Zoë",)]


def test_rejects_say_file_line_column_reason_and_text(bench, write):
    path = write("t.csv", "id,name\n1,a\n2\n3,c\n")
    bench.load(path)
    assert bench.rows("FROM t_rejects") == [(str(path), 3, "name", "expected 2 columns, found 1", "2")]
    bench.load(write("t.csv", "id,name\n1,a\n"))
    assert bench.tables() == ["t"]


def test_rejects_of_appended_loads_add_up(bench, write):
    path = write("t.csv", "id,name\n1,a\n2\n3,c\n")
    bench.load(path)
    bench.load(path, mode="append")
    assert bench.rows("SELECT count(*) FROM t_rejects") == [(2,)]
    assert bench.service.sources()[0]["rejected"] == 1


def test_a_users_own_table_of_rejects_is_left_alone(bench, write):
    bench.load(write("t_rejects.csv", "mine\n1\n"))
    bench.load(write("t.csv", "id,name\n1,a\n2\n3,c\n"))
    assert bench.rows("FROM t_rejects") == [(1,)]
    assert bench.rows("SELECT line FROM t_rejects_of_load") == [(3,)]


def test_more_rejects_than_allowed_change_nothing(bench, write):
    path = write("t.csv", "id,name\n" + "1,a\n" * 10 + "2\n" * 3)
    with pytest.raises(
        InvalidInput, match=r"t\.csv, line 12: expected 2 columns, found 1: 2 \(3 rows .* 2 are allowed\)"
    ):
        bench.load(path, max_rejects=2)
    assert bench.tables() == []
    assert bench.load(path, max_rejects=3).tables[0].rejected == 3


def test_a_file_of_which_most_rows_are_bad_is_refused():
    with pytest.raises(InvalidInput, match="line 2"):
        check_limit([Reject("f", 2, None, "r", "")] * 3, rows=2, limit=1000)


def test_a_readings_decision_is_told(bench, write):
    result = bench.load(write("t.csv", 'a,n\nx,"1,234"\ny,"5,678.5"\n'))
    assert any("column n read as numbers with thousands separators" in each for each in result.warnings)
    assert bench.rows("SELECT sum(n) FROM t") == [(6912.5,)]


def test_a_late_value_that_is_no_such_number_keeps_the_column_text(bench, write):
    text = "a,n\n" + 'x,"1,234"\n' * 3000 + "y,12 or so\n"
    bench.load(write("t.csv", text))
    assert bench.rows("SELECT n FROM t WHERE a = 'y'") == [("12 or so",)]


def test_five_thousand_columns_are_read(bench, write):
    names = ",".join(f"c{i}" for i in range(5000))
    bench.load(write("t.csv", f"{names}\n" + (",".join("7" * 5000) + "\n") * 20))
    assert len(bench.types("t")) == 5000
    assert bench.rows("SELECT sum(c4999) FROM t") == [(140,)]


def test_a_cell_of_a_million_characters_beside_a_broken_row(bench, write):
    (table,) = bench.load(write("t.csv", "a,b\n1," + "x" * 1_000_000 + '\n2,"broken\n3,y\n')).tables
    assert (table.rows, table.rejected) == (2, 1)
    assert bench.rows("SELECT max(length(b)) FROM t") == [(1_000_000,)]

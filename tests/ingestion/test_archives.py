"""ZIP and tar archives: what is in them, what they are called, what is wrong with them."""

import gzip
import io
import tarfile
import zipfile

import pytest

from pluto_duck_backend.app.core.errors import InvalidInput

ROWS = b"a,b\n1,x\n2,y\n"


def zipped(**files):
    """`two__csv` stands for `two.csv`, `in_S_two__csv` for `in/two.csv`."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(_spelt(name), data)
    return packed.getvalue()


def tarred(**files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(_spelt(name))
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def _spelt(name):
    return name.replace("_S_", "/").replace("__", ".")


def _case(name, data, result):
    return pytest.param(name, data, result, id=f"{name}: {result}")


@pytest.mark.parametrize(
    ("name", "data", "tables"),
    [
        _case("data.zip", zipped(orders__csv=ROWS), ["orders"]),
        _case("data.2024.zip", zipped(year_S_orders__csv=ROWS), ["orders"]),
        _case("data.zip", zipped(orders__csv=ROWS, items__json=b'[{"a": 1}]', readme__md=b"# hi"), ["items", "orders"]),
        _case("data.zip", zipped(orders__csv__gz=gzip.compress(ROWS)), ["orders"]),
        _case("data.zip", zipped(inner__zip=zipped(orders__csv=ROWS)), ["orders"]),
        _case("data.zip", zipped(orders__csv=ROWS, hidden_S___orders__csv=b"\x00\x05"), ["orders"]),
        _case("data.tar.gz", tarred(orders__csv=ROWS, items__csv=ROWS), ["items", "orders"]),
        _case("data.tgz", tarred(**{"../../orders.csv": ROWS}, items__csv=ROWS), ["items"]),
    ],
)
def test_files_in_archives_are_read_as_what_they_are(bench, write, name, data, tables):
    bench.load(write(name, data))
    assert bench.tables() == tables


def test_files_of_one_kind_go_into_one_table(bench, write):
    (table,) = bench.load(write("data.zip", zipped(jan__csv=ROWS, feb__csv=ROWS)), table="orders").tables
    assert table.rows == 4


def test_what_is_wrong_in_an_archive_is_named(bench, write):
    path = write("data.zip", zipped(orders__csv=ROWS + b"3\n"))
    bench.load(path)
    assert bench.rows("SELECT source, line FROM orders_rejects") == [(f"{path}/orders.csv", 4)]
    with pytest.raises(InvalidInput, match=r"data\.zip/x\.csv is empty"):
        bench.load(write("data.zip", zipped(x__csv=b"")))


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        _case("data.zip", zipped(notes__md=b"# hi"), r"holds no file that a connector reads, but notes\.md"),
        _case("data.zip", zipped(orders__csv=ROWS)[:-30], "cannot be unpacked"),
        _case("data.tar", b"no archive at all" * 100, "cannot be unpacked"),
    ],
)
def test_an_archive_without_data_is_said(bench, write, name, data, words):
    with pytest.raises(InvalidInput, match=words):
        bench.load(write(name, data))
    assert bench.tables() == []

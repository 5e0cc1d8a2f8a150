"""The warehouse: sessions, isolation, and the border that DuckDB's errors cross."""

import threading

import duckdb
import pytest

from pluto_duck_backend.app.core.errors import (
    Cancelled,
    EnvironmentFault,
    InvalidInput,
    PlutoDuckError,
    QueryFailed,
    WarehouseBusy,
    WarehouseUnusable,
)
from pluto_duck_backend.app.core.warehouse import Warehouse, literal, quote, serialize, translate


@pytest.fixture
def warehouse(tmp_path):
    opened = Warehouse.open(tmp_path / "w.duckdb")
    yield opened
    opened.close()


def test_what_a_writer_commits_a_reader_sees(warehouse):
    with warehouse.write() as session:
        session.execute("CREATE TABLE t AS SELECT 1 AS a, 1.50::DECIMAL(10,2) AS b")
    with warehouse.read() as session:
        assert session.rows("FROM t")[0][0] == 1
        assert session.description == [("a", "INTEGER"), ("b", "DECIMAL(10,2)")]


def test_a_failed_write_leaves_nothing_and_counts_as_no_change(warehouse):
    before = warehouse.version
    with pytest.raises(QueryFailed), warehouse.write() as session:
        session.execute("CREATE TABLE t (a INTEGER)")
        session.execute("INSERT INTO t VALUES ('no number')")
    with warehouse.read() as session:
        assert session.rows("SELECT table_name FROM duckdb_tables()") == []
    assert warehouse.version == before


def test_a_reader_cannot_write(warehouse):
    with pytest.raises(QueryFailed, match="read-only"), warehouse.read() as session:
        session.execute("CREATE TABLE t (a INTEGER)")


def test_a_reader_sees_one_state_while_a_writer_commits(warehouse):
    with warehouse.write() as session:
        session.execute("CREATE TABLE t AS SELECT 1 AS a")
    with warehouse.read() as reader:
        assert reader.rows("FROM t") == [(1,)]
        with warehouse.write() as writer:
            writer.execute("UPDATE t SET a = 2")
        assert reader.rows("FROM t") == [(1,)]


def test_python_objects_are_not_reachable_by_name(warehouse):
    secret = duckdb.connect().sql("SELECT 42")
    with pytest.raises(QueryFailed, match="secret"), warehouse.read() as session:
        session.rows("FROM secret")
    assert secret is not None


def test_interrupt_stops_a_query(warehouse):
    with pytest.raises(Cancelled), warehouse.read() as session:
        threading.Timer(0.2, session.interrupt).start()
        session.rows("SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b")


@pytest.mark.parametrize("name", [each for each in vars(duckdb).values() if isinstance(each, type)])
def test_every_duckdb_error_becomes_one_of_ours(name):
    if issubclass(name, duckdb.Error):
        assert isinstance(translate(name("boom")), PlutoDuckError)


def test_a_file_that_is_no_warehouse_says_so(tmp_path):
    path = tmp_path / "w.duckdb"
    path.write_bytes(b"this is no database" * 1000)
    with pytest.raises(WarehouseUnusable, match=r"w\.duckdb"):
        Warehouse.open(path)


def test_a_file_that_another_program_holds_says_so(tmp_path):
    path = tmp_path / "w.duckdb"
    import subprocess
    import sys

    hold = f"import duckdb, sys; c = duckdb.connect({str(path)!r}); print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", hold], stdin=-1, stdout=-1, text=True) as other:
        assert other.stdout.readline() == "held\n"
        with pytest.raises(WarehouseBusy, match="holds the warehouse"):
            Warehouse.open(path)
        other.stdin.close()


def test_a_bad_memory_limit_names_the_setting(tmp_path):
    with pytest.raises(InvalidInput, match=r"query\.memory_limit='lots'"):
        Warehouse.open(tmp_path / "w.duckdb", memory_limit="lots")


def test_quoting():
    assert quote('my "x"') == '"my ""x"""'
    assert literal("it's") == "'it''s'"


def test_serialize_gives_the_tree_of_a_select_and_refuses_the_rest():
    assert serialize("SELECT 1")["statements"][0]["node"]["type"] == "SELECT_NODE"
    for sql in ("CREATE TABLE t (a INT)", "COPY (SELECT 1) TO 'x.csv'", "SELEC 1"):
        with pytest.raises((QueryFailed, EnvironmentFault)):
            serialize(sql)

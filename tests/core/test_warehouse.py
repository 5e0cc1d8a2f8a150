"""The warehouse: sessions, isolation, and the border that DuckDB's errors cross."""

import contextlib
import threading

import duckdb
import pytest

from pluto_duck_backend.app.core.errors import (
    Cancelled,
    Conflict,
    EnvironmentFault,
    InvalidInput,
    PlutoDuckError,
    QueryFailed,
    WarehouseBusy,
    WarehouseUnusable,
)
from pluto_duck_backend.app.core.warehouse import Warehouse, literal, quote, serialize, translate
from pluto_duck_backend.app.core.warehouse.opening import cannot_open


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


def _damaged(path, change):
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t AS SELECT range AS a FROM range(100000)")
    data = bytearray(path.read_bytes())
    path.write_bytes(change(data))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda data: data[: len(data) // 2], "warehouse_corrupt"),
        (lambda data: data[:12288] + b"x" * 100 + data[12388:], "warehouse_corrupt"),
        (lambda data: b"", "warehouse_corrupt"),
        (lambda data: b"no database" * 1000, "warehouse_corrupt"),
    ],
)
def test_a_damaged_file_is_left_as_it_is_and_the_error_says_what_to_do(tmp_path, change, code):
    path = tmp_path / "w.duckdb"
    _damaged(path, change)
    before = path.read_bytes()
    with pytest.raises(WarehouseUnusable) as raised:
        Warehouse.open(path)
    assert raised.value.code == code
    assert str(path) in raised.value.message
    assert "mv " in raised.value.hint
    assert path.read_bytes() == before


def test_a_new_file_can_be_read_by_every_duckdb_that_may_be_installed(tmp_path):
    Warehouse.open(tmp_path / "new.duckdb").close()
    written_as = int.from_bytes((tmp_path / "new.duckdb").read_bytes()[12:20], "little")
    assert 64 <= written_as <= 68  # what 1.5 reads


def test_a_file_of_a_newer_duckdb_names_the_upgrade(tmp_path):
    error = duckdb.IOException(
        "IO Error: Trying to read a database file with version number 999, but we can only read versions between 64 "
        "and 68.\nThe database file was created with an newer version of DuckDB."
    )
    told = cannot_open(tmp_path / "w.duckdb", error)
    assert (told.code, "pip install --upgrade duckdb" in told.hint) == ("warehouse_newer", True)


@pytest.mark.parametrize("moved", ["before", "during"])
def test_nothing_is_written_to_a_file_that_is_not_there_any_more(warehouse, moved):
    with warehouse.write() as session:
        session.execute("CREATE TABLE kept AS SELECT 1 AS a")
    away = warehouse.path.with_suffix(".away")
    if moved == "before":
        warehouse.path.rename(away)
    with pytest.raises(WarehouseUnusable) as raised, warehouse.write() as session:
        session.execute("CREATE TABLE lost AS SELECT 1 AS a")
        warehouse.path.rename(away)
    assert raised.value.code == "warehouse_gone"
    with warehouse.read() as session:
        assert session.rows("SELECT table_name FROM duckdb_tables()") == [("kept",)]
    away.rename(warehouse.path)
    with warehouse.write() as session:
        session.execute("CREATE TABLE again AS SELECT 1 AS a")


def test_a_full_disk_is_named_and_what_was_committed_stays():
    told = translate(duckdb.IOException('IO Error: Could not write file "w.duckdb": No space left on device'))
    assert (told.code, told.retryable) == ("disk_full", True)
    told = translate(duckdb.TransactionException("TransactionContext Error: Failed to commit: No space left on device"))
    assert (told.code, told.retryable) == ("disk_full", True)


def test_two_writers_of_one_table_are_a_conflict(warehouse):
    with warehouse.guest() as one, warehouse.guest() as other:
        one.execute("CREATE TABLE t (a INTEGER)")
        one.execute("BEGIN").execute("INSERT INTO t VALUES (1)")
        other.execute("BEGIN").execute("ALTER TABLE t ADD COLUMN b INTEGER")
        with pytest.raises(Conflict) as raised:
            other.execute("COMMIT")
            one.execute("COMMIT")
    assert (raised.value.code, raised.value.retryable) == ("write_conflict", True)


def test_changes_are_counted_while_guests_go_on_writing(warehouse):
    with warehouse.guest() as guest:
        guest.rows_of.update(f"t{number}" for number in range(20_000))

        def write():
            for number in range(20_000, 22_000):
                with contextlib.suppress(QueryFailed):
                    guest.execute(f"INSERT INTO t{number} VALUES (1)")

        writing = threading.Thread(target=write)
        writing.start()
        while writing.is_alive():
            warehouse.changed("view")
    assert {"t0", "t21999"} <= warehouse.rows_versions().keys()

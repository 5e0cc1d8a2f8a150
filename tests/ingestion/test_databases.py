"""SQLite and DuckDB files: types from values, names, keys and comments kept."""

import sqlite3

import duckdb
import pytest

from pluto_duck_backend.app.core import extensions, lineage
from pluto_duck_backend.app.core.errors import Conflict, InvalidInput
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.ingestion.connectors import sqlite, sqlite_scan


@pytest.fixture
def sqlite_file(tmp_path):
    def make(script, name="shop.sqlite"):
        path = tmp_path / name
        connection = sqlite3.connect(path)
        connection.executescript(script)
        connection.close()
        return path

    return make


@pytest.mark.parametrize(
    ("declared", "values", "kind"),
    [
        ("INTEGER", "(1), (NULL), (3)", "BIGINT"),
        ("INTEGER", "(1), ('two')", "VARCHAR"),
        ("INTEGER", "(9223372036854775807)", "BIGINT"),
        ("DATE", "('2024-01-02'), (NULL)", "DATE"),
        ("DATE", "('2024-01-02'), ('2024-01-02 10:00:00')", "TIMESTAMP"),
        ("DATE", "('2024-01-02'), ('soon')", "VARCHAR"),
        ("DATE", "('2024-02-30')", "VARCHAR"),
        ("DATETIME", "('2024-01-02 10:00:00')", "TIMESTAMP"),
        ("TIME", "('10:00:00')", "TIME"),
        ("BOOLEAN", "(0), (1), (NULL)", "BOOLEAN"),
        ("BOOLEAN", "(0), (2)", "BIGINT"),
        ("DECIMAL(10,2)", "(1.25), (3)", "DECIMAL(10,2)"),
        ("DECIMAL(10,2)", "(1.255)", "DOUBLE"),
        ("NUMERIC(4,2)", "(12345.5)", "DOUBLE"),
        ("REAL", "(1), (2.5)", "DOUBLE"),
        ("BLOB", "(x'00ff')", "BLOB"),
        ("TEXT", "('00123')", "VARCHAR"),
        ("", "(1), ('a'), (2.5)", "VARCHAR"),
        ("DATE", "(NULL)", "DATE"),
        ("INT", "(NULL)", "BIGINT"),
    ],
)
def test_a_type_is_that_of_the_stored_values(bench, sqlite_file, declared, values, kind):
    path = sqlite_file(f"CREATE TABLE t (v {declared}); INSERT INTO t VALUES {values};")
    bench.load(path)
    assert bench.types("t") == {"v": kind}


def test_text_among_numbers_is_reported_and_kept(bench, sqlite_file):
    path = sqlite_file("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (5), ('abc'), (NULL)")
    result = bench.load(path)
    assert bench.rows("FROM t") == [("5",), ("abc",), (None,)]
    assert "declared INTEGER but holds text" in result.warnings[0]


def test_text_that_is_no_utf8_is_read(bench, sqlite_file):
    bench.load(sqlite_file("CREATE TABLE t (n TEXT); INSERT INTO t VALUES (CAST(x'5a6feb' AS TEXT))"))
    assert bench.rows("FROM t") == [("Zoë",)]


_SHOP = """
CREATE TABLE Customers (Id INTEGER PRIMARY KEY, Email TEXT UNIQUE);
CREATE TABLE "Order Details" (OrderId INT, Line INT, CustomerId INT REFERENCES customers, PRIMARY KEY (OrderId, Line));
CREATE TABLE loose (k TEXT PRIMARY KEY);
INSERT INTO Customers VALUES (1, 'a@x'), (2, 'b@x');
INSERT INTO "Order Details" VALUES (1, 1, 1), (1, 2, 2);
INSERT INTO loose VALUES (NULL), ('a');
CREATE VIEW v AS SELECT 1;
"""


def test_names_and_keys_of_a_database_are_kept(bench, sqlite_file):
    bench.load(sqlite_file(_SHOP))
    assert bench.tables() == ["Customers", "Order Details", "loose"]
    found = bench.rows(
        "SELECT table_name, constraint_type, constraint_column_names FROM duckdb_constraints()"
        " WHERE constraint_type <> 'NOT NULL' ORDER BY ALL"
    )
    assert found == [
        ("Customers", "PRIMARY KEY", ["Id"]),
        ("Customers", "UNIQUE", ["Email"]),
        ("Order Details", "PRIMARY KEY", ["OrderId", "Line"]),
    ]
    keys = lineage.declared_keys(bench.paths)[("main", "Order Details")]
    assert keys["primary_key"] == ["OrderId", "Line"]
    assert keys["foreign_keys"] == [
        {"columns": ["CustomerId"], "ref_schema": "main", "ref_table": "Customers", "ref_columns": ["Id"]}
    ]


def test_a_database_with_foreign_keys_is_replaced_again_and_again(bench, sqlite_file):
    path = sqlite_file(_SHOP)
    for _ in range(3):
        bench.load(path)
    assert bench.rows("SELECT count(*) FROM Customers") == [(2,)]


def test_one_table_of_a_database_is_picked_by_name(bench, sqlite_file):
    path = sqlite_file(_SHOP)
    bench.load(path, table="sales.customers")
    assert bench.rows("SELECT schema_name, table_name FROM duckdb_tables()") == [("sales", "customers")]
    with pytest.raises(InvalidInput, match="Did you mean Customers"):
        bench.load(path, table="Custmers")


def test_all_tables_go_into_a_schema(bench, sqlite_file):
    bench.load(sqlite_file(_SHOP), table="shop.*")
    keys = lineage.declared_keys(bench.paths)[("shop", "Order Details")]
    assert keys["foreign_keys"][0]["ref_schema"] == "shop"
    assert bench.rows("SELECT count(*) FROM shop.Customers") == [(2,)]


@pytest.mark.parametrize("name", ["a.sqlite", "a.duckdb"])
def test_what_is_no_database_is_said(bench, write, name):
    with pytest.raises(InvalidInput, match="is no"):
        bench.load(write(name, b"hello world" * 50))


def test_a_cut_off_sqlite_file_is_said(bench, sqlite_file, write):
    path = sqlite_file("CREATE TABLE t (v);" + "INSERT INTO t VALUES (hex(randomblob(500)));" * 200)
    with pytest.raises(InvalidInput, match=r"cut\.sqlite"):
        bench.load(write("cut.sqlite", path.read_bytes()[:60_000]))
    assert bench.tables() == []


def test_an_empty_database_is_said(bench, sqlite_file):
    with pytest.raises(InvalidInput, match="no tables"):
        bench.load(sqlite_file("CREATE TABLE t (v); DROP TABLE t;"))


@pytest.fixture
def many(sqlite_file, monkeypatch):
    """`many("id INTEGER, v REAL", "(1, 2.5)")`: a table of so many rows that DuckDB's extension reads it."""
    monkeypatch.setattr(sqlite_scan, "LARGE", 2)
    return lambda declared, values, more="": sqlite_file(
        f"CREATE TABLE t ({declared}); INSERT INTO t VALUES {values};{more}"
    )


@pytest.mark.parametrize(
    ("declared", "values", "kind", "is_quick"),
    [
        ("INTEGER", "(1), (NULL), (9223372036854775807)", "BIGINT", True),
        ("INTEGER", "(1), (2.5)", "DOUBLE", False),
        ("INTEGER", "(NULL), (NULL)", "BIGINT", True),
        ("FLOATING POINT", "(1), (2)", "BIGINT", True),
        ("REAL", "(1), (2.5)", "DOUBLE", True),
        ("REAL", "(1.5), ('x')", "VARCHAR", False),
        ("TEXT", "('a'), (x'00ff')", "VARCHAR", False),
        ("TEXT", "(x'00ff'), (x'01')", "BLOB", False),
        ("VARCHAR(9)", "('a'), (NULL), ('Zoë')", "VARCHAR", True),
        ("BLOB", "(x'00ff'), (x'')", "BLOB", True),
        ("BOOLEAN", "(0), (1), (NULL)", "BOOLEAN", True),
        ("BOOLEAN", "(0), (2)", "BIGINT", False),
        ("DECIMAL(10,2)", "(1.25), (3.5)", "DECIMAL(10,2)", True),
        ("DECIMAL(10,2)", "(1.25), (3.555)", "DOUBLE", False),
        ("DECIMAL(10,2)", "(1), (3)", "DECIMAL(10,2)", False),
        ("DATE", "('2024-01-02'), (NULL)", "DATE", True),
        ("DATE", "('2024-01-02'), ('2024-01-02 10:00:00')", "TIMESTAMP", False),
        ("DATE", "('2024-01-02'), ('2024-02-30')", "VARCHAR", False),
        ("TIMESTAMP", "('2024-01-02 10:00:00'), (NULL)", "TIMESTAMP", True),
        ("TIMESTAMP", "('2024-01-02 10:00:00+05:00'), (NULL)", "VARCHAR", False),
        ("TIMESTAMP", "(1700000000), (NULL)", "BIGINT", False),
        ("INTEGER", "(1), ('two')", "VARCHAR", False),
        ("TEXT", "('a'), (CAST(x'5a6feb' AS TEXT))", "VARCHAR", False),
        ("", "(1), (2)", "BIGINT", False),
    ],
)
def test_a_large_table_is_what_it_would_be_row_by_row(bench, many, monkeypatch, declared, values, kind, is_quick):
    if is_quick and extensions.wheel_file("sqlite_scanner") is None:
        pytest.skip(f"no wheel of sqlite_scanner for DuckDB {duckdb.__version__} is installed")
    path, by_row = many(f"v {declared}", values), []
    read = sqlite._batches
    monkeypatch.setattr(sqlite, "_batches", lambda *asked: by_row.append(asked) or read(*asked))
    bench.load(path)
    assert not by_row if is_quick else by_row
    assert bench.types("t") == {"v": kind}
    quick = bench.rows("FROM t")
    monkeypatch.undo()
    bench.load(path)
    assert sorted(quick, key=repr) == sorted(bench.rows("FROM t"), key=repr)
    assert bench.rows("SELECT count(*) FROM duckdb_databases() WHERE NOT internal") == [(1,)]


def test_a_large_table_keeps_its_keys_and_reads_on(bench, many):
    path = many("id INTEGER PRIMARY KEY, v TEXT UNIQUE", "(1, 'a'), (2, NULL)")
    bench.load(path, mode="incremental", cursor="id")
    found = bench.rows(
        "SELECT constraint_text FROM duckdb_constraints() WHERE constraint_type <> 'NOT NULL' ORDER BY 1"
    )
    assert found == [("PRIMARY KEY(id)",), ("UNIQUE(v)",)]
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO t VALUES (3, 'c')")
    assert bench.load(path, mode="incremental", cursor="id").tables[0].rows == 1
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO t VALUES (4, x'5a')")
    assert bench.load(path, mode="incremental", cursor="id").tables[0].rows == 1
    assert bench.rows("SELECT v FROM t WHERE id > 2 ORDER BY id") == [("c",), ("Z",)]


def test_a_large_table_of_a_file_with_a_log_is_read_in_one_transaction(bench, many):
    bench.load(many("v INTEGER", "(1), (2)", "PRAGMA journal_mode = wal;"))
    assert bench.rows("SELECT sum(v) FROM t") == [(3,)]


def test_without_the_extension_a_large_table_is_read_as_well(bench, many, monkeypatch, tmp_path):
    monkeypatch.setattr(extensions, "wheel_file", lambda name: tmp_path / "void.duckdb_extension")
    bench.load(many("v INTEGER", "(1), (2)"))
    assert bench.rows("SELECT sum(v) FROM t") == [(3,)]


@pytest.fixture
def duckdb_file(tmp_path):
    path = tmp_path / "other.duckdb"
    other = Warehouse.open(path)
    with other.write() as session:
        session.execute("CREATE SCHEMA s")
        session.execute("CREATE TABLE p (id INT PRIMARY KEY, e ENUM ('x', 'y'), l STRUCT(a INT)[], d DECIMAL(20, 4))")
        session.execute("INSERT INTO p VALUES (1, 'x', [{'a': 1}], 1.5)")
        session.execute("CREATE TABLE c (pid INT REFERENCES p (id))")
        session.execute("INSERT INTO c VALUES (1)")
        session.execute("CREATE TABLE s.t AS SELECT 1 AS a")
        session.execute("COMMENT ON TABLE p IS 'the ''parents'''")
        session.execute("COMMENT ON COLUMN p.id IS 'its number'")
    other.close()
    return path


def test_a_duckdb_file_keeps_types_keys_schemas_and_comments(bench, duckdb_file):
    bench.load(duckdb_file)
    assert bench.types("p")["e"] == "ENUM('x', 'y')"
    assert bench.rows("SELECT l, d::VARCHAR FROM p") == [([{"a": 1}], "1.5000")]
    assert bench.rows("FROM s.t") == [(1,)]
    assert bench.rows("SELECT comment FROM duckdb_tables() WHERE table_name = 'p'") == [("the 'parents'",)]
    assert bench.rows("SELECT comment FROM duckdb_columns() WHERE column_name = 'id'") == [("its number",)]
    assert lineage.declared_keys(bench.paths)[("main", "c")]["foreign_keys"][0]["ref_table"] == "p"
    assert bench.rows("SELECT count(*) FROM duckdb_databases() WHERE NOT internal") == [(1,)]


def test_the_warehouse_is_not_loaded_into_itself(bench):
    with pytest.raises(Conflict, match="warehouse itself"):
        bench.load(bench.warehouse.path)


@pytest.mark.parametrize(
    ("name", "tables", "table", "rows"),
    [
        ("chinook.sqlite", 11, "Track", 3503),
        ("northwind.sqlite", 13, '"Order Details"', 2155),
        ("titanic.sqlite", 1, "passenger", 1309),
        ("shopify.duckdb", 9, "orders", 3000),
        ("tpch", 7, "lineitem", 60175),
    ],
)
def test_real_files_load_whole(bench, shared, name, tables, table, rows):
    result = bench.load(shared / "data" / name)
    assert len(result.tables) == tables
    assert bench.rows(f"SELECT count(*) FROM {table}") == [(rows,)]

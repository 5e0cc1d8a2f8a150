"""PostgreSQL and MariaDB, real ones: types, keys, comments, incremental loads, faults, secrets."""

import contextlib
import re
import socket
import threading
from pathlib import Path

import pytest
from tests.ingestion.relay import relay
from tests.ingestion.servers import PORTS, open_server

from pluto_duck_backend.app.core import extensions, lineage
from pluto_duck_backend.app.core.errors import Cancelled, EnvironmentFault, InvalidInput
from pluto_duck_backend.app.services.ingestion import IngestRequest, connections

TYPES = Path(__file__).parents[1] / "fixtures" / "types"
KINDS = ("postgres", "mysql")
_MADE = {
    "postgres": (
        "CREATE TYPE {}.mood AS ENUM ('sad', 'ok', 'happy')",
        "CREATE TYPE {}.pair AS (a int, b text)",
        "CREATE DOMAIN {}.positive AS integer CHECK (VALUE > 0)",
        "CREATE DOMAIN {}.price AS numeric",
    ),
    "mysql": (),
}


def cases(kind):
    """`(type, value, DuckDB's type, the value as text)` of each line."""
    return [line.split(" | ") for line in (TYPES / f"{kind}.txt").read_text().splitlines()]


@pytest.fixture(params=KINDS)
def server(request, tmp_path):
    with open_server(request.param, tmp_path) as opened:
        yield opened


@pytest.fixture
def postgres(tmp_path):
    with open_server("postgres", tmp_path) as opened:
        yield opened


@pytest.fixture
def pull(bench):
    """`pull(server, **options)` loads from the server."""

    def load(server, cancelled=lambda: False, config=None, **options):
        request = IngestRequest.from_dict({"config": {**server.config, **(config or {})}, **options})
        *bench.progress, result = bench.service.load(request, cancelled=cancelled)
        return result

    return load


def _declared(server, kind):
    """A type as it is written in CREATE TABLE; those made for the test lie in its schema."""
    own = kind.split(" (")[0]
    return f"{server.place}.{own}" if own != kind or kind == "mood[]" else kind


def _expected(text):
    return None if text == "NULL" else "" if text == "''" else text


def _make(server):
    server.run(*(each.format(server.place) for each in _MADE[server.kind]))


def _check(bench, server, table, column, kind, text):
    (row,) = bench.rows(f'SELECT {column}::VARCHAR, typeof({column}) FROM "{server.home}".{table}')
    assert row == (_expected(text), kind)


def test_every_type_comes_through_alone(bench, server, pull):
    _make(server)
    for number, (kind, value, *_) in enumerate(cases(server.kind)):
        server.run(
            f"CREATE TABLE {server.place}.t{number} (c {_declared(server, kind)})",
            f"INSERT INTO {server.place}.t{number} VALUES ({value})",
        )
    pull(server)
    for number, (_, _, kind, text) in enumerate(cases(server.kind)):
        _check(bench, server, f"t{number}", "c", kind, text)


def test_every_type_comes_through_beside_all_others(bench, server, pull):
    _make(server)
    every = cases(server.kind)
    columns = ", ".join(f"c{number} {_declared(server, kind)}" for number, (kind, *_) in enumerate(every))
    server.run(
        f"CREATE TABLE {server.place}.t ({columns})",
        f"INSERT INTO {server.place}.t VALUES ({', '.join(value for _, value, *_ in every)})",
    )
    pull(server)
    for number, (_, _, kind, text) in enumerate(every):
        _check(bench, server, "t", f"c{number}", kind, text)


_SHOP = (
    "CREATE TABLE {}.customers (id int PRIMARY KEY, code varchar(9) UNIQUE)",
    "CREATE TABLE {}.orders (id int, line int, customer int, PRIMARY KEY (id, line),"
    " FOREIGN KEY (customer) REFERENCES {}.customers (id))",
    "CREATE VIEW {}.v AS SELECT 1 AS one",
    "INSERT INTO {}.customers VALUES (1, 'a'), (2, NULL)",
    "INSERT INTO {}.orders VALUES (1, 1, 2), (1, 2, 1)",
)


def _shop(server):
    server.run(*(each.replace("{}", server.place) for each in _SHOP))


def test_keys_come_with_the_tables_and_views_where_asked(bench, server, pull):
    _shop(server)
    pull(server)
    assert bench.tables() == ["customers", "orders"]
    keys = lineage.declared_keys(bench.paths)[(server.home, "orders")]
    assert keys["primary_key"] == ["id", "line"]
    assert keys["foreign_keys"] == [
        {"columns": ["customer"], "ref_schema": server.home, "ref_table": "customers", "ref_columns": ["id"]}
    ]
    found = bench.rows(
        "SELECT constraint_text FROM duckdb_constraints() WHERE constraint_type <> 'NOT NULL' ORDER BY 1"
    )
    assert found == [("PRIMARY KEY(id)",), ("PRIMARY KEY(id, line)",), ("UNIQUE(code)",)]
    pull(server, config={"views": True})
    assert "v" in bench.tables()


def test_comments_are_kept(bench, server, pull):
    note = {"postgres": "", "mysql": " COMMENT 'its ''number'''"}[server.kind]
    table = {"postgres": "", "mysql": " COMMENT='the things'"}[server.kind]
    server.run(f"CREATE TABLE {server.place}.t (id int{note}){table}")
    if server.kind == "postgres":
        server.run(
            f"COMMENT ON TABLE {server.place}.t IS 'the things'",
            f"COMMENT ON COLUMN {server.place}.t.id IS 'its ''number'''",
        )
    pull(server)
    assert bench.rows("SELECT comment FROM duckdb_tables()") == [("the things",)]
    assert bench.rows("SELECT comment FROM duckdb_columns() WHERE column_name = 'id'") == [("its 'number'",)]


def test_one_table_goes_where_the_user_says(bench, server, pull):
    _shop(server)
    assert pull(server, target="sales.orders").tables[0].rows == 2
    assert bench.rows("SELECT schema_name, table_name FROM duckdb_tables()") == [("sales", "orders")]
    with pytest.raises(InvalidInput, match=r"has no table 'order'.*Did you mean"):
        pull(server, config={"tables": "order"})


@pytest.mark.parametrize("column", ["int", "decimal(40,2)", "timestamp(6)", "varchar(20)"])
def test_incremental_reads_what_is_new(bench, server, pull, column):
    make = (lambda n: f"'2026-01-01 00:00:{n:02}.5'") if column.startswith("timestamp") else (lambda n: f"'{10 + n}'")
    options = {"target": "t", "mode": "incremental", "cursor": "c"}
    server.run(f"CREATE TABLE {server.place}.t (c {column} NULL, v decimal(65,30))")
    server.run(*(f"INSERT INTO {server.place}.t VALUES ({make(n)}, {n})" for n in range(5)))
    assert pull(server, **options).tables[0].rows == 5
    server.run(*(f"INSERT INTO {server.place}.t VALUES ({make(n)}, {100 + n})" for n in (4, 5, 6)))
    server.run(f"INSERT INTO {server.place}.t VALUES (NULL, 1000)")
    assert pull(server, **options).tables[0].rows == 4
    assert pull(server, **options).tables[0].rows == 0
    assert bench.rows("SELECT count(*), sum(v::INT) FROM t") == [(9, 10 + 104 + 105 + 106 + 1000)]


def test_incremental_reads_numbers_that_have_become_texts_in_their_order(bench, server, pull):
    options = {"target": "t", "mode": "incremental", "cursor": "c"}
    server.run(f"CREATE TABLE {server.place}.t (c int)", f"INSERT INTO {server.place}.t VALUES (9)")
    pull(server, **options)
    change = {"postgres": "ALTER c TYPE varchar(9)", "mysql": "MODIFY c varchar(9)"}[server.kind]
    server.run(f"ALTER TABLE {server.place}.t {change}", f"INSERT INTO {server.place}.t VALUES ('10')")
    assert pull(server, **options).tables[0].rows == 1
    assert bench.rows("SELECT c FROM t ORDER BY c") == [(9,), (10,)]


def test_incremental_looks_at_the_new_rows_alone(bench, tmp_path, pull):
    """What the others hold is not told again, and a type that they need is kept."""
    options = {"target": "t", "mode": "incremental", "cursor": "seen"}
    with open_server("mysql", tmp_path) as server:
        server.run(f"CREATE TABLE {server.place}.t (seen timestamp, d date, t time)")
        rows = "('2026-01-01', '2026-00-01', '30:00:00'), ('2026-01-09', NULL, NULL)"
        server.run(f"INSERT INTO {server.place}.t VALUES {rows}")
        assert "column d holds 1 dates with no year, month or day" in str(pull(server, **options).warnings)
        server.run(f"INSERT INTO {server.place}.t VALUES ('2026-01-10', '2026-01-02', '10:00:00')")
        result = pull(server, **options)
    assert (result.tables[0].rows, result.warnings) == (1, [])
    assert bench.rows("SELECT d::VARCHAR, t::VARCHAR FROM t ORDER BY seen") == [
        (None, "30:00:00"),
        (None, None),
        ("2026-01-02", "10:00:00"),
    ]


def test_a_password_is_never_shown_or_kept(bench, server, pull, monkeypatch):
    monkeypatch.setenv("SHOP_PASSWORD", "s3kret!word")
    _shop(server)
    with pytest.raises(EnvironmentFault, match="cannot be reached as nobody_here") as caught:
        pull(server, config={"user": "nobody_here", "password": "${env:SHOP_PASSWORD}"})
    assert "s3kret" not in caught.value.message + caught.value.hint
    if server.kind == "postgres":  # which trusts everybody here, whatever the password
        pull(server, config={"password": "${env:SHOP_PASSWORD}"})
        assert "${env:SHOP_PASSWORD}" in lineage.lineage_file(bench.paths).read_text()
        pull(server, config={"password": "s3kret!word"})
    for file in bench.paths.root.rglob("*"):
        assert not file.is_file() or b"s3kret" not in file.read_bytes(), file
    assert bench.rows("SELECT count(*) FROM duckdb_secrets()") == [(0,)]
    assert bench.rows("SELECT count(*) FROM duckdb_databases() WHERE NOT internal") == [(1,)]


def test_a_missing_reference_is_said(server, pull):
    with pytest.raises(EnvironmentFault, match="environment variable NOT_THERE"):
        pull(server, config={"password": "${env:NOT_THERE}"})


def test_an_address_where_nobody_listens_is_said(server, pull):
    with pytest.raises(EnvironmentFault, match="cannot be reached") as caught:
        pull(server, config={"port": "1"})
    assert caught.value.retryable
    assert not re.search("keepalive|timeout|parameters", caught.value.message)


def test_a_misspelt_option_is_said(server, pull):
    with pytest.raises(InvalidInput, match="Did you mean tables"):
        pull(server, config={"tabels": "x"})


def test_a_missing_extension_says_what_to_install(server, pull, monkeypatch, tmp_path):
    monkeypatch.setattr(extensions, "wheel_file", lambda name: tmp_path / "void.duckdb_extension")
    with pytest.raises(EnvironmentFault) as caught:
        extensions.load(server.session, "postgres_scanner", "postgres")
    assert "pip install 'pluto-duck[postgres]'" in caught.value.hint


_ROWS = {"postgres": "generate_series({}, {}) AS g(id)", "mysql": "(SELECT seq AS id FROM seq_{}_to_{}) g"}


def _fill(server, statement, first, last):
    """Rows of 500 letters into `big`."""
    rows = _ROWS[server.kind].format(first, last)
    server.run(f"{statement.format(f'{server.place}.big')} SELECT id, repeat('x', 500) AS v FROM {rows}")


def _kill(server):
    """How many connections that read `big` the server ended."""
    if server.kind == "postgres":
        others = "pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE 'COPY%big%'"
        return server.asked(f"SELECT count(pg_terminate_backend(pid)) AS n FROM {others}")[0][0]
    others = "information_schema.processlist WHERE id <> connection_id() AND info LIKE 'SELECT%big%'"
    found = server.asked(f"SELECT CAST(id AS char(20)) AS id FROM {others}")
    server.run(*(f"KILL CONNECTION {each}" for (each,) in found))
    return len(found)


def test_a_server_that_ends_the_connection_changes_nothing(bench, server, pull):
    _fill(server, "CREATE TABLE {} AS", 1, 1000)
    pull(server, target="big")
    before = lineage.lineage_file(bench.paths).read_bytes()
    _fill(server, "INSERT INTO {}", 1001, 200_000)
    stop = threading.Event()

    def killing():
        while not stop.is_set() and not _kill(server):
            stop.wait(0.005)

    killer = threading.Thread(target=killing)
    killer.start()
    with pytest.raises(EnvironmentFault, match="cannot be read") as caught:
        pull(server, target="big", retries=0)
    stop.set()
    killer.join()
    assert caught.value.code == "source_failed"
    assert bench.rows("SELECT count(*) FROM big") == [(1000,)]
    assert lineage.lineage_file(bench.paths).read_bytes() == before
    assert pull(server, target="big").tables[0].rows == 200_000


def test_a_table_that_may_not_be_read_is_said_plainly(postgres, pull):
    role = f"r{postgres.place}"
    postgres.run(f"CREATE TABLE {postgres.place}.t AS SELECT 2.5::numeric AS n", f"CREATE ROLE {role} LOGIN")
    postgres.run(f"GRANT USAGE ON SCHEMA {postgres.place} TO {role}")
    with pytest.raises(EnvironmentFault, match="permission denied for table t") as caught:
        pull(postgres, config={**postgres.config, "user": role})
    postgres.run(f"DROP OWNED BY {role}", f"DROP ROLE {role}")
    assert "SELECT" not in caught.value.message


@pytest.fixture
def behind(server):
    """`behind("cut")`: a table of 60,000 rows on the server, reached by a relay that breaks off in the middle."""
    with contextlib.ExitStack() as stack:

        def _behind(then):
            source = {
                "postgres": "generate_series(1, 60000) AS g(id)",
                "mysql": "(SELECT seq AS id FROM seq_1_to_60000) g",
            }
            rows = f"SELECT id, md5(CAST(id AS char(9))) AS v FROM {source[server.kind]}"
            server.run(f"CREATE TABLE {server.place}.big AS {rows}")
            between = stack.enter_context(relay(PORTS[server.kind], then))
            between.room = 1_000_000
            address = server.config["url"].replace("@127.0.0.1/", f"@127.0.0.1:{between.port}/")
            return between, {"config": {**server.config, "url": address}, "target": "big", "retries": 0}

        yield _behind


def test_a_connection_that_breaks_off_changes_nothing(bench, server, behind, pull, write):
    bench.load(write("big.csv", "id\n1\n"))
    before = lineage.lineage_file(bench.paths).read_bytes()
    between, asked = behind("cut")
    with pytest.raises(
        EnvironmentFault, match=r"big cannot be read: .*(closed the connection|connection was lost)"
    ) as caught:
        list(bench.service.load(IngestRequest.from_dict(asked), cancelled=lambda: False))
    assert between.is_full.is_set()
    assert caught.value.retryable
    assert bench.rows("SELECT count(*) FROM big") == [(1,)]
    assert lineage.lineage_file(bench.paths).read_bytes() == before
    assert pull(server, target="big").tables[0].rows == 60_000


def test_a_load_from_a_server_that_fell_silent_is_cancelled_and_writing_goes_on(bench, behind, write):
    between, asked = behind("silent")
    with pytest.raises(Cancelled):
        list(bench.service.load(IngestRequest.from_dict(asked), cancelled=between.is_full.is_set))
    assert bench.tables() == []
    bench.load(write("big.csv", "id\n1\n"))
    assert bench.rows("FROM duckdb_databases() SELECT count(*) WHERE NOT internal") == [(1,)]


def test_only_connections_to_that_server_are_watched_and_cut():
    with contextlib.ExitStack() as stack:
        listening = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        ports = [each.getsockname()[1] for each in listening]
        theirs, other = (stack.enter_context(socket.create_connection(("127.0.0.1", port))) for port in ports)
        options = {"host": "127.0.0.1", "port": str(ports[0])}
        connections.keep_alive("postgres", options)
        connections.cut("postgres", options)
        assert theirs.recv(1) == b""
        alive = [each.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) for each in (theirs, other)]
        assert alive == [1, 0]
        other.sendall(b"still here")


def test_cancelling_in_the_middle_changes_nothing(bench, postgres):
    _fill(postgres, "CREATE TABLE {} AS", 1, 300_000)
    request = IngestRequest.from_dict({"config": postgres.config, "target": "big"})
    asked = threading.Event()
    with pytest.raises(Cancelled):
        for step in bench.service.load(request, cancelled=asked.is_set):
            if step.message.startswith("reading"):
                asked.set()
    assert bench.tables() == []
    assert bench.rows("SELECT count(*) FROM duckdb_databases() WHERE NOT internal") == [(1,)]


def test_what_may_not_be_read_is_said(bench, postgres, pull):
    _shop(postgres)
    role = f"r{postgres.place}"
    postgres.run(f"CREATE ROLE {role} LOGIN", f"GRANT USAGE ON SCHEMA {postgres.place} TO {role}")
    try:
        with pytest.raises(EnvironmentFault, match="permission denied for table"):
            pull(postgres, config={"user": role})
    finally:
        postgres.run(f"DROP OWNED BY {role}", f"DROP ROLE {role}")
    assert bench.tables() == []
    pull(postgres)
    assert bench.tables() == ["customers", "orders"]


def test_a_column_that_is_gone_the_next_time_is_told(bench, postgres, pull):
    _shop(postgres)
    options = {"target": "customers", "mode": "merge", "key": "id"}
    pull(postgres, **options)
    postgres.run(f"ALTER TABLE {postgres.place}.customers DROP COLUMN code, ADD COLUMN born date")
    assert "new column born DATE was added" in "\n".join(pull(postgres, **options).warnings)
    assert bench.rows("SELECT * FROM customers ORDER BY id") == [(1, "a", None), (2, None, None)]

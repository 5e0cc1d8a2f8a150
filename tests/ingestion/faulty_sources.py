"""Sources of every kind with the same rows, and what goes wrong with them: what `test_source_faults` asks of each.

A source is filled with rows of `id, name, n`. A fault is a context in which a load fails, or must not do harm; it gives
the function that says when the user cancels. After it the source is whole again.
"""

import contextlib
import hashlib
import os
import sqlite3
import tempfile
import threading
from pathlib import Path

import polars as pl
from tests.ingestion import object_server
from tests.ingestion.conftest import write_xlsx
from tests.ingestion.relay import relay
from tests.ingestion.servers import PORTS

from pluto_duck_backend.app.core.warehouse import Warehouse, literal

_NOBODY = 65534
LONG = 128  # characters of a name, which no compression makes much shorter


def frame(rows, *, last="n"):
    names = [hashlib.sha512(str(number).encode()).hexdigest() for number in range(rows)]
    return pl.DataFrame({"id": range(rows), "name": names, last: [0.5] * rows})


def never():
    return False


class File:
    """A file that somebody writes: cut off when its writer dies, forbidden by its permissions."""

    words = ""

    def __init__(self, ending, write):
        self.folder = Path(tempfile.mkdtemp(prefix="faulty-"))
        self.folder.chmod(0o755)
        self.path, self._write = self.folder / f"t{ending}", write
        self.words = str(self.path)

    @property
    def config(self):
        return {"path": str(self.path)}

    def fill(self, rows, **columns):
        self.path.unlink(missing_ok=True)
        self._write(frame(rows, **columns), self.path)
        self.path.chmod(0o644)

    @contextlib.contextmanager
    def cut(self):
        whole = self.path.read_bytes()
        self.path.write_bytes(whole[: len(whole) * 3 // 10])
        yield never
        self.path.write_bytes(whole)

    @contextlib.contextmanager
    def forbidden(self):
        """By another user's eyes where this is root, who may read everything."""
        self.path.chmod(0)
        is_root = os.geteuid() == 0
        if is_root:
            os.seteuid(_NOBODY)
        try:
            yield never
        finally:
            if is_root:
                os.seteuid(0)
            self.path.chmod(0o644)

    def change(self, rows):
        """Another file takes its place."""
        other = self.path.with_name(f"new{self.path.suffix}")
        self._write(frame(rows, last="m"), other)
        other.replace(self.path)


def _sqlite(data, path):
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        columns = ", ".join(data.columns)
        connection.execute(f"CREATE TABLE t ({columns})")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", data.iter_rows())


def _duckdb(data, path):
    other = Warehouse.open(path)
    parquet = path.with_suffix(".parquet")
    data.write_parquet(parquet)
    with other.write() as session:
        session.execute(f"CREATE TABLE t AS FROM read_parquet({literal(str(parquet))})")
    other.close()
    parquet.unlink()


FILES = {
    "csv": (".csv", lambda data, path: data.write_csv(path)),
    "json": (".ndjson", lambda data, path: data.write_ndjson(path)),
    "parquet": (".parquet", lambda data, path: data.write_parquet(path)),
    "excel": (".xlsx", lambda data, path: write_xlsx(path, {"t": [data.columns, *map(list, data.iter_rows())]})),
    "sqlite": (".sqlite", _sqlite),
    "duckdb": (".duckdb", _duckdb),
}


class Web:
    """A CSV file on a server: `behave` is what that does wrong, once for each request."""

    def __init__(self, server, config, words):
        self._server, self.config, self.words = server, config, words

    def fill(self, rows, **columns):
        self.serve(frame(rows, **columns).write_csv().encode())

    def serve(self, data):
        if isinstance(self._server, object_server.Store):
            self._server.objects = {"t.csv": data}
        else:
            self._server.data = data

    @contextlib.contextmanager
    def misbehaving(self, *how, cancelled=never):
        self._server.behave = list(how)
        yield cancelled
        self._server.behave = []

    def cut(self):
        return self.misbehaving("break", *["drop" if self.is_store else "503"] * 99)

    @property
    def is_store(self):
        return isinstance(self._server, object_server.Store)

    def silent(self):
        self._server.asked.clear()
        return self.misbehaving(*["stall"] * 99, cancelled=lambda: bool(self._server.asked))

    @contextlib.contextmanager
    def forbidden(self):
        if not self.is_store:
            with self.misbehaving(*["403"] * 99) as cancelled:
                yield cancelled
            return
        good = self.config["options"]["secret_access_key"]
        self.config["options"]["secret_access_key"] = "another"
        yield never
        self.config["options"]["secret_access_key"] = good

    def change(self, rows):
        self.fill(rows, last="m")


class Database:
    """A table of a real server, behind a relay that can break off or fall silent."""

    def __init__(self, server):
        self._server, self.config, self.words = server, {**server.config, "tables": ["t"]}, "cannot be read"

    def fill(self, rows, last="n"):
        hexed = {"postgres": "encode(sha512(CAST(id AS text)::bytea), 'hex')", "mysql": "sha2(id, 512)"}
        numbers = {
            "postgres": f"generate_series(0, {rows - 1}) AS g(id)",
            "mysql": f"(SELECT seq AS id FROM seq_0_to_{rows - 1}) g",
        }
        kind, place = self._server.kind, self._server.place
        select = f"SELECT id, {hexed[kind]} AS name, 0.5 AS {last} FROM {numbers[kind]}"
        self._server.run(f"DROP TABLE IF EXISTS {place}.t", f"CREATE TABLE {place}.t AS {select}")

    @contextlib.contextmanager
    def _behind(self, then):
        (size,) = self._server.asked(f"SELECT CAST(count(*) AS char(9)) AS n FROM {self._server.place}.t")[0]
        url = self.config["url"]
        with relay(PORTS[self._server.kind], then) as between:
            between.room = int(size) * LONG * 3 // 10
            self.config["url"] = url.replace("@127.0.0.1/", f"@127.0.0.1:{between.port}/")
            yield between
        self.config["url"] = url

    @contextlib.contextmanager
    def cut(self):
        with self._behind("cut"):
            yield never

    @contextlib.contextmanager
    def silent(self):
        with self._behind("silent") as between:
            yield between.is_full.is_set

    @contextlib.contextmanager
    def forbidden(self):
        """A user who may see that the table is there, and not its rows."""
        place, url = self._server.place, self.config["url"]
        role, made = (
            f"r{place}",
            {
                "postgres": (f"CREATE ROLE r{place} LOGIN", f"GRANT USAGE ON SCHEMA {place} TO r{place}"),
                "mysql": (
                    f"CREATE USER r{place}@'127.0.0.1'",
                    f"GRANT INSERT ON {place}.t TO r{place}@'127.0.0.1'",
                ),
            },
        )
        gone = {"postgres": (f"DROP OWNED BY {role}", f"DROP ROLE {role}"), "mysql": (f"DROP USER {role}@'127.0.0.1'",)}
        self._server.run(*made[self._server.kind])
        self.config["user"] = role
        try:
            yield never
        finally:
            del self.config["user"]
            self._server.run(*gone[self._server.kind])
            self.config["url"] = url

    def change(self, rows):
        """From a thread of its own, since the server may let it wait until the load is over."""
        place = self._server.place
        thread = threading.Thread(
            target=self._server.run, args=(f"ALTER TABLE {place}.t RENAME COLUMN n TO m",), daemon=True
        )
        thread.start()
        thread.join(0.3)
        self.changing = thread

"""The connectors that come with Pluto-Duck keep the contract that third parties test theirs against."""

import re
import sqlite3
from pathlib import Path

import polars as pl
import pytest
from tests.ingestion import object_server

from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.ingestion import registry
from pluto_duck_backend.app.services.ingestion.contract_suite import ConnectorContract

FRAME = pl.DataFrame({"id": [1, 2, 3], "name": ["a", None, "c"]})


class _OfFile(ConnectorContract):
    """A connector of files: `ending` and what a good one holds."""

    ending, rows = "", {"t": 3}

    def config(self, folder):
        path = folder / f"t{self.ending}"
        self.write(path)
        return {"path": str(path)}

    def broken(self, folder):
        path = folder / f"t{self.ending}"
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
        return {"path": str(path)}

    def write(self, path):
        raise NotImplementedError


class TestCsv(_OfFile):
    connector, ending = registry.get("csv"), ".csv"

    def write(self, path):
        FRAME.write_csv(path)


class TestJson(_OfFile):
    connector, ending = registry.get("json"), ".ndjson"

    def write(self, path):
        FRAME.write_ndjson(path)


class TestParquet(_OfFile):
    connector, ending = registry.get("parquet"), ".parquet"

    def write(self, path):
        FRAME.write_parquet(path)


class TestArrow(_OfFile):
    connector, ending = registry.get("arrow"), ".arrow"

    def write(self, path):
        FRAME.write_ipc(path)


class TestAvro(_OfFile):
    connector, ending = registry.get("avro"), ".avro"

    def write(self, path):
        FRAME.write_avro(path)


class TestSqlite(_OfFile):
    connector, ending, rows = registry.get("sqlite"), ".sqlite", {"t": 3, "u": 1}

    def write(self, path):
        with sqlite3.connect(path) as connection:
            connection.executescript(
                "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2), (3);"
                "CREATE TABLE u (t_id REFERENCES t); INSERT INTO u VALUES (2);"
            )


class TestDuckdb(_OfFile):
    connector, ending = registry.get("duckdb"), ".duckdb"

    def write(self, path):
        other = Warehouse.open(path)
        with other.write() as session:
            session.execute("CREATE TABLE t AS FROM range(3)")
        other.close()


class TestFrame(ConnectorContract):
    connector, rows = registry.get("frame"), {"frame": 3}

    def config(self, folder):
        return {"frame": FRAME}

    def broken(self, folder):
        return {"frame": "no frame"}


class TestObjects(ConnectorContract):
    connector, rows = registry.get("objects"), {"t": 3}

    @pytest.fixture(autouse=True)
    def _store(self):
        pytest.importorskip("obstore", reason="the package obstore is not installed")
        with object_server.running() as self.store:
            yield

    def config(self, folder):
        FRAME.write_parquet(folder / "t.parquet")
        self.store.objects["in/t.parquet"] = (folder / "t.parquet").read_bytes()
        return {"url": "s3://lake/in/", "options": self.store.options}

    def broken(self, folder):
        self.store.objects["t.parquet"] = b"PAR1junk"
        return {"url": "s3://lake/t.parquet", "options": self.store.options}


class TestAdbc(ConnectorContract):
    connector, rows = registry.get("adbc"), {"t": 3, "some": 1}

    @pytest.fixture(autouse=True)
    def _needs_driver(self):
        pytest.importorskip("adbc_driver_sqlite")

    def config(self, folder):
        TestSqlite().write(folder / "t.sqlite")
        options = {"uri": str(folder / "t.sqlite")}
        some = {"some": "SELECT id FROM t WHERE id = 2"}
        return {"driver": "adbc_driver_sqlite", "options": options, "tables": ["t"], "queries": some}

    def broken(self, folder):
        return {"driver": "adbc_driver_sqlite", "options": {"uri": ":memory:"}, "tables": ["not_there"]}


def _taught():
    """What the docs teach, run as it stands there."""
    page = (Path(__file__).parents[2] / "docs" / "connectors.md").read_text()
    found = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block, found)
    return found["TestCountdown"]


TestCountdown = _taught()

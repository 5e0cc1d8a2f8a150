"""What the server adds to DuckDB: each line pairs a call over HTTP with the same in this process, in turns."""

import statistics
import tempfile
import time
from pathlib import Path

import duckdb
import polars

from tests.benchmarks._server import Server

BIG = (
    "SELECT range AS id, range % 1000 AS g, 'name ' || (range % 5000) AS name, (range * 7919 % 100000) / 100.0 AS v, "
    "DATE '2020-01-01' + (range % 900)::INTEGER AS day FROM range(1000000)"
)
SMALL = (
    "SELECT * FROM big LIMIT 1000",
    "SELECT * FROM big WHERE g = 7",
    "SELECT g, count(*) AS n, sum(v) AS s, min(day) AS first, max(name) AS last FROM big GROUP BY g ORDER BY g",
    "SELECT id, name, v FROM big ORDER BY v DESC, id LIMIT 1000",
)
LONG = "SELECT range AS id, range % 1000 AS g, range * 0.5 AS v FROM range({rows})"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        source = Path(folder) / "big.parquet"
        local = duckdb.connect(f"{folder}/local.duckdb")
        local.execute(f"CREATE TABLE big AS {BIG}")
        local.execute(f"COPY big TO '{source}' (FORMAT parquet)")
        with Server(root) as server:
            server.load(source, "big")
            for sql in SMALL:
                _thousand_rows(server, local, sql)
            _arrow(server, local)
            _to_parquet(server, local, folder)
            print(f"memory of the server at most {server.memory_mb('VmHWM'):.0f} MB")


def _thousand_rows(server: Server, local: duckdb.DuckDBPyConnection, sql: str) -> None:
    body = {"sql": sql, "max_rows": 1000}

    def over_http() -> None:
        assert len(server.client.post("/query?wait=true", json=body).json()["rows"]) == 1000

    there, here = _in_turns(over_http, lambda: local.execute(sql).fetchall(), times=60)
    print(f"1,000 rows: HTTP {there:.2f} ms, in process {here:.2f} ms, ratio {there / here:.2f}   {sql}")


def _arrow(server: Server, local: duckdb.DuckDBPyConnection) -> None:
    job = server.client.post("/query?wait=true", json={"sql": "SELECT * FROM big", "max_rows": 1}).json()["job_id"]

    def over_http() -> None:
        answer = server.client.get(f"/query/{job}/result", params={"format": "arrow"})
        assert polars.read_ipc_stream(answer.content).height == 1_000_000

    there, here = _in_turns(over_http, lambda: _fetched(local), times=7)
    print(f"1 M rows as Arrow: HTTP {there:.0f} ms, in process {here:.0f} ms, ratio {there / here:.2f}")


def _fetched(local: duckdb.DuckDBPyConnection) -> None:
    assert polars.DataFrame(local.sql("SELECT * FROM big")).height == 1_000_000


def _to_parquet(server: Server, local: duckdb.DuckDBPyConnection, folder: str) -> None:
    sql = LONG.format(rows=50_000_000)

    def there() -> None:
        job = server.client.post("/query?wait=true", json={"sql": sql, "max_rows": 1}).json()
        assert job["row_count"] == 50_000_000

    def here() -> None:
        local.execute(f"COPY ({sql}) TO '{folder}/copy.parquet' (FORMAT parquet)")

    ours, raw = _in_turns(there, here, times=2)
    print(f"50 M rows to Parquet: {ours / 1000:.1f} s, COPY {raw / 1000:.1f} s, speed {raw / ours:.2f} of COPY")


def _in_turns(one, other, times: int) -> tuple[float, float]:
    """Medians in milliseconds."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(times + 1):
        for call, into in zip((one, other), taken, strict=True):
            began = time.perf_counter()
            call()
            into.append((time.perf_counter() - began) * 1000)
    first, second = (statistics.median(each[1:]) for each in taken)
    return first, second

"""Loads beside raw DuckDB in one run: files, servers, incremental, merge; `PLUTODUCK_BENCH_ROWS` is the size."""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from pluto_duck_backend.app.core import extensions
from pluto_duck_backend.app.core.config import IngestSettings
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.warehouse import Session, Warehouse, literal
from pluto_duck_backend.app.services.ingestion import IngestionService, IngestRequest
from tests.ingestion.servers import is_there

ROWS = int(os.environ.get("PLUTODUCK_BENCH_ROWS", "5000000"))
ROUNDS = int(os.environ.get("PLUTODUCK_BENCH_ROUNDS", "3"))
_ORDERS = (
    "SELECT i AS id, (i * 7919) % 100000 AS customer, ((i * 31) % 100000) / 100 + 1 AS amount,"
    " TIMESTAMP '2020-01-01' + to_seconds(i) AS placed, 'note of order ' || i AS note FROM range({}) r(i)"
)
_SERVER = "host=127.0.0.1 user=postgres dbname=postgres"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wanted = os.environ.get("PLUTODUCK_BENCH_ONLY", "csv parquet json sqlite postgres merge memory").split()
        for kind in wanted:
            {"postgres": _postgres, "sqlite": _sqlite, "merge": _merge, "memory": _memory}.get(kind, _file)(
                kind, folder
            )


def _compared(name: str, raw: Callable[[], float], ours: Callable[[], float], bound: str) -> None:
    """The best of several rounds, each raw and ours one after the other, so that other work on the machine meets both.

    Processor time is told as well: on a busy machine its ratio says more than that of the clock.
    """
    rounds = [(_timed(raw), _timed(ours)) for _ in range(ROUNDS)]
    (raw_s, raw_cpu), (ours_s, ours_cpu) = (
        [min(each) for each in zip(*side, strict=True)] for side in zip(*rounds, strict=True)
    )
    print(
        f"{name:24} raw {raw_s:6.2f} s   ours {ours_s:6.2f} s   ratio {ours_s / raw_s:5.2f} (at most {bound})"
        f"   processor {raw_cpu:6.2f} s, {ours_cpu:6.2f} s, ratio {ours_cpu / raw_cpu:5.2f}"
        f"   load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
        flush=True,
    )


def _timed(measure: Callable[[], float]) -> tuple[float, float]:
    """Seconds of the clock, seconds of all processors."""
    before = sum(os.times()[:2])
    return measure(), sum(os.times()[:2]) - before


@contextlib.contextmanager
def _warehouse(folder: Path) -> Iterator[tuple[Warehouse, IngestionService]]:
    """A new root each time, so that nobody profits from what another wrote."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        paths = Paths(Path(name)).create()
        warehouse = Warehouse.open(paths.warehouse)
        try:
            yield warehouse, IngestionService(warehouse, paths, IngestSettings())
        finally:
            warehouse.close()


def _raw(folder: Path, sql: str, before: Callable[[Session], None] = lambda session: None) -> float:
    """Seconds until the rows are in the file: as a load of ours, DuckDB may leave writing them to the end."""
    with _warehouse(folder) as (warehouse, _):
        with warehouse.guest() as session:
            before(session)
        with warehouse.write() as session:
            started = time.perf_counter()
            session.execute(sql)
    return time.perf_counter() - started


def _load(service: IngestionService, config: dict, **options) -> float:
    started = time.perf_counter()
    for _ in service.load(IngestRequest.from_dict({"config": config, **options}), cancelled=lambda: False):
        pass
    return time.perf_counter() - started


def _ours(folder: Path, config: dict, **options) -> float:
    """Seconds until the rows are in the file."""
    with _warehouse(folder) as (_, service):
        started = time.perf_counter()
        _load(service, config, **options)
    return time.perf_counter() - started


def _file(kind: str, folder: Path) -> None:
    path = folder / f"orders.{'ndjson' if kind == 'json' else kind}"
    _make(folder, f"COPY ({_ORDERS.format(ROWS)}) TO {literal(str(path))} (FORMAT {kind})")
    sql = f"CREATE TABLE orders AS FROM read_{kind}({literal(str(path))})"
    bound = "1.0" if kind == "json" else "0.8"
    _compared(kind, lambda: _raw(folder, sql), lambda: _ours(folder, {"path": str(path)}), bound)
    path.unlink()


def _make(folder: Path, sql: str) -> None:
    with _warehouse(folder) as (warehouse, _), warehouse.guest() as session:
        session.execute(sql)


def _sqlite(kind: str, folder: Path) -> None:
    path = folder / "orders.sqlite"

    def attach(session: Session) -> None:
        extensions.load(session, "sqlite_scanner", "sqlite")
        session.execute(f"ATTACH {literal(str(path))} AS other (TYPE sqlite)")

    with _warehouse(folder) as (warehouse, _), warehouse.guest() as session:
        attach(session)
        session.execute(f"CREATE TABLE other.orders AS {_ORDERS.format(ROWS // 5)}")
        session.execute("DETACH other")
    sql = "CREATE TABLE orders AS FROM other.orders"
    _compared("sqlite", lambda: _raw(folder, sql, attach), lambda: _ours(folder, {"path": str(path)}), "1.1")


def _postgres(kind: str, folder: Path) -> None:
    if not is_there("postgres"):
        print("postgres: no server")
        return

    def attach(session: Session) -> None:
        extensions.load(session, "postgres_scanner", "postgres")
        session.execute(f"ATTACH {literal(_SERVER)} AS other (TYPE postgres)")

    place = f"bench_{os.getpid()}"
    config = {"url": "postgresql://postgres@127.0.0.1/postgres", "schemas": place}
    with _warehouse(folder) as (warehouse, _), warehouse.guest() as session:
        attach(session)
        session.execute(f"CREATE SCHEMA other.{place}")
        try:
            session.execute(f"CREATE TABLE other.{place}.orders AS {_ORDERS.format(ROWS)}")
            sql = f"CREATE TABLE orders AS FROM other.{place}.orders"
            _compared("postgres", lambda: _raw(folder, sql, attach), lambda: _ours(folder, config), "1.05")
            index = f"CREATE INDEX ON {place}.orders (placed); ANALYZE {place}.orders"
            session.execute(f"CALL postgres_execute('other', {literal(index)})")
            _incremental(folder, config, lambda sql: session.execute(f"INSERT INTO other.{place}.orders {sql}"))
        finally:
            session.execute(f"DROP SCHEMA other.{place} CASCADE")


def _incremental(folder: Path, config: dict, add: Callable[[str], object]) -> None:
    """Of a table with an index on the cursor; without one the server reads all of it to find what is new."""
    options = {"target": "orders", "mode": "incremental", "cursor": "placed"}
    with _warehouse(folder) as (_, service):
        full, full_cpu = _timed(lambda: _load(service, config, **options))
        new = _ORDERS.format(ROWS // 100)
        add(f"SELECT id + {ROWS}, customer, amount, placed + to_seconds({ROWS}), note FROM ({new})")
        more, more_cpu = _timed(lambda: _load(service, config, **options))
    print(
        f"{'incremental, 1 % new':24} full {full:5.2f} s   new {more:6.2f} s   share {more / full:5.3f} (at most 0.05)"
        f"   processor {full_cpu:6.2f} s, {more_cpu:6.2f} s, share {more_cpu / full_cpu:5.3f}"
        f"   load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def _merge(kind: str, folder: Path) -> None:
    path = folder / "changed.parquet"
    changed = f"SELECT * REPLACE (amount + 1 AS amount) FROM ({_ORDERS.format(ROWS * 2)}) WHERE id % 10 = 0"
    _make(folder, f"COPY ({changed}) TO {literal(str(path))} (FORMAT parquet)")
    full = f"CREATE TABLE orders AS {_ORDERS.format(ROWS * 2)}"
    merge = f"MERGE INTO orders t USING (FROM {literal(str(path))}) s USING (id) WHEN MATCHED THEN UPDATE"

    def before(session: Session) -> None:
        session.execute(full)

    def ours() -> float:
        with _warehouse(folder) as (warehouse, service):
            with warehouse.write() as session:
                session.execute(full)
            started = time.perf_counter()
            _load(service, {"path": str(path)}, target="orders", mode="merge", key="id")
        return time.perf_counter() - started

    raw = f"{merge} WHEN NOT MATCHED THEN INSERT"
    _compared(f"merge {ROWS // 5:,} into {ROWS * 2:,}", lambda: _raw(folder, raw, before), ours, "3")


def _memory(kind: str, folder: Path) -> None:
    """The most memory of a process that loads a CSV file as large as the benchmark makes it."""
    path = folder / "large.csv"
    _make(folder, f"COPY ({_ORDERS.format(ROWS * 4)}) TO {literal(str(path))} (FORMAT csv)")
    script = (
        "import sys, resource, tempfile; from pathlib import Path; from tests.benchmarks.ingestion import _ours;"
        "_ours(Path(sys.argv[2]), {'path': sys.argv[1]}); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", script, path, folder], capture_output=True, text=True, check=True)
    size = path.stat().st_size / 1e9
    print(f"{'memory':24} {int(done.stdout) / 1e3:,.0f} MB for a CSV file of {size:.1f} GB (at most 1,000)")
    path.unlink()

"""Everything at once on one warehouse: readers, ingestion that replaces and appends, dbt, the command line.

Every state that is ever committed obeys a rule that a reader can check, so a torn read shows itself.
"""

from __future__ import annotations

import http.client
import json
import random
import statistics
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.benchmarks._server import COMMAND, Server

READERS = 50
VERSION_ROWS = 20_000
PART_ROWS = 1_000
_THINK_S = (0.5, 1.5)
_CHECK_EVERY = 5
SMALL = "SELECT * FROM marts.orders WHERE order_id = {key}"
CHECKS = {
    "a replaced table is one version": (
        "SELECT count(*), count(DISTINCT version), max(version) FROM versions",
        lambda row: row[0] == VERSION_ROWS and row[1] == 1,
    ),
    "an appended table has whole parts": (
        "SELECT count(*), count(DISTINCT part) FROM parts",
        lambda row: row[0] == row[1] * PART_ROWS,
    ),
    "a dbt model is whole": (
        "SELECT count(*), count(DISTINCT order_id) FROM marts.orders",
        lambda row: row[0] == row[1] and row[0] > 20_000,
    ),
}


class Load:
    """What goes on, and what was seen: latencies of small reads in ms, errors, torn reads, work done."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.small_ms: list[float] = []
        self.errors: Counter[str] = Counter()
        self.torn: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        self.acknowledged: dict[str, int] = {"versions": 0, "parts": 0}
        self.statuses_told: dict[tuple[str, str], str] = {}
        self.begun: list[tuple[str, str]] = []
        self._stop = threading.Event()

    def prepare(self) -> None:
        self._replace()
        self._append()

    @contextmanager
    def running(self, *, writing: bool) -> Iterator[None]:
        """Within: the readers, and all who write where `writing`."""
        self._stop.clear()
        writers: list[Callable[[], None]] = [self._ingestion, self._dbt, self._command]
        loops = [self._reader] * READERS
        threads = [threading.Thread(target=loop) for loop in loops]
        threads += [threading.Thread(target=self._again, args=(each,)) for each in writers if writing]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.stop()
            for thread in threads:
                thread.join()

    def stop(self) -> None:
        """Nobody begins anything more."""
        self._stop.set()

    def p95(self) -> float:
        """Of the small reads since the last call, in ms."""
        taken, self.small_ms = self.small_ms, []
        return statistics.quantiles(taken, n=20)[-1]

    def _reader(self) -> None:
        connection = http.client.HTTPConnection(urlsplit(self.server.address).netloc, timeout=60)
        turn = random.randrange(_CHECK_EVERY)
        while not self._stop.wait(random.uniform(*_THINK_S)):
            turn += 1
            try:
                self._check(connection) if turn % _CHECK_EVERY == 0 else self._small(connection)
            except (OSError, http.client.HTTPException) as error:
                self.errors[f"reader: {type(error).__name__}: {error}"] += 1
                connection.close()

    def _small(self, connection: http.client.HTTPConnection) -> None:
        began = time.perf_counter()
        if self._rows(connection, SMALL.format(key=random.randint(1, 25_000))) is not None:
            self.small_ms.append((time.perf_counter() - began) * 1000)
            self.done["small reads"] += 1

    def _check(self, connection: http.client.HTTPConnection) -> None:
        name, (sql, holds) = random.choice(list(CHECKS.items()))
        rows = self._rows(connection, sql)
        if rows is not None:
            self.done["checks"] += 1
            if not holds(rows[0]):
                self.torn[f"{name}: {rows[0]}"] += 1

    def _rows(self, connection: http.client.HTTPConnection, sql: str) -> list[list[int]] | None:
        headers = {"content-type": "application/json"}
        connection.request("POST", "/api/v1/query?wait=true", json.dumps({"sql": sql}), headers)
        answer = connection.getresponse()
        body = json.loads(answer.read())
        if answer.status != 200 or body["status"] != "succeeded":
            self.errors[f"reader: {answer.status} {body.get('detail') or body.get('error')}"] += 1
            return None
        self.statuses_told["query", body["job_id"]] = "succeeded"
        rows: list[list[int]] = body["rows"]
        return rows

    def _again(self, work: Callable[[], None]) -> None:
        while not self._stop.is_set():
            try:
                work()
            except Exception as error:
                if not self._stop.is_set():
                    self.errors[f"{work.__name__}: {type(error).__name__}: {error}"] += 1
                    time.sleep(0.1)

    def _ingestion(self) -> None:
        """One load after the other."""
        for load in (self._replace, self._append, self._reload):
            load()

    def _replace(self) -> None:
        version = self.acknowledged["versions"] + 1
        source = self._file("versions.csv", "version,n", (f"{version},{n}" for n in range(VERSION_ROWS)))
        self._ingested("replace", source, "versions")
        self.acknowledged["versions"] = version

    def _append(self) -> None:
        part = self.acknowledged["parts"] + 1
        source = self._file("parts.csv", "part,n", (f"{part},{n}" for n in range(PART_ROWS)))
        self._ingested("append", source, "parts")
        self.acknowledged["parts"] = part

    def _reload(self) -> None:
        """A source that dbt's models read, while they are built."""
        self._ingested("replace", self.server.root / "demo" / "orders.csv", "raw.orders")

    def _ingested(self, mode: str, source: Path, target: str) -> None:
        body = {"config": {"path": str(source)}, "target": target, "mode": mode}
        job = self._ended("ingest", self.server.client.post("/ingest", json=body).json()["job_id"])
        if job["status"] != "succeeded":
            raise RuntimeError(f"{mode} {target}: {job['error']}")
        self.done[mode] += 1

    def _ended(self, kind: str, job_id: str) -> dict[str, Any]:
        self.begun.append((kind, job_id))
        job = self.server.job(kind, job_id)
        self.statuses_told[kind, job_id] = job["status"]
        return job

    def _file(self, name: str, header: str, lines: Iterator[str]) -> Path:
        path = self.folder / name
        path.write_text("\n".join([header, *lines]) + "\n")
        return path

    def _dbt(self) -> None:
        job = self._ended("dbt", self.server.client.post("/dbt/build").json()["job_id"])
        if job["status"] != "succeeded":
            raise RuntimeError(str(job["error"] or job["result"])[:300])
        self.done["dbt build"] += 1

    def _command(self) -> None:
        for words in (["query", "SELECT count(*) AS n FROM marts.orders"], ["ask", "How many orders are there?"]):
            command = [*COMMAND, *words, "--json", "--root", str(self.server.root)]
            ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
            if ended.returncode:
                raise RuntimeError(f"exit {ended.returncode}: {ended.stderr.strip()[-300:]}")
            self.done[f"pluto-duck {words[0]}"] += 1
            self._stop.wait(1)

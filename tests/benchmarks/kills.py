"""SIGKILL at random moments under load (KILLS times): what was committed is there, what was told stays true."""

import os
import random
import subprocess
import tempfile
import time
from pathlib import Path

import duckdb

from tests.benchmarks._load import CHECKS, PART_ROWS, Load
from tests.benchmarks._server import COMMAND, Server

LEAST_S, MOST_S = 0.3, 5.0


def main() -> None:
    kills = int(os.environ.get("KILLS", "50"))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        subprocess.run([*COMMAND, "demo", "--root", str(root)], check=True, capture_output=True)
        server = Server(root)
        server.start()
        load = Load(server, Path(folder))
        load.prepare()
        wrong: list[str] = []
        told = 0
        for number in range(kills):
            with load.running(writing=True):
                time.sleep(random.uniform(LEAST_S, MOST_S))
                server.kill()
                load.stop()
            wrong += [f"kill {number}: {each}" for each in _wrong_on_disk(server, load)]
            server.start()
            told += len(load.statuses_told)
            wrong += [f"kill {number}: {each}" for each in _wrong_told(server, load)]
        server.__exit__()
    print(f"{kills} SIGKILLs; done meanwhile: {dict(load.done)}; torn reads {sum(load.torn.values())}")
    print(f"ends of jobs that had been told, looked up again after the restart: {told}")
    print(f"wrong: {len(wrong)}" + "".join(f"\n  {each}" for each in wrong[:20]))


def _wrong_on_disk(server: Server, load: Load) -> list[str]:
    """What the file itself lacks, opened by DuckDB alone."""
    with duckdb.connect(str(server.root / "data" / "warehouse.duckdb")) as connection:
        found = [name for name, (sql, holds) in CHECKS.items() if not holds(connection.execute(sql).fetchone())]
        version = (connection.execute("SELECT max(version) FROM versions").fetchone() or (0,))[0]
        parts = (connection.execute("SELECT count(*) FROM parts").fetchone() or (0,))[0] // PART_ROWS
    for name, there in (("versions", version), ("parts", parts)):
        told = load.acknowledged[name]
        if there < told:
            found.append(f"{name}: {told} acknowledged, {there} there")
        load.acknowledged[name] = there
    return found


def _wrong_told(server: Server, load: Load) -> list[str]:
    """What the restarted server says of what had been told, and of what was running."""
    found = []
    for (kind, job_id), told in load.statuses_told.items():
        now = server.client.get(f"/{kind}/{job_id}").json().get("status")
        if now != told:
            found.append(f"{kind} {job_id} was {told}, is {now}")
    load.statuses_told.clear()
    for run in server.client.get("/agent", params={"limit": 50}).json()["runs"]:
        if run["status"] == "running":
            found.append(f"run {run['run_id']} still runs")
    for kind, job_id in load.begun:
        if server.client.get(f"/{kind}/{job_id}").json().get("status") == "running":
            found.append(f"{kind} {job_id} still runs")
    load.begun.clear()
    return found

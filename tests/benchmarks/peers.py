"""What a whole answer costs beyond its SQL, ours and that of peers: one database, one SQL, models that answer at once.

In the same turns: the SQL alone by DuckDB, a bare LangGraph run of five nodes, ours, and each peer in a process of its
own. Twice: with a table of a hundred rows, whose SQL takes next to nothing, and with one whose SQL takes about 20 ms.
Times are the middle ones of TURNS times BLOCK, in milliseconds; a line also tells by how much the answer takes longer
than the SQL alone, that difference in bare runs, and how many calls of its model an answer makes.

The peers are no dependencies: on first use, `.bench/venv` is made for them with what `peers.txt` names (about 1.7 GB).
`_peers_child.py` says how each is asked. One that cannot be measured is told with the reason.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from tests.benchmarks._bare import five_nodes
from tests.benchmarks.model_overhead import CONFIG

TURNS, BLOCK, WARM = 8, 5, 20
#   so many turns, in each of which every work is done so often in a row, after one that is not measured: others had the
#   processor's caches in between; before all of them, so many that are not measured
QUIET_S = 0.15
#   after a block, in which results are put on disk
FEW, MANY = 100, 10_000_000
#   rows of the table
HERE = Path(__file__).parent
PLACE = HERE.parents[1] / ".bench" / "venv"
PYTHON = str(PLACE / "bin" / "python")
QUESTION = "What is the total amount of the retail orders of each region?"
SQL = "SELECT region, sum(amount) AS total_amount FROM warehouse.sales.retail_orders GROUP BY region ORDER BY region"
EXPECTED = "region 0"
#   is in every answer
TABLES = (
    "CREATE SCHEMA sales",
    "CREATE TABLE sales.retail_customers AS SELECT range AS id, 'customer ' || range AS name FROM range(100)",
    "CREATE TABLE sales.retail_items AS SELECT range AS id, 'item ' || range AS name FROM range(100)",
    "CREATE TABLE sales.retail_orders AS SELECT range AS id, 'region ' || range % 5 AS region, "
    "(range * 7919 % 100000) / 100.0 AS amount FROM range({rows})",
)
PEERS = {
    "vanna": "vanna, queries at once",
    "vanna-whole": "vanna, searches its memory, queries, draws, saves",
    "langchain": "LangChain create_sql_agent, queries at once",
    "langchain-whole": "LangChain create_sql_agent, looks, checks, queries",
    "langchain-graph": "LangChain create_agent, queries at once",
    "databao": "databao",
}
SILENT = {
    "ANONYMIZED_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGSMITH_TRACING": "false",
    "OTEL_SDK_DISABLED": "true",
}
Block = Callable[[int], list[float]]
#   does a work so many times; the milliseconds of each


def main() -> None:
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    fault = _installed()
    if fault:
        print(f"no peer is measured, their packages could not be installed: {fault}")
    for rows in (FEW, MANY):
        with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
            _measured(Path(folder), rows, [] if fault else list(PEERS), opened)


def _installed() -> str:
    """Why the peers' packages are not there; nothing where they are."""
    wanted, stamp = HERE / "peers.txt", PLACE / "installed.txt"
    if stamp.exists() and stamp.read_text() == wanted.read_text():
        return ""
    venv.create(PLACE, clear=True, with_pip=True)
    command = [PYTHON, "-m", "pip", "install", "--quiet", "--requirement", str(wanted)]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        return done.stderr.strip().splitlines()[-1]
    shutil.copy(wanted, stamp)
    return ""


def _measured(folder: Path, rows: int, names: list[str], opened: ExitStack) -> None:
    graph, workspace = five_nodes(), opened.enter_context(_workspace(folder / "ours", rows))
    file = _database(folder, rows)
    alone = opened.enter_context(duckdb.connect(str(file), read_only=True))
    peers = {name: opened.enter_context(_Peer(name, file)) for name in names}
    works: dict[str, Block] = {
        "sql": partial(_times, lambda: alone.execute(SQL).fetchall()),
        "bare": partial(_times, lambda: graph.invoke({"n": 0})),
        "ours": partial(_times, lambda: _answered(workspace)),
        **{name: peer.block for name, peer in peers.items()},
    }
    took = _in_turns(works)
    print(f"{rows:,} rows: the SQL alone {took['sql']:.2f} ms, a bare run {took['bare']:.2f} ms")
    _say("ours", took["ours"], took, _answered(workspace))
    _say_peers(peers, took)


def _say_peers(peers: dict[str, _Peer], took: dict[str, float]) -> None:
    for name, peer in peers.items():
        if peer.fault:
            print(f"  {PEERS[name]}: not measured: {peer.fault}")
        else:
            _say(f"{PEERS[name]} ({peer.version})", took[name], took, peer.calls)


def _say(name: str, answer: float, took: dict[str, float], calls: float) -> None:
    beyond = answer - took["sql"]
    print(f"  {name}: {answer:.2f} ms, beyond its SQL {beyond:.2f}, {beyond / took['bare']:.1f} bare runs", end="; ")
    print(f"calls of the model: {calls:g}", flush=True)


def _in_turns(works: dict[str, Block]) -> dict[str, float]:
    """The median of each."""
    for work in works.values():
        work(WARM)
    took: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(TURNS):
        for name, work in works.items():
            took[name] += work(1 + BLOCK)[1:]
            time.sleep(QUIET_S)
    return {name: statistics.median(each or [0.0]) for name, each in took.items()}


def _times(work: Callable[[], object], rounds: int) -> list[float]:
    took = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        took.append(1000 * (time.perf_counter() - began))
    return took


def _answered(workspace: Workspace) -> int:
    """How many calls of the model it took."""
    handle = workspace.runs.start(QUESTION)
    *_, last = workspace.runs.log(handle.run_id).follow()
    assert last["content"]["status"] == "succeeded"
    calls: int = last["content"]["usage"]["calls"]
    return calls


@contextmanager
def _workspace(root: Path, rows: int) -> Iterator[Workspace]:
    (root / "configs").mkdir(parents=True)
    (root / "configs/config.toml").write_text(CONFIG.format(reply=f"```sql\\n{SQL}\\n```"))
    workspace = Workspace.open(load_settings(root), wait_s=0)
    with workspace.warehouse.write() as session:
        for statement in TABLES:
            session.execute(statement.format(rows=rows))
    workspace.warm()
    try:
        yield workspace
    finally:
        workspace.close()


def _database(folder: Path, rows: int) -> Path:
    """A file like our warehouse, for all others; DuckDB lets only one process have ours."""
    file = folder / "warehouse.duckdb"
    with duckdb.connect(str(file)) as connection:
        for statement in TABLES:
            connection.execute(statement.format(rows=rows))
    return file


class _Peer:
    """A peer in a process of its own, which waits while others are measured."""

    def __init__(self, name: str, file: Path) -> None:
        self.fault, self.version, self.calls = "", "", 0.0
        script = [PYTHON, "-P", str(HERE / "_peers_child.py")]
        self._process = subprocess.Popen(
            [*script, name, str(file), QUESTION, SQL, EXPECTED],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **SILENT},
            cwd=file.parent,
        )

    def __enter__(self) -> _Peer:
        self.version = self._told().get("version", "")
        return self

    def __exit__(self, *raised: object) -> None:
        self._process.communicate()

    def block(self, rounds: int) -> list[float]:
        """The milliseconds of each; none once it has failed."""
        if self.fault:
            return []
        print(rounds, file=self._process.stdin, flush=True)
        told = self._told()
        self.calls = told.get("calls", 0.0)
        took: list[float] = told.get("ms", [])
        return took

    def _told(self) -> dict[str, Any]:
        line = self._process.stdout.readline() if self._process.stdout else ""
        told: dict[str, Any] = json.loads(line or '{"fault": "its process ended"}')
        self.fault = told.get("fault", "")
        return told

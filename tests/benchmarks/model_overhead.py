"""What a whole verified answer costs beyond its SQL, with a model in this process that answers at once.

In the same turns, a bare LangGraph run of five nodes and the SQL alone. In process and over HTTP (POST, then the events
to the end), at 3 tables and at 1,000. Times are the middle ones of many turns; CPU is of all threads, with what is done
after an answer was given: its result put on disk.
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.warehouse import Writing
from tests.benchmarks._bare import NODES, five_nodes
from tests.benchmarks._server import Server
from tests.benchmarks._warehouses import table_name, thousand_tables

TURNS, BLOCK = 8, 10
#   so many turns, in each of which every work is done so often in a row
QUIET_S = 0.15
#   after a block, in which results are put on disk
FEW, MANY = "sales.retail_orders", table_name("sales", "order")
CONFIG = """
[agent]
provider = "instant"
words = "plain"

[providers.instant]
kind = "langchain"
model = "instant"
is_local = true
options = {{ class = "tests.models.in_process:Instant", reply = "{reply}" }}
"""
QUESTION = "How many retail orders are there?"
_TICKS = os.sysconf("SC_CLK_TCK")
Work = Callable[[], object]
#   what returns a float tells by it how many milliseconds count
Took = dict[str, tuple[float, float]]
#   by name: milliseconds of wall clock, and of CPU


def main() -> None:
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        few, many = Path(folder) / "few", Path(folder) / "many"
        with _opened(few, _three_tables, FEW) as small, _opened(many, thousand_tables, MANY) as large:
            _in_process(small, large)
        _over_http(few)


def _in_process(few: Workspace, many: Workspace) -> None:
    graph = five_nodes()
    works = {
        "bare": lambda: graph.invoke({"n": 0}),
        "sql": lambda: _sql(few),
        "few": lambda: _answered(few),
        "many": lambda: _answered(many),
    }
    took = _in_turns(works, time.process_time)
    _say("in process", took)
    print(f"1,000 tables: {took['many'][0] / took['few'][0]:.2f} times as long as 3")
    print(f"prompts: {_prompt(few):,} characters at 3 tables, {_prompt(many):,} at 1,000")
    _first_event(few)


def _first_event(workspace: Workspace) -> None:
    """Of a question asked alone, and of ten at once; beside it what the file alone takes, and with the disk's word."""
    folder = workspace.settings.paths.runs
    alone = _in_turns({"alone": lambda: _begun(workspace, 1), "file": lambda: _file(folder, synced=False)})
    synced = _in_turns({"synced": lambda: _file(folder, synced=True)})["synced"][0]
    ten = _in_turns({"ten": lambda: _begun(workspace, 10)})["ten"][0]
    print(f"the first event is in its file after {alone['alone'][0]:.2f} ms, of ten at once {ten:.2f} ms", end="; ")
    print(f"a bare file takes {alone['file'][0]:.2f} ms, with fsync, which nothing here waits for, {synced:.2f} ms")


def _begun(workspace: Workspace, count: int) -> float:
    """Milliseconds until a run begun beside others has its first event, the median of `count`; all then end."""
    took, handles = list[float](), []
    for _ in range(count):
        began = time.perf_counter()
        handles.append(workspace.runs.start(QUESTION))
        took.append(1000 * (time.perf_counter() - began))
    for handle in handles:
        list(workspace.runs.log(handle.run_id).follow())
    return statistics.median(took)


def _file(folder: Path, *, synced: bool) -> float:
    """Milliseconds that a new file with one short line takes."""
    path, began = folder / "bare.jsonl", time.perf_counter()
    with path.open("xb", buffering=0) as file:
        file.write(b"{}" * 150 + b"\n")
        if synced:
            os.fsync(file.fileno())
        took = 1000 * (time.perf_counter() - began)
    path.unlink()
    return took


def _over_http(root: Path) -> None:
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])  # where the server finds the model
    with _bare_server() as (bare, bare_pid), Server(root) as server:
        works = {"bare": lambda: _followed(bare, "/run"), "few": lambda: _asked_over_http(server.client)}
        pids = [bare_pid, server.process.pid, *_children(server.process.pid)]
        took = _in_turns(works, lambda: sum(map(_cpu_of, pids)))
    print(f"over HTTP: bare {took['bare'][0]:.2f} ms (CPU {took['bare'][1]:.1f})", end="; ")
    print(f"whole answer {took['few'][0]:.2f} ms (CPU {took['few'][1]:.1f})", end="; ")
    print(f"{took['few'][0] / took['bare'][0]:.1f} times (CPU {took['few'][1] / took['bare'][1]:.1f})")


def _say(where: str, took: Took) -> None:
    beyond = [answer - sql for answer, sql in zip(took["few"], took["sql"], strict=True)]
    times = [each / bare for each, bare in zip(beyond, took["bare"], strict=True)]
    print(f"{where}: bare {took['bare'][0]:.2f} ms (CPU {took['bare'][1]:.2f})", end="; ")
    print(f"the SQL alone {took['sql'][0]:.2f} ms; whole answer {took['few'][0]:.2f} ms", end="; ")
    print(f"beyond its SQL {beyond[0]:.2f} ms, {times[0]:.1f} bare runs (CPU {times[1]:.1f})")


def _sql(workspace: Workspace) -> object:
    with workspace.warehouse.read() as session:
        return session.rows(f"SELECT count(*) AS n FROM {FEW}")


def _answered(workspace: Workspace) -> dict[str, int]:
    """What the run used."""
    handle = workspace.runs.start(QUESTION)
    *_, last = workspace.runs.log(handle.run_id).follow()
    assert last["content"]["status"] == "succeeded"
    assert last["content"]["usage"]["calls"] == 1
    used: dict[str, int] = last["content"]["usage"]
    return used


def _prompt(workspace: Workspace) -> int:
    """Characters: of a model that counts no tokens, four are taken for one."""
    return 4 * _answered(workspace)["input_tokens"]


def _asked_over_http(client: httpx.Client) -> None:
    last = _followed(client, "/agent/run")[-1]
    assert '"status":"succeeded"' in last, last


def _followed(client: httpx.Client, start: str) -> list[str]:
    """The events of a run, begun by a POST to `start`."""
    run_id = client.post(start, json={"question": QUESTION}).json()["run_id"]
    path = f"{start.removesuffix('/run') or '/run'}/{run_id}/events"
    with client.stream("GET", path) as events:
        told = [line for line in events.iter_lines() if line.startswith("data:")]
    assert len(told) >= len(NODES)
    return told


@contextmanager
def _bare_server() -> Iterator[tuple[httpx.Client, int]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-m", "tests.benchmarks._bare", str(port)])
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
            _wait_for(client)
            yield client, process.pid
    finally:
        process.terminate()
        process.wait()


def _wait_for(client: httpx.Client) -> None:
    for _ in range(600):
        try:
            client.get("/docs")
            return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError("the bare server does not answer")


@contextmanager
def _opened(root: Path, fill: Callable[[Writing], None], table: str) -> Iterator[Workspace]:
    reply = f"```sql\nSELECT count(*) AS n FROM {table}\n```"
    config = CONFIG.format(reply=reply.replace("\n", "\\n"))
    (root / "configs").mkdir(parents=True)
    (root / "configs/config.toml").write_text(config)
    workspace = Workspace.open(load_settings(root), wait_s=0)
    with workspace.warehouse.write() as session:
        fill(session)
    workspace.warm()
    try:
        yield workspace
    finally:
        workspace.close()


def _three_tables(session: Writing) -> None:
    session.execute("CREATE SCHEMA sales")
    for name in ("retail_orders", "retail_customers", "retail_items"):
        session.execute(f"CREATE TABLE sales.{name} AS SELECT range AS id, 'x' || range AS name FROM range(100)")


def _in_turns(works: dict[str, Work], clock: Callable[[], float] = time.process_time) -> Took:
    """Of each work the median time, and CPU by `clock` with what it leaves to be done after it."""
    walls: dict[str, list[float]] = {name: [] for name in works}
    cpus: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(TURNS + 1):
        for name, work in works.items():
            used, began = clock(), len(walls[name])
            walls[name] += [_timed(work) for _ in range(BLOCK)]
            time.sleep(QUIET_S)
            cpus[name].append(1000 * (clock() - used) / (len(walls[name]) - began))
    return {name: (statistics.median(walls[name][BLOCK:]), statistics.median(cpus[name][1:])) for name in works}


def _timed(work: Work) -> float:
    began = time.perf_counter()
    told = work()
    return told if isinstance(told, float) else 1000 * (time.perf_counter() - began)


def _cpu_of(pid: int) -> float:
    """Seconds of CPU that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

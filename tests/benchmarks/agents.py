"""Thousands of agents in one data root: `python -m tests.benchmarks agents`.

Opens a root with none and one with 5,000 definitions in turns, each in a process of its own; then the first use of
one, whom a question goes to that names no agent, and the memory for all of them. What has read all scopes once is there
for the next process; what nobody has read takes the first of them longer.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HOW_MANY = 5_000
_ROUNDS = 3
_TOLD = {
    "named_s": "one is named: {:.4f} s",
    "first_use_s": "first use of one, with the analyst over its scope: {:.4f} s",
    "scopes_s": "all scopes, in a process that has not asked for them: {:.3f} s",
    "again_s": "all scopes, again: {:.3f} s",
    "bids_s": "bids of all: {:.3f} s",
    "mb_for_all": "memory after asking for each of them: {:.1f} MB",
}
_TABLES = """
CREATE TABLE IF NOT EXISTS customers (customer_id INTEGER PRIMARY KEY, name VARCHAR, country VARCHAR);
CREATE TABLE IF NOT EXISTS orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER, region INTEGER, amount DECIMAL);
"""
_FILE = """description: Orders of region {n}, in euros.
examples: ["revenue of region {n} by month"]
scope:
  tables: [orders, customers]
  rows: {{orders: "region = {n}"}}
budget: {{usd: 0.10}}
"""
_MEASURE = """
import json, sys, time
from pluto_duck_backend.agent.agents.bids import choose
from pluto_duck_backend.agent.agents.files import KEPT
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.memory import memory_used
from pluto_duck_backend.app.core.principal import OWNER
from pathlib import Path

def timed(work):
    began = time.perf_counter()
    work()
    return time.perf_counter() - began

began = time.perf_counter()
workspace = Workspace.open(load_settings(Path(sys.argv[1])), wait_s=0)
found = {"start_s": time.perf_counter() - began}
with workspace.warehouse.write() as session:
    session.execute(sys.argv[2])
files = workspace.agents.files
names = files.names()
if names:
    read = workspace.analyst().ask("How many orders are there?")
    agent = names[len(names) // 2]
    found["named_s"] = timed(lambda: workspace.agents.assign(agent, OWNER))
    found["first_use_s"] = timed(lambda: workspace.analyst(workspace.agents.assign(agent, OWNER).who))
    before = memory_used()
    found["scopes_s"] = timed(files.scopes)
    found["again_s"] = timed(files.scopes)
    scopes, tables = files.scopes(), ["main.orders", "main.customers"]
    found["bids_s"] = timed(lambda: choose(scopes, read, tables))
    for name in names:
        files.get(name)
    found["mb_for_all"] = (memory_used() - before) / 1e6
    found["kept"] = len(files._kept), KEPT
workspace.close()
print(json.dumps(found))
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        none, many = Path(folder) / "none", Path(folder) / "many"
        none.mkdir()
        for n in range(HOW_MANY):
            place = many / "configs" / "agents" / f"region-{n}"
            place.mkdir(parents=True)
            (place / "agent.yaml").write_text(_FILE.format(n=n))
        _one(none)
        print("all scopes, read by nobody before: {scopes_s:.2f} s".format(**_one(many)))
        rounds = [(_one(none), _one(many)) for _ in range(_ROUNDS)]
    beyond = statistics.median(with_["start_s"] - without["start_s"] for without, with_ in rounds)
    print(f"start-up beyond that without agents: {beyond * 1000:.0f} ms")
    for name, told in _TOLD.items():
        print(told.format(statistics.median(each[name] for _, each in rounds)))
    print("kept in memory, at most:", rounds[0][1]["kept"])


def _one(root):
    command = [sys.executable, "-c", _MEASURE, str(root), _TABLES]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])

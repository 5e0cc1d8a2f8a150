"""A question through a running server, warm: POST to `run.end`, over the raw time of its SQL.

Needs the demo root: `make demo` first, or PLUTODUCK_BENCH_ROOT.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import httpx
import orjson

from pluto_duck_backend.app.core.owner import find_server
from pluto_duck_backend.app.core.paths import Paths

ROOT = Path(os.environ.get("PLUTODUCK_BENCH_ROOT", ".demo")).absolute()
QUESTIONS = [
    "What was the total revenue in 2025?",
    "revenue by month in 2025",
    "top 5 products by revenue",
    "how many customers never ordered",
    "average order value by channel",
]


def main():
    server = subprocess.Popen([sys.executable, "-m", "pluto_duck_cli", "--root", str(ROOT), "serve", "--port", "0"])
    try:
        with _client() as client:
            for question in QUESTIONS:
                _time(client, question)
    finally:
        server.terminate()
        server.wait()


def _client(patience_s=60.0):
    """A client for the server once it has published itself and answers."""
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        owner = find_server(Paths(ROOT))
        if owner:
            headers = {"Authorization": f"Bearer {owner.token}"} if owner.token else {}
            return httpx.Client(base_url=owner.address, headers=headers, timeout=60)
        time.sleep(0.2)
    raise TimeoutError(f"no server for {ROOT} within {patience_s:g} s")


def _time(client, question, times=30):
    _ask(client, question)
    runs = [_ask(client, question) for _ in range(times)]
    whole = [run[0] for run in runs]
    if not runs[0][1]:
        sys.exit(f"{question!r} has no answer over {ROOT}: make demo first, or set PLUTODUCK_BENCH_ROOT.")
    raw = statistics.median(_query_ms(client, runs[0][1]) for _ in range(times))
    median = statistics.median(whole)
    print(f"{question!r}: median {median:.1f} ms, p95 {sorted(whole)[int(times * 0.95)]:.1f}; its SQL {raw:.1f} ms")


def _ask(client, question):
    """`(milliseconds from POST to run.end, the SQL)`."""
    began = time.perf_counter()
    run = client.post("/api/v1/agent/run", json={"question": question}).raise_for_status().json()
    sql = None
    with client.stream("GET", run["events_url"]) as events:
        for line in events.iter_lines():
            event = orjson.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
            sql = event.get("content", {}).get("sql") or sql
            if event.get("type") == "run" and event["subtype"] in ("end", "error"):
                break
    return (time.perf_counter() - began) * 1000, sql


def _query_ms(client, sql):
    return client.post("/api/v1/query?wait=true", json={"sql": sql}).raise_for_status().json()["elapsed_ms"]

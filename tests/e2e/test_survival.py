"""`pluto-duck serve` as people start it: what is stuck is ended, what crashes comes back, what is killed is gone."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.owner import find_server

# Its length comes from the data, so nothing can know before: DuckDB compares two texts in one step for hours.
STUCK = "SELECT levenshtein(repeat('ab', n), repeat('ba', n)) AS d FROM (SELECT count(*) AS n FROM numbers)"
LONG = "SELECT sum(x.n * y.n)::DOUBLE AS s FROM numbers x, (FROM numbers LIMIT 4000) y"


class Server:
    """A supervised server over the root in `folder`, its provider slow to write its one query."""

    def __init__(self, folder):
        script = folder / "script.json"
        script.write_text(json.dumps({"replies": [{"sql": "SELECT count(*) AS n FROM numbers", "delay_s": 4}]}))
        self.root = folder / "root"
        given = {"QUERY__STUCK_S": "1", "AGENT__PROVIDER": "scripted", "AGENT__SCRIPT": str(script)}
        env = {**os.environ, **{f"PLUTODUCK_{name}": value for name, value in given.items()}}
        command = [sys.executable, "-m", "pluto_duck_cli", "serve", "--port", "0", "--root", str(self.root)]
        self.process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True)
        self.owner = self._found()
        self.client = httpx.Client(base_url=self.owner.address + "/api/v1", timeout=60, trust_env=False)

    def _found(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            owner = find_server(load_settings(self.root).paths)
            if owner and owner.pid == self.process.pid:
                return owner
            time.sleep(0.05)
        raise AssertionError(f"no server: {self.process.poll()}")

    def children(self):
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(each) for each in path.read_text().split()]

    def load(self, rows):
        csv = self.root / "numbers.csv"
        csv.write_text("n\n" + "\n".join(map(str, range(rows))))
        body = {"config": {"path": str(csv)}, "target": "numbers"}
        job_id = self.client.post("/ingest", json=body).json()["job_id"]
        while (job := self.client.get(f"/ingest/{job_id}").json())["status"] == "running":
            time.sleep(0.05)
        assert job["status"] == "succeeded"

    def waited(self, job_id):
        return self.client.get(f"/query/{job_id}", params={"wait": True}).json()

    def ended(self, path, within_s=60):
        """Asked again and again; the request that is in flight when the process ends is cut."""
        deadline = time.monotonic() + within_s
        while time.monotonic() < deadline:
            with contextlib.suppress(httpx.RemoteProtocolError, httpx.ReadError):
                found = self.client.get(path).json()
                if found["status"] != "running":
                    return found
            time.sleep(0.1)
        raise AssertionError(f"{path} does not end")

    def stop(self, how=signal.SIGKILL):
        self.client.close()
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(timeout=30)
        self.process.stderr.close()
        return code


@pytest.fixture
def start(tmp_path):
    started = []

    def _start():
        started.append(Server(tmp_path))
        return started[-1]

    yield _start
    for server in started:
        server.stop()


def test_a_query_nothing_can_stop_ends_alone_and_all_else_goes_on(start):
    server = start()
    server.load(400_000)
    run = server.client.post("/agent/run", json={"question": "how many numbers"}).json()
    long = server.client.post("/query", json={"sql": LONG}).json()["job_id"]
    stuck = server.client.post("/query", json={"sql": STUCK, "timeout_s": 0.5}).json()["job_id"]
    ended = server.ended(f"/query/{stuck}")
    assert (ended["status"], ended["error"]["code"]) == ("failed", "query_stuck")
    assert server.waited(long)["status"] == "succeeded"
    answered = server.ended(f"/agent/{run['run_id']}")
    assert (answered["status"], answered["final"]["rows"]) == ("succeeded", [[400_000]])
    events = server.client.get(f"/agent/{run['run_id']}/events").text
    seen = [json.loads(line[6:]) for line in events.splitlines() if line.startswith("data: ")]
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))
    assert any(event["content"].get("resumed") for event in seen)
    assert server.stop(signal.SIGTERM) == 0


def test_a_crashed_server_comes_back_at_the_same_address(start):
    server = start()
    server.load(10)
    os.kill(server.children()[0], signal.SIGSEGV)
    sql = {"sql": "SELECT count(*) AS n FROM numbers"}
    answer = httpx.post(f"{server.owner.address}/api/v1/query?wait=true", json=sql, timeout=60, trust_env=False)
    assert answer.json()["rows"] == [[10]]


def test_killing_it_leaves_nothing_behind_and_the_next_one_starts(start):
    server = start()
    server.load(10)
    child = server.children()[0]
    assert server.stop(signal.SIGKILL) == -signal.SIGKILL
    again = start()
    assert _is_gone(child)
    job = again.client.post("/query?wait=true", json={"sql": "SELECT count(*) AS n FROM numbers"}).json()
    assert job["rows"] == [[10]]


def test_ctrl_c_ends_it_in_peace(start):
    server = start()
    assert server.stop(signal.SIGINT) == 130


BETWEEN = """
import os, signal, socket, sys
from pluto_duck_backend.app.supervisor import supervise
child = "import os, time; time.sleep(60) if os.environ.get('_PLUTO_DUCK_RESUMED') else os._exit(75)"
with socket.create_server(("127.0.0.1", 0)) as listener:
    sys.exit(supervise(listener, [sys.executable, "-c", child], lambda told: os.kill(os.getpid(), signal.SIGTERM)))
"""


def test_told_to_stop_between_two_servers_it_ends_the_next_one_too():
    ended = subprocess.run([sys.executable, "-c", BETWEEN], timeout=30, check=False)
    assert ended.returncode == 128 + signal.SIGTERM


def _is_gone(pid):
    status = Path(f"/proc/{pid}/status")
    return not status.exists() or "State:\tZ" in status.read_text()

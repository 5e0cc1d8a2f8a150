"""Server-sent events: order, resuming, several readers, the end, and what a killed server leaves."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.api.conftest import ONE, script
from tests.api.reading import ask, calling, frames, names

from pluto_duck_backend.app.api import sse
from pluto_duck_backend.app.core.owner import find_server
from pluto_duck_backend.app.listening import listen

SLOW = ({"sql": "SELECT sum(a.range * b.range) AS s FROM range(1000000) a, range(1000000) b"},)
LATE = ({"sql": "SELECT count(*) AS n FROM t", "delay_s": 1},)


def test_a_stream_counts_from_one_and_closes_after_the_terminal_event(shared_api):
    client = shared_api()
    run_id = ask(client)
    found = frames(client, f"/agent/{run_id}/events")
    assert [seq for seq, _ in found] == list(range(1, len(found) + 1))
    assert [event["seq"] for _, event in found] == [seq for seq, _ in found]
    assert (names(found)[0], names(found)[-2:]) == ("run.start", ["message.final", "run.end"])
    assert {event["run_id"] for _, event in found} == {run_id}
    assert client.get(f"/agent/{run_id}").json()["final"] == found[-2][1]["content"]


def test_a_reader_that_disconnects_and_resumes_sees_what_the_other_sees(shared_api):
    client = shared_api(LATE)
    run_id = ask(client)
    path = f"/agent/{run_id}/events"
    with ThreadPoolExecutor(1) as pool:
        steady = pool.submit(frames, client, path)
        first = frames(client, path, limit=3)
        second = frames(client, path, last=first[-1][0], limit=4)
        rest = frames(client, path, last=second[-1][0])
        assert first + second + rest == steady.result()


@pytest.mark.parametrize("how", ["header", "query"])
def test_resuming_begins_after_the_event_named(shared_api, how):
    client = shared_api()
    path = f"/agent/{ask(client)}/events"
    whole = frames(client, path)
    rest = frames(client, path, last=5) if how == "header" else frames(client, path, after=5)
    assert rest == whole[5:]


def test_the_header_wins_over_the_query(shared_api):
    client = shared_api()
    path = f"/agent/{ask(client)}/events"
    assert frames(client, path, last=7, after=2) == frames(client, path)[7:]


@pytest.mark.parametrize("beyond", [0, 1, 10**12])
def test_a_reconnect_past_the_end_gets_204(shared_api, beyond):
    client = shared_api()
    path = f"/agent/{ask(client)}/events"
    end = len(frames(client, path)) + beyond
    answer = client.get(path, headers={"Last-Event-ID": str(end)})
    assert (answer.status_code, answer.content) == (204, b"")


@pytest.mark.parametrize("text", ["x", "-1", "1.5", "9" * 5000, ""])
def test_a_last_event_id_that_is_no_number_is_refused(shared_api, text):
    client = shared_api()
    answer = client.get(f"/agent/{ask(client)}/events", headers={"Last-Event-ID": text})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_event_id")


def test_an_idle_stream_carries_comments(shared_api, monkeypatch):
    assert sse.PING_S == 15
    monkeypatch.setattr(sse, "PING_S", 0.2)
    client = shared_api(LATE)
    with client.stream("GET", f"/agent/{ask(client)}/events") as answer:
        lines = list(answer.iter_lines())
    assert len([line for line in lines if line.startswith(":")]) >= 2
    assert not [line for line in lines if line.startswith("event")]


def test_two_hundred_readers_all_see_every_event(serve):
    address = serve(LATE)
    with calling(address + "/api/v1") as client:
        path = f"/agent/{ask(client)}/events"
    seen = []

    def read():
        with calling(address + "/api/v1") as reader:
            seen.append([seq for seq, _ in frames(reader, path)])

    threads = [threading.Thread(target=read) for _ in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 200
    assert all(each == list(range(1, len(each) + 1)) for each in seen)
    assert {len(each) for each in seen} == {len(seen[0])}


def test_cancelling_ends_the_stream_truthfully(shared_api):
    client = shared_api(SLOW)
    run_id = ask(client)
    frames(client, f"/agent/{run_id}/events", limit=14)
    assert client.post(f"/agent/{run_id}/cancel").status_code == 202
    end = frames(client, f"/agent/{run_id}/events")[-1][1]
    assert (end["type"], end["subtype"], end["content"]) == ("run", "end", {"status": "cancelled"})
    assert client.get(f"/agent/{run_id}").json()["status"] == "cancelled"


SERVE = "import sys; from tests.api.test_events import serve_here; serve_here(sys.argv[1])"


def serve_here(folder):
    """What the server in a process of its own runs."""
    from pathlib import Path

    from pluto_duck_backend.app.main import serve

    settings = script(Path(folder), SLOW)
    settings.server.port = 0
    serve(settings, tell=lambda text: print(text, file=sys.stderr))


class _Process:
    """A server in a process of its own, over the root in `folder`."""

    def __init__(self, folder):
        self.settings = script(folder, SLOW)
        env = {**os.environ, "PYTHONPATH": os.getcwd()}
        self.popen = subprocess.Popen([sys.executable, "-c", SERVE, str(folder)], env=env)
        self.client = calling(self._address() + "/api/v1", timeout=30)

    def _address(self, patience_s=60.0):
        deadline = time.monotonic() + patience_s
        while time.monotonic() < deadline and self.popen.poll() is None:
            owner = find_server(self.settings.paths)
            if owner and owner.pid == self.popen.pid:
                return owner.address
            time.sleep(0.05)
        raise AssertionError(f"no server; exit code {self.popen.poll()}")

    def end(self, how):
        self.client.close()
        self.popen.send_signal(how)
        return self.popen.wait(timeout=20)


@pytest.fixture
def process(tmp_path):
    started = []

    def _start():
        started.append(_Process(tmp_path))
        return started[-1]

    yield _start
    for each in started:
        if each.popen.poll() is None:
            each.end(signal.SIGKILL)


def test_a_killed_server_leaves_a_log_that_the_next_one_ends(process):
    first = process()
    path = f"/agent/{ask(first.client)}/events"
    before = frames(first.client, path, limit=14)
    assert first.end(signal.SIGKILL) == -signal.SIGKILL
    again = process()
    after = frames(again.client, path)
    assert after[: len(before)] == before
    assert [seq for seq, _ in after] == list(range(1, len(after) + 1))
    assert [name for name in names(after) if name in ("run.end", "run.error")] == ["run.error"]
    assert (after[-1][1]["subtype"], after[-1][1]["content"]["code"]) == ("error", "interrupted")
    assert frames(again.client, path, last=before[-1][0]) == after[len(before) :]
    again.end(signal.SIGKILL)
    assert frames(process().client, path) == after


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_server_asked_to_stop_ends_its_runs_before_its_readers_and_gives_up_the_warehouse(process, how):
    server = process()
    path = f"/agent/{ask(server.client)}/events"
    frames(server.client, path, limit=14)
    with ThreadPoolExecutor(1) as pool:
        reader = pool.submit(frames, server.client, path)
        time.sleep(0.3)
        server.popen.send_signal(how)
        found = reader.result(timeout=20)
    assert (names(found)[-1], found[-1][1]["content"]["code"]) == ("run.error", "interrupted")
    assert (server.popen.wait(timeout=20) == 0) == (how is signal.SIGTERM)
    paths = server.settings.paths
    assert not paths.owner_file.exists()
    assert not paths.warehouse.with_name(paths.warehouse.name + ".wal").exists()


def test_small_writes_do_not_wait_for_the_clients_acknowledgement():
    async def is_sent_at_once():
        told = asyncio.get_running_loop().create_future()

        def accepted(_, writer):
            told.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = listen("127.0.0.1", 0)
        async with await asyncio.start_server(accepted, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            is_so = await told
            writer.close()
        return is_so

    assert asyncio.run(is_sent_at_once())


def test_the_events_of_a_job_are_streamed_alike(shared_api, tmp_path):
    client = shared_api(ONE)
    (tmp_path / "few.csv").write_text("a,b\n1,x\n2,y\n")
    body = {"connector": "auto", "config": {"path": str(tmp_path / "few.csv")}}
    job_id = client.post("/ingest", json=body).json()["job_id"]
    found = frames(client, f"/ingest/{job_id}/events")
    assert (names(found)[0], names(found)[-1]) == ("job.start", "job.end")
    assert {event["job_id"] for _, event in found} == {job_id}
    assert client.get(f"/ingest/{job_id}").json()["result"]["tables"][0]["rows"] == 2
    assert client.get(f"/ingest/{job_id}/events", headers={"Last-Event-ID": str(len(found))}).status_code == 204

"""A real server over a small table, its provider following a script; and a client for it."""

import json
import socket
import threading
import time

import httpx
import pytest
import uvicorn

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.main import create_app

ONE = ({"sql": "SELECT count(*) AS n FROM t"},)


def script(folder, replies, **agent):
    """The settings of a root in `folder` whose provider gives these replies."""
    path = folder / "script.json"
    path.write_text(json.dumps({"replies": list(replies)}))
    return load_settings(folder / "root", agent={"provider": "scripted", "script": path, **agent})


@pytest.fixture
def workspace(tmp_path):
    """`workspace(replies)`: opened, with a table `t` of five rows (a BIGINT, b VARCHAR)."""
    opened = []

    def _open(replies=ONE, **agent):
        made = Workspace.open(script(tmp_path, replies, **agent), wait_s=0)
        with made.warehouse.write() as session:
            session.execute("CREATE TABLE IF NOT EXISTS t AS SELECT range AS a, 'x' || range AS b FROM range(5)")
        opened.append(made)
        return made

    yield _open
    for made in opened:
        made.close()


@pytest.fixture
def serve(workspace):
    """`serve(replies, token="")`: the address of a server in a thread of this process."""
    stops = []

    def _serve(replies=ONE, token="", **agent):
        server = uvicorn.Server(
            uvicorn.Config(
                create_app(workspace(replies, **agent), token), log_level="error", timeout_graceful_shutdown=1
            )
        )
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        stops.append((server, thread, listener))
        while not server.started:
            time.sleep(0.01)
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    yield _serve
    for server, thread, listener in stops:
        server.should_exit = True
        thread.join(timeout=10)
        listener.close()
        assert not thread.is_alive()


@pytest.fixture
def api(serve):
    """`api(replies)`: an HTTP client for a server, its paths below /api/v1."""
    clients = []

    def _api(replies=ONE, **options):
        clients.append(httpx.Client(base_url=serve(replies, **options) + "/api/v1", timeout=30, trust_env=False))
        return clients[-1]

    yield _api
    for client in clients:
        client.close()

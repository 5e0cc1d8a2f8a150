"""A real server over a small table, its provider following a script; a client and a browser for it."""

import contextlib
import json
import os
import shutil
import socket
import threading
import time

import pytest
import uvicorn
from playwright.sync_api import expect, sync_playwright
from tests.api.reading import calling

from pluto_duck_backend.agent.charting import images
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.main import create_app

ONE = ({"sql": "SELECT count(*) AS n FROM t"},)


def script(folder, replies, **agent):
    """The settings of a root in `folder` whose provider gives these replies."""
    path = folder / "script.json"
    path.write_text(json.dumps({"replies": list(replies)}))
    return load_settings(folder / "root", agent={"provider": "scripted", "script": path, **agent})


def opened_with_a_table(settings):
    """A workspace with a table `t` of five rows (a BIGINT, b VARCHAR)."""
    made = Workspace.open(settings, wait_s=0)
    with made.warehouse.write() as session:
        session.execute("CREATE TABLE IF NOT EXISTS t AS SELECT range AS a, 'x' || range AS b FROM range(5)")
    return made


@pytest.fixture
def workspace(tmp_path):
    """`workspace(replies)`: opened in a root of the test's own; `.opened`: all of them."""
    opened = []

    def _open(replies=ONE, **agent):
        opened.append(opened_with_a_table(script(tmp_path, replies, **agent)))
        return opened[-1]

    _open.opened = opened
    yield _open
    for made in opened:
        made.close()


@contextlib.contextmanager
def listening(app):
    """The address of a server with `app`, in a thread of this process."""
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(timeout=10)
    listener.close()
    assert not thread.is_alive()


@pytest.fixture
def serve(workspace):
    """`serve(replies, token="", mcp=None)`: the address of a server in a thread of this process."""
    with contextlib.ExitStack() as stops:

        def _serve(replies=ONE, token="", mcp=None, **agent):
            return stops.enter_context(listening(create_app(workspace(replies, **agent), token, mcp=mcp)))

        yield _serve


@pytest.fixture
def api(serve):
    """`api(replies)`: an HTTP client for a server over a root of the test's own, its paths below /api/v1."""
    clients = []

    def _api(replies=ONE, **options):
        clients.append(calling(serve(replies, **options) + "/api/v1"))
        return clients[-1]

    yield _api
    for client in clients:
        client.close()


@pytest.fixture(scope="module")
def _standing(tmp_path_factory):
    folder = tmp_path_factory.mktemp("standing")
    made = opened_with_a_table(script(folder, ONE))
    with listening(create_app(made)) as address, calling(address + "/api/v1") as client:
        yield client, folder
    made.close()


@pytest.fixture
def shared_api(_standing):
    """`shared_api(replies)`: a client for the one server of the file's tests, which from now on gives these replies.

    For tests that neither change the data nor look at what others left; a server of one's own takes half a second.
    """
    client, folder = _standing

    def _api(replies=ONE):
        script(folder, replies)
        return client

    return _api


@pytest.fixture(scope="module")
def browser():
    """Debian's Chromium, driven by Playwright, whose event loop holds the thread until it is closed."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        reason = "Chromium is not installed, and nothing else here shows a page"
        pytest.fail(reason) if os.environ.get("PLUTODUCK_REQUIRE_SERVICES") else pytest.skip(reason)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        expect.set_options(timeout=30_000)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def bundle(made_once):
    """What draws charts, bundled once for all servers, since that takes seconds."""
    return images.script(made_once("bundle", images.script))


@pytest.fixture
def page(browser, serve, bundle, tmp_path):
    """`page(replies, path="/", **options)`: the page of a server, in a window of its own; it may not complain."""
    said, contexts = [], []

    def _page(replies=ONE, path="/", token="", **window):
        address = serve(replies, token=token)
        shutil.copytree(bundle.parent, tmp_path / "root" / "artifacts" / "page", dirs_exist_ok=True)
        contexts.append(browser.new_context(viewport={"width": 1000, "height": 800}, **window))
        made = contexts[-1].new_page()
        made.set_default_timeout(30_000)
        made.on("request", lambda request: said.append(request.url) if not _is_here(request.url, address) else None)
        made.on("console", lambda message: said.append(message.text) if _is_complaint(message) else None)
        made.on("pageerror", lambda error: said.append(str(error)))
        made.goto(address + path)
        return made

    yield _page
    for each in contexts:
        each.close()
    assert said == []


def _is_here(url, address):
    return url.startswith((address, "data:", "blob:"))


def _is_complaint(message):
    """What the browser itself says of a refused or broken request is no fault of the page."""
    return message.type == "error" and "Failed to load resource" not in message.text

"""The client over HTTP where a server is away, breaks off, or is asked for odd names: as over the workspace itself."""

import contextlib
import json
import socket
import tempfile
import threading
import time
from pathlib import Path

import pytest
from tests.api.conftest import serve, workspace  # noqa: F401 - fixtures

from pluto_duck_backend.app.core.errors import EnvironmentFault, NotFound, PlutoDuckError
from pluto_duck_backend.app.core.owner import Owner
from pluto_duck_cli.http_client import HttpClient
from pluto_duck_cli.local_client import LocalClient
from pluto_duck_cli.working import work

CALLS = {
    "an answer": lambda client: client.schema(),
    "an export": lambda client: list(client.export("run-1", "csv")),
    "a result": lambda client: list(client.result("query-1", "csv")),
    "an action": lambda client: client.act({"name": "schema", "arguments": {}}),
}


@pytest.fixture
def client():
    """`client(address)`: a client of whatever listens there."""
    with contextlib.ExitStack() as stack:

        def _client(address):
            made = HttpClient(Owner(1, "pluto-duck serve", address))
            stack.callback(made.close)
            return made

        yield _client


@pytest.fixture
def broken():
    """`broken(*answers)`: the address of a server that gives each of them, breaks off, and is gone for a second."""
    port, threads = _free_port(), []

    def _broken(*answers):
        threads.append(threading.Thread(target=_breaking_off, args=(port, answers)))
        threads[-1].start()
        return f"http://127.0.0.1:{port}"

    yield _broken
    for thread in threads:
        thread.join(30)


def _free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def _breaking_off(port, answers):
    for answer in answers:
        with socket.create_server(("127.0.0.1", port)) as server:
            connection, _ = server.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(answer)
        time.sleep(1)


def _answer(kind, body):
    return f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: 9999\r\n\r\n{body}".encode()


@pytest.mark.parametrize("call", CALLS)
def test_a_server_that_is_gone_is_named_whatever_was_called(call, client):
    with pytest.raises(EnvironmentFault, match="does not answer") as raised:
        CALLS[call](client(f"http://127.0.0.1:{_free_port()}"))
    assert raised.value.code == "server_away"


def test_a_download_that_breaks_off_is_an_error(client, broken):
    pieces = client(broken(_answer("text/csv", "a,b\n1,2\n"))).result("query-1", "csv")
    with pytest.raises(EnvironmentFault, match="does not answer"):
        list(pieces)


def test_events_go_on_where_a_server_comes_back(client, broken):
    events = [{"seq": 1, "type": "run", "subtype": "start"}, {"seq": 2, "type": "run", "subtype": "end"}]
    answers = [_answer("text/event-stream", f"data: {json.dumps(each)}\n\n") for each in events]
    assert list(client(broken(*answers)).events("run-1")) == events


@pytest.fixture
def both(workspace, serve, client):  # noqa: F811
    """The same root over HTTP, and in this process."""
    address = serve()
    return client(address), LocalClient(workspace.opened[-1])


def test_after_its_end_a_run_has_no_more_events(both):
    far, near = both
    run_id = far.ask(question="how many rows has t")["run_id"]
    events = list(far.events(run_id))
    assert events == list(near.events(run_id))
    assert [list(each.events(run_id, len(events))) for each in both] == [[], []]


@pytest.mark.parametrize("name", ["what?", "no #1", "50%", "a b", "..", "x.y.z"])
def test_odd_names_reach_the_server_as_they_are(name, both):
    quoted = name.replace('"', '""')
    with both[1].workspace.warehouse.write() as session:
        session.execute(f'CREATE TABLE "{quoted}" AS SELECT 1 AS x')
    assert [each.schema(name)["table"] for each in both] == [name, name]
    for each in both:
        with pytest.raises(NotFound, match="There is no table"):
            each.schema(f"{name}!")


def test_a_board_is_found_by_a_title_with_a_slash(both):
    far, near = both
    made = far.boards.create("Q1/Q2 sales")
    assert [each.boards.show("q1/q2 SALES")["board_id"] for each in both] == [made["board_id"]] * 2
    assert far.boards.export("Q1/Q2 sales")[0] == f"{made['board_id']}.html"
    assert far.boards.delete("Q1/Q2 sales") == made["board_id"]
    assert near.boards.every() == []


FAULTS = {
    "SQL that is empty": (lambda client: client.query(sql=""), 2),
    "SQL with an unknown column": (lambda client: client.query(sql="SELECT nope FROM t"), 1),
    "SQL that may not run": (lambda client: client.query(sql="DROP TABLE t"), 4),
    "a file without a row": (lambda client: _loaded(client, "", "emptied"), 2),
    "a key that the file lacks": (lambda client: _loaded(client, "a\n1\n", "orders", mode="merge", key=["zz"]), 2),
    "an export of no run": (lambda client: list(client.export("run-1", "csv")), 1),
}


def _loaded(client, text, table, **more):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "some.csv"
        file.write_text(text)
        job_id = client.ingest({"connector": "csv", "config": {"path": str(file)}, "target": table, **more})
        return work(client, "ingest", job_id, lambda event: None)


@pytest.mark.parametrize("fault", FAULTS)
def test_an_error_has_one_exit_code_here_and_through_a_server(fault, both):
    call, code = FAULTS[fault]
    for client in both:
        with pytest.raises(PlutoDuckError) as raised:
            call(client)
        assert raised.value.exit_code == code, (client, raised.value.to_dict())

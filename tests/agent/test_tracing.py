"""Tracing variables of the environment were set for other programs: nothing of a question leaves by them."""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

ASKED = """
import sys
from pathlib import Path
from langchain_core.tracers.langchain import wait_for_all_tracers
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings

workspace = Workspace.open(load_settings(Path(sys.argv[1])), wait_s=0)
with workspace.warehouse.write() as session:
    session.execute("CREATE TABLE albums AS SELECT range AS id, 'x' || range AS title FROM range(5)")
handle = workspace.runs.start("How many albums are there?")
print(list(workspace.runs.log(handle.run_id).follow())[-1]["content"]["status"])
workspace.close()
wait_for_all_tracers()
"""
OF_OTHERS = """
from langchain_core.tracers.langchain import wait_for_all_tracers
from langgraph.graph import END, START, StateGraph

graph = StateGraph(dict)
graph.add_node("only", lambda state: state)
graph.add_edge(START, "only")
graph.add_edge("only", END)
graph.compile().invoke({"question": "theirs"})
wait_for_all_tracers()
"""


@pytest.fixture
def collector():
    """A tracing server on loopback: `collector.asked` are the paths that it was asked for."""

    class Handler(BaseHTTPRequestHandler):
        def _answer(self):
            self.rfile.read(int(self.headers.get("content-length") or 0))
            self.server.asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({}).encode())

        do_GET = do_POST = do_PATCH = _answer

        def log_message(self, *parts):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def _run(script, collector, *arguments, **variables):
    """What a process says whose environment asks for tracing."""
    wanted = {"TRACING": "true", "API_KEY": "key", "ENDPOINT": f"http://127.0.0.1:{collector.server_port}"}
    named = {f"LANGSMITH_{name}": value for name, value in wanted.items()} | {"LANGCHAIN_TRACING_V2": "true"}
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env={**os.environ, **named, **variables},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout


def test_a_question_is_answered_and_not_traced_though_the_environment_asks_for_it(collector, tmp_path):
    # LANGCHAIN_TRACING is obsolete: where it is set, langchain refuses to run without tracing.
    assert _run(ASKED, collector, str(tmp_path / "root"), LANGCHAIN_TRACING="true") == "succeeded\n"
    assert collector.asked == []


def test_another_program_is_traced_as_the_environment_asks(collector):
    _run(OF_OTHERS, collector)
    assert collector.asked

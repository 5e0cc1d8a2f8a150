"""`pluto-duck actions`: listed, called, refused; by itself and through a server alike."""

import json
import sys
from pathlib import Path

import pytest
from tests.api.conftest import serve, workspace  # noqa: F401
from tests.cli.running import run

from pluto_duck_backend.agent.actions import registry

DESK = Path(__file__).parents[1] / "agent" / "outside" / "desk.py"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("actions")
    (folder / "towns.csv").write_text("id,name\n1,Bonn\n2,Köln\n")
    run("ingest", folder / "towns.csv", "--root", folder / "root")
    return folder / "root"


def test_every_action_is_listed_with_what_it_takes(root):
    listed = run("actions", "list", "--root", root).stdout
    assert [name for name in registry.installed() if name not in listed] == []
    assert "like, limit?" in listed


def test_a_call_prints_its_text_or_its_result(root):
    assert (
        json.loads(run("actions", "call", "calculator", "expression=1/8", "--root", root).stdout)["result"] == "0.125"
    )
    words = ("actions", "call", "values", "like=BONN", "limit:=1", "--json", "--root", root)
    done = json.loads(run(*words).stdout)
    assert ([each["value"] for each in done["details"]["values"]], done["error"]) == (["Bonn"], None)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("query", "sql=DROP TABLE towns"), 4, "SELECT"),
        (("query", "sql=SELECT x FROM towns"), 1, "x"),
        (("qurey", "sql=SELECT 1"), 1, "Did you mean query"),
        (("query",), 2, "sql: Field required"),
        (("query", "SELECT 1"), 2, "NAME:=JSON"),
        (("values", "limit:=many"), 2, "limit:=many"),
        (("ask", "question=what is the weather tomorrow"), 4, "error: "),
    ],
)
def test_what_fails_says_why_and_exits_with_its_code(root, words, code, said):
    done = run("actions", "call", *words, "--root", root)
    assert (done.returncode, said in done.stderr, done.stdout) == (code, True, ""), done.stderr


def test_the_tools_of_an_agents_servers_are_called_too(tmp_path):
    folder, notes = tmp_path / "root" / "configs" / "agents" / "clerk", tmp_path / "notes"
    folder.mkdir(parents=True)
    command = json.dumps([sys.executable, str(DESK), str(notes)])
    (folder / "agent.yaml").write_text(f"servers: {{desk: {{command: {command}}}}}\n")
    words = ("actions", "call", "desk.note", "text=from the terminal", "--agent", "clerk", "--root", tmp_path / "root")
    refused = run(*words)
    assert (refused.returncode, notes.exists()) == (1, False)
    assert 'A person must approve desk.note with {"text": "from the terminal"}.' in refused.stderr
    assert json.loads(run(*words, "--yes").stdout) == {"tool": "desk.note", "data": {"result": "kept"}}
    assert notes.read_text() == "from the terminal\n"


def test_through_a_server_it_is_the_same(serve, workspace):  # noqa: F811
    address = serve()
    made = workspace.opened[0]
    made.serve_at(address, "")
    done = run(
        "actions", "call", "query", "sql=SELECT count(*) AS n FROM t", "--key", "k", "--json", "--root", made.paths.root
    )
    assert json.loads(done.stdout)["details"]["rows"] == [[5]], done.stderr
    assert "query" in run("actions", "list", "--root", made.paths.root).stdout
    failed = run("actions", "call", "qurey", "--root", made.paths.root)
    assert (failed.returncode, "Did you mean query" in failed.stderr) == (1, True)

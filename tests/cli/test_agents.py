"""`pluto-duck agents`: deployed, listed, asked, exported, imported and removed; what is refused keeps nothing."""

import json
import zipfile

import pytest
from tests.cli.running import run

MAIN = "description: Counts things.\nscope: {tables: [things, thinks]}\n"


@pytest.fixture
def root(tmp_path):
    (tmp_path / "things.csv").write_text("id,name\n1,a\n2,b\n")
    (tmp_path / "others.csv").write_text("id\n1\n")
    for name in ("things", "others"):
        run("ingest", tmp_path / f"{name}.csv", "--root", tmp_path / "root")
    (tmp_path / "counter").mkdir()
    (tmp_path / "counter" / "agent.yaml").write_text(MAIN)
    return tmp_path / "root"


def test_from_a_folder_to_an_answer_to_an_archive_and_back(root, tmp_path):
    deployed = run("agents", "deploy", tmp_path / "counter", "--root", root)
    assert (deployed.returncode, "It reads things, thinks." in deployed.stderr) == (0, True), deployed.stderr
    assert "There is no table thinks now." in deployed.stderr
    assert "counter" in run("agents", "list", "--root", root).stdout
    asked = run("ask", "how many things are there", "--agent", "counter", "--root", root, "--json")
    assert json.loads(asked.stdout)["rows"] == [[2]]
    beyond = run("ask", "how many others are there", "--agent", "counter", "--root", root)
    assert beyond.returncode == 4
    archive = tmp_path / "counter.zip"
    assert run("agents", "export", "counter", "--to", archive, "--root", root).returncode == 0
    assert run("agents", "remove", "counter", "--root", root).returncode == 0
    looked = run("agents", "import", archive, "--root", root)
    assert (looked.returncode, "give --yes" in looked.stderr) == (3, True)
    assert json.loads(run("agents", "list", "--root", root, "--json").stdout)["agents"] == []
    assert run("agents", "import", archive, "--yes", "--root", root).returncode == 0
    assert MAIN.splitlines()[0] in run("agents", "show", "counter", "--root", root).stdout


def test_what_is_refused_keeps_nothing(root, tmp_path):
    (tmp_path / "counter" / "agent.yaml").write_text("scoop: {}\n")
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("../../evil/agent.yaml", MAIN)
    for words, code, told in [
        (["deploy", tmp_path / "counter"], 2, "counter/agent.yaml:1: there is no key 'scoop'"),
        (["deploy", tmp_path / "nowhere"], 2, "There is no folder"),
        (["import", tmp_path / "evil.zip"], 2, "one folder"),
        (["show", "nobody"], 1, "There is no agent 'nobody'"),
    ]:
        done = run("agents", *words, "--root", root)
        assert (done.returncode, told in done.stderr) == (code, True), done.stderr
    assert list((root / "configs" / "agents").iterdir()) == []

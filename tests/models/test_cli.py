"""Setting a model up, checking it, and what it has cost, from the command line."""

import io
import json

import pytest
from tests.models.server import Breaks, Says, sql

from pluto_duck_cli.main import execute

COUNT = "SELECT count(*) AS n FROM albums"


@pytest.fixture
def run(tmp_path, capsys):
    """`run(*arguments)`: exit code, stdout, stderr of a command on a root of its own."""
    (tmp_path / "root").mkdir()

    def _run(*arguments):
        code = execute(["--root", str(tmp_path / "root"), *arguments])
        return code, *capsys.readouterr()

    return _run


def test_a_model_is_set_up_tried_and_asked(run, server, tmp_path):
    server.says("ready")
    code, out, _ = run("config", "add", "house", "--kind", "openai", "--base-url", f"{server.url}/v1", "--model", "m")
    assert (code, out.startswith("house (m) answered in ")) == (0, True)
    csv = tmp_path / "albums.csv"
    csv.write_text("id,title\n1,a\n2,b\n")
    assert run("ingest", str(csv))[0] == 0
    server.says(sql(COUNT), "There are 2 albums in the file.")
    code, out, _ = run("ask", "How many albums?", "--json")
    assert (code, json.loads(out)["provider"], json.loads(out)["rows"]) == (0, "house", [[2]])
    code, out, _ = run("runs", "usage", "--json")
    assert [(each["provider"], each["model"], each["calls"]) for each in json.loads(out)["usage"]] == [
        ("house", "m", 2)
    ]
    assert "36" in run("runs", "list")[1].splitlines()[2].split()


def test_setting_up_leaves_the_rest_of_the_file_as_it_is(run, server, tmp_path):
    server.says("ready")
    run("init")
    path = tmp_path / "root" / "configs" / "config.toml"
    before = path.read_text()
    run("config", "add", "vllm", "--base-url", f"{server.url}/v1")
    kept = path.read_text().splitlines()
    assert [line for line in before.splitlines() if line not in kept] == []
    assert run("config", "--json")[1].count('"agent.provider": "vllm"') == 1


def test_of_a_server_of_ones_own_its_protocol_and_place_are_wanted(run):
    code, _, err = run("config", "add", "house", "--model", "m")
    assert (code, "says neither whose protocol it speaks" in err, "--base-url" in err) == (2, True, True)


def test_a_model_that_fails_is_not_set_up(run, server, tmp_path):
    server.says(Breaks("status", 401))
    code, _, err = run("config", "add", "vllm", "--base-url", f"{server.url}/v1", "--model", "m")
    assert (code, "does not accept the key" in err) == (1, True)
    assert not (tmp_path / "root" / "configs" / "config.toml").exists()


def test_a_key_from_stdin_goes_into_the_keyring_and_nowhere_else(run, server, tmp_path, monkeypatch):
    kept = {}
    monkeypatch.setattr("keyring.set_password", lambda service, name, key: kept.update({name: key}))
    monkeypatch.setattr("keyring.get_password", lambda service, name: kept.get(name))
    monkeypatch.setattr("sys.stdin", io.StringIO("sk-hidden\n"))
    server.says("ready")
    url = ["--base-url", f"{server.url}/v1"]
    _, out, err = run("config", "add", "openai", "--model", "m", "--key-stdin", *url)
    assert kept == {"openai": "sk-hidden"}
    assert server.requests[0]["_headers"]["authorization"] == "Bearer sk-hidden"
    assert "sk-hidden" not in out + err + (tmp_path / "root" / "configs" / "config.toml").read_text()
    run("config", "add", "openai", *url)
    assert server.requests[-1]["_headers"]["authorization"] == "Bearer sk-hidden"


def test_doctor_tries_the_model(run, server, monkeypatch):
    monkeypatch.setenv("PLUTODUCK_AGENT__PROVIDER", "vllm")
    monkeypatch.setenv("PLUTODUCK_AGENT__BASE_URL", f"{server.url}/v1")
    server.says("ready")
    checks = {each["check"]: each for each in json.loads(run("doctor", "--json")[1])}
    assert "the-only-model (local) answered" in checks["provider"]["found"]
    server.says(Breaks("status", 500))
    checks = {each["check"]: each for each in json.loads(run("doctor", "--json")[1])}
    assert (checks["provider"]["ok"], "failed on its side" in checks["provider"]["found"]) == (False, True)


def test_doctor_tells_that_nobody_says_what_a_hosted_model_costs(run, server, tmp_path):
    configs = tmp_path / "root" / "configs"
    configs.mkdir()
    hosted = f'kind = "openai"\nbase_url = "{server.url}/v1"\nmodel = "m"\nis_local = false\napi_key = "k"\n'
    (configs / "config.toml").write_text(f'[agent]\nprovider = "far"\n[providers.far]\n{hosted}')
    server.says("ready")

    def told():
        return next(each for each in json.loads(run("doctor", "--json")[1]) if each["check"] == "provider")["found"]

    assert "what it costs counts as nothing until" in told()
    (configs / "prices.toml").write_text('[far]\n"m" = { input = 1, output = 2 }\n')
    assert "counts as nothing" not in told()


def test_doctor_tries_every_model_that_may_be_asked(run, server, tmp_path):
    configs = tmp_path / "root" / "configs"
    configs.mkdir()
    models = "".join(
        f'[providers.{name}]\nkind = "openai"\nbase_url = "{server.url}/v1"\nmodel = "{name}"\nretries = 0\n'
        for name in ("first", "second")
    )
    (configs / "config.toml").write_text(f'[agent]\nprovider = "auto"\n{models}')

    def found():
        return next(each for each in json.loads(run("doctor", "--json")[1]) if each["check"] == "provider")

    server.says("ready")
    assert (found()["ok"], len(server.requests)) == (True, 2)
    server.says(lambda request: Breaks("status", 401) if request["model"] == "second" else "ready")
    told = found()
    assert (told["ok"], "first, first (local) answered" in told["found"]) == (False, True)
    assert "second does not accept the key" in told["found"]
    (configs / "prices.toml").write_text("first = 1\n")
    assert "no table of prices" in found()["found"]
    (configs / "prices.toml").unlink()
    (configs / "config.toml").write_text('[agent]\nprovider = "auto"\n')
    assert found()["found"] == "auto has no model to choose"


def test_what_is_missing_is_named_with_the_next_step(run, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code, _, err = run("ask", "How many?", "--provider", "openai", "--model", "m")
    assert (code, "OPENAI_API_KEY" in err) == (1, True)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    code, _, err = run("ask", "How many?", "--provider", "openai")
    assert (code, "--model" in err) == (2, True)
    monkeypatch.setattr("pluto_duck_backend.agent.models.endpoints.find_spec", lambda name: None)
    code, _, err = run("ask", "How many?", "--provider", "anthropic")
    assert (code, "pip install 'pluto-duck[anthropic]'" in err) == (1, True)


def test_what_a_rule_refused_exits_as_refused(run, server, tmp_path, monkeypatch):
    monkeypatch.setenv("PLUTODUCK_AGENT__PROVIDER", "vllm")
    monkeypatch.setenv("PLUTODUCK_AGENT__BASE_URL", f"{server.url}/v1")
    monkeypatch.setenv("PLUTODUCK_BUDGET__RUN_QUERIES", "1")
    csv = tmp_path / "albums.csv"
    csv.write_text("id,title\n1,a\n2,b\n")
    run("ingest", str(csv))
    server.says(sql("SELECT error(title) AS n FROM albums"))
    for command in ("ask", "agent-stream"):
        code, out, _ = run(command, "How many albums?", "--json")
        error = json.loads(out.splitlines()[-1])
        error = error.get("error") or error["content"]
        assert (code, error["code"], error["refused"]) == (4, "over_budget", True)
    assert run("query", "")[0] == 2
    assert run("query", "--", "DROP TABLE albums")[0] == 4


def test_thinking_alone_is_a_sign_of_life(run, server):
    server.says(Says(thought="hm"))
    assert run("config", "add", "vllm", "--base-url", f"{server.url}/v1")[0] == 0


def test_doctor_tells_of_prompts_that_replace_nothing_or_leave_out_what_is_filled_in(run, tmp_path):
    def found():
        return next(each for each in json.loads(run("doctor", "--json")[1]) if each["check"] == "prompts")

    assert (found()["ok"], found()["found"]) == (True, "as shipped")
    prompts = tmp_path / "root" / "configs" / "prompts"
    prompts.mkdir()
    (prompts / "words.md").write_text("Be short.")
    assert found()["found"] == "yours: words.md"
    (prompts / "write-sql.md").write_text("Answer like a pirate.")
    (prompts / "question.md").write_text("$data $earlier $today")
    told = found()
    assert "write-sql.md replaces no prompt" in told["found"] and "Did you mean write_sql?" in told["found"]
    assert "question.md leaves out $question" in told["found"]
    assert (told["ok"], "configs/prompts" in told["hint"]) == (True, True)


def test_a_model_that_is_set_up_anew_is_tried_anew_with_tools(run, server, tmp_path):
    csv = tmp_path / "albums.csv"
    csv.write_text("id,title\n1,a\n2,b\n")
    assert run("ingest", str(csv))[0] == 0
    add = ("config", "add", "house", "--kind", "openai", "--base-url", f"{server.url}/v1", "--model", "m")
    for reply, tools in ((COUNT, [True]), (COUNT, [False]), (sql(COUNT), [True])):
        if reply != COUNT or tools == [True]:
            server.says("ready")
            assert run(*add)[0] == 0
        server.requests.clear()
        server.says(reply, "There are 2 albums in all, as counted.")
        assert run("ask", "How many albums?", "--json")[0] == 0
        assert ["tools" in each for each in server.requests[:1]] == tools


def test_whether_data_stays_in_the_house_is_said_when_a_model_is_set_up(run, server, tmp_path):
    server.says("ready")
    add = ("config", "add", "house", "--kind", "openai", "--base-url", f"{server.url}/v1", "--model", "m")
    path = tmp_path / "root" / "configs" / "config.toml"
    ways = ((), ("--hosted",), ("--local",))
    told = [("It counts as hosted" in run(*add, *how)[2], path.read_text()) for how in ways]
    assert [hosted for hosted, _ in told] == [False, True, False]
    assert ["is_local" in text for _, text in told] == [False, True, True]
    assert "is_local = true" in told[-1][1]


def test_a_key_goes_to_no_server_that_only_speaks_as_its_provider_does(run, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
    server.says("ready")
    house = ("config", "add", "my-house", "--kind", "openai", "--base-url", f"{server.url}/v1", "--model", "m")
    assert run(*house, "--hosted")[0] == 0
    monkeypatch.setenv("MY_HOUSE_API_KEY", "sk-of-the-house")
    assert run(*house)[0] == 0
    assert run("config", "add", "openai", "--base-url", f"{server.url}/v1", "--model", "m")[0] == 0
    sent = [each["_headers"]["authorization"] for each in server.requests]
    assert sent == ["Bearer none", "Bearer sk-of-the-house", "Bearer sk-of-openai"]

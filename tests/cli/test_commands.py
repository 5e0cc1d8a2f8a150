"""The command line as people and scripts meet it: exit codes, what goes to stdout, bad input."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import polars
import pytest
from tests.cli.running import run

from pluto_duck_backend.app.core.owner import acquire, find_server
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_cli.main import execute

SLOW = "SELECT sum(a.range * b.range) AS s FROM range(1000000) a, range(1000000) b"


def process(*words, stdout=subprocess.PIPE):
    """A command in a process of its own, as a shell starts it."""
    command = [sys.executable, "-m", "pluto_duck_cli", *map(str, words)]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A root with two tables."""
    folder = tmp_path_factory.mktemp("cli")
    (folder / "customers.csv").write_text("customer_id,name,country\n1,Ann,Germany\n2,Bob,France\n3,Cid,Germany\n")
    (folder / "orders.csv").write_text("order_id,customer_id,order_date,total\n1,1,2024-05-01,10\n2,1,2025-11-05,20\n")
    done = run("--root", folder / "root", "ingest", folder / "customers.csv", folder / "orders.csv")
    assert (done.returncode, done.stdout) == (0, "customers: 3 rows\norders: 2 rows\n"), done.stderr
    return folder / "root"


@pytest.fixture(scope="module")
def served(root):
    """The same root behind a server."""
    server = subprocess.Popen([sys.executable, "-m", "pluto_duck_cli", "--root", str(root), "serve", "--port", "0"])
    deadline = time.monotonic() + 60
    while find_server(Paths(root)) is None and time.monotonic() < deadline:
        time.sleep(0.1)
    yield root
    server.terminate()
    server.wait(30)


def test_arguments_that_are_no_text_are_wrong_usage(root):
    done = process("ask", os.fsdecode(b"how many \xff"), "--root", root)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: An argument is no text in UTF-8.")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_an_output_that_takes_no_more_is_said(root):
    with Path("/dev/full").open("w") as full:
        done = process("schema", "--root", root, stdout=full)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "error: No space left on device",
        "hint: Free some space, or write elsewhere.",
    ]


def test_help_is_instant_and_names_every_command():
    script = (
        "import sys; from pluto_duck_cli.main import execute; execute(['--help']); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stderr.split()}
    assert not loaded & {"langgraph", "langchain_core", "dbt", "fastapi", "polars", "sqlglot", "duckdb", "typer"}
    for command in ("init", "demo", "ingest", "agent-stream", "query", "runs", "serve", "doctor"):
        assert f"  {command} " in done.stdout


def test_a_question_is_answered_with_its_proof(root):
    done = process("ask", "how many customers from germany", "--root", root)
    assert done.returncode == 0
    assert "2" in done.stdout.splitlines()[0]
    assert "SELECT" in done.stdout
    assert "country = 'Germany'" in done.stdout


def test_json_gives_the_final_object(root):
    done = run("agent", "--json", "how many customers are there", "--root", root)
    final = json.loads(done.stdout)
    assert (final["status"], final["rows"], final["finished"]) == ("succeeded", [[3]], True)
    assert final["job_id"].startswith("query-")


def test_agent_stream_writes_one_event_a_line(root):
    done = process("--root", root, "agent-stream", "how many orders are there")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert (events[0]["type"], events[-1]["content"]) == ("run", {"status": "succeeded"})
    replayed = run("runs", "events", events[0]["run_id"], "--root", root)
    assert replayed.stdout == done.stdout


@pytest.mark.parametrize("form", ["csv", "json", "parquet", "arrow"])
def test_every_format_holds_the_result(root, tmp_path, form):
    path = tmp_path / f"out.{form}"
    done = run("query", "SELECT * FROM orders ORDER BY order_id", "--output", path, "--root", root)
    assert (done.returncode, done.stdout) == (0, "")
    readers = {
        "csv": lambda: polars.read_csv(path),
        "json": lambda: polars.DataFrame(json.loads(path.read_text())["rows"], orient="row"),
        "parquet": lambda: polars.read_parquet(path),
        "arrow": lambda: polars.read_ipc_stream(path),
    }
    assert readers[form]().shape == (2, 4)


def test_an_output_that_is_a_link_or_a_pipe_stays_one(root, tmp_path):
    behind, link, pipe = tmp_path / "behind.csv", tmp_path / "link.csv", tmp_path / "pipe.csv"
    behind.write_text("what was there")
    link.symlink_to(behind)
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        for path in (link, pipe):
            done = run("query", "SELECT count(*) AS n FROM orders", "--output", path, "--root", root)
            assert done.returncode == 0, done.stderr
        assert (link.is_symlink(), behind.read_text()) == (True, "n\n2\n")
        assert (pipe.is_fifo(), os.read(reader, 100)) == (True, b"n\n2\n")
    finally:
        os.close(reader)


def test_sql_comes_from_stdin_too(root):
    done = run("query", "-", "--format", "csv", "--root", root, stdin="SELECT count(*) AS n FROM orders")
    assert done.stdout == "n\n2\n"


@pytest.mark.parametrize("words", [("query", "-"), ("chat",)], ids=" ".join)
def test_input_that_is_no_text_is_told(root, words):
    command = [sys.executable, "-m", "pluto_duck_cli", *words, "--root", str(root)]
    done = subprocess.run(command, input="SELECT 'é'\n".encode("cp1252"), capture_output=True)
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: What came through standard input is no text in utf-8: byte 0xe9.\nhint: ")


BAD = [
    (["ask", ""], 2, "The question is empty"),
    (["ask", "x" * 100_000], 2, "100,000 characters"),
    (["ask", "churn by region"], 4, None),
    (["ask", "how many customers", "--provider", "embeded"], 2, "Did you mean embedded"),
    (["query", "SELEC 1"], 1, "syntax error"),
    (["query", "SELECT nope FROM orders"], 1, "nope"),
    (["query", "SELECT * FROM 'x.csv'"], 4, "x.csv"),
    (["query", "DROP TABLE orders"], 4, "Only SELECT"),
    (["query", "SELECT 1", "--format", "cvs"], 2, "Did you mean csv"),
    (["schema", "oders"], 1, "Did you mean orders"),
    (["ingest", "/no/such/file.csv"], 1, "does not exist"),
    (["runs", "show", "run-1"], 1, "no run 'run-1'"),
    (["dbt", "biuld"], 2, "Did you mean build"),
    (["dbt", "run"], 1, "no dbt project"),
    (["eval", "/no/such/suite.jsonl"], None, "suite"),
    (["frobnicate"], 2, "no command 'frobnicate'"),
    (["query"], 2, "sql"),
]


@pytest.mark.parametrize(("words", "code", "says"), BAD, ids=lambda each: str(each)[:40])
def test_bad_input_is_named_and_has_its_exit_code(root, words, code, says):
    done = run(*words, "--root", root) if words[0] != "frobnicate" else run(*words)
    assert done.returncode == code if code is not None else done.returncode != 0
    assert "Traceback" not in done.stderr
    if says:
        assert says in done.stderr
        assert done.stdout == ""


def test_a_process_ends_with_the_exit_code_and_no_traceback(root):
    done = process("query", "DROP TABLE orders", "--root", root)
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (4, "", False)
    assert "Only SELECT" in done.stderr


@pytest.mark.parametrize(("name", "content"), [("empty.csv", b""), ("picture.csv", b"\x89PNG\r\n\x1a\n\x00\x00" * 50)])
def test_a_bad_file_changes_nothing(root, tmp_path, name, content):
    before = run("schema", "--json", "--root", root).stdout
    (tmp_path / name).write_bytes(content)
    done = run("ingest", tmp_path / name, "--root", root)
    assert done.returncode != 0
    assert name in done.stderr
    assert run("schema", "--json", "--root", root).stdout == before


def test_two_commands_at_once_both_succeed(root):
    words = [sys.executable, "-m", "pluto_duck_cli", "query", "SELECT count(*) AS n FROM orders", "--format", "csv"]
    started = [subprocess.Popen([*words, "--root", str(root)], stdout=-1, text=True) for _ in range(3)]
    assert [process.communicate()[0] for process in started] == ["n\n2\n"] * 3


def test_a_run_interrupted_by_the_keyboard_is_cancelled(root, tmp_path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"replies": [{"sql": SLOW}]}))
    env = {**os.environ, "PLUTODUCK_AGENT__SCRIPT": str(script)}
    words = ["agent-stream", "slow", "--provider", "scripted", "--root", str(root)]
    process = subprocess.Popen([sys.executable, "-m", "pluto_duck_cli", *words], stdout=-1, text=True, env=env)
    seen = []
    for line in process.stdout:
        seen.append(json.loads(line))
        if seen[-1]["content"].get("tool") == "verifier":
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
    assert process.wait() == 130
    assert [each["seq"] for each in seen] == list(range(1, len(seen) + 1))
    assert (seen[-1]["type"], seen[-1]["subtype"], seen[-1]["content"]) == ("run", "end", {"status": "cancelled"})
    run_id = seen[0]["run_id"]
    assert json.loads(run("runs", "show", run_id, "--json", "--root", root).stdout)["status"] == "cancelled"


def test_a_query_interrupted_by_the_keyboard_ends_at_once_and_is_recorded_as_cancelled(root):
    words = [sys.executable, "-m", "pluto_duck_cli", "query", SLOW, "--timeout", "100", "--root", str(root)]
    process = subprocess.Popen(words)
    parts = Paths(root).queries
    while not list(parts.glob("*.part*")):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    last = json.loads((parts / "queries.jsonl").read_text().splitlines()[-1])
    assert (last["status"], last["sql"]) == ("cancelled", SLOW)


def test_no_secret_of_a_setting_is_shown(root):
    env = {
        "PLUTODUCK_PROVIDERS__MINE__BASE_URL": "http://me:hunter2@127.0.0.1:9/v1",
        "PLUTODUCK_PROVIDERS__MINE__OPTIONS": '{"default_headers": {"X-Api-Key": "hunter2"}, "top_p": 0.5}',
    }
    for words in (("config",), ("config", "--json")):
        done = run(*words, "--root", root, env=env)
        assert (done.returncode, "hunter2" in done.stdout) == (0, False)
        assert "http://me:***@127.0.0.1:9/v1" in done.stdout and "'top_p': 0.5" in done.stdout


def test_what_killed_commands_left_is_removed(root):
    temp = Paths(root).temp
    spilled, old, new = temp / "duckdb_temp_storage_DEFAULT-0.tmp", temp / "stdin-old", temp / "stdin-new"
    spilled.write_bytes(b"rows")
    for folder, age_s in ((old, 100_000), (new, 100)):
        folder.mkdir()
        (folder / "stdin").write_text("a\n")
        for path in (folder / "stdin", folder):
            os.utime(path, (time.time() - age_s,) * 2)
    assert run("query", "SELECT 1", "--root", root).returncode == 0
    assert sorted(temp.iterdir()) == [new]


def test_a_question_back_exits_three(root, tmp_path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"replies": [{"clarify": {"question": "Which?", "options": ["gross", "net"]}}]}))
    env = {"PLUTODUCK_AGENT__SCRIPT": str(script)}
    done = run("ask", "sales", "--provider", "scripted", "--root", root, env=env)
    assert done.returncode == 3
    assert "1. gross" in done.stdout


def test_init_config_and_doctor(tmp_path):
    root = tmp_path / "new"
    assert run("init", "--root", root).returncode == 0
    (root / "configs" / "config.toml").write_text('[server]\ntoken = "secret"\n')
    done = run("config", "--root", root)
    assert "secret" not in done.stdout
    assert "config.toml" in done.stdout
    assert run("init", "--root", root).returncode == 0
    assert 'token = "secret"' in (root / "configs" / "config.toml").read_text()
    assert run("doctor", "--root", root).returncode == 0
    assert Path(root / "dbt_project" / "dbt_project.yml").is_file()
    assert not list((root / "dbt_project").rglob("models/**/*.sql"))


@pytest.mark.parametrize(
    "words",
    [["sources"], ["schema"], ["metrics", "list"], ["runs", "list"], ["query", "SELECT 1"], ["ask", "how many orders"]],
    ids=lambda words: words[0],
)
def test_what_only_reads_makes_no_folder_of_a_misspelt_root(tmp_path, capsys, words):
    assert execute([*words, "--root", str(tmp_path / "typo")]) == 1
    said = capsys.readouterr()
    assert (said.out, f"hint: `pluto-duck init --root {tmp_path / 'typo'}` sets one up" in said.err) == ("", True)
    assert list(tmp_path.iterdir()) == []


def _doctor(root, **env):
    done = run("doctor", "--json", "--root", root, env=env)
    return done.returncode, {each["check"]: each for each in json.loads(done.stdout)}


def test_a_run_is_written_to_a_file(root, tmp_path):
    assert run("ask", "customers by country", "--root", root).returncode == 0
    run_id = json.loads(run("runs", "list", "--json", "--limit", "1", "--root", root).stdout)["runs"][0]["run_id"]
    page = tmp_path / "report.html"
    assert run("runs", "export", run_id, "--to", page, "--root", root).returncode == 0
    assert "Customers by country" in page.read_text()
    refused = run("runs", "export", run_id, "--to", tmp_path / "report.doc", "--root", root)
    assert (refused.returncode, "Endings: .html" in refused.stderr) == (2, True)
    assert sorted(tmp_path.iterdir()) == [page]


def test_doctor_names_what_is_broken_and_how_to_mend_it(tmp_path):
    root = tmp_path / "new"
    assert run("init", "--root", root).returncode == 0
    code, checks = _doctor(root)
    assert (code, [each["check"] for each in checks.values() if not each["ok"]]) == (0, [])
    config = root / "configs" / "config.toml"
    config.chmod(0o644)
    root.chmod(0o755)
    (root / "data" / "warehouse.duckdb").write_bytes(b"no database" * 1000)
    future = root / "artifacts" / "runs" / "run-000000000000-000000000000.jsonl"
    future.touch()
    os.utime(future, (time.time() + 7200,) * 2)
    code, checks = _doctor(root, PLUTODUCK_AGENT__PROVIDER="nobody")
    hints = {name: each["hint"] for name, each in checks.items() if not each["ok"]}
    assert code == 1
    assert list(hints) == ["data root", "private files", "clock", "warehouse", "provider"]
    assert hints["data root"] == f"chmod 700 {root}"
    assert hints["private files"] == f"chmod 600 {config}"
    assert "mv " in hints["warehouse"]
    assert "embedded" in hints["provider"]


def test_the_same_through_a_server(served):
    done = run("ask", "how many customers from germany", "--json", "--root", served)
    assert json.loads(done.stdout)["rows"] == [[2]]
    assert run("query", "SELECT count(*) AS n FROM orders", "--format", "csv", "--root", served).stdout == "n\n2\n"
    assert run("query", "SELECT * FROM 'x.csv'", "--root", served).returncode == 4
    assert run("ask", "", "--root", served).returncode == 2
    assert run("schema", "oders", "--root", served).returncode == 1
    assert "through the server" in run("doctor", "--root", served).stdout
    for name in ("../../x", "..", "a b?#"):
        lost = run("runs", "confirm", name, "--root", served)
        assert (lost.returncode, "There is no run '" in lost.stderr) == (1, True), lost.stderr


def test_a_second_server_of_a_root_is_refused_at_once(served):
    started = time.monotonic()
    done = process("serve", "--port", "0", "--root", served)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"serves {served} at http://127.0.0.1:" in done.stderr and "hint: Use that server" in done.stderr
    assert time.monotonic() - started < 20  # not the half minute that an owner is waited for


def test_a_table_of_any_name_is_shown_through_a_server(served, tmp_path):
    name = "a/b #1? ..%2F"
    with contextlib.closing(sqlite3.connect(tmp_path / "odd.sqlite")) as database:
        database.execute(f'CREATE TABLE "{name}" (a INTEGER)')
    loaded = run("ingest", tmp_path / "odd.sqlite", "--table", "odd.*", "--root", served)
    assert loaded.returncode == 0, loaded.stderr
    done = run("schema", f"odd.{name}", "--json", "--root", served)
    assert json.loads(done.stdout)["table"] == name
    for words, told in ((("schema", "../health"), "no table '../health'"), (("agents", "show", "../x"), "no agent")):
        lost = run(*words, "--root", served)
        assert (lost.returncode, told in lost.stderr) == (1, True), lost.stderr


class _BreakingOff(BaseHTTPRequestHandler):
    """Announces more than it sends."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"half of it")

    def log_message(self, *_):
        pass


def test_a_server_that_goes_away_while_it_sends_is_told_and_leaves_no_file(tmp_path):
    held = acquire(Paths(tmp_path).create())
    with HTTPServer(("127.0.0.1", 0), _BreakingOff) as server:
        threading.Thread(target=server.handle_request).start()
        held.serve_at(f"http://127.0.0.1:{server.server_port}", "")
        done = run("runs", "export", "run-1", "--to", tmp_path / "a.csv", "--root", tmp_path)
    held.release()
    assert (done.returncode, "does not answer" in done.stderr) == (1, True), done.stderr
    assert not list(tmp_path.glob("*a.csv*"))


def test_a_confirmed_run_is_listed(root):
    question = "How many customers are in Germany?"
    assert run("ask", question, "--root", root).returncode == 0
    run_id = json.loads(run("runs", "list", "--root", root, "--json").stdout)["runs"][0]["run_id"]
    done = run("runs", "confirm", run_id, "--root", root)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "is confirmed: configs/confirmed/how-many-customers-are-in-germany-" in done.stderr
    kept = json.loads(run("runs", "confirmed", "--root", root, "--json").stdout)["confirmed"]
    assert [(each["question"], each["stale"]) for each in kept] == [(question, None)]
    assert run("runs", "forget", kept[0]["file"], "--root", root).returncode == 0
    assert json.loads(run("runs", "confirmed", "--root", root, "--json").stdout)["confirmed"] == []
    assert run("runs", "confirm", "run-1", "--root", root).returncode == 1


def test_a_question_needs_no_quotes_and_an_empty_root_says_what_comes_first(root, tmp_path):
    assert run("ask", "how", "many", "customers", "--root", root).stdout.startswith("Number of customers: 3\n")
    (tmp_path / "empty").mkdir()
    empty = run("ask", "how many customers", "--root", tmp_path / "empty")
    assert empty.returncode == 4 and "no tables yet. Load some first: pluto-duck ingest FILE" in empty.stdout


def test_what_is_written_is_said_and_errors_show_only_what_was_written(root, tmp_path):
    done = run("query", "SELECT * FROM orders", "--output", tmp_path / "o.csv", "--root", root)
    assert (done.stdout, done.stderr) == ("", f"2 rows as csv in {tmp_path / 'o.csv'}\n")
    failed = run("query", "SELECT no_such FROM orders", "--root", root)
    assert "LINE 1: SELECT no_such" in failed.stderr and "EXPLAIN" not in failed.stderr
    piped = run("ingest", "-", "--root", root, stdin="not a file \x00")
    assert piped.returncode != 0 and piped.stderr.startswith("error: stdin is no text file")
    loaded = run("ingest", "-", "--table", "piped", "--root", root, stdin="a,b\n1,2\n")
    assert (loaded.returncode, loaded.stdout) == (0, "piped: 1 rows\n")
    told = next(line for line in run("sources", "--root", root).stdout.splitlines() if line.startswith("piped"))
    assert told.split()[:2] == ["piped", "stdin"]
    keyless = run("ingest", root, "--mode", "merge", "--root", root)
    assert keyless.stderr.endswith("hint: Add --key COLUMN.\n")

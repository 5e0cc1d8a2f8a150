"""The agent over shared state: what one process began another goes on with, whatever happened to the first."""

import json
import subprocess
import sys
from contextlib import closing, contextmanager

import pytest
from fastapi.testclient import TestClient
from redis import Redis
from tests.services import postgres_schema, redis_prefix, s3_options

from pluto_duck_backend.agent.doctor import examine
from pluto_duck_backend.agent.wishes import Wishes
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import QuerySettings, load_settings
from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput
from pluto_duck_backend.app.core.state import place_of
from pluto_duck_backend.app.main import create_app
from pluto_duck_backend.app.services.state.places import Places

ASKS = {"clarify": {"question": "Which one?", "options": ["gross", "net"]}}
SLOW = {"sql": "SELECT sum(a.range * b.range) AS s FROM range(1000000) a, range(1000000) b"}
COUNT = {"sql": "SELECT count(*) AS n FROM t"}


@pytest.fixture(scope="module")
def postgres():
    with postgres_schema() as url:
        yield url


@pytest.fixture(scope="module")
def redis():
    with redis_prefix() as url:
        yield url


@pytest.fixture(scope="module")
def s3():
    with s3_options() as options:
        yield options


def _settings(root, replies, **state):
    script = root.with_suffix(".json")
    script.write_text(json.dumps({"replies": replies}))
    return load_settings(root, agent={"provider": "scripted", "script": script}, state=state)


@contextmanager
def _workspace(root, *replies, **state):
    workspace = Workspace.open(_settings(root, replies, **state), wait_s=0)
    with workspace.warehouse.write() as session:
        session.execute("CREATE TABLE IF NOT EXISTS t AS FROM range(5)")
    try:
        yield workspace
    finally:
        workspace.close()


def _ask(workspace, question, **options):
    handle = workspace.runs.start(question, **options)
    list(workspace.runs.log(handle.run_id).follow())
    return workspace.runs.get(handle.run_id)


@pytest.mark.parametrize("server", ["postgres", "redis"])
def test_a_conversation_goes_on_in_another_process(tmp_path, server, request):
    sessions = request.getfixturevalue(server)
    with _workspace(tmp_path / "one", ASKS, sessions=sessions) as one:
        first = _ask(one, "Total sales")
        task = one.tasks.create("How many?", {}, {})
        assert not list(one.paths.runs.glob("*"))
        with _workspace(tmp_path / "two", COUNT, sessions=sessions) as two:
            reply = _ask(two, "net", conversation_id=first["conversation_id"])
            assert two.runs.meant(reply["run_id"]).choice == "net"
            assert two.tasks.step(two.tasks.get(task.task_id), "")["final"]["rows"] == [[5]]
            assert [run["status"] for run in one.tasks.steps(task)] == ["succeeded"]
        runs = one.runs.list(limit=9)
        assert [run["run_id"] for run in runs[1:]] == [reply["run_id"], first["run_id"]]
        assert one.runs.get(reply["run_id"]) == reply


def test_a_run_of_another_process_is_followed_and_cancelled_from_here(tmp_path, postgres):
    with (
        _workspace(tmp_path / "one", SLOW, sessions=postgres) as one,
        _workspace(tmp_path / "two", sessions=postgres) as two,
    ):
        run_id = one.runs.start("slow").run_id
        following = two.runs.log(run_id).follow()
        assert next(following)["content"]["question"] == "slow"
        assert two.runs.recover() == []
        two.runs.cancel(run_id)
        assert list(following)[-1]["content"] == {"status": "cancelled"}
        assert two.runs.get(run_id)["status"] == "cancelled"
        late = Wishes(two.places.beside_sessions)
        late.make(run_id)
        one.runs.forget_wishes()
        assert late.taken([run_id]) == []


def test_a_killed_process_leaves_a_truth_that_the_next_one_ends(tmp_path, postgres):
    settings = _settings(tmp_path / "one", [SLOW], sessions=postgres)
    code = (
        "import sys, time; from pathlib import Path; from pluto_duck_backend.agent.workspace import Workspace;"
        "from pluto_duck_backend.app.core.config import load_settings;"
        "w = Workspace.open(load_settings(Path(sys.argv[1]),"
        " agent={'provider': 'scripted', 'script': sys.argv[2]}, state={'sessions': sys.argv[3]}));"
        "r = w.runs.start('slow'); f = w.runs.log(r.run_id).follow(); next(f); print(r.run_id, flush=True); list(f)"
    )
    command = [sys.executable, "-c", code, str(settings.root), str(settings.agent.script), postgres]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        run_id = process.stdout.readline().strip()
        process.kill()
    with _workspace(tmp_path / "other", sessions=postgres) as other:
        assert other.runs.get(run_id)["status"] == "running"
        with _workspace(tmp_path / "one", sessions=postgres) as again:
            assert again.runs.get(run_id)["error"]["code"] == "interrupted"
        assert other.runs.get(run_id)["error"]["code"] == "interrupted"


@pytest.mark.parametrize(
    ("address", "kind", "code"),
    [
        ("postgresql://ann:hush@127.0.0.1:1/db?connect_timeout=2", EnvironmentFault, "state_unreachable"),
        ("redis://ann:hush@127.0.0.1:1/0", EnvironmentFault, "state_unreachable"),
        ("postgresql://postgres@127.0.0.1/no_such_database", EnvironmentFault, "state_unreachable"),
        ("mongodb://ann:hush@127.0.0.1/db", InvalidInput, "unknown_state_backend"),
        ("${env:NO_SUCH_ADDRESS}", EnvironmentFault, "secret_missing"),
    ],
)
def test_what_cannot_be_reached_is_said_at_the_opening_without_its_password(tmp_path, address, kind, code):
    with pytest.raises(kind) as raised, _workspace(tmp_path / "root", sessions=address):
        pass
    assert (raised.value.code, "hush" in str(raised.value)) == (code, False)
    with _workspace(tmp_path / "root"):
        "the root was let go"


def test_what_one_confirmed_is_an_example_in_another_process(tmp_path, postgres):
    with _workspace(tmp_path / "one", memory=postgres) as one:
        run = _ask(one, "How many t are there?", provider="embedded")
        kept = one.confirm(run["run_id"])
    assert not (tmp_path / "one" / "configs" / "confirmed").exists()
    with _workspace(tmp_path / "two", memory=postgres) as two:
        again = _ask(two, "how many T are there", provider="embedded")["final"]
        assert (again["rows"], again["reading"][0][:18]) == ([[5]], "confirmed by local")
        assert two.memory.forget(kept["file"].rpartition("/")[2]).example.sql == run["final"]["sql"]
        assert two.memory.examples() == []


def test_what_one_made_is_downloaded_from_another_process(tmp_path, postgres, s3):
    state = {"sessions": postgres, "artifacts": "s3://lake/team", "options": s3}
    with _workspace(tmp_path / "one", COUNT, **state) as one:
        task = one.tasks.create("How many?", {}, {})
        run = one.tasks.step(task, "")
        job_id = run["final"]["job_id"]
        assert one.places.artifacts.names("artifacts/queries") == [f"{job_id}.json", f"{job_id}.parquet"]
    with _workspace(tmp_path / "two", **state) as two, TestClient(create_app(two), "http://127.0.0.1:8000") as client:
        files = client.get(f"/ap/v1/agent/tasks/{task.task_id}/artifacts").json()["artifacts"]
        got = {
            each["file_name"]: client.get(f"/ap/v1/agent/tasks/{task.task_id}/artifacts/{each['artifact_id']}")
            for each in files
        }
        assert got[f"{run['run_id']}.csv"].text == "n\n5\n"
        assert "How many?" in got[f"{run['run_id']}.md"].text
        shown = client.get(f"/api/v1/query/{job_id}").json()
        assert (shown["rows"], shown["run_id"]) == ([[5]], run["run_id"])
        assert client.get("/api/v1/query/query-000000000000-000000000000").status_code == 404


def test_results_past_their_time_are_deleted_by_who_made_them(tmp_path, s3):
    state = {"artifacts": "s3://lake/pruned", "options": s3}
    with _workspace(tmp_path / "one", **state) as one:
        job_id = one.queries.run("SELECT 1 AS a").job_id
    settings = _settings(tmp_path / "two", [], **state).model_copy(update={"query": QuerySettings(keep_days=1e-9)})
    with closing(Workspace.open(settings, wait_s=0)) as two:
        assert b"".join(two.queries.stream(job_id, "csv")[1]) == b"a\n1\n"
    with closing(Workspace.open(settings, wait_s=0)) as two:
        assert two.queries.get(job_id).rows == [[1]]
    with closing(Workspace.open(settings.model_copy(update={"root": tmp_path / "one"}), wait_s=0)) as one:
        assert one.places.artifacts.names("artifacts/queries") == []


def test_an_answer_stands_where_its_result_cannot_be_shared(tmp_path, s3):
    with _workspace(tmp_path / "one", artifacts="s3://lake/x", options={**s3, "endpoint": "http://127.0.0.1:1"}) as one:
        job = one.queries.run("SELECT 1 AS a")
        assert (job.status, job.rows, job.keep_error["code"]) == ("succeeded", [[1]], "state_unreachable")
        assert s3["secret_access_key"] not in str(job.keep_error)
        assert b"".join(one.queries.stream(job.job_id, "csv")[1]) == b"a\n1\n"


def test_doctor_says_where_state_is_and_what_is_wrong(tmp_path, postgres):
    def state(**given):
        settings = _settings(tmp_path / "root", [], **given)
        settings.paths.create().warehouse.touch()
        checks = examine(settings, lambda: {"tables": [], "glossary": {"terms": [], "warnings": []}})
        return next(each for each in checks if each.check == "state")

    found, files = state(sessions=postgres).found, f"files below {tmp_path / 'root'}"
    assert found == f"sessions: PostgreSQL at 127.0.0.1/postgres; memory: {files}; artifacts: {files}"
    bad = state(memory="postgresql://ann:hush@127.0.0.1:1/db")
    assert bad.found.startswith("PostgreSQL at 127.0.0.1:1/db cannot be used: ")
    assert (bad.ok, "hush" in bad.found, "state.*" in bad.hint) == (False, False, True)


def test_doctor_warns_of_a_redis_that_may_forget(tmp_path, redis):
    with closing(Places(_settings(tmp_path / "root", [], memory=redis))) as places:
        found, fault = places.check()
    with Redis.from_url(redis.partition("#")[0]) as client:
        told = client.config_get("appendonly")
    assert "memory: Redis at 127.0.0.1:6379/0" in found
    assert ("appendonly" in fault) == ("no" in map(_text, told.values()))


def _text(value):
    return value.decode() if isinstance(value, bytes) else value


def test_files_keep_the_layout_that_people_know(tmp_path):
    with _workspace(tmp_path / "root", COUNT) as workspace:
        run = _ask(workspace, "How many?")
        task = workspace.tasks.create("t", {}, {})
        lines = (workspace.paths.runs / f"{run['run_id']}.jsonl").read_text().splitlines()
        assert [json.loads(line)["seq"] for line in lines] == list(range(1, len(lines) + 1))
        assert json.loads((workspace.paths.tasks / f"{task.task_id}.json").read_text())["input"] == "t"


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("postgresql://anna:s3cret@db.example:5433/pluto?options=-csearch_path%3Dteam", "db.example:5433/pluto"),
        ("postgresql://anna:s3/cr@et?@db.example/pluto", "db.example/pluto"),
        ("postgresql://one:1,two:2/pluto", "one:1,two:2/pluto"),
        ("postgresql:///pluto", "the local socket/pluto"),
        ("redis://:s3cret@[::1]:6380/0", "[::1]:6380/0"),
        ("redis://127.0.0.1", "127.0.0.1"),
    ],
)
def test_a_place_is_told_with_its_port_and_without_its_password(address, place):
    assert place_of("A server", address) == f"A server at {place}"

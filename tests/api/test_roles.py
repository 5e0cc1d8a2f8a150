"""Tokens and roles over HTTP: every call by every role, others' work, tokens that end, rates, and the audit log."""

import json
import stat
from datetime import UTC, datetime, timedelta

import pytest
from starlette.testclient import TestClient
from tests.api.conftest import ONE, script
from tests.api.test_schemathesis import OPERATIONS

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.rates import RateLimit
from pluto_duck_backend.app.api.roles import AT_ROOT, NEEDED, OPEN
from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault, InvalidInput, NotFound
from pluto_duck_backend.app.core.principal import ROLES
from pluto_duck_backend.app.core.tokens import TokenFile
from pluto_duck_backend.app.main import create_app

OWNER_TOKEN = "the-owner"
CALLS = NEEDED | {call.replace(" ", " http://localhost"): role for call, role in AT_ROOT.items()}
ELSEWHERE = ("/a2a", "/ap/", "/.well-known")


class Server:
    """A server without a network, its tokens, and what `name` is answered."""

    def __init__(self, folder, **server):
        settings = script(folder, ONE)
        settings.server = settings.server.model_copy(update=server)
        self.workspace = Workspace.open(settings, wait_s=0)
        with self.workspace.warehouse.write() as session:
            session.execute("CREATE TABLE t AS SELECT range AS a FROM range(5)")
        self.tokens = TokenFile(self.workspace.paths.tokens)
        self.texts = {"owner": OWNER_TOKEN}
        app = create_app(self.workspace, OWNER_TOKEN, is_asked=False)
        self._client = TestClient(app, base_url="http://localhost/api/v1", raise_server_exceptions=False)

    def add(self, name, role, **more):
        self.texts[name] = self.tokens.create(name, role, **more)[1]

    def call(self, name, method, path, **more):
        headers = {"Authorization": f"Bearer {self.texts[name]}"} if name else {}
        return self._client.request(method, _whole(path), headers=headers, **more)

    def audit(self):
        return [json.loads(line) for line in self.workspace.paths.audit.read_text().splitlines()]


def _whole(path):
    """Calls are below /api/v1, but for those whose place others chose."""
    return f"http://localhost{path}" if path.startswith(ELSEWHERE) else path


@pytest.fixture
def server(tmp_path):
    opened = []

    def _server(**settings):
        opened.append(Server(tmp_path, **settings))
        return opened[-1]

    yield _server
    for each in opened:
        each.workspace.close()


@pytest.fixture(scope="module")
def staffed(tmp_path_factory):
    """A server with a token for each role, named like it, and a run and a query of the owner's."""
    made = Server(tmp_path_factory.mktemp("staffed"))
    for role in ROLES:
        made.add(role, role)
    made.job_id = made.call("owner", "POST", "/query?wait=true", json={"sql": "SELECT 1 AS one"}).json()["job_id"]
    made.run_id = made.call("owner", "POST", "/agent/run", json={"question": "How many?"}).json()["run_id"]
    list(made.workspace.runs.log(made.run_id).follow(0))
    yield made
    made.workspace.close()


def _below(operation):
    return operation.replace("/api/v1", "", 1)


def test_every_call_has_a_role():
    assert sorted([*NEEDED, *AT_ROOT]) == sorted(_below(each) for each in OPERATIONS if each not in OPEN)


@pytest.mark.parametrize("role", ROLES)
def test_each_role_may_make_its_calls_and_no_other(staffed, role):
    for call, needed in CALLS.items():
        method, path = call.split()
        answer = staffed.call(role, method, path.replace("{", "").replace("}", ""))
        refused = answer.status_code == 403 and answer.json()["code"] == "role_too_small"
        assert refused == (ROLES.index(role) < ROLES.index(needed)), (call, answer.text)
        assert answer.status_code < 500, (call, answer.text)


def test_without_a_token_nothing_is_called(staffed):
    for call in CALLS:
        method, path = call.split()
        assert staffed.call("", method, path).status_code == 401, call
    for call in OPEN:
        method, path = call.replace("{name}", "page.css").split()
        assert staffed.call("", method, f"http://localhost{path}").status_code == 200, call


@pytest.mark.parametrize("role", ROLES)
def test_only_an_admin_sees_what_others_asked(staffed, role):
    sees = role == "admin"
    paths = (f"/query/{staffed.job_id}", f"/query/{staffed.job_id}/result", f"/query/{staffed.job_id}/rows")
    paths += tuple(f"/agent/{staffed.run_id}{end}" for end in ("", "/events", "/export?format=csv"))
    for path in paths:
        assert staffed.call(role, "GET", path).status_code == (200 if sees else 404), path
    for path in (f"/query/{staffed.job_id}/cancel", f"/agent/{staffed.run_id}/cancel"):
        assert staffed.call(role, "POST", path).status_code == (202 if sees else 404), path
    runs = [each["run_id"] for each in staffed.call(role, "GET", "/agent").json()["runs"]]
    assert (staffed.run_id in runs) == sees


def test_a_viewer_asks_and_follows_its_own_question(staffed):
    run_id = staffed.call("viewer", "POST", "/agent/run", json={"question": "How many?"}).json()["run_id"]
    list(staffed.workspace.runs.log(run_id).follow(0))
    run = staffed.call("viewer", "GET", f"/agent/{run_id}").json()
    assert (run["status"], run["final"]["rows"]) == ("succeeded", [[5]])
    assert staffed.call("viewer", "GET", f"/query/{run['final']['job_id']}/result").json()["rows"] == [[5]]
    assert "message.final" in _kinds(staffed.call("viewer", "GET", f"/agent/{run_id}/events").text)
    assert staffed.call("analyst", "GET", f"/agent/{run_id}").status_code == 404


def _kinds(stream):
    events = [json.loads(line[6:]) for line in stream.splitlines() if line.startswith("data: ")]
    return [f"{each['type']}.{each['subtype']}" for each in events]


def test_the_first_token_closes_loopback_and_the_last_opens_it_again(server):
    made = server()
    assert made.call("", "GET", "/schema").status_code == 200
    made.add("anna", "viewer")
    assert made.call("", "GET", "/schema").status_code == 401
    assert made.call("anna", "GET", "/schema").status_code == 200
    assert made.call("owner", "GET", "/agent/usage").status_code == 200
    TokenFile(made.workspace.paths.tokens).revoke("anna")
    assert made.call("", "GET", "/schema").status_code == 200


def test_a_token_that_has_expired_opens_nothing_and_keeps_the_door_shut(server):
    made = server()
    made.add("late", "admin", expires=datetime.now(UTC) - timedelta(seconds=1))
    made.add("early", "admin", expires=datetime.now(UTC) + timedelta(days=1))
    statuses = [made.call(name, "GET", "/schema").status_code for name in ("late", "early", "")]
    assert statuses == [401, 200, 401]
    assert [(each.name, each.to_dict()["expired"]) for each in made.tokens.every()] == [
        ("early", False),
        ("late", True),
    ]


def test_a_token_is_nowhere_on_disk(server):
    made = server()
    made.add("anna", "viewer")
    path = made.workspace.paths.tokens
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    made.call("anna", "POST", "/agent/run", json={"question": "How many?"})
    holders = [each for each in made.workspace.paths.root.rglob("*") if each.is_file()]
    assert path in holders
    assert [each for each in holders if made.texts["anna"].encode() in each.read_bytes()] == []


@pytest.mark.parametrize(
    "text",
    [
        *("nonsense", '[{"name": "anna"}]', "{}", "[1]"),
        '[{"name":"a","role":"king","digest":"","created":""}]',
        '[{"name":"a","role":"viewer","digest":"","created":"","expires":"2030-01-01"}]',
    ],
)
def test_a_broken_file_lets_nobody_in(server, text):
    made = server()
    made.workspace.paths.tokens.write_text(text)
    for name in ("", "owner"):
        answer = made.call(name, "GET", "/schema")
        assert (answer.status_code, answer.json()["code"]) == (503, "bad_token_file")


def test_names_are_taken_once(server):
    tokens = server().tokens
    tokens.create("anna", "viewer")
    for name in ("anna", "local", "boss"):
        with pytest.raises(Conflict, match=name):
            tokens.create(name, "admin", taken=["boss"])
    for name in ("", "Anna", "a b", "../x", "-a", "a" * 65):
        with pytest.raises(InvalidInput, match="no name for a token"):
            tokens.create(name, "admin")
    with pytest.raises(NotFound, match="Did you mean anna"):
        tokens.revoke("ana")


def test_tokens_that_cannot_be_kept_are_not_made(tmp_path):
    (tmp_path / "configs").write_text("a file where a folder should be")
    with pytest.raises(EnvironmentFault, match="cannot be written"):
        TokenFile(tmp_path / "configs" / "tokens.json").create("anna", "viewer")


def test_each_token_calls_so_often_and_the_owner_at_any_rate(server):
    made = server(calls_per_minute=2)
    for name in ("anna", "bob"):
        made.add(name, "viewer")
    assert [made.call("anna", "GET", "/schema").status_code for _ in range(3)] == [200, 200, 429]
    refused = made.call("anna", "GET", "/schema")
    assert refused.json()["code"] == "too_many_calls"
    assert refused.headers["content-type"] == "application/problem+json"
    assert 1 <= int(refused.headers["retry-after"]) <= 30
    assert made.call("bob", "GET", "/schema").status_code == 200
    assert {made.call("owner", "GET", "/schema").status_code for _ in range(5)} == {200}
    assert made.call("anna", "GET", "http://localhost/health").status_code == 200


def test_the_rate_comes_back_with_time():
    now = [0.0]
    rates = RateLimit(60, clock=lambda: now[0])
    assert [rates.wait_s("a") for _ in range(60)] == [0.0] * 60
    assert rates.wait_s("a") == pytest.approx(1)
    now[0] += 0.25
    assert rates.wait_s("a") == pytest.approx(0.75)
    now[0] += 1.75
    assert [rates.wait_s("a") > 0 for _ in range(3)] == [False, False, True]
    assert rates.wait_s("b") == 0
    assert RateLimit(0).wait_s("a") == 0


def test_the_audit_log_names_who_changed_what_and_who_was_refused(server):
    made = server()
    made.add("anna", "viewer")
    made.add("ed", "engineer")
    made.call("anna", "GET", "/schema")
    made.call("anna", "GET", "/jobs")
    made.call("anna", "POST", "/query", json={"sql": "SELECT 1"})
    made.call("ed", "POST", "/boards", json={"title": "Sales"})
    made.call("ed", "POST", "/boards", json={"titel": "Sales"})
    told = [(each["who"], each["role"], each["outcome"], each["call"], each["status"]) for each in made.audit()]
    assert told == [
        ("anna", "viewer", "refused", "GET /api/v1/jobs", 403),
        ("anna", "viewer", "refused", "POST /api/v1/query", 403),
        ("ed", "engineer", "allowed", "POST /api/v1/boards", 201),
        ("ed", "engineer", "failed", "POST /api/v1/boards", 422),
    ]

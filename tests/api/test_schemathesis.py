"""The OpenAPI document against the server: generated calls, good and bad, never meet what it does not say.

Not checked: that whatever fits the document is accepted. No document can say which text is SQL or a provider's name.
"""

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance
from tests.api.conftest import ONE, script

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.tokens import TokenFile
from pluto_duck_backend.app.main import create_app
from pluto_duck_backend.app.services.transformation import check_command

LOCAL = {"Host": "localhost"}
OPERATIONS = [
    "POST /api/v1/agent/run",
    "GET /api/v1/agent",
    "GET /api/v1/agent/usage",
    "GET /api/v1/agent/{run_id}",
    "GET /api/v1/agent/{run_id}/events",
    "GET /api/v1/agent/{run_id}/export",
    "POST /api/v1/agent/{run_id}/cancel",
    "POST /api/v1/agent/{run_id}/confirm",
    "POST /api/v1/agent/{run_id}/save",
    "GET /api/v1/actions",
    "POST /api/v1/actions",
    "POST /api/v1/actions/{call_id}/cancel",
    "GET /api/v1/agents",
    "GET /api/v1/agents/{name}",
    "PUT /api/v1/agents/{name}",
    "DELETE /api/v1/agents/{name}",
    "GET /api/v1/boards",
    "POST /api/v1/boards",
    "GET /api/v1/boards/{board_id}",
    "PATCH /api/v1/boards/{board_id}",
    "DELETE /api/v1/boards/{board_id}",
    "POST /api/v1/boards/{board_id}/tiles",
    "PATCH /api/v1/boards/{board_id}/tiles/{tile_id}",
    "DELETE /api/v1/boards/{board_id}/tiles/{tile_id}",
    "POST /api/v1/boards/{board_id}/refresh",
    "GET /api/v1/boards/{board_id}/export",
    "GET /api/v1/memory",
    "DELETE /api/v1/memory/{name}",
    "POST /api/v1/query",
    "GET /api/v1/query/{job_id}",
    "GET /api/v1/query/{job_id}/result",
    "GET /api/v1/query/{job_id}/chart",
    "GET /api/v1/query/{job_id}/rows",
    "POST /api/v1/query/{job_id}/cancel",
    "POST /api/v1/ingest",
    "POST /api/v1/ingest/upload",
    "GET /api/v1/ingest",
    "GET /api/v1/ingest/recipes",
    "POST /api/v1/ingest/recipes/{name}",
    "GET /api/v1/jobs",
    "GET /api/v1/ingest/{job_id}",
    "GET /api/v1/ingest/{job_id}/events",
    "POST /api/v1/ingest/{job_id}/cancel",
    "POST /api/v1/dbt/{command}",
    "POST /api/v1/dbt/scaffold",
    "GET /api/v1/dbt/graph",
    "GET /api/v1/dbt/graph/{node}",
    "GET /api/v1/dbt/{job_id}",
    "GET /api/v1/dbt/{job_id}/events",
    "POST /api/v1/dbt/{job_id}/cancel",
    "GET /api/v1/metrics",
    "POST /api/v1/metrics/query",
    "GET /api/v1/settings",
    "PATCH /api/v1/settings",
    "POST /api/v1/settings/checks",
    "GET /api/v1/schema",
    "GET /api/v1/schema/{table}",
    "GET /api/v1/values",
    "GET /.well-known/agent-card.json",
    "GET /a2a/{agent}/.well-known/agent-card.json",
    "POST /a2a",
    "POST /a2a/{agent}",
    "POST /ap/v1/agent/tasks",
    "GET /ap/v1/agent/tasks",
    "GET /ap/v1/agent/tasks/{task_id}",
    "GET /ap/v1/agent/tasks/{task_id}/steps",
    "POST /ap/v1/agent/tasks/{task_id}/steps",
    "GET /ap/v1/agent/tasks/{task_id}/steps/{step_id}",
    "GET /ap/v1/agent/tasks/{task_id}/artifacts",
    "GET /ap/v1/agent/tasks/{task_id}/artifacts/{artifact_id}",
    "GET /health",
    "GET /metrics",
]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """One whose dbt jobs are loads that fail at once, since real ones take seconds."""
    workspace = Workspace.open(script(tmp_path_factory.mktemp("api"), ONE), wait_s=0)
    with workspace.warehouse.write() as session:
        session.execute("CREATE TABLE t AS SELECT range AS a, 'x' || range AS b FROM range(5)")

    def run_dbt(command, options, who):
        check_command(command, options["args"])
        return workspace.ingest({"config": {"path": "no-such-file.csv"}})

    workspace.run_dbt = run_dbt
    _load_all(workspace)
    yield workspace
    workspace.close()


def _load_all(workspace):
    """What a first question imports in threads: hypothesis looks through the modules and stumbles over new ones."""
    workspace.warm()
    list(workspace.runs.log(workspace.runs.start("how many").run_id).follow())


@pytest.fixture(scope="module")
def schema(workspace):
    return schemathesis.openapi.from_asgi("/openapi.json", create_app(workspace), headers=LOCAL)


@pytest.fixture
def tokens(workspace):
    """Texts of tokens by what they open. Once one is made every caller is asked for one, so it goes with the test."""
    made = TokenFile(workspace.paths.tokens)
    text = made.create("viewer", "viewer")[1]
    yield {"viewer": text, "nobody": "pd_none"}
    made.revoke("viewer")


def test_the_document_lists_the_calls_of_the_contract(schema):
    found = [f"{each.ok().method.upper()} {each.ok().path}" for each in schema.get_all_operations()]
    assert sorted(found) == sorted(OPERATIONS)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("name", OPERATIONS)
def test_every_call_keeps_the_documents_word(schema, name, mode):
    method, path = name.split()

    @given(case=schema[path][method].as_strategy(generation_mode=mode))
    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
    def call(case):
        case.call_and_validate(headers=LOCAL, excluded_checks=[positive_data_acceptance])

    if mode is GenerationMode.POSITIVE or _can_be_wrong(schema[path][method]):
        call()


@pytest.mark.parametrize("token", ["viewer", "nobody"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_token_that_opens_little_or_nothing_meets_only_what_is_said(schema, tokens, name, token):
    method, path = name.split()
    headers = {**LOCAL, "Authorization": f"Bearer {tokens[token]}"}

    @given(case=schema[path][method].as_strategy(generation_mode=GenerationMode.POSITIVE))
    @settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
    def call(case):
        case.call_and_validate(headers=headers, excluded_checks=[positive_data_acceptance])

    call()


def _can_be_wrong(operation):
    """Whether the operation takes anything that could be generated wrongly; any text may stand in a path."""
    return bool(operation.body or operation.query)

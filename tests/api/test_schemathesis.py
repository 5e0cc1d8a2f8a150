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
from pluto_duck_backend.app.main import create_app

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
    "GET /api/v1/memory",
    "POST /api/v1/query",
    "GET /api/v1/query/{job_id}",
    "GET /api/v1/query/{job_id}/result",
    "GET /api/v1/query/{job_id}/chart",
    "GET /api/v1/query/{job_id}/rows",
    "POST /api/v1/query/{job_id}/cancel",
    "POST /api/v1/ingest",
    "POST /api/v1/ingest/upload",
    "GET /api/v1/ingest",
    "GET /api/v1/ingest/{job_id}",
    "GET /api/v1/ingest/{job_id}/events",
    "POST /api/v1/ingest/{job_id}/cancel",
    "POST /api/v1/dbt/{command}",
    "POST /api/v1/dbt/scaffold",
    "GET /api/v1/dbt/{job_id}",
    "GET /api/v1/dbt/{job_id}/events",
    "POST /api/v1/dbt/{job_id}/cancel",
    "GET /api/v1/metrics",
    "POST /api/v1/metrics/query",
    "GET /api/v1/schema",
    "GET /api/v1/schema/{table}",
    "GET /api/v1/values",
    "GET /health",
]


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    """The document of an application whose dbt jobs are loads that fail at once, since real ones take seconds."""
    workspace = Workspace.open(script(tmp_path_factory.mktemp("api"), ONE), wait_s=0)
    with workspace.warehouse.write() as session:
        session.execute("CREATE TABLE t AS SELECT range AS a, 'x' || range AS b FROM range(5)")
    workspace.run_dbt = lambda command, options, who: workspace.ingest({"config": {"path": "no-such-file.csv"}})
    yield schemathesis.openapi.from_asgi("/openapi.json", create_app(workspace), headers=LOCAL)
    workspace.close()


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


def _can_be_wrong(operation):
    """Whether the operation takes anything that could be generated wrongly; any text may stand in a path."""
    return bool(operation.body or operation.query)

"""Sources written for dlt, by the real library."""

import pytest

from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput
from pluto_duck_backend.app.services.ingestion import IngestRequest
from pluto_duck_backend.app.services.ingestion.connectors import dlt_sources

pytest.importorskip("dlt", reason="the package dlt is not installed")
HERE = "tests.ingestion.dlt_shop"


@pytest.fixture
def get(bench):
    def load(name, config=None, **options):
        asked = {"connector": "dlt", "config": {"source": f"{HERE}:{name}", **(config or {})}, **options}
        *_, result = bench.service.load(IngestRequest.from_dict(asked), cancelled=lambda: False)
        return {each.table: each.rows for each in result.tables}

    return load


def test_a_source_gives_a_table_a_resource(bench, get):
    assert get("shop", {"arguments": {"count": 5}}) == {"orders": 5, "frames": 3}
    assert bench.types("orders") == {
        "id": "BIGINT",
        "at": "TIMESTAMP WITH TIME ZONE",
        "amount": "DECIMAL(38,2)",
        "tags": "JSON",
    }
    assert bench.rows("SELECT DISTINCT amount::VARCHAR, tags->>0 FROM orders") == [("1.50", "a")]
    assert bench.service.sources()[0]["primary_key"] == ["id"]


def test_one_resource_of_several_and_a_resource_alone(get):
    assert get("shop", {"resources": ["frames"]}) == {"frames": 3}
    assert get("orders", {"arguments": {"count": 2}}, target="mine") == {"mine": 2}


def test_what_comes_late_widens_and_loses_nothing(bench, get):
    get("late")
    assert bench.types("late") == {"a": "DOUBLE", "b": "JSON", "new": "VARCHAR"}
    assert bench.rows("SELECT count(*), sum(a) FROM late") == [(120_002, 120_000 * 119_999 / 2 + 2.5)]
    assert bench.rows("SELECT b::VARCHAR FROM late WHERE b IS NOT NULL ORDER BY 1") == [('"text"',), ('{"x":1}',)]


def test_values_of_several_kinds_become_text(bench, get):
    get("mixed")
    assert bench.rows("SELECT * FROM mixed ORDER BY v") == [
        ("1", str(2**70), "00000000-0000-0000-0000-000000000005", None),
        ("one", "1", None, None),
    ]


def test_merge_by_key_and_reading_on_from_a_cursor(bench, get):
    get("orders", {"arguments": {"count": 2}})
    get("orders", {"arguments": {"count": 4}}, mode="merge", key=["id"])
    assert bench.rows("SELECT count(*) FROM orders") == [(4,)]
    for count in (2, 5):
        get("orders", {"arguments": {"count": count}}, target="more", mode="incremental", cursor="id")
    assert bench.rows("SELECT count(*) FROM more") == [(5,)]


@pytest.mark.parametrize(
    ("name", "config", "error", "words"),
    [
        ("breaks", {}, EnvironmentFault, "breaks.*the far end hung up"),
        ("nothing", {}, InvalidInput, "yields no rows"),
        ("shopp", {}, InvalidInput, "Did you mean shop"),
        ("shop", {"resources": ["order"]}, InvalidInput, "has no resource 'order'. Did you mean orders"),
        ("", {"source": "os:system", "arguments": {"command": "true"}}, InvalidInput, "no source or resource of dlt"),
        ("", {"source": "no_such_module:x"}, EnvironmentFault, "no_such_module is not installed"),
        ("shop", {"arguments": {"size": 1}}, EnvironmentFault, "size"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(bench, get, name, config, error, words):
    with pytest.raises(error, match=words):
        get(name, config)
    assert bench.tables() == []


def test_a_missing_library_says_what_to_install(get, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(dlt_sources, "import_module", missing)
    with pytest.raises(EnvironmentFault, match="dlt is not installed") as caught:
        get("shop")
    assert caught.value.hint == "pip install 'pluto-duck[dlt]'"

"""dbt in its process: its work arrives in the owner's warehouse, errors in DuckDB's words, death and cancel undone."""

import os
import signal
import threading
from datetime import datetime
from decimal import Decimal
from multiprocessing.connection import Client

import duckdb
import polars
import pytest
from jinja2 import Undefined

from pluto_duck_backend.app.core.config import DbtSettings, load_settings
from pluto_duck_backend.app.core.errors import Cancelled, EnvironmentFault, UserError
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.ingestion.staging import _Stream
from pluto_duck_backend.app.services.transformation import DbtService
from pluto_duck_backend.app.services.transformation.bridge import Bridge
from pluto_duck_backend.app.services.transformation.far import FarConnection, Owner
from pluto_duck_backend.app.services.transformation.warm import write_json

FILES = {
    "dbt_project.yml": "name: small\nversion: '1.0'\nprofile: small\nmodel-paths: [models]\nseed-paths: [seeds]\n",
    "profiles.yml": (
        "small:\n  target: dev\n  outputs:\n    dev:\n      type: duckdb\n      threads: 2\n      schema: main\n"
        "      path: \"{{ env_var('PLUTODUCK_WAREHOUSE') }}\"\n"
    ),
    "seeds/colours.csv": "id,name\n1,red\n2,\n",
    "models/first.sql": "select id, coalesce(name, 'none') as name from {{ ref('colours') }}",
    "models/second.py": (
        "def model(dbt, session):\n"
        "    first = dbt.ref('first')\n"
        "    assert len(first.fetchall()) == 2\n"
        "    return session.sql('select id * 10 as id, name from first order by id')\n"
    ),
    "models/slow.sql": (
        "{{ config(enabled=var('slow', false), materialized='table') }} select count(*) as n from range(100000000000)"
    ),
    "models/growing.sql": (
        "{{ config(enabled=var('round', 0) > 0, materialized='incremental', unique_key='id', schema='history') }}"
        " select id, name, {{ var('round', 0) }} as round from {{ ref('first') }}"
        " {% if is_incremental() %} where id > 1 {% endif %}"
    ),
    "models/broken.sql": "{{ config(enabled=var('broken', false)) }} select no_such_column from {{ ref('first') }}",
}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory):
    paths = load_settings(tmp_path_factory.mktemp("dbt") / "root").paths.create()
    opened = Warehouse.open(paths.warehouse)
    opened.paths = paths
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def dbt(warehouse):
    project = warehouse.paths.root / "dbt_project"
    for name, text in FILES.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    service = DbtService(warehouse, warehouse.paths, DbtSettings())
    yield service
    service.close()


def _run(dbt, *words, **options):
    *events, result = dbt.run(*words, **options)
    return events, result


def _rows(warehouse, sql):
    with warehouse.read() as session:
        return session.rows(sql)


def test_seeds_sql_and_python_models_are_built_in_the_owners_warehouse(dbt, warehouse):
    events, result = _run(dbt, "build")
    assert (result.success, result.exit_code, {each["status"] for each in result.nodes}) == (True, 0, {"success"})
    assert _rows(warehouse, "FROM first ORDER BY id") == [(1, "red"), (2, "none")]
    assert _rows(warehouse, "FROM second") == [(10, "red"), (20, "none")]
    ended = [event.node for event in events if event.status != "running"]
    assert sorted(ended) == ["model.small.first", "model.small.second", "seed.small.colours"]


def test_what_a_command_prints_for_people_comes_back(dbt):
    _, result = _run(dbt, "ls", args=["--resource-type", "model"])
    assert sorted(result.output) == ["small.first", "small.second"]
    _, shown = _run(dbt, "show", select="first")
    assert any("red" in line for line in shown.output)


def test_each_model_is_announced_to_those_who_cache(dbt, warehouse):
    before = warehouse.version
    events, _ = _run(dbt, "run")
    assert warehouse.version > before + sum(event.status == "success" for event in events) - 1


def test_an_incremental_model_grows_in_a_schema_of_its_own(dbt, warehouse):
    _run(dbt, "build", select="+first")
    for number, written in ((1, 2), (2, 1)):
        events, result = _run(dbt, "run", select="growing", vars={"round": number})
        assert result.success, result
        assert [each.rows for each in events] == [None, written]
    assert _rows(warehouse, "SELECT id, round FROM main_history.growing ORDER BY id") == [(1, 1), (2, 2)]


def test_a_model_that_fails_fails_in_duckdbs_words(dbt):
    _, result = _run(dbt, "run", select="broken", vars={"broken": True})
    assert (result.success, result.exit_code) == (False, 1)
    assert "no_such_column" in result.message


def test_what_dbt_refuses_is_the_users_to_mend_and_the_process_stays(dbt):
    with pytest.raises(UserError) as raised:
        _run(dbt, "run", args=["--no-such-flag"])
    assert (raised.value.code, "no-such-flag" in raised.value.message) == ("dbt_failed", True)
    before = dbt._process._process.pid
    assert _run(dbt, "run", select="first")[1].success
    assert dbt._process._process.pid == before


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="processes are looked up in /proc")
def test_a_dbt_process_that_dies_fails_its_command_and_leaves_nothing_half_done(dbt, warehouse):
    _run(dbt, "run", select="first")
    threading.Timer(1.0, lambda: os.kill(dbt._process._process.pid, signal.SIGKILL)).start()
    with pytest.raises(EnvironmentFault) as raised:
        _run(dbt, "run", select="slow", vars={"slow": True})
    assert (raised.value.code, raised.value.retryable) == ("dbt_died", True)
    assert _rows(warehouse, "SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'slow%'") == []
    assert _run(dbt, "run", select="first")[1].success


def test_a_dbt_process_that_cannot_begin_fails_its_command(warehouse, monkeypatch):
    monkeypatch.setenv("PYTHONHOME", "/no/such/python")
    service = DbtService(warehouse, warehouse.paths, DbtSettings())
    with pytest.raises(EnvironmentFault, match="dbt's process ended") as raised:
        _run(service, "parse")
    assert raised.value.code == "dbt_died"
    service.close()


def test_cancelling_ends_what_would_take_hours_and_undoes_the_model(dbt, warehouse):
    asked = threading.Event()
    threading.Timer(2.0, asked.set).start()
    with pytest.raises(Cancelled):
        _run(dbt, "run", select="slow", vars={"slow": True}, cancelled=asked.is_set)
    assert _rows(warehouse, "SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'slow%'") == []
    with warehouse.write() as session:
        session.execute("CREATE OR REPLACE TABLE afterwards AS SELECT 1 AS a")


def test_readers_see_a_model_before_or_after_and_no_error_meanwhile(dbt, warehouse):
    _run(dbt, "build", select="+first")
    seen, errors, stop = set(), [], threading.Event()

    def read():
        while not stop.wait(0.002):
            try:
                seen.add(_rows(warehouse, "SELECT count(*) FROM first")[0][0])
            except Exception as error:
                errors.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        ended = [_run(dbt, "run")[1].success for _ in range(3)]
    finally:
        stop.set()
        reader.join()
    assert all(ended)
    assert (seen, errors) == ({2}, [])


def test_a_file_in_the_current_folder_is_not_taken_for_a_package(warehouse, dbt, tmp_path, monkeypatch):
    (tmp_path / "duckdb.py").write_text("raise RuntimeError('not this one')")
    (tmp_path / "random.py").write_text("raise RuntimeError('nor this one')")
    monkeypatch.chdir(tmp_path)
    fresh = DbtService(warehouse, warehouse.paths, DbtSettings())
    try:
        assert _run(fresh, "run", select="first")[1].success
    finally:
        fresh.close()


def test_frames_of_dbts_plugins_cross_over_and_a_far_query_can_be_interrupted(warehouse):
    bridge = Bridge(warehouse)
    accepting = threading.Thread(target=bridge.accept_control)
    accepting.start()
    with Client(bridge.address, authkey=bridge.key):
        accepting.join()
        with FarConnection(Owner(bridge.address, bridge.key, warehouse.path)) as far:
            far.register("given", _Stream(polars.DataFrame({"a": [1, 2]})))
            assert far.execute("SELECT a FROM given ORDER BY a").fetchall() == [(1,), (2,)]
            threading.Timer(0.3, far.interrupt).start()
            with pytest.raises(duckdb.InterruptException):
                far.execute("SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b").fetchall()
            assert len(far.execute("FROM range(2500)").fetchall()) == 2500
    bridge.close()


def test_artifacts_are_written_as_dbt_writes_them(tmp_path):
    from dbt_common.clients import system

    data = {"a": datetime(2026, 1, 2), "b": Decimal("1.50"), "ä": [None, True, "\n"], "c": Undefined()}
    write_json(str(tmp_path / "new" / "ours.json"), data)
    system.write_json(str(tmp_path / "theirs.json"), data)
    assert (tmp_path / "new" / "ours.json").read_bytes() == (tmp_path / "theirs.json").read_bytes()

"""Loads as a whole: names, modes, globs, atomicity, cancellation, the ingestion catalog, connectors from outside."""

import contextlib
import threading

import pytest

from pluto_duck_backend.app.core import lineage
from pluto_duck_backend.app.core.errors import Cancelled, Conflict, EnvironmentFault, InvalidInput, NotFound
from pluto_duck_backend.app.core.warehouse import database
from pluto_duck_backend.app.services.ingestion import IngestRequest, Progress, registry
from pluto_duck_backend.app.services.ingestion.contract import Column, SourceTable
from pluto_duck_backend.app.services.ingestion.names import parse_target, table_name, unique_names
from pluto_duck_backend.app.services.ingestion.watch import interruptible, watched


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Order Details", "order_details"),
        ("OrderDetails", "order_details"),
        ("sales-2024.v2", "sales_2024_v2"),
        ("2024", "t_2024"),
        ("Größe", "größe"),
        ("---", "data"),
    ],
)
def test_table_names_come_from_file_names(text, name):
    assert table_name(text) == name


def test_targets_are_read_as_written():
    assert (parse_target("a.b").schema, parse_target("a.b").table) == ("a", "b")
    assert parse_target('"a.b"."c ""d"""').table == 'c "d"'
    with pytest.raises(InvalidInput, match="no table name"):
        parse_target("a.b.c")


def test_column_names_differ_also_from_later_ones():
    assert unique_names(["a", "A", "a_2", None])[0] == ["a", "A_3", "a_2", "column_4"]


def test_replace_swaps_and_append_adds(bench, write):
    path = write("a.csv", "id,name\n1,ann\n")
    bench.load(path)
    bench.load(path)
    assert bench.rows("FROM a") == [(1, "ann")]
    bench.load(write("b.csv", "name,id\nbob,2\n"), table="a", mode="append")
    assert bench.rows("FROM a ORDER BY id") == [(1, "ann"), (2, "bob")]
    assert bench.service.sources()[0]["rows"] == 2


def test_an_append_that_does_not_fit_changes_nothing(bench, write):
    bench.load(write("a.csv", "id\n1\n"))
    with pytest.raises(InvalidInput, match="breaks the contract of table a: new column extra VARCHAR"):
        bench.load(write("b.csv", "id,extra\n2,x\n"), table="a", mode="append", columns="contract")
    with pytest.raises(InvalidInput) as caught:
        bench.load(write("c.csv", "id\n2\nabc\n"), table="a", mode="append")
    assert "c.csv, line 3: column id holds 'abc', which is no BIGINT" in caught.value.message
    assert bench.rows("FROM a") == [(1,)]


@pytest.mark.parametrize(("mode", "word"), [("merge", "needs the key"), ("replce", "Did you mean replace")])
def test_an_unknown_mode_is_said(bench, write, mode, word):
    with pytest.raises(InvalidInput, match=word):
        bench.load(write("a.csv", "id\n1\n"), mode=mode)


def test_a_folder_and_a_glob_give_a_table_a_file(bench, write, tmp_path):
    for name in ("in/a.csv", "in/b.json", "in/notes.md"):
        write(name, '[{"id": 1}]' if name.endswith("json") else "id\n1\n")
    bench.load(tmp_path / "in")
    assert bench.tables() == ["a", "b"]
    bench.load(tmp_path / "*" / "a.*", table="s.all")
    assert bench.rows("FROM s.all") == [(1,)]


def test_files_for_one_table_are_loaded_together(bench, write, tmp_path):
    write("in/a.csv", "id,v\n1,5\n")
    write("in/b.csv", "v,id\nx,2\n")
    result = bench.load(tmp_path / "in" / "*.csv", table="t")
    assert bench.rows("FROM t ORDER BY id") == [(1, "5"), (2, "x")]
    assert result.tables[0].rows == 2
    write("in/c.csv", "id\n3\n")
    with pytest.raises(InvalidInput, match=r"c\.csv has other columns .*missing v"):
        bench.load(tmp_path / "in" / "*.csv", table="t")
    assert bench.rows("SELECT count(*) FROM t") == [(2,)]


def test_two_files_of_one_name_are_a_conflict(bench, write, tmp_path):
    write("in/a.csv", "id\n1\n")
    write("in/A.json", '[{"id": 1}]')
    with pytest.raises(Conflict, match="both would become table a"):
        bench.load(tmp_path / "in")


def test_a_failure_in_the_last_file_undoes_the_first(bench, write, tmp_path):
    write("in/a.csv", "id\n1\n")
    bench.load(tmp_path / "in")
    before = lineage.lineage_file(bench.paths).read_bytes()
    write("in/a.csv", "id\n2\n")
    write("in/b.csv", "id,v\n" + "1,2\n" * 3000 + "1\n")
    with pytest.raises(InvalidInput, match="line 3002"):
        bench.load(tmp_path / "in", max_rejects=0)
    assert bench.rows("FROM a") == [(1,)]
    assert lineage.lineage_file(bench.paths).read_bytes() == before


def test_readers_never_see_half_a_load(bench, write, tmp_path):
    write("in/a.csv", "v\n" + "1\n" * 1000)
    write("in/b.csv", "v\n" + "1\n" * 1000)
    bench.load(tmp_path / "in")
    write("in/a.csv", "v\n" + "2\n" * 200_000)
    write("in/b.csv", "v\n" + "2\n" * 200_000)
    seen, done = set(), threading.Event()

    def look():
        while not done.is_set():
            seen.update(bench.rows("SELECT (SELECT sum(v) FROM a), (SELECT sum(v) FROM b)"))

    reader = threading.Thread(target=look)
    reader.start()
    bench.load(tmp_path / "in")
    done.set()
    reader.join()
    assert seen <= {(1000, 1000), (400_000, 400_000)}
    assert (1000, 1000) in seen


def test_cancelling_leaves_the_target_as_it_was(bench, write):
    bench.load(write("a.csv", "v\n1\n"))
    path = write("a.csv", "v,w\n2,some text\n")
    (request,) = bench.service.plan([str(path)])
    asked = threading.Event()
    steps = bench.service.load(request, cancelled=asked.is_set)
    with pytest.raises(Cancelled):
        for step in steps:
            if step.message.startswith("reading"):
                asked.set()
    assert asked.is_set()
    assert bench.rows("FROM a") == [(1,)]


def test_whatever_a_session_is_doing_is_interrupted_and_what_comes_after_runs(bench):
    long = "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b"
    with bench.warehouse.read() as session:
        with pytest.raises(Cancelled), interruptible(session, lambda: True):
            session.rows(long)
        session.begin_again()
        assert session.rows("SELECT 1") == [(1,)]


def test_a_running_statement_is_interrupted(bench):
    endless = "SELECT count(*) FROM range(1_000_000) a, range(1_000_000) b WHERE a.range + b.range = 7"
    asked = threading.Event()
    with pytest.raises(Cancelled), bench.warehouse.read() as session:
        for _ in watched(session, endless, asked.is_set):
            asked.set()
    assert asked.is_set()


def test_an_abandoned_load_frees_the_warehouse(bench, write):
    path = write("a.csv", "v\n1\n")
    (request,) = bench.service.plan([str(path)])
    steps = bench.service.load(request, cancelled=lambda: False)
    while next(steps).message.startswith("looking"):
        pass
    steps.close()
    assert bench.tables() == []
    bench.load(path)
    assert bench.rows("FROM a") == [(1,)]


def test_progress_tells_rows_and_ends_with_the_result(bench, write):
    path = write("a.csv", "v\n1\n2\n")
    bench.load(path)
    assert [each.message for each in bench.progress] == ["looking at the source", f"reading {path}", "a: 2 rows"]
    assert bench.progress[-1].to_dict()["rows"] == 2


def test_a_view_is_not_replaced(bench, write):
    with bench.warehouse.write() as session:
        session.execute("CREATE VIEW a AS SELECT 1 AS x")
    with pytest.raises(Conflict, match="is a view"):
        bench.load(write("a.csv", "v\n1\n"))
    assert bench.rows("FROM a") == [(1,)]


def test_sources_say_what_came_from_where(bench, write):
    path = write("a.csv", "v\n1\n")
    bench.load(path, table="s.t")
    (entry,) = bench.service.sources()
    assert (entry["schema"], entry["table"], entry["source"], entry["rows"]) == ("s", "t", str(path), 1)
    assert entry["exists"]
    with bench.warehouse.write() as session:
        session.execute("DROP TABLE s.t")
    assert not bench.service.sources()[0]["exists"]


def test_a_damaged_catalog_of_sources_stops_a_load(bench, write):
    lineage.lineage_file(bench.paths).write_text("{")
    with pytest.raises(EnvironmentFault, match=r"sources\.json"):
        bench.load(write("a.csv", "v\n1\n"))
    assert bench.tables() == []


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ({"config": {"path": "a"}, "mod": "append"}, "Did you mean mode"),
        ({"config": {}}, "config"),
        ({"config": "a.csv"}, "config"),
        ({"config": {"path": "a"}, "target": 5}, "target"),
        ({"config": {"path": "a"}, "mode": "incremental"}, "needs the cursor"),
        ({"config": {"path": "a"}, "cursor": "c"}, "--cursor belongs to mode incremental"),
        ({"config": {"path": "a"}, "columns": "freeze"}, "evolve or contract"),
        ({"config": {"path": "a"}, "key": [1]}, "list of columns"),
    ],
)
def test_a_bad_request_is_refused(data, word):
    with pytest.raises(InvalidInput, match=word):
        IngestRequest.from_dict(data)


def test_requests_survive_their_json():
    request = IngestRequest("csv", {"path": "/a.csv"}, "t", "merge", key=("a", "b"), delete_missing=True)
    assert IngestRequest.from_dict(request.to_dict()) == request
    assert IngestRequest.from_dict({**request.to_dict(), "key": "a, b"}) == request


def test_an_unknown_connector_is_named_with_its_neighbours(bench):
    with pytest.raises(InvalidInput, match=r"No connector 'exel'\. Installed: .*Did you mean excel\?"):
        list(bench.service.load(IngestRequest("exel", {"path": "a"}), cancelled=lambda: False))


@pytest.mark.parametrize(("name", "error"), [("a.foo", InvalidInput), ("void", NotFound)])
def test_what_no_connector_reads_is_said(bench, write, tmp_path, name, error):
    if name == "void":
        (tmp_path / name).mkdir()
    else:
        write(name, "hello")
    with pytest.raises(error, match=r"\.csv"):
        bench.service.plan([str(tmp_path / name)])


class Countdown:
    """The smallest connector: no file, rows of Python values."""

    name = "countdown"
    summary = "Numbers from `start` down to 1"
    suffixes = ()

    @contextlib.contextmanager
    def open(self, config, tools):
        rows = [(each,) for each in range(config["start"], 0, -1)]
        yield [
            SourceTable(
                name="countdown", origin="a countdown", columns=(Column("n", "BIGINT"),), batches=lambda: iter([rows])
            )
        ]


def test_a_connector_from_outside_comes_in_by_the_same_door(bench, monkeypatch):
    known = {**registry.installed(), "countdown": Countdown()}
    monkeypatch.setattr(registry, "installed", lambda: known)
    list(bench.service.load(IngestRequest("countdown", {"start": 3}), cancelled=lambda: False))
    assert bench.rows("FROM countdown") == [(3,), (2,), (1,)]


@pytest.mark.parametrize("name", ["csv", "json", "parquet", "excel", "sqlite", "duckdb"])
def test_built_in_connectors_keep_the_contract(name):
    connector = registry.get(name)
    assert connector.name == name
    assert connector.summary
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in connector.suffixes)


def _limits(bench, path):
    """DuckDB's limit of memory before a load, while it reads, and behind it; what the load said."""
    asked = "SELECT current_setting('memory_limit')"
    request = IngestRequest.from_dict({"config": {"path": str(path)}, "target": "t"})
    before, within, said = bench.rows(asked), [], []
    for each in bench.service.load(request, cancelled=lambda: False):
        if isinstance(each, Progress):
            said.append(each.message)
            within += bench.rows(asked) if "reading" in each.message else []
    return before, within[0], bench.rows(asked), said


def test_a_load_alone_keeps_to_little_memory(bench, write):
    before, within, behind, _ = _limits(bench, write("t.csv", "id\n1\n"))
    assert before == behind != [within]
    bench.service.is_alone = False
    before, within, behind, _ = _limits(bench, write("t.csv", "id\n1\n"))
    assert before == behind == [within]


def test_a_load_that_needs_more_memory_takes_it(bench, write, monkeypatch):
    monkeypatch.setattr(database, "_LITTLE_MB", 1)
    monkeypatch.setattr(database, "_OF_A_THREAD_MB", 0)
    *_, said = _limits(bench, write("t.csv", "id,name\n" + "1,a\n" * 200_000))
    assert "it takes more memory" in said
    assert bench.rows("SELECT count(*) FROM t") == [(200_000,)]

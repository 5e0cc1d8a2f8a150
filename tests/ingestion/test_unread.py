"""Files that an incremental load leaves unread: never one that it would have taken a row from."""

import json
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.ingestion import object_server
from tests.ingestion.conftest import opened_bench

from pluto_duck_backend.app.core import lineage
from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_backend.app.services.ingestion import IngestRequest, marks
from pluto_duck_backend.app.services.ingestion.connectors.csv_files import CsvFiles

TICK_S = 0.02


@pytest.fixture(autouse=True)
def opened(monkeypatch):
    """The names of the files that were opened; a file counts as settled after a moment."""
    names, really = [], CsvFiles.open
    monkeypatch.setattr(marks, "_SETTLED_NS", int(TICK_S * 1e9))
    monkeypatch.setattr(CsvFiles, "open", lambda self, c, t: names.append(Path(c["path"]).name) or really(self, c, t))
    return names


@pytest.fixture
def read(bench, tmp_path, opened):
    """`read({"a.csv": [(1, "x")]})` writes files and loads the folder; the files read and the rows that came."""

    def load(files, **options):
        folder = tmp_path / "in"
        _write(folder, files)
        opened.clear()
        result = bench.load(folder, table="t", **{"mode": "incremental", "cursor": "at", **options})
        return sorted(set(opened)), result.tables[0].rows

    return load


def _write(folder, files):
    folder.mkdir(exist_ok=True)
    for name, rows in files.items():
        lines = "".join(f"{'' if at is None else at},{v}\n" for at, v in rows)
        (folder / name).write_text("at,v\n" + lines)
    time.sleep(1.5 * TICK_S)


THREE = {"a.csv": [(1, "x"), (2, "x")], "b.csv": [(3, "x"), (4, "x")], "c.csv": [(5, "x"), (6, "x")]}


def test_new_files_are_read_and_the_boundary_where_they_reach_it(bench, read):
    assert read(THREE) == (["a.csv", "b.csv", "c.csv"], 6)
    assert read({}) == (["c.csv"], 0)
    assert read({"d.csv": [(6, "tied"), (7, "y")]}) == (["c.csv", "d.csv"], 2)
    assert read({"e.csv": [(7, "y")]}) == (["d.csv", "e.csv"], 1)
    assert read({"f.csv": [(8, "z")]}) == (["f.csv"], 1)
    assert read({"g.csv": [(9, "z")]}) == (["g.csv"], 1)
    (source,) = bench.service.sources()
    assert [Path(each).name for each in source["source"].split("; ")] == [f"{each}.csv" for each in "abcdefg"]
    assert "read" not in source


def test_a_changed_file_is_read_though_it_looks_the_same(read):
    read(THREE)
    assert read({"a.csv": [(1, "x"), (9, "x")]}) == (["a.csv"], 1)


def test_a_file_written_just_now_is_not_trusted(read, monkeypatch):
    monkeypatch.setattr(marks, "_SETTLED_NS", 60_000_000_000)
    read(THREE)
    assert read({})[0] == ["a.csv", "b.csv", "c.csv"]


def test_a_file_with_a_row_without_cursor_is_read_again(read):
    read({**THREE, "a.csv": [(1, "x"), (None, "x")]})
    assert read({})[0] == ["a.csv"]


def test_a_key_without_a_cursor_meets_the_rows_at_the_boundary(bench, read):
    """Of the rows of one key that with the greatest cursor counts, whichever file it is in."""
    read(THREE, key="v")
    read({"d.csv": [(None, "x"), (None, "y")]}, key="v")
    assert bench.rows('SELECT "at" FROM t ORDER BY v') == [(6,), (None,)]


def test_a_look_back_reads_the_files_within(read):
    read(THREE)
    assert read({}, look_back="2")[0] == ["b.csv", "c.csv"]


@pytest.mark.parametrize("lost", ["table", "state", "cursor's type"])
def test_all_is_read_where_what_was_known_no_longer_holds(bench, read, lost):
    read(THREE)
    if lost == "table":
        with bench.warehouse.write() as session:
            session.execute("DROP TABLE t")
    elif lost == "state":
        bench.load(bench.paths.root.parent / "in" / "b.csv", table="t")
    else:
        read({"d.csv": [("7.5", "x"), (8, "x")]})
    files, rows = read({})
    assert files[:3] == ["a.csv", "b.csv", "c.csv"]
    assert rows == {"table": 6, "state": 2, "cursor's type": 0}[lost]


def test_what_is_wanted_again_is_noticed_within_the_transaction(bench, read, monkeypatch):
    """Between the choice of files and the load somebody else may take the table away."""
    read(THREE)
    needless = type(bench.service)._needless

    def then_dropped(service, request, **options):
        chosen = needless(service, request, **options)
        with bench.warehouse.write() as session:
            session.execute("DROP TABLE IF EXISTS t")
        return chosen

    monkeypatch.setattr(type(bench.service), "_needless", then_dropped)
    assert read({})[1] == 6


def test_objects_are_known_by_their_tags(bench, opened):
    pytest.importorskip("obstore", reason="the package obstore is not installed")
    with object_server.running() as store:
        request = IngestRequest.from_dict(
            {
                "config": {"url": "s3://lake/in/", "options": store.options},
                "target": "t",
                "mode": "incremental",
                "cursor": "at",
            }
        )

        def load():
            opened.clear()
            *_, result = bench.service.load(request, cancelled=lambda: False)
            return sorted(opened), result.tables[0].rows

        store.objects = {f"in/{name}": f"at,v\n{at},x\n".encode() for name, at in (("a.csv", 1), ("b.csv", 2))}
        assert load() == (["a.csv", "b.csv"], 2)
        store.objects["in/c.csv"] = b"at,v\n3,x\n"
        assert load() == (["c.csv"], 1)
        store.objects["in/a.csv"] = b"at,v\n4,x\n"
        assert load() == (["a.csv"], 1)


_cursors = st.one_of(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6), st.none(), st.just(2.5), st.just("x"))
_files = st.dictionaries(
    st.sampled_from(["a.csv", "b.csv", "c.csv", "d.csv"]),
    st.lists(st.tuples(_cursors, st.sampled_from("pq")), min_size=1, max_size=4),
    max_size=2,
)
_steps = st.lists(
    st.tuples(_files, st.sets(st.sampled_from(["a.csv", "c.csv"])), st.sampled_from([None, "2"])),
    min_size=2,
    max_size=4,
)


def _state_of(bench, folder, options):
    """What a load comes to: its rows, or how it fails, and what is there then."""
    try:
        bench.load(folder, table="t", mode="incremental", cursor="at", **options)
    except PlutoDuckError as error:
        return error.code, sorted(map(str, bench.rows("FROM t"))), bench.types("t")
    return sorted(map(str, bench.rows("FROM t"))), bench.types("t")


def _forget(bench):
    file = lineage.lineage_file(bench.paths)
    if file.exists():
        known = json.loads(file.read_text())
        file.write_text(json.dumps({**known, "tables": [{**each, "read": {}} for each in known["tables"]]}))


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(_steps, st.booleans())
def test_leaving_files_unread_comes_to_what_reading_all_does(steps, keyed):
    """Whatever files come, change and go: rows tied, late, double or without cursor, cursors that turn to fractions."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "in"
        _write(folder, {"z.csv": [(3, "p"), (1, "q")]})
        with opened_bench(Path(place) / "one") as one, opened_bench(Path(place) / "all") as every:
            for files, gone, look_back in steps:
                for name in gone:
                    (folder / name).unlink(missing_ok=True)
                _write(folder, files)
                options = {"look_back": look_back, "retries": 0, **({"key": ("v",)} if keyed else {})}
                _forget(every)
                assert _state_of(one, folder, options) == _state_of(every, folder, options)

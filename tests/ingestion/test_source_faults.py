"""What goes wrong with a source of any kind leaves table and state as they were, is said, and then all is well."""

import contextlib
import shutil
import threading

import pytest
from tests.ingestion import faulty_sources, object_server, test_remote
from tests.ingestion.conftest import opened_bench
from tests.ingestion.servers import open_server

from pluto_duck_backend.app.core import lineage
from pluto_duck_backend.app.core.errors import Cancelled, PlutoDuckError
from pluto_duck_backend.app.services.ingestion import IngestRequest, Progress

FEW, MANY = 50, 20_000
SERVED = ("http", "s3", "postgres", "mysql")
KINDS = (*faulty_sources.FILES, *SERVED)


@contextlib.contextmanager
def _web():
    server = test_remote._Server()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    server.mark = ""
    yield faulty_sources.Web(server, {"url": f"http://127.0.0.1:{server.server_port}/t.csv"}, "/t.csv")
    server.stop.set()
    server.shutdown()
    thread.join()
    server.server_close()


@contextlib.contextmanager
def _store():
    pytest.importorskip("obstore", reason="the package obstore is not installed")
    with object_server.running() as store:
        yield faulty_sources.Web(store, {"url": "s3://lake/t.csv", "options": store.options}, "s3://lake/t.csv")


@contextlib.contextmanager
def _opened(kind, folder):
    if kind in faulty_sources.FILES:
        file = faulty_sources.File(*faulty_sources.FILES[kind])
        yield file
        shutil.rmtree(file.folder)
    elif kind in ("http", "s3"):
        with {"http": _web, "s3": _store}[kind]() as web:
            yield web
    else:
        with open_server(kind, folder) as server:
            yield faulty_sources.Database(server)


@pytest.fixture
def source(request, tmp_path):
    with _opened(request.param, tmp_path) as opened:
        opened.fill(FEW)
        yield opened


def _load(bench, source, cancelled=faulty_sources.never, at_reading=None, mode="incremental"):
    """Load the source to its end; `at_reading` is done when its rows are about to be read."""
    options = {"target": "t", "mode": mode, "retries": 0, "max_rejects": 0}
    if mode == "incremental":
        options["cursor"] = "id"
    request = IngestRequest.from_dict({"config": source.config, **options})
    result = None
    for result in bench.service.load(request, cancelled=cancelled):
        if at_reading and isinstance(result, Progress) and "reading" in result.message:
            at_reading, done = None, at_reading
            done()
    return result.tables[0]


def _held(bench):
    """What the table holds, and the state beside it."""
    names = ", ".join(bench.types("t"))
    return names, bench.rows("SELECT count(*), sum(id) FROM t"), lineage.lineage_file(bench.paths).read_bytes()


def _fails(bench, source, fault, words):
    """The error of a load amid the fault, which leaves everything as it was."""
    before = _held(bench)
    with fault as cancelled, pytest.raises(PlutoDuckError) as caught:
        _load(bench, source, cancelled)
    assert words in caught.value.message
    assert caught.value.hint or isinstance(caught.value, Cancelled)
    assert _held(bench) == before
    return caught.value


def _is_whole(bench, rows=MANY):
    return bench.rows("SELECT count(*), count(DISTINCT id), min(length(name)) FROM t") == [
        (rows, rows, faulty_sources.LONG)
    ]


@pytest.mark.parametrize("fault", ["cut", "forbidden"])
@pytest.mark.parametrize("source", KINDS, indirect=True)
def test_a_source_that_breaks_off_or_is_forbidden(bench, source, fault):
    _load(bench, source)
    source.fill(MANY)
    _fails(bench, source, getattr(source, fault)(), source.words)
    _load(bench, source)
    assert _is_whole(bench)
    assert bench.rows("SELECT count(*) FROM duckdb_databases() WHERE NOT internal") == [(1,)]


@pytest.mark.parametrize("source", SERVED, indirect=True)
def test_a_source_that_falls_silent_is_cancelled(bench, source):
    _load(bench, source)
    source.fill(MANY)
    assert isinstance(_fails(bench, source, source.silent(), "cancelled"), Cancelled)
    _load(bench, source)
    assert _is_whole(bench)


@pytest.mark.parametrize("source", KINDS, indirect=True)
def test_a_disk_that_is_full(small_disk, source):
    with opened_bench(small_disk / "root") as bench:
        _load(bench, source)
        source.fill(MANY)
        filler = small_disk / "filler"
        filler.write_bytes(b"x" * (shutil.disk_usage(small_disk).free - 1_000_000))
        error = _fails(bench, source, contextlib.nullcontext(faulty_sources.never), "No space left")
        assert error.code in ("disk_full", "cannot_write")
        filler.unlink()
        _load(bench, source)
        assert _is_whole(bench)


@pytest.mark.parametrize("source", KINDS, indirect=True)
def test_columns_that_change_while_they_are_read(bench, source):
    """The load takes the rows as they were, takes them as they are now, or fails; a mixture is never seen."""
    _load(bench, source, mode="replace")
    source.fill(MANY)
    before = _held(bench)
    try:
        _load(bench, source, at_reading=lambda: source.change(MANY), mode="replace")
    except PlutoDuckError as error:
        assert error.hint
        assert _held(bench) == before
    else:
        assert list(bench.types("t")) in (["id", "name", "n"], ["id", "name", "m"])
        assert _is_whole(bench)
    _load(bench, source, mode="replace")
    assert list(bench.types("t")) == ["id", "name", "m"]
    assert _is_whole(bench)

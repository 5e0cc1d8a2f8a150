"""A database server killed while its table is read: nothing changes, it is said, the next load succeeds."""

import shutil
import tempfile
import threading
from pathlib import Path

import pytest
from tests.ingestion.private_servers import private_server
from tests.ingestion.relay import relay

from pluto_duck_backend.app.core import lineage
from pluto_duck_backend.app.core.errors import EnvironmentFault
from pluto_duck_backend.app.services.ingestion import IngestRequest

FEW, MANY, WIDTH = 1000, 50_000, 128


@pytest.fixture(params=["postgres", "mysql"])
def server(request):
    folder = Path(tempfile.mkdtemp(prefix="killed-"))  # a short path, since sockets have no room for a long one
    with private_server(request.param, folder) as opened:
        yield opened
    shutil.rmtree(folder)


def _load(bench, config):
    asked = {"config": config, "target": "big", "retries": 0, "mode": "incremental", "cursor": "id"}
    request = IngestRequest.from_dict(asked)
    *_, result = bench.service.load(request, cancelled=lambda: False)
    return result.tables[0].rows


def _killed_in_the_middle(bench, server):
    """The error of a load whose server is killed when 30 % of the table has come."""
    with relay(server.port, "silent") as between:
        between.room = MANY * WIDTH * 3 // 10

        def kill():
            assert between.is_full.wait(60)
            server.kill()

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        url = server.config["url"].replace(str(server.port), str(between.port))
        with pytest.raises(EnvironmentFault) as caught:
            _load(bench, {**server.config, "url": url})
        killer.join()
    return caught.value


def test_a_server_killed_in_the_middle_of_a_load(bench, server):
    server.fill(FEW)
    _load(bench, server.config)
    server.fill(MANY)
    before = lineage.lineage_file(bench.paths).read_bytes()
    error = _killed_in_the_middle(bench, server)
    assert error.code == "source_failed"
    assert "big cannot be read: " in error.message
    assert error.retryable
    assert bench.rows("SELECT count(*), sum(id) FROM big") == [(FEW, FEW * (FEW - 1) // 2)]
    assert lineage.lineage_file(bench.paths).read_bytes() == before
    with pytest.raises(EnvironmentFault, match="cannot be reached") as caught:
        _load(bench, server.config)
    assert caught.value.retryable
    server.start()
    assert _load(bench, server.config) == MANY - FEW
    assert bench.rows("SELECT count(*), count(DISTINCT id), min(length(v)) FROM big") == [(MANY, MANY, WIDTH)]
    assert bench.rows("SELECT count(*) FROM duckdb_databases() WHERE NOT internal") == [(1,)]

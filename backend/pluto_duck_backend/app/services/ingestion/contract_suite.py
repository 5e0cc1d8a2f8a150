"""What every connector has to do, as tests that packages of connectors run too (with pytest, which they bring).

A test module subclasses `ConnectorContract`, names the connector and writes a small source; the tests load it for real
into a warehouse of their own. tests/contracts/test_connectors.py does so for those that come with Pluto-Duck.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

from pluto_duck_backend.app.core.config import IngestSettings
from pluto_duck_backend.app.core.errors import Cancelled, EnvironmentFault, PlutoDuckError, UserError
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.ingestion import registry
from pluto_duck_backend.app.services.ingestion.contract import Connector
from pluto_duck_backend.app.services.ingestion.requests import IngestRequest, LoadResult
from pluto_duck_backend.app.services.ingestion.service import IngestionService


class ConnectorContract:
    """Subclass as `TestMine(ConnectorContract)`; each test gets a folder of its own from pytest's `tmp_path`."""

    connector: ClassVar[Connector]
    rows: ClassVar[dict[str, int]]
    """How many rows each table of the source has, by the table's name in the warehouse."""

    def config(self, folder: Path) -> dict[str, Any]:
        """A source with `rows`, made in `folder`, as the config of a request."""
        raise NotImplementedError

    def broken(self, folder: Path) -> dict[str, Any]:
        """A source that cannot be read."""
        raise NotImplementedError

    def test_it_says_what_it_is(self) -> None:
        """A name, a summary, endings with a point in lower case, schemes without ://."""
        each = self.connector
        assert each.name.isidentifier()
        assert each.summary
        assert all(ending.startswith(".") and ending == ending.lower() for ending in each.suffixes)
        assert all(scheme.isalnum() and scheme == scheme.lower() for scheme in getattr(each, "schemes", ()))

    def test_every_row_arrives_and_twice_is_the_same(self, tmp_path: Path) -> None:
        """Replacing gives the same tables again."""
        config = self.config(tmp_path)
        with _service(tmp_path, self.connector) as service:
            for _ in range(2):
                result = _load(service, IngestRequest(self.connector.name, config))
                assert {each.table: each.rows for each in result.tables} == self.rows
            assert len(service.sources()) == len(self.rows)

    def test_a_named_table_gets_the_rows(self, tmp_path: Path) -> None:
        """All tables go into a schema that the user names."""
        with _service(tmp_path, self.connector) as service:
            result = _load(service, IngestRequest(self.connector.name, self.config(tmp_path), "here.*"))
            assert sorted(each.rows for each in result.tables) == sorted(self.rows.values())
            assert all(each.table.startswith("here.") for each in result.tables)

    def test_cancelling_changes_nothing_and_leaves_nothing_open(self, tmp_path: Path) -> None:
        """A load that is stopped leaves no table and no database attached; the next one works."""
        config = self.config(tmp_path)
        with _service(tmp_path, self.connector) as service:
            error = _failure(service, IngestRequest(self.connector.name, config), cancelled=True)
            assert isinstance(error, Cancelled)
            assert service.sources() == []
            assert _attached(service) == 1
            _load(service, IngestRequest(self.connector.name, config))

    def test_a_broken_source_is_said_in_words_and_changes_nothing(self, tmp_path: Path) -> None:
        """An error for the user or the operator, with a next step; never one of a library."""
        config = self.broken(tmp_path)
        with _service(tmp_path, self.connector) as service:
            error = _failure(service, IngestRequest(self.connector.name, config))
            assert isinstance(error, UserError | EnvironmentFault)
            assert error.message
            assert error.code
            assert service.sources() == []
            assert _attached(service) == 1


class _service:
    """A service over a new root that also knows the connector under test."""

    def __init__(self, folder: Path, connector: Connector) -> None:
        self._paths = Paths(folder / "root").create()
        self._known = {**registry.installed(), connector.name: connector}

    def __enter__(self) -> IngestionService:
        self._warehouse = Warehouse.open(self._paths.warehouse)
        self._patch = patch.object(registry, "installed", lambda: self._known)
        self._patch.start()
        return IngestionService(self._warehouse, self._paths, IngestSettings(retries=0))

    def __exit__(self, *_: object) -> None:
        self._patch.stop()
        self._warehouse.close()


def _load(service: IngestionService, request: IngestRequest, *, cancelled: bool = False) -> LoadResult:
    steps: Iterator[Any] = service.load(request, cancelled=lambda: cancelled)
    *_, result = steps
    assert isinstance(result, LoadResult)
    return result


def _failure(service: IngestionService, request: IngestRequest, *, cancelled: bool = False) -> PlutoDuckError:
    try:
        _load(service, request, cancelled=cancelled)
    except PlutoDuckError as error:
        return error
    raise AssertionError("The load succeeded.")


def _attached(service: IngestionService) -> int:
    with service.warehouse.read() as session:
        row = session.row("SELECT count(*) FROM duckdb_databases() WHERE NOT internal")
    return int(row[0]) if row else 0

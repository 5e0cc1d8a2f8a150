"""One data root, opened and wired: what the API and the command line hold.

Takes ownership of the warehouse first, mends what a dead owner left, then builds the services. Analysts are kept per
state of the warehouse, since building one costs more than asking it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pluto_duck_backend.agent.jobs import JobManager
from pluto_duck_backend.agent.providers.contract import Provider
from pluto_duck_backend.agent.runs import RunManager
from pluto_duck_backend.app.core import owner
from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.errors import InvalidInput, did_you_mean
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.execution.catalog import CatalogService
from pluto_duck_backend.app.services.execution.executor import QueryService
from pluto_duck_backend.app.services.ingestion import IngestionService, IngestRequest
from pluto_duck_backend.app.services.transformation import DbtService, check_command

if TYPE_CHECKING:
    from pluto_duck_text2sql import Analyst


class Workspace:
    """Everything that works on one data root; `close` ends it."""

    def __init__(self, settings: Settings, ownership: owner.Ownership) -> None:
        self.settings = settings
        self.paths: Paths = settings.paths
        self.ownership = ownership
        self.warehouse = Warehouse.open(
            self.paths.warehouse, memory_limit=settings.query.memory_limit, threads=settings.query.threads
        )
        self.queries = QueryService(self.warehouse, self.paths, settings.query)
        self.catalog = CatalogService(self.warehouse, settings)
        self.ingestion = IngestionService(self.warehouse, self.paths, settings.ingest)
        self.dbt = DbtService(self.warehouse, self.paths, settings.dbt)
        self.runs = RunManager(self.paths.runs, self.queries, self._provider, settings.agent)
        self.jobs = JobManager(self.paths.jobs)
        self.runs.recover()
        self.jobs.recover()
        self._analyst: tuple[int, Analyst] | None = None
        self._building = threading.Lock()

    @classmethod
    def open(
        cls, settings: Settings, *, wait_s: float = 30.0, on_wait: Callable[[str], None] = lambda message: None
    ) -> Workspace:
        """Open the root, waiting for another owner up to `wait_s` seconds. Raises WarehouseBusy after that."""
        paths = settings.paths.create()
        ownership = owner.acquire(paths, wait_s=wait_s, on_wait=on_wait)
        try:
            return cls(settings, ownership)
        except BaseException:
            ownership.release()
            raise

    def serve_at(self, address: str, token: str) -> None:
        """Publish where other processes reach this one."""
        self.ownership.serve_at(address, token)

    def ingest(self, request: dict[str, Any]) -> str:
        """Start a load `{connector, config, target, mode}`; returns its job id. Raises InvalidInput."""
        wanted = IngestRequest.from_dict(request)
        return self.jobs.start("ingest", lambda cancelled: self.ingestion.load(wanted, cancelled=cancelled))

    def run_dbt(self, command: str, options: dict[str, Any]) -> str:
        """Start a dbt command; returns its job id. Raises InvalidInput for a command dbt does not have."""
        check_command(command)
        return self.jobs.start("dbt", lambda cancelled: self.dbt.run(command, **options, cancelled=cancelled))

    def analyst(self) -> Analyst:
        """The embedded analyst over the catalog as it is now."""
        from pluto_duck_text2sql import Analyst

        with self._building:
            version = self.warehouse.version
            if self._analyst is None or self._analyst[0] != version:
                self._analyst = (version, Analyst(self.catalog.catalog()))
            return self._analyst[1]

    def warm(self) -> None:
        """Load what the first question would otherwise wait for."""
        from pluto_duck_backend.agent.graph import build

        build()
        self.analyst()

    def _provider(self, name: str, model: str | None) -> Provider:
        makers: dict[str, Callable[[], Provider]] = {"embedded": self._embedded}
        if self.settings.agent.script:
            makers["scripted"] = self._scripted
        if name not in makers:
            raise InvalidInput(
                f"No provider {name!r}. Available: {', '.join(makers)}. {did_you_mean(name, makers)}".rstrip(),
                code="unknown_provider",
                hint="Choose one with --provider or agent.provider.",
            )
        return makers[name]()

    def _embedded(self) -> Provider:
        from pluto_duck_backend.agent.providers.embedded import EmbeddedProvider

        return EmbeddedProvider(self.analyst, self.queries.probe)

    def _scripted(self) -> Provider:
        from pluto_duck_backend.agent.providers.scripted import ScriptedProvider

        assert self.settings.agent.script is not None
        return ScriptedProvider.read(self.settings.agent.script)

    def close(self) -> None:
        """End runs and jobs truthfully, write the warehouse out and give it up."""
        self.runs.close()
        self.jobs.close()
        self.queries.close()
        self.warehouse.close()
        self.ownership.release()

"""One data root, opened and wired: what the API and the command line hold.

Takes ownership of the warehouse first, then builds the services and mends what a dead owner left. What must stay true:
what cannot be opened or closed to the end leaves nothing open.
"""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pluto_duck_backend.agent.actions.calling import Actions
from pluto_duck_backend.agent.agents.files import AgentFiles
from pluto_duck_backend.agent.agents.service import Agents
from pluto_duck_backend.agent.answering import Answering
from pluto_duck_backend.agent.beating import Beating
from pluto_duck_backend.agent.boards.service import BoardService
from pluto_duck_backend.agent.charting import CHART_ROWS, Kind, Spec, chart_or_raise
from pluto_duck_backend.agent.jobs import JobManager
from pluto_duck_backend.agent.memory.store import Memory
from pluto_duck_backend.agent.metric_questions import MetricQuestions
from pluto_duck_backend.agent.outside.lookups import Lookups
from pluto_duck_backend.agent.outside.service import OutsideTools
from pluto_duck_backend.agent.permits import may_write
from pluto_duck_backend.agent.providers.available import Providers
from pluto_duck_backend.agent.reporting import ExportForm, Report, write
from pluto_duck_backend.agent.run_views import RUN_SHAPE
from pluto_duck_backend.agent.runs import RunManager
from pluto_duck_backend.agent.sights import Sights
from pluto_duck_backend.agent.tasks import Tasks
from pluto_duck_backend.agent.wishes import Wishes
from pluto_duck_backend.app.core import lineage, owner
from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.principal import OWNER, Principal
from pluto_duck_backend.app.core.priority import StepsAside
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.execution.catalog import CatalogService
from pluto_duck_backend.app.services.execution.executor import QueryService, end_process
from pluto_duck_backend.app.services.execution.guard.rights_book import RightsBook
from pluto_duck_backend.app.services.execution.shared_results import SharedResults
from pluto_duck_backend.app.services.execution.watchdog import LastResort
from pluto_duck_backend.app.services.ingestion import IngestionService, recipes, registry
from pluto_duck_backend.app.services.state.places import Places
from pluto_duck_backend.app.services.transformation import DbtService, check_command, title
from pluto_duck_backend.app.services.transformation.metrics import MetricQuery, MetricService
from pluto_duck_backend.app.services.transformation.provenance import ProvenanceOf, no_provenance, provenance
from pluto_duck_backend.app.services.transformation.saving import Answered, SavingService
from pluto_duck_backend.app.services.transformation.scaffolding import ScaffoldService

if TYPE_CHECKING:
    from pluto_duck_text2sql import Analyst, Catalog
    from pluto_duck_text2sql.data.values import ValueHit


_SPILLED = "duckdb_temp_"
_LEFT_S = 86_400.0
#   seconds that nothing was written to what a command reads from a pipe


class Workspace:
    """Everything that works on one data root; `close` ends it."""

    def __init__(
        self, settings: Settings, ownership: owner.Ownership, warehouse: Warehouse, last_resort: LastResort
    ) -> None:
        """Wired, from the data up to what is done with it; nothing has begun yet."""
        self.settings = settings
        self.paths: Paths = settings.paths
        self.ownership = ownership
        self.warehouse = warehouse
        self.places = Places(settings)
        files = AgentFiles(self.paths)
        self.agents = Agents(files, settings, self.analyst, self._relations)
        self.outside = OutsideTools(files)
        self.queries = self._queries(last_resort)
        self._sights = Sights(self.warehouse, settings, self.queries, self.paths.agents.joinpath)
        self.catalog = self._sights.whole
        self.ingestion = IngestionService(self.warehouse, self.paths, settings.ingest)
        self.dbt = DbtService(self.warehouse, self.paths, settings.dbt)
        self.saving = SavingService(self.warehouse, self.paths, settings.dbt)
        self.scaffolding = ScaffoldService(self.warehouse, self.paths, settings.dbt)
        self.metrics = MetricService(self.paths)
        self.memory = Memory(self.places.memory, self._seen_by)
        self.providers = Providers(settings, self.analyst, self.queries, self.memory, self._metric_questions().read)
        self._sessions = self.places.sessions("artifacts/runs", RUN_SHAPE)
        self.runs = RunManager(self._sessions, Wishes(self.places.beside_sessions), self._answering())
        self.tasks = Tasks(self.places.beside_sessions, self.runs)
        self.boards = BoardService(self.paths, self.places.artifacts, self.queries, self.runs, self._seen_by)
        self.jobs = JobManager(self.paths.jobs)
        self.warming = StepsAside()
        self.actions = Actions(self)
        self._beating = Beating(self._sessions, self.runs)

    def _queries(self, last_resort: LastResort) -> QueryService:
        rights = RightsBook(self.settings.rights, self.agents.scope_of)
        shared = SharedResults(self.places.artifacts) if self.places.shares_artifacts else None
        return QueryService(self.warehouse, self.paths, self.settings.query, rights, last_resort, shared)

    def _answering(self) -> Answering:
        return Answering(
            *(self.queries, self.agents, self.providers.of, self.providers.meter),
            *(self._provenance_for, self._lookups_for),
        )

    def _metric_questions(self) -> MetricQuestions:
        def stored(text: str) -> list[ValueHit]:
            return self.catalog.catalog().values.lookup(text)

        return MetricQuestions(self.metrics, stored, self.queries.probe, self.settings.agent.day)

    def _relations(self) -> list[str]:
        """What there is, as `schema.table`."""
        return [*map(".".join, self.queries.known().relations)]

    def _seen_by(self, who: Principal) -> Catalog:
        return self.catalog_of(who).catalog()

    @classmethod
    def open(
        cls,
        settings: Settings,
        *,
        wait_s: float = 30.0,
        on_wait: Callable[[str], None] = lambda message: None,
        resume: bool = False,
        last_resort: LastResort = end_process,
    ) -> Workspace:
        """Open the root, waiting for another owner up to `wait_s` seconds. Raises WarehouseBusy after that.

        `resume`: begin again what the process before had begun, since it was ended for one query's sake.
        """
        paths = settings.paths.create()
        with contextlib.ExitStack() as undone:
            ownership = owner.acquire(paths, wait_s=wait_s, on_wait=on_wait)
            undone.callback(ownership.release)
            _tell_what_is_missing(paths, on_wait)
            shutil.rmtree(paths.catalog, ignore_errors=True)  # what a process that was killed left there
            warehouse = undone.enter_context(contextlib.closing(_warehouse(settings)))
            workspace = cls(settings, ownership, warehouse, last_resort)
            undone.pop_all()
            undone.callback(workspace.close)
            workspace._recover(resume)
            undone.pop_all()
        return workspace

    def _recover(self, resume: bool) -> None:
        """Deal with what the owner before left, and where sessions are shared from now on with what others leave."""
        stuck_runs = self.queries.stuck_runs()
        self.queries.recover(resume=resume)
        self._beating.begin()
        self.runs.recover(resume=resume, but=stuck_runs)
        self.jobs.recover()

    def serve_at(self, address: str, token: str) -> None:
        """Publish where other processes reach this one."""
        self.ingestion.is_alone = False
        self.ownership.serve_at(address, token)

    def ingest(self, request: dict[str, Any], who: Principal = OWNER) -> str:
        """Start a load `{connector, config, target, mode}`; returns its job id. Raises InvalidInput, Refused."""
        may_write(who)
        wanted = registry.requested(request)
        return self.jobs.start(
            "ingest", lambda cancelled: self.ingestion.load(wanted, cancelled=cancelled), wanted.title
        )

    def ingest_recipe(self, name: str, who: Principal = OWNER) -> list[str]:
        """Start the loads of the recipe `name`; returns their job ids. Raises NotFound, InvalidInput, Refused."""
        may_write(who)
        return [self.ingest(request, who) for request in recipes.read(self.paths, name)]

    def run_dbt(self, command: str, options: dict[str, Any], who: Principal = OWNER) -> str:
        """Start a dbt command; returns its job id. Raises InvalidInput for one dbt does not have, Refused."""
        may_write(who)
        check_command(command, options.get("args") or ())
        return self.jobs.start(
            "dbt", lambda cancelled: self.dbt.run(command, **options, cancelled=cancelled), title(command, options)
        )

    def chart(self, job_id: str, kind: Kind | None = None, who: Principal = OWNER) -> Spec:
        """The chart of a query's result. Raises NotFound, also where none fits, or the job's own error."""
        job = self.queries.get(job_id, who)
        rows = self.queries.first_rows(job, CHART_ROWS, who)
        question = self.runs.meant(job.run_id, who).as_meant if job.run_id else ""
        return chart_or_raise(question, job.columns, rows, job.row_count or 0, sql=job.sql, kind=kind)

    def scaffold(self, request: dict[str, Any], who: Principal = OWNER) -> dict[str, Any]:
        """Sources and staging models for loaded tables `{tables?, project_dir?}`. Raises NotFound, Conflict."""
        may_write(who)
        return self.scaffolding.scaffold(request.get("tables") or (), request.get("project_dir"))

    def save_run(self, run_id: str, request: dict[str, Any], who: Principal = OWNER) -> dict[str, Any]:
        """Save a run's answer `{kind, name, project_dir?}` into a dbt project. Raises NotFound, Conflict, …"""
        may_write(who)
        run = self.runs.get(run_id, who)
        final = run["final"] or {}
        if run["status"] != "succeeded":
            raise InvalidInput(f"{run_id} has no answer to save: it is {run['status']}.", code="nothing_to_save")
        answered = Answered(self.runs.meant(run_id, who).as_meant, final["sql"], final["columns"], final["reading"])
        return self.saving.save(answered, request["kind"], request["name"], request.get("project_dir"))

    def query_metrics(self, request: dict[str, Any], who: Principal = OWNER) -> str:
        """Start a query of metrics by their definitions; returns the query's id. Raises NotFound, InvalidInput."""
        sql = self.metrics.sql(MetricQuery.from_dict(request))
        limits = {name: request.get(name) for name in ("timeout_s", "max_rows")}
        return self.queries.submit(sql, **limits, who=who).job_id

    def export(self, run_id: str, form: ExportForm, who: Principal = OWNER) -> Iterator[bytes | memoryview]:
        """A succeeded run as a file. Raises NotFound for an unknown run, InvalidInput for one without an answer."""
        run = self.runs.get(run_id, who)
        if run["status"] != "succeeded":
            raise InvalidInput(
                f"Run {run_id!r} has no answer to export: it is {run['status'].replace('_', ' ')}.",
                code="nothing_to_export",
                hint="`pluto-duck runs list` shows the runs that succeeded.",
            )
        job_id = run["final"]["job_id"]
        report = Report(
            run,
            rows=lambda: self.queries.batches(job_id, who),
            data=lambda kind: self.queries.stream(job_id, kind, who)[1],
        )
        return write(report, form)

    def confirm(
        self, run_id: str, sql: str | None = None, *, replace: bool = False, who: Principal = OWNER
    ) -> dict[str, Any]:
        """Keep a run's question with its SQL, or with the right `sql`, as a person says so.

        Raises NotFound, InvalidInput, Conflict; of `sql` what its query raises.
        """
        run, meant = self.runs.get(run_id, who), self.runs.meant(run_id, who)
        who = self.agents.assign(run["agent"], who).who
        if sql is not None:
            sql = self.queries.run(sql, who=who, until_kept=False).sql
        return self.memory.confirm(run, meant, sql, replace=replace, who=who).to_dict()

    def usage(self, who: Principal = OWNER) -> list[dict[str, Any]]:
        """What models have used, by day, provider and model. Raises Refused for a user with rights."""
        may_write(who)
        return self.providers.ledger.summary()

    def analyst(self, who: Principal = OWNER) -> Analyst:
        """The embedded analyst over the catalog as `who` may see it now."""
        return self._sights.analyst(who)

    def catalog_of(self, who: Principal) -> CatalogService:
        """The catalog of what `who` may see. Raises InvalidInput for rights nobody defined."""
        return self._sights.catalog_of(who)

    def warm(self) -> None:
        """Load what the first question would otherwise wait for; whom `warming` serves meanwhile goes first."""
        with self.warming:
            self.warming.wait()
            from pluto_duck_backend.agent.graph import build

            self.queries.warm()
            build()
            self.agents.files.scopes()
            self.analyst()

    def _provenance_for(self, who: Principal) -> ProvenanceOf:
        return no_provenance if who.is_confined else partial(provenance, self.paths)

    def _lookups_for(self, who: Principal, run_id: str, approval: dict[str, Any] | None) -> Lookups | None:
        """The tools from outside that a run's agent has; None where its file names no server."""
        if not self.outside.servers_of(who.agent):
            return None
        return Lookups(self.outside, lambda: self.actions, who, run_id, approval)

    def close(self) -> None:
        """End runs and jobs truthfully, write the warehouse out and give it up; a step that fails holds up no other."""
        steps = (
            *(self._beating.close, self.runs.close, self.jobs.close, self.actions.stop, self.outside.close),
            *(self.dbt.close, self.queries.close, self._sights.close, self.warehouse.close, self.places.close),
            self.ownership.release,
        )
        with contextlib.ExitStack() as closing:
            for step in reversed(steps):
                closing.callback(step)


def _warehouse(settings: Settings) -> Warehouse:
    _clear(settings.paths.temp)
    return Warehouse.open(
        settings.paths.warehouse,
        memory_limit=settings.query.memory_limit,
        threads=settings.query.threads,
        temp_folder=settings.paths.temp,
        temp_limit=settings.query.temp_limit,
    )


def _clear(temp: Path) -> None:
    """Remove what killed processes left: DuckDB's files at once, as their owner is gone, others after a day."""
    for path in temp.iterdir():
        with contextlib.suppress(FileNotFoundError):  # a command that ends removes its own
            if path.name.startswith(_SPILLED):
                path.unlink()
            elif max(each.stat().st_mtime for each in (path, *path.rglob("*"))) < time.time() - _LEFT_S:
                shutil.rmtree(path, ignore_errors=True)


def _tell_what_is_missing(paths: Paths, tell: Callable[[str], None]) -> None:
    loaded = [] if paths.warehouse.exists() else lineage.entries(paths)
    if loaded:
        tell(
            f"The warehouse {paths.warehouse} is not there any more, so this starts with an empty one. Tables that had "
            f"been loaded: {len(loaded)}. Put the file back, or load them again (`pluto-duck sources`)."
        )

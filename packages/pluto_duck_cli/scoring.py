"""Asking a suite's questions: of the root's own warehouse, or of each database the cases name, loaded once."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pluto_duck_backend.app.core.config import Settings, load_settings
from pluto_duck_backend.app.core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from pluto_duck_backend.agent.evaluation import Case, Outcome
    from pluto_duck_backend.agent.workspace import Workspace

_ENDINGS = (".duckdb", ".sqlite", ".db")


class Desk:
    """Opens one workspace at a time; `work` keeps the databases' roots for the next evaluation."""

    def __init__(self, settings: Settings, databases: Path | None, work: Path | None, provider: str | None) -> None:
        self._settings = settings
        self._databases = databases
        self._provider = provider
        self._temporary = work is None
        self._work = work or Path(tempfile.mkdtemp(prefix="pluto-duck-eval-"))
        self._open: tuple[str | None, Workspace] | None = None

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *raised: object) -> None:
        self._close()
        if self._temporary:
            shutil.rmtree(self._work, ignore_errors=True)

    def ask(self, case: Case) -> Outcome:
        """The answer to a case's question, with its full result."""
        from pluto_duck_backend.agent.evaluation import Outcome

        workspace = self._workspace(case.db)
        conversation = None
        for earlier in case.history:
            conversation = self._run(workspace, earlier, conversation)["conversation_id"]
        run = self._run(workspace, case.question, conversation)
        if run["error"]:
            return Outcome("failed", error=run["error"]["message"])
        final = run["final"]
        return Outcome(
            final["status"],
            final["rows"] if not final["truncated"] else self._all_rows(workspace, final["job_id"]),
            [column["name"] for column in final["columns"]],
            final["confidence"],
            final["usage"]["elapsed_ms"],
            final["sql"],
        )

    def expected(self, case: Case) -> list[list[Any]]:
        """The rows of the case's own SQL."""
        workspace = self._workspace(case.db)
        job = workspace.queries.run(case.sql or "", max_rows=0)
        return self._all_rows(workspace, job.job_id)

    def _run(self, workspace: Workspace, question: str, conversation: str | None) -> dict[str, Any]:
        handle = workspace.runs.start(question, conversation_id=conversation, provider=self._provider)
        for _ in workspace.runs.log(handle.run_id).follow():
            pass
        return workspace.runs.get(handle.run_id)

    def _all_rows(self, workspace: Workspace, job_id: str) -> list[list[Any]]:
        import orjson

        rows: list[list[Any]] = orjson.loads(b"".join(workspace.queries.stream(job_id, "json")[1]))["rows"]
        return rows

    def _workspace(self, database: str | None) -> Workspace:
        if self._open is None or self._open[0] != database:
            self._close()
            self._open = (database, self._opened(database))
        return self._open[1]

    def _opened(self, database: str | None) -> Workspace:
        from pluto_duck_backend.agent.workspace import Workspace

        if database is None:
            return Workspace.open(self._settings)
        source = self._source(database)
        settings = load_settings(self._work / database)
        loaded = settings.paths.warehouse.exists()
        workspace = Workspace.open(settings)
        if not loaded:
            _load(workspace, source)
        return workspace

    def _source(self, database: str) -> Path:
        if self._databases is None:
            message = f"The suite asks about the database {database!r}."
            raise InvalidInput(message, code="databases_needed", hint="Give --databases FOLDER.")
        found = [path for end in _ENDINGS if (path := self._databases / f"{database}{end}").is_file()]
        folder = self._databases / database
        if not found and not folder.is_dir():
            message = f"There is no {database}.sqlite, .duckdb or folder {database} in {self._databases}."
            raise NotFound(message, code="db_not_found")
        return found[0] if found else folder

    def _close(self) -> None:
        if self._open:
            self._open[1].close()
            self._open = None


def _load(workspace: Workspace, source: Path) -> None:
    for request in workspace.ingestion.plan([str(source)]):
        for _ in workspace.ingestion.load(request, cancelled=lambda: False):
            pass

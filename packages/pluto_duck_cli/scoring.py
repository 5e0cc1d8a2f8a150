"""Asking a suite's questions: of the root's own warehouse, or of each database the cases name, loaded once.

Called by the `eval` command. The root is reached as every command reaches it, through its server where one runs.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError
from pluto_duck_cli.asking import End, Question, end_of, follow
from pluto_duck_cli.client import Client, connect
from pluto_duck_cli.local_client import LocalClient

if TYPE_CHECKING:
    from pluto_duck_backend.agent.evaluation import Case, Outcome
    from pluto_duck_backend.agent.workspace import Workspace

_ENDINGS = (".duckdb", ".sqlite", ".db")


class Desk:
    """Opens one warehouse at a time; `work` keeps the databases' roots, and a root that lies there is used as it is."""

    def __init__(
        self,
        settings: Settings,
        databases: Path | Sequence[Path] | None,
        work: Path | None,
        provider: str | None,
        model: str | None = None,
    ) -> None:
        self._settings = settings
        self._folders = [databases] if isinstance(databases, Path) else list(databases or ())
        self._provider = provider
        self._model = model
        self._temporary = work is None
        self._work = work or Path(tempfile.mkdtemp(prefix="pluto-duck-eval-"))
        self._open: tuple[str | None, Client] | None = None
        self._held = contextlib.ExitStack()
        self._said: tuple[str | None, tuple[str, ...], str] | None = None

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *raised: object) -> None:
        self._close()
        if self._temporary:
            shutil.rmtree(self._work, ignore_errors=True)

    def prepared(self, cases: Iterable[Case]) -> Iterator[Case]:
        """The cases, each with its database open: one that is missing ends the evaluation, not just a question."""
        for case in cases:
            self._client(case.db)
            yield case

    def ask(self, case: Case) -> Outcome:
        """The answer to a case's question, with its full result. Raises Stop where nothing can be asked any more."""
        client = self._client(case.db)
        conversation = self._conversation(client, case)
        began = time.perf_counter()
        end = self._run(client, case.question, conversation)
        self._said = (case.db, (*case.history, case.question), end.conversation_id)
        return _outcome(client, end, 1000 * (time.perf_counter() - began))

    def expected(self, case: Case) -> list[list[Any]]:
        """The rows of the case's own SQL."""
        client = self._client(case.db)
        return _all_rows(client, client.query(sql=case.sql or "", max_rows=0)["job_id"])

    def _conversation(self, client: Client, case: Case) -> str | None:
        """The conversation the case goes on with: the last one where that holds just its history, else asked anew."""
        if self._said and self._said[:2] == (case.db, case.history):
            return self._said[2]
        conversation = None
        for earlier in case.history:
            conversation = self._run(client, earlier, conversation).conversation_id
        return conversation

    def _run(self, client: Client, question: str, conversation: str | None) -> End:
        """A failed run is an End; an error out of here means that the run could not be begun or followed."""
        from pluto_duck_backend.agent.evaluation import Stop

        try:
            return end_of(follow(client, Question(question, conversation, self._provider, self._model)))
        except PlutoDuckError as error:
            raise Stop(error) from error

    def _client(self, database: str | None) -> Client:
        if self._open is None or self._open[0] != database:
            self._close()
            self._open = (database, self._opened(database))
        return self._open[1]

    def _opened(self, database: str | None) -> Client:
        if database is None:
            return self._held.enter_context(connect(self._settings))
        settings = self._settings.model_copy(update={"root": (self._work / database).absolute()})
        source = None if settings.paths.warehouse.exists() else self._source(database)
        client = self._held.enter_context(_local(settings))
        if source:
            self._fill(client.workspace, source)
        return client

    def _fill(self, workspace: Workspace, source: Path) -> None:
        """Load a database; one that cannot be loaded leaves no warehouse that would be taken for it."""
        try:
            _load(workspace, source)
        except BaseException:
            self._close()
            workspace.paths.warehouse.unlink(missing_ok=True)
            raise

    def _source(self, database: str) -> Path:
        """The file or folder to load the database from: the first that goes by its name."""
        if not self._folders:
            message = f"The suite asks about the database {database!r}."
            raise InvalidInput(message, code="databases_needed", hint="Give --databases FOLDER.")
        named = [folder / f"{database}{end}" for folder in self._folders for end in _ENDINGS]
        found = [path for path in named if path.is_file()] + [
            f / database for f in self._folders if (f / database).is_dir()
        ]
        if not found:
            places = ", ".join(map(str, self._folders))
            message = f"There is no {database}.sqlite, .duckdb or folder {database} in {places}."
            raise InvalidInput(message, code="db_not_found", hint="Put it there, or mend the field 'db'.")
        return found[0]

    def _close(self) -> None:
        self._held.close()
        self._open = self._said = None


@contextlib.contextmanager
def _local(settings: Settings) -> Iterator[LocalClient]:
    from pluto_duck_backend.agent.workspace import Workspace

    client = LocalClient(Workspace.open(settings))
    try:
        yield client
    finally:
        client.close()


def _outcome(client: Client, end: End, took_ms: float) -> Outcome:
    from pluto_duck_backend.agent.evaluation import Outcome
    from pluto_duck_backend.agent.markdown import plain

    if end.error:
        return Outcome("failed", error=end.error["message"], elapsed_ms=took_ms)
    if end.final is None:
        return Outcome(end.status, elapsed_ms=took_ms)
    final = end.final
    return Outcome(
        final["status"],
        final["rows"] if not final["truncated"] else _all_rows(client, final["job_id"]),
        [column["name"] for column in final["columns"]],
        final["confidence"],
        sql=final["sql"],
        reading=final.get("reading") or (),
        answer="" if final["status"] == "succeeded" else plain(final["answer"]),
        **_used(final.get("usage") or {}, took_ms),
    )


def _used(usage: dict[str, Any], took_ms: float) -> dict[str, Any]:
    return {
        "elapsed_ms": usage.get("elapsed_ms", took_ms),
        "input_tokens": usage.get("input_tokens") or 0,
        "output_tokens": usage.get("output_tokens") or 0,
        "cost_usd": usage.get("cost_usd") or 0.0,
    }


def _all_rows(client: Client, job_id: str) -> list[list[Any]]:
    import orjson

    rows: list[list[Any]] = orjson.loads(b"".join(client.result(job_id, "json")))["rows"]
    return rows


def _load(workspace: Workspace, source: Path) -> None:
    for request in workspace.ingestion.plan([str(source)]):
        for _ in workspace.ingestion.load(request, cancelled=lambda: False):
            pass

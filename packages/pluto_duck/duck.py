"""A connection to one data root: through the server that owns it where one runs, else in this process."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from pluto_duck.answer import Answer
from pluto_duck.frames import Frames
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_cli.asking import Question, end_of, follow
from pluto_duck_cli.client import Client
from pluto_duck_cli.client import connect as connect_client
from pluto_duck_cli.working import work

if TYPE_CHECKING:
    from pluto_duck.boards import Boards


def connect(
    root: str | os.PathLike[str] | None = None, *, provider: str | None = None, model: str | None = None
) -> Duck:
    """Open a data root (else PLUTODUCK_ROOT, else ~/.pluto-duck). `provider`, `model`: who answers."""
    return Duck(Path(root) if root is not None else None, provider=provider, model=model)


class Duck:
    """Ask and query; close it, or use it in a `with`, so that others may open the root."""

    def __init__(self, root: Path | None, *, provider: str | None = None, model: str | None = None) -> None:
        self._stack = ExitStack()
        self._open: Client | None = self._stack.enter_context(connect_client(load_settings(root)))
        self._provider, self._model = provider, model

    def _client(self) -> Client:
        if self._open is None:
            raise InvalidInput(
                "This connection is closed.", code="connection_closed", hint="Open another: pluto_duck.connect()."
            )
        return self._open

    @property
    def boards(self) -> Boards:
        """The boards of this root: look, make, pin, refresh, send."""
        from pluto_duck.boards import Boards

        return Boards(lambda: self._client().boards)

    def ask(
        self,
        question: str,
        *,
        conversation_id: str | None = None,
        max_rows: int | None = None,
        timeout_s: float | None = None,
        agent: str | None = None,
    ) -> Answer:
        """Ask in plain words. Raises PlutoDuckError where the run failed; look at `status` for the other ends."""
        asked = Question(question, conversation_id, self._provider, self._model, max_rows, timeout_s, agent)
        end = end_of(follow(self._client(), asked))
        if end.fault:
            raise end.fault
        return Answer(self, self._client, question, end)

    async def aask(self, question: str, **options: Any) -> Answer:
        """As `ask`, without holding up the event loop."""
        return await asyncio.to_thread(self.ask, question, **options)

    def sql(self, sql: str, *, timeout_s: float | None = None) -> Frames:
        """Run SQL, guarded and read-only. Raises PlutoDuckError."""
        return Frames(self._client, self._client().query(sql=sql, timeout_s=timeout_s, max_rows=None)["job_id"])

    async def asql(self, sql: str, **options: Any) -> Frames:
        """As `sql`, without holding up the event loop."""
        return await asyncio.to_thread(self.sql, sql, **options)

    def load(self, path: str | os.PathLike[str], table: str | None = None, mode: str = "replace") -> list[str]:
        """Load a file or a folder, seen from here wherever it is loaded; returns the tables' names."""
        from pluto_duck_backend.app.services.ingestion.sources import named

        (request,) = named([str(path)], table, {"connector": "auto", "mode": mode})
        job = work(self._client(), "ingest", self._client().ingest(request), lambda event: None)
        return [each["table"] for each in job["result"]["tables"]]

    async def aload(self, path: str | os.PathLike[str], **options: Any) -> list[str]:
        """As `load`, without holding up the event loop."""
        return await asyncio.to_thread(self.load, path, **options)

    def tables(self) -> Iterator[str]:
        """The names of all tables, with their schemas."""
        return (f"{each['schema']}.{each['table']}" for each in self._client().schema()["tables"])

    def close(self) -> None:
        """Give the root up; once is enough."""
        self._open = None
        self._stack.close()

    def __enter__(self) -> Duck:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

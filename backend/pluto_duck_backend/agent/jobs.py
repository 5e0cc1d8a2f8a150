"""Long jobs that are no questions (ingestion, dbt): a thread, an event log, a truthful end.

A job is an iterator of progress items whose last item is its result; each has `to_dict()`.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import orjson

from pluto_duck_backend.agent.ending import ending
from pluto_duck_backend.agent.event_log import EventLog, shape
from pluto_duck_backend.agent.events import Event, JobChunk, JobEnd, JobError, JobStart
from pluto_duck_backend.app.core import counts, spans
from pluto_duck_backend.app.core.errors import Cancelled, EnvironmentFault, InternalFault, NotFound, PlutoDuckError
from pluto_duck_backend.app.core.ids import is_id, new_id
from pluto_duck_backend.app.core.priority import go_later
from pluto_duck_backend.app.services.state.in_files.sessions import SessionFiles, first_and_last

_logger = logging.getLogger(__name__)


class Item(Protocol):
    """A piece of progress, or the result."""

    def to_dict(self) -> dict[str, Any]: ...


Work = Callable[[Callable[[], bool]], Iterator[Item]]
#   given `cancelled()`, yields progress and at last the result


@dataclass
class _Live:
    log: EventLog
    cancelled: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread = field(init=False)


class JobManager:
    """All jobs of one data root. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sessions = SessionFiles(folder, shape())
        self._live: dict[str, _Live] = {}
        self._lock = threading.Lock()
        self._starting = threading.Lock()
        #   held while a job is begun, so that `close` either waits for it or has it refused
        self._is_closed = False
        self._finished = lru_cache(maxsize=64)(self._load)

    def start(self, kind: str, work: Work, title: str = "") -> str:
        """Begin `work`, to people `title`, in a thread of its own; returns the job's id, which starts with `kind`.

        Raises EnvironmentFault after `close`.
        """
        job_id = new_id(kind)
        live = _Live(EventLog.create(self._sessions, job_id, "job_id"))
        live.thread = threading.Thread(
            target=copy_context().run, args=(self._do, job_id, live, work), name=job_id, daemon=True
        )
        with self._starting:
            if self._is_closed:
                raise ending()
            self._begin(job_id, live, JobStart(kind, title))
            live.thread.start()
        return job_id

    def _begin(self, job_id: str, live: _Live, event: JobStart) -> None:
        """Known as live before it is written, so that who finds the file at once follows it to its end."""
        with self._lock:
            self._live[job_id] = live
        try:
            live.log.append(event)
        except BaseException:
            with self._lock:
                del self._live[job_id]
            raise

    def _do(self, job_id: str, live: _Live, work: Work) -> None:
        go_later()
        began, kind = time.perf_counter(), job_id.partition("-")[0]
        ended = _traced(job_id, kind, work, live)
        took_s = time.perf_counter() - began
        live.log.end(ended, JobError, lambda end: _count(end, took_s, kind))
        with self._lock:
            if live.log.is_on_disk:
                del self._live[job_id]

    def log(self, job_id: str) -> EventLog:
        """The event log of a job, live or from disk. Raises NotFound."""
        with self._lock:
            live = self._live.get(job_id)
        return live.log if live else self._finished(job_id)

    def _load(self, job_id: str) -> EventLog:
        if is_id(job_id) and (log := EventLog.load(self._sessions, job_id, "job_id")).last_seq:
            return log
        raise NotFound(
            f"There is no job {job_id!r}.", code="job_not_found", hint="GET /api/v1/jobs lists the jobs there are."
        )

    def get(self, job_id: str) -> dict[str, Any]:
        """`{job_id, kind, title, status, result, error, created_at, ended_at}`."""
        events = self.log(job_id).events()
        first, last = events[0], events[-1]
        content = last["content"]
        return {
            **_summary(first, last),
            "result": content.get("result") if last["subtype"] == "end" else None,
            "error": content if last["subtype"] == "error" else None,
        }

    def every(self, limit: int, before: str | None = None) -> list[dict[str, Any]]:
        """The jobs of all kinds, newest first, from the one after `before` on; without results and errors."""
        paths = sorted(self._folder.glob("*.jsonl"), key=lambda path: _age(path.stem), reverse=True)
        older = [path for path in paths if before is None or _age(path.stem) < _age(before)]
        ends = (first_and_last(path) for path in older[:limit])
        return [_summary(orjson.loads(first), orjson.loads(last)) for first, last in ends if first]

    def cancel(self, job_id: str) -> None:
        """Ask a job to stop; one that has ended stays as it is. Raises NotFound for an unknown id."""
        with self._lock:
            live = self._live.get(job_id)
        if live:
            live.cancelled.set()
        else:
            self.log(job_id)

    def recover(self) -> None:
        """End each log that a dead process left open."""
        for job_id in self._sessions.left_open():
            self._end_interrupted(job_id)

    def _end_interrupted(self, job_id: str) -> None:
        """A log without a whole first event never was a job: nobody can have seen it."""
        log = EventLog.reopen(self._sessions, job_id, "job_id")
        if log.last_seq:
            log.append(JobError(**_interrupted().to_dict()))
        else:
            log.close()
            self._sessions.delete(job_id)

    def stop(self) -> None:
        """Ask all that runs to stop."""
        with self._lock:
            running = list(self._live.values())
        for live in running:
            live.cancelled.set()

    def close(self) -> None:
        """Stop what still runs and wait for it; nothing is begun any more."""
        with self._starting:
            self._is_closed = True
        self.stop()
        with self._lock:
            running = list(self._live.values())
        for live in running:
            if live.thread.ident:
                live.thread.join()


def _traced(job_id: str, kind: str, work: Work, live: _Live) -> Event:
    """As `_copy`, in a span that tells how it ended."""
    with spans.span(f"job {kind}", {"pluto_duck.job.id": job_id, "pluto_duck.job.kind": kind}) as span:
        ended = _copy(work, live)
        span.tell({"pluto_duck.job.status": _status_of(ended)})
        if _status_of(ended) == "failed":
            span.fail(ended.code if isinstance(ended, JobError) else "failed")
    return ended


def _copy(work: Work, live: _Live) -> Event:
    """Append progress; returns the terminal event that fits how the work ended."""
    latest: Item | None = None
    try:
        for item in work(live.cancelled.is_set):
            if latest is not None:
                live.log.append(JobChunk(latest.to_dict()))
            latest = item
    except Cancelled:
        return JobEnd("cancelled", None)
    except PlutoDuckError as error:
        return JobError(**error.to_dict())
    except Exception as error:
        _logger.exception("job failed")
        return JobError(**InternalFault(f"{type(error).__name__}: {error}", hint="Please report this.").to_dict())
    result = latest.to_dict() if latest else None
    failed = bool(result) and result is not None and result.get("success") is False
    return JobEnd("failed" if failed else "succeeded", result)


def _age(job_id: str) -> str:
    """What rises with time, whatever the kind."""
    return job_id.partition("-")[2]


def _summary(first: dict[str, Any], last: dict[str, Any]) -> dict[str, Any]:
    ended = last["subtype"] in ("end", "error")
    return {
        "job_id": first["job_id"],
        "kind": first["content"]["kind"],
        "title": first["content"].get("title", ""),
        "status": last["content"].get("status", "failed") if ended else "running",
        "created_at": first["timestamp"],
        "ended_at": last["timestamp"] if ended else None,
    }


def _interrupted() -> PlutoDuckError:
    return EnvironmentFault(
        "The process that did this job ended before it was done; what it had not committed is undone.",
        code="interrupted",
        hint="Start the job again.",
        retryable=True,
    )


def _count(end: Event, took_s: float, kind: str) -> None:
    counts.JOBS.add(took_s, kind, _status_of(end))


def _status_of(end: Event) -> str:
    return end.status if isinstance(end, JobEnd) else "failed"

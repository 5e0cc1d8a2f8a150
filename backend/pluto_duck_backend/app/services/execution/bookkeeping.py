"""What is written of jobs: that one began and was answered (journal), how it ended (history), and for whom (audit).

The executor and the runner write here. What must stay true: a job has one line in the history, also where its process
died; reading needs no disk, so that what cannot be noted of a running job holds nobody up.
"""

from __future__ import annotations

import contextlib
import logging

from pluto_duck_backend.app.core.errors import EnvironmentFault
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.services.execution.audit import Audit
from pluto_duck_backend.app.services.execution.history import History
from pluto_duck_backend.app.services.execution.job import QueryResult, Request
from pluto_duck_backend.app.services.execution.journal import Journal, Left

_logger = logging.getLogger(__name__)


class Bookkeeping:
    """The three files of one data root. Thread-safe."""

    def __init__(self, paths: Paths) -> None:
        self.history = History(paths.queries / "queries.jsonl")
        self.audit = Audit(paths.audit)
        self._journal = Journal(paths.queries_running)

    def begin(self, job_id: str, request: Request) -> None:
        try:
            self._journal.begin(job_id, request)
        except EnvironmentFault as error:
            _logger.error("%s goes on without a trace: %s", job_id, error.message)

    def answer(self, job: QueryResult, request: Request) -> None:
        """Its answer is given; its result is still to be kept."""
        with contextlib.suppress(EnvironmentFault):
            self._journal.answer(request, job.record())

    def end(self, job: QueryResult) -> None:
        """After this the journal may forget it. Raises EnvironmentFault where it cannot be written."""
        self.history.append(job.record())
        self.audit.query(job)
        self._journal.end(job.job_id)

    def left(self) -> list[Left]:
        """What an earlier process began and did not end, oldest first."""
        return [left for left in self._journal.left() if not self.history.find(left.job_id)]

    def forget_left(self) -> None:
        """What was left is dealt with."""
        self._journal.forget()

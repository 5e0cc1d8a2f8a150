"""Every error that leaves Pluto-Duck, sorted by who can act on it.

    PlutoDuckError
      UserError            the user can: change the input
        InvalidInput         a value is not usable
        NotFound             a name or id does not exist
        Refused              a rule forbids it
        Conflict             something else is in the way
        QueryFailed          DuckDB refused the SQL
        DbtRefused           dbt did not run the command
        QueryTimeout         the time limit was reached
        TooManyCalls         a token calls more often than it may
        Cancelled            the user stopped it
      EnvironmentFault     the operator can: disk, files, services, installation
        WarehouseBusy        another process holds the warehouse
        WarehouseUnusable    the file is corrupt, missing or of another version
      InternalFault        we can: a bug

A message names the thing, the value and what exists; `hint` is the next step, in general words where who raises it
knows none; `code` is stable and documented, `status` is its HTTP status and `exit_code` the command line's. What
travels as data keeps its `kind`, the code of its class, so that it has the same status and exit code wherever it
arrives.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar


class PlutoDuckError(Exception):
    """Base of all errors: `str(error)` is the message for people."""

    code: str = "error"
    status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 1
    next_step: ClassVar[str] = "Try again; `pluto-duck doctor` tells what works."

    def __init__(self, message: str, *, code: str = "", hint: str = "", retryable: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.hint = hint or self.next_step
        self.retryable = retryable

    def to_dict(self) -> dict[str, Any]:
        """`{code, kind, message, hint, retryable}`, as in `run.error` and in a job's `error`."""
        told = {"code": self.code, "kind": type(self).code, "message": self.message}
        return {**told, "hint": self.hint, "retryable": self.retryable}


class UserError(PlutoDuckError):
    code, status = "bad_request", 400
    exit_code = 2
    next_step = "Change what the message names, then try again."


class InvalidInput(UserError):
    code, status = "invalid_input", 422


class NotFound(UserError):
    code, status = "not_found", 404
    exit_code = 1


class Refused(UserError):
    code, status = "refused", 403
    exit_code = 4
    next_step = "Write it in another way: docs/sql-safety.md tells what may run."


class Conflict(UserError):
    code, status = "conflict", 409
    exit_code = 1


class QueryFailed(UserError):
    code = "query_failed"
    exit_code = 1
    next_step = "Check the SQL."


class DbtRefused(UserError):
    """dbt's own exit code for what it does not begin is 2."""

    code = "dbt_failed"


class QueryTimeout(UserError):
    code, status = "query_timeout", 408
    exit_code = 1


class TooManyCalls(UserError):
    code, status = "too_many_calls", 429
    exit_code = 1
    next_step = "Wait a moment."


class Cancelled(UserError):
    code, status = "cancelled", 409
    exit_code = 130
    next_step = "Start it again when you want it."


class EnvironmentFault(PlutoDuckError):
    code, status = "environment", 503
    next_step = "Mend what the message names, then try again; `pluto-duck doctor` helps."


class WarehouseBusy(EnvironmentFault):
    code = "warehouse_busy"


class WarehouseUnusable(EnvironmentFault):
    code = "warehouse_unusable"


class InternalFault(PlutoDuckError):
    code = "internal"
    next_step = "This is a bug of ours: please report it with what PLUTODUCK_DEBUG=1 shows."


class RemoteError(PlutoDuckError):
    """A problem document from the server that owns the warehouse, with its status and exit code."""

    @classmethod
    def from_problem(cls, problem: Mapping[str, Any]) -> PlutoDuckError:
        """The error the server raised, of its kind; of an older server of the class that its code or status tells."""
        kind = _named(problem) or _of_status(problem.get("status"))
        return kind(
            str(problem.get("detail") or problem.get("message") or problem.get("title") or "the server failed"),
            code=str(problem.get("code", "")),
            hint=str(problem.get("hint", "")),
            retryable=bool(problem.get("retryable", False)),
        )

    @classmethod
    def from_job(cls, job: Mapping[str, Any]) -> PlutoDuckError:
        """The error that a query job, a run, or a call of an action, ended with."""
        error = job["error"]
        kind = Refused if job.get("refused") or error.get("refused") else _named(error) or QueryFailed
        return kind(error["message"], code=error["code"], hint=error["hint"], retryable=error["retryable"])


def _subclasses(kind: type[PlutoDuckError]) -> Iterable[type[PlutoDuckError]]:
    for child in kind.__subclasses__():
        yield child
        yield from _subclasses(child)


def _named(error: Mapping[str, Any]) -> type[PlutoDuckError] | None:
    """The class that an error's kind names; without one, as in what was written earlier, its code."""
    codes = [error.get("kind"), error.get("code")]
    found = (kind for code in codes if code for kind in _subclasses(PlutoDuckError) if kind.code == code)
    return next(found, None)


def _of_status(status: int | None) -> type[PlutoDuckError]:
    kinds = (kind for kind in _subclasses(PlutoDuckError) if kind.status == status and kind is not RemoteError)
    return next(kinds, InternalFault if status else RemoteError)


def did_you_mean(name: str, options: Iterable[str], *, limit: int = 3) -> str:
    """`"Did you mean orders?"` with the nearest of `options`, or an empty string."""
    by_fold = {option.casefold(): option for option in options}
    close = difflib.get_close_matches(name.casefold(), list(by_fold), n=limit, cutoff=0.6)
    return f"Did you mean {' or '.join(by_fold[each] for each in close)}?" if close else ""

"""Runs checked code in a process of its own and reads the table it gives back. Linux and macOS."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.steps.sandbox.rules import check
from pluto_duck_backend.app.core.errors import EnvironmentFault, QueryFailed

_CHILD = Path(__file__).with_name("child.py")
_BEGUN = b"begun\n"
#   what the process writes when it has given its rights up and the code is next
_MOST_CHARS = 4_000_000
_MOST_BYTES = 8 * _MOST_CHARS
#   of what it writes: the longest result, or one that is none
_MOST_COMPLAINTS = 100_000
_TYPES = ("BIGINT", "DOUBLE", "BOOLEAN", "DATE", "TIMESTAMP", "VARCHAR")
_BARE = {"POLARS_MAX_THREADS": "1", "MALLOC_ARENA_MAX": "1", "LANG": "C.UTF-8"}
#   one heap for all threads: for a thread's own glibc maps 128 MB for a moment, which counts as memory taken, so that
#   another thread's allocation of a few bytes fails
_START_S = 20
#   until polars is loaded, on a machine that is busy; the code's own time is counted by the processor


@dataclass(frozen=True)
class Limits:
    """What code may use: seconds (of the clock and of the processor), MB beyond what polars itself takes, rows out."""

    seconds: float = 10
    memory_mb: int = 512
    max_rows: int = 1_000


@dataclass(frozen=True)
class Frame:
    """A table that came back: `columns` are `(name, DuckDB's type)`, cells are JSON values, dates ISO texts."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Any, ...], ...]


def run(code: str, inputs: Mapping[str, bytes], limits: Limits, token: CancelToken) -> Frame:
    """What `code` leaves in `result`; `inputs` are Arrow streams, each a polars frame of its name.

    Raises Refused for code that is not let in, QueryFailed for what went wrong in it, or the token's reason.
    """
    check(code, inputs)
    task = _task(code, inputs, limits)
    ended = _run(task, limits.seconds, token)
    token.check()
    if not ended.began:
        ended = _run(task, limits.seconds, token)
        token.check()
    return _read(ended, limits)


def _task(code: str, inputs: Mapping[str, bytes], limits: Limits) -> bytes:
    sizes = [(name, len(data)) for name, data in inputs.items()]
    head = {
        "code": code,
        "inputs": sizes,
        "memory_mb": limits.memory_mb,
        "cpu_s": limits.seconds,
        "max_rows": limits.max_rows,
        "max_chars": _MOST_CHARS,
    }
    return b"".join([json.dumps(head).encode(), b"\n", *inputs.values()])


@dataclass(frozen=True)
class _Ended:
    """A process that is over: what it wrote, its exit status (None: it took too long), its complaints."""

    output: bytes
    status: int | None
    complaints: bytes = b""

    @property
    def began(self) -> bool:
        """Whether the code itself began, before it was over."""
        return self.status is None or self.output.startswith(_BEGUN)

    @property
    def wanted_memory(self) -> bool:
        """Whether it died of an allocation that failed outside Python."""
        return self.status == -signal.SIGABRT and b"memory allocation of" in self.complaints

    @property
    def how(self) -> str:
        """The signal that ended it, or its exit status."""
        status = self.status or 0
        return signal.Signals(-status).name if status < 0 else f"exit status {status}"

    @property
    def why(self) -> str:
        """The last line of its complaints, or how it ended."""
        return self.complaints.decode(errors="replace").strip().rpartition("\n")[2][-300:] or self.how


def _run(task: bytes, seconds: float, token: CancelToken) -> _Ended:
    if sys.platform == "win32":
        raise EnvironmentFault("Python steps need Linux or macOS.", code="no_sandbox", hint="Ask for it by queries.")
    command = [sys.executable, "-I", "-B", "-W", "ignore", str(_CHILD)]
    pipe = subprocess.PIPE
    with (
        subprocess.Popen(  # noqa: S603 - our own script; what it is told comes by its stdin
            command, stdin=pipe, stdout=pipe, stderr=pipe, env=_BARE, cwd="/"
        ) as process,
        token.interrupting(process.kill),
    ):
        return _talk(process, task, seconds + _START_S)


def _talk(process: subprocess.Popen[bytes], task: bytes, seconds: float) -> _Ended:
    """Tells a process its task and hears what it has to say, so much of it and no longer; then it is over."""
    assert process.stdin and process.stdout and process.stderr
    late = threading.Event()
    timer = threading.Timer(seconds, _end, (process, late))
    with ThreadPoolExecutor(2) as beside:
        timer.start()
        beside.submit(_tell, process.stdin, task)
        complaints = beside.submit(process.stderr.read, _MOST_COMPLAINTS)
        output = process.stdout.read(_MOST_BYTES)
        if len(output) == _MOST_BYTES:
            process.kill()
        status = process.wait()
        timer.cancel()
        return _Ended(output, None if late.is_set() else status, complaints.result())


def _end(process: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    process.kill()


def _tell(stdin: IO[bytes], task: bytes) -> None:
    with contextlib.suppress(BrokenPipeError):  # how it ended tells why
        stdin.write(task)
        stdin.close()


def _read(ended: _Ended, limits: Limits) -> Frame:
    if ended.status in (None, -signal.SIGPROF, -signal.SIGXCPU):
        raise _failed(f"it takes longer than {limits.seconds:g} s")
    if not ended.began:
        raise EnvironmentFault(
            f"Python for this step did not start: {ended.why}.",
            code="no_sandbox",
            hint="Run `pluto-duck doctor`, or ask for it by queries.",
        )
    if ended.wanted_memory:
        raise _failed(f"it needs more memory than the {limits.memory_mb} MB it may have")
    if ended.status != 0 or not ended.output.endswith(b"\n"):
        raise _failed(f"it was ended ({ended.how}); it may use {limits.memory_mb} MB")
    match _parsed(ended.output.removeprefix(_BEGUN)):
        case {"error": str(why), "line": int(line)}:
            raise _failed(f"line {line}: {why}" if line else why)
        case {"columns": [*columns], "rows": [*rows]} if _is_table(columns, rows):
            return Frame(tuple(map(tuple, columns)), tuple(map(tuple, rows)))
        case _:
            raise _failed("what it gave back is no table")


def _parsed(output: bytes) -> object:
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(output)
    return None


def _is_table(columns: list[Any], rows: list[Any]) -> bool:
    """Whether these are `[name, type]` of types that there are, and rows of as many cells."""
    named = all(isinstance(each, list) and len(each) == 2 and isinstance(each[0], str) for each in columns)
    cells = all(isinstance(row, list) and len(row) == len(columns) and all(map(_is_cell, row)) for row in rows)
    return named and all(each[1] in _TYPES for each in columns) and cells


def _is_cell(cell: object) -> bool:
    return cell is None or isinstance(cell, bool | int | float | str)


def _failed(why: str) -> QueryFailed:
    return QueryFailed(
        f"The code failed: {why}.", code="python_failed", hint="Mend the code, or let a query do that part."
    )

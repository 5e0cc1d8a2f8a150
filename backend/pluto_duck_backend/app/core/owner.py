"""Who owns the warehouse file, and how the others find it.

One process at a time holds `<root>/.owner.lock`; the operating system lets it go when that process ends, however
it ends, so a stale owner cannot exist. The owner describes itself in `<root>/.owner.json` (0600); a server adds its
address and a token, and the others go through it.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson
from filelock import FileLock, Timeout

from pluto_duck_backend.app.core.errors import EnvironmentFault, WarehouseBusy
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.whole_files import write_whole

_POLL_S = 0.1
SUPERVISOR = "_PLUTO_DUCK_SUPERVISOR"
"""The environment variable with the process that keeps this one up: it is the one to stop."""


@dataclass(frozen=True)
class Owner:
    """What the owner says of itself; `address` (http://host:port) and `token` only where it serves."""

    pid: int
    command: str
    address: str = ""
    token: str = ""


class Ownership:
    """The right to open the warehouse, held until `release`."""

    def __init__(self, paths: Paths, lock: FileLock) -> None:
        self._paths = paths
        self._lock = lock
        self._describe(Owner(_pid(), _command()))

    def serve_at(self, address: str, token: str) -> None:
        """Tell other processes where to reach this one."""
        self._describe(Owner(_pid(), _command(), address, token))

    def _describe(self, owner: Owner) -> None:
        write_whole(self._paths.owner_file, [orjson.dumps(asdict(owner))], private=True)

    def release(self) -> None:
        self._paths.owner_file.unlink(missing_ok=True)
        self._lock.release()


def acquire(paths: Paths, *, wait_s: float = 30.0, on_wait: Callable[[str], None] = lambda message: None) -> Ownership:
    """Take ownership, waiting up to `wait_s` seconds; `on_wait` is told once who holds the warehouse.

    Raises WarehouseBusy naming the holder when the time is up, EnvironmentFault where the root is not writable.
    """
    lock = FileLock(str(paths.owner_lock), thread_local=False)
    deadline = time.monotonic() + wait_s
    told = False
    while True:
        with contextlib.suppress(Timeout):
            _take(lock)
            return Ownership(paths, lock)
        if time.monotonic() >= deadline:
            raise _busy(paths)
        if not told and _held_for_good(paths):
            on_wait(f"Waiting for {_holder(paths)}, which holds the warehouse {paths.warehouse}.")
            told = True
        time.sleep(_POLL_S)


def find_server(paths: Paths) -> Owner | None:
    """The server that owns this root's warehouse and answers at `address`, if there is one."""
    owner = _read(paths.owner_file)
    return owner if owner and owner.address and _is_held(paths) else None


def _is_held(paths: Paths) -> bool:
    lock = FileLock(str(paths.owner_lock), thread_local=False)
    try:
        _take(lock)
    except Timeout:
        return True
    lock.release()
    return False


def _take(lock: FileLock) -> None:
    """Raises Timeout where another process has it, EnvironmentFault where nobody can."""
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise
    except OSError as error:
        raise EnvironmentFault(
            f"{lock.lock_file} cannot be written: {error.strerror or error}.",
            code="root_unusable",
            hint="Give another folder with --root or PLUTODUCK_ROOT, or mend its permissions.",
        ) from error


def _held_for_good(paths: Paths) -> bool:
    """Not the instant in which another process only looks whether the lock is held."""
    return _read(paths.owner_file) is not None


def _read(path: Path) -> Owner | None:
    try:
        return Owner(**orjson.loads(path.read_bytes()))
    except (OSError, orjson.JSONDecodeError, TypeError):
        return None


def _holder(paths: Paths) -> str:
    owner = _read(paths.owner_file)
    return f"process {owner.pid} ({owner.command})" if owner else "another process"


def _busy(paths: Paths) -> WarehouseBusy:
    owner = _read(paths.owner_file)
    hint = "Wait until it ends, stop it, or start `pluto-duck serve` so that commands share the warehouse."
    if owner and owner.address:
        hint = f"It serves this root at {owner.address} already; use that, or stop it."
    return WarehouseBusy(
        f"{_holder(paths)} holds the warehouse {paths.warehouse}.",
        hint=hint,
        retryable=True,
    )


def _pid() -> int:
    return int(os.environ.get(SUPERVISOR) or os.getpid())


def _command() -> str:
    program = Path(sys.argv[0]).name.replace("__main__.py", "pluto-duck")
    words = [program, *sys.argv[1:2]]
    return " ".join(word for word in words if word)

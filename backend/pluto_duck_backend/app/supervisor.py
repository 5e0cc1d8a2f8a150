"""Keeps a server up: a process that ends itself for a stuck query, crashes or hangs is started again.

`pluto-duck serve` is this small process; the server is its child and holds the warehouse. The listening socket stays
open between two of them, so that clients wait for a moment instead of being turned away. Standard library only.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType

from pluto_duck_backend.app.core.owner import SUPERVISOR

RESTART = 75
"""The exit code of a server that wants to be started again (EX_TEMPFAIL)."""
_LISTENER, _HEARTBEAT, _RESUMED = "_PLUTO_DUCK_LISTENER", "_PLUTO_DUCK_HEARTBEAT", "_PLUTO_DUCK_RESUMED"
_BEAT_S, _SILENCE_S = 1.0, 60.0
_RESTARTS, _WITHIN_S = 5, 60.0
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Handed:
    """What a supervised server is given: the socket to serve, and whether one before it was ended."""

    listener: socket.socket
    resumed: bool


def is_possible() -> bool:
    """Whether this system can hand a socket to a child process."""
    return os.name == "posix"


def handed() -> Handed | None:
    """What the supervisor handed to this process; None: there is none. Begins the heartbeat."""
    number = os.environ.pop(_LISTENER, None)
    if number is None:
        return None
    _die_with_supervisor()
    beat = int(os.environ.pop(_HEARTBEAT))
    threading.Thread(target=_beat, args=(beat,), name="heartbeat", daemon=True).start()
    return Handed(socket.socket(fileno=int(number)), os.environ.pop(_RESUMED, "") == "1")


def supervise(listener: socket.socket, command: Sequence[str], tell: Callable[[str], None]) -> int:
    """Run `command` over `listener` until it ends by itself or is told to; returns its exit code."""
    return _Supervisor(listener, command, tell).run()


class _Supervisor:
    def __init__(self, listener: socket.socket, command: Sequence[str], tell: Callable[[str], None]) -> None:
        self._listener = listener
        self._command = list(command)
        self._tell = tell
        self._child: subprocess.Popen[bytes] | None = None
        self._stopping = False
        self._restarts: list[float] = []

    def run(self) -> int:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._pass_on)
        code = self._once(resumed=False)
        while not self._stopping and (code == RESTART or code < 0) and self._may_restart():
            self._tell(f"The server was ended ({_named(code)}) and starts again.")
            code = self._once(resumed=True)
        return code if code >= 0 else 128 - code

    def _once(self, *, resumed: bool) -> int:
        """The exit code of one child; negative: the signal that ended it."""
        reading, writing = os.pipe()
        given = {_LISTENER: str(self._listener.fileno()), _HEARTBEAT: str(writing), SUPERVISOR: str(os.getpid())}
        given |= {_RESUMED: "1"} if resumed else {}
        with subprocess.Popen(  # noqa: S603 - our own interpreter and command line
            self._command,
            env={**os.environ, **given},
            pass_fds=(self._listener.fileno(), writing),
            process_group=0,  # a Ctrl-C in the terminal reaches it once, through here
        ) as child:
            self._child = child
            if self._stopping:  # told to while there was no child to pass it on to
                child.terminate()
            os.close(writing)
            self._listen_to(reading, child)
            os.close(reading)
            return child.wait()

    def _listen_to(self, reading: int, child: subprocess.Popen[bytes]) -> None:
        """Return when the child is gone; one that is silent for long is ended."""
        while True:
            heard, _, _ = select.select([reading], [], [], _SILENCE_S)
            if not heard:
                self._tell(f"The server did not answer for {_SILENCE_S:.0f} s.")
                child.kill()
                return
            if not os.read(reading, 1024):
                return

    def _may_restart(self) -> bool:
        now = time.monotonic()
        self._restarts = [each for each in self._restarts if now - each < _WITHIN_S] + [now]
        if len(self._restarts) > _RESTARTS:
            self._tell(f"The server ended {_RESTARTS} times within {_WITHIN_S:.0f} s; it is not started again.")
            return False
        return True

    def _pass_on(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True
        if self._child and self._child.poll() is None:
            self._child.send_signal(number)


def _named(code: int) -> str:
    return "by itself, for a query that could not be stopped" if code == RESTART else signal.Signals(-code).name


def _die_with_supervisor() -> None:
    """Where Linux can: the moment the supervisor is killed, so is this process. Elsewhere the heartbeat notices."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(os.environ[SUPERVISOR]):
        os._exit(1)


def _beat(beat: int) -> None:
    while True:
        try:
            os.write(beat, b".")
        except OSError:
            os._exit(1)
        time.sleep(_BEAT_S)

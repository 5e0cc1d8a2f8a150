"""What a process may still ask of Linux: computing, memory, its own threads and the pipes it has; all else is refused.

A seccomp filter over every thread, for good. Imported by child.py alone, beside which it lies; imports nothing of ours.
Source: Linux, Documentation/userspace-api/seccomp_filter.rst; the numbers are those of asm/unistd.h.
"""

import ctypes
import os
import platform
import sys

_MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_ALLOWED = {
    "read": (0, 63), "write": (1, 64), "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "writev": (20, 66),
    "sched_yield": (24, 124), "mremap": (25, 216), "madvise": (28, 233), "nanosleep": (35, 101), "getpid": (39, 172),
    "exit": (60, 93), "gettimeofday": (96, 169), "getrusage": (98, 165), "sigaltstack": (131, 132),
    "gettid": (186, 178), "futex": (202, 98), "sched_getaffinity": (204, 123), "restart_syscall": (219, 128),
    "clock_gettime": (228, 113), "clock_nanosleep": (230, 115), "exit_group": (231, 94), "set_robust_list": (273, 99),
    "getcpu": (309, 168), "getrandom": (318, 278), "membarrier": (324, 283), "rseq": (334, 293),
}  # fmt: skip
"""The number of each on every machine of `_MACHINES`, in that order."""
_TO_ITSELF = (234, 131)
"""tgkill: how a process that fails ends itself; of its own process number alone."""
_SECCOMP = (317, 277)

_LOAD, _EQUAL, _ANSWER = 0x20, 0x15, 0x06
_KILL, _REFUSE, _LET = 0x80000000, 0x00050000 | 1, 0x7FFF0000
"""How the kernel answers: the process is killed, the call fails with EPERM, the call is made."""
_NUMBER, _MACHINE, _FIRST = 0, 4, 16
"""Where in what the kernel shows the filter the call's number, the machine and the first argument stand, in bytes."""
_SO = ", so Python steps do not run here; other steps do"
_SET_FILTER, _EVERY_THREAD, _NO_NEW_PRIVILEGES = 1, 1, 38


class _Line(ctypes.Structure):
    _fields_ = (("code", ctypes.c_ushort), ("jt", ctypes.c_ubyte), ("jf", ctypes.c_ubyte), ("k", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("len", ctypes.c_ushort), ("filter", ctypes.POINTER(_Line)))


def refuse_others() -> None:
    """Every thread of this process keeps the calls above. Nothing where the system is not Linux.

    Raises OSError where Linux does not take the filter, or the machine is none of these.
    """
    if sys.platform != "linux":
        return
    machine = platform.machine()
    if machine not in _MACHINES:
        raise OSError(f"no system calls are known for {machine}{_SO}")
    place = list(_MACHINES).index(machine)
    lines = _filter(place, _MACHINES[machine], os.getpid())
    program = _Program(len(lines), (_Line * len(lines))(*lines))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if libc.syscall(_SECCOMP[place], _SET_FILTER, _EVERY_THREAD, ctypes.byref(program)):
        raise OSError(
            ctypes.get_errno(),
            f"the kernel takes no filter of system calls (seccomp){_SO}",
        )


def _filter(place: int, machine: int, pid: int) -> list[_Line]:
    """The program of the filter: a line for each call that is let; the calls of another machine end the process."""
    calls = sorted(numbers[place] for numbers in _ALLOWED.values())
    head = [_line(_LOAD, _MACHINE), _line(_EQUAL, machine, 1, 0), _line(_ANSWER, _KILL)]
    itself = [
        _line(_EQUAL, _TO_ITSELF[place], 0, 3),
        _line(_LOAD, _FIRST),
        _line(_EQUAL, pid, 0, 1),
        _line(_ANSWER, _LET),
        _line(_ANSWER, _REFUSE),
        _line(_ANSWER, _LET),
    ]
    after = len(itself) - 1
    let = [_line(_EQUAL, call, len(calls) - n - 1 + after, 0) for n, call in enumerate(calls)]
    return [*head, _line(_LOAD, _NUMBER), *let, *itself]


def _line(code: int, value: int, yes: int = 0, no: int = 0) -> _Line:
    """A line that looks or answers; `yes` and `no` are how many lines are passed over then."""
    return _Line(code, yes, no, value)

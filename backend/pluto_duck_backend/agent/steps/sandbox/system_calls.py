"""What a process may still ask of Linux: computing, memory, its own threads and the pipes it has; all else is refused.

A seccomp filter over every thread, for good. Imported by child.py alone, beside which it lies; imports nothing of ours.
Source: Linux, Documentation/userspace-api/seccomp_filter.rst; the numbers are those of asm/unistd.h.
"""

import ctypes
import os
import platform
import sys

_ALLOWED = {
    "x86_64": {
        "read": 0, "write": 1, "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigaction": 13,
        "rt_sigprocmask": 14, "rt_sigreturn": 15, "writev": 20, "sched_yield": 24, "mremap": 25, "madvise": 28,
        "nanosleep": 35, "getpid": 39, "exit": 60, "gettimeofday": 96, "getrusage": 98, "sigaltstack": 131,
        "gettid": 186, "futex": 202, "sched_getaffinity": 204, "restart_syscall": 219, "clock_gettime": 228,
        "clock_nanosleep": 230, "exit_group": 231, "set_robust_list": 273, "getcpu": 309, "getrandom": 318,
        "membarrier": 324, "rseq": 334,
    },
    "aarch64": {
        "read": 63, "write": 64, "mmap": 222, "mprotect": 226, "munmap": 215, "brk": 214, "rt_sigaction": 134,
        "rt_sigprocmask": 135, "rt_sigreturn": 139, "writev": 66, "sched_yield": 124, "mremap": 216, "madvise": 233,
        "nanosleep": 101, "getpid": 172, "exit": 93, "gettimeofday": 169, "getrusage": 165, "sigaltstack": 132,
        "gettid": 178, "futex": 98, "sched_getaffinity": 123, "restart_syscall": 128, "clock_gettime": 113,
        "clock_nanosleep": 115, "exit_group": 94, "set_robust_list": 99, "getcpu": 168, "getrandom": 278,
        "membarrier": 283, "rseq": 293,
    },
}  # fmt: skip
_TO_ITSELF = {"x86_64": 234, "aarch64": 131}
"""tgkill: how a process that fails ends itself; of its own process number alone."""
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_LOAD, _EQUAL, _ANSWER = 0x20, 0x15, 0x06
_KILL, _REFUSE, _LET = 0x80000000, 0x00050000 | 1, 0x7FFF0000
"""How the kernel answers: the process is killed, the call fails with EPERM, the call is made."""
_NUMBER, _MACHINE, _FIRST = 0, 4, 16
"""Where in what the kernel shows the filter the call's number, the machine and the first argument stand, in bytes."""
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
    if machine not in _ALLOWED:
        raise OSError(f"no system calls are known for {machine}")
    lines = _filter(machine, os.getpid())
    program = _Program(len(lines), (_Line * len(lines))(*lines))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if libc.syscall(_SECCOMP[machine], _SET_FILTER, _EVERY_THREAD, ctypes.byref(program)):
        raise OSError(ctypes.get_errno(), "the kernel takes no filter of system calls (seccomp)")


def _filter(machine: str, pid: int) -> list[_Line]:
    """The program of the filter: a line for each call that is let; the calls of another machine end the process."""
    calls = sorted(_ALLOWED[machine].values())
    head = [_line(_LOAD, _MACHINE), _line(_EQUAL, _MACHINES[machine], 1, 0), _line(_ANSWER, _KILL)]
    itself = [
        _line(_EQUAL, _TO_ITSELF[machine], 0, 3),
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

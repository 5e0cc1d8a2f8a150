"""What every backend of state has to do, as tests that packages of backends run too (with pytest, which they bring).

A test module subclasses `StateContract` and says how the backend is opened; the tests open it as several processes do.
tests/contracts/test_state.py does so for those that come with Pluto-Duck, over real servers.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pluto_duck_backend.app.core.errors import Conflict, InvalidInput, NotFound
from pluto_duck_backend.app.core.state import LONGEST_NAME, Backend, Shape

T = TypeVar("T")
Opener = Callable[[str], Backend]
ODD = (
    "Zürich 名前.md",
    "a b",
    "a%2Fb",
    "a'b\"c",
    "*?[x]",
    "a+b&c=d#e",
    "\\back",
    "x" * LONGEST_NAME,
    "~",
    "é",
    "e\u0301",
)
BAD = ("", ".", "..", ".hidden", "a/b", "a\0b", "a\nb", "x" * (LONGEST_NAME + 1))
MEBIBYTE = 1 << 20
LARGE = 40
MOST = 26
"""MiB of a large artifact, and of what the process may grow by while it passes."""


def _thread_of(first: bytes) -> str:
    return first.decode().partition(" ")[0]


SHAPE = Shape(_thread_of, lambda line: line == b"end")


class StateContract:
    """Subclass as `TestMine(StateContract)`. Each test has scopes of its own, so one place serves all of them."""

    def opener(self) -> Opener:
        """What opens the backend for a process of a name; it can be pickled, and called again it opens the same."""
        raise NotImplementedError

    def test_a_session_is_read_and_gone_on_with_by_another_process(self) -> None:
        """Lines come back as they were, in order."""
        with self._two() as (here, there):
            writer = here.begin("s-1", [b"t begins", "Zürich 名 \U0001f986".encode()])
            writer.append([b"three", b"x" * MEBIBYTE])
            writer.close()
            assert there.read("s-1") == [b"t begins", "Zürich 名 \U0001f986".encode(), b"three", b"x" * MEBIBYTE]
            assert there.read("s-1", after=3) == [b"x" * MEBIBYTE]
            further = there.resume("s-1")
            further.append([b"end"])
            further.close()
            assert here.read("s-1", after=4) == [b"end"]
            assert [(each.first, each.last) for each in here.latest()] == [(b"t begins", b"end")]

    def test_a_session_begins_once_and_what_there_is_not_is_not_found(self) -> None:
        with self._two() as (here, there):
            here.begin("s", [b"t mine"]).close()
            assert raised(Conflict, lambda: there.begin("s", [b"t theirs"])) == "session_exists"
            assert (there.read("s"), there.read("other"), there.delete("other")) == ([b"t mine"], [], False)
            assert raised(NotFound, lambda: there.resume("other")) == "session_not_found"
            assert (there.delete("s"), here.read("s"), list(here.latest()), here.of_thread("t")) == (True, [], [], [])
            here.begin("s", [b"t again"]).close()

    def test_of_those_who_write_at_once_one_goes_on(self) -> None:
        """No line is lost, doubled or between two of another; who was late is told."""
        with self._two() as (here, there):
            here.begin("s", [b"t 0"]).close()
            writers = [(here, there)[n % 2].resume("s") for n in range(6)]
            codes = at_once([partial(_code, partial(writers[n].append, _two_lines(n))) for n in range(6)])
            assert sorted(codes) == ["", *["session_moved_on"] * 5]
            winner = codes.index("")
            assert here.read("s") == [b"t 0", *_two_lines(winner)]
            writers[winner].append([b"end"])
            assert there.read("s", after=3) == [b"end"]
            for each in writers:
                each.close()

    def test_sessions_are_listed_by_falling_name_and_found_by_thread(self) -> None:
        with self._two() as (here, there):
            for number in (3, 1, 4, 2, 5):
                here.begin(f"s-{number}", [b"%s first" % (b"odd" if number % 2 else "ä/'é".encode())]).close()
            assert [each.session_id for each in there.latest()] == ["s-5", "s-4", "s-3", "s-2", "s-1"]
            assert [each.session_id for each in there.latest(before="s-3")] == ["s-2", "s-1"]
            assert there.of_thread("odd") == ["s-1", "s-3", "s-5"]
            assert (there.of_thread("ä/'é"), there.of_thread("od"), there.of_thread("")) == (["s-2", "s-4"], [], [])

    def test_scopes_know_nothing_of_each_other(self) -> None:
        scope = new_scope()
        with self._backend() as backend:
            inner, outer = (backend.sessions(each, SHAPE) for each in (f"{scope}/a", f"{scope}/ab"))
            outer.begin("s", [b"t outer"]).close()
            assert (inner.read("s"), list(inner.latest()), inner.of_thread("t"), inner.left_open()) == ([], [], [], [])
            memory, artifacts = backend.memory(), backend.artifacts()
            memory.write(f"{scope}/m", "x", b"1")
            artifacts.write(f"{scope}/m", "y", [b"1"])
            for other in (scope, f"{scope}/m2", f"{scope}/M"):
                assert (memory.entries(other), artifacts.names(other)) == ([], [])
                assert (memory.delete(other, "x"), artifacts.delete(other, "y")) == (False, False)
                assert raised(NotFound, partial(memory.read, other, "x")) == "text_not_found"
                assert raised(NotFound, partial(artifacts.read, other, "y")) == "artifact_not_found"

    def test_what_has_no_end_is_left_open_unless_its_writer_lives(self) -> None:
        """After a restart a process finds its own at once; those of others when these are gone."""
        with self._two() as (here, there):
            here.beat()
            here.begin("s-open", [b"t 1"]).close()
            here.begin("s-ended", [b"t 1", b"end"]).close()
            here.begin("s-taken", [b"t 1"]).close()
            there.resume("s-taken").append([b"on"])
            assert set(here.left_open()) - {"s-taken"} == {"s-open"}
            if here.is_shared:
                there.beat()
                assert there.left_open() == ["s-taken"]

    def test_texts_are_kept_changed_and_forgotten(self) -> None:
        scope = new_scope()
        with self._backend("here") as one, self._backend("there") as other:
            here, there = one.memory(), other.memory()
            first = here.write(scope, "b.md", b"\xff\0 first")
            assert there.read(scope, "b.md") == (b"\xff\0 first", first)
            second = there.write(scope, "b.md", b"second")
            assert second != first
            assert raised(Conflict, lambda: here.write(scope, "b.md", b"late", instead_of=first)) == "changed_meanwhile"
            assert raised(Conflict, lambda: here.write(scope, "b.md", b"new", instead_of="")) == "changed_meanwhile"
            third = here.write(scope, "b.md", b"", instead_of=second)
            here.write(scope, "a", b"a", instead_of="")
            assert [(each.name, each.mark == third) for each in there.entries(scope)] == [("a", False), ("b.md", True)]
            assert raised(Conflict, lambda: here.write(scope, "no", b"", instead_of=third)) == "changed_meanwhile"
            assert (there.delete(scope, "b.md"), there.delete(scope, "b.md")) == (True, False)
            assert raised(NotFound, lambda: here.read(scope, "b.md")) == "text_not_found"
            assert here.write(scope, "b.md", b"anew") not in (first, second, third)

    def test_of_those_who_change_what_they_saw_one_does(self) -> None:
        """Four who each count to five on one text count to twenty."""
        scope = new_scope()
        with self._backend("here") as one, self._backend("there") as other:
            memories = (one.memory(), other.memory())
            memories[0].write(scope, "n", b"0")

            def count(n: int) -> None:
                done = 0
                while done < 5:
                    data, mark = memories[n % 2].read(scope, "n")
                    with contextlib.suppress(Conflict):
                        memories[n % 2].write(scope, "n", b"%d" % (int(data) + 1), instead_of=mark)
                        done += 1

            at_once([partial(count, n) for n in range(4)])
            assert memories[0].read(scope, "n")[0] == b"20"

    def test_odd_names_are_names_and_bad_ones_are_refused(self) -> None:
        """By code point, whatever the language of the server; nothing leads out of its scope."""
        scope = new_scope()
        with self._backend() as backend:
            memory, artifacts, sessions = backend.memory(), backend.artifacts(), backend.sessions(f"{scope}/s", SHAPE)
            for name in ODD:
                memory.write(f"{scope}/m", name, name.encode())
                artifacts.write(f"{scope}/a", name, [name.encode()])
            sessions.begin(ODD[0], [b"t 1"]).close()
            assert [each.name for each in memory.entries(f"{scope}/m")] == sorted(ODD) == artifacts.names(f"{scope}/a")
            assert [memory.read(f"{scope}/m", name)[0].decode() for name in ODD] == list(ODD)
            assert [b"".join(artifacts.read(f"{scope}/a", name)).decode() for name in ODD] == list(ODD)
            assert [each.session_id for each in sessions.latest()] == [ODD[0]] == sessions.of_thread("t")
            for bad in BAD:
                assert raised(InvalidInput, partial(memory.write, scope, bad, b"")) == "bad_name"
                assert raised(InvalidInput, partial(artifacts.write, scope, bad, [b""])) == "bad_name"
                assert raised(InvalidInput, partial(sessions.begin, bad, [b"t"])) == "bad_name"

    def test_an_artifact_is_replaced_whole_or_not_at_all(self) -> None:
        """Also while it is read, and where its maker fails on the way."""
        scope = new_scope()
        with self._backend("here") as one, self._backend("there") as other:
            here, there = one.artifacts(), other.artifacts()
            old, new = [b"o" * MEBIBYTE] * 3, [b"new"]
            assert here.write(scope, "f", old) == 3 * MEBIBYTE
            reading = there.read(scope, "f")
            begun = next(reading)
            assert here.write(scope, "f", new) == 3
            assert begun + b"".join(reading) == b"".join(old)
            assert b"".join(there.read(scope, "f")) == b"new"
            assert raised(ZeroDivisionError, lambda: here.write(scope, "f", _breaking())) == ""
            assert raised(ZeroDivisionError, lambda: here.write(scope, "g", _breaking())) == ""
            assert (b"".join(there.read(scope, "f")), there.names(scope)) == (b"new", ["f"])
            assert here.write(scope, "empty", []) == 0
            assert (b"".join(there.read(scope, "empty")), there.names(scope)) == (b"", ["empty", "f"])
            assert (there.delete(scope, "f"), there.delete(scope, "f"), here.names(scope)) == (True, False, ["empty"])
            assert raised(NotFound, lambda: here.read(scope, "f")) == "artifact_not_found"

    def test_of_those_who_put_an_artifact_at_once_one_is_there_whole(self) -> None:
        scope = new_scope()
        with self._backend("here") as one, self._backend("there") as other:
            services = (one.artifacts(), other.artifacts())
            at_once([partial(services[n % 2].write, scope, "f", [b"%d" % n * MEBIBYTE] * 2) for n in range(4)])
            found = b"".join(services[0].read(scope, "f"))
            assert (len(found), len(set(found))) == (2 * MEBIBYTE, 1)
            assert services[1].names(scope) == ["f"]

    def test_a_large_artifact_passes_through(self) -> None:
        """It is never in memory as a whole, neither on its way there nor back."""
        scope, watch = new_scope(), _Watch()
        with self._backend() as backend:
            artifacts = backend.artifacts()
            artifacts.write(scope, "warm", [os.urandom(MEBIBYTE)] * 12)
            b"".join(artifacts.read(scope, "warm"))
            watch.begin()
            assert (
                artifacts.write(scope, "large", watch.seen(os.urandom(MEBIBYTE) for _ in range(LARGE))) == LARGE << 20
            )
            assert sum(map(len, watch.seen(artifacts.read(scope, "large")))) == LARGE << 20
            assert watch.grown_mb < MOST

    def test_a_kill_in_the_middle_leaves_the_old_or_the_new(self) -> None:
        """What was told to be written is there after it; what was on its way is not, or whole."""
        scope = new_scope()
        with self._backend("here") as backend:
            backend.memory().write(scope, "text", b"0" * 100_000)
            backend.artifacts().write(f"{scope}/a", "f", [b"old"])
        spawn = multiprocessing.get_context("spawn")
        told, telling = spawn.Pipe(duplex=False)
        child = spawn.Process(target=_write_until_killed, args=(self.opener(), scope, telling))
        child.start()
        telling.close()  # so that a child that cannot begin ends this, instead of being waited for
        appended = told.recv()
        child.kill()
        child.join()
        with self._backend("here") as backend:
            sessions, artifacts = backend.sessions(f"{scope}/s", SHAPE), backend.artifacts()
            lines = sessions.read("s")
            assert lines[: appended + 1] == [b"t begins", *(b"%d" % n for n in range(appended))]
            assert sessions.left_open() == ["s"]
            sessions.resume("s").append([b"end"])
            assert (sessions.left_open(), sessions.read("s", len(lines))) == ([], [b"end"])
            text = backend.memory().read(scope, "text")[0]
            assert (len(text), len(set(text))) == (100_000, 1)
            assert [each.name for each in backend.memory().entries(scope)] == ["text"]
            assert (b"".join(artifacts.read(f"{scope}/a", "f")), artifacts.names(f"{scope}/a")) == (b"old", ["f"])

    @contextlib.contextmanager
    def _backend(self, process: str = "here") -> Iterator[Backend]:
        backend = self.opener()(process)
        try:
            yield backend
        finally:
            backend.close()

    @contextlib.contextmanager
    def _two(self) -> Iterator[tuple[Any, Any]]:
        """The sessions of one new scope, as two processes have them."""
        scope = new_scope()
        with self._backend("here") as one, self._backend("there") as other:
            yield one.sessions(scope, SHAPE), other.sessions(scope, SHAPE)


def new_scope() -> str:
    return f"contract/{uuid.uuid4().hex}"


def raised(kind: type[Exception], work: Callable[[], object]) -> str:
    """The code of the error that `work` raises."""
    try:
        work()
    except kind as error:
        return str(getattr(error, "code", ""))
    raise AssertionError(f"No {kind.__name__} was raised.")


def _code(work: Callable[[], object]) -> str:
    try:
        work()
    except Conflict as error:
        return error.code
    return ""


def _two_lines(n: int) -> list[bytes]:
    return [b"%d a" % n, b"%d b" % n]


def at_once(works: list[Callable[[], T]]) -> list[T]:
    """What each gives, all begun in the same moment."""
    ready = threading.Barrier(len(works))

    def run(work: Callable[[], T]) -> T:
        ready.wait()
        return work()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


def _breaking() -> Iterator[bytes]:
    yield from [b"x" * MEBIBYTE] * 8
    raise ZeroDivisionError


class _Watch:
    """How much the process grows while pieces pass, where the system tells it."""

    def __init__(self) -> None:
        self._before = self._most = 0

    def begin(self) -> None:
        self._before = self._most = _resident()

    def seen(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            self._most = max(self._most, _resident())
            yield piece

    @property
    def grown_mb(self) -> float:
        return (self._most - self._before) / MEBIBYTE


def _resident() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _write_until_killed(opener: Opener, scope: str, telling: Any) -> None:
    """In a process of its own: an artifact on its way, while a session and a text are written again and again."""
    backend = opener("here")
    writer, memory = backend.sessions(f"{scope}/s", SHAPE).begin("s", [b"t begins"]), backend.memory()

    def write_on() -> Iterator[bytes]:
        yield from [b"x" * MEBIBYTE] * 8
        number = 0
        while True:
            writer.append([b"%d" % number])
            number += 1
            memory.write(scope, "text", b"%d" % (number % 10) * 100_000)
            if number == 20:
                telling.send(number)

    backend.artifacts().write(f"{scope}/a", "f", write_on())

"""Work put off: done in order, all of it, at the latest when asked for or closed."""

import threading
import time

from pluto_duck_backend.app.services.execution import later
from pluto_duck_backend.app.services.execution.later import Later


def _seen(work, count, within_s=5.0):
    deadline = time.monotonic() + within_s
    while len(work) < count and time.monotonic() < deadline:
        time.sleep(0.005)
    return list(work)


def test_work_waits_while_something_urgent_goes_on_and_is_done_in_order_when_it_is_quiet(monkeypatch):
    monkeypatch.setattr(later, "_QUIET_S", 1.0)
    done, queue = [], Later("test")
    queue.busy()
    for number in range(3):
        queue.submit(lambda number=number: done.append(number), 1)
    time.sleep(0.05)
    assert done == []
    queue.submit(lambda: done.append(3), 1)
    assert _seen(done, 4) == [0, 1, 2, 3]
    queue.close()


def test_who_waits_gets_all_there_is_at_once_and_later_work_waits_again(monkeypatch):
    monkeypatch.setattr(later, "_QUIET_S", 60.0)
    done, queue = [], Later("test")
    queue.busy()
    queue.submit(lambda: done.append("first"), 1)
    queue.hurry()
    assert _seen(done, 1) == ["first"]
    queue.submit(lambda: done.append("second"), 1)
    time.sleep(0.05)
    assert done == ["first"]
    queue.close()
    assert done == ["first", "second"]


def test_too_many_rows_in_memory_do_not_wait(monkeypatch):
    monkeypatch.setattr(later, "_QUIET_S", 60.0)
    monkeypatch.setattr(later, "_MOST_ROWS", 10)
    done, queue = [], Later("test")
    queue.busy()
    queue.submit(lambda: done.append("small"), 10)
    time.sleep(0.05)
    assert done == []
    queue.submit(lambda: done.append("large"), 1)
    assert _seen(done, 2) == ["small", "large"]
    queue.close()


def test_an_idle_queue_closes_and_takes_nothing_with_it():
    queue, ended = Later("test"), threading.Event()
    queue.submit(ended.set, 1)
    queue.close()
    assert ended.is_set()

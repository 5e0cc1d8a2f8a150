"""Imports of the thread that steps aside wait while others are served; nothing else does."""

import sys
from importlib import import_module
from threading import Thread
from types import SimpleNamespace

import pytest

from pluto_duck_backend.app.core import priority
from pluto_duck_backend.app.core.priority import StepsAside


@pytest.fixture
def waited(monkeypatch):
    """The pauses made, by a clock that only they move."""
    pauses = []
    clock = SimpleNamespace(monotonic=lambda: sum(pauses), sleep=pauses.append)
    monkeypatch.setattr(priority, "time", clock)
    return pauses


@pytest.fixture
def modules(tmp_path, monkeypatch):
    for name in ("first_of_two", "second_of_two"):
        (tmp_path / f"{name}.py").touch()
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(tmp_path)


def test_an_import_waits_until_nobody_was_served_for_a_moment(waited, modules):
    aside = StepsAside()
    with aside:
        import_module("first_of_two")
        assert waited == []
        aside.served()
        import_module("second_of_two")
    assert len(waited) == 1
    assert aside not in sys.meta_path


def test_other_threads_import_at_once(waited, modules):
    with StepsAside() as aside:
        aside.served()
        other = Thread(target=import_module, args=("first_of_two",))
        other.start()
        other.join()
    assert "first_of_two" in sys.modules
    assert waited == []


def test_who_is_served_without_end_does_not_hold_it_up_for_ever(waited):
    aside = StepsAside()
    for _ in range(100):
        aside.served()
        aside.wait()
    assert sum(waited) == pytest.approx(5.0)

"""Names in folders are kept as long as the folder does not change, and no change is missed."""

import os
import time

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pluto_duck_backend.app.core.folders import names_in

LONG_AGO = time.time_ns() - 60_000_000_000


def test_names_end_so_and_are_in_order(tmp_path):
    for name in ("b.md", "a.md", "c.txt"):
        (tmp_path / name).touch()
    assert names_in(tmp_path, ".md") == ["a.md", "b.md"]
    assert names_in(tmp_path) == ["a.md", "b.md", "c.txt"]
    assert names_in(tmp_path / "missing") == names_in(tmp_path / "a.md") == []


def test_a_folder_that_was_kept_shows_what_changed_since(tmp_path):
    (tmp_path / "a.md").touch()
    os.utime(tmp_path, ns=(LONG_AGO, LONG_AGO))
    assert names_in(tmp_path) == names_in(tmp_path) == ["a.md"]
    (tmp_path / "b.md").touch()
    assert names_in(tmp_path) == ["a.md", "b.md"]
    (tmp_path / "a.md").rename(tmp_path / "c.md")
    assert names_in(tmp_path) == ["b.md", "c.md"]


def test_another_folder_of_that_name_is_another(tmp_path):
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.md").touch()
        os.utime(tmp_path / name, ns=(LONG_AGO, LONG_AGO))
    assert names_in(tmp_path / "old") == ["old.md"]
    (tmp_path / "old").rename(tmp_path / "gone")
    (tmp_path / "new").rename(tmp_path / "old")
    assert names_in(tmp_path / "old") == ["new.md"]


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcde")), max_size=30))
def test_no_change_in_quick_succession_is_missed(tmp_path, changes):
    for is_added, name in changes:
        path = tmp_path / name
        path.touch() if is_added else path.unlink(missing_ok=True)
        assert names_in(tmp_path) == sorted(each.name for each in tmp_path.iterdir())

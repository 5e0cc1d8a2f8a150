"""The databases that written questions are about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pluto_duck_training import invented
from pluto_duck_training.sources import opened
from pluto_duck_training.synthetic.questions import Database


@contextmanager
def named(name: str, shared: Path, roots: Path) -> Iterator[Database]:
    """The database called so: of the training set, else made up. Raises LookupError."""
    if (shared / "databases" / f"{name}.sqlite").exists():
        with opened(name, shared, roots) as database:
            yield database
    else:
        yield invented.one_made_up(name)

"""The suites' questions as training takes them: what analysts ask, and what no data answers.

Only what a suite lets be looked at is learned from: what it holds back (`split`), `fresh` and dialogues' later turns
are only ever measured. No network has learned from any of them, so the one that ships judges all.
"""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pluto_duck_backend.agent.evaluation_suite import Case, load_suite
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_training.candidates import Judge, Judged
from pluto_duck_training.sources import Rows, is_right

ANSWERABLE = ("analysts", "unseen", "dialogues", "chinook", "northwind", "titanic", "shop", "tpch")
LACKING = ("unanswerable", "unheld")
COLD = ("cold", "trades", "newcomers")
IN_TURNS = ("dialogues", "strangers", "threads", "cold", "newcomers", "samples")
"""With an answer and without; over databases made for them, of which some are held back whole; with dialogues."""
_ABOVE = Path(__file__).parents[2]
_FOLDER = _ABOVE / "tests" / "fixtures" / "suites"
_COLD = _ABOVE / "tests" / "fixtures" / "cold"
_FLAT = _ABOVE / "tests" / "fixtures" / "flat"
HELD = "held"
_LOOKED_AT = ("unseen",)
"""Held back throughout, until its figures had been told."""
_AMBIGUOUS = "ambiguous"
"""Of these no reading is the right one."""
_MOST_ROWS = 5_000


def cases(names: Sequence[str]) -> list[tuple[str, Case]]:
    """The questions of suites that stand alone, each with its suite."""
    return [(name, case) for name, case in _cases(names) if not case.history]


def turns() -> list[tuple[str, Case]]:
    """The questions of suites that come after others and whose rows are known, each with its suite."""
    return [(name, case) for name, case in _cases(IN_TURNS) if case.history and is_known(case)]


def _cases(names: Sequence[str]) -> list[tuple[str, Case]]:
    return [(name, case) for name in names for case in load_suite(_FOLDER / f"{name}.jsonl")]


def is_known(case: Case) -> bool:
    """Whether it is known what is right."""
    return case.rows is not None or not case.answerable


def part(suite: str, case: Case) -> str:
    """The part of a suite that a question belongs to, as figures of both are told."""
    return f"{suite}, {'never looked at' if case.split == HELD else 'looked at'}"


def expected(case: Case) -> dict[str, Any]:
    """The rows of a right answer, as `is_right` compares them."""
    return {name: getattr(case, name) for name in ("rows", "row_count", "ordered", "limited")}


def judged(shared: Path, roots: Path) -> dict[str, list[Judged]]:
    """What the analyst ranks for each question, kept as a fold's answers are: those with an answer, those without."""
    every = [case for name, case in cases((*ANSWERABLE, *LACKING, *COLD)) if name in _LOOKED_AT or case.split != HELD]
    every = [case for case in every if case.kind != _AMBIGUOUS]
    found: dict[str, list[Judged]] = {"judged": [], "invented": [], "lacking": []}
    for name in sorted({case.db for case in every if case.db}):
        own = [case for case in every if case.db == name]
        with workspace(name, shared, roots) as opened:
            judge = Judge(opened.analyst().catalog, runner(opened), is_right, dt.date.today())
            found["invented"] += judge.judged([_asked(each) for each in own if each.rows is not None])
            found["lacking"] += judge.in_vain([_asked(each) for each in own if not each.answerable])
    return found


def _asked(case: Case) -> dict[str, Any]:
    return {"id": case.id, "db": case.db, "question": case.question, **expected(case)}


def runner(opened: Workspace) -> Any:
    """Runs SQL over a workspace's warehouse, each in a transaction of its own."""

    def run(sql: str) -> Rows:
        with opened.warehouse.read() as session:
            return session.execute(sql).fetchmany(_MOST_ROWS)

    return run


@contextmanager
def workspace(name: str, shared: Path, roots: Path) -> Iterator[Workspace]:
    """A suite's database in a root of its own, loaded the first time."""
    settings = load_settings(roots / name)
    if not settings.paths.warehouse.exists():
        _load(name, shared, settings.paths.root)
    opened = Workspace.open(settings)
    try:
        yield opened
    finally:
        opened.close()


def _load(name: str, shared: Path, root: Path) -> None:
    """Through the command line: the demo, one made for a suite, or the files called so."""
    if (_COLD / name).is_dir() and not (root.parent / "cold" / f"{name}.duckdb").exists():
        subprocess.run([sys.executable, "-m", "tests.cold", str(root.parent / "cold")], check=True, cwd=_ABOVE)
    files = [*(root.parent / "cold").glob(f"{name}.duckdb")]
    files = files or [*(shared.parent / "data").glob(f"{name}.*"), *(shared / "databases").glob(f"{name}.sqlite")]
    files = files or sorted((shared.parent / "data" / name).glob("*.parquet")) or sorted((_FLAT / name).glob("*"))
    step = ["demo"] if name == "demo" else ["ingest", *map(str, files)]
    subprocess.run([sys.executable, "-m", "pluto_duck_cli", *step, "--root", str(root)], check=True)

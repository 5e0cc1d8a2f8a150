"""`python -m tests.figures ask FOLDER` asks every suite of the embedded analyst and keeps what the docs tell of it.

The reports are written into FOLDER, a suite each, their counts into `tests/fixtures/suites/figures.json`, from which
`make docs` makes the tables. Some 15 minutes on two cores. `count` in place of `ask` counts reports that are there.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests import cold
from tests.contracts.reference import FIGURES, ROOT
from tests.figures.counting import counted
from tests.figures.suites import SUITES

SHARED = Path(os.environ.get("PLUTODUCK_SHARED", ROOT.parent / "shared"))
TODAY = {"newcomers": "2026-11-29"}
"""Suites that count from the day on which they were written."""


def ask(folder):
    """Ask every suite, two at a time."""
    databases = _databases(folder)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda each: _ask(each.name, folder, databases), SUITES))


def count(folder):
    """Count what the reports say."""
    reports = {each.name: json.loads((folder / f"{each.name}.json").read_text()) for each in SUITES}
    lines = [f'"{name}": {json.dumps(each, sort_keys=True)}' for name, each in sorted(counted(reports).items())]
    FIGURES.write_text("{" + ",\n".join(lines) + "}\n")


def _databases(folder):
    """The folders that hold the suites' databases; those that are ours are made first."""
    for name in cold.names():
        cold.build(name, folder / "cold")
    if not (folder / "demo").exists():
        _run("demo", "--root", folder / "demo")
    (folder / "made").mkdir(exist_ok=True)
    (folder / "made" / "demo.duckdb").unlink(missing_ok=True)
    (folder / "made" / "demo.duckdb").symlink_to(folder / "demo" / "data" / "warehouse.duckdb")
    flat = ROOT / "tests" / "fixtures" / "flat"
    return [folder / "cold", flat, folder / "made", SHARED / "data", SHARED / "nl2sql" / "databases"]


def _ask(name, folder, databases):
    suite = ROOT / "tests" / "fixtures" / "suites" / f"{name}.jsonl"
    where = [option for each in databases for option in ("--databases", each)]
    kept = ["--work", folder / "roots" / name, "--root", folder / "root" / name, "--output", folder / f"{name}.json"]
    _run("eval", suite, "--provider", "embedded", *where, *kept, today=TODAY.get(name))
    print(name, flush=True)


def _run(*command, today=None):
    asked_on = {"PLUTODUCK_AGENT__TODAY": today} if today else {}
    whole = [sys.executable, "-m", "pluto_duck_cli", *map(str, command)]
    subprocess.run(whole, check=True, env=os.environ | asked_on, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    command, reports = sys.argv[1], Path(sys.argv[2]).resolve()
    if command == "ask":
        ask(reports)
    count(reports)

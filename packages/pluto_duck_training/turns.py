"""Fits how sure answers to the turns of dialogues say they are (certainty.py) to whether they were right.

The analyst answers every turn that leans on those before it; what its readings say of themselves, how long the turn is
and how many came before it are the samples. Of suites that were looked at, rules were made of their very turns, so
these count little beside those that nobody has looked at: of them no word is read here either, only what came of each.
Each database's figures come from a curve that had not seen it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pluto_duck_backend.agent.evaluation_suite import Case
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_text2sql.certainty import TurnGrounds
from pluto_duck_training import confidence, suites
from pluto_duck_training.calibrate import Sample, curve, figures
from pluto_duck_training.sources import is_right
from pluto_duck_training.store import keep, kept

_LOOKED_AT = 0.1
_OURS = "dialogues"
"""Written by those who write the rules, whatever part it is of."""


def calibrate(shared: Path, work: Path, out: Path) -> dict[str, float]:
    """Write the curve into `out`/curves.json. The figures are of databases that its curve had not seen."""
    cache = work / "turns.pkl"
    if not cache.exists():
        keep(cache, samples=list(_answered(shared, work / "databases")))
    samples: list[Sample] = kept(cache)["samples"]
    confidence.write(out / "curves.json", {"in_turn": curve(samples)})
    return figures(samples)


def _answered(shared: Path, roots: Path) -> Iterator[Sample]:
    every = suites.turns()
    for name in sorted({case.db for _, case in every if case.db}):
        with suites.workspace(name, shared, roots) as workspace:
            for suite, case in every:
                sample = _sample(suite, case, workspace) if case.db == name else None
                if sample:
                    yield sample


def _sample(suite: str, case: Case, workspace: Workspace) -> Sample | None:
    """What was answered and how sure; None where nothing was, or the turn was read by itself."""
    run = suites.runner(workspace)
    found = workspace.analyst().ask(case.question, history=case.history, run=run)
    best = found.candidates[0] if found.status == "answered" else None
    if best is None or not isinstance(best.grounds, TurnGrounds):
        return None
    right = case.answerable and is_right(suites.expected(case), run(best.sql))
    is_held = case.split == suites.HELD and suite != _OURS
    of = f"{suite}, {'never looked at' if is_held else 'looked at'}"
    return Sample(of, case.db or suite, best.grounds, best.confidence, right, 1.0 if is_held else _LOOKED_AT)

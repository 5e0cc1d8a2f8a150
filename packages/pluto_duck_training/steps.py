"""The steps of training, each reading what the one before wrote into the work folder.

prepare ─▶ learn (five folds and all) ─▶ judge (each fold's questions by the network that never saw them) ─▶ fit
"""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pluto_duck_training import invented
from pluto_duck_training.folds import FOLDS, folds
from pluto_duck_training.prepare import drawn, examples, keep, kept, limit_threads
from pluto_duck_training.sources import is_right, opened, questions

ALL = FOLDS
"""The number of the network that learns from every database: the one that is shipped."""
EPOCHS = 9
_TODAY = dt.date(2025, 1, 1)


def prepare(shared: Path, work: Path) -> None:
    """Load the databases, draw every question's graph, run the frozen layers over its words."""
    from pluto_duck_text2sql.learned.pieces import Pieces
    from pluto_duck_training import pretrained

    asked = questions(shared)
    graphs, catalogs = [], {}
    for name, some in sorted(asked.items()):
        with opened(name, shared, work / "databases") as database:
            catalogs[name] = database.catalog
            graphs += drawn(name, database.catalog, [*some, *invented.over(database)])
    parts = folds({name: len(some) for name, some in asked.items()}, catalogs)
    for database, some in invented.over_made_up():
        graphs += drawn(database.name, database.catalog, some)
        parts |= {each["group"]: invented.family_fold(each["group"]) for each in some}
    tensors, vocabulary, numbers = pretrained.found()
    lower = pretrained.lower(tensors, numbers)
    made, mean = examples(graphs, lower, Pieces(vocabulary))
    keep(work / "examples.pkl", examples=made, folds=parts)
    upper = {name: each for name, each in tensors.items() if name.startswith("encoder.layer.")}
    keep(work / "pretrained.pkl", lower=lower.state_dict(), upper=upper, vocabulary=vocabulary, mean=mean)


def learn(work: Path, fold: int, epochs: int = EPOCHS, threads: int = 1) -> None:
    """Train one network and write it as the package reads it; `fold` is left out, ALL leaves none out."""
    from pluto_duck_training.learn import learn as train
    from pluto_duck_training.ship import ship

    limit_threads(threads)
    parts, base = kept(work / "examples.pkl"), kept(work / "pretrained.pkl")
    seen = [each for each in parts["examples"] if parts["folds"].get(each.database) != fold]
    unseen = [each for each in parts["examples"] if parts["folds"].get(each.database) == fold]
    network = train(seen, base["upper"], epochs, seed=10 + fold, test=unseen)
    ship(network.state_dict(), base["lower"], base["mean"], base["vocabulary"], _network(work, fold))


def learn_all(work: Path, whole: bool, at_once: int = 2) -> None:
    """All folds (and the `whole`), so many processes at a time; what is there already is kept."""
    wanted = (*range(FOLDS), ALL) if whole else tuple(range(FOLDS))
    left = [fold for fold in wanted if not _network(work, fold).exists()]
    running: list[subprocess.Popen[bytes]] = []
    while left or running:
        while left and len(running) < at_once:
            running.append(_started(work, left.pop(0)))
        if running.pop(0).wait():
            raise SystemExit("Training a fold failed; see above.")


def _started(work: Path, fold: int) -> subprocess.Popen[bytes]:
    """One fold in a process of its own; memory freed is kept, since asking for it again costs a third of the time."""
    keeping = {"MALLOC_TRIM_THRESHOLD_": str(1 << 32), "MALLOC_MMAP_THRESHOLD_": str(1 << 31)}
    command = [sys.executable, "-m", "pluto_duck_training", "learn", "--work", str(work), "--fold", str(fold)]
    return subprocess.Popen(command, env={**os.environ, **keeping})


def judge_all(shared: Path, work: Path) -> None:
    """Every fold that is not judged yet."""
    for fold in range(FOLDS):
        if not (work / f"judged{fold}.pkl").exists():
            judge(shared, work, fold)


def judge(shared: Path, work: Path, fold: int, beam: int = 12) -> None:
    """Candidates for a fold's questions, written by the network that had not seen them, run and compared."""
    from pluto_duck_text2sql.learned.network import Network, Weights
    from pluto_duck_training.candidates import judged, ruled

    network = Network(Weights.read(_network(work, fold)))
    parts = kept(work / "examples.pkl")["folds"]
    found = []
    for name, some in sorted(questions(shared).items()):
        if parts[name] == fold:
            with opened(name, shared, work / "databases") as database:
                rules = ruled(database.catalog, _TODAY)
                found += list(judged(some, database.catalog, network, database.run, is_right, rules, beam))
    extra = []
    for made, some in invented.over_made_up(invented.JUDGED):
        own = [each for each in some if parts[each["group"]] == fold]
        rules = ruled(made.catalog, _TODAY)
        answers = invented.with_rows(own, made)
        extra += list(judged(answers, made.catalog, network, made.run, is_right, rules, beam))
    keep(work / f"judged{fold}.pkl", judged=found, invented=extra)


def figures(work: Path) -> dict[str, float]:
    """What each fold gave with network, ranker and curve that had not seen it, together; also in figures.json."""
    from pluto_duck_training import confidence

    every, more = _judged(work), _judged(work, "invented")
    told = {fold: _told(every, more, fold) for fold in every}
    found = confidence.across(told, {fold: len(some) for fold, some in every.items()})
    found |= {"in_list": _share(every, any), "written_first": _share(every, lambda right: right[:1] == [True])}
    (work / "figures.json").write_text(json.dumps(found, indent=2) + "\n")
    return found


def _judged(work: Path, part: str = "judged") -> dict[int, Sequence[Any]]:
    return {fold: kept(work / f"judged{fold}.pkl")[part] for fold in range(FOLDS)}


def _share(every: dict[int, Sequence[Any]], holds: Callable[[list[bool]], bool]) -> float:
    questions_ = [each for some in every.values() for each in some]
    return sum(holds(each.right) for each in questions_) / len(questions_)


def fit(work: Path, out: Path) -> None:
    """Write the weights that ship: the network of all databases, the ranker and the curve of all folds."""
    from pluto_duck_training import confidence, ranker

    every, more = _judged(work), _judged(work, "invented")
    told = {fold: _told(every, more, fold) for fold in every}
    out.mkdir(parents=True, exist_ok=True)
    booster = ranker.fit([each for some in (*every.values(), *more.values()) for each in some])
    ranker.save(booster, out / "ranker.npz")
    samples = [sample for some in told.values() for sample in some]
    (out / "confidence.json").write_text(json.dumps(confidence.fit_curve(samples)) + "\n")
    (out / "network.npz").write_bytes(_network(work, ALL).read_bytes())


def _told(every: dict[int, Sequence[Any]], more: dict[int, Sequence[Any]], fold: int) -> list[tuple[Any, bool]]:
    """The evidence and outcome of a fold's questions by a ranker that saw the others."""
    from pluto_duck_training import confidence, ranker

    seen = [each for part in (every, more) for other, some in part.items() if other != fold for each in some]
    booster = ranker.fit(seen)
    return [confidence.told(each, confidence.scores_of(booster, each)) for each in every[fold] if each.right]


def _network(work: Path, fold: int) -> Path:
    return work / f"network{fold}.npz"

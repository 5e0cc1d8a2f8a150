"""The steps of training, each reading what the one before wrote into the work folder.

prepare ─▶ learn (five folds and all) ─▶ judge (each fold's questions by the network that never saw them) ─▶ fit
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pluto_duck_text2sql.catalog import Catalog, Table
from pluto_duck_training import asked, invented
from pluto_duck_training.folds import ALL, FOLDS, folds
from pluto_duck_training.prepare import Drawn, drawn, examples, limit_threads
from pluto_duck_training.sources import gold, is_right, opened, questions
from pluto_duck_training.store import keep, kept

if TYPE_CHECKING:
    from pluto_duck_training.judgements import Folds

EPOCHS = 8


def prepare(shared: Path, work: Path, at_once: int = 2) -> None:
    """Load the databases, draw every question's graph, run the frozen layers over its words."""
    from pluto_duck_text2sql.learned.pieces import Pieces
    from pluto_duck_training import pretrained

    every = questions(shared)
    with ProcessPoolExecutor(at_once) as pool:
        real = pool.map(partial(_over_real, shared=shared, work=work), sorted(every.items()))
        made_up = pool.map(_over_made_up, range(invented.MADE_UP))
        catalogs, graphs = {}, []
        for name, tables, drawn_ in real:
            catalogs[name] = Catalog(tables)
            graphs += drawn_
        parts = folds({name: len(some) for name, some in every.items()}, catalogs)
        for groups, drawn_ in made_up:
            parts |= {group: invented.family_fold(group) for group in groups}
            graphs += drawn_
    tensors, vocabulary, numbers = pretrained.found()
    lower = pretrained.lower(tensors, numbers)
    made, mean = examples(graphs, lower, Pieces(vocabulary))
    keep(work / "examples.pkl", examples=made, folds=parts)
    upper = {name: each for name, each in tensors.items() if name.startswith("encoder.layer.")}
    keep(work / "pretrained.pkl", lower=lower.state_dict(), upper=upper, vocabulary=vocabulary, mean=mean)


def _over_real(
    questions_: tuple[str, list[dict[str, Any]]], shared: Path, work: Path
) -> tuple[str, tuple[Table, ...], list[Drawn]]:
    """A database of the training set: its tables, and its questions with those invented over it, drawn."""
    name, some = questions_
    with opened(name, shared, work / "databases") as database:
        every = [*some, *invented.over(database), *asked.over(database, gold(some))]
        return name, database.catalog.tables, drawn(name, database.catalog, every)


def _over_made_up(number: int) -> tuple[set[str], list[Drawn]]:
    """A made-up database: the groups of its questions, and these drawn."""
    database, some = next(invented.over_made_up(invented.MADE_UP, number))
    every = [*some, *asked.over(database, {})]
    return {each["group"] for each in every}, drawn(database.name, database.catalog, every)


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
    """Candidates for a fold's questions, written by the network that had not seen them, run and compared.

    `lacking` are those of questions whose data was robbed of something they need.
    """
    from pluto_duck_text2sql.learned.network import Network
    from pluto_duck_training.candidates import Judge, ruled

    network = Network(_network(work, fold))
    parts = kept(work / "examples.pkl")["folds"]
    found, extra, lacking = [], [], []
    for name, some in sorted(questions(shared).items()):
        if parts[name] == fold:
            with opened(name, shared, work / "databases") as database:
                judge_ = Judge(database.catalog, network, database.run, is_right, ruled(database.catalog), beam)
                found += list(judge_.judged(some))
                extra += list(judge_.judged(invented.with_rows(asked.over(database, gold(some)), database)))
                lacking += list(judge_.lacking(some))
    for made, some in invented.over_made_up(invented.JUDGED):
        own = invented.with_rows([each for each in some if parts[each["group"]] == fold], made)
        judge_ = Judge(made.catalog, network, made.run, is_right, ruled(made.catalog), beam)
        extra += list(judge_.judged(own))
        lacking += list(judge_.lacking(own))
    keep(work / f"judged{fold}.pkl", judged=found, invented=extra, lacking=lacking)


def figures(work: Path) -> dict[str, float]:
    """What each fold gave with network, ranker and curves that had not seen it, together; also in figures.json."""
    from pluto_duck_training import confidence

    folds_ = _judged(work)
    right = {fold: folds_.evidence(fold) for fold in folds_.asked}
    found = confidence.across(right, {fold: len(some) for fold, some in folds_.asked.items()})
    found |= {"in_list": folds_.share(any), "written_first": folds_.share(lambda right: right[:1] == [True])}
    found |= confidence.refused({fold: folds_.doubts(fold) for fold in folds_.asked})
    (work / "figures.json").write_text(json.dumps(found, indent=2) + "\n")
    return found


def fit(work: Path, out: Path) -> None:
    """Write the weights that ship: the network of all databases, the ranker and the curves of all folds."""
    from pluto_duck_training import confidence, ranker

    folds_ = _judged(work)
    out.mkdir(parents=True, exist_ok=True)
    ranker.save(ranker.fit(folds_.all()), out / "ranker.npz")
    doubts = {fold: folds_.doubts(fold) for fold in folds_.asked}
    curves = {
        "right": confidence.fit_curve([each for fold in folds_.asked for each in folds_.evidence(fold)]),
        "answerable": confidence.fit_curve([each for some in doubts.values() for each in some]),
        "least_answerable": confidence.refused(doubts)["least_answerable"],
    }
    confidence.write(out / "curves.json", curves)
    shutil.copytree(_network(work, ALL), out, dirs_exist_ok=True)


def _judged(work: Path) -> Folds:
    from pluto_duck_training.judgements import Folds, halves

    judged = (kept(path) for n in range(FOLDS) if (path := work / f"judged{n}.pkl").exists())
    return Folds(dict(enumerate(half for each in judged for half in halves(each))))


def _network(work: Path, fold: int) -> Path:
    return work / f"network{fold}"

"""The steps of training, each reading what the one before wrote into the work folder.

prepare ─▶ learn (five folds, then all) ─▶ judge (each fold's questions by the network that never saw them) ─▶ fit
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.learned.model import WEIGHTS, using
from pluto_duck_training import asked, invented
from pluto_duck_training.candidates import Judge, Judged
from pluto_duck_training.folds import ALL, FOLDS, folds
from pluto_duck_training.negatives import has_answer, is_chosen
from pluto_duck_training.packed import Drawn, Packed, Told, packed
from pluto_duck_training.prepare import drawn
from pluto_duck_training.sources import gold, is_right, opened, questions
from pluto_duck_training.store import keep, kept
from pluto_duck_training.synthetic.databases import MadeUp
from pluto_duck_training.synthetic.domains import trades

if TYPE_CHECKING:
    from pluto_duck_training.batches import Questions
    from pluto_duck_training.judgements import Folds

EPOCHS = 8
_SUITES, _CASES = 2 * FOLDS, 2 * FOLDS + 1
"""The numbers of the parts that the suites and the tests' cases are."""
_NOTHING_WRITTEN = (
    "{}: no written questions to learn from among those prepared. Name databases that have a file in asked/questions "
    "and are not kept apart; where it is newer than examples.pkl in the work folder, delete that."
)
_COUNTS = {_SUITES: 4, _CASES: 10}
"""How often their questions count, of which there are few beside those of the folds."""
_APART = 2
"""How often those about databases kept apart do, where trees are added."""


def prepare(shared: Path, work: Path, at_once: int = 2) -> None:
    """Load the databases and draw every question's graph."""
    from pluto_duck_text2sql.learned.pieces import Pieces
    from pluto_duck_training import pretrained

    every = questions(shared)
    with ProcessPoolExecutor(at_once) as pool:
        real = pool.map(partial(_over_real, shared=shared, work=work), sorted(every.items()))
        made_up = pool.map(_over_made_up, (*range(invented.MADE_UP), *trades()))
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
    keep(work / "examples.pkl", packed=packed(graphs, Pieces(vocabulary)))
    keep(work / "folds.pkl", folds=parts)
    upper = {name: each for name, each in tensors.items() if name.startswith("encoder.layer.")}
    keep(work / "pretrained.pkl", lower=lower.state_dict(), upper=upper, vocabulary=vocabulary)


def _over_real(
    questions_: tuple[str, list[dict[str, Any]]], shared: Path, work: Path
) -> tuple[str, tuple[Table, ...], list[Drawn]]:
    """A database of the training set: its tables, and its questions with those invented over it, drawn."""
    name, some = questions_
    with opened(name, shared, work / "databases") as database:
        every = [*some, *invented.over(database), *asked.over(database, gold(some))]
        return name, database.catalog.tables, drawn(name, database.catalog, every)


def _over_made_up(wanted: int | str) -> tuple[set[str], list[Drawn]]:
    """A made-up database, by its number or its trade: the groups of its questions, and these drawn."""
    if isinstance(wanted, str):
        database, some = invented.over_trade(wanted)
    else:
        database, some = next(invented.over_made_up(invented.MADE_UP, wanted))
    every = [*some, *asked.over(database, {})]
    return {each["group"] for each in every}, drawn(database.name, database.catalog, every)


def learn(work: Path, fold: int, epochs: int = EPOCHS) -> None:
    """Train one network and write it as the package reads it; `fold` is left out, ALL leaves none out.

    The network of all questions learns from those of the folds as well, which must be there.
    """
    from pluto_duck_training.learn import learn as train

    questions_, base = asked_of(work, taught=fold == ALL), kept(work / "pretrained.pkl")
    parts = kept(work / "folds.pkl")["folds"]
    of = [parts.get(each) for each in questions_.packed.databases]
    seen, unseen = ([n for n, part in enumerate(of) if (part == fold) is apart] for apart in (False, True))
    network = train(questions_, seen, base["upper"], epochs, seed=10 + fold, test=unseen)
    write(network.state_dict(), questions_, base, _network(work, fold))
    judged_as_shipped(_network(work, fold))


def further(work: Path, databases: AbstractSet[str]) -> None:
    """Let the network that ships learn on from what is written about these databases; write it as that of all.

    Of what it knows already it is its own teacher. Raises SystemExit where nothing is written about one of them.
    """
    from pluto_duck_training import learn, teachers
    from pluto_duck_training.ship import shipped

    every: Packed = kept(work / "examples.pkl")["packed"]
    of = [name.partition("-asked-")[0] in databases for name in every.ids]
    missing = databases - {name.partition("-asked-")[0] for name in every.ids}
    if missing or not databases:
        raise SystemExit(_NOTHING_WRITTEN.format(", ".join(sorted(missing)) or "--of"))
    new, known = ([n for n, is_new in enumerate(of) if is_new is wanted] for wanted in (True, False))
    questions_ = asked_of(work, cores=os.cpu_count() or 1)
    base = kept(work / "pretrained.pkl")
    questions_.learn_from(teachers.told(questions_, [teachers.opened_network(WEIGHTS, questions_.device)], known))
    network = learn.further(questions_, new, known, shipped(WEIGHTS), seed=10 + ALL)
    write(network.state_dict(), questions_, base, _network(work, ALL))
    judged_as_shipped(_network(work, ALL))


def ranked_further(shared: Path, work: Path) -> None:
    """Add trees to the ranker that ships that learn from what the network that learned on writes: of the suites' and
    the tests' questions, and of those that are written about databases kept apart from all learning."""
    from pluto_duck_training import ranker

    for name in ("suites.pkl", "cases.pkl"):
        (work / name).unlink(missing_ok=True)  # what another network wrote
    judge_suites(shared, work)
    judge_cases(work)
    with using(_network(work, ALL)):
        apart = [each for name in sorted(asked.HELD) for each in _judged_apart(name, shared, work)]
    of_suites, of_cases = (kept(work / name)["invented"] for name in ("suites.pkl", "cases.pkl"))
    counted = ((of_suites, _COUNTS[_SUITES]), (apart, _APART), (of_cases, _COUNTS[_CASES]))
    some = [each for part, count in counted for each in part for _ in range(count)]
    before = np.load(WEIGHTS / "ranker.npz")
    ranker.write(ranker.further(before, some), _network(work, ALL) / "ranker.npz")


def _judged_apart(name: str, shared: Path, work: Path) -> list[Judged]:
    """The candidates for what is written about a database of which nothing learns."""
    every = questions(shared)
    if name in every:
        with opened(name, shared, work / "databases") as database:
            return _judged_over(database, asked.over(database, gold(every[name]), held=True))
    number = None if name in trades() else int(name.split("_")[1])
    made, _ = invented.over_trade(name) if number is None else next(invented.over_made_up(invented.MADE_UP, number))
    return _judged_over(made, asked.over(made, {}, held=True))


def _judged_over(database: Any, written: Sequence[dict[str, Any]]) -> list[Judged]:
    some = invented.with_rows([each for each in written if has_answer(each)], database)
    return list(Judge(database.catalog, database.run, is_right).judged(some))


def asked_of(work: Path, taught: bool = False, cores: int = 1) -> Questions:
    """What `prepare` drew, on a GPU where there is one, else on so many cores."""
    import torch

    from pluto_duck_training import pretrained
    from pluto_duck_training.batches import Questions

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_num_threads(cores)
    lower = pretrained.frozen(kept(work / "pretrained.pkl")["lower"])
    every: Packed = kept(work / "examples.pkl")["packed"]
    return Questions(every, lower, device, tell(work) if taught else None)


def tell(work: Path) -> Told:
    """What the folds' networks together make of every question."""
    from pluto_duck_training.teachers import opened_network, told

    if not (work / "told.pkl").exists():
        questions_ = asked_of(work)
        networks = [opened_network(_network(work, fold), questions_.device) for fold in range(FOLDS)]
        keep(work / "told.pkl", told=told(questions_, networks))
    found: Told = kept(work / "told.pkl")["told"]
    return found


def write(weights: dict[str, Any], questions_: Questions, base: dict[str, Any], folder: Path) -> None:
    """A network's parts as the package reads them."""
    from pluto_duck_training.ship import ship

    ship(weights, base["lower"], questions_.mean.cpu().numpy(), base["vocabulary"], folder)


def judged_as_shipped(folder: Path) -> None:
    """Put the trees and the curves that ship beside a network, so that the analyst can use it."""
    for name in ("ranker.npz", "answerable.npz", "curves.json"):
        shutil.copy(WEIGHTS / name, folder / name)


def learn_all(work: Path, whole: bool, at_once: int = 2) -> None:
    """All folds, so many processes at a time, then the `whole`; what is there already is kept."""
    _learn_each(work, range(FOLDS), at_once)
    if whole:
        _learn_each(work, (ALL,), 1)


def _learn_each(work: Path, wanted: Iterable[int], at_once: int) -> None:
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


def judge_all(shared: Path, work: Path, at_once: int = 2) -> None:
    """Every fold that is not judged yet, so many at a time, then the suites and the tests' questions."""
    left = [fold for fold in range(FOLDS) if not (work / f"judged{fold}.pkl").exists()]
    with ProcessPoolExecutor(at_once) as pool:
        list(pool.map(partial(judge, shared, work), left))
    judge_suites(shared, work)
    judge_cases(work)


def judge(shared: Path, work: Path, fold: int) -> None:
    """Candidates for a fold's questions, written by the network that had not seen them, run and compared.

    `lacking` are those of questions whose data was robbed of something they need.
    """
    parts = kept(work / "folds.pkl")["folds"]
    found, extra, lacking = [], [], []
    with using(_network(work, fold)):
        for name, some in sorted(questions(shared).items()):
            if parts[name] == fold:
                with opened(name, shared, work / "databases") as database:
                    judge_ = Judge(database.catalog, database.run, is_right)
                    found += list(judge_.judged(some))
                    written = asked.over(database, gold(some))
                    extra += list(judge_.judged(invented.with_rows(written, database)))
                    lacking += [*judge_.lacking(some), *judge_.in_vain(_without_answer(written))]
        for made, some in invented.judged():
            own = [each for each in [*some, *_written_of(made)] if parts[each["group"]] == fold]
            judge_ = Judge(made.catalog, made.run, is_right)
            extra += list(judge_.judged(invented.with_rows(own, made)))
            lacking += [*judge_.lacking(own), *judge_.in_vain(_without_answer(own))]
    keep(work / f"judged{fold}.pkl", judged=found, invented=extra, lacking=lacking)


def _written_of(made: MadeUp) -> list[dict[str, Any]]:
    """The written questions about a made-up database; of a trade's, which has many, one in three."""
    some = asked.over(made, {})
    return [each for each in some if is_chosen(each["id"])] if made.name in trades() else some


def _without_answer(some: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for each in some if not has_answer(each)]


def figures(work: Path) -> dict[str, float]:
    """What each fold gave with network, ranker and curves that had not seen it, together; also in figures.json."""
    from pluto_duck_training import confidence

    folds_ = _judged(work)
    right = {fold: folds_.evidence(fold) for fold in folds_.asked}
    found = confidence.across(right, {fold: len(some) for fold, some in folds_.asked.items()})
    found |= {"in_list": folds_.share(any), "written_first": folds_.share(lambda right: right[:1] == [True])}
    found |= folds_.refused
    (work / "figures.json").write_text(json.dumps(found, indent=2) + "\n")
    return found


def fit(work: Path, out: Path) -> None:
    """Write the weights that ship: the network of all databases, the trees and the curves of all folds."""
    from pluto_duck_training import confidence, ranker

    folds_ = _judged(work)
    out.mkdir(parents=True, exist_ok=True)
    shutil.copytree(_network(work, ALL), out, dirs_exist_ok=True)
    ranker.save(ranker.fit(folds_.all()), out / "ranker.npz")
    ranker.save(folds_.answering(), out / "answerable.npz")
    confidence.write(out / "curves.json", folds_.curves())


def answer(shared: Path, work: Path) -> dict[str, float]:
    """What the whole analyst makes of each judged fold, with networks, rankers and curves that had not seen it."""
    from pluto_duck_training import answers

    if not (work / "whole.pkl").exists():
        networks = {part: _network(work, fold) for fold in _folds_judged(work) for part in _parts_of(fold)}
        keep(work / "whole.pkl", answers=answers.answers(shared, work, _judged(work), networks))
    return answers.figures(kept(work / "whole.pkl")["answers"])


def without_suites(work: Path) -> Path:
    """The network of all questions with trees and curves that learned from no suite."""
    from pluto_duck_training import answers

    folder = work / f"model{_SUITES}"
    answers.write_model(folder, _of_all(work), _judged(work), _SUITES)
    return folder


def judge_suites(shared: Path, work: Path) -> None:
    """The suites' questions; the ranker learns from these too, but no figure is of them."""
    from pluto_duck_training import suites

    if not (work / "suites.pkl").exists():
        with using(_of_all(work)):
            keep(work / "suites.pkl", **suites.judged(shared, work / "databases"))


def judge_cases(work: Path) -> None:
    """The questions of the analyst's tests, which the ranker learns from."""
    from pluto_duck_training import cases

    if not (work / "cases.pkl").exists():
        with using(_of_all(work)):
            keep(work / "cases.pkl", **cases.judged())


def _of_all(work: Path) -> Path:
    """The network that learned from all questions: of this training if there is one, else the one that ships."""
    own = _network(work, ALL)
    return own if own.exists() else WEIGHTS


def _judged(work: Path) -> Folds:
    """The halves of each fold that was judged, numbered, and the suites."""
    from pluto_duck_training.judgements import Folds, halves

    every = {fold: halves(kept(work / f"judged{fold}.pkl")) for fold in _folds_judged(work)}
    parts = {part: half for fold, both in every.items() for part, half in zip(_parts_of(fold), both, strict=True)}
    return Folds({**parts, _SUITES: kept(work / "suites.pkl"), _CASES: kept(work / "cases.pkl")}, _COUNTS)


def _folds_judged(work: Path) -> list[int]:
    return [fold for fold in range(FOLDS) if (work / f"judged{fold}.pkl").exists()]


def _parts_of(fold: int) -> tuple[int, int]:
    """The numbers of a fold's halves."""
    return 2 * fold, 2 * fold + 1


def _network(work: Path, fold: int) -> Path:
    return work / f"network{fold}"

"""`python -m pluto_duck_training STEP --work FOLDER --shared FOLDER`; what is there already is kept."""

from __future__ import annotations

import argparse
from pathlib import Path

from pluto_duck_training.folds import ALL, FOLDS

_STEPS = ("train", "eval", "learn", "further", "judge", "ablate", "calibrate", "turns", "gaps", "rules", "plain")
_WEIGHTS = Path(__file__).parent.parent / "pluto_duck_text2sql" / "weights"


def main() -> None:
    """Parse the command line and take the step."""
    parser = argparse.ArgumentParser(prog="pluto_duck_training", description=__doc__)
    parser.add_argument("step", choices=_STEPS)
    parser.add_argument("--work", type=Path, default=Path(".train"), help="where each step writes")
    parser.add_argument("--shared", type=Path, default=Path("../shared/nl2sql"), help="questions.jsonl, databases/")
    parser.add_argument("--fold", type=int, help=f"0 to {FOLDS - 1}; {ALL}: none is left out")
    parser.add_argument(
        "--of",
        nargs="+",
        default=[],
        help="databases whose written questions `further` learns from; suites of others",
    )
    parser.add_argument("--out", type=Path, default=_WEIGHTS, help="where the weights go")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    _take(given)


def _take(given: argparse.Namespace) -> None:
    if given.step in _ALONE:
        _ALONE[given.step](given)
        return
    from pluto_duck_training import steps

    if not (given.work / "examples.pkl").exists():
        steps.prepare(given.shared, given.work)
    _OF_EXAMPLES.get(given.step, _whole)(given)


def _calibrate(given: argparse.Namespace) -> None:
    from pluto_duck_training.calibrate import calibrate

    _tell(calibrate(given.shared, given.work, given.out))


def _turns(given: argparse.Namespace) -> None:
    from pluto_duck_training import turns

    _tell(turns.calibrate(given.shared, given.work, given.out))


def _gaps(given: argparse.Namespace) -> None:
    from pluto_duck_training import gaps

    _tell(gaps.gaps(given.shared, given.work, given.of or gaps.SUITES))


def _rules(given: argparse.Namespace) -> None:
    from pluto_duck_training import rules

    _tell(rules.rules(given.shared, given.work, given.of or rules.SUITES))


def _plain(given: argparse.Namespace) -> None:
    from pluto_duck_training import plain

    _tell(plain.write(given.shared, given.work))


def _learn(given: argparse.Namespace) -> None:
    from pluto_duck_training import steps

    steps.learn(given.work, given.fold)


def _further(given: argparse.Namespace) -> None:
    from pluto_duck_training import steps

    steps.further(given.work, frozenset(given.of))
    steps.ranked_further(given.shared, given.work)


def _judge(given: argparse.Namespace) -> None:
    from pluto_duck_training import steps

    steps.judge(given.shared, given.work, given.fold)


def _ablate(given: argparse.Namespace) -> None:
    from pluto_duck_training.ablations import ablations

    _tell(ablations(given.shared, given.work, given.fold))


def _whole(given: argparse.Namespace) -> None:
    """`eval`: what is not learned yet, then the figures; `train` also writes what ships."""
    from pluto_duck_training import steps

    steps.learn_all(given.work, whole=given.step == "train")
    steps.judge_all(given.shared, given.work)
    if given.step == "train":
        steps.fit(given.work, given.out)
    _tell(steps.figures(given.work))
    _tell({f"whole: {name}": value for name, value in steps.answer(given.shared, given.work).items()})


def _tell(figures: dict[str, float]) -> None:
    for name, value in figures.items():
        print(f"{name:<40} {value:.4f}")


_ALONE = {"calibrate": _calibrate, "turns": _turns, "gaps": _gaps, "rules": _rules, "plain": _plain}
"""Steps that learn from no examples."""
_OF_EXAMPLES = {"learn": _learn, "further": _further, "judge": _judge, "ablate": _ablate}


if __name__ == "__main__":
    main()

"""`python -m pluto_duck_training STEP --work FOLDER --shared FOLDER`; what is there already is kept."""

from __future__ import annotations

import argparse
from pathlib import Path

from pluto_duck_training.folds import ALL, FOLDS

_STEPS = ("train", "eval", "learn", "further", "judge", "ablate", "calibrate", "turns", "plain")
_WEIGHTS = Path(__file__).parent.parent / "pluto_duck_text2sql" / "weights"


def main() -> None:
    """Parse the command line and take the step."""
    parser = argparse.ArgumentParser(prog="pluto_duck_training", description=__doc__)
    parser.add_argument("step", choices=_STEPS)
    parser.add_argument("--work", type=Path, default=Path(".train"), help="where each step writes")
    parser.add_argument("--shared", type=Path, default=Path("../shared/nl2sql"), help="questions.jsonl, databases/")
    parser.add_argument("--fold", type=int, help=f"0 to {FOLDS - 1}; {ALL}: none is left out")
    parser.add_argument("--of", nargs="+", default=[], help="databases whose written questions `further` learns from")
    parser.add_argument("--out", type=Path, default=_WEIGHTS, help="where the weights go")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    _take(given)


def _take(given: argparse.Namespace) -> None:
    if given.step == "calibrate":
        from pluto_duck_training.calibrate import calibrate

        _tell(calibrate(given.shared, given.work, given.out))
        return
    if given.step == "turns":
        from pluto_duck_training import turns

        _tell(turns.calibrate(given.shared, given.work, given.out))
        return
    if given.step == "plain":
        from pluto_duck_training import plain

        _tell(plain.write(given.shared, given.work))
        return
    from pluto_duck_training import steps

    if not (given.work / "examples.pkl").exists():
        steps.prepare(given.shared, given.work)
    if given.step == "learn":
        steps.learn(given.work, given.fold)
        return
    if given.step == "further":
        steps.further(given.work, frozenset(given.of))
        steps.ranked_further(given.shared, given.work)
        return
    if given.step == "judge":
        steps.judge(given.shared, given.work, given.fold)
        return
    if given.step == "ablate":
        from pluto_duck_training.ablations import ablations

        _tell(ablations(given.shared, given.work, given.fold))
        return
    steps.learn_all(given.work, whole=given.step == "train")
    steps.judge_all(given.shared, given.work)
    if given.step == "train":
        steps.fit(given.work, given.out)
    _tell(steps.figures(given.work))
    _tell({f"whole: {name}": value for name, value in steps.answer(given.shared, given.work).items()})


def _tell(figures: dict[str, float]) -> None:
    for name, value in figures.items():
        print(f"{name:<40} {value:.4f}")


if __name__ == "__main__":
    main()

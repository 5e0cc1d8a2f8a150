"""`python -m pluto_duck_training.synthetic --show 60`: samples of the questions over made-up databases, and counts."""

from __future__ import annotations

import argparse
import contextlib
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pluto_duck_text2sql.learned.line import Val, Word
from pluto_duck_text2sql.tree import Col, Rows
from pluto_duck_training.synthetic.databases import MadeUp, made_up
from pluto_duck_training.synthetic.questions import Made, Tally, generate_all

_NOT_THESE = frozenset(("chinook_1", "store_1"))
"""Chinook's tables: a test set."""


def main() -> None:
    """Parse the command line, make questions, and print some."""
    parser = argparse.ArgumentParser(prog="pluto_duck_training.synthetic", description=__doc__)
    parser.add_argument("--show", type=int, default=60, help="how many questions to print")
    parser.add_argument("--databases", type=int, default=12, help="how many databases to make up")
    parser.add_argument("--each", type=int, default=60, help="how many questions over each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shared", type=Path, help="a folder with questions.jsonl and databases/: over these too")
    parser.add_argument("--roots", type=Path, help="where the databases of --shared are loaded to")
    parser.add_argument("--losses", action="store_true", help="what became of each family's drawings")
    given = parser.parse_args()
    tally = Tally()
    made = list(generate_all(_databases(given), given.each, given.seed, tally))
    _print(made, given, tally)


def _databases(given: argparse.Namespace) -> Iterator[MadeUp]:
    yield from made_up(given.databases, given.seed)
    if given.shared:
        from pluto_duck_training.sources import opened

        for path in sorted((given.shared / "databases").glob("*.sqlite")):
            if path.stem not in _NOT_THESE:
                with contextlib.ExitStack() as stack:
                    database = stack.enter_context(opened(path.stem, given.shared, given.roots))
                    yield MadeUp(database.name, database.catalog, database.run)


def _print(made: Sequence[tuple[str, Made]], given: argparse.Namespace, tally: Tally) -> None:
    for name, each in random.Random(given.seed).sample(made, min(given.show, len(made))):
        print(f"{each.question}\n    {name} {each.family}: {written(each.line)}")
    kinds = Counter(each.kind for _, each in made)
    print(f"\n{len(made)} questions: " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    total = sum(tally.outcomes.values(), Counter[str]())
    reached = total["made"] + total["empty"]
    print(f"within reach: {reached / max(reached + total['unreached'], 1):.1%} of the lines drawn")
    if given.losses:
        for family, outcomes in sorted(tally.outcomes.items()):
            print(f"{family:<32}", ", ".join(f"{name} {count}" for name, count in outcomes.most_common()))


def written(line: Sequence[Word]) -> str:
    """A line as one reads it."""
    return " ".join(map(_word, line))


def _word(word: Word) -> str:
    match word:
        case Col(table, name):
            return f"{table[1]}.{name}"
        case Rows(table):
            return table[1]
        case Val(value):
            return repr(value)
    return word


if __name__ == "__main__":
    main()

"""How many broken queries are repaired without a model, by kind; over 20 databases."""

import os
import random
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from tests.agent.repair.measuring import opened, outcomes, questions

SHARED = Path(os.environ.get("PLUTODUCK_SHARED", Path(__file__).parents[3] / "shared")) / "nl2sql"


def main():
    chance, every = random.Random(77), questions(SHARED)
    by_kind = defaultdict(Counter)
    for name in chance.sample(sorted(every), 20):
        with tempfile.TemporaryDirectory() as root, opened(name, SHARED, Path(root)) as data:
            for kind, found in outcomes(data, every[name], chance).items():
                by_kind[kind] += found
    for kind, found in by_kind.items():
        print(f"{kind:26} {dict(found)}")
    total = sum(by_kind.values(), Counter())
    print(
        f"{total.total()} broken queries: {total['right'] / total.total():.1%} repaired without a model {dict(total)}"
    )


if __name__ == "__main__":
    main()

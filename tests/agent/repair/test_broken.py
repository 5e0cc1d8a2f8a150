"""SQL broken in all the ways that models break it is repaired without asking one again."""

import random
from collections import Counter

from tests.agent.repair.measuring import opened, outcomes, questions

DATABASES = ["bike_1", "climbing", "e_learning", "hr_1"]


def test_nine_in_ten_broken_queries_are_repaired_without_a_model(shared, tmp_path):
    chance, total, kinds = random.Random(11), Counter(), set()
    every = questions(shared / "nl2sql")
    for name in DATABASES:
        with opened(name, shared / "nl2sql", tmp_path) as data:
            for kind, found in outcomes(data, every[name], chance).items():
                total += found
                kinds.add(kind)
    assert len(kinds) >= 30
    assert total["right"] >= 0.9 * total.total(), total
    assert total["wrong"] <= 0.02 * total.total(), total

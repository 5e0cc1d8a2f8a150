"""Questions whose rows are known, in folders by what they are about: `<folder>/questions.jsonl` and its databases.

`measures`: arithmetic, comparisons of columns, ranking and shares; `everyday`: several figures side by side, parts of
groups, both of two years, units, names; `commerce`: profit, buyers who come back, what they spend, baskets.
"""

from pathlib import Path

import pytest
from tests.text2sql.databases import answered, cases_of, closed, opened

_FOLDERS = {name: Path(__file__).with_name(name) for name in ("measures", "everyday", "commerce")}
_CASES = [
    pytest.param(name, case, id=case["question"])
    for name, folder in _FOLDERS.items()
    for case in cases_of(folder / "questions.jsonl")
]


@pytest.fixture(scope="module")
def databases():
    made = {name: opened(folder) for name, folder in _FOLDERS.items()}
    yield made
    for each in made.values():
        closed(each)


@pytest.mark.parametrize(("folder", "case"), _CASES)
def test_the_rows_are_those_asked_for(folder, case, databases):
    wanted, given, sql = answered(databases[folder], case)
    assert given == wanted if case.get("ordered") else sorted(given, key=str) == sorted(wanted, key=str), sql

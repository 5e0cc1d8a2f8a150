"""Invented questions as training takes them: over made-up databases, and over those of the training set.

A made-up question's fold is its family's, so that each network is judged on ways of asking that it has not seen; one
about a database of the training set is in that database's fold.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.learned.sketch import to_query
from pluto_duck_text2sql.trees.render import render
from pluto_duck_training.folds import FOLDS
from pluto_duck_training.negatives import has_answer
from pluto_duck_training.synthetic.databases import MadeUp, made_up, traded
from pluto_duck_training.synthetic.domains import trades
from pluto_duck_training.synthetic.questions import TODAY, Database, Made, generate

MADE_UP, PER_MADE_UP, PER_DATABASE = 60, 140, 25
_JUDGED = 15
"""Over so many of the made-up databases the ranker learns from the networks' answers too, and over all trades'."""
# Databases that resemble those of the suites, which must stay unseen.
_LEFT_OUT = frozenset(("chinook_1", "store_1"))
_SEED = 21
_NUMBERED = re.compile(r"synthetic_(\d+)_")


def over(database: Database) -> list[dict[str, Any]]:
    """Invented questions about a database of the training set."""
    if database.name in _LEFT_OUT:
        return []
    made = generate(database.catalog, database.run, random.Random(f"{_SEED}/{database.name}"), PER_DATABASE)
    return [_question(each, database.name, n, database.name) for n, each in enumerate(made)]


def over_made_up(count: int = MADE_UP, first: int = 0) -> Iterator[tuple[MadeUp, list[dict[str, Any]]]]:
    """Made-up databases from the `first`, each with its questions."""
    for database in made_up(count, _SEED, first):
        yield database, _invented(database)


def judged() -> Iterator[tuple[MadeUp, list[dict[str, Any]]]]:
    """Those that the ranker learns from, with the invented questions that it does: none over trades."""
    yield from over_made_up(_JUDGED)
    for name in trades():
        yield traded(name, _SEED), []


def over_trade(name: str) -> tuple[MadeUp, list[dict[str, Any]]]:
    """A trade's database (`trades()`), with its questions."""
    database = traded(name, _SEED)
    return database, _invented(database)


def _invented(database: Database) -> list[dict[str, Any]]:
    made = generate(database.catalog, database.run, random.Random(f"{_SEED}/{database.name}"), PER_MADE_UP)
    return [_question(each, database.name, n, f"family/{each.family}") for n, each in enumerate(made)]


def is_made_up(name: str) -> bool:
    """Whether a database of this name is none of the training set's."""
    return name in trades() or _NUMBERED.match(name) is not None


def one_made_up(name: str) -> MadeUp:
    """The made-up database called so. Raises LookupError."""
    if name in trades():
        return traded(name, _SEED)
    number = _NUMBERED.match(name)
    found = next(made_up(int(number[1]) + 1, _SEED, int(number[1]))) if number else None
    if found is None or found.name != name:
        raise LookupError(f"No database {name!r}: neither in the training set nor made up.")
    return found


def _question(made: Made, name: str, number: int, group: str) -> dict[str, Any]:
    return {
        "id": f"{name}-{number}",
        "db": name,
        "question": made.question,
        "line": made.line,
        "kind": made.kind,
        "group": group,
        "invented": True,
    }


def family_fold(group: str) -> int:
    """The fold of a family of wordings."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % FOLDS


def with_rows(questions: Sequence[dict[str, Any]], database: Database) -> list[dict[str, Any]]:
    """Those that have an answer, with the rows that their lines find, as `is_right` compares them."""
    return [{**each, **_expected(each, database.catalog, database)} for each in questions if has_answer(each)]


def _expected(question: dict[str, Any], catalog: Catalog, database: Database) -> dict[str, Any]:
    query = to_query(question["line"], catalog, TODAY)
    rows = [list(row) for row in database.run(render(query, catalog, JoinGraph(catalog)))]
    return {"rows": rows, "row_count": len(rows), "ordered": bool(query.order), "limited": query.limit is not None}

"""Makes questions over a catalog: a family, a fact that fits it, a line and a wording; kept where its SQL finds rows.

A question is kept only if its line can be pointed at from the question's graph, parses, and runs.
"""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import Unreachable
from pluto_duck_text2sql.learned.graph import Grapher
from pluto_duck_text2sql.learned.line import Malformed, Val, Word
from pluto_duck_text2sql.learned.sketch import to_query
from pluto_duck_text2sql.trees.render import render
from pluto_duck_training.synthetic.lines import (
    is_grammatical,
    is_grouped,
    is_straight,
    is_telling,
    labels_of,
    line_of,
    said_of,
)
from pluto_duck_training.synthetic.naming import words_of
from pluto_duck_training.synthetic.polish import polished
from pluto_duck_training.synthetic.roles import Run, Schema
from pluto_duck_training.synthetic.slots import Draw, Unfit
from pluto_duck_training.synthetic.wordings import Family, families
from pluto_duck_training.targets import Missed, to_targets

TODAY = dt.date(2025, 1, 1)
_UNSAID = frozenset("in of on at by to is has taken mailed".split())
"""Tables called so, as `participates_in`, are no nouns."""
_TRIES = 16
_MOST_ALIKE = 3


@dataclass(frozen=True)
class Made:
    """A question, the line that it means, and its kind; `family` is the template it is of."""

    question: str
    line: list[Word]
    kind: str
    family: str = ""


@dataclass
class Tally:
    """What became of the drawings of each family: made, unreached, malformed, empty, unfit; those unreached."""

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    failed: list[tuple[str, str, list[Word]]] = field(default_factory=list)
    unreached: list[tuple[str, str, list[Word]]] = field(default_factory=list)

    def add(self, family: Family, outcome: str) -> None:
        self.outcomes.setdefault(family.name, Counter())[outcome] += 1


class Database(Protocol):
    """What questions are made over."""

    @property
    def name(self) -> str: ...
    @property
    def catalog(self) -> Catalog: ...
    @property
    def run(self) -> Run: ...


def generate(catalog: Catalog, run: Run, rng: random.Random, count: int, tally: Tally | None = None) -> list[Made]:
    """At most `count` distinct questions, of all families that the catalog has something for, evenly."""
    maker = Maker(catalog, run, rng, tally or Tally())
    return maker.made(count) if maker.facts else []


def generate_all(
    databases: Iterable[Database], count: int, seed: int = 1, tally: Tally | None = None
) -> Iterator[tuple[str, Made]]:
    """At most `count` distinct questions over each of the databases, each with the database's name."""
    for database in databases:
        rng = random.Random(f"{seed}/{database.name}")
        for made in generate(database.catalog, database.run, rng, count, tally):
            yield database.name, made


class Maker:
    """Makes questions over one catalog."""

    def __init__(self, catalog: Catalog, run: Run, rng: random.Random, tally: Tally) -> None:
        self._schema = Schema(catalog, run)
        self._grapher = Grapher(catalog, self._schema.joins)
        self._rng = rng
        self._tally = tally
        self._questions: set[str] = set()
        self._lines: Counter[str] = Counter()
        things = self._schema.things.values()
        sayable = [each for each in things if words_of(each.table.name)[-1] not in _UNSAID]
        self.facts = [each for each in sayable for _ in range(1 + 2 * bool(each.dates) + 2 * bool(each.parents))]

    def made(self, count: int) -> list[Made]:
        """The questions, families in turn; a family that nothing comes of is left out after a while."""
        every = list(families())
        failed: Counter[str] = Counter()
        found: list[Made] = []
        while every and len(found) < count:
            self._rng.shuffle(every)
            for family in every:
                if len(found) >= count:
                    break
                made = self.one(family)
                found += [made] if made else []
                failed[family.name] += -1 if made else 1
            every = [each for each in every if failed[each.name] < 2]
        return found

    def one(self, family: Family) -> Made | None:
        """A question of a family, or nothing after some tries."""
        for _ in range(_TRIES):
            draw = Draw(self._schema, self._rng.choice(self.facts), self._rng, family.places)
            try:
                line, question = self._drawn(draw, family)
            except (Unfit, Malformed):
                self._tally.add(family, "unfit")
                continue
            outcome = self._outcome(draw, family, line, question)
            self._tally.add(family, outcome)
            if outcome == "made":
                return Made(question, line, family.kind, family.name)
        return None

    def _drawn(self, draw: Draw, family: Family) -> tuple[list[Word], str]:
        line = line_of(draw, family)
        said = said_of(draw, family.wording(self._rng))
        fixed = {word.casefold() for each in line if isinstance(each, Val) for word in str(each.value).split()}
        if {"flag", "n", "k", "nth"} & set(family.places):
            fixed |= set(said.casefold().split())
        return line, polished(said, labels_of(draw, family.line), fixed, self._rng)

    def _outcome(self, draw: Draw, family: Family, line: list[Word], question: str) -> str:
        """Whether the question is good, or what is wrong with it."""
        key = str([str(each) for each in line])
        if question.casefold() in self._questions or self._lines[key] >= _MOST_ALIKE:
            return "known"
        if not is_straight(draw, line):
            return "roundabout"
        if not self._is_reached(line, question):
            self._tally.unreached.append((family.name, question, line))
            return "unreached"
        try:
            rows = self._schema.run(self._sql(line))
        except (Malformed, Unreachable) as error:
            return type(error).__name__.casefold()
        if rows is None:
            self._tally.failed.append((family.name, question, line))
            return "failed"
        if not is_telling(rows, is_grouped(line)):
            return "empty"
        self._questions.add(question.casefold())
        self._lines[key] += 1
        return "made"

    def _sql(self, line: list[Word]) -> str:
        schema = self._schema
        return render(to_query(line, schema.catalog, TODAY), schema.catalog, schema.joins)

    def _is_reached(self, line: list[Word], question: str) -> bool:
        """Whether every word of the line is a node of the question's graph, and the grammar allows it."""
        try:
            to_targets(line, self._grapher.graph(question))
        except (Missed, ValueError):
            return False
        return is_grammatical(line)

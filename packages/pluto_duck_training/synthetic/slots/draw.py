"""One drawing: a fact of a catalog, and what the places of one template stand for there."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from pluto_duck_text2sql.learned.line import Val, Word
from pluto_duck_text2sql.tree import Col, TableKey
from pluto_duck_training.synthetic.naming import Namer
from pluto_duck_training.synthetic.roles import Place, Schema, Thing

_T = TypeVar("_T")


class Unfit(ValueError):
    """The catalog has nothing for this place of the template."""


@dataclass
class Slot:
    """What a place stands for: words of the line and ways to say it, both by attribute; `label` heads its column."""

    words: dict[str, list[Word]] = field(default_factory=dict)
    says: dict[str, tuple[str, ...]] = field(default_factory=dict)
    label: str = ""


@dataclass
class Condition:
    """A condition of the line, and how it is said after a noun, or before it as `adjective`."""

    words: list[Word]
    said: tuple[str, ...]
    adjective: str = ""
    is_period: bool = False


class Draw:
    """The slots of one template over one fact; the same name stands for the same thing throughout."""

    def __init__(self, schema: Schema, fact: Thing, rng: random.Random, names: Sequence[str]) -> None:
        self.schema = schema
        self.fact = fact
        self.rng = rng
        self.namer = Namer(schema, rng)
        self.names = names
        self.used: set[Col] = set()
        self.used_things: set[TableKey] = set()
        self.bound: dict[TableKey, Thing] = {}
        self.used_words: set[str] = set()
        self.places: dict[Col, Place] = {}
        self.date: tuple[Place, bool] | None = None
        self.conditions: list[Condition] = []
        self._slots: dict[str, Slot] = {}

    @cached_property
    def above(self) -> list[Thing]:
        """The fact and all that its rows belong to."""
        return self.schema.above(self.fact)

    def slot(self, name: str) -> Slot:
        """What `name` stands for. Raises Unfit."""
        if name not in self._slots:
            self._slots[name] = ROLES[name](self)
        return self._slots[name]

    def put(self, name: str, slot: Slot) -> None:
        """Let `name` stand for something, for those that are drawn two at a time."""
        self._slots[name] = slot

    def find(self, *names: str) -> Slot | None:
        """The first of these that stands for something already."""
        return next((self._slots[name] for name in names if name in self._slots), None)

    def words(self, name: str, attribute: str = "") -> list[Word]:
        """The words of a place. Raises Unfit."""
        return self.slot(name).words[attribute]

    def say(self, name: str, attribute: str = "") -> str:
        """A way to say a place. Raises Unfit."""
        says = self.slot(name).says.get(attribute)
        if not says:
            raise Unfit(f"{name}.{attribute} cannot be said")
        said = self.rng.choice(says)
        return self._adjectives(said) if (name, attribute) == ("F", "many") else said

    def _adjectives(self, said: str) -> str:
        """With a condition in front that is said so: cancelled bookings."""
        for condition in self.conditions:
            if condition.adjective and self.rng.random() < 0.6:
                self.conditions.remove(condition)
                return f"{condition.adjective} {said}"
        return said

    def pick(self, among: Sequence[_T]) -> _T:
        """One of them. Raises Unfit where there are none."""
        if not among:
            raise Unfit("nothing of this kind")
        return self.rng.choice(among)

    def take(self, among: Sequence[Place]) -> Place:
        """A column not used yet, from now on used. Raises Unfit."""
        place = self.pick([each for each in among if each.col not in self.used])
        self.used.add(place.col)
        return place

    def named(self, place: Place) -> str:
        """A column's name as it is said here."""
        return self.namer.column(place, self.above)


ROLES: dict[str, Callable[[Draw], Slot]] = {}


def role(*names: str) -> Callable[[Callable[[Draw], Slot]], Callable[[Draw], Slot]]:
    """Puts a function into ROLES under these names."""

    def add(make: Callable[[Draw], Slot]) -> Callable[[Draw], Slot]:
        ROLES.update(dict.fromkeys(names, make))
        return make

    return add


def value(of: object) -> list[Word]:
    """A value as words of a line."""
    return [Val(of)]

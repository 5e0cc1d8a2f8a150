"""How people say the names of tables and columns: split, singular or plural, without prefixes, by other words."""

from __future__ import annotations

import random
import re
from functools import lru_cache

from pluto_duck_text2sql.language.abbreviations import spelt_out
from pluto_duck_text2sql.language.words import VOCABULARY, name_stems, split_glued
from pluto_duck_training.synthetic.domains import domains
from pluto_duck_training.synthetic.lexicon import lexicon
from pluto_duck_training.synthetic.roles import Place, Schema, Thing
from pluto_duck_training.synthetic.styles import plural

_SPLIT = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")
_IN_FRONT = frozenset(("dim", "fct", "fact", "tbl", "stg", "raw", "ref", "d", "f"))
_FULL = {"txn": "transaction", "org": "organisation", "max": "maximum", "m3": "", "m2": "", "in3d": "in 3d"}
_UNITS = frozenset("kg km cm ha mw kwh mwh eur usd gb".split())
_AFTER = frozenset(("on", "at", "ts"))
_WHOLE = frozenset("workshop authorship membership sponsorship championship ownership relationship".split())
_SINGULARS = {
    "lens": "lens",
    "news": "news",
    "people": "person",
    "properties": "property",
    "statuses": "status",
    "series": "series",
}


class Namer:
    """Says names, each time perhaps in another way."""

    def __init__(self, schema: Schema, rng: random.Random) -> None:
        self._schema = schema
        self._rng = rng

    def one(self, thing: Thing) -> str:
        """One row of it."""
        words = self.table_words(thing)
        words[-1] = singular(words[-1])
        return self._other(" ".join(words))

    def many(self, thing: Thing) -> str:
        """Rows of it."""
        words = self.one(thing).split()
        return " ".join([*words[:-1], plural(words[-1])])

    def is_person(self, thing: Thing) -> bool:
        """Whether one says who of it."""
        return len(thing.names) == 2 or singular(self.table_words(thing)[-1]) in lexicon().people

    def is_actor(self, thing: Thing) -> bool:
        """Whether it does things rather than having them."""
        words = [singular(each) for each in self.table_words(thing)]
        return bool(lexicon().actors & {*words, words[0]})

    def did(self, thing: Thing) -> str | None:
        """What those did that have one."""
        words = self.table_words(thing)
        words[-1] = singular(words[-1])
        found = lexicon().did.get("_".join(words)) or lexicon().did.get(words[-1])
        return self._rng.choice(found) if found else None

    def table_words(self, thing: Thing) -> list[str]:
        """The words of the table's name."""
        words = words_of(thing.table.name)
        return words[1:] if len(words) > 1 and words[0] in _IN_FRONT else words

    def plain(self, place: Place) -> str:
        """A column's name as it is, in words."""
        return " ".join(self._column_words(place))

    def column(self, place: Place, among: list[Thing] | None = None) -> str:
        """A column's name; with the thing it is of where another thing among these has one of the same name."""
        said = self._other(self.plain(place))
        owner = self._owner(place)
        if owner is None or not (self._is_shared(place, among or []) or self._rng.random() < 0.12):
            return said
        return self._rng.choice((f"{owner} {said}", f"{owner} {said}", f"{said} of the {owner}"))

    def date(self, place: Place) -> str:
        """A date column as a noun: order date, shipping date."""
        return self.plain(place)

    def participle(self, place: Place) -> str | None:
        """What happened then: shipped."""
        words = self.plain(place).split()
        return words[0] if words[0].endswith("ed") and len(words) <= 2 else None

    def _owner(self, place: Place) -> str | None:
        thing = self._schema.things.get(place.table.key)
        one = self.one(thing) if thing else None
        words = set(self.plain(place).split())
        return None if one is None or words & set(one.split()) else one

    def _is_shared(self, place: Place, among: list[Thing]) -> bool:
        others = [column for thing in among for column in thing.table.columns if thing.table.key != place.table.key]
        tables = {thing.table.key: thing.table for thing in among}
        stems = {tables[key].stems(c.name) for key in tables if key != place.table.key for c in tables[key].columns}
        return bool(others) and place.stems in stems

    def _column_words(self, place: Place) -> list[str]:
        words = words_of(place.column.name)
        if len(place.stems) < len(name_stems(place.column.name)):
            words = words[1:]
        kept = [each for each in words if each not in _UNITS]
        if place.column.kind == "time" and len(kept) > 1 and kept[-1] in _AFTER:
            return [*kept[:-1], "date"]
        return kept or words or [place.column.name.casefold()]

    def _other(self, said: str) -> str:
        """Now and then another word for one of its words."""
        words = said.split()
        if self._rng.random() < 0.25:
            for place, word in enumerate(words):
                others = lexicon().alike.get(said) or lexicon().alike.get(word)
                if others and place == len(words) - 1:
                    return " ".join([*words[:place], self._rng.choice(others)])
        return said


def words_of(name: str) -> list[str]:
    """`OrderQty` as order, quantity."""
    parts = [part for part in _SPLIT.sub(" ", name).casefold().split() if part]
    words = [word for part in parts for word in _split(part)]
    full = " ".join(_FULL.get(word, spelt_out(word)) for word in words)
    return full.split() or [name.casefold()]


def _split(part: str) -> tuple[str, ...]:
    """A part of a name, and its words where it is glued of two or three that are known."""
    known = _known()
    if {part, part.removesuffix("s")} & {*known, *_WHOLE}:
        return (part,)
    for place in range(2, len(part) - 1):
        if part[:place] in known:
            rest = _split(part[place:])
            if all(each in known or each.removesuffix("s") in known for each in rest):
                return (part[:place], *rest)
    return split_glued(part)


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    """The words that names are made of."""
    plans = [plan for domain in domains() for plan in domain.tables]
    names = [plan.name for plan in plans] + [field.name for plan in plans for field in plan.fields]
    words = {word for name in names for word in name.split("_") if len(word) > 2}
    return frozenset(
        words | {each for each in VOCABULARY if len(each) > 3} | {"id", "on", "at", "is", "no", "ad"} | _UNITS
    )


def singular(word: str) -> str:
    """One of it."""
    if word in _SINGULARS:
        return _SINGULARS[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word

"""How a made-up database spells its names: snake, Camel, glued, prefixed, abbreviated; plural tables or not."""

from __future__ import annotations

import random
from dataclasses import dataclass

from pluto_duck_training.synthetic.domains import Plan

_SHORT = {
    "department": "dept",
    "quantity": "qty",
    "amount": "amt",
    "number": "nbr",
    "description": "desc",
    "product": "prod",
    "category": "cat",
    "account": "acct",
    "date": "dt",
    "average": "avg",
    "customer": "cust",
    "address": "addr",
    "transaction": "txn",
    "reference": "ref",
    "maximum": "max",
    "organisation": "org",
}
_PLURALS = {"property": "properties", "agency": "agencies", "person": "people", "category": "categories"}
_WRITTEN = "written"
_CASES = ("snake", "snake", "snake", "Pascal", "Pascal", "camel", "glued", "UPPER")
_PREFIXES = (("", ""), ("", ""), ("", ""), ("dim_", "fct_"), ("tbl_", "tbl_"), ("d_", "f_"))


@dataclass(frozen=True)
class Style:
    """How one database names its tables and columns."""

    case: str
    plural: bool
    prefix: tuple[str, str]
    key: str
    short: bool
    initials: bool

    @classmethod
    def any(cls, rng: random.Random) -> Style:
        """One of the styles there are."""
        case = rng.choice(_CASES)
        prefix = rng.choice(_PREFIXES) if case == "snake" else ("", "")
        initials = case in ("snake", "UPPER") and rng.random() < 0.25
        key = rng.choice(("id", "own", "own", "own"))
        return cls(case, rng.random() < 0.6, prefix, key, rng.random() < 0.25, initials)

    @classmethod
    def as_written(cls) -> Style:
        """Names as they are."""
        return cls(_WRITTEN, False, ("", ""), "own", False, False)

    def table(self, plan: Plan) -> str:
        """The table's name."""
        is_fact = any(field.maker == ">" for field in plan.fields) and plan.rows > 100
        words = plan.name.split("_")
        if self.plural:
            words[-1] = plural(words[-1])
        return self.prefix[is_fact] + self._joined(words)

    def key_of(self, plan: Plan) -> str:
        """The table's own key."""
        if plan.key:
            return plan.key
        return self.column(plan, "id" if self.key == "id" and not self.initials else f"{plan.name}_id")

    def pointer(self, plan: Plan, name: str) -> str:
        """The name of a column that points at another table."""
        return name if self.case == _WRITTEN else self.column(plan, f"{name}_id")

    def column(self, plan: Plan, name: str) -> str:
        """A column's name."""
        words = name.split("_")
        if self.initials:
            words = ["".join(each[0] for each in plan.name.split("_")), *words]
        return self._joined(words)

    def _joined(self, words: list[str]) -> str:
        words = [_SHORT.get(each, each) if self.short else each for each in words]
        if self.case == "Pascal":
            return "".join(each.capitalize() if each != "id" else "ID" for each in words)
        if self.case == "camel":
            return words[0] + "".join(each.capitalize() for each in words[1:])
        if self.case == _WRITTEN:
            return "_".join(words)
        joined = ("" if self.case == "glued" and len(words) < 3 else "_").join(words)
        return joined.upper() if self.case == "UPPER" else joined


def plural(word: str) -> str:
    """More than one of it."""
    if word in _PLURALS or (word.endswith("s") and not word.endswith(("ss", "us", "is", "as", "lens"))):
        return _PLURALS.get(word, word)
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")

"""Ages of people whose date or year of birth is stored: `average age by plan`, `members older than 50`.

Called by computed.py. An age is the number of full years on the day that is counted from, of a year of birth the years
since; where a table stores ages itself, nothing is read here. Tokens in, a measure or a condition out.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import Token, stem, table_stems
from pluto_duck_text2sql.tree import Age, Col, Compare, Minus, Number, Operator

_AGE, _BIRTH = frozenset((stem("age"), stem("ages"))), frozenset(map(stem, ("birth", "birthday", "birthdate")))
_BOUND = r"(?P<bound>over|above|more than|under|below|less than|at least|at most)"
_NO_MONTHS = r"(?! (?:hour|day|week|month|quarter)s?\b)"
"""Claims older than six months are none of people."""
_SAID = tuple(
    Pattern(rf"{pattern}(?= |$)")
    for pattern in (
        rf"(?P<bound>older than|younger than) (?P<n>\w+)(?: years?(?: old| of age)?)?{_NO_MONTHS}",
        rf"(?:aged? )?{_BOUND} (?P<n>\w+) years? (?:old|of age)",
        rf"(?:aged|whose age is|with an age) (?:of )?{_BOUND} (?P<n>\w+)",
        r"(?P<n>\w+) (?:years old )?(?:or|and) (?P<bound>older|younger)",
    )
)
_OPERATORS: dict[str, Operator] = {
    **dict.fromkeys(("older than", "over", "above", "more than"), ">"),
    **dict.fromkeys(("younger than", "under", "below", "less than"), "<"),
    **dict.fromkeys(("at least", "older"), ">="),
    **dict.fromkeys(("at most", "younger"), "<="),
}
_YEAR = stem("year")
_WINDOW = 8
_LINKING = frozenset("is are was were that which who now being".split())


class Ages:
    """Reads ages over one catalog, as they are `today`."""

    def __init__(self, catalog: Catalog, today: dt.date) -> None:
        self._today, self._tables = today, catalog.tables
        born = [(table, name) for table in catalog.tables if (name := birth(table) or _birth_year(table))]
        self._born = {} if any(map(_tells_ages, catalog.tables)) else {table.key: (table, name) for table, name in born}

    def read(self, tokens: Sequence[Token], start: int) -> tuple[int, Age | Minus] | None:
        """`age`, or `how old`: with where it ends."""
        words = [token.lower for token in tokens[start : start + 2]]
        length = 2 if words == ["how", "old"] else 1 if tokens[start].stem in _AGE else 0
        age = self._age(tokens) if length else None
        return (start + length, age) if age else None

    def compare(self, tokens: Sequence[Token], start: int) -> tuple[int, Compare] | None:
        """`older than 50`, `aged under 18`, `at least 21 years old`: with where it ends."""
        text = " ".join(token.lower for token in tokens[start : start + _WINDOW])
        found = next((match for each in _SAID if (match := each.match(text))), None)
        age = self._age(tokens) if found and not self._is_of_others(tokens[:start]) else None
        if found is None or age is None:
            return None
        number = next((token.number for token in tokens[start:] if token.lower == found["n"]), None)
        if number is None:
            return None
        return start + len(found[0].split()), Compare(age, _OPERATORS[found["bound"]], Number(number))

    def _is_of_others(self, before: Sequence[Token]) -> bool:
        """Whether an age is said of what is not born: `policies older than 2 years`, `which are older`."""
        said = next((each.stem for each in reversed(before) if each.lower not in _LINKING), "")
        named = [table.key for table in self._tables if said == table_stems(table.name)[-1]]
        return bool(named) and self._born.keys().isdisjoint(named)

    def _age(self, tokens: Sequence[Token]) -> Age | Minus | None:
        """Of the one table that holds dates of birth, or the one among several whose name the question says."""
        stems = {token.stem for token in tokens}
        named = [each for each in self._born.values() if stems & set(table_stems(each[0].name))]
        found = list(self._born.values()) if len(self._born) == 1 else named
        return self._since(*found[0]) if len(found) == 1 else None

    def _since(self, table: Table, name: str) -> Age | Minus:
        column, born = table.column(name), Col(table.key, name)
        is_year = column is not None and column.kind == "number"
        return Minus(Number(self._today.year), born) if is_year else Age(born, self._today)


def birth(table: Table) -> str | None:
    """The table's one date of birth."""
    times = [each for each in table.columns if each.is_time]
    found = [each.name for each in times if _BIRTH & set(table.stems(each.name))]
    return found[0] if len(found) == 1 else None


def _birth_year(table: Table) -> str | None:
    """The table's one year of birth."""
    numbers = [each for each in table.columns if each.kind == "number"]
    found = [each.name for each in numbers if {_YEAR, stem("birth")} <= set(table.stems(each.name))]
    return found[0] if len(found) == 1 else None


def _tells_ages(table: Table) -> bool:
    return any(_AGE & set(table.stems(each.name)) for each in table.columns)

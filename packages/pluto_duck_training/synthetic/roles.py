"""What the tables and columns of a catalog are good for: names of entities, measures, dates, categories, flags.

Told from types, names, keys and statistics alone, so that any catalog can be asked about.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.words import name_stems
from pluto_duck_text2sql.tree import Col, TableKey
from pluto_duck_training.sources import FAILURES

Run = Callable[[str], list[tuple[Any, ...]]]
_NAMING = frozenset(("nam", "titl", "label", "headlin", "brand", "usernam", "nicknam", "fullnam", "model"))
_UNMEASURED = frozenset(
    """id key cod zip phon number no lat latitud lng longitud year season dat dob advisor major dnum postal ssn isbn
    version""".split()
)
_ADDITIVE = frozenset(
    """amount total cost revenu sal salary budget fee fund spend unit quantity ton hour minut second day night point
    goal ticket click impression conversion visit passenger guest person weight distanc kilometr kilomet mileag
    consumption calory pag word bag tip charg paid payment premium principal valu incom profit earn donation gros
    attendanc population citation vot played credit rent freight fin box offic portion milliseconds byt""".split()
)
_PRICES = frozenset(("pric",))
_QUANTITIES = frozenset(("quantity", "portion", "ton", "unit", "copy", "piec"))
_DISCOUNTS = frozenset(("discount", "rebat"))
_LONGEST_VALUE = 28


@dataclass(frozen=True)
class Place:
    """A column in its table."""

    table: Table
    column: Column

    @property
    def col(self) -> Col:
        return Col(self.table.key, self.column.name)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        return self.table.stems(self.column.name)

    @property
    def is_additive(self) -> bool:
        """Whether its values may be summed."""
        rate = {"rat", "pct", "percent", "averag", "avg", "per", "pric"} & set(self.stems)
        return not rate and bool(_ADDITIVE & set(self.stems))


@dataclass(frozen=True)
class Thing:
    """A table, with its columns by what they are good for."""

    table: Table
    names: tuple[Place, ...] = ()
    numbers: tuple[Place, ...] = ()
    categories: tuple[Place, ...] = ()
    dates: tuple[Place, ...] = ()
    flags: tuple[Place, ...] = ()
    gaps: tuple[Place, ...] = ()
    attributes: tuple[Place, ...] = ()
    parents: dict[str, TableKey] = field(default_factory=dict)

    @property
    def key(self) -> Place | None:
        """Its key, where it is one column."""
        primary = self.table.primary_key
        found = self.table.column(primary[0]) if len(primary) == 1 else None
        return Place(self.table, found) if found else None

    def among(self, stems: frozenset[str]) -> Place | None:
        """The number whose last words are of these."""
        return next((each for each in self.numbers if stems & set(each.stems[-2:])), None)

    @property
    def product(self) -> tuple[Place, ...]:
        """Price and quantity, and the discount where there is one."""
        price, quantity = self.among(_PRICES), self.among(_QUANTITIES)
        if not price or not quantity or price == quantity:
            return ()
        discount = self.among(_DISCOUNTS)
        return (price, quantity, discount) if discount and discount not in (price, quantity) else (price, quantity)


class Schema:
    """The things of a catalog, and which of them are above which: reached without ever multiplying rows."""

    def __init__(self, catalog: Catalog, run: Run) -> None:
        self.catalog = catalog
        self._run = run
        self.joins = JoinGraph(catalog)
        self._values: dict[Col, tuple[str, ...]] = {}
        self._asked: dict[str, list[tuple[Any, ...]]] = {}
        things = [self._thing(table) for table in catalog.tables if (table.row_count or 0) >= 3]
        self.things = {each.table.key: each for each in things}

    def above(self, thing: Thing) -> list[Thing]:
        """The thing itself, and all that each of its rows belongs to one of, by one way alone."""
        found, seen = [thing], {thing.table.key}
        for here in found:
            targets = list(here.parents.values())
            for target in targets:
                if target in self.things and target not in seen and targets.count(target) == 1:
                    seen.add(target)
                    found.append(self.things[target])
        return [each for each in found if self._is_straight(thing, each)]

    def _is_straight(self, thing: Thing, above: Thing) -> bool:
        steps = self.joins.tree(thing.table.key, {above.table.key})
        return steps is not None and not any(step.multiplies for step in steps)

    def asked(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of a query, remembered; none where it fails."""
        if sql not in self._asked:
            self._asked[sql] = self.run(sql) or []
        return self._asked[sql]

    def run(self, sql: str) -> list[tuple[Any, ...]] | None:
        """The rows of a query; None where it fails, after which a transaction there was is begun again."""
        try:
            return self._run(sql)
        except FAILURES:
            with suppress(*FAILURES):
                self._run("ROLLBACK")
                self._run("BEGIN TRANSACTION READ ONLY")
            return None

    def values(self, place: Place) -> tuple[str, ...]:
        """The short texts a column holds, the most frequent first."""
        if place.col not in self._values:
            name = _quoted(place.column.name)
            rows = self.asked(
                f"SELECT {name} FROM {_quoted(place.table.schema)}.{_quoted(place.table.name)} "
                f"WHERE {name} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 200"
            )
            self._values[place.col] = tuple(str(row[0]) for row in rows if _is_sayable(str(row[0])))
        return self._values[place.col]

    def _thing(self, table: Table) -> Thing:
        parents = self._parents(table)
        keys = {*table.primary_key, *parents}
        places = [Place(table, each) for each in table.columns if each.name not in keys]
        names = _names([each for each in places if each.column.kind == "text"], table)
        kinds = {kind: [each for each in places if each.column.kind == kind] for kind in ("text", "time", "number")}
        plain = [each for each in places if each not in names]
        return Thing(
            table,
            names,
            tuple(each for each in kinds["number"] if _is_number(each)),
            tuple(each for each in kinds["text"] if each not in names and self._is_category(each)),
            tuple(each for each in kinds["time"] if isinstance(each.column.maximum, dt.date)),
            tuple(each for each in places if each.column.kind == "flag"),
            tuple(each for each in plain if 0.03 < (each.column.null_fraction or 0) < 0.97),
            tuple(each for each in plain if each.column.kind in ("text", "number", "time")),
            parents,
        )

    def _parents(self, table: Table) -> dict[str, TableKey]:
        """Its columns that are keys of other tables."""
        steps = [step for step in self.joins.neighbours(table.key) if not step.multiplies and len(step.pairs) == 1]
        own = set(table.primary_key) if len(table.primary_key) == 1 else set()
        return {step.pairs[0][0]: step.target for step in steps if step.pairs[0][0] not in own and step.cost < 3}

    def _is_category(self, place: Place) -> bool:
        many = place.column.n_distinct or 0
        if not 2 <= many <= 60 or many > 0.7 * (place.table.row_count or 0):
            return False
        return len(self.values(place)) >= min(many, 2) and not {"id", "phon", "email", "dat"} & set(place.stems)


def _names(texts: list[Place], table: Table) -> tuple[Place, ...]:
    """The columns that a row is called by: first and last name, or one name."""
    first = [each for each in texts if set(each.stems) >= {"first", "nam"} or each.stems[-1:] == ("firstnam",)]
    last = [each for each in texts if each.stems[-1:] in (("nam",),) and {"last", "sur", "family"} & set(each.stems)]
    last += [each for each in texts if each.stems[-1:] in (("surnam",), ("lastnam",))]
    if first and last:
        return first[0], last[0]
    rows = table.row_count or 1
    unique = [each for each in texts if (each.column.n_distinct or 0) >= 0.6 * rows]
    return tuple([each for each in unique if _is_naming(each, table)][:1])


def _is_naming(place: Place, table: Table) -> bool:
    """Whether it is the row's own name, and not somebody else's."""
    own = {*name_stems(table.name), "full", "official", "common", "display", "user", "nick", "company", "organization"}
    last = place.stems[-1] if place.stems else ""
    is_glued = last.endswith("nam") and any(last.startswith(each) for each in own)
    before = {each for each in place.stems[:-1] if len(each) > 1}
    return (last in _NAMING or is_glued) and before <= own


def _is_number(place: Place) -> bool:
    if _UNMEASURED & set(place.stems) or (place.column.n_distinct or 0) < 3:
        return False
    low, high = place.column.minimum, place.column.maximum
    is_whole = "INT" in place.column.type and not place.is_additive
    is_year = is_whole and low is not None and low >= 1500 and high <= 2100
    return not is_year and low is not None and low != high


def _is_sayable(text: str) -> bool:
    letters = sum(each.isalpha() for each in text)
    is_plain = text == text.strip() and not set(text) & set("'\";,")
    return 2 <= len(text) <= _LONGEST_VALUE and letters >= 0.6 * len(text) and is_plain


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

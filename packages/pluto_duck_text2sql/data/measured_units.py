"""The units of measures that are no time: what people call them, and which columns are kept in them.

`gross_wt_kg` is kept in kilos, `distance_km` in kilometres. Used by what divides by such a column (`cost per kilo`),
and for what is called by its unit alone: the kilometres of a trip, the electricity that is kept in kWh.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.tree import Col

_CALLED = {
    "kg": "kg kgs kilo kilos kilogram kilograms kilogramme",
    "t": "ton tons tonne tonnes",
    "lb": "lb lbs pound pounds",
    "g": "gram grams gramme",
    "km": "km kms kilometre kilometer",
    "mi": "mile miles",
    "m2": "sqm m2",
    "m3": "cbm m3",
    "l": "litre liter ltr litres liters",
    "kwh": "kwh",
    "mwh": "mwh",
    "mb": "mb megabyte",
    "gb": "gb gigabyte",
    "ha": "hectare ha",
}
_UNIT = {stem(word): unit for unit, words in _CALLED.items() for word in words.split()}
_IN_BRACKETS = re.compile(r"\((\w+)\)\s*$")
_ENDS = {**_UNIT, **{stem(unit): unit for unit in _CALLED}}


_AMOUNT_OF = {"kwh": "electricity power energy", "mwh": "electricity power energy", "gb": "data", "mb": "data"}
"""What nothing else is measured in."""


def measured(table: Table) -> Iterator[tuple[str, Column]]:
    """What the only column of a unit is called by that: its unit's words, and what it is an amount of."""
    in_units = [(unit, each) for each in table.columns if each.kind == "number" and (unit := _unit_of(each))]
    said = {each for column in table.columns for each in table.stems(column.name)}
    for unit, column in in_units:
        if sum(other == unit for other, _ in in_units) == 1:
            nouns = (*_CALLED[unit].split(), *_AMOUNT_OF.get(unit, "").split())
            yield from ((noun, column) for noun in nouns if len(noun) > 2 and stem(noun) not in said)


def _unit_of(column: Column) -> str | None:
    """The unit that a column's name ends in, as said in brackets or as its last word."""
    *before, last = _with_brackets(column.name) or ("",)
    return _UNIT.get(last) if before else None


def _with_brackets(name: str) -> tuple[str, ...]:
    """The stems of a name, with the word in brackets that ends it: `Consumption (kWh)`."""
    found = _IN_BRACKETS.search(name)
    return (*name_stems(name), stem(found[1].lower())) if found else name_stems(name)


def columns_in_unit(word: str, catalog: Catalog) -> Iterator[Col]:
    """The columns of numbers whose names end in the unit that a word is."""
    unit = _UNIT.get(stem(word.lower()))
    for table in catalog.tables if unit else ():
        for column in table.columns:
            stems = _with_brackets(column.name)
            ends = _ENDS if len(stems) > 1 else _UNIT
            if column.kind == "number" and ends.get(stems[-1]) == unit:
                yield Col(table.key, column.name)

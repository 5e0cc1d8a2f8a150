"""The units of measures that are no time: what people call them, and which columns are kept in them.

`gross_wt_kg` is kept in kilos, `distance_km` in kilometres. Used by what divides by such a column (`cost per kilo`).
"""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog
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
_ENDS = {**_UNIT, **{stem(unit): unit for unit in _CALLED}}


def columns_in_unit(word: str, catalog: Catalog) -> Iterator[Col]:
    """The columns of numbers whose names end in the unit that a word is."""
    unit = _UNIT.get(stem(word.lower()))
    for table in catalog.tables if unit else ():
        for column in table.columns:
            stems = name_stems(column.name)
            ends = _ENDS if len(stems) > 1 else _UNIT
            if column.kind == "number" and ends.get(stems[-1]) == unit:
                yield Col(table.key, column.name)

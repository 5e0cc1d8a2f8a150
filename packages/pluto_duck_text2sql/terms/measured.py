"""What is measured by the unit that a column's name ends in: the duration of a ride by `ride_secs`, the price by
`retail_usd`, its weight by `net_kg`, an age by `age_yrs`.

Called by `analyst`. Only where one column of the table is measured so and none is called so itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.links import Target
from pluto_duck_text2sql.language.words import name_parts, stem
from pluto_duck_text2sql.trees.term import Term

_LIKELY, _WEAK = 0.85, 0.8
_LENGTHS = ("duration", "length", "time")
_UNITS = {
    unit: quantities
    for units, quantities in {
        "kg kilo kilos lb lbs ton tons tonnes": ("weight", "mass"),
        "km miles": ("distance",),
        "sec secs seconds mins minutes hr hrs hours": _LENGTHS,
        "sqm sqft hectares acres ha": ("area", "size"),
        "kmh mph knots": ("speed",),
        "celsius fahrenheit": ("temperature",),
        "usd eur gbp chf": ("price", "cost", "amount"),
    }.items()
    for unit in units.split()
}
_MONEY = ("price", "cost", "amount", "fee", "fare")


def measured(catalog: Catalog) -> list[Term]:
    """The quantities, each as a term with its column."""
    return [term for table in catalog.tables for term in _of_table(table)]


def _of_table(table: Table) -> Iterator[Term]:
    called = {each for column in table.columns for each in table.stems(column.name)}
    found: dict[str, list[Column]] = defaultdict(list)
    for column in table.columns:
        for quantity in _UNITS.get(name_parts(column.name)[-1], ()) if _is_measured(column) else ():
            found[quantity].append(column)
    is_priced = not called.isdisjoint(map(stem, _MONEY))
    for quantity, columns in found.items():
        is_said = stem(quantity) in called or (is_priced and quantity in _MONEY)
        if len(columns) == 1 and not is_said:
            yield from _terms(quantity, table, columns[0])


def _is_measured(column: Column) -> bool:
    return column.kind == "number" and len(name_parts(column.name)) > 1


def _terms(quantity: str, table: Table, column: Column) -> Iterator[Term]:
    """`duration` and `ride duration` of `ride_secs`."""
    before = tuple(map(stem, name_parts(column.name)[:-1]))
    for stems, score in (((stem(quantity),), _WEAK), ((*before, stem(quantity)), _LIKELY)):
        target = Target(table, column, score)
        yield Term(stems, column.name, "what is measured in its unit", quantity, (target,))

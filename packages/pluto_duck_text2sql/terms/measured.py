"""What columns hold by the unit that their names end in, or by what is stored: the duration of a ride by `ride_secs`,
the price by `retail_usd`, the year of a `vintage`, the score that rows of `scores` are of by their `points`.

Called by `analyst`. Only where one column of the table holds that and none is called so itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.identifiers import is_identifier
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.words import name_parts, stem, table_stems
from pluto_duck_text2sql.trees.term import Term

_LIKELY, _WEAK = 0.85, 0.8
_LENGTHS = ("duration", "length")
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
_YEAR, _FIRST, _LAST = "year", 1500, 2100
_CALLED_AS_YEARS = frozenset("vintage season edition cohort in since built opened founded established launched".split())
_MARKS = frozenset(map(stem, "rating score mark grade".split()))
_MONEY = ("price", "cost", "amount", "fee", "fare")


def measured(catalog: Catalog) -> list[Term]:
    """The quantities, each as a term with its column."""
    of_each = (_of_table, _year, _of_rows)
    return [term for table in catalog.tables for kind in of_each for term in kind(table)]


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


def _year(table: Table) -> Iterator[Term]:
    """`year` of a number that is one and is called so (`vintage`, `constructed_in`), where rows keep no day."""
    called = {each for column in table.columns for each in table.stems(column.name)}
    years = [each for each in table.columns if _is_year(each)]
    if len(years) == 1 and stem(_YEAR) not in called and not any(each.is_time for each in table.columns):
        yield from _terms(_YEAR, table, years[0])


def _is_year(column: Column) -> bool:
    low, high = column.minimum, column.maximum
    is_whole = isinstance(low, int) and isinstance(high, int) and column.kind == "number"
    return is_whole and low >= _FIRST and high <= _LAST and name_parts(column.name)[-1] in _CALLED_AS_YEARS


def _of_rows(table: Table) -> Iterator[Term]:
    """What rows are called after, by the only number of theirs: the score of `scores (critic_id, film_id, points)`."""
    numbers = [each for each in table.columns if each.kind == "number" and not _is_key(table, each)]
    (rows,) = table_stems(table.name)[-1:] or ("",)
    if rows in _MARKS and len(numbers) == 1 and rows not in table.stems(numbers[0].name):
        target = Target(table, numbers[0], _LIKELY)
        yield Term((rows,), numbers[0].name, "the only number of such rows", rows, (target,))


def _is_key(table: Table, column: Column) -> bool:
    pointing = {name for key in table.foreign_keys for name in key.columns}
    return column.name in (*table.primary_key, *pointing) or is_identifier(table, column)


def _is_measured(column: Column) -> bool:
    return column.kind == "number" and len(name_parts(column.name)) > 1


def _terms(quantity: str, table: Table, column: Column) -> Iterator[Term]:
    """`duration` and `ride duration` of `ride_secs`."""
    before = tuple(map(stem, name_parts(column.name)[:-1]))
    for stems, score in (((stem(quantity),), _WEAK), ((*before, stem(quantity)), _LIKELY)):
        target = Target(table, column, score)
        yield Term(stems, column.name, "what is measured in its unit", quantity, (target,))

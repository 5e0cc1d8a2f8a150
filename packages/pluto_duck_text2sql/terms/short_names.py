"""Other names that the short names of tables and columns give: as they are written, and what else they may mean.

`temp_c` is a temperature without its unit, `kilograms` a weight, `wait_min` the waiting time, `reopened_flg` whether
something was reopened, `MRR` itself; and rows that a key `EmpNo` tells apart are employees, whatever their table is
called.
"""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.abbreviations import other_meanings, spelt_out
from pluto_duck_text2sql.language.words import explained, name_parts, name_stems, stem, table_parts, table_stems
from pluto_duck_text2sql.trees.term import Term

_AS_WRITTEN = 0.95
_BARE = 0.95
_ELSE = 0.85
_IN_UNIT = 0.7
_LEAST_UNIT = 4
"""So many letters has a unit that is a word, as the seasons of `2 Seasons` are."""
_OF_ROWS = 0.9
_UNITS = frozenset(
    """c f k pct percent ppm ms sec secs s min mins h hr hrs d kg g lb lbs km mi m cm mm l ml usd eur gbp chf jpy mv v w
    kw kwh mwh hz kb mb gb kbps mbps bpm bar psi hpa pa lux db rpm kmh mph deg""".split()
)
_QUANTITIES = {
    stem(unit): quantity
    for quantity, units in {
        "weight": "kg kilogram kilo gram ton tonne pound lbs",
        "distance": "km kilometre kilometer mile",
        "duration": "minute hour second min sec hr hrs",
        "volume": "litre liter ml",
        "area": "sqm hectare acre",
        "speed": "knot kmh mph",
        "temperature": "celsius fahrenheit",
    }.items()
    for unit in units.split()
}
"""What is measured in each unit: a column `kilograms` holds a weight."""
_SAID = {
    "km": "kilometre kilometer",
    "kg": "kilo kilogram kilogramme",
    "mi": "mile",
    "l": "litre liter",
    "ltr": "litre liter",
    "ha": "hectare",
    "g": "gram gramme",
}
"""What people say for what a column's name ends in: `how many kilometres` of `distance_km`."""
_UNITS_OF_TIME = frozenset("ms msec s sec secs min mins h hr hrs".split())
_OF_PERIODS = {
    stem(period): adjectives.split()
    for period, adjectives in {
        "hour": "hourly",
        "day": "daily",
        "week": "weekly",
        "month": "monthly",
        "quarter": "quarterly",
        "year": "yearly annual",
    }.items()
}
_MARKS = frozenset("flag flg fl ind yn".split())
_BEFORE = frozenset("is has was".split())
_ID = stem("id")
_KEYS = frozenset(map(stem, ("id", "key", "code", "number")))


def short_names(catalog: Catalog) -> list[Term]:
    """The names that the catalog's own give besides themselves, each as a term with its table or column."""
    tables = {table_stems(table.name) for table in catalog.tables}
    found = []
    for table in catalog.tables:
        found += [_term(stems, table, None, _OF_ROWS) for stems in _rows(table) if stems not in tables]
        found += [_term(stems, table, None, _ELSE) for stems in _rarer(table) if stems not in tables]
        found += [_term(stems, table, None, _AS_WRITTEN) for stems in _written(table)]
        for column in table.columns:
            own = table.stems(column.name)
            named = {stems: score for stems, score in _others(column, table) if stems and stems != own}
            named |= {name_stems(each): _AS_WRITTEN for each in explained(column.name) if " " in each}
            found += [_term(stems, table, column, score) for stems, score in named.items()]
            found += [_term((_ID,), table, column, _OF_ROWS)] if _is_glued_id(column, table) else []
    return found


def _is_glued_id(column: Column, table: Table) -> bool:
    """`eid` of employees, `aid` of aircraft: the key of its rows, in one word that ends with `id`."""
    name = column.name.casefold()
    return (column.name,) == table.primary_key and name.endswith(_ID) and name_parts(name) == (name,) and name != _ID


def _term(stems: tuple[str, ...], table: Table, column: Column | None, score: float) -> Term:
    name = column.name if column else table.name
    return Term(stems, name, "the name", name, (Target(table, column, score),))


def _others(column: Column, table: Table) -> Iterator[tuple[tuple[str, ...], float]]:
    """The weaker first, since of two alike the last counts."""
    parts, rows = name_parts(column.name), table_stems(table.name)
    for place, part in enumerate(parts):
        for other in other_meanings(part):
            stems = _stems((*parts[:place], *other.split(), *parts[place + 1 :]))
            yield stems, _ELSE
            if place >= len(rows) and stems[: len(rows)] == rows:
                yield stems[len(rows) :], _ELSE
    if len(parts) > 1 and parts[-1] in _UNITS_OF_TIME and stem("time") not in _stems(parts):
        yield (*_stems(parts[:-1]), stem("time")), _ELSE
    if len(parts) > 1 and column.kind == "number":
        yield from (((stem(each),), _IN_UNIT) for each in _SAID.get(parts[-1], "").split())
    yield from (((stem(each),), _IN_UNIT) for each in column.unit.split() if len(each) >= _LEAST_UNIT)
    quantity = _QUANTITIES.get(stem(parts[0])) if len(parts) == 1 else None
    if quantity and column.kind == "number":
        yield (stem(quantity),), _ELSE
    yield from ((each, 1.0) for each in _of_periods(_stems(_bare(parts))))
    yield tuple(map(stem, parts)), _AS_WRITTEN
    yield tuple(map(stem, _bare(parts))), _AS_WRITTEN
    yield _stems(_bare(parts)), _BARE


def _of_periods(stems: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """`month_fee` is a monthly fee."""
    for adjective in _OF_PERIODS.get(stems[0], ()) if len(stems) > 1 else ():
        yield (stem(adjective), *stems[1:])


def _bare(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Without a unit, and without what says that it is a flag."""
    if len(parts) > 1 and parts[-1] in _UNITS | _MARKS:
        parts = parts[:-1]
    return parts[1:] if len(parts) > 1 and parts[0] in _BEFORE else parts


def _stems(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(stem(each) for word in words for each in spelt_out(word).split())


def _written(table: Table) -> set[tuple[str, ...]]:
    """A table's whole name, `stg_orders` as well as its orders."""
    names = {name_stems(table.name), tuple(map(stem, name_parts(table.name)))}
    return names - {table_stems(table.name)}


def _rarer(table: Table) -> Iterator[tuple[str, ...]]:
    """What else the last word of a table's name may mean: `antraege` are applications, or requests."""
    *before, last = table_parts(table.name)
    return (_stems((*before, *other.split())) for other in other_meanings(last))


def _rows(table: Table) -> Iterator[tuple[str, ...]]:
    """What the rows are by the key that tells them apart."""
    if len(table.primary_key) == 1:
        stems = table.stems(table.primary_key[0])
        if len(stems) > 1 and stems[-1] in _KEYS and not set(stems) & set(table_stems(table.name)):
            yield stems[:-1]

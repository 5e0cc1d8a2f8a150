"""What is weighed or filled and never counted: honey, fuel, milk; and the amount that a table keeps of it."""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.tree import Col

_MASSES = frozenset(
    map(
        stem,
        """honey wax wine beer cider juice milk cheese butter cream grain wheat barley rye oat maize corn rice sugar
        flour malt salt oil fuel diesel petrol gas water
        coffee tea cocoa coal sand gravel cement concrete steel iron copper
        wood timber paper cotton wool hay straw fertilizer fertiliser feed food compost manure waste scrap rubbish
        garbage fish meat fruit blood plasma ink paint""".split(),
    )
)
_MEASURES = frozenset(map(stem, "weight kg kilo kilogram gram tonne ton litre liter gallon volume".split()))


def masses(catalog: Catalog) -> list[tuple[str, Col]]:
    """What the tables keep weights and volumes of, by its stem, and where."""
    return [(noun, Col(table.key, column.name)) for table in catalog.tables for noun, column in weighed(table)]


def weighed(table: Table) -> Iterator[tuple[str, Column]]:
    """`the most honey` of a `weight_kg` in a table with a `honey_type`: what the rows are of, by the only amount."""
    numbers = [each for each in table.columns if each.kind == "number"]
    weights = [each for each in numbers if not _MEASURES.isdisjoint(table.stems(each.name))]
    others = (table.stems(each.name) for each in table.columns if each not in numbers)
    said = {*table_stems(table.name)}.union(*others)
    called = {each for column in numbers for each in table.stems(column.name)}
    if len(weights) == 1:
        yield from ((noun, weights[0]) for noun in sorted(_MASSES & said - called))

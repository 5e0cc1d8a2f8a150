"""Numbers that tell things apart and measure nothing, by what they are called: `InvoiceNo`, `zip_code`, `phone`, and in
a file of flights the column `flight`. No key has to be declared for these; adding them up means nothing."""

from __future__ import annotations

from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.language.words import name_parts, stem, table_stems

_LAST = frozenset("id no nr num number code key zip zipcode postcode phone telephone isbn sku barcode serial".split())
_COUNTING, _LEAST_NUMBERS = frozenset("no nr num number".split()), 100
"""What ends so and takes few values is as likely a number of something: `guest number`, `rooms no`."""
_NUMBERED = frozenset(
    map(stem, "flight trip ride train bus tram route voyage order invoice receipt ticket case".split())
)
"""What goes by a number. A `price` in a file of house prices is one."""
_QUANTITIES = frozenset("total of".split())


def is_identifier(table: Table, column: Column) -> bool:
    """Whether a column's name says that it tells things apart. `number_of_rooms` counts, `room_number` does not."""
    words = name_parts(column.name)
    if not words or column.is_time or _QUANTITIES & {*words}:
        return False
    is_few = words[-1] in _COUNTING and column.n_distinct is not None and column.n_distinct < _LEAST_NUMBERS
    return (words[-1] in _LAST and not is_few) or is_called_as_its_rows(table, column)


def is_called_as_its_rows(table: Table, column: Column) -> bool:
    """`flight` of `nyc_flights`: a number that each row has, and its rows are called so. `degrees` would be so many."""
    stems = table_stems(table.name)
    is_one = column.kind == "number" and "INT" in column.type.upper() and not column.name.lower().endswith("s")
    return is_one and len(stems) > 1 and table.stems(column.name) == stems[-1:] and stems[-1] in _NUMBERED

"""What several rows of a flat file share and a column tells apart: the orders of their lines by `Order ID`, customers
by `CustomerID`, invoices by `InvoiceNo`.

Such a thing has no table of its own; it is counted by the different values of its column, and is called as that is, or
by another word for it that names nothing else here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.lexicon import alike
from pluto_duck_text2sql.language.words import name_words, stem, table_words
from pluto_duck_text2sql.tree import Col

_KEYS = frozenset("id no nr num number key code uuid guid".split())
_OF_ANY_ROWS = frozenset("row record line index unit postal zip area phone country".split())
_ALSO = {stem(noun): (stem("order"), stem("purchase")) for noun in ("invoice", "receipt", "transaction", "sale")}
"""What a document of a sale stands for."""
_GOODS = {stem("stock"): (stem("product"), stem("item")), stem("item"): (stem("product"),)}
_CUSTOMER = "customer"
_CUSTOMERS = (("billing", "name"), ("email",), ("requester",))
_ORDER, _LINES = "order", frozenset(("lineitem", "line"))
_MOSTLY_MISSING = 0.5
_SHARED = 0.95
"""At most this part of the rows has a value of its own where rows share it."""


@dataclass(frozen=True)
class Thing:
    """A kind of thing by the stems of what it is called, and the column that tells each apart."""

    stems: tuple[str, ...]
    key: Col
    is_own: bool = True
    #   called as its column is, or as a sale is by its document


def things(catalog: Catalog) -> list[Thing]:
    """The things of a catalog, those called as their columns are first."""
    own = [Thing((stem(noun),), key) for noun, key in _keyed(catalog)]
    taken = {each.stems for each in own} | {
        (stem(word),) for table in catalog.tables for word in table_words(table.name)
    }
    taken |= {table.stems(each.name) for table in catalog.tables for each in table.columns}
    orders = [Thing((other,), each.key) for each in own for other in _ALSO.get(each.stems[0], ())]
    others = [Thing((other,), each.key, is_own=False) for each in own for other in _GOODS.get(each.stems[0], ())]
    others += [
        Thing(other, thing.key, is_own=False)
        for thing in own
        for name in (thing.stems, _whole(thing.key, catalog))
        for other in alike().get(name, ())
    ]
    return [*own, *(each for each in dict.fromkeys([*orders, *others]) if each.stems not in taken)]


def _whole(key: Col, catalog: Catalog) -> tuple[str, ...]:
    table = catalog.table(*key.table)
    return table.stems(key.name) if table else ()


def _keyed(catalog: Catalog) -> Iterator[tuple[str, Col]]:
    """The nouns of columns of flat tables that are the same in several rows."""
    named = TableNames.of(catalog)
    for table in catalog.tables if is_flat(catalog) else ():
        for column in table.columns:
            noun = _noun(table, column)
            if noun and not named.says_another(noun, table) and is_shared(table, column):
                yield noun, Col(table.key, column.name)


def _noun(table: Table, column: Column) -> str:
    """What a key is of: an order by `Order ID`, and by the `Name` of exports that have a row for each line item."""
    *before, last = name_words(column.name)
    if len(before) == 1 and last in _KEYS and before[0] not in _OF_ANY_ROWS:
        return before[0]
    if tuple(name_words(column.name)) == _people(table):
        return _CUSTOMER
    has_lines = any(name_words(each.name)[0] in _LINES for each in table.columns)
    return _ORDER if has_lines and (*before, last) == ("name",) else ""


def is_flat(catalog: Catalog) -> bool:
    """Whether no key links any tables: they are files beside each other."""
    return not any(table.foreign_keys for table in catalog.tables)


@dataclass(frozen=True)
class TableNames:
    """How many tables' names have a word, by its stem."""

    counts: Counter[str]

    @classmethod
    def of(cls, catalog: Catalog) -> TableNames:
        """Those of a catalog."""
        return cls(Counter(each for table in catalog.tables for each in _said_by(table)))

    def says_another(self, word: str, table: Table) -> bool:
        """Whether the name of another table has the word."""
        found = stem(word)
        return self.counts[found] > (found in _said_by(table))


def _said_by(table: Table) -> set[str]:
    return {stem(word) for word in table_words(table.name)}


def _people(table: Table) -> tuple[str, ...]:
    """How exports call the customers of their rows, where nothing is called so."""
    names = [name_words(each.name) for each in table.columns]
    return next((each for each in _CUSTOMERS if each in names), ()) if not _is_said(names) else ()


def _is_said(names: Sequence[tuple[str, ...]]) -> bool:
    return any(_CUSTOMER in name for name in names)


def is_shared(table: Table, column: Column) -> bool:
    """Whether many rows have the value of another, and most have one."""
    if (column.null_fraction or 0) > _MOSTLY_MISSING:
        return False
    rows = (table.row_count or 0) * (1 - (column.null_fraction or 0))
    own = [each.casefold() for each in table.primary_key] == [column.name.casefold()]
    return not own and 1 < (column.n_distinct or 0) < _SHARED * rows

"""What columns of flat files are called by what they are for, of which their names say little: what is sold by a
`Description`, customers by a `CustomerID` that rows share, countries by what is stored in `location`, what is spent by
`Paid Out`, seniors by a flag `SeniorCitizen`, the departure airport by `origin`, honey by the `weight_kg` of a table
with a `honey_type`.

Called by `analyst`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.masses import weighed
from pluto_duck_text2sql.data.measured_units import measured
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.data.parts_of_whole import wholes
from pluto_duck_text2sql.data.people import PERSONS
from pluto_duck_text2sql.data.place_columns import place_columns
from pluto_duck_text2sql.data.statements import statements
from pluto_duck_text2sql.data.things import is_flat, is_shared, things
from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.language.words import name_words, stem, table_stems
from pluto_duck_text2sql.terms.promoters import recommending
from pluto_duck_text2sql.tree import Col, TableKey
from pluto_duck_text2sql.trees.term import Term

_LIKELY = 0.9
_OTHERWISE = 0.75
"""How well another word for it names what rows share."""
_PRICE, _DESCRIPTION = stem("price"), stem("description")
_QUANTITIES = frozenset(map(stem, "quantity qty units pieces".split()))
_GOODS = frozenset(map(stem, "product article title".split()))
_SOLD = ("product", "item", "article")
_ROLES = {
    ("reporter",): ("requester", "submitter", "author"),
    ("assignee",): ("agent", "handler", "owner", "developer"),
    ("customer", "email"): ("customer", "client", "buyer"),
}
"""Who is meant by columns of exports, the first that is there where several are of one."""
_ITEM_NAMES = (("lineitem", "name"), ("line", "item", "name"))
_PAIR = 2
_ANYONE = frozenset("citizen person member resident".split())
_SPENT = (
    "spend",
    "expense",
    "expenditure",
    "outgoing",
    "withdraw",
    "withdrawal",
    "pay",
    "cost",
    "money out",
    "went out",
)
_EARNED = ("income", "earning", "earn", "deposit", "inflow", "receive", "get paid", "got paid", "money in", "came in")
_WITH_WHOM = ("merchant", "payee", "counterparty", "vendor")
_TELLS_WHOM = frozenset(map(stem, "description details narrative particulars memo".split()))
_TRANSACTION = "transaction"
_CHANGES = frozenset(map(stem, ("change", "delta", "movement", "difference")))
_ORIGIN, _GOALS = stem("origin"), (stem("destination"), stem("dest"))
_SCORES = ("score", "recommendation score", "rating", "likelihood")
_STOPS = ("airport", "station", "city", "port")


def column_nouns(catalog: Catalog) -> list[Term]:
    """The nouns, each as a term with its column; transactions as one with their table."""
    flat = is_flat(catalog)
    found = [*_shared(catalog), *(_places(catalog) if flat else ()), *_flows(catalog), *_of_all(catalog)]
    found += [*_of_changes(catalog), *_recommended(catalog)]
    for table in catalog.tables:
        some = (*_sold(table), *_persons_of_flags(table), *_roles(table)) if flat else ()
        found += [
            _term(noun, table, column) for noun, column in (*some, *_ends(table), *weighed(table), *measured(table))
        ]
    return found


def _term(noun: str, table: Table, column: Column | None, score: float = _LIKELY) -> Term:
    name, stems = column.name if column else table.name, tuple(map(stem, noun.split()))
    return Term(stems, name, "what is stored", noun, (Target(table, column, score),))


def _shared(catalog: Catalog) -> Iterator[Term]:
    """What keys that several rows share are of: orders of an `InvoiceNo`."""
    for thing in things(catalog):
        table, column = _at(thing.key, catalog)
        if table.stems(column.name) != thing.stems:
            targets = (Target(table, column, _LIKELY if thing.is_own else _OTHERWISE),)
            yield Term(thing.stems, column.name, "what rows share", " ".join(thing.stems), targets)


def _of_all(catalog: Catalog) -> Iterator[Term]:
    """The bare name of parts and a whole means the whole: sales of `Global_Sales`, `NA_Sales` and others."""
    for parts in wholes(catalog):
        column = parts.table.column(parts.whole)
        yield Term(parts.called, parts.whole, "the whole", " ".join(parts.called), (Target(parts.table, column, 1.0),))


def _of_changes(catalog: Catalog) -> Iterator[Term]:
    """What changes add up to: the stock of a `stock_change`, where nothing else is called so."""
    stems = {(table.key, each.name): table.stems(each.name) for table in catalog.tables for each in table.columns}
    called = {*stems.values(), *(table_stems(each.name) for each in catalog.tables)}
    for table in catalog.tables:
        for column in table.columns:
            own = stems[table.key, column.name]
            if column.kind == "number" and len(own) > 1 and own[-1] in _CHANGES and own[:-1] not in called:
                words = " ".join(name_words(column.name)[:-1])
                yield Term(own[:-1], column.name, "what its changes add up to", words, (Target(table, column, 1.0),))


def _recommended(catalog: Catalog) -> Iterator[Term]:
    """`average score` of a column that asks how likely somebody is to recommend."""
    for table, column in recommending(catalog):
        yield from (_term(noun, table, column) for noun in _SCORES if not _is_said_by(noun, table))


def _is_said_by(noun: str, table: Table) -> bool:
    said = {each for column in table.columns for each in table.stems(column.name)}
    return stem(noun.split()[-1]) in said


def _at(key: Col, catalog: Catalog) -> tuple[Table, Column]:
    table = catalog.table(*key.table)
    column = table.column(key.name) if table else None
    assert table is not None
    assert column is not None
    return table, column


def _places(catalog: Catalog) -> Iterator[Term]:
    """What columns are called whose values are places."""
    for table, column, nouns in place_columns(catalog):
        yield from (_term(noun, table, column) for noun in nouns)


def _flows(catalog: Catalog) -> Iterator[Term]:
    """What is spent and what is earned by what went out of an account and what came in; the transactions of it."""
    for each in statements(catalog):
        for nouns, at in ((_SPENT, each.went_out), (_EARNED, each.came_in)):
            table, column = _at(at, catalog)
            yield from (_term(noun, table, column) for noun in nouns if table.stems(column.name) != (stem(noun),))
        yield from _of_statement(each.went_out.table, catalog)


def _of_statement(key: TableKey, catalog: Catalog) -> Iterator[Term]:
    """Transactions, and whom they are with."""
    table = catalog.table(*key)
    assert table is not None
    yield _term(_TRANSACTION, table, None)
    for column in table.columns:
        *before, last = table.stems(column.name)
        if column.kind == "text" and last in _TELLS_WHOM and before in ([], [stem(_TRANSACTION)]):
            yield from (_term(noun, table, column) for noun in _WITH_WHOM)


def _ends(table: Table) -> Iterator[tuple[str, Column]]:
    """Where trips begin and end: `departure airport` of `origin`, `arrival station` of `dest`."""
    found = {side: [each for each in table.columns if table.stems(each.name) == (side,)] for side in (_ORIGIN, *_GOALS)}
    goals = [column for side in _GOALS for column in found[side]]
    if len(found[_ORIGIN]) == 1 and len(goals) == 1:
        for place in _STOPS:
            yield f"departure {place}", found[_ORIGIN][0]
            yield f"arrival {place}", goals[0]
            yield f"destination {place}", goals[0]


def _sold(table: Table) -> Iterator[tuple[str, Column]]:
    """What lines with a price and a quantity are of, where nothing is called a product."""
    stems = {each.name: table.stems(each.name) for each in table.columns}
    said = {each for some in stems.values() for each in some}
    is_of_lines = _PRICE in said and not _QUANTITIES.isdisjoint(said) and _GOODS.isdisjoint(said)
    for column in table.columns if is_of_lines else ():
        is_name = name_words(column.name) in _ITEM_NAMES or stems[column.name] == (_DESCRIPTION,)
        if is_name and is_shared(table, column):
            yield from ((noun, column) for noun in _SOLD)


def _roles(table: Table) -> Iterator[tuple[str, Column]]:
    """`agents` of an `Assignee`, customers of a `Billing Name`."""
    stems = {table.stems(each.name): each for each in table.columns}
    said = {each for some in stems for each in some}
    taken = set[str]()
    for name, nouns in _ROLES.items():
        column = stems.get(tuple(map(stem, name)))
        for noun in nouns if column else ():
            if column and noun not in taken and (stem(noun) not in said or stem(noun) in map(stem, name)):
                taken.add(noun)
                yield noun, column


def _persons_of_flags(table: Table) -> Iterator[tuple[str, Column]]:
    """`seniors` of a flag `SeniorCitizen`."""
    for column in table.columns:
        words = name_words(column.name)
        if len(words) == _PAIR and is_yes_or_no(column) and (words[1] in _ANYONE or stem(words[1]) in PERSONS):
            yield words[0], column

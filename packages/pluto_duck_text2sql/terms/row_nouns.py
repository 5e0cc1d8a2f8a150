"""What the rows of a flat file are called, of which its name says little: a
`kc_house_data` of houses, a `spotify_2023` whose rows a `track_name` tells apart, an `hr_attrition` of employees and so
of people.

A word that heads another table's name, or is a column of a table of its own, is none of these. Called by `analyst`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.data.people import PERSONS
from pluto_duck_text2sql.data.things import TableNames, is_flat, is_shared
from pluto_duck_text2sql.language.words import MONEY, name_words, stem, table_words
from pluto_duck_text2sql.trees.term import Term

_CALLED_SO = 1.0
_LIKELY = 0.9
_OF_FILES = frozenset(
    "data dataset list sample export extract dump full final clean cleaned raw train test report master records file"
    " sheet stats statistics info details log logs history all new".split()
)
"""What stands behind a noun in names of files, and says nothing of the rows."""
_TELLING_APART = frozenset("id key no nr num number code name title uuid guid".split())
_MEASURED = frozenset(("distance", "duration"))
_OF_ANY_ROWS = frozenset("row record line index unit full first last".split())
_SHORTEST = 3
_UNIQUE = 0.95
"""What part of the rows has a value of its own in a column that tells them apart."""
_LEAST_ROWS = 10
_OF_PERSONS = frozenset(map(stem, "gender sex age birthday birthdate marital".split()))
_LEAST_OF_PERSONS = 2
_ANYBODY = ("person",)
_OF_LINES = frozenset("order invoice receipt purchase transaction sale basket cart booking delivery shipment".split())
_HOME, _AWAY = stem("home"), stem("away")
_CONTESTS = ("match", "game", "fixture")
_LINES = ("line", "line item")
_ANSWERS = ("response", "respondent", "answer", "submission")
_ALSO = {
    stem("payment"): ("transaction", "charge"),
    **dict.fromkeys(map(stem, ("survey", "poll", "feedback")), _ANSWERS),
}
"""What else such rows are called by those who take them."""


def row_nouns(catalog: Catalog) -> list[Term]:
    """The nouns, each as a term with its table. Tables that keys link are told by their names alone, and only where
    these say nothing that another name does."""
    flat, named = is_flat(catalog), TableNames.of(catalog)
    columns = {each for table in catalog.tables for column in table.columns for each in table.stems(column.name)}
    found = []
    for table in catalog.tables:
        nouns = _nouns(table) if flat else dict.fromkeys(_head_alone(table, named, columns), _CALLED_SO)
        found += [_term(noun, table, score) for noun, score in nouns.items() if not named.says_another(noun, table)]
    return found


def _nouns(table: Table) -> dict[str, float]:
    """What the rows of a table are called, and how surely."""
    nouns = {**dict.fromkeys(_told_apart(table), _LIKELY), **dict.fromkeys(_head(table), _CALLED_SO)}
    nouns |= {other: _LIKELY for noun in (*nouns, *table_words(table.name)[-1:]) for other in _ALSO.get(stem(noun), ())}
    if _is_of_persons(table, nouns):
        nouns |= dict.fromkeys(_ANYBODY, _LIKELY)
    if _is_of_contests(table):
        nouns |= dict.fromkeys(_CONTESTS, _LIKELY)
    repeated = list(_repeated(table))
    if repeated:
        nouns |= dict.fromkeys((*_LINES, *(f"{each} line" for each in repeated)), _LIKELY)
    return nouns


def _term(noun: str, table: Table, score: float) -> Term:
    return Term(tuple(map(stem, noun.split())), table.name, "the rows", noun, (Target(table, None, score),))


def _head(table: Table) -> Iterator[str]:
    """The last noun of a file's name that says neither what is measured nor that it is a file: `nyc_flights`,
    `video_game_sales`, `kc_house_data`."""
    words = [each for each in table_words(table.name) if each.isalpha()]
    kept = list(words)
    while len(kept) > 1 and (kept[-1] in _OF_FILES or _is_measured(kept[-1], table)):
        kept.pop()
    is_several = len(kept) > 1 or kept != words
    is_plural = bool(kept) and kept[-1].endswith("s") and not kept[-1].endswith("ss")
    if is_several and (is_plural or kept != words) and len(kept[-1]) >= _SHORTEST and kept[-1] not in _OF_FILES:
        yield kept[-1]


def _head_alone(table: Table, named: TableNames, columns: Collection[str]) -> Iterator[str]:
    """The last noun of a name whose other words name nothing: `nyc_flights`, but not `order_items`."""
    words = table_words(table.name)
    for noun in _head(table):
        rest = [each for each in words if each != noun]
        if not any(stem(each) in columns or named.says_another(each, table) for each in rest):
            yield noun


def _is_measured(word: str, table: Table) -> bool:
    """Whether it is money, or what columns of numbers end in: NA_Sales, EU_Sales."""
    of = stem(word)
    names = (table.stems(each.name) for each in table.columns if each.kind == "number")
    return of in MONEY or any(len(stems) > 1 and stems[-1] == of for stems in names)


def _told_apart(table: Table) -> Iterator[str]:
    """The nouns of what tells the rows apart or is measured of each: `track_name`, `customerID`, `trip_distance`."""
    yield from (noun for noun, column in _named(table, _TELLING_APART) if _is_unique(column, table))
    yield from (noun for noun, column in _named(table, _MEASURED) if column.kind == "number")


def _repeated(table: Table) -> Iterator[str]:
    """The nouns of what several rows have in common and a number tells apart: `Order ID`, `InvoiceNo`."""
    nouns = ((noun, column) for noun, column in _named(table, _TELLING_APART) if noun in _OF_LINES)
    yield from (noun for noun, column in nouns if is_shared(table, column))


def _named(table: Table, by: Collection[str]) -> Iterator[tuple[str, Column]]:
    """The nouns that a column's name begins with, where one of these words follows."""
    for column in table.columns:
        *before, last = name_words(column.name)
        if len(before) == 1 and last in by and before[0] not in _OF_ANY_ROWS:
            yield before[0], column


def _is_of_contests(table: Table) -> bool:
    """Whether each row has one side at home and one away: `home_team`, `away_team`."""
    stems = [table.stems(each.name) for each in table.columns]
    homes, aways = ({each[1:] for each in stems if each[:1] == (side,) and len(each) > 1} for side in (_HOME, _AWAY))
    return bool(homes & aways)


def _is_unique(column: Column, table: Table) -> bool:
    if (column.null_fraction or 0) > 1 - _UNIQUE:
        return False
    rows = table.row_count or 0
    return rows >= _LEAST_ROWS and (column.n_distinct or 0) >= _UNIQUE * rows


def _is_of_persons(table: Table, nouns: dict[str, float]) -> bool:
    """Whether the rows are called after persons, or keep what only persons have."""
    kept = {each for column in table.columns for each in table.stems(column.name) if each in _OF_PERSONS}
    return any(stem(noun) in PERSONS for noun in nouns) or len(kept) >= _LEAST_OF_PERSONS

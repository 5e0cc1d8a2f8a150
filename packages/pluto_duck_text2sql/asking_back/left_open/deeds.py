"""What people do with us: the rows that point at them, and when these happen."""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.asking_back.left_open.opening import Data
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.language.words import stem, tokenise
from pluto_duck_text2sql.tree import Col, TableKey

_OF_PEOPLE = frozenset(map(stem, "email birth birthday gender".split()))
_NO_DEED = frozenset(map(stem, "birth born hired hire".split()))
"""Dates of people that are none of what they do with us; who works here is new on being hired."""


def are_called(words: str, key: TableKey, data: Data) -> bool:
    """Whether the words, or the first of them, name the table."""
    stems = tuple(token.stem for token in tokenise(words))
    targets = [*data.names.find(stems), *data.names.find(stems[:1])]
    return any(each.column is None and each.table.key == key for each in targets)


def deeds(key: TableKey, data: Data) -> Iterator[tuple[Col, Col]]:
    """Whose they are and when they happened, of the rows of each table that point at them, the commonest first."""
    homes = dict.fromkeys(data.joins.children(key))
    for home in sorted(homes, key=lambda each: -(data.table(each).row_count or 0)):
        by, date = data.joins.pointer(home, key), data.day(home)
        if by is not None and date is not None and date.table == home and is_deed(date, data):
            yield by, date


def are_people(key: TableKey, data: Data) -> bool:
    """Whether rows are people: called so, by two names, or with what only people have."""
    table = data.table(key)
    kept = {each for column in table.columns for each in table.stems(column.name)}
    return is_of_people(table, data.resolver.label(table)) or not _OF_PEOPLE.isdisjoint(kept)


def is_deed(date: Col, data: Data) -> bool:
    """Whether a date tells of something done with us."""
    return _NO_DEED.isdisjoint(data.table(date.table).stems(date.name))

"""How the words of a question and the names of a catalog meet: which words name which column, and how well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pluto_duck_text2sql.catalog import Catalog, Column, Table
from pluto_duck_text2sql.words import SYNONYMS, Token, name_stems

WHOLE, INNER, PART, SYNONYM, ALIKE = 1, 2, 3, 4, 5


@dataclass(frozen=True)
class Name:
    """A table, or a column of it, by the stems it is called."""

    table: Table
    column: Column | None
    stems: tuple[str, ...]
    inner: tuple[str, ...]

    @classmethod
    def of(cls, table: Table, column: Column | None = None) -> Name:
        """The name's stems; `inner` are those without the table's own: student_name is name."""
        own = name_stems(table.name)
        if column is None:
            return cls(table, None, own, own)
        stems = table.stems(column.name)
        inner = tuple(each for each in stems if each not in own)
        return cls(table, column, stems, inner if inner != stems else ())


def matches(name: Name, stems: Sequence[str], tokens: Sequence[Token]) -> list[int]:
    """For each word how it meets the name: 0 not at all, else WHOLE, INNER, PART, SYNONYM or ALIKE."""
    found = [_single(stem, name) for stem in stems]
    if name.inner and name.column is not None:
        _mark(found, stems, name.inner, INNER)
    _mark(found, stems, name.stems, WHOLE)
    _mark(found, stems, name.stems[::-1], WHOLE)
    return found


def _mark(found: list[int], stems: Sequence[str], wanted: tuple[str, ...], kind: int) -> None:
    """Where all the stems stand next to each other (`name of the student` leaves of and the out)."""
    if not wanted:
        return
    for start in range(len(stems)):
        place, places = start, list[int]()
        for each in wanted:
            while places and place < len(stems) and stems[place] in _BETWEEN and stems[place] != each:
                place += 1
            if place >= len(stems) or stems[place] != each:
                break
            places.append(place)
            place += 1
        if len(places) == len(wanted):
            for place in places:
                found[place] = kind


_BETWEEN = frozenset(("of", "the", "th", "a", "in"))


def _single(stem: str, name: Name) -> int:
    if stem in _BETWEEN:
        return 0
    if stem in name.stems:
        return PART
    if SYNONYMS.get(stem, frozenset()) & set(name.stems):
        return SYNONYM
    if len(stem) > 3 and any(_alike(stem, each) for each in name.stems):
        return ALIKE
    return 0


def _alike(one: str, other: str) -> bool:
    """One begins like the other: nation and nationality, manag and manager."""
    short, long = sorted((one, other), key=len)
    return len(short) > 3 and long.startswith(short[: max(4, len(short) - 1)])


def every_name(catalog: Catalog) -> list[Name]:
    """The names of all tables, each followed by those of its columns."""
    return [
        name
        for table in catalog.tables
        for name in (Name.of(table), *(Name.of(table, column) for column in table.columns))
    ]

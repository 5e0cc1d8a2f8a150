"""How the words of a question and the names of a catalog meet: which words name which column, and how well."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.words import SYNONYMS, Token, table_stems
from pluto_duck_text2sql.trees.term import Term

WHOLE, INNER, PART, SYNONYM, ALIKE = 1, 2, 3, 4, 5


@dataclass(frozen=True, eq=False)
class Name:
    """A table, or a column of it, by the stems it is called."""

    table: Table
    column: Column | None
    stems: tuple[str, ...]
    inner: tuple[str, ...]

    @classmethod
    def of(cls, table: Table, column: Column | None = None) -> Name:
        """The name's stems; `inner` are those without the table's own: student_name is name."""
        own = table_stems(table.name)
        if column is None:
            return cls(table, None, own, own)
        stems = table.stems(column.name)
        inner = tuple(each for each in stems if each not in own)
        return cls(table, column, stems, inner if inner != stems else ())


def matches(name: Name, stems: Sequence[str]) -> list[int]:
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


class Names:
    """All names of a catalog, found by the stems of a question: most names meet no word and are not looked at.

    `aliases` are other names of its tables and columns: a word that meets one meets what it stands for.
    """

    def __init__(self, catalog: Catalog, aliases: Sequence[Term] = ()) -> None:
        self.tables = [Name.of(table) for table in catalog.tables]
        self.columns = {table.key: [Name.of(table, column) for column in table.columns] for table in catalog.tables}
        self._by_stem: dict[str, dict[Name, None]] = defaultdict(dict)
        self._by_start: dict[str, dict[Name, None]] = defaultdict(dict)
        for name in (*self.tables, *(each for some in self.columns.values() for each in some)):
            self._add(name, name.stems)
        self._aliases: dict[Name, list[Name]] = defaultdict(list)
        for alias in aliases:
            for target in [each for each in alias.targets if each.score >= _WHOLE_NAME]:
                self._alias(target.table, target.column, alias.stems)

    def _add(self, name: Name, stems: Sequence[str]) -> None:
        for stem in stems:
            self._by_stem[stem][name] = None
            self._by_start[stem[:_START]][name] = None

    def _alias(self, table: Table, column: Column | None, stems: tuple[str, ...]) -> None:
        own = self.columns[table.key] if column else self.tables
        name = next(each for each in own if each.table.key == table.key and each.column == column)
        self._aliases[name].append(Name(table, column, stems, ()))
        self._add(name, stems)

    def met(self, tokens: Sequence[Token]) -> dict[Name, list[int]]:
        """The names that words meet, each with how each word meets it."""
        stems = [token.stem for token in tokens]
        near = dict.fromkeys(name for stem in dict.fromkeys(stems) for name in self._near(stem))
        return {name: self._matches(name, stems) for name in near}

    def _matches(self, name: Name, stems: Sequence[str]) -> list[int]:
        """How each word meets the name, or the best of its aliases."""
        found = matches(name, stems)
        for alias in self._aliases.get(name, ()):
            better = matches(alias, stems)
            found = [min(filter(None, pair), default=0) for pair in zip(found, better, strict=True)]
        return found

    def _near(self, stem: str) -> Iterator[Name]:
        """The names that may meet a word: by its stem, a synonym, or a like beginning."""
        for each in (stem, *sorted(SYNONYMS.get(stem, ()))):
            yield from self._by_stem.get(each, ())
        if len(stem) > 3:
            yield from self._by_start.get(stem[:_START], ())


_START = 4
_WHOLE_NAME = 0.8

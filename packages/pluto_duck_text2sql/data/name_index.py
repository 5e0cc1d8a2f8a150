"""The names of a catalog by the stems of their words, indexed once: which tables and columns words may name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.numbered_times import KEYS_OF_TIMES
from pluto_duck_text2sql.language.edits import Spellings
from pluto_duck_text2sql.language.lexicon import alike
from pluto_duck_text2sql.language.words import (
    MONEY,
    SYNONYMS,
    explained,
    is_contrary,
    name_stems,
    name_words,
    shared_prefix,
    stem,
    table_stems,
    table_words,
)

if TYPE_CHECKING:
    pass

_LONG_WORD = 6
WEAKEST_EXACT = 0.9
ALIKE = 0.7
_KEPT = 4_096
_RECORDED = frozenset(map(stem, "log logs journal history record records".split()))
"""A log of calls has a row for each call."""
_LOGGED = 0.9

_DATE, _PER = stem("date"), stem("per")

_WHEN = frozenset(("on", "at"))
"""What dates' names end in: `opened_on` is the opening date."""
_PARTICLES = ("up", "off", "in", "out", "back")


@dataclass(frozen=True)
class Target:
    """What a span may name: a table (`column` is None) or a column, and how well the words fit its name."""

    table: Table
    column: Column | None
    score: float


def _without_key(stems: tuple[str, ...]) -> tuple[str, ...]:
    """What a day is called whose name says that it is a key as well: `order_date_key`."""
    return tuple(each for each in stems if each not in KEYS_OF_TIMES) or stems


class NameIndex:
    """The catalog's names by the stems people may use for them."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._names: dict[tuple[str, ...], list[Target]] = defaultdict(list)
        self._found = lru_cache(maxsize=_KEPT)(self._find)
        self._prefix = shared_prefix([table_stems(table.name) for table in catalog.tables])
        for table in catalog.tables:
            self._add_table(table)
            for column in table.columns:
                self._add_column(table, column)
        self._words = Spellings(key[0] for key in self._names if len(key) == 1 and len(key[0]) > 3)

    def _add_table(self, table: Table) -> None:
        stems = table_stems(table.name)
        self._add(stems, Target(table, None, 1.0))
        self._add_glued(table_words(table.name), Target(table, None, 0.95))
        if len(stems) > 1:
            self._add(stems[-1:], Target(table, None, 0.6))
            self._add(stems[:1], Target(table, None, 0.55))
        if len(stems) > 2:
            self._add(stems[1:], Target(table, None, 0.8))
        if len(stems) > 1 and stems[-1] in _RECORDED:
            self._add(stems[:-1], Target(table, None, _LOGGED))
        if len(stems) > 1 and stems[0] == self._prefix:
            self._add(stems[1:], Target(table, None, 0.95))

    def _add_column(self, table: Table, column: Column) -> None:
        every = table.stems(column.name)
        stems = _without_key(every) if column.is_numbered else every
        self._add_units(stems, table, column)
        self._add(stems, Target(table, column, 1.0))
        if stems != every:
            self._add(every, Target(table, column, 1.0))
        self._add_glued(name_words(column.name)[-len(stems) :], Target(table, column, 0.95))
        if column.is_time and stems[-1] in _WHEN and len(stems) > 1:
            self._add((*stems[:-1], _DATE), Target(table, column, 0.95))
        if column.is_time and len(stems) > 1:
            self._add_with_particles(stems[0], Target(table, column, 0.9))
        own = set(table_stems(table.name))
        rest = tuple(each for each in stems if each not in own)
        if rest and rest != stems:
            self._add(rest, Target(table, column, 0.95))
        is_rate = _PER in stems and bool(explained(column.name))
        if len(stems) > 1 and not is_rate:  # CPC (cost per click) is neither a cost nor clicks
            self._add_parts(stems, own, table, column)

    def _add_parts(self, stems: tuple[str, ...], own: set[str], table: Table, column: Column) -> None:
        """A column by each word of its name but its table's own, and by every two in a row."""
        for place, each in enumerate(stems):
            if each not in ("id", "of", "is", "in") and each not in own:
                self._add((each,), Target(table, column, 0.65 if place == len(stems) - 1 else 0.6))
        for start in range(len(stems) - 2):
            self._add(stems[start : start + 2], Target(table, column, 0.8))
            self._add(stems[start + 1 : start + 3], Target(table, column, 0.8))

    def _add_units(self, stems: tuple[str, ...], table: Table, column: Column) -> None:
        """`length in cm` of `Length (cm)`, and its unit alone."""
        for unit in map(name_stems, explained(column.name)):
            if len(unit) == 1:
                self._add((*stems, *unit), Target(table, column, 1.0))
                self._add(unit, Target(table, column, 0.6))

    def _add(self, key: tuple[str, ...], target: Target) -> None:
        self._names[key].append(target)
        self._found.cache_clear()

    def _add_with_particles(self, verb: str, target: Target) -> None:
        """`pick-up` and `pickup` of a date that is called by the verb alone."""
        for particle in _PARTICLES if len(verb) > 2 else ():
            self._add((f"{verb}-{particle}",), target)
            self._add((f"{verb}{particle}",), target)

    def _add_glued(self, words: tuple[str, ...], target: Target) -> None:
        """`lifeboat` of life_boat, or of a name that was taken for two words."""
        if len(words) > 1:
            self._add((stem("".join(words)),), target)

    def find(self, stems: tuple[str, ...]) -> list[Target]:
        """What `stems` name, directly, in another order, or by a synonym.

        Kept for the last names, since many rules look up the same words; a further name drops what is kept.
        """
        return list(self._found(stems))

    def _find(self, stems: tuple[str, ...]) -> list[Target]:
        found = self.called(stems) or self.called(_apart(stems))
        if not any(each.score >= WEAKEST_EXACT for each in found):
            found += [_weaker(each, ALIKE) for other in alike().get(stems, ()) for each in self._names.get(other, ())]
        return _best(found)

    def begins(self, stems: tuple[str, ...]) -> bool:
        """Whether something is called by these stems in this order."""
        return stems in self._names

    def called(self, stems: tuple[str, ...]) -> list[Target]:
        """What `stems` name by the names' own words or their synonyms, without the general lexicon.

        No word for money names a table of sales: ticket revenue is an amount, of ticket_sales.
        """
        found = list(self._names.get(stems, ()))
        if len(stems) > 1:
            found += [_weaker(each, 0.95) for each in self._names.get(stems[::-1], ())]
        for place, each in enumerate(stems):
            for synonym in sorted(SYNONYMS.get(each, ())):
                targets = self._names.get((*stems[:place], synonym, *stems[place + 1 :]), ())
                found += [_weaker(target, 0.75) for target in targets if target.column or each not in MONEY]
        return found

    def rows(self, word: str) -> Table | None:
        """The one table whose rows a word, in any case and number, is the name of; `sales`, which has a stem of its
        own, of `sale` too."""
        tables = self._tables(word.lower()) or self._tables(word.lower().removesuffix("s"))
        return next(iter(tables.values())) if len(tables) == 1 else None

    def _tables(self, word: str) -> dict[tuple[str, str], Table]:
        named = (each for each in self.called((stem(word),)) if each.column is None and each.score >= WEAKEST_EXACT)
        return {each.table.key: each.table for each in named}

    def add(self, stems: tuple[str, ...], targets: Sequence[Target]) -> None:
        """One more name for the targets."""
        for target in targets:
            self._add(stems, target)

    def find_misspelt(self, word: str) -> list[Target]:
        """What `word` names with a letter or two wrong."""
        close = self._words.close(word, 1, 0.84) if len(word) > 4 else []
        close = close or (self._words.shuffled(word) if len(word) >= _LONG_WORD else [])
        meant = [each for each in close if not is_contrary(word, each)]
        return [_weaker(target, 0.7) for each in meant for target in self._names[each,]]

    def nearest(self, word: str, count: int = 3, cutoff: float = 0.4) -> list[str]:
        """Names of the catalog that look most like `word`, for messages."""
        return [self._by_fold[each] for each in self._spellings.close(word.casefold(), count, cutoff)]

    @cached_property
    def _by_fold(self) -> dict[str, str]:
        names = {table.name for table in self._catalog.tables}
        names |= {column.name for table in self._catalog.tables for column in table.columns}
        return {name.casefold(): name for name in sorted(names)}

    @cached_property
    def _spellings(self) -> Spellings:
        return Spellings(self._by_fold)


def _apart(stems: tuple[str, ...]) -> tuple[str, ...]:
    """The stems with what a hyphen joins taken apart: `sub-categories` of `Sub-Category`; none where there is none."""
    is_joined = any("-" in each for each in stems)
    return tuple(stem(part) for each in stems for part in each.split("-") if part) if is_joined else ()


def _weaker(target: Target, factor: float) -> Target:
    return Target(target.table, target.column, target.score * factor)


def _best(targets: Sequence[Target]) -> list[Target]:
    best: dict[tuple[object, ...], Target] = {}
    for target in targets:
        key = (target.table.key, target.column.name if target.column else None)
        if key not in best or best[key].score < target.score:
            best[key] = target
    return sorted(best.values(), key=lambda each: -each.score)

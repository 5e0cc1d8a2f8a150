"""The stored values that texts hit, by what their columns hold: places, a few states, codes or kinds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.held_words import tells_kinds
from pluto_duck_text2sql.data.place_columns import place_columns, place_nouns
from pluto_duck_text2sql.data.qualifiers import numbered_values
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.otherwise import Otherwise, otherwise
from pluto_duck_text2sql.language.words import name_stems, stem, table_stems

_FEW = 60
"""At most so many different values has a column whose values are looked for by other words."""
_FEW_CODES = 12
"""At most so many where words are looked for by three of their letters."""
MOST_HITS = 100
_PLACES = "country nation nationality citizenship land origin birthplace market state province territory".split()
_OF_PLACES = frozenset(map(stem, _PLACES))
_CODED = frozenset(map(stem, "code type status kind class category reason cause".split()))
"""What columns of codes are called."""
PAIR = 2


class ValueLookup:
    """The stored values of one catalog that texts hit, by what their columns hold: places, few states, codes, kinds."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def hits(self, texts: Sequence[str]) -> list[ValueHit]:
        """The values that any of these texts names."""
        return [hit for some in self._catalog.values.lookup_all(list(texts), limit=MOST_HITS) for hit in some]

    def of_kinds(self, stems: Sequence[str]) -> list[ValueHit]:
        """The values that these words are part of, of columns that tell kinds: few, and each of several rows."""
        return [hit for hit in self._catalog.values.lookup_part(stems) if self.tells_kinds(hit)]

    def tells_kinds(self, hit: ValueHit) -> bool:
        """Whether its column tells kinds."""
        return tells_kinds(hit, self._catalog)

    def places(self, other: Otherwise) -> list[ValueHit]:
        """Values of columns that hold places; codes where nothing is spelt out."""
        for texts in (other.texts, other.codes):
            hits = [hit for hit in self.hits(texts) if self._is_of_places(hit)]
            if hits:
                return hits
        return []

    def is_meant_elsewhere(self, text: str, hits: Sequence[ValueHit]) -> bool:
        """Whether a text is another name of a place that is stored, and is itself stored as something else alone: a
        track that is called Brasil."""
        places = [each for each in otherwise(text) if each.place]
        if not places or any(self._is_of_places(each) or self.is_of_few(each) for each in hits):
            return False
        return any(self._is_of_places(hit) for each in places for hit in self.hits(each.texts))

    def _is_of_places(self, hit: ValueHit) -> bool:
        """Whether a column is called after places, or holds them whatever it is called."""
        named = bool(_OF_PLACES & {*name_stems(hit.column), *table_stems(hit.table)})
        return named or _column_of(hit) in self._place_columns

    @cached_property
    def _place_columns(self) -> frozenset[tuple[str, str, str]]:
        return frozenset((*table.key, column.name) for table, column, _ in place_columns(self._catalog))

    @cached_property
    def _holding_places(self) -> frozenset[tuple[str, str, str]]:
        catalog = self._catalog
        every = ((table, column) for table in catalog.tables for column in table.columns)
        return frozenset((*table.key, column.name) for table, column in every if place_nouns(table, column, catalog))

    def of_few(self, other: Otherwise) -> list[ValueHit]:
        """Values of columns that hold few, and no codes of places: what succeeded is not in OK."""
        numbered = (numbered_values(each, self._catalog) for each in other.texts if each.isalpha())
        hits = [*self.hits(other.texts), *(hit for some in numbered for hit in some)]
        return [hit for hit in hits if self.is_of_few(hit) and not (len(hit.value) == PAIR and self.is_place(hit))]

    def is_pair_of(self, hit: ValueHit) -> bool:
        """Whether it is a code of two letters, in a column of codes about as short: EM of emergency, IN beside OUT."""
        coded = not _CODED.isdisjoint(name_stems(hit.column)) and self.is_of_codes(hit)
        held = self._catalog.values.held_in(*_column_of(hit)) if coded else ()
        return coded and len(hit.value) == PAIR and all(len(each) <= PAIR + 1 for each in held)

    def is_of_codes(self, hit: ValueHit) -> bool:
        """Whether its column holds few codes and nothing else: no CEO among engineers and accountants."""
        if not self.is_of_few(hit, _FEW_CODES):
            return False
        return all(map(str.isupper, self._catalog.values.held_in(*_column_of(hit))))

    def is_place(self, hit: ValueHit) -> bool:
        """Whether its column holds places, whatever it is called: their codes are no words written short."""
        return _column_of(hit) in self._holding_places

    def is_key(self, hit: ValueHit) -> bool:
        """Whether it stands for a row, which has a name: FIN of the finance department is no word for final."""
        table = self._catalog.table(hit.schema, hit.table)
        column = table.column(hit.column) if table else None
        if table is None or column is None:
            return False
        keys = [table.primary_key, *(key.columns for key in table.foreign_keys)]
        is_own = bool(column.n_distinct) and column.n_distinct == table.row_count
        return is_own or any(hit.column.casefold() == name.casefold() for key in keys for name in key)

    def is_of_few(self, hit: ValueHit, most: int = _FEW) -> bool:
        """Whether its column holds no more than so many different values."""
        column = self._catalog.column(hit.schema, hit.table, hit.column)
        return column is not None and column.n_distinct is not None and column.n_distinct <= most


def _column_of(hit: ValueHit) -> tuple[str, str, str]:
    return hit.schema, hit.table, hit.column

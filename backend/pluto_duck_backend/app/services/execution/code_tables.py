"""Tables that say what codes of others mean: `CV` of a class is Cardiovascular, as old systems keep it.

A code table has a column of codes, one of texts, and maybe one that tells whose codes they are. No key points at it, so
that nothing else tells which column's codes they are: the one whose every value is among those of one kind, and of no
other. The texts then are words for these values, as items of a glossary are. Called by the catalog.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.execution.guard import Key
from pluto_duck_text2sql.data.catalog import CodeTable, Column, Table
from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.language.glossary import Item
from pluto_duck_text2sql.language.plain_words import plain_stems
from pluto_duck_text2sql.language.words import STOP, name_stems, stem, tokenise

_MOST_ROWS, _MOST_COLUMNS = 2_000, 6
_CODES = frozenset(map(stem, "cd code codes key val value abbreviation".split()))
_TEXTS = frozenset(map(stem, "dsc descr desc description label name nm text txt meaning".split()))
_LEAST_VALUES, _LEAST_WORDS = 2, 2


@dataclass(frozen=True)
class _Shape:
    """The names of a code table's columns; `kind` is None where all its codes are of one."""

    code: str
    text: str
    kind: str | None


@dataclass(frozen=True)
class Codes:
    """What texts of code tables mean, each an item of a glossary; the columns `(table, name)` that they are in; and the
    code table of each column `(table, name)` that one tells."""

    items: tuple[Item, ...] = ()
    texts: frozenset[tuple[Key, str]] = frozenset()
    tables: Mapping[tuple[Key, str], CodeTable] = field(default_factory=dict)


def codes_of(session: Session, tables: Sequence[Table], sources: Mapping[Key, str]) -> Codes:
    """The codes that code tables tell; `sources` is SQL for what may be seen of each table."""
    gathered = _Gathered()
    pointed = {(key.ref_schema, key.ref_table) for table in tables for key in table.foreign_keys}
    for table in (each for each in tables if each.key not in pointed):
        if shape := _shape(table):
            codes = _codes(session, shape, sources[table.key])
            for other, column, kind in _told(codes, table, tables):
                gathered.add(table, shape, other, column, kind, codes[kind])
    return gathered.codes()


class _Gathered:
    """What the code tables looked at so far tell."""

    def __init__(self) -> None:
        self._said: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
        self._places: dict[str, str] = {}
        self._columns = set[tuple[Key, str]]()
        self._tables = dict[tuple[Key, str], CodeTable]()

    def add(self, table: Table, shape: _Shape, other: Table, column: str, kind: str, texts: Mapping[str, str]) -> None:
        """The values of `other.column` are codes of this `kind`, which `table` tells the `texts` of."""
        self._columns.add((table.key, shape.text))
        of = (shape.kind, kind) if shape.kind else None
        self._tables[other.key, column] = CodeTable(table.key, shape.code, shape.text, of)
        for code, text in texts.items():
            self._said[text].add((other.name, column, code))
            self._places[text] = table.name

    def codes(self) -> Codes:
        known = ((text, _meaning(each)) for text, each in self._said.items() if _says_something(text))
        items = tuple(Item((text,), meaning, self._places[text]) for text, meaning in known if meaning)
        return Codes(items, frozenset(self._columns), self._tables)


def _meaning(columns: Collection[tuple[str, str, str]]) -> str:
    """The condition, on a column that several tables may have; nothing where columns of different names are meant."""
    (owner, column, code), *others = sorted(columns)
    if any(each[1:] != (column, code) for each in others):
        return ""
    where = quote(column) if others else f"{quote(owner)}.{quote(column)}"
    return f"{where} = {literal(code)}"


def _shape(table: Table) -> _Shape | None:
    """The columns of a code table; None for any other."""
    if not 0 < (table.row_count or 0) <= _MOST_ROWS or len(table.columns) > _MOST_COLUMNS or table.foreign_keys:
        return None
    texts = [each for each in table.columns if each.kind == "text"]
    code = [each.name for each in texts if name_stems(each.name)[-1] in _CODES]
    text = [each.name for each in texts if name_stems(each.name)[-1] in _TEXTS]
    others = [each.name for each in texts if each.name not in (*code, *text)]
    if len(code) != 1 or len(text) != 1 or len(others) > 1:
        return None
    return _Shape(code[0], text[0], others[0] if others else None)


def _codes(session: Session, shape: _Shape, source: str) -> dict[str, dict[str, str]]:
    """kind → code → text."""
    kind = quote(shape.kind) if shape.kind else "''"
    rows = session.execute(
        f"SELECT {kind}, {quote(shape.code)}, {quote(shape.text)} FROM {source}"
        f" WHERE {quote(shape.code)} IS NOT NULL AND {quote(shape.text)} IS NOT NULL"
    ).fetchmany(_MOST_ROWS)
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for of, code, text in rows:
        found[of][code] = text
    return found


def _told(
    codes: Mapping[str, Mapping[str, str]], table: Table, tables: Sequence[Table]
) -> Iterator[tuple[Table, str, str]]:
    """`(table, column, kind)` for each column of other tables all of whose values are codes of that kind alone."""
    for other in tables if codes else ():
        keys = {name for key in other.foreign_keys for name in key.columns}
        for column in other.columns:
            kinds = [kind for kind, known in codes.items() if _holds(known, column)]
            if other.key != table.key and column.name not in keys and len(kinds) == 1:
                yield other, column.name, kinds[0]


def _holds(known: Collection[str], column: Column) -> bool:
    values = set(column.samples)
    return column.kind == "text" and len(values) >= _LEAST_VALUES and values <= set(known) and not is_yes_or_no(column)


def _says_something(text: str) -> bool:
    """Whether a text is no word of everyday, or of what was done: `new`, `picked up` say much else in a question."""
    tokens = [each for each in tokenise(text) if each.lower not in STOP]
    deeds = [each for each in tokens if each.lower.endswith("ed")]
    is_name = len(tokens) >= _LEAST_WORDS and not deeds
    return is_name or any(each.stem not in plain_stems() for each in tokens if each not in deeds)

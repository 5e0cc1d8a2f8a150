"""What is in the warehouse, as the analyst, the API and people want to know it.

Tables, columns, keys (declared, and inferred from names, uniqueness and inclusion), comments, row counts, statistics
and an index of text values. Kept per table and looked at again only where the table changed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.errors import NotFound, did_you_mean
from pluto_duck_backend.app.core.warehouse import Session, Warehouse, quote
from pluto_duck_backend.app.services.execution.code_tables import Codes, codes_of
from pluto_duck_backend.app.services.execution.declared import Declarations, Declared
from pluto_duck_backend.app.services.execution.guard import Key, Known, Relation, Rights
from pluto_duck_backend.app.services.execution.keys import KeyFinder
from pluto_duck_backend.app.services.execution.knowledge import Knowledge
from pluto_duck_backend.app.services.execution.looking import (
    Definition,
    Marks,
    definitions,
    frequent,
    look,
    texts,
    with_lookups,
)
from pluto_duck_backend.app.services.execution.number_times import with_plain_keys
from pluto_duck_backend.app.services.execution.results import json_value
from pluto_duck_text2sql.data.catalog import Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.data.values import ValueIndex
from pluto_duck_text2sql.language.glossary import Item
from pluto_duck_text2sql.learned.memory import give_back
from pluto_duck_text2sql.terms.terms import Terms

_MANY_VALUES = 100_000


@dataclass(frozen=True)
class _Known:
    """A table as last looked at; `mark` tells whether it has changed since."""

    mark: tuple[Any, ...]
    table: Table


@dataclass(frozen=True)
class _Seen:
    """The tables that may be seen: `sources` is what each is read from, in a FROM.

    Where rights hide some of it, `confined` is the SQL of that, and `columns` are those that they show.
    """

    every: Mapping[Key, Definition]
    sources: Mapping[Key, str]
    confined: Mapping[Key, str]
    columns: Mapping[Key, Collection[str] | None]


class CatalogService:
    """The catalog of one warehouse, or of the part of it that `rights` show. Thread-safe."""

    def __init__(
        self,
        warehouse: Warehouse,
        settings: Settings,
        rights: Rights | None = None,
        known: Callable[[], Known] = Known,
    ) -> None:
        self._warehouse = warehouse
        self._settings = settings
        self._rights = rights
        self._names = known
        self._lock = threading.Lock()
        self._known: dict[Key, _Known] = {}
        self._keys = KeyFinder()
        self._values = ValueIndex(settings.paths.catalog)
        self._knowledge = Knowledge(settings.paths)
        self._frequent: dict[Key, tuple[Any, dict[str, list[Any]]]] = {}
        self._made: tuple[int, Catalog] | None = None
        self._said: tuple[Item, ...] | None = None
        self._codes = Codes()

    def catalog(self) -> Catalog:
        """The catalog of what is committed now, and of the glossary as it is now; the same object until then."""
        with self._lock:
            version, said = self._warehouse.version, self._knowledge.items()
            if self._made is None or self._made[0] != version:
                self._made, self._said = (version, self._make()), None
            if self._said is not said:
                self._made, self._said = (version, self._with_glossary(self._made[1], said)), said
            return self._made[1]

    def _with_glossary(self, made: Catalog, said: tuple[Item, ...]) -> Catalog:
        """The catalog with the users' words, and those of code tables that no user says."""
        own = {term.casefold() for item in said for term in item.terms}
        codes = [each for each in self._codes.items if own.isdisjoint(map(str.casefold, each.terms))]
        return replace(made, glossary=(*said, *codes))

    def describe(self) -> dict[str, Any]:
        """`{tables: […], glossary: {terms: […], warnings: […]}}`, without statistics."""
        catalog = self.catalog()
        tell = self._tell_of_dbt(catalog)
        return {
            "tables": [{**_described(table), "dbt": tell(table.key)} for table in catalog.tables],
            "glossary": self._described_glossary(catalog),
        }

    def _described_glossary(self, catalog: Catalog) -> dict[str, Any]:
        """What its lines mean here; which mean nothing is not for those who see a part of the data."""
        if not catalog.glossary:
            return {"terms": [], "warnings": list(self._knowledge.unreadable)}
        terms = Terms.of(catalog)
        described = [{"term": each.said, "meaning": each.meaning, "place": each.place} for each in terms.all]
        warnings = [] if self._rights else [*self._knowledge.unreadable, *terms.warnings]
        return {"terms": described, "warnings": warnings}

    def describe_table(self, name: str) -> dict[str, Any]:
        """One table, `name` or `schema.name`, with statistics and sample values. Raises NotFound."""
        tables = self.catalog().tables
        wanted = name.casefold()
        found = [each for each in tables if wanted in (f"{each.schema}.{each.name}".casefold(), each.name.casefold())]
        if not found:
            names = [shown for each in tables for shown in (each.name, f"{each.schema}.{each.name}")]
            raise NotFound(
                f"There is no table {name!r}. {did_you_mean(name, names)}".rstrip(),
                code="table_not_found",
                hint="`pluto-duck schema` lists the tables there are.",
            )
        best = max(found, key=lambda each: (f"{each.schema}.{each.name}".casefold() == wanted, each.preference))
        described = _described(best, statistics=True)
        often = self._values_of_most_rows(best)
        for column in described["columns"]:
            column["frequent"] = [json_value(each) for each in often.get(column["name"], ())]
        return {**described, "dbt": self._tell_of_dbt(self.catalog())(best.key)}

    def _values_of_most_rows(self, table: Table) -> dict[str, list[Any]]:
        """By column, looked at once for each state of the table, and only at what may be seen of it."""
        known = self._known.get(table.key)
        mark = known.mark if known else None
        kept = self._frequent.get(table.key)
        if kept is None or mark is None or kept[0] != mark:
            shown = self._shown()
            source = _name(table.key) if shown is None else f"({self._source(shown[_folded(table.key)])})"
            with self._warehouse.read() as session:
                kept = mark, frequent(session, table, source)
            self._frequent[table.key] = kept
        return kept[1]

    def values_like(self, text: str, limit: int = 20) -> list[dict[str, Any]]:
        """`[{schema, table, column, value, score}]`: stored texts that `text` names, those that it misspells last."""
        index = self.catalog().values
        found = dict.fromkeys([*index.lookup(text, limit), *index.lookup_fuzzy(text, limit)])
        return [asdict(hit) for hit in list(found)[:limit]]

    def _tell_of_dbt(self, catalog: Catalog) -> Callable[[Key], dict[str, Any] | None]:
        declarations = Declarations(self._settings.paths)
        seen = None if self._rights is None else frozenset(table.key for table in catalog.tables)
        return lambda key: declarations.shown(key, seen)

    def _make(self) -> Catalog:
        rows = self._warehouse.rows_versions()  # before reading: what changes meanwhile is looked at once more
        with self._warehouse.read() as session:
            seen = self._seen(session, rows)
            changed = self._look_again(session, seen)
            tables = tuple(_within(self._known[key].table, seen.sources) for key in seen.sources)
            known = {key: each.mark for key, each in self._known.items()}
            keyed = tuple(map(with_plain_keys, self._keys.tables(session, tables, known)))
            self._codes = codes_of(session, keyed, seen.sources)
            self._without_texts_of_codes(session, keyed, seen.sources, changed)
            made = Catalog(with_lookups(keyed), self._values, meanings=self._codes.tables)
        if sum(self._values.count(*key) for key in changed) > _MANY_VALUES:
            give_back()
        return made

    def _seen(self, session: Session, rows: Mapping[str, int]) -> _Seen:
        """What there is of what may be seen."""
        every, shown = definitions(session, rows), self._shown()
        if shown is None:
            return _Seen(every, {key: _name(key) for key in every}, {}, {})
        sql = {key: self._source(shown[_folded(key)]) for key in every if _folded(key) in shown}
        columns = {key: shown[_folded(key)].columns for key in sql}
        return _Seen(every, {key: f"({text})" for key, text in sql.items()}, sql, columns)

    def _look_again(self, session: Session, seen: _Seen) -> list[Key]:
        """Look at the tables that are others than they were; returns which."""
        marks, declarations = Marks(seen.every, seen.confined), Declarations(self._settings.paths)
        declared = {key: declarations.of(key) for key in seen.sources}
        mark = {key: (*marks.of(key), declared[key]) for key in seen.sources}
        self._forget_but(seen.sources)
        changed = [key for key in seen.sources if key not in self._known or self._known[key].mark != mark[key]]
        for key in changed:
            table = self._look(session, seen, key, declared[key])
            self._known[key] = _Known(mark[key], table)
        return changed

    def _without_texts_of_codes(
        self, session: Session, tables: Sequence[Table], sources: Mapping[Key, str], changed: Collection[Key]
    ) -> None:
        """Texts of code tables are words for what others keep; nobody looks for them where they are."""
        most = self._settings.catalog.values_per_column
        for table in (each for each in tables if each.key in changed):
            mute = {name for key, name in self._codes.texts if key == table.key}
            if mute:
                stored = texts(session, table, sources[table.key], most)
                self._values.fill(*table.key, ((name, values) for name, values in stored if name not in mute))

    def _look(self, session: Session, seen: _Seen, key: Key, declared: Declared) -> Table:
        source = seen.sources[key]
        table = look(session, seen.every[key], source, declared, seen.columns.get(key))
        limits = self._settings.catalog
        room = limits.values_total - (len(self._values) - self._values.count(*table.key))
        stored = texts(session, table, source, limits.values_per_column)
        self._values.fill(*table.key, _at_most(_with_accepted(stored, table, declared), room))
        return table

    def _shown(self) -> Mapping[Key, Relation] | None:
        """The relations that may be seen; None: all."""
        return None if self._rights is None else self._rights.visible(self._names()).relations

    def _source(self, relation: Relation) -> str:
        """SQL for what may be seen of a table."""
        return self._rights.confined(relation, self._names()) if self._rights else ""

    def _forget_but(self, seen: Collection[Key]) -> None:
        for key in self._known.keys() - set(seen):
            del self._known[key]
            self._values.replace(*key, ())

    def close(self) -> None:
        """Let the index's files go; nothing may be asked afterwards."""
        self._values.close()


def _at_most(batches: Iterable[tuple[str, list[str]]], room: int) -> Iterator[tuple[str, list[str]]]:
    for column, values in batches:
        yield column, values[: max(room, 0)]
        room -= len(values)


def _with_accepted(
    stored: Iterable[tuple[str, list[str]]], table: Table, declared: Declared
) -> Iterator[tuple[str, list[str]]]:
    """The stored texts, then those that tests allow: one that no row holds yet is a value all the same."""
    texts = [column.name for column in table.columns if column.kind == "text"]
    left = {name: list(declared.column(name).accepted) for name in texts}
    for column, values in stored:
        left[column] = [each for each in left[column] if each not in values]
        yield column, values
    yield from ((column, values) for column, values in left.items() if values)


def _name(key: Key) -> str:
    return f"{quote(key[0])}.{quote(key[1])}"


def _within(table: Table, seen: Collection[Key]) -> Table:
    """The table without keys that point to one that is not there, or not to be seen."""
    kept = tuple(each for each in table.foreign_keys if (each.ref_schema, each.ref_table) in seen)
    return table if len(kept) == len(table.foreign_keys) else replace(table, foreign_keys=kept)


def _folded(key: Key) -> Key:
    return key[0].casefold(), key[1].casefold()


def _described(table: Table, *, statistics: bool = False) -> dict[str, Any]:
    return {
        "schema": table.schema,
        "table": table.name,
        "kind": table.kind,
        "comment": table.comment,
        "row_count": table.row_count,
        "columns": [_described_column(column, statistics) for column in table.columns],
        "primary_key": list(table.primary_key),
        "foreign_keys": [_described_key(key) for key in table.foreign_keys],
    }


def _described_column(column: Column, statistics: bool) -> dict[str, Any]:
    plain = {"name": column.name, "type": column.type, "nullable": column.nullable, "comment": column.comment}
    if not statistics:
        return plain
    return {
        **plain,
        "n_distinct": column.n_distinct,
        "minimum": json_value(column.minimum),
        "maximum": json_value(column.maximum),
        "null_fraction": column.null_fraction,
    }


def _described_key(key: ForeignKey) -> dict[str, Any]:
    return {
        "columns": list(key.columns),
        "references": f"{key.ref_schema}.{key.ref_table}",
        "ref_columns": list(key.ref_columns),
        "inferred": key.inferred,
    }

"""The tables, views and macros of a warehouse, as the guard looks names up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Key = tuple[str, str]


@dataclass(frozen=True)
class Relation:
    """A table, or a view with the query it stands for; `schema` and `name` as the user made them."""

    schema: str
    name: str
    columns: tuple[str, ...] = ()
    query: str | None = None
    types: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        return self.schema.casefold(), self.name.casefold()

    def __str__(self) -> str:
        return f"{self.schema}.{self.name}"


def no_step(_name: str) -> str:
    """Nothing is known of how a table that is not there comes about."""
    return ""


@dataclass(frozen=True)
class Known:
    """What SQL may name: relations by `(schema, name)` and the user's macros by name, all in lower case."""

    relations: Mapping[Key, Relation] = field(default_factory=dict)
    macros: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #   each definition that a macro has, as SQL that may stand for it: a query, or `SELECT <expression>`
    types: frozenset[str] = frozenset()
    catalog: str = ""
    #   the warehouse's own name in SQL
    step_to: Callable[[str], str] = field(default=no_step, compare=False)
    #   what brings a table that is not there, by its name; '' where nothing is known of it

    def find(self, catalog: str, schema: str, name: str) -> Relation | None:
        """The relation DuckDB would read, or None."""
        if catalog and catalog != self.catalog:
            return None
        found = self.relations.get((schema or "main", name))
        if found is None and schema == self.catalog and not catalog and not self._has_schema(schema):
            found = self.relations.get(("main", name))
        return found

    def _has_schema(self, schema: str) -> bool:
        return any(key[0] == schema for key in self.relations)

    def names(self) -> list[str]:
        """Every relation as a user would write it."""
        return [each.name if each.schema == "main" else str(each) for each in self.relations.values()]

"""What is declared of tables beside DuckDB's own catalog: keys of their sources, and all that dbt says of its models.

For the catalog service: `Declared` per table, looked up by schema and name in any case. What must stay true: a comment
in the warehouse goes before a description of dbt's, and declared keys of a source before those of tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pluto_duck_backend.app.core.dbt_models import ColumnFacts, Models, Relation, models
from pluto_duck_backend.app.core.lineage import declared_keys
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.services.execution.guard import Key

_BY_SCHEMA = {"marts": 2.0, "mart": 2.0, "analytics": 2.0, "reporting": 2.0, "staging": -1.0, "stg": -1.0, "raw": -2.0}
_HISTORY = -3.0
"""Of snapshots: they hold each row as often as it changed, so what they are made of is read in their place."""
_BY_SCHEMA |= dict.fromkeys(("snapshots", "snapshot"), _HISTORY)


@dataclass(frozen=True)
class Declared:
    """Of one table; `made_from` are all tables that dbt makes it from, directly or not."""

    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[Mapping[str, Any], ...] = ()
    comment: str = ""
    columns: Mapping[str, ColumnFacts] = field(default_factory=dict)
    preference: float = 0.0
    made_from: frozenset[Key] = frozenset()

    def column(self, name: str) -> ColumnFacts:
        return self.columns.get(name.casefold(), ColumnFacts())


def step_to(paths: Paths, name: str) -> str:
    """What builds a table of dbt's that is not there yet, by its name with or without schema; '' dbt knows none."""
    *schema, table = name.casefold().split(".")
    for (its_schema, its_name), relation in models(paths).by_table.items():
        if relation.kind != "source" and its_name == table and schema[-1:] in ([], [its_schema]):
            return f"dbt has not built it yet: `pluto-duck dbt build --select +{relation.node.split('.')[-1]}` does."
    return ""


class Declarations:
    """As of one moment."""

    def __init__(self, paths: Paths) -> None:
        self._keys = {_folded(*key): each for key, each in declared_keys(paths).items()}
        self._models = models(paths)

    def of(self, key: Key) -> Declared:
        keys = self._keys.get(_folded(*key), {})
        relation = self._models.by_table.get(_folded(*key))
        if relation is None:
            return Declared(
                tuple(keys.get("primary_key") or ()),
                tuple(keys.get("foreign_keys") or ()),
                preference=_BY_SCHEMA.get(key[0], 0.0),
            )
        return Declared(
            tuple(keys.get("primary_key") or relation.primary_key),
            (*(keys.get("foreign_keys") or ()), *relation.foreign_keys),
            relation.description,
            {name.casefold(): each for name, each in relation.columns.items()},
            _preference(relation, self._models),
            frozenset(each.key for each in self._models.ancestors(relation)),
        )

    def shown(self, key: Key, seen: frozenset[Key] | None) -> dict[str, Any] | None:
        """What `GET /schema` tells of dbt's part in a table; None where it has none. `seen`: what may be named."""
        relation = self._models.by_table.get(_folded(*key))
        if relation is None:
            return None
        inputs = [each for each in self._models.inputs(relation) if seen is None or each.key in seen]
        return {
            "node": relation.node,
            "materialized": relation.materialized or relation.kind,
            "made_from": [f"{each.schema}.{each.table}" for each in inputs],
            "tags": list(relation.tags),
            "exposures": list(relation.exposures),
            "built_at": relation.built_at or None,
            "tests": dict(relation.tests),
        }


def _preference(relation: Relation, known: Models) -> float:
    is_history = relation.kind == "snapshot"
    return _HISTORY if is_history else _BY_SCHEMA.get(relation.schema, _by_lineage(relation, known))


def _by_lineage(relation: Relation, known: Models) -> float:
    """Where no layer names the schema: what is loaded, what cleans that, what is made of them."""
    if relation.kind in ("source", "seed"):
        return -2.0
    inputs = known.inputs(relation)
    is_first = bool(inputs) and all(each.kind in ("source", "seed") for each in inputs)
    return -1.0 if is_first and relation.node in known.read else 1.0


def _folded(schema: str, table: str) -> Key:
    return schema.casefold(), table.casefold()

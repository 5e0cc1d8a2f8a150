"""What dbt knows of the tables it made and read: `artifacts/dbt/models.json`.

The transformation service writes it after each dbt command; the catalog takes names, keys, values and lineage from it,
answers take which model they read, when it was built and how it was tested. What must stay true: the file is replaced
as a whole, and losing it loses no data (the next dbt command writes it again).
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import orjson

from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.whole_files import write_whole

NodeId = str
#   dbt's unique_id: model.shop.orders
TableName = tuple[str, str]
RelationKind = Literal["model", "seed", "snapshot", "source"]
_VERSION = 1


@dataclass(frozen=True)
class ColumnFacts:
    """A column as the project describes it; `accepted` are the values that a test allows."""

    description: str = ""
    accepted: tuple[str, ...] = ()


@dataclass(frozen=True)
class Relation:
    """A table or view of the warehouse that a dbt project makes or reads."""

    node: NodeId
    schema: str
    table: str
    kind: RelationKind
    project: str
    materialized: str = ""
    path: str = ""
    #   of its code, within the project
    description: str = ""
    columns: Mapping[str, ColumnFacts] = field(default_factory=dict)
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[Mapping[str, Any], ...] = ()
    #   {columns, ref_schema, ref_table, ref_columns}, as in core/lineage.py
    tags: tuple[str, ...] = ()
    exposures: tuple[str, ...] = ()
    inputs: tuple[NodeId, ...] = ()
    #   the relations that it reads; what is ephemeral is seen through
    files: Mapping[str, str] = field(default_factory=dict)
    #   code that it was last built from: path within the project and SHA-256 ('' where it was changed meanwhile)
    built_at: str = ""
    #   when its last successful build began, ISO-8601 UTC; '' unknown
    failed_at: str = ""
    #   when a build after that failed
    tests: Mapping[str, str] = field(default_factory=dict)
    #   each test's unique_id and how it last ended; '' not yet run

    @property
    def key(self) -> TableName:
        return self.schema, self.table

    @property
    def is_view(self) -> bool:
        return self.materialized == "view"


@dataclass(frozen=True)
class Models:
    """All relations of all projects that ran on this warehouse, and each project's folder and semantic manifest."""

    relations: tuple[Relation, ...] = ()
    folders: Mapping[str, str] = field(default_factory=dict)
    semantic: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def by_node(self) -> Mapping[NodeId, Relation]:
        return {each.node: each for each in self.relations}

    @cached_property
    def by_table(self) -> Mapping[TableName, Relation]:
        """By schema and table in lower case; what makes a table goes before what only reads it."""
        ordered = sorted(self.relations, key=lambda each: each.kind != "source")
        return {(each.schema.casefold(), each.table.casefold()): each for each in ordered}

    @cached_property
    def read(self) -> frozenset[NodeId]:
        """The relations that others are made from."""
        return frozenset(node for each in self.relations for node in each.inputs)

    def inputs(self, relation: Relation) -> list[Relation]:
        """What a relation reads, each as that which makes it where another project does."""
        known = (self.by_node.get(node) for node in relation.inputs)
        return [self.by_table[each.schema.casefold(), each.table.casefold()] for each in known if each]

    def ancestors(self, relation: Relation) -> list[Relation]:
        """All that it is made from, the nearest first."""
        found: dict[NodeId, Relation] = {}
        left = self.inputs(relation)
        while left:
            here = left.pop(0)
            if here.node not in found and here.node != relation.node:
                found[here.node] = here
                left += self.inputs(here)
        return list(found.values())

    def place(self, relation: Relation, path: str) -> Path:
        """Where a file of the relation's project is, from its path within the project."""
        return Path(self.folders.get(relation.project, "")) / path

    def with_project(
        self, project: str, folder: Path, relations: Iterable[Relation], semantic: Mapping[str, Any]
    ) -> Models:
        """These, with one project as it is now."""
        others = tuple(each for each in self.relations if each.project != project)
        return replace(
            self,
            relations=(*others, *relations),
            folders={**self.folders, project: str(folder)},
            semantic={**self.semantic, project: semantic},
        )


_NOTHING = Models()
_lock = threading.Lock()
_read: dict[Path, tuple[tuple[int, int], Models]] = {}


def models(paths: Paths) -> Models:
    """What dbt knows; the same object as long as the file is. Nothing where there is none that fits."""
    file = paths.dbt_models
    try:
        stat = file.stat()
        mark = (stat.st_mtime_ns, stat.st_size)
        with _lock:
            if file not in _read or _read[file][0] != mark:
                _read[file] = (mark, _from_json(orjson.loads(file.read_bytes()), paths.root))
            return _read[file][1]
    except (OSError, orjson.JSONDecodeError):
        return _NOTHING


def write_models(paths: Paths, known: Models) -> None:
    """Replace the file."""
    file = paths.dbt_models
    file.parent.mkdir(parents=True, exist_ok=True)
    relations = [asdict(each) for each in known.relations]
    folders = {project: _within(paths.root, Path(folder)) for project, folder in known.folders.items()}
    data = {"version": _VERSION, "folders": folders, "relations": relations, "semantic": known.semantic}
    write_whole(file, [orjson.dumps(data)])


def _within(root: Path, folder: Path) -> str:
    """As it is written: a project inside the data root moves with it."""
    return str(folder.relative_to(root) if folder.is_relative_to(root) else folder)


def _from_json(data: dict[str, Any], root: Path) -> Models:
    if data.get("version") != _VERSION:
        return Models()
    folders = {project: str(root / folder) for project, folder in data["folders"].items()}
    return Models(tuple(map(_relation, data["relations"])), folders, data["semantic"])


def _relation(data: dict[str, Any]) -> Relation:
    columns = {
        name: ColumnFacts(each["description"], tuple(each["accepted"])) for name, each in data["columns"].items()
    }
    lists = ("primary_key", "foreign_keys", "tags", "exposures", "inputs")
    return Relation(**{**data, "columns": columns, **{name: tuple(data[name]) for name in lists}})

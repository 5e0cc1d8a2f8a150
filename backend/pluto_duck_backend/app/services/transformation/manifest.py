"""dbt's manifest as relations: descriptions, keys, joins and values that tests state, tags, exposures, lineage.

Pure. A test that failed when it last ran states nothing: its column is no key, and points nowhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from pluto_duck_backend.app.core.dbt_models import ColumnFacts, Models, NodeId, Relation, RelationKind

_KINDS = ("model", "seed", "snapshot", "source")
FAILED = ("fail", "error", "runtime error")
Manifest = Mapping[str, Any]


def relations(manifest: Manifest, database: str, before: Models, ended: Mapping[NodeId, str]) -> list[Relation]:
    """The relations of a manifest that lie in `database`; what was known `before` of builds and tests is kept.

    `ended` are tests of now, and how they ended.
    """
    known = _Known(manifest, before, ended)
    nodes = {**manifest["nodes"], **manifest["sources"]}
    kept = (node for node in nodes.values() if node["resource_type"] in _KINDS and node["database"] == database)
    return [known.relation(node) for node in kept if _materialized(node) != "ephemeral"]


def project_name(manifest: Manifest) -> str:
    return str(manifest["metadata"]["project_name"])


@dataclass
class _Stated:
    """What the tests of one node state."""

    unique: list[str] = field(default_factory=list)
    filled: set[str] = field(default_factory=set)
    together: list[list[str]] = field(default_factory=list)
    accepted: dict[str, tuple[str, ...]] = field(default_factory=dict)
    foreign_keys: list[dict[str, Any]] = field(default_factory=list)
    tests: dict[str, str] = field(default_factory=dict)

    @property
    def primary_key(self) -> tuple[str, ...]:
        single = [name for name in self.unique if name in self.filled]
        return tuple(single[:1] or (self.together[0] if self.together else []))


class _Known:
    """One manifest, with its tests by the node they are of."""

    def __init__(self, manifest: Manifest, before: Models, ended: Mapping[NodeId, str]) -> None:
        self._manifest = manifest
        self._nodes: dict[NodeId, Any] = {**manifest["nodes"], **manifest["sources"]}
        self._before = before.by_node
        self._ended = {name: status for each in before.relations for name, status in each.tests.items()} | dict(ended)
        self._stated: dict[NodeId, _Stated] = defaultdict(_Stated)
        for test in (node for node in manifest["nodes"].values() if node["resource_type"] == "test"):
            self._state(test)
        self._exposures: dict[NodeId, list[str]] = defaultdict(list)
        for exposure in manifest.get("exposures", {}).values():
            for node in exposure["depends_on"]["nodes"]:
                self._exposures[node].append(exposure.get("label") or exposure["name"])

    def relation(self, node: Any) -> Relation:
        """With what is known of its builds so far."""
        before = self._before.get(node["unique_id"])
        made = self._relation(node)
        return (
            replace(made, files=before.files, built_at=before.built_at, failed_at=before.failed_at) if before else made
        )

    def _relation(self, node: Any) -> Relation:
        identity = node["unique_id"]
        stated = self._stated[identity]
        return Relation(
            node=identity,
            schema=node["schema"],
            table=node.get("identifier") or node.get("alias") or node["name"],
            kind=cast(RelationKind, node["resource_type"]),
            project=project_name(self._manifest),
            materialized=_materialized(node),
            path=node["original_file_path"],
            description=_described(node),
            columns=self._columns(node, stated),
            primary_key=_declared_key(node) or stated.primary_key,
            foreign_keys=(*stated.foreign_keys, *self._constraints(node)),
            tags=tuple(node.get("tags") or ()),
            exposures=tuple(self._exposures[identity]),
            inputs=tuple(dict.fromkeys(self._inputs(identity))),
            tests=stated.tests,
        )

    def _columns(self, node: Any, stated: _Stated) -> dict[str, ColumnFacts]:
        described = {name: _described(column) for name, column in node["columns"].items()}
        names = [*described, *(name for name in stated.accepted if name not in described)]
        return {name: ColumnFacts(described.get(name, ""), stated.accepted.get(name, ())) for name in names}

    def _inputs(self, identity: NodeId) -> Iterator[NodeId]:
        """What a node reads that is a relation; an ephemeral model is its own inputs."""
        for parent in self._manifest["parent_map"].get(identity, ()):
            node = self._nodes.get(parent)
            if node is None or node["resource_type"] not in _KINDS:
                continue
            if _materialized(node) == "ephemeral":
                yield from self._inputs(parent)
            else:
                yield parent

    def _state(self, test: Any) -> None:
        """Add what a test states to its node; a test of no single node is told of each that it reads."""
        owner, identity = test.get("attached_node"), test["unique_id"]
        status = self._ended.get(identity, "")
        for each in [owner] if owner else test["depends_on"]["nodes"]:
            self._stated[each].tests[identity] = status
        if owner and test.get("test_metadata") and status not in FAILED and not test["config"].get("where"):
            self._state_generic(test, self._stated[owner], owner)

    def _state_generic(self, test: Any, stated: _Stated, owner: NodeId) -> None:
        column, given = test.get("column_name") or "", test["test_metadata"]["kwargs"]
        match test["test_metadata"]["name"]:
            case "unique":
                stated.unique.append(column)
            case "not_null":
                stated.filled.add(column)
            case "accepted_values":
                stated.accepted[column] = tuple(each for each in given.get("values", ()) if isinstance(each, str))
            case "unique_combination_of_columns":
                stated.together.append(list(given.get("combination_of_columns", ())))
            case "relationships":
                parent = self._parent(test, owner)
                stated.foreign_keys += [_key([column], parent, [given["field"]])] if parent else []

    def _parent(self, test: Any, owner: NodeId) -> Any:
        others = [each for each in test["depends_on"]["nodes"] if each != owner]
        return self._nodes.get(others[0] if others else owner)

    def _constraints(self, node: Any) -> Iterator[dict[str, Any]]:
        """Foreign keys of a model's contract."""
        own = [(each, each.get("columns") or []) for each in node.get("constraints") or ()]
        own += [(each, [name]) for name, column in node["columns"].items() for each in column.get("constraints") or ()]
        for constraint, columns in own:
            to = str(constraint.get("to") or "").replace('"', "")
            parent = next((each for each in self._nodes.values() if to and _named(each) == to), None)
            if constraint["type"] == "foreign_key" and parent and constraint.get("to_columns"):
                yield _key(columns, parent, constraint["to_columns"])


def _named(node: Any) -> str:
    return str(node.get("relation_name") or "").replace('"', "")


def _key(columns: list[str], parent: Any, ref_columns: list[str]) -> dict[str, Any]:
    table = parent.get("identifier") or parent.get("alias") or parent["name"]
    return {"columns": columns, "ref_schema": parent["schema"], "ref_table": table, "ref_columns": ref_columns}


def _declared_key(node: Any) -> tuple[str, ...]:
    """The primary key of a model's contract; one that dbt took from tests is taken from them here as well."""
    for each in node.get("constraints") or ():
        if each["type"] == "primary_key":
            return tuple(each.get("columns") or ())
    marked = [
        name
        for name, column in node["columns"].items()
        if any(each["type"] == "primary_key" for each in column.get("constraints") or ())
    ]
    return tuple(marked)


def _described(node: Any) -> str:
    """A description in one line, with the synonyms that `meta` gives."""
    meta = {**(node.get("meta") or {}), **((node.get("config") or {}).get("meta") or {})}
    synonyms = meta.get("synonyms") or ()
    text = " ".join(str(node.get("description") or "").split())
    if isinstance(synonyms, str):
        synonyms = [synonyms]
    called = f"Also called {', '.join(map(str, synonyms))}." if synonyms else ""
    return f"{text} {called}".strip()


def _materialized(node: Any) -> str:
    return str((node.get("config") or {}).get("materialized") or "") if node["resource_type"] != "source" else ""

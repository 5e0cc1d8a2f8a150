"""The graph of dbt's nodes as the page draws it: each with what it reads, how its last build and its tests ended.

Everything comes from `artifacts/dbt/models.json`, so a graph is there once a dbt command has parsed the project. A
source that another project makes is drawn as that which makes it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.dbt_models import Models, Relation, models
from pluto_duck_backend.app.core.errors import NotFound, did_you_mean
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.services.transformation.manifest import FAILED


def graph(paths: Paths) -> list[dict[str, Any]]:
    """`[{node, name, kind, schema, table, materialized, description, inputs, state, built_at, failed_at, tests}]`.

    `inputs` are nodes of this list; `state` is loaded, built, failed or not built; `tests` `{passed, failed, not_run}`.
    """
    known = models(paths)
    return [_drawn(each, known) for each in _makers(known)]


def node(paths: Paths, identity: str) -> dict[str, Any]:
    """One node as in the graph, with `columns`, `path`, `code`, `compiled` and each test. Raises NotFound."""
    known = models(paths)
    relation = known.by_node.get(identity)
    if relation is None:
        raise NotFound(
            f"dbt knows no node {identity!r}. {did_you_mean(identity, known.by_node)}".rstrip(),
            code="node_not_found",
            hint="`pluto-duck dbt parse` reads the project again.",
        )
    compiled = paths.dbt / "target" / "compiled" / relation.project / relation.path
    return {
        **_drawn(relation, known),
        "columns": [{"name": name, "description": each.description} for name, each in relation.columns.items()],
        "path": relation.path,
        "code": _text(known.place(relation, relation.path)),
        "compiled": _text(compiled),
        "test_results": dict(relation.tests),
    }


def _makers(known: Models) -> list[Relation]:
    return [each for each in known.relations if known.by_table[each.schema.casefold(), each.table.casefold()] is each]


def _drawn(relation: Relation, known: Models) -> dict[str, Any]:
    return {
        "node": relation.node,
        "name": relation.table,
        "kind": relation.kind,
        "schema": relation.schema,
        "table": relation.table,
        "materialized": relation.materialized,
        "description": relation.description,
        "inputs": [each.node for each in known.inputs(relation)],
        "state": _state(relation),
        "built_at": relation.built_at or None,
        "failed_at": relation.failed_at or None,
        "tests": _tests(relation),
    }


def _state(relation: Relation) -> str:
    if relation.failed_at:
        return "failed"
    return "loaded" if relation.kind == "source" else "built" if relation.built_at else "not built"


def _tests(relation: Relation) -> dict[str, int]:
    ended = list(relation.tests.values())
    failed, not_run = sum(each in FAILED for each in ended), ended.count("")
    return {"passed": len(ended) - failed - not_run, "failed": failed, "not_run": not_run}


def _text(file: Path) -> str:
    """What an SQL file holds; empty for anything else."""
    return file.read_text(encoding="utf-8", errors="replace") if file.suffix == ".sql" and file.is_file() else ""

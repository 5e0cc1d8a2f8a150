"""After a dbt command: what it built and tested, and what the project says now, goes to `artifacts/dbt/models.json`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.app.core.dbt_models import NodeId, Relation, models, write_models
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.services.transformation.manifest import Manifest, project_name, relations

_BUILDS = ("build", "run", "seed", "snapshot", "retry", "clone")
_TESTS = ("build", "test", "retry")
_TESTED = ("test.", "unit_test.")


@dataclass
class Recorder:
    """Follows one command; `write` when it has ended, however it did."""

    paths: Paths
    command: str
    project: Path
    database: str
    manifest: Manifest | None = None
    _began: datetime = field(default_factory=lambda: datetime.now(UTC))
    _started: dict[NodeId, str] = field(default_factory=dict)
    _ended: dict[NodeId, str] = field(default_factory=dict)

    def note(self, node: NodeId, status: str) -> None:
        """A node started (`running`) or ended."""
        if status == "running":
            self._started[node] = datetime.now(UTC).isoformat(timespec="milliseconds")
        else:
            self._ended[node] = status

    def write(self) -> None:
        """Replace what is known of this project; a command that parsed nothing says nothing."""
        manifest = self.manifest = self._fresh("manifest.json")
        if manifest is None:
            return
        before = models(self.paths)
        found = [self._with_build(each, manifest) for each in relations(manifest, self.database, before, self._tests())]
        semantic = self._fresh("semantic_manifest.json") or {}
        write_models(self.paths, before.with_project(project_name(manifest), self.project, found, semantic))

    def _fresh(self, name: str) -> Any:
        """An artifact, if this command wrote it whole: one that was ended meanwhile leaves the beginning of it."""
        file = self.paths.dbt / "target" / name
        if not file.is_file() or file.stat().st_mtime < self._began.timestamp() - 1:
            return None
        try:
            return orjson.loads(file.read_bytes())
        except orjson.JSONDecodeError:
            return None

    def _tests(self) -> dict[NodeId, str]:
        """How the tests of this command ended."""
        is_testing = self.command in _TESTS
        return {node: status for node, status in self._ended.items() if is_testing and node.startswith(_TESTED)}

    def _with_build(self, relation: Relation, manifest: Manifest) -> Relation:
        status = self._ended.get(relation.node, "")
        at = self._started.get(relation.node, "")
        if self.command not in _BUILDS or not at or status in ("", "skipped"):
            return relation
        if status not in ("success", "partial success"):
            return replace(relation, failed_at=at)
        return replace(relation, built_at=at, failed_at="", files=self._files(relation, manifest, at))

    def _files(self, relation: Relation, manifest: Manifest, built_at: str) -> Mapping[str, str]:
        """Its own code and the project's macros that it uses, directly or not."""
        node, macros = manifest["nodes"][relation.node], manifest["macros"]
        used, left = dict[str, str](), list(node["depends_on"].get("macros", ()))
        while left:
            macro = macros.get(left.pop())
            if macro and macro["package_name"] == relation.project and macro["unique_id"] not in used:
                used[macro["unique_id"]] = macro["original_file_path"]
                left += macro["depends_on"]["macros"]
        return dict(self._marks({relation.path, *used.values()}, datetime.fromisoformat(built_at).timestamp()))

    def _marks(self, paths: Iterable[str], built_at: float) -> Iterable[tuple[str, str]]:
        for path in sorted(paths):
            file = self.project / path
            if file.is_file():
                yield path, "" if file.stat().st_mtime > built_at else file_mark(file)


def file_mark(path: Path) -> str:
    """What a file holds, as a hash; '' where it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""

"""Writes an answered question into a dbt project: its SQL with refs, a description, and tests that hold now.

What must stay true: nothing that is there is overwritten, and either all files are written or none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pluto_duck_backend.app.core.config import DbtSettings
from pluto_duck_backend.app.core.dbt_models import Models, models
from pluto_duck_backend.app.core.errors import Conflict, InvalidInput
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.transformation.project import project_at, project_name, time_spine, write_new
from pluto_duck_backend.app.services.transformation.saving import checks
from pluto_duck_backend.app.services.transformation.saving.metric import has_time_spine, metric_files
from pluto_duck_backend.app.services.transformation.saving.references import Referring, as_text, measured, referring

AssetKind = Literal["model", "test", "metric", "analysis"]
Files = dict[str, str]
ASSET_NAME = "^[a-z][a-z0-9_]{0,60}$"
_MOST_ROWS_OF_TEST = 1_000


@dataclass(frozen=True)
class Answered:
    """A question and the query that answered it."""

    question: str
    sql: str
    columns: Sequence[dict[str, str]]
    reading: Sequence[str] = ()


class SavingService:
    """Saves into the project of one data root, or another by path."""

    def __init__(self, warehouse: Warehouse, paths: Paths, settings: DbtSettings) -> None:
        self._warehouse, self._paths, self._settings = warehouse, paths, settings

    def save(self, answered: Answered, kind: AssetKind, name: str, project_dir: str | None = None) -> dict[str, Any]:
        """`{kind, name, project, files}`. Raises InvalidInput for a name dbt does not take, Conflict, NotFound."""
        if not re.fullmatch(ASSET_NAME, name):
            raise InvalidInput(
                f"{name!r} is no name for a {kind}.",
                code="bad_asset_name",
                hint="Use lower-case letters, digits and underscores, a letter first: revenue_by_month.",
            )
        project = project_at(project_dir or self._settings.project_dir, self._paths)
        files = self._files(answered, kind, name, project_name(project))
        if kind == "metric" and not has_time_spine(project_name(project), models(self._paths)):
            files |= time_spine(project)
        write_new(project, files)
        return {"kind": kind, "name": name, "project": str(project), "files": sorted(files)}

    def _files(self, answered: Answered, kind: AssetKind, name: str, project: str) -> Files:
        known = models(self._paths)
        _refuse_taken(name, project, known)
        if kind == "metric":
            return metric_files(answered.sql, name, _described(answered), lambda sql: referring(sql, project, known))
        made = referring(answered.sql, project, known)
        if kind == "analysis":
            described = {"analyses": [{"name": name, "description": _described(answered)}]}
            return {f"analyses/{name}.sql": made.sql + "\n", f"analyses/{name}.yml": made.properties(described)}
        return self._test(answered, name, made) if kind == "test" else self._model(answered, name, made)

    def _model(self, answered: Answered, name: str, made: Referring) -> Files:
        columns = [each["name"] for each in answered.columns]
        with self._warehouse.read() as session:
            held = checks.column_tests(session, answered.sql, columns, measured(answered.sql))
            is_named = any("unique" in tests for tests in held.values())
            key = [] if is_named else checks.key_of(session, answered.sql, columns)
        described = {
            "name": name,
            "description": _described(answered),
            "columns": [_column(each, held.get(each, [])) for each in columns],
        }
        return {
            f"models/saved/{name}.sql": made.sql + "\n",
            f"models/saved/{name}.yml": made.properties({"models": [described]}),
            **_of_rows(name, key, is_tested=bool(held)),
        }

    def _test(self, answered: Answered, name: str, made: Referring) -> Files:
        """An answer without rows is a test as it is; another is one that it stays as it was."""
        with self._warehouse.read() as session:
            rows = session.rows(f"FROM ({answered.sql}) LIMIT {_MOST_ROWS_OF_TEST + 1}")
        if len(rows) > _MOST_ROWS_OF_TEST:
            raise InvalidInput(
                f"The answer has more than {_MOST_ROWS_OF_TEST:,} rows, too many to keep in a test.",
                code="too_many_rows_for_test",
                hint="Save it as a model, or ask for the rows that must not be there.",
            )
        sql = checks.differing(made.sql, answered.columns, rows) if rows else made.sql + "\n"
        described = {"data_tests": [{"name": name, "description": _described(answered)}]}
        files = {f"tests/{name}.sql": sql, f"tests/{name}.yml": Referring("").properties(described)}
        return files | ({f"models/saved/{name}_sources.yml": made.properties({})} if made.new_sources else {})


def _of_rows(name: str, key: Sequence[str], *, is_tested: bool) -> Files:
    """A test of the rows together: of a key of several columns, or that there are any where nothing is tested."""
    if key:
        return {f"tests/{name}_has_one_row_per_key.sql": checks.repeated(name, key)}
    return {} if is_tested else {f"tests/{name}_has_rows.sql": checks.emptied(name)}


def _refuse_taken(name: str, project: str, known: Models) -> None:
    taken = [each for each in known.relations if each.project == project and each.node.split(".")[-1] == name]
    taken += [each for each in known.relations if each.table.casefold() == name and each.project != project]
    kinds: list[str] = [each.kind for each in taken]
    kinds += ["metric" for each in known.semantic.get(project, {}).get("metrics", ()) if each["name"] == name]
    if kinds:
        raise Conflict(f"There is a {kinds[0]} {name!r} already.", code="asset_exists", hint="Choose another name.")


def _described(answered: Answered) -> str:
    said = [line for line in answered.reading if " is dbt's " not in line]
    read = f" Read as: {'; '.join(said)}." if said else ""
    return as_text(f"{answered.question.strip()}{read}")


def _column(name: str, tests: Sequence[str]) -> dict[str, Any]:
    described: dict[str, Any] = {"name": name}
    if not (name.isidentifier() and name.islower()):
        described["quote"] = True
    return described | ({"data_tests": list(tests)} if tests else {})

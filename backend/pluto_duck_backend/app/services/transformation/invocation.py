"""One dbt command: dbtRunner in its process, its events as an iterator, its outcome at the end.

dbt's SQL runs in the process that owns the warehouse (`bridge`), so readers go on reading, and see each model before or
after. dbt's own output goes to artifacts/dbt/logs, never to our stdout; it sends no statistics.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.app.core.config import DbtSettings
from pluto_duck_backend.app.core.errors import InvalidInput, UserError, did_you_mean
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.warehouse import DEFINITIONS, Warehouse
from pluto_duck_backend.app.services.transformation.hints import next_step
from pluto_duck_backend.app.services.transformation.process import DbtProcess
from pluto_duck_backend.app.services.transformation.project import project_at
from pluto_duck_backend.app.services.transformation.recording import Recorder

COMMANDS: tuple[str, ...] = (
    "build",
    "run",
    "test",
    "seed",
    "snapshot",
    "compile",
    "parse",
    "docs",
    "ls",
    "list",
    "show",
    "deps",
    "debug",
)
COMMANDS += ("source", "run-operation", "retry", "clean", "clone", "init")
_SELECTING = {"build", "run", "test", "seed", "snapshot", "compile", "ls", "list", "show", "docs", "source", "clone"}


@dataclass(frozen=True)
class NodeEvent:
    """A model, test or seed that started or ended."""

    node: str
    status: str
    elapsed_s: float = 0.0
    message: str = ""

    @property
    def may_have_written(self) -> bool:
        """Tests only read, and what only starts has done nothing yet."""
        return self.status != "running" and not self.node.startswith(("test.", "unit_test."))

    def to_dict(self) -> dict[str, Any]:
        return {"node": self.node, "status": self.status, "elapsed_s": self.elapsed_s, "message": self.message}


@dataclass(frozen=True)
class DbtResult:
    """How a command ended; `nodes` as in dbt's run results, `output` what the command printed for people."""

    command: str
    success: bool
    exit_code: int
    nodes: list[dict[str, Any]] = field(default_factory=list)
    output: list[str] = field(default_factory=list)
    message: str = ""
    hint: str = ""
    #   the next step, where a node ended with an error

    def to_dict(self) -> dict[str, Any]:
        counts: dict[str, int] = {}
        for node in self.nodes:
            counts[node["status"]] = counts.get(node["status"], 0) + 1
        return {
            "command": self.command,
            "success": self.success,
            "exit_code": self.exit_code,
            "counts": counts,
            "nodes": self.nodes,
            "output": self.output,
            "message": self.message,
            "hint": self.hint,
        }


def check_command(command: str) -> None:
    """Raises InvalidInput where dbt has no such command."""
    if command not in COMMANDS:
        raise InvalidInput(
            f"dbt has no command {command!r}. {did_you_mean(command, COMMANDS)}".rstrip(),
            code="unknown_dbt_command",
            hint=f"Commands: {', '.join(COMMANDS)}.",
        )


class DbtService:
    """dbt for one data root."""

    def __init__(self, warehouse: Warehouse, paths: Paths, settings: DbtSettings) -> None:
        self._warehouse = warehouse
        self._paths = paths
        self._settings = settings
        self._process = DbtProcess(warehouse)
        self._one_at_a_time = threading.Lock()

    def run(
        self,
        command: str,
        *,
        select: str | Sequence[str] | None = None,
        exclude: str | Sequence[str] | None = None,
        vars: Mapping[str, Any] | None = None,
        full_refresh: bool = False,
        args: Sequence[str] = (),
        project_dir: str | Path | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[NodeEvent | DbtResult]:
        """Node events as they happen, then the DbtResult. Raises InvalidInput, NotFound or UserError (dbt refused)."""
        check_command(command)
        self._warehouse.check_file()
        chosen = project_dir or self._settings.project_dir or self._paths.root / "dbt_project"
        project = project_at(Path(chosen).expanduser().absolute())
        words = [command, *args, *self._flags(command, select, exclude, vars, full_refresh)]
        recorder = Recorder(self._paths, command, project, self._warehouse.path.stem)
        yield from self._invoke([*words, *self._places(command, project, args)], cancelled, recorder)

    def _flags(self, command: str, select: Any, exclude: Any, vars: Any, full_refresh: bool) -> list[str]:
        flags: list[str] = []
        if command in _SELECTING:
            flags += [word for each in _listed(select) for word in ("--select", each)]
            flags += [word for each in _listed(exclude) for word in ("--exclude", each)]
        if vars:
            flags += ["--vars", orjson.dumps(vars).decode()]
        return [*flags, "--full-refresh"] if full_refresh else flags

    def _places(self, command: str, project: Path, args: Sequence[str]) -> list[str]:
        logs = str(self._paths.dbt / "logs")
        flags = ["--project-dir", str(project), "--target-path", str(self._paths.dbt / "target"), "--log-path", logs]
        if "--profiles-dir" not in args and (project / "profiles.yml").is_file():
            flags += ["--profiles-dir", str(project)]
        if self._settings.target and "--target" not in args:
            flags += ["--target", self._settings.target]
        return flags

    def _invoke(
        self, words: list[str], cancelled: Callable[[], bool], recorder: Recorder
    ) -> Iterator[NodeEvent | DbtResult]:
        output: list[str] = []
        end: list[Any] = []
        with self._one_at_a_time:
            try:
                for kind, *told in self._process.run([*self._quiet(), *words], cancelled):
                    if kind == "node":
                        yield self._noticed(NodeEvent(*told), recorder)
                    elif kind == "line":
                        output += told
                    else:
                        end = [kind, *told]
            finally:
                recorder.write()
                self._warehouse.changed(*DEFINITIONS)
        yield _result(recorder.command, end, output)

    def _noticed(self, event: NodeEvent, recorder: Recorder) -> NodeEvent:
        recorder.note(event.node, event.status)
        if event.may_have_written:
            self._warehouse.changed("view")
        return event

    def close(self) -> None:
        """End dbt's process."""
        self._process.close()

    def _quiet(self) -> list[str]:
        return [
            *("--quiet", "--log-level", "none", "--log-level-file", "info", "--no-use-colors", "--no-version-check"),
            *("--no-send-anonymous-usage-stats",),
        ]


def _listed(value: str | Sequence[str] | None) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def _result(command: str, end: list[Any], output: list[str]) -> DbtResult:
    if end[0] == "refused":
        raise UserError(
            f"dbt {command} failed: {end[1]}",
            code="dbt_failed",
            hint=next_step(str(end[1])),
        )
    _, success, nodes = end
    failed = [node for node in nodes if node["status"] in ("error", "fail", "runtime error")]
    message = f"{failed[0]['node']}: {failed[0]['message']}" if failed else ""
    hint = next_step(failed[0]["message"]) if failed and failed[0]["status"] == "error" else ""
    return DbtResult(command, success, 0 if success else 1, nodes, output, message, hint)

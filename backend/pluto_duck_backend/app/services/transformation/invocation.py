"""One dbt command: dbtRunner in its process, its events as an iterator, its outcome at the end.

dbt's SQL runs in the process that owns the warehouse (`bridge`), so readers go on reading, and see each model before or
after. dbt's own output goes to artifacts/dbt/logs, never to our stdout; it sends no statistics.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.app.core.config import DbtSettings
from pluto_duck_backend.app.core.errors import DbtRefused, InvalidInput, did_you_mean
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.warehouse import DEFINITIONS, Warehouse
from pluto_duck_backend.app.services.transformation.hints import next_step
from pluto_duck_backend.app.services.transformation.outcome import DbtResult, NodeEvent
from pluto_duck_backend.app.services.transformation.process import DbtProcess
from pluto_duck_backend.app.services.transformation.project import project_at
from pluto_duck_backend.app.services.transformation.recording import Recorder
from pluto_duck_backend.app.services.transformation.selection import nearest, unmatched_message

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
COMMANDS += ("source", "run-operation", "retry", "clean", "clone")
_SUBCOMMANDS = {"docs": "generate", "source": "freshness"}
#   what is meant where only the first word is given
_WITHOUT_TARGET_PATH = {"debug", "deps"}
_RUNS_NODES = {"build", "run", "test", "seed", "snapshot"}
_SELECTING = {"build", "run", "test", "seed", "snapshot", "compile", "ls", "list", "show", "docs", "source", "clone"}


def check_command(command: str, args: Sequence[str] = ()) -> None:
    """Raises InvalidInput where dbt has no such command, or it would never end."""
    if command == "init":
        raise InvalidInput(
            "dbt init asks in a terminal.", code="unknown_dbt_command", hint="`pluto-duck init` makes a project."
        )
    if [command, *args[:1]] == ["docs", "serve"]:
        raise InvalidInput(
            "dbt docs serve would hold dbt until it is stopped.",
            code="unknown_dbt_command",
            hint="`pluto-duck dbt docs generate --static` writes artifacts/dbt/target/static_index.html for a browser.",
        )
    if command not in COMMANDS:
        raise InvalidInput(
            f"dbt has no command {command!r}. {did_you_mean(command, COMMANDS)}".rstrip(),
            code="unknown_dbt_command",
            hint=f"Commands: {', '.join(COMMANDS)}.",
        )


def title(command: str, options: Mapping[str, Any]) -> str:
    """What a command is called: `dbt build --select orders`."""
    words = ["dbt", command, *(options.get("args") or ())]
    words += [
        word for name in ("select", "exclude") for each in _listed(options.get(name)) for word in (f"--{name}", each)
    ]
    return " ".join([*words, "--full-refresh"] if options.get("full_refresh") else words)


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
        """Node events as they happen, then the DbtResult. Raises InvalidInput, NotFound or DbtRefused."""
        check_command(command, args)
        self._warehouse.check_file()
        project = project_at(project_dir or self._settings.project_dir, self._paths)
        words = [command, *_with_subcommand(command, args)]
        words += self._flags(command, select, exclude, vars, full_refresh)
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
        flags = ["--project-dir", str(project), "--log-path", logs]
        if command not in _WITHOUT_TARGET_PATH:
            flags += ["--target-path", str(self._paths.dbt / "target")]
        if "--profiles-dir" not in args and (project / "profiles.yml").is_file():
            flags += ["--profiles-dir", str(project)]
        if self._settings.target and "--target" not in args:
            flags += ["--target", self._settings.target]
        return flags

    def _invoke(
        self, words: list[str], cancelled: Callable[[], bool], recorder: Recorder
    ) -> Iterator[NodeEvent | DbtResult]:
        output: list[str] = []
        unmatched: list[str] = []
        end: list[Any] = []
        with self._one_at_a_time:
            try:
                for kind, *told in self._process.run([*self._quiet(), *words], cancelled):
                    if kind == "node":
                        yield self._noticed(NodeEvent(**told[0]), recorder)
                    elif kind in ("line", "unmatched"):
                        (output if kind == "line" else unmatched).extend(told)
                    else:
                        end = [kind, *told]
            finally:
                recorder.write()
                self._warehouse.changed(*DEFINITIONS)
        result = _result(recorder.command, end, output)
        yield result if result.nodes and not unmatched else _with_unmatched(result, unmatched, recorder)

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


def _with_subcommand(command: str, args: Sequence[str]) -> list[str]:
    meant = _SUBCOMMANDS.get(command)
    return [meant, *args] if meant and (not args or args[0].startswith("-")) else list(args)


def _listed(value: str | Sequence[str] | None) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def _result(command: str, end: list[Any], output: list[str]) -> DbtResult:
    if end[0] == "refused":
        raise DbtRefused(f"dbt {command} failed: {end[1]}", hint=next_step(str(end[1])))
    _, success, nodes = end
    failed = [node for node in nodes if node["status"] in ("error", "fail", "runtime error")]
    message = f"{failed[0]['node']}: {failed[0]['message']}" if failed else ""
    hint = next_step(failed[0]["message"]) if failed and failed[0]["status"] == "error" else ""
    return DbtResult(command, success, 0 if success else 1, nodes, output, message, hint)


def _with_unmatched(result: DbtResult, criteria: Sequence[str], recorder: Recorder) -> DbtResult:
    """Says what of the selection fitted nothing; without nodes and such criteria that nothing was selected."""
    if not criteria and result.command not in _RUNS_NODES:
        return result
    criteria = list(dict.fromkeys(criteria))
    hint = result.hint or nearest(criteria, recorder.manifest)
    return replace(result, unmatched=criteria, message=result.message or unmatched_message(criteria), hint=hint)

"""One dbt command, in process: dbtRunner in a thread, its events as an iterator, its outcome at the end.

dbt connects to the same file in the same process, so it shares the warehouse's instance: readers go on reading, and see
each model before or after. dbt's own output goes to artifacts/dbt/logs, never to our stdout; it sends no statistics.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.app.core.config import DbtSettings
from pluto_duck_backend.app.core.errors import Cancelled, InvalidInput, PlutoDuckError, UserError, did_you_mean
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.transformation.project import project_at

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
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class NodeEvent:
    """A model, test or seed that started or ended."""

    node: str
    status: str
    elapsed_s: float = 0.0
    message: str = ""

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
        chosen = project_dir or self._settings.project_dir or self._paths.root / "dbt_project"
        project = project_at(Path(chosen).expanduser().absolute())
        words = [command, *args, *self._flags(command, select, exclude, vars, full_refresh)]
        yield from self._invoke(command, [*words, *self._places(command, project, args)], cancelled)

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

    def _invoke(self, command: str, words: list[str], cancelled: Callable[[], bool]) -> Iterator[NodeEvent | DbtResult]:
        events: queue.SimpleQueue[NodeEvent | str | _Outcome] = queue.SimpleQueue()
        with _one_at_a_time:
            runner = threading.Thread(target=self._dbt, args=(words, events), daemon=True)
            runner.start()
            output: list[str] = []
            outcome = None
            while outcome is None:
                item = events.get()
                if isinstance(item, NodeEvent):
                    yield item
                elif isinstance(item, str):
                    output.append(item)
                else:
                    outcome = item
            runner.join()
        self._warehouse.changed()
        if cancelled():
            raise Cancelled(f"dbt {command} was cancelled; models that were done stay.")
        yield _result(command, outcome, output)

    def _dbt(self, words: list[str], events: queue.SimpleQueue[Any]) -> None:
        """In a thread of its own: dbt's callbacks fill the queue, the outcome ends it."""
        try:
            events.put(_Outcome(self._runner(events).invoke([*self._quiet(), *words])))
        except BaseException as error:  # noqa: BLE001 - the other thread waits for an outcome and raises this one
            events.put(_Outcome(None, error))

    def _runner(self, events: queue.SimpleQueue[Any]) -> Any:
        os.environ["PLUTODUCK_WAREHOUSE"] = str(self._warehouse.path)
        os.environ.setdefault("DO_NOT_TRACK", "1")
        from dbt.cli.main import dbtRunner

        return dbtRunner(callbacks=[lambda event: _pass_on(event, events)])

    def _quiet(self) -> list[str]:
        return [
            *("--quiet", "--log-level", "none", "--log-level-file", "info", "--no-use-colors", "--no-version-check"),
            *("--no-send-anonymous-usage-stats",),
        ]


@dataclass(frozen=True)
class _Outcome:
    """What dbtRunner returned, or what it raised."""

    returned: Any
    error: BaseException | None = None


def _listed(value: str | Sequence[str] | None) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def _pass_on(event: Any, events: queue.SimpleQueue[Any]) -> None:
    name = event.info.name
    if name in ("NodeStart", "NodeFinished"):
        node = event.data.node_info
        status = "running" if name == "NodeStart" else str(node.node_status)
        result = getattr(event.data, "run_result", None)
        elapsed = round(float(getattr(result, "execution_time", 0.0) or 0.0), 3)
        events.put(NodeEvent(str(node.unique_id), status, elapsed, str(getattr(result, "message", "") or "")))
    elif name in ("ListCmdOut", "ShowNode", "CompiledNode", "PrintEvent"):
        events.put(str(event.info.msg))


def _result(command: str, outcome: _Outcome, output: list[str]) -> DbtResult:
    if outcome.error is not None:
        raise outcome.error if isinstance(outcome.error, PlutoDuckError) else _refused(command, outcome.error)
    returned = outcome.returned
    if returned.exception is not None:
        raise _refused(command, returned.exception) from returned.exception
    nodes = [_node(each) for each in getattr(returned.result, "results", None) or []]
    failed = [node for node in nodes if node["status"] in ("error", "fail", "runtime error")]
    message = f"{failed[0]['node']}: {failed[0]['message']}" if failed else ""
    return DbtResult(command, bool(returned.success), 0 if returned.success else 1, nodes, output, message)


def _refused(command: str, error: BaseException) -> PlutoDuckError:
    return UserError(
        f"dbt {command} failed: {error}",
        code="dbt_failed",
        hint="Mend what dbt names; its log is in artifacts/dbt/logs/dbt.log.",
    )


def _node(result: Any) -> dict[str, Any]:
    node = getattr(result, "node", None)
    return {
        "node": str(getattr(node, "unique_id", "")),
        "path": str(getattr(node, "original_file_path", "")),
        "status": str(getattr(result, "status", "")),
        "elapsed_s": round(float(getattr(result, "execution_time", 0.0) or 0.0), 3),
        "failures": getattr(result, "failures", None),
        "message": str(getattr(result, "message", "") or ""),
    }

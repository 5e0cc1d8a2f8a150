"""dbt's own process: told on stdin where its owner is, it runs one command after the other until the owner goes away.

On the control connection it is sent the words of a command; it answers with messages, of which the last is an end:

    ("node", fields)            a node started or ended, the fields of NodeEvent
    ("line", text)              something the command printed for people
    ("unmatched", criterion)    part of the selection that no node fits
    ("ended", success, nodes)   nodes as in DbtResult
    ("refused", message)        dbt did not run the command
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Client, Connection
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.priority import go_later
from pluto_duck_backend.app.services.transformation.node_results import ended, identity

_LAST = -1
"""Of what multiprocessing does at the end: its own locks have 0."""
_PRINTED = ("ListCmdOut", "ShowNode", "CompiledNode", "PrintEvent")


def main() -> None:
    Finalize(None, os._exit, args=(0,), exitpriority=_LAST)
    #   once dbt's locks are given back; from 2.0 on DuckDB would print pages about what dbt leaves open
    told = json.loads(sys.stdin.readline())
    key = bytes.fromhex(told["key"])
    control = Client(told["address"], authkey=key)
    go_later()
    from pluto_duck_backend.app.services.transformation.far import Owner, redirect
    from pluto_duck_backend.app.services.transformation.warm import warm_up

    warm_up()
    redirect(Owner(told["address"], key, Path(told["warehouse"])))
    command = _Command(control)
    work = threading.Thread()
    with contextlib.suppress(EOFError):
        while True:
            work = threading.Thread(target=command.run, args=(control.recv(),), daemon=True)
            work.start()
    if work.is_alive():
        os._exit(1)  # the owner is gone, and with it the warehouse


class _Command:
    """Runs commands and tells of them; dbt's threads tell at the same time, so messages take turns."""

    def __init__(self, control: Connection) -> None:
        self._control = control
        self._turn = threading.Lock()
        self._told: set[str] = set()
        _follow_nodes(self._tell_node)

    def run(self, words: list[str]) -> None:
        """One command; its last message says how it ended."""
        from dbt.cli.main import dbtRunner

        self._told.clear()
        try:
            returned = dbtRunner(callbacks=[self._pass_on]).invoke(words)
            if returned.exception is not None:
                raise returned.exception
            nodes = [ended(each) for each in getattr(returned.result, "results", None) or []]
            for node in nodes:
                self._tell_skipped(node)
            self._send(("ended", bool(returned.success), nodes))
        except BaseException as error:  # noqa: BLE001 - told to the owner, who raises it
            self._send(("refused", str(error) or type(error).__name__))

    def _pass_on(self, event: Any) -> None:
        name = event.info.name
        if name in _PRINTED:
            self._send(("line", str(event.info.msg)))
        elif name == "NoNodesForSelectionCriteria":
            self._send(("unmatched", str(event.data.spec_raw)))

    def _tell_node(self, fields: dict[str, Any]) -> None:
        self._told.add(fields["node"])
        self._send(("node", fields))

    def _tell_skipped(self, node: dict[str, Any]) -> None:
        """dbt runs nothing for what --fail-fast leaves out, nor for hooks: these have an end only."""
        if node["node"] and node["node"] not in self._told:
            self._tell_node(node)

    def _send(self, message: tuple[Any, ...]) -> None:
        with self._turn:
            self._control.send(message)


def _follow_nodes(tell: Callable[[dict[str, Any]], None]) -> None:
    """From now on every node that dbt runs is told of, before and after.

    An ephemeral model is part of others; the batches of a microbatch model run within it, and it is told of as a whole.
    """
    from dbt.task.run import MicrobatchBatchRunner
    from dbt.task.runnable import GraphRunnableTask

    run = GraphRunnableTask.call_runner

    def call_runner(self: Any, runner: Any) -> Any:
        if isinstance(runner, MicrobatchBatchRunner) or getattr(runner.node, "is_ephemeral_model", False):
            return run(self, runner)
        place = {"index": runner.node_index, "total": runner.num_nodes}
        tell({**identity(runner.node), **place, "status": "running"})
        result = run(self, runner)
        tell({**ended(result), **place})
        return result

    setattr(GraphRunnableTask, "call_runner", call_runner)  # noqa: B010 - put in its place, not declared anew


if __name__ == "__main__":
    main()

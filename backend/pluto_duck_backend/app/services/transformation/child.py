"""dbt's own process: told on stdin where its owner is, it runs one command after the other until the owner goes away.

On the control connection it is sent the words of a command; it answers with messages, of which the last is an end:

    ("node", unique_id, status, seconds, message)    a node started or ended
    ("line", text)                                   something the command printed for people
    ("ended", success, nodes)                        nodes as in DbtResult
    ("refused", message)                             dbt did not run the command
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from multiprocessing.connection import Client, Connection
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.priority import go_later

_PRINTED = ("ListCmdOut", "ShowNode", "CompiledNode", "PrintEvent")


def main() -> None:
    told = json.loads(sys.stdin.readline())
    key = bytes.fromhex(told["key"])
    control = Client(told["address"], authkey=key)
    go_later()
    from pluto_duck_backend.app.services.transformation.far import Owner, redirect

    redirect(Owner(told["address"], key, Path(told["warehouse"])))
    work = threading.Thread()
    with contextlib.suppress(EOFError):
        while True:
            work = threading.Thread(target=_run, args=(control, control.recv()), daemon=True)
            work.start()
    if work.is_alive():
        os._exit(1)  # the owner is gone, and with it the warehouse


def _run(control: Connection, words: list[str]) -> None:
    """One command; its last message says how it ended."""
    from dbt.cli.main import dbtRunner

    try:
        returned = dbtRunner(callbacks=[lambda event: _pass_on(event, control)]).invoke(words)
        if returned.exception is not None:
            raise returned.exception
        nodes = [_node(each) for each in getattr(returned.result, "results", None) or []]
        control.send(("ended", bool(returned.success), nodes))
    except BaseException as error:  # noqa: BLE001 - told to the owner, who raises it
        control.send(("refused", str(error)))


def _pass_on(event: Any, control: Connection) -> None:
    name = event.info.name
    if name in ("NodeStart", "NodeFinished"):
        node = event.data.node_info
        status = "running" if name == "NodeStart" else str(node.node_status)
        result = getattr(event.data, "run_result", None)
        seconds = round(float(getattr(result, "execution_time", 0.0) or 0.0), 3)
        control.send(("node", str(node.unique_id), status, seconds, str(getattr(result, "message", "") or "")))
    elif name in _PRINTED:
        control.send(("line", str(event.info.msg)))


def _node(result: Any) -> dict[str, Any]:
    node = getattr(result, "node", None)
    return {
        "node": str(getattr(node, "unique_id", "")),
        "path": str(getattr(node, "original_file_path", "")),
        "status": str(getattr(result, "status", "")),
        "elapsed_s": round(float(getattr(result, "execution_time", 0.0) or 0.0), 3),
        "failures": getattr(result, "failures", None),
        "message": str(getattr(result, "message", "") or ""),
        "failing_rows": _failing_rows(result, node),
    }


def _failing_rows(result: Any, node: Any) -> str:
    """The query of a failing test: it gives the rows that fail."""
    is_failing = str(getattr(result, "status", "")) in ("fail", "warn")
    return str(getattr(node, "compiled_code", "") or "").strip() if is_failing else ""


if __name__ == "__main__":
    main()

"""What a turn of a conversation costs by where its state is kept: asked, answered and on disk (or with the server)."""

import contextlib
import json
import statistics
import tempfile
import time
from pathlib import Path

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from tests.services import postgres_schema, redis_prefix, s3_options

_TURNS = 30
_REPLY = {"sql": "SELECT count(*) AS n FROM t"}


def main():
    with postgres_schema() as postgres, redis_prefix() as redis, s3_options() as s3:
        _measure("files", {})
        for name, address in {"postgresql": postgres, "redis": redis, "s3": "s3://lake/bench"}.items():
            _measure(f"{name}, sessions", {"sessions": address, "options": s3})
            _measure(
                f"{name}, all three", dict.fromkeys(("sessions", "memory", "artifacts"), address) | {"options": s3}
            )


def _measure(name, state):
    root = Path(tempfile.mkdtemp()) / "root"
    script = root.with_suffix(".json")
    script.write_text(json.dumps({"replies": [_REPLY]}))
    settings = load_settings(root, agent={"provider": "scripted", "script": script}, state=state)
    with contextlib.closing(Workspace.open(settings, wait_s=0)) as workspace:
        with workspace.warehouse.write() as session:
            session.execute("CREATE TABLE t AS FROM range(5)")
        workspace.queries.warm()
        _turn(workspace)
        took = [_turn(workspace) for _ in range(_TURNS)]
    first, whole = ([each[n] for each in took] for n in (0, 1))
    print(f"{name}: begun after {_shown(first)}, ended after {_shown(whole)}; the turns of one conversation")


def _turn(workspace):
    """Seconds until the run is acknowledged, and until its end can be read."""
    began = time.perf_counter()
    handle = workspace.runs.start("How many?", conversation_id="bench")
    begun = time.perf_counter() - began
    list(workspace.runs.log(handle.run_id).follow())
    return begun, time.perf_counter() - began


def _shown(seconds):
    ordered = sorted(seconds)
    return f"{statistics.median(ordered) * 1000:.1f} ms (slowest tenth {ordered[-len(ordered) // 10] * 1000:.1f})"


if __name__ == "__main__":
    main()

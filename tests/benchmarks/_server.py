"""`pluto-duck serve` in a process of its own, as people start it, for benchmarks to call and to look at."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.owner import find_server

COMMAND = [sys.executable, "-m", "pluto_duck_cli"]


class Server:
    """A server over `root`, whose tree of processes is supervisor and worker."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.client = httpx.Client(timeout=300, trust_env=False)

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.client.close()
        self.process.terminate()
        self.process.wait(timeout=60)

    def start(self) -> None:
        command = [*COMMAND, "serve", "--port", "0", "--root", str(self.root)]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
        while not (owner := find_server(load_settings(self.root).paths)) or owner.pid != self.process.pid:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode}")
            time.sleep(0.02)
        self.address = owner.address
        self.client.base_url = httpx.URL(owner.address + "/api/v1")

    def kill(self) -> None:
        """SIGKILL to supervisor and worker at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def load(self, source: Path, target: str, mode: str = "replace") -> dict[str, Any]:
        """Ingest a file and wait; returns the ended job."""
        body = {"config": {"path": str(source)}, "target": target, "mode": mode}
        return self.job("ingest", self.client.post("/ingest", json=body).json()["job_id"])

    def job(self, kind: str, job_id: str, every_s: float = 0.05) -> dict[str, Any]:
        """The job when it has ended."""
        while True:
            job: dict[str, Any] = self.client.get(f"/{kind}/{job_id}").json()
            if job.get("status") != "running":
                return job
            time.sleep(every_s)

    def memory_mb(self, field: str = "VmRSS") -> float:
        """Of supervisor and worker together; VmHWM: the most so far."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return sum(_kb(pid, field) for pid in [self.process.pid, *map(int, children)]) / 1000


def _kb(pid: int, field: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field))

"""Ten minutes of everything at once (SOAK_S seconds): no lock error, no torn read, small reads quick, memory flat."""

import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from tests.benchmarks._load import Load
from tests.benchmarks._server import COMMAND, Server

IDLE_S = 30
SAMPLE_S = 2


def main() -> None:
    seconds = float(os.environ.get("SOAK_S", "600"))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        subprocess.run([*COMMAND, "demo", "--root", str(root)], check=True, capture_output=True)
        with Server(root) as server:
            load = Load(server, Path(folder))
            load.prepare()
            time.sleep(3)
            with load.running(writing=False):
                time.sleep(IDLE_S)
            idle = load.p95()
            with load.running(writing=True):
                memory = _sampled(server, seconds)
            busy = load.p95()
    print(f"p95 of a small read: {idle:.1f} ms idle, {busy:.1f} ms while writing, ratio {busy / idle:.2f}")
    print("memory of the server, MB, by tenths of the time: " + " ".join(f"{each:.0f}" for each in _tenths(memory)))
    print(f"done: {dict(load.done)}")
    print(f"torn reads: {sum(load.torn.values())} {dict(load.torn)}")
    print(f"errors: {sum(load.errors.values())} {dict(load.errors)}")


def _sampled(server: Server, seconds: float) -> list[float]:
    samples, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(SAMPLE_S)
        samples.append(server.memory_mb())
    return samples


def _tenths(samples: list[float]) -> list[float]:
    size = max(len(samples) // 10, 1)
    return [statistics.median(samples[n : n + size]) for n in range(0, len(samples) - size + 1, size)]

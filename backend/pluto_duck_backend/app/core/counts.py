"""What this process has counted since it started, and the text in which Prometheus reads it.

Counting begins with the process and costs a lock and an addition, so it is done here, without a library; the text is
written only when it is asked for. Labels come from small sets: never a name of data, never what somebody typed.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator

from pluto_duck_backend.app.core.memory import memory_used

Labels = tuple[str, ...]
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_MOST_SERIES = 500
_OTHER = "other"
BOUNDS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0)
_STARTED = time.time()


class Family:
    """One name with its series, one for each combination of labels; past `_MOST_SERIES` all are "other"."""

    def __init__(self, name: str, told: str, *labels: str) -> None:
        self.name, self.told, self.labels = name, told, labels
        self._lock = threading.Lock()

    def _within(self, values: Labels, kept: dict[Labels, list[float]]) -> Labels:
        return values if values in kept or len(kept) < _MOST_SERIES else (_OTHER,) * len(values)

    def _tell(self, value: float, values: Labels) -> None:
        for listener in _listeners:
            listener(self, value, values)


Listener = Callable[[Family, float, Labels], None]
_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """From now on `listener(family, value, label values)` hears all that is counted, in the thread that counts."""
    _listeners.append(listener)


def leave(listener: Listener) -> None:
    _listeners.remove(listener)


class Counter(Family):
    """Only rises."""

    def __init__(self, name: str, told: str, *labels: str) -> None:
        super().__init__(name, told, *labels)
        self._kept: dict[Labels, list[float]] = {}

    def add(self, *values: str, by: float = 1) -> None:
        with self._lock:
            values = self._within(values, self._kept)
            self._kept.setdefault(values, [0.0])[0] += by
        self._tell(by, values)

    def text(self) -> Iterator[str]:
        with self._lock:
            kept = {values: total[0] for values, total in self._kept.items()}
        yield from _head(self.name, "counter", self.told)
        for values, total in kept.items():
            yield _line(self.name, self.labels, values, total)


class Durations(Family):
    """A histogram of seconds, which counts what took so long as well."""

    def __init__(self, name: str, told: str, *labels: str) -> None:
        super().__init__(name, told, *labels)
        self._kept: dict[Labels, list[float]] = {}

    def add(self, seconds: float, *values: str) -> None:
        with self._lock:
            values = self._within(values, self._kept)
            series = self._kept.setdefault(values, [0.0] * (len(BOUNDS) + 2))
            series[bisect_left(BOUNDS, seconds)] += 1
            series[-1] += seconds
        self._tell(seconds, values)

    def text(self) -> Iterator[str]:
        with self._lock:
            kept = {values: list(series) for values, series in self._kept.items()}
        yield from _head(self.name, "histogram", self.told)
        for values, (*buckets, total) in kept.items():
            yield from self._series(values, buckets, total)

    def _series(self, values: Labels, buckets: list[float], total: float) -> Iterator[str]:
        so_far = 0.0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), buckets, strict=True):
            so_far += count
            yield _line(f"{self.name}_bucket", (*self.labels, "le"), (*values, bound), so_far)
        yield _line(f"{self.name}_sum", self.labels, values, total)
        yield _line(f"{self.name}_count", self.labels, values, so_far)


RUNS = Durations("pluto_duck_run_duration_seconds", "Questions that ended.", "status", "provider")
QUERIES = Durations("pluto_duck_query_duration_seconds", "Queries that ended.", "status")
JOBS = Durations("pluto_duck_job_duration_seconds", "Loads and dbt commands that ended.", "kind", "status")
MODEL_CALLS = Durations(
    "pluto_duck_model_call_duration_seconds", "Calls of chat models.", "provider", "model", "outcome"
)
MODEL_TOKENS = Counter("pluto_duck_model_tokens_total", "Tokens of chat models.", "provider", "model", "direction")
ACTIONS = Counter("pluto_duck_action_calls_total", "Calls of actions.", "action", "outcome")
REQUESTS = Counter("pluto_duck_http_requests_total", "Requests answered.", "method", "route", "status")
FAMILIES = (RUNS, QUERIES, JOBS, MODEL_CALLS, MODEL_TOKENS, ACTIONS, REQUESTS)


def exposition(queries_waiting: int, queries_running: int) -> str:
    """All that was counted, and how things stand now."""
    lines = [line for family in FAMILIES for line in family.text()]
    for name, kind, told, value in (
        ("pluto_duck_queries_waiting", "gauge", "Queries that wait for a worker.", queries_waiting),
        ("pluto_duck_queries_running", "gauge", "Queries at work.", queries_running),
        ("process_resident_memory_bytes", "gauge", "Memory that the process holds.", memory_used()),
        ("process_cpu_seconds_total", "counter", "CPU time that the process has used.", time.process_time()),
        ("process_start_time_seconds", "gauge", "When the process started, in Unix time.", _STARTED),
    ):
        lines += [*_head(name, kind, told), _line(name, (), (), value)]
    return "\n".join(lines) + "\n"


def _head(name: str, kind: str, told: str) -> tuple[str, str]:
    return f"# HELP {name} {told}", f"# TYPE {name} {kind}"


def _line(name: str, labels: Labels, values: Labels, value: float) -> str:
    pairs = ",".join(f'{label}="{_escaped(text)}"' for label, text in zip(labels, values, strict=True))
    return f"{name}{{{pairs}}} {value!r}" if pairs else f"{name} {value!r}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

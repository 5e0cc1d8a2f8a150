"""A thousand tables, and ten million distinct values: indexing, what a change costs, memory, lookups, whole questions.

TABLE_ROWS (100) rows a table, COLUMN_VALUES (1,000,000) values in each of ten columns. The bars: a question p95 at most
400 ms, indexing a thousand tables at most 20 s, memory at most 250 MB over the process without catalog and analyst.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pluto_duck_backend.agent.graph import build
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.memory import memory_used
from pluto_duck_backend.app.core.warehouse import Session
from tests.benchmarks import _warehouses as warehouses

ASKED = 140
FILLING = "please tell me how many orders were made by and sent to this address in the last months of year"


def main() -> None:
    rows = int(os.environ.get("TABLE_ROWS", "100"))
    values = int(os.environ.get("COLUMN_VALUES", "1000000"))
    for name, fill, count, look in (
        ("1,000 tables", warehouses.thousand_tables, rows, _tables),
        (f"{10 * values:,} values", warehouses.ten_million_values, values, _values),
    ):
        with tempfile.TemporaryDirectory() as folder:
            for step, arguments in ((_make, (fill, count)), (_measure, (name, look))):
                process = multiprocessing.get_context("spawn").Process(target=step, args=(Path(folder), *arguments))
                process.start()
                process.join()
                if process.exitcode:
                    raise SystemExit(f"{name}: {step.__name__} ended with {process.exitcode}")


@contextmanager
def _opened(folder: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(load_settings(folder / "root", agent={"max_rows": 5}), wait_s=0)
    try:
        yield workspace
    finally:
        workspace.close()


def _make(folder: Path, fill: Callable[[Session, int], None], count: int) -> None:
    with _opened(folder) as workspace, workspace.warehouse.write() as session:
        fill(session, count)


def _measure(folder: Path, name: str, look: Callable[[Workspace], None]) -> None:
    with _opened(folder) as workspace:
        workspace.queries.warm()
        build()
        bare, engine = _memory_mb(workspace)
        took = _seconds(workspace.analyst)
        now, engine_now = _memory_mb(workspace)
        own = now - bare - (engine_now - engine)
        print(
            f"{name}: indexed and ready in {took:.1f} s; memory {bare:.0f} MB bare, {now - bare:.0f} MB more, of it",
            end="",
        )
        print(f" {engine_now - engine:.0f} MB DuckDB's buffers and {own:.0f} MB ours", flush=True)
        look(workspace)
        with workspace.warehouse.write() as session:
            session.execute("CREATE TABLE one_more AS SELECT 'Something' AS new_thing")
        print(f"  after a change of one table: ready again in {_seconds(workspace.analyst) * 1000:.0f} ms")
        print(f"  memory at the end {_memory_mb(workspace)[0] - bare:.0f} MB over the bare process", end="")
        kept = workspace.analyst()
        workspace.warehouse.close()
        print(f", {_resident_mb() - bare:.0f} MB with DuckDB closed and {type(kept).__name__} kept", flush=True)


def _seconds(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _memory_mb(workspace: Workspace) -> tuple[float, float]:
    """What the process holds, and what of it is DuckDB's own."""
    with workspace.warehouse.read() as session:
        held = session.row("SELECT sum(memory_usage_bytes) FROM duckdb_memory()")
    return _resident_mb(), float(held[0] if held else 0) / 1e6


def _resident_mb() -> float:
    return memory_used() / 1e6


def _tables(workspace: Workspace) -> None:
    rng = random.Random(1)
    for kind in ("counted", "total", "average of a value", "by month", "top", "misspelt", "not there"):
        _tell(kind, [_asked(workspace, _question(kind, rng.randrange(1000), rng)) for _ in range(ASKED // 7)])
    _tell("all questions", [_asked(workspace, _question(kind, n, rng)) for n, kind in enumerate(_KINDS * (ASKED // 7))])


_KINDS = ["counted", "total", "average of a value", "by month", "top", "misspelt", "not there"]


def _question(kind: str, number: int, rng: random.Random) -> str:
    """A question about table `number`."""
    schema = list(warehouses.SCHEMAS)[number // len(warehouses.NOUNS)]
    noun = warehouses.NOUNS[number % len(warehouses.NOUNS)]
    name = f"{warehouses.SCHEMAS[schema]} {noun}s".replace("_", " ")
    label, money = warehouses.labels(number)[0], warehouses.amount(number).replace("_", " ")
    value = rng.choice(warehouses.LABELS[label].split())
    label = label.replace("_", " ")
    return {
        "counted": f"How many {name} are there?",
        "total": f"total {money} by {label} of {name}",
        "average of a value": f"average {money} of {name} with {label} {value}",
        "by month": f"{name} created in 2024 by month",
        "top": f"top 5 {name} by {money}",
        "misspelt": f"How many {_misspelt(name, rng)} with {label} {_misspelt(value, rng)}?",
        "not there": f"average {money} of {name} per zeppelin hangar",
    }[kind]


def _asked(workspace: Workspace, question: str) -> tuple[float, str]:
    """Milliseconds from the question to the run's end, and how it ended."""
    began = time.perf_counter()
    handle = workspace.runs.start(question)
    events = list(workspace.runs.log(handle.run_id).follow())
    return (time.perf_counter() - began) * 1000, str(events[-1]["content"].get("status", "error"))


def _tell(what: str, runs: Sequence[tuple[float, str]]) -> None:
    answered = sum(status == "succeeded" for _, status in runs)
    print(f"  {what}: {_spread([took for took, _ in runs])}; {answered} of {len(runs)} succeeded", flush=True)


def _spread(taken: Sequence[float]) -> str:
    return f"median {statistics.median(taken):.1f} ms, p95 {statistics.quantiles(taken, n=20)[-1]:.1f}"


def _values(workspace: Workspace) -> None:
    index = workspace.catalog.catalog().values
    stored = _stored(workspace)
    rng = random.Random(1)
    print(f"  exact: {_times([lambda v=v: index.lookup(v) for v in stored])}")
    spans = [_spans((FILLING.split() + value.split())[-20:]) for value in stored]
    print(f"  all spans of a question of 20 words: {_times([lambda s=s: index.lookup_all(s) for s in spans])}")
    short = [value for value in stored if len(value) > 6 and len(value.split()) < 3]
    for edits in (1, 2):
        wrong = [_misspelt(value, rng, edits) for value in short]
        pairs = zip(short, wrong, strict=True)
        found = sum(value in [hit.value for hit in index.lookup_fuzzy(text, 500)] for value, text in pairs)
        index.fill("main", "nothing", [])  # so that it remembers no answers
        took = _times([lambda v=v: index.lookup_fuzzy(v) for v in wrong])
        print(f"  misspelt, {edits} edits, a word or two: {took}; {found} of {len(short)} found", flush=True)
    strange = ["".join(rng.choices("abcdefghijklmnoprstuvw", k=rng.randrange(6, 16))) for _ in range(60)]
    print(f"  words that are no value: {_times([lambda v=v: index.lookup_fuzzy(v) for v in strange])}", flush=True)
    questions = [
        f"How many {table} have {column.replace('_', ' ')} {value}?" for table, column, value in _picked(workspace)
    ]
    _tell("questions with a value", [_asked(workspace, each) for each in questions])
    edited = [
        f"How many books have author {_misspelt(value, rng)}?" for t, c, value in _picked(workspace) if c == "author"
    ]
    _tell("questions with a misspelt value", [_asked(workspace, each) for each in edited])


def _picked(workspace: Workspace) -> list[tuple[str, str, str]]:
    """Some values of every column: `(table, column, value)`."""
    with workspace.warehouse.read() as session:
        return [
            (table, column, row[0])
            for table, columns in warehouses.VALUES.items()
            for column in columns
            for row in session.rows(f"SELECT {column} FROM {table} WHERE {table}_id % 9973 = 17 ORDER BY 1 LIMIT 12")
        ]


def _stored(workspace: Workspace) -> list[str]:
    return [value for _, _, value in _picked(workspace)]


def _spans(words: Sequence[str]) -> list[str]:
    return [" ".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, start + 7)]


def _times(works: Sequence[Callable[[], Any]]) -> str:
    return _spread([_seconds(work) * 1000 for work in works])


def _misspelt(text: str, rng: random.Random, edits: int = 1) -> str:
    """`text` with letters left out, put in, changed or swapped, but for the first two and the last."""
    for _ in range(edits if len(text) > 5 else 0):
        place = rng.randrange(2, len(text) - 1)
        before, letter, after = text[:place], text[place], text[place + 1 :]
        text = rng.choice(
            [
                before + after,
                f"{before}{letter}{letter}{after}",
                f"{before}q{after}",
                f"{before}{after[0]}{letter}{after[1:]}",
            ]
        )
    return text

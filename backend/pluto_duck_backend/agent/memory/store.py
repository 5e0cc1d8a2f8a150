"""The confirmed questions of one data root: `configs/confirmed/*.md`, a file a question.

Only `confirm` writes here, and only a person calls it. What must stay true: a file is written whole or not at all; what
contradicts a file is refused, never put in its place unasked; a file that its schema has left behind is never used;
what was confirmed under some rights serves those rights alone.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.agent.memory.example import Example, read, write
from pluto_duck_backend.agent.memory.schema_read import changed, reads_of
from pluto_duck_backend.app.core.errors import Conflict, InvalidInput
from pluto_duck_backend.app.core.principal import OWNER, Principal
from pluto_duck_text2sql.catalog import Catalog

_LARGEST = 200_000
_Mark = tuple[str, int, int]


@dataclass(frozen=True)
class Kept:
    """An example, its file, and why it is not used; empty: it is."""

    example: Example
    file: str
    stale: str

    def to_dict(self) -> dict[str, Any]:
        shown = self.example
        return {
            "question": shown.question,
            "after": list(shown.after),
            "reading": shown.reading or None,
            "sql": shown.sql,
            "run_id": shown.run_id or None,
            "confirmed_at": shown.confirmed_at or None,
            "confirmed_by": shown.confirmed_by or None,
            "file": self.file,
            "stale": self.stale or None,
        }


class Memory:
    """Thread-safe."""

    def __init__(self, folder: Path, catalog_for: Callable[[Principal], Catalog]) -> None:
        self._folder = folder
        self._catalog_for = catalog_for
        self._lock = threading.Lock()
        self._read: dict[str, tuple[_Mark, Example | None]] = {}

    def confirm(self, run: dict[str, Any], ask: Ask, *, replace: bool = False, who: Principal = OWNER) -> Kept:
        """Keep a run's question with its SQL. Raises InvalidInput where it has none, Conflict where other is kept."""
        sql = (run["final"] or {}).get("sql")
        if run["status"] != "succeeded" or not sql:
            raise InvalidInput(
                f"{run['run_id']} has no answer to confirm: it is {run['status']}.",
                code="nothing_to_confirm",
                hint="Confirm a run that succeeded; `pluto-duck runs list` shows them.",
            )
        at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        reads = reads_of(sql, self._catalog_for(who))
        question, reading = " ".join(ask.question.split()), ask.choice or ""
        example = Example(question, sql, run["run_id"], at, who.name, who.rights, ask.history, reading, reads)
        with self._lock:
            return self._keep(example, replace, who)

    def _keep(self, example: Example, replace: bool, who: Principal) -> Kept:
        before = next((each for each in self._all(who) if each.example.key == example.key), None)
        if before and not before.stale and not replace and not _say_the_same(before.example.sql, example.sql):
            raise Conflict(
                f"{example.question!r} is confirmed already, with other SQL ({before.file}):\n{before.example.sql}",
                code="confirmed_otherwise",
                hint="Keep that, or confirm with --replace to put the new SQL in its place.",
            )
        name = before.file.rpartition("/")[2] if before else _file_name(example)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = self._folder / f".{name}.part"
        part.write_text(write(example), encoding="utf-8")
        part.replace(self._folder / name)
        return Kept(example, self._shown(name), "")

    def every(self, who: Principal = OWNER) -> list[Kept]:
        """All of those with the rights of `who`, by file, also what is stale."""
        with self._lock:
            return self._all(who)

    def examples(self, who: Principal = OWNER) -> list[Example]:
        """Those that hold."""
        return [each.example for each in self.every(who) if not each.stale]

    def _all(self, who: Principal) -> list[Kept]:
        paths = sorted(path for path in self._folder.glob("*.md") if path.is_file())
        found = [(path.name, example) for path in paths if (example := self._example(path))]
        mine = [(name, example) for name, example in found if example.rights == who.rights]
        catalog = self._catalog_for(who) if mine else Catalog(())
        return [Kept(example, self._shown(name), changed(example, catalog)) for name, example in mine]

    def _example(self, path: Path) -> Example | None:
        """Read again where the file is another than before."""
        stat = path.stat()
        mark = path.name, stat.st_mtime_ns, stat.st_size
        if path.name not in self._read or self._read[path.name][0] != mark:
            with path.open("rb") as file:
                self._read[path.name] = mark, read(file.read(_LARGEST).decode(errors="replace"))
        return self._read[path.name][1]

    def _shown(self, name: str) -> str:
        return f"configs/{self._folder.name}/{name}"


def _file_name(example: Example) -> str:
    """Readable, and one for each question."""
    words = re.sub(r"[^a-z0-9]+", "-", example.question.casefold()).strip("-")[:60] or "question"
    digest = hashlib.sha256("\0".join((example.rights, *example.key)).encode()).hexdigest()[:6]
    return f"{words}-{digest}.md"


def _say_the_same(one: str, other: str) -> bool:
    """Whether two texts are one query."""
    from pluto_duck_backend.agent.repair.dialect import parse, write

    trees = parse(one), parse(other)
    written = [write(tree) if tree is not None else text for tree, text in zip(trees, (one, other), strict=True)]
    return written[0] == written[1]

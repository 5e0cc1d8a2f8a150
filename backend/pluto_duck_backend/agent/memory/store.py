"""The confirmed questions: texts in `configs/confirmed`, one a question, with the memory service (by default files).

Only `confirm` and `forget` write here, and only a person calls them. What must stay true: what contradicts a text is
refused, never put in its place unasked, also where another process has put it there a moment ago; a text that its
schema has left behind is never used; what was confirmed under some rights serves those rights alone.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.agent.memory.example import Example, read, write
from pluto_duck_backend.agent.memory.schema_read import changed, reads_of
from pluto_duck_backend.app.core.errors import Conflict, InvalidInput, NotFound
from pluto_duck_backend.app.core.principal import OWNER, Principal
from pluto_duck_backend.app.core.state import Entry, MemoryService
from pluto_duck_text2sql.data.catalog import Catalog

_LARGEST = 200_000
_SCOPE = "configs/confirmed"
_ENDING = ".md"


@dataclass(frozen=True)
class Kept:
    """An example, its file and the mark of what that held, and why it is not used; empty: it is."""

    example: Example
    file: str
    stale: str
    mark: str = ""

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

    def __init__(self, texts: MemoryService, catalog_for: Callable[[Principal], Catalog]) -> None:
        self._texts = texts
        self._catalog_for = catalog_for
        self._lock = threading.Lock()
        self._read: dict[str, tuple[str, Example | None]] = {}

    def confirm(
        self, run: dict[str, Any], ask: Ask, right: str | None = None, *, replace: bool = False, who: Principal = OWNER
    ) -> Kept:
        """Keep a run's question with its SQL, or with the `right` one, which has been run.

        Raises InvalidInput where there is none, Conflict where other is kept.
        """
        sql = right or (run["final"] or {}).get("sql")
        if not sql or (not right and run["status"] != "succeeded"):
            raise InvalidInput(
                f"{run['run_id']} has no answer to confirm: it is {run['status']}.",
                code="nothing_to_confirm",
                hint="Confirm a run that succeeded; `pluto-duck runs list` shows them.",
            )
        at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        reads = reads_of(sql, self._catalog_for(who))
        question, reading = " ".join(ask.question.split()), ask.choice or ""
        example = Example(question, sql, run["run_id"], at, who.name, who.rights, ask.before, reading, reads)
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
        self._texts.write(_SCOPE, name, write(example).encode(), instead_of=before.mark if before else "")
        return Kept(example, _shown(name), "")

    def forget(self, name: str, who: Principal = OWNER) -> Kept:
        """Delete the file `name` of configs/confirmed; returns what it held. Raises NotFound."""
        with self._lock:
            kept = next((each for each in self._managed(who) if each.file == _shown(name)), None)
            if kept is None:
                raise NotFound(
                    f"Nothing is confirmed in {_shown(name)}.",
                    code="not_confirmed",
                    hint="`pluto-duck runs confirmed` lists the files.",
                )
            self._texts.delete(_SCOPE, name)
            return kept

    def every(self, who: Principal = OWNER) -> list[Kept]:
        """Those with the rights of `who`, by file, also what is stale; of who sees everything all of them."""
        with self._lock:
            return self._managed(who)

    def examples(self, who: Principal = OWNER) -> list[Example]:
        """Those that hold for the very rights of `who`."""
        return [each.example for each in self.own(who) if not each.stale]

    def own(self, who: Principal = OWNER) -> list[Kept]:
        """Those of the very rights of `who`, also what is stale."""
        with self._lock:
            return self._all(who)

    def _all(self, who: Principal) -> list[Kept]:
        mine = [(entry, example) for entry, example in self._found() if example.rights == who.rights]
        catalog = self._catalog_for(who) if mine else Catalog(())
        return [_kept(entry, example, changed(example.reads, catalog)) for entry, example in mine]

    def _managed(self, who: Principal) -> list[Kept]:
        """What `who` may list and forget; what was confirmed under others' rights is judged by what those show."""
        if not who.sees_all_work:
            return self._all(who)
        return [_kept(entry, example, self._stale(example)) for entry, example in self._found()]

    def _stale(self, example: Example) -> str:
        if not example.reads:
            return ""
        try:
            return changed(example.reads, self._catalog_for(Principal(example.confirmed_by, example.rights)))
        except (NotFound, InvalidInput) as error:
            return error.message

    def _found(self) -> list[tuple[Entry, Example]]:
        entries = [entry for entry in self._texts.entries(_SCOPE) if entry.name.endswith(_ENDING)]
        return [(entry, example) for entry in entries if (example := self._example(entry))]

    def _example(self, entry: Entry) -> Example | None:
        """Read again where the text is another than before."""
        known = self._read.get(entry.name)
        if known is None or known[0] != entry.mark:
            known = entry.mark, self._stored(entry.name)
            self._read[entry.name] = known
        return known[1]

    def _stored(self, name: str) -> Example | None:
        try:
            data, _ = self._texts.read(_SCOPE, name)
        except NotFound:  # forgotten since it was listed
            return None
        return read(data[:_LARGEST].decode(errors="replace"))


def _kept(entry: Entry, example: Example, stale: str) -> Kept:
    return Kept(example, _shown(entry.name), stale, entry.mark)


def _shown(name: str) -> str:
    return f"{_SCOPE}/{name}"


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

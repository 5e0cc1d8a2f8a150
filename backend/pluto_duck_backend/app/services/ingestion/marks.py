"""Files that an incremental load leaves unread: each is known by a mark, with the greatest cursor that it holds.

The service asks before it opens files, the loader asks again within its transaction and says what was read. What must
stay true: a file is left out only where it is the one that was read and all of its rows lie below where the load reads
on, or just there while no row of the other files does, so that the load does what it would do if it read every file.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.ingestion.contract import Since

Read = Mapping[str, str]
#   {mark: a value, as text of the cursor's type, that no cursor in the file exceeds}
_SETTLED_NS = 2_000_000_000
#   clocks of files count in steps of two seconds at most (FAT)


def mark(*parts: Any) -> str:
    """One text for all that tells a file and its content from any other."""
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()


def of_file(path: Path, options: Mapping[str, Any]) -> str:
    """The mark of a file read with `options`; empty where it was just written: a second write might not show."""
    found = path.stat()
    if time.time_ns() - max(found.st_mtime_ns, found.st_ctime_ns) < _SETTLED_NS:
        return ""
    return mark(path, sorted(options.items()), found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


@dataclass
class Choice:
    """Which files of a load are read: not those of `needless` marks, asked for where there are several files; `unread`
    are the origins and marks of these."""

    needless: Callable[[], frozenset[str]]
    unread: dict[str, str] = field(default_factory=dict)

    def wanted(self, marks: Mapping[str, str]) -> list[str]:
        """The origins to read, of marks by origin: at least one, which tells the columns."""
        needless = self.needless() if len(marks) > 1 else frozenset()
        wanted = [origin for origin, mark in marks.items() if mark not in needless] or list(marks)[-1:]
        self.unread |= {origin: mark for origin, mark in marks.items() if origin not in wanted}
        return wanted


def below(session: Session, read: Read, since: Since, *, strictly: bool) -> frozenset[str]:
    """The marks of files in which no cursor exceeds `since`, or even (`strictly`) reaches it."""
    if not read:
        return frozenset()
    listed = ", ".join(f"({literal(mark)}, {literal(value)})" for mark, value in read.items())
    compared = "<" if strictly else "<="
    is_below = f"TRY_CAST(value AS {since.type}) {compared} CAST({literal(since.value)} AS {since.type})"
    return frozenset(
        str(row[0]) for row in session.rows(f"SELECT m FROM (VALUES {listed}) t(m, value) WHERE {is_below}")
    )


def greatest(session: Session, relations: Sequence[str], column: str, since: Since | None) -> str | None:
    """What no cursor in a file exceeds, of its rows from `since` on; None where a row has none, or nothing is known."""
    rows = " UNION ALL ".join(f"SELECT {quote(column)} AS c FROM {each}" for each in relations)
    row = session.row(f"SELECT CAST(max(c) AS VARCHAR), count(*) = count(c) FROM ({rows})")
    if not row or not row[1]:
        return None
    return since.value if row[0] is None and since else row[0]


def by_mark(marked: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The relations of each mark; what has none is left out."""
    grouped: dict[str, list[str]] = {}
    for mark, relation in marked:
        if mark:
            grouped.setdefault(mark, []).append(relation)
    return grouped

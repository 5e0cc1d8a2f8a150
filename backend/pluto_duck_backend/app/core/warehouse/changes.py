"""What a statement may change, by its words, and what has changed since a warehouse was opened, counted.

What is derived from the data is cached under these numbers. What must stay true: a change is never overlooked; one that
is taken for more than it was costs a look and nothing else.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Collection, Iterator

DEFINITIONS = ("view", "type", "macro")
"""What a write can define besides tables; looking these up takes DuckDB long."""
_DEFINES = {
    "view": re.compile(r"\bVIEW\b|\bDROP\s+SCHEMA\b", re.IGNORECASE),
    "type": re.compile(r"\bTYPE\b|\bDROP\s+SCHEMA\b", re.IGNORECASE),
    "macro": re.compile(r"\b(MACRO|FUNCTION)\b|\bDROP\s+SCHEMA\b", re.IGNORECASE),
}
#   the words without which none comes or goes
_NAME = r'(?:"(?:[^"]|"")+"|\w+)'
_CHANGES_ROWS = re.compile(
    rf"\b(?:INTO|UPDATE|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?|COPY)\s+(?:{_NAME}\s*\.\s*)*({_NAME})", re.IGNORECASE
)
#   what changes rows of a table and leaves it the same table


def definitions_in(sql: str) -> Iterator[str]:
    """Which DEFINITIONS a statement may change."""
    return (kind for kind, words in _DEFINES.items() if words.search(sql))


def tables_changed(sql: str) -> set[str]:
    """The names, without schema and in lower case, of the tables whose rows a statement may change."""
    return {name.strip('"').replace('""', '"').casefold() for name in _CHANGES_ROWS.findall(sql)}


class Versions:
    """Numbers that rise. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of_definitions = dict.fromkeys(DEFINITIONS, 1)
        self._of_rows: dict[str, int] = {}
        self.now = 1
        """Rises with every change."""

    def of(self, definition: str) -> int:
        """Rises where one of these DEFINITIONS may have changed."""
        return self._of_definitions[definition]

    def of_rows(self) -> dict[str, int]:
        """By name without schema, in lower case: a number that rises when rows of such a table may have changed."""
        with self._lock:
            return dict(self._of_rows)

    def rise(self, definitions: Collection[str], rows_of: Collection[str]) -> None:
        """Something has been committed."""
        with self._lock:
            self._of_rows |= dict.fromkeys(rows_of, self.now)
            for each in definitions:
                self._of_definitions[each] += 1
            self.now += 1

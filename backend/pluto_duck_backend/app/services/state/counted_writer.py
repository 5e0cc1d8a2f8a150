"""A writer for backends that append to a session on condition of how many lines it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Append = Callable[[str, Sequence[bytes], int], None]


class CountedWriter:
    """Appends after the lines that it knows of; `append(session_id, lines, after)` raises where there are others."""

    def __init__(self, append: Append, session_id: str, count: int) -> None:
        self._append = append
        self._session_id = session_id
        self._count = count

    def append(self, lines: Sequence[bytes]) -> None:
        self._append(self._session_id, lines, self._count)
        self._count += len(lines)

    def close(self) -> None:
        """Nothing is held."""

"""Where an incremental load goes on, which files it may leave out, and how far the table has been read afterwards.

The loader asks; `positions` and `marks` know the SQL. What must stay true: where files were left out, a load gives up
and reads them rather than miss a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pluto_duck_backend.app.core.errors import QueryFailed
from pluto_duck_backend.app.services.ingestion import marks, positions
from pluto_duck_backend.app.services.ingestion.assignment import Assignment
from pluto_duck_backend.app.services.ingestion.contract import Since, SourceTable
from pluto_duck_backend.app.services.ingestion.load_session import LoadSession, staged
from pluto_duck_backend.app.services.ingestion.names import Target
from pluto_duck_backend.app.services.ingestion.positions import Position


@dataclass(frozen=True)
class Begin:
    """Where a load begins: `bound` is what it reads on from, None: it reads everything.

    `has_ties`: files that were left out may reach the bound, though none exceeds it.
    """

    position: Position | None = None
    bound: Since | None = None
    has_ties: bool = False


@dataclass(frozen=True)
class Resuming:
    """Of one load."""

    load: LoadSession

    def begin(self, assignment: Assignment, stored: Position | None, *, is_new: bool) -> Begin:
        """From what was stored, else from what the table holds; a table that is new is read whole."""
        position = stored
        if self.load.request.mode == "incremental" and not is_new:
            position = stored or self._in_table(assignment.target)
        bound = None if is_new else self._bound(position)
        return Begin(position, bound, self._leaves_ties(assignment, position, bound))

    def _bound(self, position: Position | None) -> Since | None:
        if position is None or position.value is None:
            return None
        return positions.since(self.load.session, position, self.load.request.look_back)

    def _in_table(self, target: Target) -> Position:
        """Where to begin when nothing was stored: what the table holds already."""
        there = [name for name, _ in self.load.columns(target.sql_from)]
        name = positions.cursor_column(self.load.request.cursor or "", there, f"Table {target}")
        return positions.current(self.load.session, target, Position(name, "VARCHAR", None))

    def first(self, source: SourceTable) -> Position:
        """That of a table which is not there yet: none, of the column as the source spells it."""
        cursor = self.load.request.cursor or ""
        names = self._names(source) or [cursor]
        return Position(positions.cursor_column(cursor, names, source.origin), "VARCHAR", None)

    def _names(self, source: SourceTable) -> list[str]:
        if source.columns or not source.sql:
            return [each.name for each in source.columns]
        return [name for name, _ in self.load.columns(source.sql)]

    def _leaves_ties(self, assignment: Assignment, position: Position | None, bound: Since | None) -> bool:
        """Raises QueryFailed, which has all files read, where by now one that was left out is wanted."""
        left = set(assignment.unread.values())
        if not left:
            return False
        read = position.read if position and bound else {}
        if not (bound and left <= self._below(read, bound, strictly=bool(self.load.request.look_back))):
            raise QueryFailed("a file that was left out is wanted", code="files_to_read")
        return not left <= self._below(read, bound, strictly=True)

    def _below(self, read: marks.Read, bound: Since, *, strictly: bool) -> frozenset[str]:
        return marks.below(self.load.session, read, bound, strictly=strictly)

    def check_no_ties(self, select: str, bound: Since, origin: str) -> None:
        """Raise QueryFailed, which has them read, where a row may be that of a file that was left out again."""
        column, _ = self.load.cursor_in(select, bound.column, origin)
        is_tied = positions.tied(column, bound, keyed=bool(self.load.request.key))
        if self.load.session.row(f"SELECT 1 FROM ({select}) WHERE {is_tied} LIMIT 1"):
            raise QueryFailed("rows share the cursor of files that were left out", code="ties_to_read")

    def after(self, assignment: Assignment, begin: Begin) -> Position | None:
        """How far the target has been read now, and which files."""
        if begin.position is None:
            return None
        after = positions.current(self.load.session, assignment.target, begin.position)
        left = assignment.unread.values() if after.type == begin.position.type else ()
        read = {mark: begin.position.read[mark] for mark in left}
        return replace(after, read=read | self._read(assignment, after, begin.bound))

    def _read(self, assignment: Assignment, after: Position, bound: Since | None) -> dict[str, str]:
        """The greatest cursor of each file that was read."""
        if assignment.is_one:
            return {}
        relations = marks.by_mark((each.mark, staged(number)) for number, each in enumerate(assignment.sources))
        found = {mark: self._greatest(each, after, bound) for mark, each in relations.items()}
        return {mark: value for mark, value in found.items() if value is not None}

    def _greatest(self, relations: Sequence[str], after: Position, bound: Since | None) -> str | None:
        """What no cursor in a file exceeds; None where its cursors are of another type than the table's."""
        kinds = {self.load.cursor_in(f"FROM {each}", after.cursor, each)[1] for each in relations}
        if kinds != {after.type} or (bound and bound.type != after.type):
            return None
        return marks.greatest(self.load.session, relations, after.cursor, bound)

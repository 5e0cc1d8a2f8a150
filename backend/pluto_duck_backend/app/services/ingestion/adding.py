"""Rows into a table that is there: its columns follow the source, then rows are appended, merged, or added if lacking.

What must stay true: no value is rounded or lost where a column keeps its type, and no row comes twice.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from pluto_duck_backend.app.core.errors import Conflict, QueryFailed
from pluto_duck_backend.app.core.warehouse import quote
from pluto_duck_backend.app.services.ingestion import positions, writing
from pluto_duck_backend.app.services.ingestion.assignment import Assignment
from pluto_duck_backend.app.services.ingestion.creating import Filled
from pluto_duck_backend.app.services.ingestion.evolution import Described, Evolution, check_contract, evolution
from pluto_duck_backend.app.services.ingestion.load_session import NEW, LoadSession
from pluto_duck_backend.app.services.ingestion.names import Target
from pluto_duck_backend.app.services.ingestion.requests import Progress
from pluto_duck_backend.app.services.ingestion.resuming import Begin, Resuming

Writing = Generator[Progress, None, writing.Written]


@dataclass(frozen=True)
class Adding:
    """Of one load, from where it begins."""

    load: LoadSession
    begin: Begin

    def fill(self, assignment: Assignment, select: str) -> Filled:
        """Rows of `select` into the target, after its columns have followed."""
        found, there = self.load.columns(select), self.load.columns(assignment.target.sql_from)
        if self.load.request.mode != "append" or found != there:
            select = yield from self.load.stage(assignment, select)
        if self.begin.bound and self.begin.has_ties:
            Resuming(self.load).check_no_ties(select, self.begin.bound, assignment.origin)
        change = self._follow(assignment, select, found, there)
        written = yield from self._write(assignment, select, found, there)
        return written, change.notes

    def _follow(self, assignment: Assignment, select: str, found: Described, there: Described) -> Evolution:
        """Have the table's columns follow those of the rows."""
        target, request = assignment.target, self.load.request
        change = evolution(self.load.session, target, there, found, select, request.cursor)
        if request.columns == "contract":
            check_contract(change, target, assignment.origin)
        for name, kept, _ in change.converted:
            self.load.check_values_fit(assignment, select, name, kept)
        for statement in change.statements(target):
            self._alter(statement, target)
        return change

    def _alter(self, statement: str, target: Target) -> None:
        try:
            self.load.session.execute(statement)
        except QueryFailed as error:
            raise Conflict(
                f"The columns of table {target} cannot follow the source: {error.message.splitlines()[0]}",
                code="target_in_use",
                hint="Load it anew with --mode replace, which takes the columns of the source.",
            ) from error

    def _write(self, assignment: Assignment, select: str, found: Described, there: Described) -> Writing:
        names = [name for name, _ in found]
        if self.load.request.key:
            return self._merged(assignment, names)
        if self.load.request.mode == "incremental":
            known = {each.casefold() for each, _ in there}
            select = self._lacking(assignment.target, [name for name in names if name.casefold() in known])
        return self._inserted(assignment, select)

    def _inserted(self, assignment: Assignment, select: str) -> Writing:
        target = assignment.target
        yield from self.load.run(f"INSERT INTO {target.sql} BY NAME {select}", assignment.sources[-1], target)
        return writing.Written(inserted=self.load.written())

    def _merged(self, assignment: Assignment, names: Sequence[str]) -> Writing:
        target, deletes = assignment.target, self.load.request.delete_missing
        key = self.load.key_in(names, assignment)
        plan = writing.Merge(target, self._fitted(target), names, key, deletes)
        before = self.load.count(target.sql)
        deleted = self.load.count(plan.missing) if deletes else 0
        yield from self.load.run(plan.sql, assignment.sources[-1], target)
        touched = self.load.written()
        inserted = self.load.count(target.sql) - before + deleted
        return writing.Written(inserted, touched - inserted - deleted, deleted)

    def _lacking(self, target: Target, common: Sequence[str]) -> str:
        """The staged rows that the table has not, by the columns that both have."""
        cursor, kind = self.load.cursor_in(target.sql_from, self.load.request.cursor or "", f"Table {target}")
        return positions.lacking(self._fitted(target), target, common, self.begin.bound, cursor, kind)

    def _fitted(self, target: Target) -> str:
        """The staged rows in the types of the table: where texts meet numbers, DuckDB compares them as numbers."""
        kinds = {name.casefold(): kind for name, kind in self.load.columns(target.sql_from)}
        pairs = [(quote(name), kinds[name.casefold()], found) for name, found in self.load.columns(f"FROM {NEW}")]
        casts = [f"CAST({name} AS {kind}) AS {name}" for name, kind, found in pairs if kind != found]
        return f"(SELECT * REPLACE ({', '.join(casts)}) FROM {NEW})" if casts else NEW

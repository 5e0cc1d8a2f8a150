"""How a table's columns follow those of its source: added, widened, missing, perhaps renamed.

The loader asks before it adds rows to a table that exists. What must stay true: no column and no digit is lost in
silence. A column keeps its type where every new value survives it, and is widened only to a type that holds the old
values too.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.warehouse import Session, quote
from pluto_duck_backend.app.services.ingestion.names import Target

Described = Sequence[tuple[str, str]]
#   (name, DuckDB type) of each column
_INTEGERS = frozenset("TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT".split())
_FLOATS = frozenset(("FLOAT", "DOUBLE"))
UNTOLD = frozenset(("VARCHAR", "JSON"))
#   the types that readers give to a column without values
_TIMES = frozenset(("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"))


@dataclass(frozen=True)
class Evolution:
    """What is to be done to a table so that the rows of a source fit."""

    added: tuple[tuple[str, str], ...] = ()
    widened: tuple[tuple[str, str, str], ...] = ()
    converted: tuple[tuple[str, str, str], ...] = ()
    missing: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.widened or self.converted or self.missing)

    @property
    def notes(self) -> list[str]:
        """A sentence for each difference."""
        return [
            *(f"new column {name} {kind} was added, NULL in earlier rows" for name, kind in self.added),
            *(f"column {name} was widened from {old} to {new}" for name, old, new in self.widened),
            *(f"column {name} is {found} in the source and was read as {kept}" for name, kept, found in self.converted),
            *(f"the source has no column {name} any more, so it is NULL in new rows" for name in self.missing),
            *(f"{old} may have been renamed to {new}; both columns are kept" for old, new in self.renamed),
        ]

    @property
    def renamed(self) -> list[tuple[str, str]]:
        """Missing columns that a new one of a like name may stand for."""
        new = [name for name, _ in self.added]
        close = ((old, difflib.get_close_matches(old, new, n=1, cutoff=0.6)) for old in self.missing)
        return [(old, found[0]) for old, found in close if found]

    def statements(self, target: Target) -> list[str]:
        """What makes the table fit."""
        return [
            *(f"ALTER TABLE {target.sql} ADD COLUMN {quote(name)} {kind}" for name, kind in self.added),
            *(f"ALTER TABLE {target.sql} ALTER {quote(name)} TYPE {kind}" for name, _, kind in self.widened),
        ]


def evolution(
    session: Session, target: Target, there: Described, found: Described, select: str, cursor: str | None = None
) -> Evolution:
    """How the table `there` follows a source whose rows `select` gives with the columns `found`.

    A column of texts that holds nothing keeps its type, for what is to come may be text, unless it is the `cursor`:
    numbers as texts have another order, in which a later one would count as read.
    """
    known = {name.casefold(): (name, kind) for name, kind in there}
    given = {name.casefold() for name, _ in found}
    widened: list[tuple[str, str, str]] = []
    converted: list[tuple[str, str, str]] = []
    for name, kind in found:
        spelt, kept = known.get(name.casefold(), (name, kind))
        if kept == kind:
            continue
        is_cursor = cursor is not None and name.casefold() == cursor.casefold()
        if is_cursor and says_nothing(session, target.sql_from, spelt, kept):
            widened.append((spelt, kept, kind))
        elif not _survive(session, select, name, kind, kept):
            wider = _wider(session, target, spelt, kept, kind)
            (widened if wider else converted).append((spelt, kept, wider or kind))
    return Evolution(
        added=tuple((name, kind) for name, kind in found if name.casefold() not in known),
        widened=tuple(widened),
        converted=tuple(converted),
        missing=tuple(name for name, _ in there if name.casefold() not in given),
    )


def check_contract(change: Evolution, target: Target, origin: str) -> None:
    """Raise InvalidInput where the columns of a source may not change and do."""
    if change:
        raise InvalidInput(
            f"{origin} breaks the contract of table {target}: {'; '.join(_differences(change))}.",
            code="columns_differ",
            hint="Mend the source, or load with columns: evolve (without --contract).",
        )


def _differences(change: Evolution) -> list[str]:
    return [
        *(f"new column {name} {kind}" for name, kind in change.added),
        *(f"column {name} is {new} instead of {old}" for name, old, new in change.widened),
        *(f"column {name} is {found} instead of {kept}" for name, kept, found in change.converted),
        *(f"missing column {name}" for name in change.missing),
    ]


def says_nothing(session: Session, rows: str, name: str, kind: str) -> bool:
    """Whether a column has no values, and its type is one that readers give to such."""
    return kind in UNTOLD and not session.row(f"SELECT 1 FROM ({rows}) WHERE {quote(name)} IS NOT NULL LIMIT 1")


def alike(one: str, other: str) -> bool:
    """Whether values of both types are compared as what they are."""
    return _kind(one) == _kind(other)


def misfit(column: str, kept: str) -> str:
    """The condition of values that a column of the type `kept` cannot hold as they are."""
    cast = f"try_cast({column} AS {kept})"
    rounded = f" OR {cast} <> try_cast({column} AS DOUBLE)" if kept in _INTEGERS else ""
    return f"({cast} IS NULL{rounded})"


def _survive(session: Session, select: str, name: str, kind: str, kept: str) -> bool:
    """Whether every value of the source is the same after it went into the table's type and back."""
    column = quote(name)
    there_and_back = f"try_cast(try_cast({column} AS {kept}) AS {kind})"
    same = f"{column} IS NULL OR coalesce({there_and_back} IS NOT DISTINCT FROM {column}, false)"
    row = session.row(f"SELECT coalesce(bool_and({same}), true) FROM ({select})")
    return bool(row and row[0])


def _wider(session: Session, target: Target, name: str, kept: str, found: str) -> str | None:
    """The type that holds the values of both, or None where the two are of different kinds.

    Raises InvalidInput where numbers that are there would be rounded.
    """
    row = session.row(f"SELECT typeof(x) FROM (SELECT NULL::{kept} AS x UNION ALL SELECT NULL::{found}) LIMIT 1")
    both = str(row[0]) if row else kept
    if both == kept or _kind(kept) != _kind(found):
        return None
    if both in _FLOATS and kept not in _FLOATS and not _survive(session, target.sql_from, name, kept, both):
        raise InvalidInput(
            f"Table {target}: column {name} is {kept} and holds numbers that {both} would round; the source has"
            f" {found}.",
            code="columns_differ",
            hint="Load the source into a table of its own, or change the column first: ALTER TABLE … TYPE DECIMAL.",
        )
    return both


def _kind(of: str) -> str:
    """Types of one kind can be widened into each other."""
    base = of.split("(")[0]
    if base in _INTEGERS or base in _FLOATS or base == "DECIMAL":
        return "number"
    if of in _TIMES:
        return "time"
    if of.endswith("]"):
        return "list of " + _kind(of[: of.rindex("[")])
    return "text" if base in ("ENUM", "VARCHAR") else base

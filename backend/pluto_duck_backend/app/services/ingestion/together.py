"""Several files for one table: whether they agree in their columns, and their rows as one.

The loader asks once all files are staged. What must stay true: a file in which a column is empty throughout does not
decide the type of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.warehouse import Session, quote
from pluto_duck_backend.app.services.ingestion.contract import SourceTable
from pluto_duck_backend.app.services.ingestion.evolution import UNTOLD, Described, says_nothing


def union(session: Session, sources: Sequence[SourceTable], selects: Sequence[str]) -> str:
    """The rows of all `selects`, those of `sources`. Raises InvalidInput where the columns of two differ."""
    found = [[(str(row[0]), str(row[1])) for row in session.rows(f"DESCRIBE {each}")] for each in selects]
    _check_same_columns(sources, [[name for name, _ in columns] for columns in found])
    typed = {name.casefold() for columns in found for name, kind in columns if kind not in UNTOLD}
    telling = [_telling(session, *each, typed) for each in zip(selects, found, strict=True)]
    return " UNION ALL BY NAME ".join(telling)


def _telling(session: Session, select: str, columns: Described, typed: Collection[str]) -> str:
    """`select` with a bare NULL, which takes any type, for each column that is empty in it and `typed` elsewhere."""
    disputed = [(name, kind) for name, kind in columns if name.casefold() in typed]
    empty = [name for name, kind in disputed if says_nothing(session, select, name, kind)]
    nothing = ", ".join(f"NULL AS {quote(name)}" for name in empty)
    return f"SELECT * REPLACE ({nothing}) FROM ({select})" if empty else select


def _check_same_columns(sources: Sequence[SourceTable], found: Sequence[Sequence[str]]) -> None:
    for source, names in zip(sources[1:], found[1:], strict=True):
        if _folded(names) != _folded(found[0]):
            raise InvalidInput(
                f"{source.origin} has other columns than {sources[0].origin}: {_difference(names, found[0])}.",
                code="columns_differ",
                hint="Load it into a table of its own, or make the columns agree.",
            )


def _folded(names: Sequence[str]) -> set[str]:
    return {name.casefold() for name in names}


def _difference(names: Sequence[str], expected: Sequence[str]) -> str:
    new = [name for name in names if name.casefold() not in _folded(expected)]
    missing = [name for name in expected if name.casefold() not in _folded(names)]
    parts = [f"unknown {', '.join(new)}"] if new else []
    return "; ".join([*parts, f"missing {', '.join(missing)}"] if missing else parts)

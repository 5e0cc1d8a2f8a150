"""Keys of a load: constraints that a new table gets, one row for each key, rows merged by key.

The loader uses it. What must stay true: a key names one row; where the source has two for one key, the load says so
and takes neither, unless a cursor tells which is the later one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.warehouse import Session, quote
from pluto_duck_backend.app.services.ingestion.contract import Keys
from pluto_duck_backend.app.services.ingestion.names import Target


@dataclass(frozen=True)
class Written:
    """Rows of a target that came, changed and went."""

    inserted: int = 0
    updated: int = 0
    deleted: int = 0


@dataclass(frozen=True)
class Merge:
    """Rows of `staged` into `target` by `key`: changed ones updated, new ones inserted."""

    target: Target
    staged: str
    columns: Sequence[str]
    key: Sequence[str]
    delete_missing: bool

    @property
    def sql(self) -> str:
        """A MERGE that leaves rows without a difference alone; it counts what it touches."""
        others = [quote(each) for each in self.columns if each not in self.key]
        changed = " OR ".join(f"t.{each} IS DISTINCT FROM s.{each}" for each in others)
        settings = ", ".join(f"{each} = s.{each}" for each in others)
        update = f" WHEN MATCHED AND ({changed}) THEN UPDATE SET {settings}" if others else ""
        delete = " WHEN NOT MATCHED BY SOURCE THEN DELETE" if self.delete_missing else ""
        return (
            f"MERGE INTO {self.target.sql} AS t USING {self.staged} AS s ON {self._same}{update}"
            f" WHEN NOT MATCHED THEN INSERT BY NAME{delete}"
        )

    @property
    def missing(self) -> str:
        """The rows of the target that the source has no more, as a FROM clause."""
        return f"{self.target.sql} AS t ANTI JOIN {self.staged} AS s ON {self._same}"

    @property
    def _same(self) -> str:
        return " AND ".join(f"t.{quote(each)} = s.{quote(each)}" for each in self.key)


def keep_one_of_each_key(session: Session, staged: str, key: Sequence[str], cursor: str | None, origin: str) -> None:
    """Leave one row a key in the temporary table: equal rows once, of others the one with the greatest cursor.

    Raises InvalidInput where a key is NULL, or several rows have it and nothing says which is the later.
    """
    names = _names(key)
    is_null = " OR ".join(f"{quote(each)} IS NULL" for each in key)
    row = session.row(f"SELECT count(*) FILTER ({is_null}), count(*), count(DISTINCT ({names})) FROM {staged}")
    nulls, rows, keys = row or (0, 0, 0)
    if nulls:
        raise InvalidInput(
            f"{origin}: the key ({', '.join(key)}) is NULL in {nulls:,} rows.",
            code="key_not_usable",
            hint="Name a key that every row has.",
        )
    if rows == keys:
        return
    session.execute(f"CREATE OR REPLACE TEMP TABLE _ingest_new AS {_once(staged, names, cursor)}")
    _check_unique(session, staged, key, origin)


def _once(staged: str, names: str, cursor: str | None) -> str:
    if cursor is None:
        return f"SELECT DISTINCT * FROM {staged}"
    later = f"row_number() OVER (PARTITION BY {names} ORDER BY {quote(cursor)} DESC NULLS LAST)"
    return f"SELECT * FROM {staged} QUALIFY {later} = 1"


def _check_unique(session: Session, staged: str, key: Sequence[str], origin: str) -> None:
    names = _names(key)
    twice = session.row(
        f"SELECT {names}, count(*) FROM {staged} GROUP BY {names} HAVING count(*) > 1 ORDER BY ALL LIMIT 1"
    )
    if twice:
        values = ", ".join(f"{name} = {value!r}" for name, value in zip(key, twice, strict=False))
        raise InvalidInput(
            f"{origin}: the key ({', '.join(key)}) does not name one row: {values} has {twice[-1]} that differ.",
            code="key_not_usable",
            hint="Name more columns with --key, or the column that tells the later row with --cursor.",
        )


def constraints(session: Session, keys: Keys, select: str) -> list[str]:
    """PRIMARY KEY and UNIQUE clauses for a new table, as far as the data satisfies them."""
    clauses = []
    if keys.primary_key and _is_unique(session, select, keys.primary_key, nulls=False):
        clauses.append(f"PRIMARY KEY ({_names(keys.primary_key)})")
    others = [each for each in keys.unique if set(each) != set(keys.primary_key)]
    return clauses + [f"UNIQUE ({_names(each)})" for each in others if _is_unique(session, select, each, nulls=True)]


def _is_unique(session: Session, select: str, columns: Sequence[str], *, nulls: bool) -> bool:
    whole = " AND ".join(f"{quote(each)} IS NOT NULL" for each in columns)
    row = session.row(
        f"SELECT count(*) FILTER ({whole}) = count(DISTINCT ({_names(columns)})) FILTER ({whole}),"
        f" count(*) FILTER (NOT ({whole})) = 0 FROM ({select})"
    )
    return bool(row and row[0] and (nulls or row[1]))


def _names(columns: Sequence[str]) -> str:
    return ", ".join(quote(each) for each in columns)

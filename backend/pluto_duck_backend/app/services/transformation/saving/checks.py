"""Tests that hold on an answer's rows now: keys, columns without gaps, and else that there are rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from pluto_duck_backend.app.core.warehouse import Session, quote
from pluto_duck_backend.app.services.transformation.saving.references import as_text

_MOST_COLUMNS_OF_KEY = 3


def column_tests(session: Session, sql: str, columns: Sequence[str], measures: Collection[str]) -> dict[str, list[str]]:
    """For each column those of `unique` and `not_null` that hold; that no two sums are equal says nothing."""
    parts = [f"count({quote(each)}), count(DISTINCT {quote(each)})" for each in columns]
    row = session.row(f"SELECT count(*), {', '.join(parts)} FROM ({sql})") or (0,)
    rows, found = row[0], dict[str, list[str]]()
    for place, name in enumerate(columns):
        filled, distinct = row[1 + 2 * place : 3 + 2 * place]
        holds = {
            "unique": distinct == filled and rows > 1 and name not in measures,
            "not_null": filled == rows,
        }
        if any(holds.values()):
            found[name] = [test for test, held in holds.items() if held]
    return found


def key_of(session: Session, sql: str, columns: Sequence[str]) -> list[str]:
    """The first columns that together tell all rows apart; none where no few of them do."""
    total = (session.row(f"SELECT count(*) FROM ({sql})") or (0,))[0]
    for size in range(2, min(_MOST_COLUMNS_OF_KEY, len(columns)) + 1):
        names = ", ".join(map(quote, columns[:size]))
        if session.row(f"SELECT count(*) FROM (SELECT DISTINCT {names} FROM ({sql}))") == (total,):
            return list(columns[:size])
    return []


def repeated(model: str, key: Sequence[str]) -> str:
    """A test that finds keys which are there twice."""
    names = ", ".join(map(_named, key))
    return (
        f"-- Rows appear here when {', '.join(key)} no longer tell the rows of {model} apart.\n"
        f"select {names}, count(*) as times\nfrom {{{{ ref('{model}') }}}}\ngroup by all\nhaving count(*) > 1\n"
    )


def emptied(model: str) -> str:
    """A test that finds a model without rows."""
    return (
        f"-- A row appears here when {model} has no rows any more.\n"
        f"select 'no rows' as problem\nwhere not exists (select 1 from {{{{ ref('{model}') }}}})\n"
    )


def differing(sql: str, columns: Sequence[dict[str, str]], rows: Sequence[Sequence[Any]]) -> str:
    """A test that finds rows which the answer had and lacks now, or has now and lacked."""
    names = ", ".join(_named(each["name"]) for each in columns)
    shown = ", ".join(_rounded(each) for each in columns)
    values = ",\n    ".join(f"({', '.join(map(_literal, row))})" for row in rows)
    cast = ", ".join(f"cast({_named(each['name'])} as {each['type']}) as {_named(each['name'])}" for each in columns)
    return (
        "-- Rows appear here when the answer is another than when it was saved.\n"
        f"with answer ({names}) as (\n{sql}\n),\n\nsaved as (\n  select {cast}\n  from (\n  values\n    {values}\n"
        f"  ) as given ({names})\n)\n\n"
        f"(select 'new' as problem, {shown} from answer except all select 'new', {shown} from saved)\nunion all\n"
        f"(select 'gone' as problem, {shown} from saved except all select 'gone', {shown} from answer)\n"
    )


def _rounded(column: dict[str, str]) -> str:
    """A float may end in other digits when it is summed in another order."""
    name = _named(column["name"])
    return f"round({name}, 6) as {name}" if column["type"] in ("DOUBLE", "FLOAT") else name


def _named(name: str) -> str:
    return name if name.isidentifier() and name.islower() else quote(name)


def _literal(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return "'" + as_text(str(value).replace("'", "''")) + "'"

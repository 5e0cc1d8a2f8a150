"""A question with the SQL that a person confirmed for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """`tables` are the `schema.table` with the columns that the SQL reads, as they were when it was confirmed."""

    question: str
    sql: str
    run_id: str = ""
    confirmed_at: str = ""
    confirmed_by: str = ""
    tables: tuple[tuple[str, tuple[str, ...]], ...] = ()

"""Texts that are numbers: `425`, `13.5`, as sources keep them that know no other type; codes such as `007` are none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_backend.app.core.warehouse import Session, quote
from pluto_duck_text2sql.data.catalog import Column

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_LOOKED_AT = 50
_LONGEST = 15
#   digits that a number keeps; longer ones are keys and telephones


def with_numbers(session: Session, source: str, columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns; those of texts that all are numbers know it."""
    texts = [column for column in columns if column.kind == "text" and column.n_distinct and not column.date_format]
    likely = _likely(session, source, texts) if texts else []
    if not likely:
        return tuple(columns)
    parts = ", ".join(f"bool_and({_is_number(column)})" for column in likely)
    row = session.row(f"SELECT {parts} FROM {source}") or ()
    numbers = {column.name for column, holds in zip(likely, row, strict=True) if holds}
    return tuple(replace(each, of_numbers=True) if each.name in numbers else each for each in columns)


def _likely(session: Session, source: str, texts: Sequence[Column]) -> list[Column]:
    """Those whose first texts are numbers."""
    shown = ", ".join(f"CAST({quote(each.name)} AS VARCHAR)" for each in texts)
    rows = session.rows(f"SELECT {shown} FROM {source} LIMIT {_LOOKED_AT}")
    found = ((column, [row[n] for row in rows if row[n]]) for n, column in enumerate(texts))
    return [column for column, some in found if some and all(map(_reads, some))]


def _reads(text: str) -> bool:
    return len(text) <= _LONGEST and _NUMBER.fullmatch(text) is not None


def _is_number(column: Column) -> str:
    name = f"CAST({quote(column.name)} AS VARCHAR)"
    reads = f"length({name}) <= {_LONGEST} AND regexp_full_match({name}, '{_NUMBER.pattern}')"
    return f"{name} IS NULL OR {name} = '' OR ({reads})"

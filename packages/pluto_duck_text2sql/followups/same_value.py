"""What the only one shown has, said of others: `customers from the same country`, `what else is in that category?`

The value stands in the place of the words for it, and the question is asked as any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.followups.antecedents import rows_meant
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, table_words
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import Col, Query, TableKey
from pluto_duck_text2sql.trees.parts import is_aggregate

_SAME = Pattern(
    r"\b(?:the )?same (?P<noun>(?!(?:as|ones?|again|way|day|week|month|quarter|year|period|time)\b)[a-z]+)\b"
    r"(?! (?:as|of|for|that|who)\b)",
    re.IGNORECASE,
)
_THAT = Pattern(
    r"\b(?P<in>in|at|of|from) (?:that|this)"
    r" (?P<noun>(?!(?:one|way|day|week|month|quarter|year|period|time|case)\b)[a-z]+)\b",
    re.IGNORECASE,
)
"""`in that category`, where a category is what was shown."""
_WHO = Pattern(rf"{LEAD}who ", re.IGNORECASE)
_NAMED = 0.9


def with_same_value(
    question: str, before: Query, reader: Reader, rows: Callable[[Query], Sequence[tuple[Any, ...]]]
) -> str | None:
    """The question with the value that the only row shown has; None where it says none, or no row stands alone."""
    same, that = _SAME.search(question), _THAT.search(question)
    said = same or that
    if said is None or (is_aggregate(before) and not before.group) or before.then is not None:
        return None
    shown, of = [each for each in before.select if isinstance(each, Col)], rows_meant(before, reader)
    named = [t for item in reader.named(said["noun"]) for t in item.targets if t.column and t.score >= _NAMED]
    columns = [Col(t.table.key, t.column.name) for t in named if t.column and t.column.kind == "text"]
    meant = [each for each in columns if each in shown] or [each for each in columns if each.table == of and same]
    order = before.order if before.limit is not None else ()
    found = rows(replace(before, select=(meant[0],), order=order)) if len(meant) == 1 else ()
    value = found[0][0] if len(found) == 1 else None
    if not isinstance(value, str):
        return None
    question = _of_rows(question, of, reader)
    said = (_SAME if same else _THAT).search(question) or said
    told = f'"{value}"' if same else f'{said["in"]} {said["noun"]} "{value}"'
    return f"{question[: said.start()]}{told}{question[said.end() :]}"


def _of_rows(question: str, of: TableKey, reader: Reader) -> str:
    """`who is in that city?` of a client, as a question for clients."""
    table = reader.catalog.table(*of)
    if table is None or not is_of_people(table, reader.resolver.label(table)):
        return question
    return _WHO.sub(f"which {' '.join(table_words(of[1]))} ", question)

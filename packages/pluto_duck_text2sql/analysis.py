"""What the analyst gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.tree import Query

if TYPE_CHECKING:
    from pluto_duck_text2sql.certainty import Grounds, TurnGrounds
    from pluto_duck_text2sql.data.links import Mention

_MOST_TABLES, _MOST_COLUMNS = 8, 20
_TARGETS, _HITS = 6, 3
"""What is told of one mention at most: tables and columns, stored values."""
_BY_COLUMN = 0.8
"""How much a table is named by a column of it."""


@dataclass(frozen=True)
class ColumnLink:
    """A column that words of the question name; `score` is 1 for its whole name."""

    schema: str
    table: str
    column: str
    score: float


@dataclass(frozen=True)
class Links:
    """The tables, columns and stored values a question names, the best first."""

    tables: tuple[tuple[Table, float], ...] = ()
    columns: tuple[ColumnLink, ...] = ()
    values: tuple[ValueHit, ...] = ()

    @classmethod
    def of(cls, mentions: Sequence[Mention]) -> Links:
        """What the mentions name; a table is named by its columns too, but less."""
        tables: dict[tuple[str, str], tuple[Table, float]] = {}
        columns: dict[tuple[str, str, str], ColumnLink] = {}
        for target in (target for mention in mentions for target in mention.targets[:_TARGETS]):
            key, column = target.table.key, target.column
            weight = target.score * (_BY_COLUMN if column else 1.0)
            tables[key] = (target.table, max(weight, tables[key][1] if key in tables else 0.0))
            if column:
                columns.setdefault((*key, column.name), ColumnLink(*key, column.name, target.score))
        values = tuple(hit for mention in mentions for hit in _hits(mention)[:_HITS])
        ranked = sorted(tables.values(), key=lambda pair: -pair[1])
        near = sorted(columns.values(), key=lambda each: -each.score)
        return cls(tuple(ranked[:_MOST_TABLES]), tuple(near[:_MOST_COLUMNS]), values)


def _hits(mention: Mention) -> tuple[ValueHit, ...]:
    """The stored values that a mention may mean: beside the whole name of a table none, of a column none like it."""
    whole = [target for target in mention.targets if target.score >= 1]
    if any(target.column is None for target in whole):
        return ()
    return tuple(hit for hit in mention.hits if hit.score >= 1 or not whole)


@dataclass(frozen=True)
class Part:
    """A query that a later one reads by its name, as a table."""

    name: str
    purpose: str
    sql: str


@dataclass(frozen=True)
class Candidate:
    """One reading of the question as SQL; `confidence` is from 0 to 1.

    Where one plain query is not enough it has `parts`, and `last` over them; `sql` is both in one.
    """

    sql: str
    confidence: float
    title: str
    reading: tuple[str, ...]
    assumptions: tuple[str, ...]
    tree: Query
    tables: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    last: str = ""
    grounds: Grounds | TurnGrounds | None = field(default=None, compare=False, repr=False)
    #   what the confidence rests on, where it is of one reading


@dataclass(frozen=True)
class Clarification:
    """The question has several readings; the user picks one of `options`.

    `is_bare`: because it says too little, so that the rest of a question that it is a part of may say it.
    """

    question: str
    options: tuple[str, ...]
    is_bare: bool = False


@dataclass(frozen=True)
class Analysis:
    """The outcome: ranked candidates, a question back, or why the data cannot answer.

    `others` are what else an answer that is unsure may mean; the question asked again with one of them as its `choice`
    is answered so.
    """

    status: Literal["answered", "needs_input", "cannot_answer"]
    candidates: tuple[Candidate, ...] = ()
    clarification: Clarification | None = None
    message: str = ""
    links: Links = field(default_factory=Links)
    others: tuple[str, ...] = ()


_SURE = 0.85
"""How sure a reading is that one phrase and the data's own keys or dates fix, with nothing left of the question."""


def sure(query: Query, line: str) -> Candidate:
    """What such a reading is made of: a part that tells one line."""
    return Candidate("", _SURE, "", (line,), (), query, (".".join(query.anchor),))

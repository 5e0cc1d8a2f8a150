"""What the analyst gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pluto_duck_text2sql.catalog import Table
from pluto_duck_text2sql.tree import Query
from pluto_duck_text2sql.values import ValueHit

if TYPE_CHECKING:
    from pluto_duck_text2sql.certainty import Grounds


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
    grounds: Grounds | None = field(default=None, compare=False, repr=False)
    #   what the confidence rests on, where it is of one reading


@dataclass(frozen=True)
class Clarification:
    """The question has several readings; the user picks one of `options`."""

    question: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class Analysis:
    """The outcome: ranked candidates, a question back, or why the data cannot answer."""

    status: Literal["answered", "needs_input", "cannot_answer"]
    candidates: tuple[Candidate, ...] = ()
    clarification: Clarification | None = None
    message: str = ""
    links: Links = field(default_factory=Links)

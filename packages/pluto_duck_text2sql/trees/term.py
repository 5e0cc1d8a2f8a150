"""A term: what some words of a question mean by the user's glossary, or by what the question itself computes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.words import Token
from pluto_duck_text2sql.tree import Agg, Col, Cond, Every, Expr, Query, Rows, all_nodes_in, columns_in, nodes_in
from pluto_duck_text2sql.trees.expressions import contrary

BY_THE_QUESTION = "as the question says"
"""The place of what a question computes or names in its own words, without a glossary."""

BY_ITS_COLUMNS = "by what its columns are called"
"""The place of what words of trade mean of rows that have the columns for it: `late orders`."""


@dataclass(frozen=True)
class Term:
    """What `stems` mean, the term as it is written in `said`: names (`targets`), a `measure`, or a restriction.

    A restriction has one of `options`, that of the table nearest to what is asked; it may name its table in `targets`.
    """

    stems: tuple[str, ...]
    meaning: str
    place: str
    said: str = ""
    targets: tuple[Target, ...] = ()
    measure: Expr | None = None
    options: tuple[tuple[Cond, ...], ...] = ()
    is_metric: bool = False
    #   whether others, such as dbt, have defined it

    @property
    def is_name(self) -> bool:
        return self.measure is None and not self.options

    @property
    def is_of_question(self) -> bool:
        return self.place == BY_THE_QUESTION or self.is_of_trade

    @property
    def is_of_trade(self) -> bool:
        return self.place == BY_ITS_COLUMNS

    @property
    def must_be_in(self) -> bool:
        """Whether a reading needs it: another name of a table may go without saying (`orders per client`)."""
        return not self.is_name or all(each.column for each in self.targets)

    def is_in(self, query: Query) -> bool:
        """Whether a query holds what the term means."""
        parts = list(all_nodes_in(query))
        used = {each for each in parts if isinstance(each, Col | Rows)}
        if self.measure is not None and self.is_of_question:
            return all(each.of in parts for each in nodes_in(self.measure) if isinstance(each, Agg))
        if self.measure is not None:
            return set(columns_in(self.measure)) <= used
        if self.options:
            return any(_holds(parts, option) for option in self.options)
        tables = {query.anchor, *(each.table for each in used)}
        named = {Col(each.table.key, each.column.name) for each in self.targets if each.column}
        return bool(named & used) or any(each.table.key in tables for each in self.targets if not each.column)


@dataclass(frozen=True)
class Said:
    """A term in a question: the words `start` to before `end`."""

    start: int
    end: int
    text: str
    term: Term

    @property
    def line(self) -> str:
        """As a reading shows it."""
        return f'"{self.text}" is {self.term.meaning} ({self.term.place})'


def told_by_columns(
    tokens: Sequence[Token],
    start: int,
    end: int,
    told: str,
    *,
    measure: Expr | None = None,
    options: tuple[tuple[Cond, ...], ...] = (),
    targets: tuple[Target, ...] = (),
) -> Said:
    """What the words `start` to before `end` mean by the columns that the data has."""
    some = tokens[start:end]
    text, stems = " ".join(token.text for token in some), tuple(token.stem for token in some)
    return Said(start, end, text, Term(stems, told, BY_ITS_COLUMNS, text, targets, measure, options))


def _holds(parts: Sequence[Any], option: tuple[Cond, ...]) -> bool:
    """Whether the conditions, or their contrary, are among the parts of a query."""
    if all(each in parts for each in option):
        return True
    return contrary(option[0] if len(option) == 1 else Every(option)) in parts

"""Figures after the name of the one that came first: `and the average score?` after who handled the most tickets is of
that one, never of whoever is the first by it; `and the average score per agent?` is of each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.followups.draft import Turn
from pluto_duck_text2sql.followups.trees import restrictions, settled
from pluto_duck_text2sql.tree import Agg, Col, Expr, Inside, Missing, Query, Rows, columns_in, is_total
from pluto_duck_text2sql.trees.parts import keys, subject

_RANKS_ANEW = ("instead", "instead_of", "same", "only", "restrict", "which", "change", "of_them")
"""What asks for another one: the first by what is named."""


def is_of_first(query: Query) -> bool:
    """Whether an answer is the name alone of the one that came first."""
    named = keys(query) and not any(map(is_total, query.select))
    return bool(named) and query.limit == 1 and bool(query.group) and any(is_total(each.by) for each in query.order)


def of_first(turn: Turn, query: Query, asked: list[Agg]) -> Query | None:
    """These figures of the one shown, or of each of them where the groups are said again; None where another one is
    asked for."""
    own = {each.table for each in query.group if isinstance(each, Col)} - {subject(_ranked(query))}
    counts_it = any(isinstance(each.of, Rows) and each.of.table in own for each in asked)  # always one
    if not is_of_first(query) or query != turn.earlier or counts_it or turn.frame.has(*_RANKS_ANEW):
        return None
    if said := turn.fragment.found_groups():
        return of_each(query, asked) if set(said) <= set(keys(query)) else None
    if turn.fragment.cues_of("super", "direction", "sort", "sort_adj") or turn.fragment.slots.orders:
        return None
    return _of_one(turn, query, asked)


def of_each(query: Query, asked: Sequence[Expr]) -> Query:
    """Figures of all that were ranked, those without a name too."""
    named = {Missing(each, negated=True) for each in query.group if isinstance(each, Col)}
    where = tuple(each for each in query.where if each not in named)
    return replace(query, select=(*keys(query), *asked), where=where, order=(), limit=None, nth=False)


def of_all(query: Query, groups: Sequence[Expr]) -> Query:
    """The query of all that it is grouped by, where it was of the one shown before: `per agent` after her figure."""
    ones = [each for each in query.where if isinstance(each, Inside) and each.query.limit == 1 and each.left in groups]
    return replace(query, where=tuple(each for each in query.where if each not in ones)) if ones else query


def _of_one(turn: Turn, query: Query, asked: list[Agg]) -> Query | None:
    """The figures of the rows of the one shown; of those that it was first by, what restricts these holds too."""
    table = next((each.table for each in columns_in(asked[0])), None) or subject(Query(query.anchor, (asked[0],)))
    found = restrictions(query, table, turn.reader)
    where = dict.fromkeys((*(query.where if subject(_ranked(query)) == table else ()), *found))
    return settled(Query(table, tuple(asked), tuple(where), flat=False), turn.reader) if found else None


def _ranked(query: Query) -> Query:
    """The query of the figure that it ranks by."""
    return replace(query, select=tuple(each.by for each in query.order[:1]))

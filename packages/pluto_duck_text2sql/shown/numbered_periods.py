"""Periods as numbers: `Give quarter number and share`, `Year, quarter and count`, `quarters numbered 1 to 4`.

Called by `analyst` with what it answers, after the readings were put in order, as gaps.py is: how a period is shown
tells nothing of which reading is meant. A month is shown as its first day unless the question says a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from pluto_duck_text2sql.analysis import Candidate
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import written
from pluto_duck_text2sql.times.seasons import OF_A_YEAR, by_part_of_year
from pluto_duck_text2sql.tree import Bucket, Expr, Growth, Query, Running, all_nodes_in

_NUMBERS = Pattern(
    r"\b(?:month|quarter)s?(?: as an?)? numbers?\b|\bnumbers? of the (?:month|quarter)\b"
    r"|\b(?:months|quarters),? (?:are )?numbered\b",
    re.IGNORECASE,
)
_AND_YEAR = Pattern(
    r"(?:^|[:,;.?!] |\b(?:show|give|list|with|by|per|each) (?:me )?(?:the )?)year(?:,| and) (?:by )?(?:month|quarter)\b"
    r"|\b(?:by|per|each) (?:month|quarter) and (?:by )?year\b",
    re.IGNORECASE,
)


def as_numbered(found: Candidate, question: str, catalog: Catalog, joins: JoinGraph) -> Candidate:
    """The candidate with its months or quarters as the numbers that the question says; itself where it says none."""
    tree = found.tree
    if tree is None or found.parts or not _is_plain(tree):
        return found
    query = _with_years(tree) if _AND_YEAR.search(question) else tree
    query = by_part_of_year(query) if _NUMBERS.search(question) else query
    sql = written(query, catalog, joins) if query != tree else ""
    return replace(found, tree=query, sql=sql) if sql else found


def _is_plain(tree: Query) -> bool:
    """Whether no row looks back at one that is not shown: December stands before January only by its date."""
    return not any(isinstance(each, Growth | Running) and each.is_wide for each in all_nodes_in(tree))


def _with_years(tree: Query) -> Query:
    """The tree by the year and the month (or quarter) of it in place of the first day of each."""
    times = [each for each in tree.group if isinstance(each, Bucket) and each.grain in OF_A_YEAR]
    looks_back = any(isinstance(each, Growth | Running) for each in all_nodes_in(tree))
    if len(times) != 1 or looks_back:
        return tree
    if any(isinstance(each, Bucket) and each.grain == "year" for each in tree.group):
        return by_part_of_year(tree)
    time = times[0]
    pair = (replace(time, grain="year"), replace(time, grain=OF_A_YEAR[time.grain]))
    spread = partial(_spread, time=time, pair=pair)
    order = tuple(replace(each, by=by) for each in tree.order for by in spread((each.by,)))
    return replace(tree, select=spread(tree.select), group=spread(tree.group), order=order)


def _spread(some: Iterable[Expr], time: Bucket, pair: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Each of them, the two in place of the one."""
    return tuple(part for each in some for part in (pair if each == time else (each,)))

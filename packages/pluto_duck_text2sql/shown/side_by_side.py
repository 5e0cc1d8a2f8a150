"""Figures of different rows, each of its own: `number of players and number of purchases by platform`.

Joined into one query the rows of one figure would come again for each row of the other, and those that have none of
the other would be left out; so each is counted by itself (by_group.py) in the SQL of the answers that are given. Where
only those are asked for that have some of the other (`players who bought`), they are left out with reason. The tree
stays as it is, since the next question may change it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pluto_duck_text2sql.analysis import Candidate
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import written
from pluto_duck_text2sql.tree import Col, Cond, During, Expr, Query, TableKey, columns_in, is_total
from pluto_duck_text2sql.trees.grain import repeats

_OF_SOME = Pattern(
    r"\b(?:who|whom|that|whose|having|placed|made|took|bought|ordered|purchased|booked|rented|attended|played|used"
    r"|with(?! (?:the|their|its|his|her|how)\b))\b",
    re.IGNORECASE,
)


def side_by_side(found: Candidate, question: str, catalog: Catalog, joins: JoinGraph) -> Candidate:
    """The candidate with each of its figures of its own rows; itself where no row would come again."""
    if found.tree is None or found.parts or not _is_of_figures(found.tree) or _OF_SOME.search(question):
        return found
    apart = _apart(found.tree, catalog, joins)
    sql = written(apart, catalog, joins) if apart else ""
    return replace(found, sql=sql) if sql else found


def _apart(query: Query, catalog: Catalog, joins: JoinGraph) -> Query | None:
    """The tree with a query for each table whose rows it counts or adds up; None where no row would come again."""
    keys = tuple(each for each in query.select if not is_total(each))
    figures = {each: _home(each) for each in query.select if is_total(each)}
    homes = _homes(figures, {each.table for each in columns_in((query.group, keys))}, joins)
    where = [_conditions(query, home, joins) for home in homes]
    if not homes or not _are_all_kept(query, where):
        return None
    shown = [[each for each, of in figures.items() if of == home] for home in homes]
    first, *others = (_part(query, *each, keys) for each in zip(homes, shown, where, strict=True))
    is_of_one = {each.table for each in columns_in(query.group)} <= {homes[0]}
    others = [_by_its_own(each, catalog) if is_of_one else each for each in others]
    return replace(first, order=query.order, limit=query.limit, beside=tuple(others))


def _homes(figures: Mapping[Expr, TableKey | None], groups: set[TableKey], joins: JoinGraph) -> list[TableKey]:
    """The tables whose rows the figures are of; none where a figure is of several, or no row would come again but for
    its groups."""
    homes = [each for each in dict.fromkeys(figures.values()) if each]
    are_several = len(homes) > 1 and None not in figures.values()
    come_again = are_several and any(repeats(joins, home, {*homes, *groups}) for home in homes)
    return homes if come_again and not any(repeats(joins, home, groups) for home in homes) else []


def _are_all_kept(query: Query, where: Sequence[tuple[Cond, ...]]) -> bool:
    """Whether each condition is on some of the figures' rows, and each period on all of them."""
    lost = set(query.where).difference(*where)
    apart = (each for part in where for each in set(query.where).difference(part))
    return not lost and not any(isinstance(each, During) for each in apart)


def _by_its_own(part: Query, catalog: Catalog) -> Query:
    """Rows that keep themselves what the rows of the other figure are grouped by, by that: customers by their own
    country, not by that of the employees who look after them."""
    by = part.group[0] if len(part.group) == 1 else None
    column = catalog.column(*part.anchor, by.name) if isinstance(by, Col) else None
    if not isinstance(by, Col) or column is None or column.kind != "text":
        return part
    own = Col(part.anchor, by.name)
    return replace(part, select=tuple(own if each == by else each for each in part.select), group=(own,))


def _is_of_figures(query: Query) -> bool:
    """Whether it is several figures, or groups with several, and nothing else is done to them."""
    other = query.having or query.then or query.per or query.distinct or query.beside or query.outer or query.nth
    is_sorted_by_shown = set(query.select) >= {each.by for each in query.order}
    totals = sum(map(is_total, query.select))
    return not other and is_sorted_by_shown and totals > 1 and (bool(query.group) or totals == len(query.select))


def _home(total: Expr) -> TableKey | None:
    """The one table whose rows a figure is of."""
    tables = {each.table for each in columns_in(total)}
    return tables.pop() if len(tables) == 1 else None


def _conditions(query: Query, home: TableKey, joins: JoinGraph) -> tuple[Cond, ...]:
    """The conditions on rows of a table and of what they belong to."""

    def is_on_it(condition: Cond) -> bool:
        tables = {each.table for each in columns_in(condition)} - {home}
        return all(joins.is_of(home, each) for each in tables)

    return tuple(filter(is_on_it, query.where))


def _part(
    query: Query, home: TableKey, figures: Sequence[Expr], where: tuple[Cond, ...], keys: Sequence[Expr]
) -> Query:
    return Query(home, (*keys, *figures), where, query.group, flat=True, through=query.through)

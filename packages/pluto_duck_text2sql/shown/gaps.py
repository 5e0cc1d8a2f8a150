"""`Which cities do our customers live in?`: a value that is missing is none of them.

Called by `analyst` with what it answers, after the readings were put in order: what is left out here tells nothing of
which of them is meant.
"""

from __future__ import annotations

from dataclasses import replace

from pluto_duck_text2sql.analysis import Candidate
from pluto_duck_text2sql.corrections.kinds_asked import kind_asked
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.pool import written
from pluto_duck_text2sql.tree import Col, Missing, Query, all_nodes_in, is_total


def without_gaps(found: Candidate, question: str, catalog: Catalog, joins: JoinGraph) -> Candidate:
    """The candidate without the missing one among the values it lists; itself where it lists none or has none."""
    shown = _kind_listed(found.tree, question, catalog) if found.tree else None
    if found.tree is None or shown is None or not _has_gaps(shown, catalog):
        return found
    if any(isinstance(each, Missing) and each.left == shown for each in all_nodes_in(found.tree)):
        return found
    query = replace(found.tree, where=(*found.tree.where, Missing(shown, negated=True)))
    sql = written(query, catalog, joins)
    told = f"rows without {shown.name} are left out"
    return replace(found, tree=query, sql=sql, reading=(*found.reading, told)) if sql else found


def _kind_listed(tree: Query, question: str, catalog: Catalog) -> Col | None:
    """The column of kinds that `which` asks for: listed, or grouped by where a number of each is asked of it."""
    if tree.group and tree.having and tree.group == tuple(each for each in tree.select if not is_total(each)):
        return kind_asked(replace(tree, select=tree.group, group=()), question, catalog)
    return kind_asked(tree, question, catalog) if tree.distinct else None


def _has_gaps(shown: Col, catalog: Catalog) -> bool:
    column = catalog.column(*shown.table, shown.name)
    return column is not None and bool(column.null_fraction)

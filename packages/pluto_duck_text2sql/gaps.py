"""`Which cities do our customers live in?`: a value that is missing is none of them.

Called by `analyst` with what it answers, after the readings were put in order: what is left out here tells nothing of
which of them is meant.
"""

from __future__ import annotations

from dataclasses import replace

from pluto_duck_text2sql.analysis import Candidate
from pluto_duck_text2sql.catalog import Catalog
from pluto_duck_text2sql.corrections import kind_asked
from pluto_duck_text2sql.joins import JoinGraph
from pluto_duck_text2sql.pool import written
from pluto_duck_text2sql.tree import Col, Missing, all_nodes_in


def without_gaps(found: Candidate, question: str, catalog: Catalog, joins: JoinGraph) -> Candidate:
    """The candidate, its list of different values without the missing one; itself where it lists none or has none."""
    shown = kind_asked(found.tree, question, catalog) if found.tree else None
    if found.tree is None or shown is None or not found.tree.distinct or not _has_gaps(shown, catalog):
        return found
    if any(isinstance(each, Missing) and each.left == shown for each in all_nodes_in(found.tree)):
        return found
    query = replace(found.tree, where=(*found.tree.where, Missing(shown, negated=True)))
    sql = written(query, catalog, joins)
    told = f"rows without {shown.name} are left out"
    return replace(found, tree=query, sql=sql, reading=(*found.reading, told)) if sql else found


def _has_gaps(shown: Col, catalog: Catalog) -> bool:
    column = catalog.column(*shown.table, shown.name)
    return column is not None and bool(column.null_fraction)

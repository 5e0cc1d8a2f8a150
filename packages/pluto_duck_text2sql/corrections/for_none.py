"""What has none of something by the row that is kept for it: sales `without any promotion` have `No Promotion`.

Called by `corrections` for every tree. Where every row points at one of them, there is none without.
"""

from __future__ import annotations

from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.unknown_members import members_for_none
from pluto_duck_text2sql.tree import Cond, Query, Related, TableKey, mapped
from pluto_duck_text2sql.trees.expressions import contrary


class ForNone:
    """Puts such rows in place of what is not there, over one catalog."""

    def __init__(self, catalog: Catalog, joins: JoinGraph) -> None:
        self._joins, self._members = joins, members_for_none(catalog)

    def applied(self, query: Query) -> Query:
        """The tree with that row looked for where there is none of it; and another where there is some."""
        made: Query = mapped(query, self._in_query, (Related,)) if self._members else query
        return made

    def _in_query(self, node: Any) -> Any:
        if not isinstance(node, Query):
            return node
        made: Query = mapped(node, lambda each: self._told(each, node.anchor), (Related,))
        return made

    def _told(self, node: Any, anchor: TableKey) -> Any:
        if not isinstance(node, Related) or node.where or node.count or node.table not in self._members:
            return node
        steps = self._joins.path(anchor, node.table) or ()
        member: Cond = self._members[node.table]
        if not steps or any(step.multiplies for step in steps):
            return node
        return member if node.negated else contrary(member)

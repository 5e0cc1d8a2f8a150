"""Edits that tear a tree apart: a part of it that has to change with the rest stayed as it was.

Called by `dialogue` for every edited tree.
"""

from __future__ import annotations

from pluto_duck_text2sql.tree import Bucket, First, Minus, Nested, Query, all_nodes_in, mapped, nodes_in


def with_firsts(query: Query, before: Query) -> Query:
    """The tree by another grain with the first date of each cut to that, too: new in that quarter, not in a month."""
    old, new = ({each.grain for each in tree.group if isinstance(each, Bucket)} for tree in (before, query))
    if len(old) != 1 or len(new) != 1 or old == new:
        return query
    (was,), (grain,) = old, new

    def moved(node: object) -> object:
        is_first = isinstance(node, Bucket) and isinstance(node.of, First) and node.grain == was
        return Bucket(grain, node.of) if is_first and isinstance(node, Bucket) else node

    made: Query = mapped(query, moved)
    return made


def is_torn(query: Query, before: Query) -> bool:
    """Whether other groups share a figure that is found without them, or a figure is taken from itself."""
    of_all = {each for each in nodes_in(query.select) if isinstance(each, Nested)}
    keeps = bool(of_all & {each for each in nodes_in(before.select) if isinstance(each, Nested)})
    if keeps and query.group != before.group:
        return True
    return any(isinstance(each, Minus) and each.left == each.right for each in all_nodes_in(query))

"""What a tree holds, of all that is nested in it: what the accounts of a question are kept by. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pluto_duck_text2sql.tree import Among, Col, Compare, Query, Related, Rows, TableKey, all_nodes_in

UNSAID = ("said", "anchored")
"""Parts of nodes that are no part of the query."""


@dataclass
class Marks:
    """What a tree holds, of all that is nested in it."""

    nodes: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, query: Query) -> Marks:
        """The marks of a tree."""
        return cls(list(all_nodes_in(query, but=UNSAID)))

    def has(self, *kinds: type) -> bool:
        return any(isinstance(each, kinds) for each in self.nodes)

    def any(self, kind: type, holds: Callable[[Any], bool]) -> bool:
        return any(holds(each) for each in self.nodes if isinstance(each, kind))

    @property
    def tables(self) -> set[tuple[str, str]]:
        found = {each.table for each in self.nodes if isinstance(each, Col | Rows | Related)}
        return found | {each.anchor for each in self.nodes if isinstance(each, Query)}

    @property
    def anchors(self) -> set[TableKey]:
        return {each.anchor for each in self.nodes if isinstance(each, Query)}

    @property
    def listed(self) -> set[TableKey]:
        """The table whose rows the tree itself is of, which comes first."""
        return {each.anchor for each in self.nodes[:1] if isinstance(each, Query)}

    @property
    def columns(self) -> set[tuple[tuple[str, str], str]]:
        return {(each.table, each.name) for each in self.nodes if isinstance(each, Col)}

    def numbers(self) -> Iterator[float]:
        """The numbers compared with."""
        rights: list[Any] = [each.right for each in self.nodes if isinstance(each, Compare)]
        rights += [each.count[1] for each in self.nodes if isinstance(each, Related) and each.count]
        yield from (each for each in rights if isinstance(each, int | float) and not isinstance(each, bool))

    def values(self) -> Iterator[str]:
        """The texts compared with."""
        for each in self.nodes:
            rights = each.values if isinstance(each, Among) else [each.right] if isinstance(each, Compare) else []
            yield from (str(right).casefold() for right in rights)

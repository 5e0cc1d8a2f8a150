"""A question that stands alone, with what holds its answer to the rows shown before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pluto_duck_text2sql.followups.filters import rivals
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.tree import (
    Compare,
    Cond,
    Expr,
    Inside,
    Query,
    TableKey,
    all_nodes_in,
    columns_in,
    is_total,
    mapped,
)
from pluto_duck_text2sql.trees.parts import conditions, replaced


@dataclass(frozen=True)
class Whole:
    """A question that stands alone, and the conditions that hold what it asks of to the rows shown before.

    `by`, of the `group`, are the groups before where it asks of each of them; `as_asked` has nothing put in place of
    its words; `than` is the figure before and its query, where something is held against it: `more than that`;
    `together` asks for one figure of all of them: `across those`; `noun` is what they are called in its text.
    """

    text: str
    of: TableKey
    among: tuple[Cond, ...] = ()
    by: tuple[Expr, ...] = ()
    group: tuple[Expr, ...] = ()
    as_asked: bool = False
    than: tuple[float, Query] | None = None
    together: bool = False
    noun: str = ""

    def held(self, query: Query) -> Query:
        """A tree of it, of those rows alone: within the query that looks for them, else as a whole."""
        query = mapped(query, self._against, (Compare,)) if self.than else query
        within = (each for each in all_nodes_in(query) if isinstance(each, Inside) and not each.negated)
        inner = next((each.query for each in within if self._has(each.query)), None)
        if self.among and inner is not None and not self._has(query):
            held: Query = mapped(query, lambda node: self._with(node) if node == inner else node)
            return held
        return self._with(query)

    def _against(self, node: Any) -> Any:
        """A comparison with the figure of the answer before, with the query of it."""
        is_number = (
            isinstance(node, Compare) and isinstance(node.right, int | float) and not isinstance(node.right, bool)
        )
        return replace(node, right=self.than[1]) if is_number and self.than and node.right == self.than[0] else node

    def _has(self, query: Query) -> bool:
        return query.anchor == self.of or any(each.table == self.of for each in columns_in(query))

    def _with(self, query: Query) -> Query:
        """The tree of those rows; what it says itself of a column stands in the place of what was said before."""
        query = self._put_together(query) if self.together else query
        query = replaced(query, called, None) if (called := self._called(query)) else query
        own = list(conditions(query))
        among = tuple(each for each in self.among if not any(each == one or rivals(each, one) for one in own))
        held = replace(query, where=(*query.where, *among))
        if not self.by or query.group or not all(map(is_total, query.select)):
            return held
        return replace(held, select=(*self.by, *held.select), group=self.group)

    def _called(self, query: Query) -> list[Cond]:
        """Conditions that stand only for what the rows are called, and speak of what is known of them: senior rangers,
        called rangers, are still senior."""
        noun = {token.stem for token in tokenise(self.noun)}
        own = [each for each in conditions(query) if isinstance(each, Compare) and isinstance(each.right, str)]
        named = [each for each in own if {token.stem for token in tokenise(str(each.right))} == noun]
        return [each for each in named if any(rivals(one, each) for one in self.among)]

    def _put_together(self, query: Query) -> Query:
        """A figure of each of those rows as one of all of them."""
        totals = tuple(each for each in query.select if is_total(each))
        is_of_each = bool(query.group) and all(each.table == self.of for each in columns_in(query.group))
        return replace(query, select=totals, group=(), order=(), limit=None) if totals and is_of_each else query

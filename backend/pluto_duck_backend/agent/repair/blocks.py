"""A query as its SELECTs, and what each may name: the tables and subqueries of its FROM, then those around it.

Made once of a syntax tree; what must stay true: a source whose columns are not known (a table function, VALUES) makes
every name in its SELECT possible, so nothing there is called wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from sqlglot import exp

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.tree import TableKey


@dataclass
class Source:
    """One entry of a FROM: `name` is what columns are qualified by; `table` is None for a subquery or CTE."""

    name: str
    node: exp.Expr
    table: Table | None = None
    columns: dict[str, str] | None = None
    #   by folded name; None: not known
    called: set[str] = field(default_factory=set)
    #   other names that columns may be qualified by in error: the table's own, one that was invented

    def has(self, column: str) -> bool:
        return self.columns is not None and column.casefold() in self.columns


@dataclass
class Block:
    """One SELECT with its sources."""

    select: exp.Select
    parent: Block | None
    sources: list[Source] = field(default_factory=list)

    def source(self, name: str) -> Source | None:
        """The source that a qualifier names, here or around."""
        folded = name.casefold()
        found = next((each for each in self.sources if each.name.casefold() == folded), None)
        return found or (self.parent.source(name) if self.parent else None)

    def holding(self, column: str) -> list[Source]:
        """The nearest sources that have a column of this name."""
        found = [each for each in self.sources if each.has(column)]
        return found or (self.parent.holding(column) if self.parent else [])

    def source_of(self, column: exp.Column) -> Source | None:
        """The source that a column is of; None where that is open."""
        holding = [] if column.table else self.holding(column.name)
        return self.source(column.table) if column.table else holding[0] if len(holding) == 1 else None

    @property
    def is_open(self) -> bool:
        """Whether names may come from where no one looks."""
        unknown = any(each.columns is None for each in self.sources)
        return unknown or bool(self.parent and self.parent.is_open)

    @cached_property
    def aliases(self) -> set[str]:
        """The names that the SELECT gives to what it shows."""
        return {each.alias.casefold() for each in self.select.expressions if each.alias}

    def columns(self) -> list[exp.Column]:
        """The column references of this SELECT itself, in their order."""
        own = (node for node in self._own() if isinstance(node, exp.Column))
        return [each for each in own if not isinstance(each.this, exp.Star) and not _is_parameter(each)]

    def _own(self) -> Iterator[exp.Expr]:
        return self.select.walk(bfs=False, prune=lambda node: isinstance(node, exp.Query) and node is not self.select)

    def own(self, *kinds: type[exp.Expr]) -> list[exp.Expr]:
        """The nodes of some kinds, without those of subqueries."""
        return [each for each in self._own() if isinstance(each, kinds)]

    def of(self, key: TableKey) -> Source | None:
        return next((each for each in self.sources if each.table and each.table.key == key), None)


def tables_in(tree: exp.Expr) -> list[exp.Table]:
    """The nodes that name a table of the warehouse: no CTE, no table function."""
    named = {each.alias.casefold() for each in tree.find_all(exp.CTE)}
    found = (each for each in tree.find_all(exp.Table) if isinstance(each.this, exp.Identifier))
    return [each for each in found if each.db or each.name.casefold() not in named]


def blocks_of(tree: exp.Expr, catalog: Catalog, invented: dict[int, str] | None = None) -> list[Block]:
    """The SELECTs of a query, the inner ones first. `invented`: how a table's node was written, by its id."""
    return _Reader(tree, catalog, invented or {}).blocks


class _Reader:
    def __init__(self, tree: exp.Expr, catalog: Catalog, invented: dict[int, str]) -> None:
        self._catalog = catalog
        self._invented = invented
        self._real = {id(each) for each in tables_in(tree)}
        self._ctes = {each.alias.casefold(): each for each in tree.find_all(exp.CTE)}
        self.blocks: list[Block] = []
        made: dict[int, Block] = {}
        for select in tree.find_all(exp.Select, bfs=True):
            around = select.find_ancestor(exp.Select)
            derived = isinstance(select.find_ancestor(exp.CTE, exp.From, exp.Join, exp.Select), exp.CTE | exp.From)
            parent = None if derived else made.get(id(around))
            made[id(select)] = block = Block(select, parent)
            block.sources = [source for node in _from(select) for source in self._sources(node)]
            self.blocks.insert(0, block)

    def _sources(self, node: exp.Expr) -> Iterator[Source]:
        if isinstance(node, exp.Table):
            yield self._of_table(node)
        elif isinstance(node, exp.Subquery) and isinstance(node.this, exp.Query):
            yield Source(node.alias, node, columns=_shown(node.this, node))
        else:
            yield Source(node.alias_or_name, node)

    def _of_table(self, node: exp.Table) -> Source:
        written = self._invented.get(id(node), "")
        called = {each.casefold() for each in (node.name, written) if each}
        if id(node) not in self._real:
            cte = self._ctes.get(node.name.casefold())
            columns = _shown(cte.this, cte) if cte else None
            return Source(node.alias_or_name, node, columns=columns, called=called)
        table = self._catalog.table(node.db or "main", node.name)
        names = {column.name.casefold(): column.name for column in table.columns} if table else None
        return Source(node.alias_or_name, node, table, names, called)


def _from(select: exp.Select) -> Iterator[exp.Expr]:
    source = select.args.get("from_")
    if source:
        yield source.this
    for join in [*(source.this.args.get("joins") or () if source else ()), *(select.args.get("joins") or ())]:
        yield join.this
    yield from select.args.get("laterals") or ()


def _shown(query: exp.Query, named: exp.Expr) -> dict[str, str] | None:
    """The names of a query's columns; None where a star hides some."""
    given = [each.name for each in named.args["alias"].columns] if named.args.get("alias") else []
    if not given and not isinstance(query, exp.Query):
        return None  # a PIVOT shows what is stored
    shown = given or [each.alias_or_name for each in query.selects]
    return None if any(name in ("*", "") for name in shown) else {name.casefold(): name for name in shown}


def _is_parameter(column: exp.Column) -> bool:
    """Whether it is the `x` of a lambda."""
    around = column.find_ancestor(exp.Lambda)
    return around is not None and column.name in [each.name for each in around.expressions]

"""Rows that a join repeats: a sum over them counts them more than once.

The keys say where that may be; a count of the same FROM says whether it is so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from pluto_duck_backend.agent.findings.finding import Finding
from pluto_duck_backend.agent.findings.outcome import Outcome
from pluto_duck_backend.agent.repair.blocks import Block, Source, blocks_of
from pluto_duck_backend.agent.repair.data import Data
from pluto_duck_backend.agent.repair.dialect import parse
from pluto_duck_backend.agent.repair.tables import identifier
from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_text2sql.data.catalog import Table

_REPEATED = (exp.Sum, exp.Avg, exp.Median)
#   `count(a.id)` over joined rows is what people write for how many b an a has


@dataclass(frozen=True)
class _Counts:
    """Of a table in a FROM: all rows, the different ones, and those that differ within a group of the result."""

    rows: int
    different: int
    in_groups: int


def repeated_rows(outcome: Outcome, data: Data) -> Iterator[Finding]:
    """Aggregates of a table whose rows another table of the same FROM repeats."""
    tree = parse(outcome.sql)
    for block in blocks_of(tree, data.catalog) if tree is not None else ():
        for source, aggregates in _summed(block).items():
            owner = next(each for each in block.sources if each.name == source)
            if owner.table and (counts := _counts(owner, owner.table, block, data)):
                yield _told(owner, aggregates, counts)


def _summed(block: Block) -> dict[str, list[exp.Expr]]:
    """The aggregates that repeated rows would change, by the source that their columns are of."""
    found: dict[str, list[exp.Expr]] = {}
    if len(block.sources) < 2:
        return found
    for node in block.own(*_REPEATED):
        columns = list(node.find_all(exp.Column))
        if all(_is_asked_of(each, node) for each in columns):
            continue
        owners = [block.source_of(each) for each in columns if not isinstance(each.this, exp.Star)]
        if node.find(exp.Distinct) or not owners or any(each is None or each is not owners[0] for each in owners):
            continue
        first = owners[0]
        if first and first in block.sources:
            found.setdefault(first.name, []).append(node)
    return found


def _is_asked_of(column: exp.Expr, aggregate: exp.Expr) -> bool:
    """Whether a column is in a condition: a share of rows counts those that meet it, however often one is repeated."""
    parent = column.parent
    while parent is not aggregate and not isinstance(parent, exp.Predicate):
        parent = parent.parent if parent else aggregate
    return parent is not aggregate


def _counts(source: Source, table: Table, block: Block, data: Data) -> _Counts | None:
    """Of the table's rows within the FROM, where some are repeated."""
    if not table.primary_key or not _may_repeat(source, block, data):
        return None
    key = [exp.column(identifier(name), identifier(source.name)) for name in table.primary_key]
    groups = [each.unalias().copy() for each in block.select.expressions if not each.find(exp.AggFunc)]
    select = exp.Select(expressions=[exp.Count(this=exp.Star()), _different(key), _different([*key, *groups])])
    for part in ("with_", "from_", "where"):
        if block.select.args.get(part):
            select.set(part, block.select.args[part].copy())
    select.set("joins", [each.copy() for each in block.select.args.get("joins") or ()])
    try:
        counts = _Counts(*data.rows(select.sql("duckdb"))[0])
    except PlutoDuckError:
        return None  # a part of a query that leans on what is around it, or too slow to count
    return counts if counts.rows > counts.different else None


def _different(parts: Sequence[exp.Expr]) -> exp.Expr:
    return exp.Count(this=exp.Distinct(expressions=[exp.Tuple(expressions=[each.copy() for each in parts])]))


def _may_repeat(source: Source, block: Block, data: Data) -> bool:
    """Whether another source may have several rows for one of this table."""
    if source.table is None:
        return False
    others = [each for each in block.sources if each is not source]
    if any(each.table is None for each in others):
        return True
    path = [data.joins.tree(source.table.key, [each.table.key]) for each in others if each.table]
    return any(steps is None or any(step.multiplies for step in steps) for steps in path)


def _told(source: Source, aggregates: list[exp.Expr], counts: _Counts) -> Finding:
    shown = ", ".join(dict.fromkeys(each.sql("duckdb") for each in aggregates))
    name = source.table.name if source.table else source.name
    seen = f"{counts.rows:,} joined rows for {counts.different:,} rows"
    if counts.rows == counts.in_groups:
        told = f"Rows of {name} are in several groups: {seen}. The groups add up to more than there is."
        return Finding("fan_out", "note", told, told)
    fact = (
        f"The joins repeat rows of {name}: {seen}, so {shown} counts some of them more than once. "
        f"Aggregate {name} before joining, or leave out the join that repeats it."
    )
    bare = fact.replace(f": {seen}", "")
    return Finding(
        "fan_out", "doubt", fact, f"Rows of {name} count as often as others are joined to them: {seen}.", bare=bare
    )

"""Joins that are missing or lead nowhere, along the catalog's keys, where there is one way only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from pluto_duck_backend.agent.findings.finding import Finding
from pluto_duck_backend.agent.repair.blocks import Block, Source
from pluto_duck_backend.agent.repair.connecting import are_one, condition, connect
from pluto_duck_backend.agent.repair.data import Data
from pluto_duck_backend.agent.repair.tables import identifier, name_of
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.joins import JoinGraph, Step
from pluto_duck_text2sql.tree import TableKey

_LONGEST = 3
_APART = 0.5
_MOST_WAYS = 5_000


@dataclass(frozen=True)
class Way:
    """Steps from a source of a SELECT to a table."""

    source: Source
    steps: tuple[Step, ...]

    @property
    def cost(self) -> float:
        return sum(step.cost for step in self.steps)


def way_to(target: TableKey, block: Block, joins: JoinGraph) -> Way | None:
    """The one way from the SELECT's tables to `target`; None where there is none, or more than one as good."""
    ways = sorted(_ways(target, block, joins), key=lambda way: way.cost)
    best = [each for each in ways if each.cost < ways[0].cost + _APART]
    direct = [(each.source, each.steps[0]) for each in best if len(each.steps) == 1]
    is_one = len(best) == 1 or (len(direct) == len(best) and are_one(direct, block))
    return best[0] if best and is_one else None


def _ways(target: TableKey, block: Block, joins: JoinGraph) -> Iterator[Way]:
    """All short ways, without those over tables that are already there."""
    present = {each.table.key for each in block.sources if each.table}
    todo = [Way(each, ()) for each in block.sources if each.table]
    for _ in range(_MOST_WAYS):
        if not todo:
            return
        way = todo.pop(0)
        here = way.steps[-1].target if way.steps else way.source.table.key  # type: ignore[union-attr]
        for step in joins.neighbours(here):
            longer = Way(way.source, (*way.steps, step))
            if step.target == target:
                yield longer
            elif len(longer.steps) < _LONGEST and step.target not in present and not _passes(way, step.target):
                todo.append(longer)


def _passes(way: Way, key: TableKey) -> bool:
    return any(key in (step.source, step.target) for step in way.steps)


def add_join(way: Way, block: Block, tables: dict[TableKey, Table]) -> list[Finding]:
    """Joins the tables along the way; each source is called as its table."""
    before, findings = way.source, list[Finding]()
    for step in way.steps:
        table = tables[step.target]
        node = exp.Table(this=identifier(table.name), db=_schema(table))
        join = exp.Join(this=node, on=condition(before.name, table.name, step.pairs))
        block.select.append("joins", join)
        columns = {column.name.casefold(): column.name for column in table.columns}
        before = Source(table.name, node, table, columns)
        block.sources.append(before)
        on = join.args["on"].sql("duckdb")
        findings.append(
            Finding("join_added", "repaired", f"{name_of(table)} was joined.", f"Joined {name_of(table)} on {on}.")
        )
    return findings


def _schema(table: Table) -> exp.Identifier | None:
    return identifier(table.schema) if table.schema != "main" else None


def repair_conditions(block: Block, data: Data) -> list[Finding]:
    """Conditions of joins on columns that are not there, and tables that nothing joins."""
    if len(block.sources) < 2:
        return []
    mended = [found for join in block.select.args.get("joins") or () for found in _mended(join, block, data.joins)]
    return [*mended, *connect(block, data.joins)]


def _mended(join: exp.Join, block: Block, joins: JoinGraph) -> Iterator[Finding]:
    """`ON a.x = b.y` with a column that is not there becomes the key between the two tables."""
    on = join.args.get("on")
    sides = [on.this, on.expression] if isinstance(on, exp.EQ) else []
    if on is None or not sides or not all(isinstance(each, exp.Column) and each.table for each in sides):
        return
    sources = [block.source(each.table) for each in sides]
    if any(source is None or source.table is None for source in sources) or sources[0] is sources[1]:
        return
    left, right = sources
    assert left and right and left.table and right.table
    if left.has(sides[0].name) and right.has(sides[1].name):
        return
    step = _only_step(left.table.key, right.table.key, joins, (sides[0].name, sides[1].name))
    if step:
        said = on.sql("duckdb")
        join.set("on", condition(left.name, right.name, step.pairs))
        now = condition(left.name, right.name, step.pairs).sql("duckdb")
        yield Finding(
            "join_condition", "repaired", f"{said} is no key; {now} is.", f"Joined on {now} in place of {said}."
        )


def _only_step(left: TableKey, right: TableKey, joins: JoinGraph, said: tuple[str, str]) -> Step | None:
    """The one key between two tables; of several the one that a side of the condition names."""
    steps = [step for step in joins.neighbours(left) if step.target == right]
    if len(steps) > 1:
        named = {name.casefold() for name in said}
        steps = [step for step in steps if any({a.casefold(), b.casefold()} & named for a, b in step.pairs)]
    return steps[0] if len(steps) == 1 else None

"""Qualifiers that stand for no table of their FROM: an alias never given, or a table that was never joined.

All columns that one qualifier stands before are looked at together: `t2.name, t2.price` means a table that has both.
"""

from __future__ import annotations

from sqlglot import exp

from pluto_duck_backend.agent.findings.finding import Finding
from pluto_duck_backend.agent.repair.blocks import Block, Source
from pluto_duck_backend.agent.repair.data import Data
from pluto_duck_backend.agent.repair.joining import Way, add_join, way_to
from pluto_duck_backend.agent.repair.nearest import SURE, likeness
from pluto_duck_backend.agent.repair.tables import identifier, name_of
from pluto_duck_text2sql.data.catalog import Table

_LIKE = SURE - 0.1
_MOST_SHOWN = 6


def repair_qualifiers(block: Block, data: Data) -> list[Finding]:
    """Gives every qualifier of one SELECT a source."""
    unknown: dict[str, list[exp.Column]] = {}
    for column in block.columns():
        if column.table and block.source(column.table) is None:
            unknown.setdefault(column.table.casefold(), []).append(column)
    return [found for name, columns in unknown.items() for found in _placed(name, columns, block, data)]


def _placed(name: str, columns: list[exp.Column], block: Block, data: Data) -> list[Finding]:
    called = [each for each in block.sources if name in each.called] or _without_alias(name, columns, block, data)
    if len(called) == 1:
        _qualify(columns, called[0].name)
        return []
    if block.is_open:
        return []
    tables = _tables(name, columns, block, data)
    ways = [(table, way) for table in tables if (way := way_to(table.key, block, data.joins))]
    if len(ways) != 1:
        return [_unknown(columns[0].table, [table for table, _ in ways] or tables)]
    return _joined(columns, *ways[0], block, data)


def _without_alias(name: str, columns: list[exp.Column], block: Block, data: Data) -> list[Source]:
    """The sources that an alias may have been meant for: `c.name` over `FROM customers`."""
    if any(likeness(name, table.name) >= _LIKE for table in data.catalog.tables):
        return []
    bare = [each for each in block.sources if not each.node.alias]
    holding = [each for each in bare if all(each.has(column.name) for column in columns)]
    initial = [each for each in holding if each.name[:1].casefold() == name[:1]]
    return initial if len(initial) == 1 else holding


def _tables(name: str, columns: list[exp.Column], block: Block, data: Data) -> list[Table]:
    """The tables that may have been forgotten: of that name, else of that initial, else with those columns."""
    absent = [table for table in data.catalog.tables if block.of(table.key) is None]
    named = [table for table in absent if likeness(name, table.name) >= _LIKE]
    if named:
        return named
    holding = [table for table in absent if all(_has(table, column.name) for column in columns)]
    initial = [table for table in holding if name.isalpha() and table.name[:1].casefold() == name[:1]]
    return initial or holding  # `t2` is an initial of nothing


def _has(table: Table, name: str) -> bool:
    return table.column(name) is not None or any(
        likeness(name, each.name, table.name) >= SURE for each in table.columns
    )


def _joined(columns: list[exp.Column], table: Table, way: Way, block: Block, data: Data) -> list[Finding]:
    findings = add_join(way, block, {each.key: each for each in data.catalog.tables})
    source = next(each for each in block.sources if each.table is table)
    _qualify(columns, source.name)
    return findings


def _qualify(columns: list[exp.Column], name: str) -> None:
    for each in columns:
        each.set("table", identifier(name))
        each.set("db", None)


def _unknown(said: str, tables: list[Table]) -> Finding:
    options = tuple(name_of(table) for table in tables[:_MOST_SHOWN])
    meant = f" It may be {' or '.join(options)}." if options else " Name it there, with its join."
    return Finding("table_choice", "broken", f"{said} is no table of this FROM.{meant}", options=options)

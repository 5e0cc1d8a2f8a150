"""Types that other databases would convert themselves: a text compared with a number, summed, or read as a date."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from pluto_duck_backend.agent.findings.finding import Finding
from pluto_duck_backend.agent.repair.blocks import Block
from pluto_duck_backend.agent.repair.data import Data
from pluto_duck_backend.app.core.warehouse import quote
from pluto_duck_text2sql.data.catalog import Column, Table

_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
_NUMERIC = (exp.Sum, exp.Avg, exp.Stddev, exp.Variance, exp.Median)
_TIMES = (exp.Year, exp.Month, exp.Day, exp.Quarter, exp.Extract, exp.TimestampTrunc, exp.DateTrunc, exp.TimeToStr)


def repair_types(block: Block, data: Data) -> list[Finding]:
    """Casts what stands where another type is wanted."""
    return [*repair_comparisons(block, data), *_summed(block), *_dated(block)]


def repair_comparisons(block: Block, data: Data) -> list[Finding]:
    """Texts compared with numbers: those that are no number would end the query when it runs."""
    nodes = block.own(*_COMPARISONS)
    sides = [pair for node in nodes for pair in ((node.this, node.expression), (node.expression, node.this))]
    return [found for one, other in sides for found in _compared(one, other, block, data)]


def _compared(one: exp.Expr, other: exp.Expr, block: Block, data: Data) -> Iterator[Finding]:
    text, number = _column(one, block), _column(other, block)
    if text is None or text[1].kind != "text":
        return
    is_written = isinstance(other, exp.Literal) and not other.is_string
    if (is_written or (number and number[1].kind == "number")) and _holds_words(*text, data):
        shown = one.sql("duckdb")
        _cast(one, "DOUBLE")
        yield _told(f"{shown} is text; what is a number in it was compared as one, the rest left out")


def _holds_words(table: Table, column: Column, data: Data) -> bool:
    name, of = quote(column.name), f"{quote(table.schema)}.{quote(table.name)}"
    return bool(data.rows(f"SELECT 1 FROM {of} WHERE {name} <> '' AND TRY_CAST({name} AS DOUBLE) IS NULL LIMIT 1"))


def _summed(block: Block) -> Iterator[Finding]:
    for node in block.own(*_NUMERIC):
        found = _column(node.this, block)
        if found is not None and found[1].kind == "text":
            shown = node.this.sql("duckdb")
            _cast(node.this, "DOUBLE")
            yield _told(f"{shown} is text; what is a number in it was taken as one, the rest left out")


def _dated(block: Block) -> Iterator[Finding]:
    for node in block.own(*_TIMES):
        inner = node.expression if isinstance(node, exp.Extract) else node.this
        inner = inner.this if isinstance(inner, exp.Cast | exp.TsOrDsToDate) else inner
        found = _column(inner, block)
        if found is not None and found[1].kind == "text":
            shown = inner.sql("duckdb")
            _cast(inner, "TIMESTAMP")
            yield _told(f"{shown} is text; what is a time in it was taken as one")


def _column(node: exp.Expr, block: Block) -> tuple[Table, Column] | None:
    """The stored column that a node is."""
    source = block.source_of(node) if isinstance(node, exp.Column) else None
    found = source.table.column(node.name) if source and source.table else None
    return (source.table, found) if source and source.table and found else None


def _cast(node: exp.Expr, kind: str) -> None:
    node.replace(exp.TryCast(this=node.copy(), to=exp.DataType.build(kind, dialect="duckdb")))


def _told(what: str) -> Finding:
    return Finding("type_cast", "repaired", f"{what}.", f"{what}.")

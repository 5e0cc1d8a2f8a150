"""What of the schema a query reads, and whether that is still so: an example goes stale with what it names."""

from __future__ import annotations

from pluto_duck_backend.agent.memory.example import Reads
from pluto_duck_text2sql.data.catalog import Catalog


def reads_of(sql: str, catalog: Catalog) -> Reads:
    """The tables of a query, each with the columns it names and their types."""
    from pluto_duck_backend.agent.repair.blocks import blocks_of
    from pluto_duck_backend.agent.repair.dialect import parse

    tree = parse(sql)
    found: dict[str, set[str]] = {}
    for block in blocks_of(tree, catalog) if tree is not None else ():
        for source in block.sources:
            if source.table:
                found.setdefault(f"{source.table.schema}.{source.table.name}", set())
        for column in block.columns():
            source_of = block.source_of(column)
            stored = source_of.table.column(column.name) if source_of and source_of.table else None
            if source_of and source_of.table and stored:
                key = f"{source_of.table.schema}.{source_of.table.name}"
                found.setdefault(key, set()).add(f"{stored.name} {stored.type}")
    return tuple((table, tuple(sorted(columns))) for table, columns in sorted(found.items()))


def changed(reads: Reads, catalog: Catalog) -> str:
    """What of the schema that a query read has changed since; empty where nothing has."""
    for name, columns in reads:
        schema, _, bare = name.partition(".")
        table = catalog.table(schema, bare)
        if table is None:
            return f"there is no table {name} any more"
        for each in columns:
            column, _, kind = each.rpartition(" ") if " " in each else (each, "", "")
            stored = next((have for have in table.columns if each == f"{have.name} {have.type}"), None)
            if stored is None:
                here = table.column(column)
                return f"{name}.{column} is {here.type}, not {kind}" if here else f"{name} has no {column} any more"
    return ""

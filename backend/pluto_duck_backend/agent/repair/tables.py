"""Table names that do not exist, from the nearest real ones: by case, plural, schema, abbreviation or columns."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from pluto_duck_backend.agent.findings.finding import Finding
from pluto_duck_backend.agent.repair.blocks import tables_in
from pluto_duck_backend.agent.repair.nearest import LEAST, likeness
from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.trees.reserved import needs_quotes

_APART = 0.04
_FOR_COLUMNS = 0.3
_LEAST_COLUMNS = 2
_MOST_SHOWN = 6


def repair_tables(tree: exp.Expr, catalog: Catalog) -> tuple[list[Finding], dict[int, str]]:
    """Puts real names in place of others; also returns how each changed node was written, by its id."""
    findings, written = list[Finding](), dict[int, str]()
    for node in tables_in(tree):
        if not node.catalog and catalog.table(node.db or "main", node.name):
            continue
        said = ".".join(part.name for part in node.parts)
        found = _meant(node, tree, catalog)
        if len(found) == 1:
            written[id(node)] = node.name
            _rename(node, found[0])
            if node.name.casefold() != written[id(node)].casefold():
                findings.append(_told(said, found[0]))
        else:
            findings.append(_unknown(said, found, catalog))
    return findings, written


def _meant(node: exp.Table, tree: exp.Expr, catalog: Catalog) -> list[Table]:
    """The table meant; several where it is open which, none where nothing is alike."""
    same = [table for table in catalog.tables if table.name.casefold() == node.name.casefold()]
    if same:
        return _preferred(same)
    used = _used_of(node, tree)
    scored = [(_score(node.name, table, used), table) for table in catalog.tables]
    good = sorted(((score, table) for score, table in scored if score >= LEAST), key=lambda each: -each[0])
    return _preferred([table for score, table in good if score >= good[0][0] - _APART])


def _score(name: str, table: Table, used: Sequence[str]) -> float:
    """By its name, and by how many of the columns that are read of it it has."""
    alike = likeness(name, table.name)
    share = sum(table.column(each) is not None for each in used) / len(used) if used else 0.0
    if alike < LEAST:
        return LEAST if share == 1.0 and len(used) >= _LEAST_COLUMNS else 0.0
    return alike + _FOR_COLUMNS * share


def _preferred(tables: list[Table]) -> list[Table]:
    """The one in `main`, or the one that is to be preferred to all others."""
    in_main = [each for each in tables if each.schema == "main"]
    best = in_main if len(in_main) == 1 and len({each.name.casefold() for each in tables}) == 1 else tables
    top = max((each.preference for each in best), default=0.0)
    return [each for each in best if each.preference == top]


def _used_of(node: exp.Table, tree: exp.Expr) -> list[str]:
    """The columns qualified by this table's name or alias; all columns where it is the only table."""
    name = node.alias_or_name.casefold()
    columns = [each for each in tree.find_all(exp.Column) if not isinstance(each.this, exp.Star)]
    alone = len(tables_in(tree)) == 1
    mine = (each.name for each in columns if each.table.casefold() == name or (alone and not each.table))
    return list(dict.fromkeys(mine))


def _rename(node: exp.Table, table: Table) -> None:
    node.set("this", identifier(table.name))
    node.set("db", identifier(table.schema) if table.schema != "main" else None)
    node.set("catalog", None)


def identifier(name: str) -> exp.Identifier:
    """The name as an identifier, quoted where it must be."""
    return exp.to_identifier(name, quoted=needs_quotes(name))


def name_of(table: Table) -> str:
    """As a user writes it."""
    return table.name if table.schema == "main" else f"{table.schema}.{table.name}"


def _told(said: str, table: Table) -> Finding:
    shown = name_of(table)
    return Finding(
        "table_name", "repaired", f"There is no table {said}; it was read as {shown}.", f"{said} was read as {shown}."
    )


def _unknown(said: str, found: list[Table], catalog: Catalog) -> Finding:
    options = tuple(name_of(table) for table in (found or catalog.tables)[:_MOST_SHOWN])
    meant = "It may mean" if found else "There are, among others,"
    return Finding(
        "table_choice", "broken", f"There is no table {said}. {meant} {', '.join(options)}.", options=options
    )

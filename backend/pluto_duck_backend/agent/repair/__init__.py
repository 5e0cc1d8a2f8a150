"""A model's reply to one SQL statement that binds. The graph calls `repair` before anything runs.

    reply ─▶ statement ─▶ binds? ─▶ each dialect: names ─▶ joins ─▶ columns ─▶ groups ─▶ types ─▶ binds? ─▶ texts

Every change is a finding that the user hears; what is open is not guessed but told to the model, with what there is.
What must stay true: SQL that binds is left as it is written, but for a text that its column does not hold and a table
that nothing joins; nothing returned as running is unbound.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pluto_duck_backend.agent.findings.finding import Finding, is_broken
from pluto_duck_backend.agent.findings.quoting import next_step, quotes_no_cell, withheld
from pluto_duck_backend.agent.repair.data import Data
from pluto_duck_backend.app.core.errors import PlutoDuckError, Refused

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["Data", "Repaired", "repair"]

_REPAIRABLE = frozenset({"unknown_table", "function", "unknown_type"})
#   the rules that SQL may break by a wrong name or another dialect; what breaks another one is not made to pass
_MOST_SHOWN = 300
_COMPARED_OR_JOINED = re.compile(r"'|[<>=]|,|\bJOIN\b", re.IGNORECASE)
#   without any of these there is neither a text to look up nor a table to join


@dataclass(frozen=True)
class Repaired:
    """The SQL to run, empty where there is none, and what was noticed on the way."""

    sql: str
    findings: tuple[Finding, ...] = ()


def repair(reply: str, data: Data) -> Repaired:
    """The statement in a model's reply, made to bind. Never raises for what the reply says."""
    sql = reply.strip().rstrip(";").strip()
    error = data.refusal(sql) if _begins_like_sql(sql) else None
    if error is None and _begins_like_sql(sql):
        return _finished(sql, data)
    return _of_reply(reply, data)


def _begins_like_sql(text: str) -> bool:
    return text[:6].upper() in ("SELECT", "WITH A") or text[:5].upper() == "WITH "


def _of_reply(reply: str, data: Data) -> Repaired:
    from pluto_duck_backend.agent.repair.dialect import parses
    from pluto_duck_backend.agent.repair.reply import statements

    found = statements(reply, parses)
    if not found:
        said = reply.strip()[:_MOST_SHOWN]
        return _broken("no_sql", f"There is no SQL in the reply: {said!r}. Write one SELECT.")
    if len(found) > 1:
        firsts = "; ".join(each.split("\n")[0][:80] for each in found[:4])
        return _broken("several_statements", f"The reply holds {len(found)} statements ({firsts}). Write one SELECT.")
    error = data.refusal(found[0])
    if error is None:
        return _finished(found[0], data)
    if isinstance(error, Refused) and error.code not in _REPAIRABLE:
        return _broken("refused", _fact(error))
    return _bound(found[0], error, data)


def _bound(sql: str, error: PlutoDuckError, data: Data) -> Repaired:
    """In the first dialect that binds as it is; else in the one that takes the fewest repairs."""
    from pluto_duck_backend.agent.repair.dialect import readings, write

    readable = list(readings(sql))
    for dialect, tree in readable:
        if data.refusal(write(tree)) is None:
            return _finished(write(tree), data, _of_dialect(dialect))
    tried = [_mended(dialect, tree, error, data) for dialect, tree in readable]
    good = [each for each in tried if not is_broken(each.findings)]
    if good:
        return min(good, key=lambda each: len(each.findings))
    open_choices = [each for each in tried if any(found.options for found in each.findings)]
    return (open_choices or tried or [Repaired("", (_not_bound(error),))])[0]


def _mended(dialect: str, tree: exp.Expr, error: PlutoDuckError, data: Data) -> Repaired:
    """One reading with real names in it, bound; broken where that is not enough."""
    from pluto_duck_backend.agent.repair.dialect import write

    findings = list(_of_dialect(dialect)) + _repair_names(tree, data)
    if is_broken(findings):
        return Repaired("", tuple(findings))
    written = write(tree)
    left = data.refusal(written)
    if left is not None:
        return Repaired("", (*findings, _not_bound(left if findings else error)))
    return _finished(written, data, tuple(findings))


def _repair_names(tree: exp.Expr, data: Data) -> list[Finding]:
    from pluto_duck_backend.agent.repair.blocks import blocks_of
    from pluto_duck_backend.agent.repair.columns import repair_columns
    from pluto_duck_backend.agent.repair.grouping import repair_groups
    from pluto_duck_backend.agent.repair.joining import repair_conditions
    from pluto_duck_backend.agent.repair.qualifiers import repair_qualifiers
    from pluto_duck_backend.agent.repair.tables import repair_tables
    from pluto_duck_backend.agent.repair.types import repair_types

    findings, invented = repair_tables(tree, data.catalog)
    if is_broken(findings):
        return findings
    for number in range(len(blocks_of(tree, data.catalog, invented))):
        block = blocks_of(tree, data.catalog, invented)[number]  # what an inner one shows may have changed
        for step in (repair_conditions, repair_qualifiers, repair_columns):
            findings += step(block, data)
        findings += [*repair_groups(block), *repair_types(block, data)]
    return findings


def _finished(sql: str, data: Data, before: tuple[Finding, ...] = ()) -> Repaired:
    """SQL that binds, with what its columns hold in place of what they do not, and no table unjoined."""
    from pluto_duck_backend.agent.repair.blocks import blocks_of
    from pluto_duck_backend.agent.repair.dialect import parse, write
    from pluto_duck_backend.agent.repair.joining import repair_conditions
    from pluto_duck_backend.agent.repair.literals import repair_literals
    from pluto_duck_backend.agent.repair.types import repair_comparisons

    tree = parse(sql) if _COMPARED_OR_JOINED.search(sql) else None
    if tree is None:
        return Repaired(sql, before)
    steps = (repair_conditions, repair_comparisons, repair_literals)
    found = [each for block in blocks_of(tree, data.catalog) for step in steps for each in step(block, data)]
    if is_broken(found):
        return Repaired("", (*before, *found))
    changed = (write(tree) if any(each.weight == "repaired" for each in found) else "") or sql
    if changed != sql and data.refusal(changed) is not None:
        return Repaired(sql, before)
    return Repaired(changed, (*before, *found))


def _of_dialect(dialect: str) -> tuple[Finding, ...]:
    from pluto_duck_backend.agent.repair.dialect import DUCKDB, shown

    if dialect == DUCKDB:
        return ()
    return (Finding("dialect", "repaired", f"The SQL was {shown(dialect)}'s; it was rewritten for DuckDB."),)


def _broken(code: str, fact: str) -> Repaired:
    return Repaired("", (Finding(code, "broken", fact),))  # type: ignore[arg-type]


def _not_bound(error: PlutoDuckError) -> Finding:
    """Binding may look at rows: at those that the columns of a PIVOT are called by."""
    of_cells = not quotes_no_cell(error)
    return Finding(
        "not_bound", "broken", _fact(error), bare=withheld(error.message) if of_cells else "", of_cells=of_cells
    )


def _fact(error: PlutoDuckError) -> str:
    return f"{error.message} {next_step(error)}".strip()

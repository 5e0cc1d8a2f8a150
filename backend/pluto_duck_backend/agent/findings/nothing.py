"""Results that hold nothing: no rows, only nulls, a count of zero; and which condition left nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pluto_duck_backend.agent.findings.finding import Code, Finding
from pluto_duck_backend.agent.findings.outcome import Outcome
from pluto_duck_backend.agent.repair.data import Data
from pluto_duck_backend.app.core.errors import PlutoDuckError

if TYPE_CHECKING:
    from sqlglot import exp

    from pluto_duck_backend.agent.repair.blocks import Block

_MOST_CONDITIONS = 8


def found_nothing(outcome: Outcome, data: Data) -> Iterator[Finding]:
    """At most one finding about the whole, or one for each column of nulls."""
    if outcome.row_count == 0:
        yield _explained("empty", "No rows match", outcome, data)
    elif all(cell is None for row in outcome.rows for cell in row):
        yield _explained("all_null", "The result holds nothing but nulls", outcome, data)
    elif outcome.row_count == 1 and len(outcome.columns) == 1 and outcome.rows[0][0] == 0:
        yield _explained("nothing_counted", "The result is 0", outcome, data)
    else:
        yield from _null_columns(outcome)


def _null_columns(outcome: Outcome) -> Iterator[Finding]:
    for place, name in enumerate(outcome.columns):
        if outcome.rows and all(row[place] is None for row in outcome.rows):
            fact = f"The column {name} of the result holds nothing but nulls."
            yield Finding("null_column", "doubt", fact, fact, bare="A column of the result holds nothing but nulls.")


def _explained(code: Code, what: str, outcome: Outcome, data: Data) -> Finding:
    """With the conditions that no row meets even alone; without one, or where the data alone decides, it may well be
    true."""
    unmet = list(_unmet(outcome.sql, data))
    if not unmet:
        told = f"{what}; every condition alone matches some." if " WHERE " in outcome.sql.upper() else f"{what}."
        return Finding(code, "note", told, told)
    told = f"{what}: no row meets {'; '.join(each.said for each in unmet)}."
    bare = f"{what}: no row meets {'; '.join(each.bare for each in unmet)}."
    return Finding(code, "note" if all(each.is_of_data for each in unmet) else "doubt", told, told, bare=bare)


@dataclass(frozen=True)
class _Unmet:
    """A condition that no row meets: as it is said, with what there is instead; without texts."""

    said: str
    bare: str
    is_of_data: bool
    #   whether it holds the data against the data, so that nothing of it can be misspelt


def _unmet(sql: str, data: Data) -> Iterator[_Unmet]:
    """The conditions of the outermost WHERE that no row of its FROM meets."""
    from sqlglot import exp

    from pluto_duck_backend.agent.repair.blocks import blocks_of
    from pluto_duck_backend.agent.repair.dialect import parse

    tree = parse(sql)
    where = tree.args.get("where") if tree is not None else None
    if not isinstance(tree, exp.Select) or where is None:
        return
    block = next(each for each in blocks_of(tree, data.catalog) if each.select is tree)
    parts = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
    for part in parts[:_MOST_CONDITIONS]:
        if not _is_met(tree, part, data):
            bare = part.transform(lambda node: exp.Literal.string("…") if node.is_string else node)
            yield _Unmet(part.sql("duckdb") + _range(part, block), bare.sql("duckdb"), _is_of_data(part))


def _is_of_data(part: exp.Expr) -> bool:
    """Whether a condition puts what is stored above, below or apart from what else is stored, or wants no partner."""
    from sqlglot import exp

    if isinstance(part, exp.Not):
        return isinstance(part.this, exp.Exists) or bool(part.this.args.get("query"))
    is_order = isinstance(part, exp.GT | exp.GTE | exp.LT | exp.LTE | exp.NEQ)
    return is_order and all(side.find(exp.Column) for side in (part.this, part.expression))


def _is_met(tree: exp.Select, part: exp.Expr, data: Data) -> bool:
    """Whether a row meets this condition alone; taken as met where that cannot be found out in time."""
    from sqlglot import exp

    alone = exp.Select(
        expressions=[exp.Literal.number(1)],
        **{key: tree.args[key].copy() for key in ("with_", "from_") if tree.args.get(key)},
    )
    alone.set("joins", [each.copy() for each in tree.args.get("joins") or ()])
    try:
        return bool(data.rows(alone.where(part.copy()).limit(1).sql("duckdb")))
    except PlutoDuckError:
        return True


def _range(part: exp.Expr, block: Block) -> str:
    """What the column of a condition goes from and to."""
    from sqlglot import exp

    columns = list(part.find_all(exp.Column))
    source = block.source_of(columns[0]) if len(columns) == 1 else None
    found = source.table.column(columns[0].name) if source and source.table else None
    if found is None or found.kind not in ("number", "time") or found.minimum is None:
        return ""
    return f" ({found.name} goes from {found.minimum} to {found.maximum})"

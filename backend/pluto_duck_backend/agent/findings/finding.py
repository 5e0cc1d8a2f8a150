"""What was noticed about a query or its result: a fact for the model, a sentence for the user.

`repair` and `findings` make them, the graph's loop hands them on. What must stay true: `fact` names the thing, what is
wrong with it and what there is instead, so that whoever reads it can act without asking; `told` promises nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pluto_duck_backend.app.core.errors import PlutoDuckError, QueryFailed, Refused

Weight = Literal["repaired", "note", "doubt", "broken"]
#   repaired: SQL was changed so that it runs; note: worth a caveat; doubt: the result may not be what was asked, so
#   the model is asked again; broken: there is no SQL to run

Code = Literal[
    "no_sql", "several_statements", "refused", "not_bound", "dialect",
    "table_name", "column_name", "column_choice", "table_choice", "quoted_text",
    "join_added", "join_condition", "join_choice",
    "group_by", "aggregate_in_where", "type_cast",
    "value_name", "value_choice", "value_unknown", "value_elsewhere", "case_of_pattern",
    "empty", "all_null", "nothing_counted", "null_column",
    "fan_out", "grain", "unit", "limit_missing", "order_missing",
]  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One thing noticed; `options` are the real names or values to choose from."""

    code: Code
    weight: Weight
    fact: str
    told: str = ""
    options: tuple[str, ...] = ()
    bare: str = ""
    #   the fact without values of the data, for a model that may not see them; empty: it has none in it
    of_cells: bool = False
    #   whether the fact quotes cells that nobody named, which only a model that may see rows is told


def caveats(findings: Iterable[Finding]) -> list[str]:
    """What the user hears, each sentence once."""
    return list(dict.fromkeys(each.told for each in findings if each.told))


def facts(findings: Iterable[Finding], *, values: bool = True, rows: bool = True) -> str:
    """What the model hears of what it should do otherwise, a line each, with `values` and cells of `rows` or without.

    Where it is all that stopped a draft the person reads it, too: one alone is no list.
    """
    wanted = [each for each in findings if each.weight in ("doubt", "broken")]
    told = [each.fact if (rows if each.of_cells else values) or not each.bare else each.bare for each in wanted]
    return told[0] if len(told) == 1 else "\n".join(f"- {each}" for each in told)


def stopped(findings: Sequence[Finding], why: str) -> PlutoDuckError:
    """The error of a draft that is broken: a rule forbids its SQL, or the SQL is wrong."""
    if any(each.code == "refused" for each in findings):
        return Refused(why, code="draft_refused", hint="The SQL was not run.")
    return QueryFailed(why, code="draft_unusable", hint="The SQL was not run.")


def is_broken(findings: Iterable[Finding]) -> bool:
    """Whether there is nothing to run."""
    return any(each.weight == "broken" for each in findings)

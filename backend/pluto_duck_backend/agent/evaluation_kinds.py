"""What kind of question a case is, for the breakdown of a report: its own `kind`, else the shapes in its SQL.

Called by `evaluation` for each verdict and by the `eval` command for `--kind`. Pure; the same case has the same kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pluto_duck_backend.agent.evaluation_suite import Case

KINDS = ("plain", "join", "group", "order", "nested", "set")
UNANSWERABLE_KIND = "unanswerable"
UNKNOWN_KIND = "unknown"


def kinds_of_case(case: Case) -> tuple[str, ...]:
    """The suite's word where it has one; a question without an answer has no SQL to tell its kind by."""
    if case.kind:
        return (case.kind,)
    return kinds_of(case.sql) if case.answerable else (UNANSWERABLE_KIND,)


def in_reading_order(kinds: set[str]) -> list[str]:
    """The shapes of SQL first, then a suite's own kinds by name, then what says least."""
    own = sorted(kinds - {*KINDS, UNANSWERABLE_KIND, UNKNOWN_KIND})
    return [kind for kind in (*KINDS, *own, UNANSWERABLE_KIND, UNKNOWN_KIND) if kind in kinds]


def kinds_of(sql: str | None) -> tuple[str, ...]:
    """The shapes in `sql`, in the order of KINDS; `("plain",)` for none of them, unknown without readable SQL."""
    from sqlglot import parse_one
    from sqlglot.errors import SqlglotError

    try:
        tree = parse_one(sql, dialect="duckdb") if sql else None
    except SqlglotError:
        tree = None
    return (UNKNOWN_KIND,) if tree is None else _kinds(tree)


def _kinds(tree: Any) -> tuple[str, ...]:
    from sqlglot import exp

    found = {
        "join": tree.find(exp.Join) is not None,
        "group": tree.find(exp.Group) is not None,
        "order": tree.args.get("order") is not None or tree.args.get("limit") is not None,
        "nested": any(_is_inner(select) for select in tree.find_all(exp.Select)),
        "set": tree.find(exp.SetOperation) is not None,
    }
    return tuple(kind for kind in KINDS if found.get(kind)) or ("plain",)


def _is_inner(select: Any) -> bool:
    """Whether a SELECT stands inside another one, not beside it in a set operation."""
    from sqlglot import exp

    parent = select.parent
    while isinstance(parent, exp.SetOperation):
        parent = parent.parent
    return parent is not None

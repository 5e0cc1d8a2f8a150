"""What SQL may do: an allow-list over DuckDB's own syntax tree, since SQL from a model is hostile input.

The executor calls `check` before anything runs. What must stay true: only SELECT over tables and views of the
catalog and harmless functions passes; whatever the walk does not know is refused. A READ ONLY transaction follows as a
second line of defence, never as the first.

    text (bounds, tokens) ─▶ pivot (values written in) ─▶ tree (DuckDB's) ─▶ walk, sizes, expansion ─▶ rights
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.services.execution.guard import pivot, text, tree
from pluto_duck_backend.app.services.execution.guard.expansion import check_expansion
from pluto_duck_backend.app.services.execution.guard.known import Key, Known, Relation, no_step
from pluto_duck_backend.app.services.execution.guard.pivot import Values
from pluto_duck_backend.app.services.execution.guard.rights import Rights
from pluto_duck_backend.app.services.execution.guard.walk import Walk

__all__ = ["Guarded", "Key", "Known", "Relation", "Rights", "check", "no_step"]


@dataclass(frozen=True)
class Guarded:
    """SQL that may run, as it will run; `tables` are the `schema.name` it reads, through views too."""

    kind: Literal["select", "explain"]
    sql: str
    tables: tuple[str, ...]
    limit: int | None = None
    #   the most rows it can give, where its own LIMIT says so


def check(sql: str, known: Known, *, rights: Rights | None = None, values: Values | None = None) -> Guarded:
    """`sql` if it may run, confined to `rights`. `values` looks up what a PIVOT without a list needs.

    Raises Refused (a rule) or QueryFailed (no valid SQL).
    """
    written = text.tidy(sql)
    found = text.tokens(written)
    written = written[: found[-1].end]
    explain = text.explained(found)
    if explain == len(found):
        raise InvalidInput("There is nothing to explain.", code="empty_sql", hint="Write EXPLAIN SELECT ...")
    body = written[found[explain].start :] if explain else written
    if values and any(token.is_word("PIVOT", "PIVOT_WIDER") for token in found):
        body = pivot.write_out(body, values)
    statement = tree.parse(body)
    walk = _walked(statement, known, rights)
    if rights and rights.confine(statement, walk, known):
        body = tree.unparse(statement)
    verb = written[: found[explain].start].strip() if explain else ""
    tables = tuple(sorted(map(str, walk.tables)))
    return Guarded("explain" if explain else "select", f"{verb} {body}".strip(), tables, tree.limit_of(statement))


def _walked(statement: tree.Node, known: Known, rights: Rights | None) -> Walk:
    """The walk over what may be named; views granted as they stand have been walked before."""
    seen = rights.visible(known) if rights else known
    walk = Walk(seen)
    walk.statement(statement)
    if rights:
        Walk(known).statement(statement)
    check_expansion(statement, seen)
    return walk

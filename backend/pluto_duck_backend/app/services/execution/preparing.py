"""From SQL as written to SQL as it will run: guarded, confined, its plan known.

Kept by text, rights and state of the warehouse, so that what a page or a script asks again costs nothing.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import orjson

from pluto_duck_backend.app.core.errors import QueryFailed
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.core.warehouse import Session, Warehouse, literal
from pluto_duck_backend.app.services.execution.guard import Guarded, Known, Rights, check
from pluto_duck_backend.app.services.execution.guard.rights_book import RightsBook
from pluto_duck_backend.app.services.execution.known import KnownTables
from pluto_duck_backend.app.services.execution.results import as_table, columns_of

T = TypeVar("T")
_LINE = re.compile(r"\bLINE (\d+):")
_KEPT = 512
_SMALL_LIMIT = 10_000
_SMALL_ESTIMATE = 50_000
_SMALL_SCAN = 200_000
#   a result is expected to be small by its own LIMIT, by DuckDB's estimate, or by what is scanned for it
_GROWING = ("UNNEST", "REC_CTE", "RECURSIVE_CTE", "INOUT_FUNCTION")
_ONE_ROW = ("UNGROUPED_AGGREGATE", "SIMPLE_AGGREGATE")
_JOINS = ("JOIN", "CROSS_PRODUCT")


@dataclass(frozen=True)
class Prepared:
    """`sql` may stand in a FROM; `plan` lists DuckDB's operators from the scans up."""

    sql: str
    tables: tuple[str, ...]
    plan: list[str]
    is_small: bool
    has_order: bool = True
    #   whether the order of the rows means anything: not that of a join which nobody sorted


class Preparer:
    """Prepares SQL over one warehouse; `step_to` says how a table comes about that is not there. Thread-safe."""

    def __init__(self, warehouse: Warehouse, rights: RightsBook, step_to: Callable[[str], str]) -> None:
        self._rights = rights
        self._known_tables = KnownTables(warehouse, step_to)
        self._under = Known()
        self._proven: set[str] = set()
        self._kept: OrderedDict[tuple[str, str], Prepared] = OrderedDict()
        self._guarded: OrderedDict[tuple[str, str], Guarded] = OrderedDict()
        self._lock = threading.Lock()

    def prepare(self, session: Session, sql: str, who: Principal) -> Prepared:
        """`sql` ready to run in `session`. Raises Refused, or QueryFailed where DuckDB can make nothing of it."""
        rights, known = self.rights_of(who), self.known()
        key = (sql, rights.name if rights else "")
        with self._lock:
            if key in self._kept and self._under is known:
                self._kept.move_to_end(key)
                return self._kept[key]
        prepared, depends_on_data = self._prepare(session, sql, who, known)
        if not depends_on_data:
            self._keep(self._kept, key, prepared, known)
        return prepared

    def is_prepared(self, sql: str, who: Principal) -> bool:
        """Whether what is known of `sql` still holds."""
        known = self.known()
        with self._lock:
            return self._under is known and (sql, who.rights) in self._kept

    def guard(self, session: Session, sql: str, who: Principal) -> Guarded:
        """`sql` as it may run, without looking at its plan."""
        return self._guard(session, sql, who, self.known(), [])

    def known(self) -> Known:
        """Everything in the warehouse as it is now."""
        return self._known_tables.now()

    def rights_of(self, who: Principal) -> Rights | None:
        """The rights that confine `who`; None: it sees everything. Raises InvalidInput for rights nobody defined."""
        return self._rights.find(who.rights)

    def _keep(self, kept: OrderedDict[tuple[str, str], T], key: tuple[str, str], found: T, known: Known) -> None:
        """Keep what was found out under `known`."""
        with self._lock:
            self._turn_to(known)
            kept[key] = found
            while len(kept) > _KEPT:
                kept.popitem(last=False)

    def _prepare(self, session: Session, sql: str, who: Principal, known: Known) -> tuple[Prepared, bool]:
        looked_up: list[str] = []
        guarded = self._guard(session, sql, who, known, looked_up)
        if guarded.kind == "explain":
            return _explained(session, guarded), True
        text = as_table(guarded.sql)
        roots = _plan(session, text)
        plan = [operator for root in roots for operator in _operators(root)]
        is_small = (guarded.limit or _SMALL_LIMIT + 1) <= _SMALL_LIMIT or _is_small(roots, plan)
        return Prepared(text, guarded.tables, plan, is_small, _has_order(plan)), bool(looked_up)

    def _guard(self, session: Session, sql: str, who: Principal, known: Known, looked_up: list[str]) -> Guarded:
        rights = self.rights_of(who)
        key = (sql, rights.name if rights else "")
        with self._lock:
            if key in self._guarded and self._under is known:
                return self._guarded[key]
        if rights:
            self._prove(session, rights, known)

        def values(query: str) -> list[str]:
            looked_up.append(query)
            return [str(row[0]) for row in session.rows(check(query, known, rights=rights).sql)]

        guarded = check(sql, known, rights=rights, values=values)
        if not looked_up:
            self._keep(self._guarded, key, guarded, known)
        return guarded

    def _prove(self, session: Session, rights: Rights, known: Known) -> None:
        """Each condition must hold by itself: a name in it that its own table lacks could be supplied from outside."""
        with self._lock:
            if self._under is known and rights.name in self._proven:
                return
        for relation in rights.visible(known).relations.values():
            if rights.is_restricted(relation):
                columns_of(session, rights.confined(relation, known))
        with self._lock:
            self._turn_to(known)
            self._proven.add(rights.name)

    def _turn_to(self, known: Known) -> None:
        """What was found out under other tables does not hold any more."""
        if self._under is not known:
            self._kept.clear()
            self._guarded.clear()
            self._proven.clear()
            self._under = known


def _explained(session: Session, guarded: Guarded) -> Prepared:
    """A plan is two short texts, and no table expression, so it is written as values."""
    rows = session.rows(guarded.sql)
    values = ", ".join(f"({literal(str(key))}, {literal(str(text))})" for key, text in rows)
    sql = f"SELECT * FROM (VALUES {values}) AS plan(explain_key, explain_value)"
    return Prepared(sql, guarded.tables, [], True)


def _plan(session: Session, sql: str) -> list[dict[str, Any]]:
    try:
        rows = session.rows(f"EXPLAIN (FORMAT json)\n{sql}")
    except QueryFailed as error:  # its message counts the line that is ours
        message = _LINE.sub(lambda line: f"LINE {int(line[1]) - 1}:", error.message)
        raise QueryFailed(message, code=error.code, hint=error.hint) from error
    roots: list[dict[str, Any]] = orjson.loads(rows[0][1]) if rows else []
    return roots


def _has_order(operators: list[str]) -> bool:
    """DuckDB would hold the rows of a join back until they can be written in the order of its left side."""
    joined = any(name in operator for operator in operators for name in _JOINS)
    return not joined or any(operator.startswith(("ORDER_BY", "TOP_N")) for operator in operators)


def _is_small(roots: list[dict[str, Any]], operators: list[str]) -> bool:
    if not roots or any(operator.startswith(_GROWING) for operator in operators):
        return False
    return 0 < _estimate(roots[0]) <= _SMALL_ESTIMATE or _most_rows(roots[0]) <= _SMALL_SCAN


def _estimate(node: dict[str, Any]) -> float:
    """What DuckDB expects of the topmost operator that says; 0: none does."""
    if node["name"].strip() in _ONE_ROW:
        return 1.0
    own = _number(node.get("extra_info", {}).get("Estimated Cardinality"))
    children = node.get("children", [])
    return own or (_estimate(children[0]) if len(children) == 1 else 0.0)


def _operators(node: dict[str, Any]) -> list[str]:
    table = node.get("extra_info", {}).get("Table")
    own = node["name"].strip() + (f" {str(table).split('.', 1)[-1]}" if table else "")
    return [operator for child in node.get("children", []) for operator in _operators(child)] + [own]


def _most_rows(node: dict[str, Any]) -> float:
    """The most rows expected at any operator; a join without an estimate may make every pair."""
    children = [_most_rows(child) for child in node.get("children", [])]
    own = _number(node.get("extra_info", {}).get("Estimated Cardinality"))
    if not own and any(name in node["name"] for name in _JOINS) and len(children) == 2:
        own = children[0] * children[1]
    return max([own, *children])


def _number(text: Any) -> float:
    try:
        return float(text or 0)
    except (TypeError, ValueError):
        return 0.0

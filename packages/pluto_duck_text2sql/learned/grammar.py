"""Which word of a sketch may follow which: a small machine with a stack for nested queries.

The network chooses only among what is allowed, so that what it writes is a query.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from pluto_duck_text2sql.learned.sketch import AGGREGATES, COMPARISONS, PATTERNS, SETS

WORDS = (
    *("end", "distinct", *AGGREGATES, "*", "where", "and", "or", *COMPARISONS, *PATTERNS, "between"),
    *("in", "notin", "null", "notnull", "(", ")", "group", "having", "asc", "desc", "top1", "limit", *SETS, "join"),
)
"""All words of the grammar; `<column>`, `<table>` and `<value>` stand for nodes of the graph."""

_CLAUSES = ("where", "group", "having", "order", "limit", "join")
_DEEPEST = 2


@dataclass(frozen=True)
class State:
    """Where in a query the line is: what comes next, the clause it is in, what encloses it."""

    expects: str
    clause: str = "select"
    stack: tuple[str, ...] = ()
    aggregate: str = ""
    sets: int = 0


START = State("first")


@lru_cache(maxsize=5_000)
def allowed(state: State) -> frozenset[str]:
    """The words that may come next."""
    return frozenset(_allowed(state))


def _allowed(state: State) -> tuple[str, ...]:
    match state.expects:
        case "first":
            return ("distinct", *_ITEM)
        case "item":
            return _ITEM
        case "argument":
            return ("<column>", "<table>") if state.aggregate == "count" else ("<column>",)
        case "rows":
            return ("<table>",)
        case "subject":
            return ("<column>", *AGGREGATES) if state.clause == "having" else ("<column>",)
        case "operator":
            return _operators(state)
        case "right":
            nested = ("(",) if len(state.stack) < _DEEPEST else ()
            return ("<value>", *nested) if state.clause == "having" else ("<value>", "<column>", *nested)
        case "low" | "high" | "value":
            return ("<value>",)
        case "open":
            return ("(",)
        case "key":
            return ("<column>",)
        case "joined":
            return ("<table>",)
        case "done":
            return ("end",)
    return _after(state)


_ITEM = ("<column>", *AGGREGATES, "*")


def _operators(state: State) -> tuple[str, ...]:
    compared = (*COMPARISONS, "between")
    if state.clause == "having":
        return compared
    nested = ("in", "notin") if len(state.stack) < _DEEPEST else ()
    return (*compared, *PATTERNS, *nested, "null", "notnull")


def _after(state: State) -> tuple[str, ...]:
    """What may follow a finished part of a clause."""
    more: dict[str, tuple[str, ...]] = {
        "select": _ITEM,
        "where": ("and", "or"),
        "group": ("<column>", "having"),
        "having": ("and", "or"),
        "order": ("asc", "desc", "top1", "limit"),
        "limit": (),
        "join": ("<table>",),
    }
    later: dict[str, tuple[str, ...]] = {
        "select": ("where", "group", "asc", "desc", "join"),
        "where": ("group", "asc", "desc", "join"),
        "group": ("asc", "desc", "join"),
        "having": ("asc", "desc", "join"),
        "order": ("join",),
        "limit": ("join",),
        "join": (),
    }
    sets = SETS if state.sets == 0 and not state.stack else ()
    return (*more[state.clause], *later[state.clause], *sets, ")" if state.stack else "end")


@lru_cache(maxsize=50_000)
def step(state: State, word: str) -> State:
    """The state after a word; nodes are `<column>`, `<table>` or `<value>`."""
    if word == "distinct":
        return replace(state, expects="item")
    if word in AGGREGATES:
        return replace(state, expects="argument", aggregate=word)
    if word == "*":
        return replace(state, expects="rows")
    if word in ("<column>", "<table>", "<value>"):
        return _node(state)
    if word in ("where", "having"):
        return replace(state, expects="subject", clause=word)
    if word in ("and", "or"):
        return replace(state, expects="subject")
    if word == "group":
        return replace(state, expects="key", clause="group")
    if word in ("asc", "desc"):
        return replace(state, expects="item", clause="order")
    return _other(state, word)


def _other(state: State, word: str) -> State:
    if word == "between":
        return replace(state, expects="low")
    if word in COMPARISONS:
        return replace(state, expects="right")
    if word in PATTERNS:
        return replace(state, expects="value")
    if word in ("in", "notin"):
        return replace(state, expects="open")
    if word in ("null", "notnull"):
        return replace(state, expects="after")
    if word == "(":
        return State("first", "select", (*state.stack, state.clause), "", state.sets)
    if word == ")":
        return State("after", state.stack[-1], state.stack[:-1], "", state.sets)
    if word == "top1":
        return replace(state, expects="after", clause="limit")
    if word == "limit":
        return replace(state, expects="value", clause="limit")
    if word in SETS:
        return State("first", "select", (), "", state.sets + 1)
    if word == "join":
        return replace(state, expects="joined", clause="join")
    return replace(state, expects="done")


def _node(state: State) -> State:
    if state.expects in ("argument", "subject") and state.clause in ("where", "having"):
        return replace(state, expects="operator", aggregate="")
    if state.expects == "low":
        return replace(state, expects="high")
    return replace(state, expects="after", aggregate="")

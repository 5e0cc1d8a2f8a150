"""Which word of a sketch may follow which: rules of a small language, read with one word of foresight.

The network chooses only among what is allowed, so that what it writes is a query.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pluto_duck_text2sql.learned.line import (
    AGGREGATES,
    ARITHMETIC,
    COMPARISONS,
    COMPUTED,
    FIRSTS,
    GRAINS,
    MORE_AGGREGATES,
    PATTERNS,
    SETS,
    WINDOWS,
)

WORDS = (
    *("end", "distinct", *AGGREGATES, "*", "where", "and", "or", *COMPARISONS, *PATTERNS, "between"),
    *("in", "notin", "null", "notnull", "(", ")", "group", "having", "asc", "desc", "top1", "limit", *SETS, "join"),
    *(*MORE_AGGREGATES, *COMPUTED, "from", "if", "&", "fi", *GRAINS, *FIRSTS, *WINDOWS, *ARITHMETIC),
    *("during", "own", "fold", "nth", "per", "nothing"),
)
"""All words of the grammar, the newest last: a trained network knows those there were.

`<column>`, `<table>` and `<value>` stand for nodes of the graph.
"""
NODES = ("<word>", "<column>", "<table>", "<value>")
"""What nodes of the graph are called, in their order; the question's own words may come nowhere."""

_DEEPEST = 2
_NESTING = frozenset(("in", "notin", "from", "fold", "("))
"""Words after which a nested query begins."""

_Option = tuple[str, ...]


def _aggregates(argument: str, counted: str) -> tuple[_Option, ...]:
    plain = ("countd", "sum", "avg", "min", "max", "median", "stddev")
    return (("count", counted), *((each, argument) for each in plain), ("quantile", "<value>", argument))


def _computed(*after: str) -> tuple[_Option, ...]:
    columns = {"times": 2, "net": 3, "days": 2}
    return tuple((word, *("<column>",) * count, *after) for word, count in columns.items())


def _arithmetic(part: str, *after: str) -> tuple[_Option, ...]:
    return tuple((word, part, part, *after) for word in ARITHMETIC)


_DATES: tuple[_Option, ...] = (*((each, "<column>", "<column>") for each in FIRSTS), ("<column>",))
_BUCKETS: tuple[_Option, ...] = tuple((grain, "date") for grain in GRAINS)
_QUERY = ("(", "core", ")")
_BETWEEN = ("between", "<value>", "<value>")
# A word that stands here for several ways to go on; () is the way to say nothing.
_RULES: dict[str, tuple[_Option, ...]] = {
    "whole": (("core", "set?"), ("nothing",)),
    "core": (("distinct?", "item", "item*", "where?", "group?", "order?", "join?"),),
    "distinct?": (("distinct",), ()),
    "item": (("*", "<table>"), ("value",)),
    "value": (
        *(("<column>",), *_aggregates("argument", "counted"), *_BUCKETS, *_computed()),
        *((each, "<value>", "part") if each == "moving" else (each, "part") for each in WINDOWS),
        *_arithmetic("part"),
    ),
    "item*": (("item", "item*"), ()),
    "argument": (("<column>", "filter?"), *_computed("filter?"), ("from", *_QUERY)),
    "counted": (("<column>", "filter?"), ("<table>", "filter?")),
    "filter?": (("if", "test", "&*", "fi"), ()),
    "&*": (("&", "test", "&*"), ()),
    "part": (("<column>",), *_aggregates("argument", "counted"), *_arithmetic("operand")),
    "operand": (("<column>",), *_aggregates("argument", "counted")),
    "date": _DATES,
    "where?": (("where", "test", "more*"), ()),
    "more*": (("and", "test", "more*"), ("or", "test", "more*"), ()),
    "test": (
        ("<column>", "compared"),
        *((each, "<column>", "<column>", "dated") for each in FIRSTS),
        *((grain, "date", "counting") for grain in GRAINS),
        *_computed("counting"),
    ),
    "compared": (
        *((each, "right") for each in COMPARISONS),
        *((each, "<value>") for each in (*PATTERNS, "during")),
        *(("in", *_QUERY), ("notin", *_QUERY), ("null",), ("notnull",), _BETWEEN),
    ),
    "dated": (*((each, "<value>") for each in (*COMPARISONS, "during")), _BETWEEN),
    "counting": (*((each, "<value>") for each in COMPARISONS), _BETWEEN),
    "right": (("<value>",), ("<column>",), _QUERY, ("fold", "<value>", *_QUERY), ("own", "<column>", "alone")),
    "alone": _aggregates("bare", "bare row"),
    "bare": (("<column>",), *_computed()),
    "bare row": (("<column>",), ("<table>",)),
    "group?": (("group", "key", "key*", "having?"), ()),
    "key": (("<column>",), *_BUCKETS),
    "key*": (("key", "key*"), ()),
    "having?": (("having", "measure", "also*"), ()),
    "also*": (("and", "measure", "also*"), ("or", "measure", "also*"), ()),
    "measure": (
        *(("<column>", "weighed"), *((*each, "weighed") for each in _aggregates("argument", "counted"))),
        *_arithmetic("operand", "weighed"),
    ),
    "weighed": (*((each, "weight") for each in COMPARISONS), _BETWEEN),
    "weight": (("<value>",), _QUERY, ("fold", "<value>", *_QUERY)),
    "order?": (("asc", "value", "order*", "limit?"), ("desc", "value", "order*", "limit?"), ()),
    "order*": (("asc", "value", "order*"), ("desc", "value", "order*"), ()),
    "limit?": (("top1", "per?"), ("limit", "<value>", "per?"), ("nth", "<value>", "per?"), ()),
    "per?": (("per", "key", "key*"), ()),
    "join?": (("join", "<table>", "tables*"), ()),
    "tables*": (("<table>", "tables*"), ()),
    "set?": (*((each, "core") for each in SETS), ()),
}


@dataclass(frozen=True)
class State:
    """What is still to come, the nearest first: words, and rules for words."""

    expects: tuple[str, ...]


START = State(("whole", "end"))


@lru_cache(maxsize=50_000)
def allowed(state: State) -> frozenset[str]:
    """The words that may come next."""
    found = frozenset(word for place in _reached(state.expects) for word in _firsts(state.expects[place]))
    is_deepest = state.expects.count(")") >= _DEEPEST and state.expects[0] != "("
    return found - _NESTING if is_deepest else found


@lru_cache(maxsize=50_000)
def step(state: State, word: str) -> State:
    """The state after a word; nodes are `<column>`, `<table>` or `<value>`. A word not allowed changes nothing."""
    for place in _reached(state.expects):
        if word in _firsts(state.expects[place]):
            return State((*_after(state.expects[place], word), *state.expects[place + 1 :]))
    return state


def _reached(expects: tuple[str, ...]) -> Iterator[int]:
    """The places that the next word may belong to: the first, and those behind what may be left out."""
    for place, symbol in enumerate(expects):
        yield place
        if () not in _RULES.get(symbol, ()):
            return


@lru_cache(maxsize=1_000)
def _firsts(symbol: str) -> frozenset[str]:
    """The words that may begin what `symbol` stands for."""
    if symbol not in _RULES:
        return frozenset((symbol,))
    options = (option[place] for option in _RULES[symbol] for place in _reached(option))
    return frozenset(word for each in options for word in _firsts(each))


@lru_cache(maxsize=10_000)
def _after(symbol: str, word: str) -> _Option:
    """What is left of `symbol` after its first word."""
    for option in _RULES.get(symbol, ()):
        for place in _reached(option):
            if word in _firsts(option[place]):
                return (*_after(option[place], word), *option[place + 1 :])
    return ()

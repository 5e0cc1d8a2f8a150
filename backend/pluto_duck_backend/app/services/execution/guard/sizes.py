"""How large a value SQL can make out of constants alone, and the bound on it.

DuckDB makes one value (a repeated text, a generated list) in one step that neither `interrupt()` nor `memory_limit`
reaches, so what its arguments ask for is bounded before. Columns count as 1: what the data makes large is the
watchdog's business.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable
from typing import Any

from pluto_duck_backend.app.core.errors import Refused
from pluto_duck_backend.app.services.execution.guard import tree
from pluto_duck_backend.app.services.execution.guard.tree import Node

MAX_SIZE = 1_000_000
#   characters or elements that constants may make of one value
MAX_ROW_SIZE = 20_000
#   the same where a column makes one in every row
MAX_PATTERN = 1_000
#   characters of a regular expression, or formats of a date
MAX_STATE = 10_000
#   elements that an aggregate may keep for every group
MAX_ARRAY = 100_000
MAX_STEPS = 10_000_000
#   of work within one value: a comparison of two texts, lambdas within lambdas
MAX_BACKTRACKING = 1e9
MAX_LAMBDAS = 6
#   lambdas within one another
MAX_JSON = 1_000
MAX_DIGITS = 10_000
MAX_JSON_DEPTH = 100
MAX_OPENED = 1_000
#   of a document that the statement itself makes: DuckDB's reader follows each level on the stack
_TEXT_LENGTH = 200
#   taken for a column's text where a pattern is matched against it
_MAX_WIDTH_DIGITS = 5
_MOST = 1e30

_LISTS = {"range", "generate_series"}
# What each asks for: the positions of the arguments that say how many, from 0, and the bound.
_COUNTS: dict[str, tuple[tuple[int, ...], int]] = {
    **dict.fromkeys(("repeat", "lpad", "rpad", "list_resize", "array_resize", "bitstring"), ((1,), MAX_SIZE)),
    **dict.fromkeys(("bar", "equi_width_bins", "to_base"), ((2, 3), MAX_SIZE)),
    **dict.fromkeys(("approx_top_k", "min", "max", "min_by", "max_by", "arg_min", "arg_max"), ((1, 2), MAX_STATE)),
    **dict.fromkeys(("reservoir_quantile", "lttb"), ((2,), MAX_STATE)),
    "bitstring_agg": ((1, 2), MAX_SIZE),
}
_BINNED = {"histogram", "histogram_exact"}
_JOINING = {"||", "concat", "concat_ws", "list_concat", "list_cat", "array_concat", "array_cat", "+", "list_append"}
_REPLACING = {"replace", "regexp_replace", "translate"}
_GROWING = _JOINING | _REPLACING | {"repeat", "format", "printf", "list_prepend", "struct_pack", "row", "list_value"}
_FOLDS = {"list_reduce", "array_reduce", "reduce"}
_DISTANCES = {
    *("levenshtein", "editdist3", "damerau_levenshtein", "jaro_similarity", "jaro_winkler_similarity"),
    *("list_intersect", "list_has_any", "list_has_all", "array_intersect"),
}
_LIKES = {"~~", "!~~", "~~*", "!~~*", "like_escape", "not_like_escape", "ilike_escape", "not_ilike_escape"}


def check_sizes(name: str, function: Node) -> None:
    """Raises Refused where a call of `name` asks for more than the bounds."""
    arguments = tree.arguments(function)
    size = length(function)
    _bound(f"{name}()", size, MAX_SIZE, "characters or elements")
    if size > MAX_ROW_SIZE and _has_column(function):
        _bound(f"{name}() of a column", size, MAX_ROW_SIZE, "characters or elements in every row")
    positions, most = _COUNTS.get(name, ((), 0))
    for position in positions:
        if position < len(arguments):
            _bound(f"{name}()", _asked(arguments[position]), most, "characters or elements")
    if name in _BINNED and len(arguments) > 1:
        _bound(f"{name}()", length(arguments[1]), MAX_STATE, "bins")
    if name in ("format", "printf"):
        _check_format(name, arguments)
    _check_work(name, function, arguments)


def _has_column(function: Node) -> bool:
    """Whether it names a column; the parameters of its lambdas are none."""
    named = {str(node["column_names"][-1]) for node in tree.nodes(function) if "column_names" in node}
    lambdas = [node.get("lhs") for node in tree.nodes(function) if node.get("class") == "LAMBDA"]
    return bool(named - {str(node["column_names"][-1]) for node in tree.nodes(lambdas) if "column_names" in node})


def _asked(argument: Any) -> float:
    return largest(argument) if isinstance(tree.constant(argument), int | float | None) else 1.0


def _check_work(name: str, function: Node, arguments: list[Any]) -> None:
    """What takes long within one value, where nothing can interrupt it."""
    if name in _DISTANCES and len(arguments) > 1:
        _bound(f"{name}()", length(arguments[0]) * length(arguments[1]), MAX_STEPS, "steps")
    if name.startswith(("regexp", "string_split_regex", "str_split_regex", "strptime", "try_strptime")):
        _bound(f"{name}()", max(map(length, arguments[1:2]), default=0), MAX_PATTERN, "characters of a pattern")
    if name == "repeat" and len(arguments) > 1:
        opened = str(tree.constant(arguments[0]) or "").count("[") + str(tree.constant(arguments[0]) or "").count("{")
        _bound("repeat()", opened * largest(arguments[1]), MAX_OPENED, "brackets opened")
    if name in _LIKES and len(arguments) > 1:
        _check_pattern("LIKE", arguments, "%", "_")
    if name == "~~~" and len(arguments) > 1:
        _check_pattern("GLOB", arguments, "*", "")
    if name in _FOLDS and len(arguments) > 1:
        _check_fold(name, arguments[1])
    if _has_lambda(arguments):
        _bound(f"{name}()", steps(function), MAX_STEPS, "steps")
        _bound(f"{name}()", _lambdas(function), MAX_LAMBDAS, "lambdas within one another")
    if name.startswith(("json", "from_json")) or name in ("->", "->>", "array_to_json", "row_to_json"):
        _check_json(f"{name}()", arguments)


def _check_json(what: str, documents: list[Any]) -> None:
    """A document made of constants must not be deeper than DuckDB's stack is sure to take."""
    for each in documents:
        text = tree.constant(each)
        if isinstance(text, str):
            _bound(f"{what}", _depth(text), MAX_JSON_DEPTH, "levels")
        else:
            _bound(f"{what} of a computed text", length(each), MAX_JSON, "characters")


def _depth(text: str) -> int:
    depth = deepest = 0
    for each in text:
        depth += (each in "[{") - (each in "]}")
        deepest = max(deepest, depth)
    return deepest


def _lambdas(expression: Any) -> int:
    """How many lambdas stand within one another."""
    inner = expression if isinstance(expression, list) else list(expression.values())
    own = isinstance(expression, dict) and expression.get("class") == "LAMBDA"
    return own + max((_lambdas(each) for each in inner if isinstance(each, dict | list)), default=0)


def _check_pattern(what: str, arguments: list[Any], many: str, one: str) -> None:
    """A matcher that backtracks tries every place for every wildcard; LIKE only does so where `_` is in it too."""
    pattern = str(tree.constant(arguments[1]) or "")
    if one in pattern:
        tries = max(length(arguments[0]), _TEXT_LENGTH) ** min(pattern.count(many), 20)
        _bound(f"{what} {pattern[:40]!r}", tries, int(MAX_BACKTRACKING), "tries")


def _has_lambda(arguments: list[Any]) -> bool:
    return any(map(_is_lambda, arguments))


def _is_lambda(expression: Any) -> bool:
    return isinstance(expression, dict) and expression.get("class") == "LAMBDA"


def steps(expression: Any) -> float:
    """How often the innermost lambda runs for one row, as far as constants tell."""
    if isinstance(expression, list):
        return max((steps(each) for each in expression), default=1.0)
    if not isinstance(expression, dict):
        return 1.0
    arguments = tree.arguments(expression) if expression.get("class") == "FUNCTION" else []
    if _has_lambda(arguments):
        inside = max(steps(each.get("expr")) for each in arguments if _is_lambda(each))
        return min(length(arguments[0]) * inside, _MOST)
    return max((steps(each) for each in expression.values() if isinstance(each, dict | list)), default=1.0)


def check_cast(cast: Node) -> None:
    """Raises Refused for an array type of more cells than one value may have, and for texts too long to be parsed."""
    kind = cast.get("cast_type") or cast.get("type_expr") or {}
    _bound("An array type", _cells(kind), MAX_ARRAY, "cells")
    name = tree.type_name(kind)
    if name in ("JSON", "VARIANT"):
        _check_json(f"A cast to {name}", [cast.get("child")])
    if name in ("BIGNUM", "VARINT"):
        _bound(f"A cast to {name}", length(cast.get("child")), MAX_DIGITS, "digits")


def _cells(kind: Any) -> float:
    if not isinstance(kind, dict):
        return 1
    info = kind.get("type_info") or {}
    if info.get("type") == "ARRAY_TYPE_INFO":
        return float(info.get("size") or 1) * _cells(info.get("child_type"))
    if kind.get("class") == "TYPE":
        inner = kind.get("children") or []
        own = [largest(each) for each in inner if isinstance(each, dict) and each.get("class") == "CONSTANT"]
        size = max([1.0, *own]) if str(kind.get("type_name", "")).casefold() in ("array", "list") else 1.0
        return size * max([1.0, *(_cells(each) for each in inner)])
    return max([1.0, *(_cells(each) for each in _inner_types(info))])


def _inner_types(info: Node) -> list[Any]:
    return [info.get("child_type"), *(each.get("second") for each in info.get("child_types") or [])]


def _bound(what: str, size: float, most: int, unit: str) -> None:
    if size > most:
        told = f"{size:,.0f}" if size < _MOST else "far more"
        raise Refused(
            f"{what} asks for {told} {unit}; at most {most:,} are made.",
            code="too_large",
            hint="Ask for less; rows are made by FROM range(...), not by a list of them.",
        )


def largest(expression: Any) -> float:
    """The largest number that constants make of an expression; columns and unknown functions count as 1."""
    value = tree.constant(expression)
    if isinstance(value, bool) or value is None:
        return _computed(expression)
    try:
        return min(abs(float(value)), _MOST)
    except (TypeError, ValueError):
        return 1.0


_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a + b,
    "add": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "multiply": lambda a, b: a * b,
    "<<": lambda a, b: a * 2 ** min(b, 100),
    **dict.fromkeys(("**", "^", "pow", "power"), lambda a, b: math.exp(min(b * math.log(max(a, 1)), 69))),
}


def _computed(expression: Any) -> float:
    if not isinstance(expression, dict):
        return 1.0
    if expression.get("class") == "SUBQUERY":
        return max((largest(node) for node in tree.nodes(expression) if node.get("class") == "CONSTANT"), default=1.0)
    if expression.get("class") != "FUNCTION":
        return max([1.0, *(largest(each) for each in _operands(expression))])
    name, parts = tree.name_of(expression)[2], [largest(each) for each in tree.arguments(expression)]
    if name in _ARITHMETIC and len(parts) == 2:
        return min(_ARITHMETIC[name](*parts), _MOST)
    if name in ("factorial", "!__postfix", "gamma"):
        return _MOST if parts and parts[0] > 12 else 1.0
    if name.startswith(_HUGE):
        return _MOST
    return parts[0] if len(parts) == 1 and name in _KEEPING else 1.0


_HUGE = ("epoch", "hash", "md5_number")
_KEEPING = {"-", "+", "abs", "round", "floor", "ceil", "ceiling", "trunc", "greatest", "max"}


def _operands(expression: Node) -> list[Any]:
    """What the value of a CASE, COALESCE or cast may be."""
    found = [expression.get("child"), expression.get("else_expr"), *expression.get("children", [])]
    return [*found, *(each.get("then_expr") for each in expression.get("case_checks") or [])]


def _elements(arguments: list[Any]) -> float:
    """How many elements `range(start, stop, step)` makes, as far as constants tell."""
    if len(arguments) > 2 and not isinstance(tree.constant(arguments[2]), int | float):
        return _moments(arguments)
    step = largest(arguments[2]) if len(arguments) > 2 else 1.0
    if all(isinstance(tree.constant(each), int | float) for each in arguments[:2]) and len(arguments) > 1:
        return abs(float(tree.constant(arguments[1])) - float(tree.constant(arguments[0]))) / max(step, 1.0)
    return max((largest(each) for each in arguments[:2]), default=1.0) / max(step, 1.0)


_SECONDS = {
    "to_microseconds": 1e-6,
    "to_milliseconds": 1e-3,
    "to_seconds": 1.0,
    "to_minutes": 60.0,
    "to_hours": 3_600.0,
    "to_days": 86_400.0,
}


def _moments(arguments: list[Any]) -> float:
    """How many moments lie between two that are written out; 1 where a column says it."""
    try:
        first, last = (dt.datetime.fromisoformat(str(tree.constant(each))) for each in arguments[:2])
    except ValueError:
        return 1.0
    span = abs((last.replace(tzinfo=None) - first.replace(tzinfo=None)).total_seconds())
    step = arguments[2]
    seconds = _SECONDS.get(tree.name_of(step)[2], 86_400.0) if isinstance(step, dict) else 86_400.0
    many = max((largest(each) for each in tree.arguments(step)), default=1.0) if isinstance(step, dict) else 1.0
    return span / (seconds * max(many, 1.0))


def length(expression: Any) -> float:
    """The length of text or list that constants make of an expression; a column counts as 1."""
    value = tree.constant(expression)
    if isinstance(value, str):
        return max(len(value), 1)
    if not isinstance(expression, dict) or expression.get("class") != "FUNCTION":
        return 1.0
    name, arguments = tree.name_of(expression)[2], tree.arguments(expression)
    return min(_length_of(name, arguments), _MOST)


def _length_of(name: str, arguments: list[Any]) -> float:
    if name == "repeat" and len(arguments) == 2:
        return length(arguments[0]) * largest(arguments[1])
    if name in ("lpad", "rpad") and len(arguments) > 1:
        return largest(arguments[1])
    if name in _LISTS:
        return _elements(arguments)
    if _has_lambda(arguments):
        return length(arguments[0]) * max(length(each.get("expr")) for each in arguments if _is_lambda(each))
    if name in ("list_resize", "array_resize") and len(arguments) > 1:
        return largest(arguments[1])
    if name in _REPLACING and len(arguments) > 2:
        return length(arguments[0]) * length(arguments[2])
    if name in ("list_value", "list_pack"):
        return max(float(len(arguments)), 1.0)
    if name in _JOINING:
        return sum(length(each) for each in arguments)
    return max((length(each) for each in arguments), default=1.0)


def _check_format(name: str, arguments: list[Any]) -> None:
    """The width stands in the format itself, so that has to be written out."""
    text = tree.constant(arguments[0]) if arguments else ""
    if not isinstance(text, str):
        raise Refused(f"The format of {name}() has to be a text written out.", code="too_large")
    wide = re.search(rf"[:%.][^a-zA-Z{{}}%]*\d{{{_MAX_WIDTH_DIGITS},}}", text)
    if wide or re.search(r"%[^a-zA-Z%]*\*|\{[^}]*\{", text):
        raise Refused(f"{name}() with the format {text!r} asks for too wide a text.", code="too_large")


def _check_fold(name: str, function: Any) -> None:
    """A fold that puts its running value into itself twice doubles it with every element."""
    if not isinstance(function, dict) or function.get("class") != "LAMBDA":
        return
    running = _first_parameter(function)
    for node in tree.nodes(function.get("expr")):
        grows = node.get("class") == "FUNCTION" and tree.name_of(node)[2] in _GROWING
        if grows and sum(_mentions(each, running) for each in tree.arguments(node)) > 1:
            raise Refused(
                f"{name}() with a running value that doubles at each step is refused.",
                code="too_large",
                hint="Use the running value once.",
            )


def _first_parameter(function: Node) -> str:
    """The running value's name in `lambda running, next: …`."""
    left = function.get("lhs") or {}
    first = tree.arguments(left)[0] if left.get("class") == "FUNCTION" else left
    return str((first.get("column_names") or [""])[-1]).casefold()


def _mentions(value: Any, name: str) -> bool:
    return any(str(each["column_names"][-1]).casefold() == name for each in tree.nodes(value) if "column_names" in each)

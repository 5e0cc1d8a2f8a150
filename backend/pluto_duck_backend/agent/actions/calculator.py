"""Arithmetic, exact to 50 digits: what a model works out in its head is often wrong.

The expression is read as Python's syntax tree, of which numbers, operators and a few functions are let through; sizes
are bounded by the precision, so that nothing takes long.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Context, Decimal, DecimalException, localcontext
from typing import Annotated, Any

from pydantic import Field

from pluto_duck_backend.agent.actions.contract import Call, Details, action
from pluto_duck_backend.app.core.errors import InvalidInput

_DIGITS = Context(prec=50, Emax=10_000, Emin=-10_000)
_BINARY: Mapping[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_UNARY: Mapping[type[ast.unaryop], Callable[[Decimal], Decimal]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_FUNCTIONS: Mapping[str, Callable[..., Decimal]] = {
    "abs": abs,
    "min": min,
    "max": max,
    "sum": lambda *given: sum(given, Decimal(0)),
    "avg": lambda *given: sum(given, Decimal(0)) / len(given),
    "sqrt": lambda given: given.sqrt(),
    "ln": lambda given: given.ln(),
    "log10": lambda given: given.log10(),
    "exp": lambda given: given.exp(),
    "round": lambda given, places=Decimal(0): given.quantize(Decimal(1).scaleb(-int(places)), ROUND_HALF_UP),
}


@action("Work out numbers", "viewer", timeout_s=5)
def calculator(
    call: Call,
    expression: Annotated[
        str,
        Field(
            min_length=1, max_length=1000, description="Such as (1250.50 - 980) / 980 * 100, or round(avg(1, 2), 1)."
        ),
    ],
) -> Details:
    """Arithmetic to 50 digits: + - * / // % **, abs, min, max, sum, avg, sqrt, ln, log10, exp, round(x, places)."""
    try:
        with localcontext(_DIGITS):
            worked_out = _value(ast.parse(expression.strip(), mode="eval").body, expression)
    except DecimalException as error:
        raise _unusable(expression, type(error).__name__) from error
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError) as error:
        raise _unusable(expression, str(error) or type(error).__name__) from error
    return {"expression": expression, "result": _plain(worked_out)}


def _value(node: ast.expr, whole: str) -> Decimal:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return Decimal(ast.get_source_segment(whole.strip(), node) or str(number))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left, whole), _value(right, whole))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_value(operand, whole))
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](*(_value(each, whole) for each in given))
    raise ValueError(f"{ast.unparse(node)!r} is no number, operator or function known here")


def _plain(number: Decimal) -> str:
    """Without an exponent where it stays readable, and without zeros that say nothing."""
    short = number.normalize(_DIGITS)
    return f"{short:f}" if -30 < short.adjusted() < 50 else str(short)


def _unusable(expression: str, why: Any) -> InvalidInput:
    return InvalidInput(
        f"{expression[:100]!r} cannot be worked out: {why}.",
        code="bad_expression",
        hint=f"Numbers, + - * / // % **, parentheses and {', '.join(_FUNCTIONS)}.",
    )

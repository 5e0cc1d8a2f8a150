"""Columns as what they are computed, compared and sorted as: texts as numbers or dates, flags as 0 or 1."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from pluto_duck_text2sql.tree import Col, Expr, First
from pluto_duck_text2sql.trees import years
from pluto_duck_text2sql.trees.printing.constants import date, literal, number
from pluto_duck_text2sql.trees.printing.scope import Scope


def operand(scope: Scope, of: Expr) -> Any:
    """What is computed with: texts that are numbers as these."""
    column = scope.found(of)
    return as_number(scope, of) if column is not None and column.of_numbers else scope.sql(of)


def as_number(scope: Scope, of: Expr) -> Any:
    """A flag counts as 0 or 1, a text that holds numbers as these; anything else as it is."""
    kind = scope.kind(of)
    if kind == "text":
        return number(scope.sql(of), bool((column := scope.found(of)) and column.unit))
    return exp.cast(scope.sql(of), exp.DType.INT, copy=False) if kind == "flag" else scope.sql(of)


def as_time(scope: Scope, of: Expr) -> Any:
    """A date; a text is read as one where it is one."""
    printed = scope.sql(of)
    column = scope.found(of.of if isinstance(of, First) else of)
    if column is None or column.kind != "text":
        return printed
    if column.of_dates:
        return printed if isinstance(of, First) else date(printed, column)  # the earliest is found as a date
    return exp.TryCast(this=printed, to=exp.DataType.build("TIMESTAMP"))


def as_end(scope: Scope, of: Expr) -> Any:
    """A date as one to reckon with: none where it stands for none."""
    end = column.open_end if (column := scope.found(of)) else None
    printed = as_time(scope, of)
    if end is None:
        return printed
    return exp.Case().when(exp.LT(this=printed, expression=literal(end.day)), printed.copy(), copy=False)


def sortable(scope: Scope, of: Expr) -> Any:
    """As it is sorted and compared: texts that all are numbers, or dates, by these."""
    column = scope.found(of)
    if column is not None and column.open_end:
        return as_end(scope, of)
    return date(scope.sql(of), column) if column is not None and column.of_dates else operand(scope, of)


def holds_years(scope: Scope, of: Any) -> bool:
    """Whether a column keeps years as numbers."""
    return isinstance(of, Col) and years.holds_years(of, scope.catalog)


def holds_days(scope: Scope, of: Any) -> bool:
    """Whether a column keeps days as numbers, which sort and compare as these do."""
    column = scope.found(of)
    return column is not None and column.is_numbered and column.is_day

"""The words that trees are written in: how tables are told apart, functions, grains, units, signs."""

from __future__ import annotations

from typing import Literal, TypeAlias

TableKey: TypeAlias = tuple[str, str]


Pointer: TypeAlias = tuple[TableKey, str]
"""A column that points at the key of another table, by its own table and its name."""


Function = Literal["count", "sum", "avg", "min", "max", "median", "stddev", "quantile"]


Grain = Literal[
    "hour",
    "day",
    "week",
    "month",
    "quarter",
    "half",
    "year",
    "weekday",
    "weekday_name",
    "month_of_year",
    "quarter_of_year",
    "hour_of_day",
]


Unit = Literal["day", "workday", "hour", "minute", "second"]


Passed = Literal["week", "month", "quarter", "year"]


Operator = Literal["=", "!=", "<", "<=", ">", ">=", "like", "not like"]


SetOperator = Literal["union", "intersect", "except"]

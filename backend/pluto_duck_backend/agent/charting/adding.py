"""Which measures may be added up: sums and counts. An average of averages is nothing.

The SQL knows; where it does not say (a column taken as it is), the name does. `choice.py` stacks by it, `cutting.py`
sums the rest of a ranking by it.
"""

from __future__ import annotations

from collections.abc import Iterable

from pluto_duck_backend.agent.charting.fields import Field
from pluto_duck_backend.agent.sql_trees import trees

_ADDING_WORDS = {"sum", "total", "count", "number", "num", "n"}
_OTHER_WORDS = {"avg", "average", "mean", "median", "min", "max", "least", "greatest", "distinct", "unique", "per"}


def additive(measures: Iterable[Field], sql: str | None) -> frozenset[str]:
    """The names of the measures that may be added up."""
    made = _made_by(sql) if sql else {}
    return frozenset(
        each.name
        for each in measures
        if not each.share and made.get(each.name.casefold(), _sounds_additive(each.words))
    )


def _sounds_additive(words: Iterable[str]) -> bool:
    return bool(_ADDING_WORDS & set(words)) and not _OTHER_WORDS & set(words)


def _made_by(sql: str) -> dict[str, bool]:
    """By column: whether SUM or COUNT makes it, for those that an expression makes."""
    from sqlglot import exp

    made: dict[str, bool] = {}
    found = trees(sql)  # DuckDB ran it; what another parser makes of it is only a hint
    for alias in (alias for tree in found if tree for alias in tree.find_all(exp.Alias)):
        inner = alias.this
        while isinstance(inner, exp.Round | exp.Cast | exp.Coalesce | exp.Paren):
            inner = inner.this
        if isinstance(inner, exp.AggFunc | exp.Binary):
            is_sum = isinstance(inner, exp.Sum | exp.Count | exp.CountIf) and not isinstance(inner.this, exp.Distinct)
            made[alias.alias.casefold()] = is_sum and made.get(alias.alias.casefold(), True)
    return made

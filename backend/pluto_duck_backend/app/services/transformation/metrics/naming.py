"""What people call a metric's dimensions, as MetricFlow calls them; conditions in SQL, as its filters.

`country` is `customer__country` where one entity leads there; of several the nearest. A condition is parsed, and only
its columns become template calls: MetricFlow renders templates that could run any code, so none may come from outside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput, did_you_mean
from pluto_duck_backend.app.services.transformation.metrics.engine import Dimension, Resolved
from pluto_duck_backend.app.services.transformation.metrics.query import GRAINS, MetricQuery

_TIME = "metric_time"
_TEMPLATE = re.compile(r"\{\s*[{%#]|[}%#]\s*\}")


def resolved(asked: MetricQuery, dimensions: Sequence[Dimension]) -> Resolved:
    """The query in MetricFlow's names. Raises InvalidInput, naming what there is."""
    names = _Names(asked, dimensions)
    by = list(dict.fromkeys([*([names.group(asked.grain)] if asked.grain else []), *map(names.group, asked.by)]))
    return Resolved(
        asked.metrics,
        by,
        [names.condition(each) for each in asked.where],
        [names.order(each) for each in asked.order] or [each for each in by if each.startswith(_TIME)],
        asked.limit,
        asked.start,
        asked.end,
    )


class _Names:
    def __init__(self, asked: MetricQuery, dimensions: Sequence[Dimension]) -> None:
        self._asked = asked
        self._dimensions = dimensions

    def group(self, name: str) -> str:
        """`month`, `country`, `order_date__month`, `customer__country`."""
        if name in GRAINS:
            return f"{_TIME}__{name}"
        base, _, grain = name.rpartition("__")
        found = self._dimension(base) if grain in GRAINS and base else self._dimension(name)
        if not found.is_time:
            return found.name
        return f"{found.name}__{grain if grain in GRAINS else self._asked.grain or 'day'}"

    def order(self, name: str) -> str:
        sign, plain = ("-", name[1:]) if name.startswith("-") else ("", name)
        return sign + (plain if plain in self._asked.metrics else self.group(plain))

    def condition(self, text: str) -> str:
        """A filter, `country = 'Germany' and order_date >= '2025-01-01'`. Raises InvalidInput."""
        import sqlglot
        from sqlglot import exp
        from sqlglot.errors import SqlglotError

        if _TEMPLATE.search(text):
            raise InvalidInput(
                f"Templates are not read here: {text!r}.",
                code="bad_metric_query",
                hint="Write plain SQL: plan = 'flat'.",
            )
        try:
            parsed = sqlglot.parse_one(text, read="duckdb", into=exp.Condition)
        except SqlglotError as error:
            raise InvalidInput(f"{text!r} is no condition in SQL.", code="bad_metric_query") from error
        calls: dict[str, str] = {}
        made = parsed.transform(lambda node: self._placed(node, calls) if isinstance(node, exp.Column) else node)
        return re.sub(r"mf_(\d+)_", lambda found: calls[found[0]], made.sql(dialect="duckdb"))

    def _placed(self, column: Any, calls: dict[str, str]) -> Any:
        from sqlglot import exp

        call = _call(self._dimension("__".join(part.name for part in column.parts)))
        mark = f"mf_{len(calls)}_"
        calls[mark] = call
        return exp.column(mark)

    def _dimension(self, name: str) -> Dimension:
        fits: list[Callable[[Dimension], bool]] = [
            lambda each: each.name == name,
            lambda each: each.name.endswith(f"__{name}"),
        ]
        for fit in fits:
            found = sorted(filter(fit, self._dimensions), key=lambda each: each.path)
            nearest = [each for each in found if each.path == found[0].path]
            if len(nearest) == 1:
                return nearest[0]
            if nearest:
                raise InvalidInput(
                    f"{name!r} may be {' or '.join(each.name for each in nearest)}: say which.", code="bad_metric_query"
                )
        there = sorted(each.name for each in self._dimensions if not each.is_entity)
        raise InvalidInput(
            f"{', '.join(self._asked.metrics)} cannot be cut by {name!r}. {did_you_mean(name, there)}".rstrip(),
            code="unknown_dimension",
            hint=f"There is: {', '.join(there)}; grains: {', '.join(GRAINS)}.",
        )


def _call(dimension: Dimension) -> str:
    *path, last, name = ["", *dimension.name.split("__")]
    entities = [each for each in path if each]
    along = f", entity_path={entities}" if entities else ""
    if dimension.is_entity:
        return f"{{{{ Entity('{dimension.name}') }}}}"
    own = f"{last}__{name}" if last else name
    return (
        f"{{{{ TimeDimension('{own}', 'day'{along}) }}}}"
        if dimension.is_time
        else f"{{{{ Dimension('{own}'{along}) }}}}"
    )

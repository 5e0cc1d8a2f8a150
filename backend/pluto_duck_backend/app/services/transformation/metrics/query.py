"""What is asked of metrics, before anything is resolved."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput

GRAINS = ("day", "week", "month", "quarter", "year")


@dataclass(frozen=True)
class MetricQuery:
    """`metrics` by dimensions, over the days from `start` to `end` (both within), where every condition holds.

    A dimension is `country`, `customer__country`, a grain (`month`), or `order_date__month`; `order` are names of these
    or of metrics, with `-` before those that fall. `grain` cuts the metrics' own time.
    """

    metrics: tuple[str, ...]
    by: tuple[str, ...] = ()
    grain: str | None = None
    where: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    limit: int | None = None
    start: dt.date | None = None
    end: dt.date | None = None

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> MetricQuery:
        """As JSON has it. Raises InvalidInput."""
        metrics, by, where, order = (tuple(data.get(name) or ()) for name in ("metrics", "by", "where", "order"))
        if not metrics:
            raise InvalidInput("No metric is named.", code="bad_metric_query", hint="`pluto-duck metrics list`.")
        grain = data.get("grain")
        if grain and grain not in GRAINS:
            raise InvalidInput(f"No grain {grain!r}. Grains: {', '.join(GRAINS)}.", code="bad_metric_query")
        start, end = _day(data.get("start")), _day(data.get("end"))
        return cls(metrics, by, grain, where, order, data.get("limit"), start, end)


def _day(value: Any) -> dt.date | None:
    try:
        return dt.date.fromisoformat(value) if isinstance(value, str) else value
    except ValueError as error:
        raise InvalidInput(f"{value!r} is no day such as 2025-01-31.", code="bad_metric_query") from error

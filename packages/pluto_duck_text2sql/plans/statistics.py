"""Statistics of a part's rows as SQL: what DuckDB's own aggregates find, with intervals that say how sure it is.

Intervals are at 95 %: of a correlation by Fisher's transformation, of a difference of means by Welch's standard error.
Both take the normal distribution, so they are for some thirty rows or more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import NormalDist

from pluto_duck_text2sql.plans.composing import quoted

_Z = round(NormalDist().inv_cdf(0.975), 6)
FEW = 30
#   rows below which the intervals are too narrow


def correlation(part: str, x: str, y: str) -> str:
    """One row: how `y` goes with `x`, from -1 to 1, and the line through them."""
    x, y = quoted(x), quoted(y)
    return f"""WITH fitted AS (
  SELECT corr({y}, {x}) AS correlation, regr_slope({y}, {x}) AS slope, regr_count({y}, {x}) AS n FROM {part}
)
SELECT correlation,
  CASE WHEN n > 3 AND abs(correlation) < 1 THEN tanh(atanh(correlation) - {_Z} / sqrt(n - 3)) END AS low_95,
  CASE WHEN n > 3 AND abs(correlation) < 1 THEN tanh(atanh(correlation) + {_Z} / sqrt(n - 3)) END AS high_95,
  slope, n AS pairs
FROM fitted"""


def difference(part: str, group: str, value: str) -> str:
    """A row for each two groups: their means, the difference, and whether its interval leaves out 0."""
    group, value = quoted(group), quoted(value)
    return f"""WITH groups AS (
  SELECT {group} AS name, count({value}) AS n, avg({value}) AS mean, var_samp({value}) / count({value}) AS spread
  FROM {part} WHERE {group} IS NOT NULL GROUP BY ALL
), compared AS (
  SELECT a.name AS first, b.name AS second, a.mean AS first_mean, b.mean AS second_mean, a.n AS first_rows,
    b.n AS second_rows, a.mean - b.mean AS difference, {_Z} * sqrt(a.spread + b.spread) AS margin
  FROM groups AS a JOIN groups AS b ON a.name < b.name
)
SELECT first, second, first_mean, second_mean, difference, difference - margin AS low_95,
  difference + margin AS high_95, abs(difference) > margin AS is_significant, first_rows, second_rows
FROM compared ORDER BY first, second"""


def outliers(part: str, value: str) -> str:
    """The rows beyond one and a half times the middle half's width (Tukey's fences), the farthest first."""
    value = quoted(value)
    return f"""WITH quartiles AS (
  SELECT quantile_cont({value}, 0.25) AS q1, quantile_cont({value}, 0.75) AS q3, median({value}) AS middle FROM {part}
)
SELECT {part}.*, q1 - 1.5 * (q3 - q1) AS low_fence, q3 + 1.5 * (q3 - q1) AS high_fence
FROM {part}, quartiles
WHERE {value} < q1 - 1.5 * (q3 - q1) OR {value} > q3 + 1.5 * (q3 - q1)
ORDER BY abs({value} - middle) DESC"""


def summary(part: str, value: str) -> str:
    """One row: how the values are spread."""
    value = quoted(value)
    return f"""SELECT count({value}) AS n, avg({value}) AS mean, stddev_samp({value}) AS deviation,
  min({value}) AS lowest,
  quantile_cont({value}, 0.25) AS lower_quartile, median({value}) AS median,
  quantile_cont({value}, 0.75) AS upper_quartile, max({value}) AS highest
FROM {part}"""


STATISTICS: dict[str, tuple[Callable[..., str], Sequence[str]]] = {
    "correlation": (correlation, ("step", "x", "y")),
    "difference": (difference, ("step", "group", "value")),
    "outliers": (outliers, ("step", "value")),
    "summary": (summary, ("step", "value")),
}
"""By name: the function and what it is given."""

"""`what explains the drop in revenue in March 1998`: both periods' figures by each dimension, largest changes first.

It shows where a change is, which is not why there is one; the answer says so.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.plans.composing import with_columns
from pluto_duck_text2sql.plans.readings import Readings, figure, listed, planned
from pluto_duck_text2sql.tree import Agg, Col, Compare, Cond, During, Query

_FALL = "drop|decline|fall|decrease|dip|loss"
_RISE = "rise|increase|growth|jump|gain"
PATTERNS = (
    Pattern(
        r"\b(?:explains?|explained|drove|drives|caused|contributed (?:most |the most )?to|accounts? for|is behind|was"
        rf" behind) (?:the )?(?P<move>{_FALL}|{_RISE}|change) (?:in|of) (?:the )?(?P<what>.+?)"
        r" (?P<period>(?:in|during|for|of) .+)$",
        re.IGNORECASE,
    ),
)
_MOST_DIMENSIONS, _MOST_KINDS, _MOST_STEPS, _SHOWN = 5, 40, 2, 10


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """The total before and in the period, the same by each dimension, and the largest changes of all."""
    for asked in (f"total {found['what']} {found['period']}", f"number of {found['what']} {found['period']}"):
        base = readings.of(asked)
        total = figure(base, ("sum", "count"))
        during = [each for each in base.tree.where if isinstance(each, During)] if base else []
        if base and total and len(during) == 1 and isinstance(during[0].left, Col):
            return _planned(found, base, total, during[0], readings)
    return None


def _planned(found: re.Match[str], base: Candidate, total: Agg, now: During, readings: Readings) -> Candidate | None:
    before = _before(now)
    figures = (replace(total, where=(before,)), replace(total, where=(now,)))
    rest = tuple(each for each in base.tree.where if each is not now)
    whole = replace(listed(base.tree, *figures), where=(*rest, replace(now, start=before.start)))
    grouped = [
        (each, readings.sql(replace(whole, select=(each, *figures), group=(each,))))
        for each in _dimensions(whole, rest, readings)
    ]
    by = [(each, text) for each, text in grouped if text]
    sql = readings.sql(whole)
    if sql is None or not by:
        return None
    parts = [
        Part("total", f"{found['what']} before and in it", with_columns(sql, "before", "after")),
        *(_part(each, text) for each, text in by),
    ]
    told = [f"Compared with {before.start} to {before.end - dt.timedelta(days=1)}.", *_moved(found, sql, readings)]
    told.append("This shows where the change is, not why it came.")
    return planned([base], f"Largest changes of {found['what']} {found['period']}", parts, _largest(by), told)


def _part(by: Col, sql: str) -> Part:
    """The figure before and after for each value of a column."""
    return Part(_name(by), f"by {by.table[1]}.{by.name}", with_columns(sql, "value", "before", "after"))


def _largest(by: Sequence[tuple[Col, str]]) -> str:
    """The largest changes of all parts."""
    changes = "\nUNION ALL\n".join(_changes(each) for each, _ in by)
    return f"SELECT * FROM (\n{changes}\n) AS changes ORDER BY abs(change) DESC, dimension, value LIMIT {_SHOWN}"


def _before(now: During) -> During:
    """The period of the same length before: the month before a month, the year before a year."""
    months = (now.end.year - now.start.year) * 12 + now.end.month - now.start.month
    if now.start.day == 1 and now.end.day == 1 and months > 0:
        first = now.start.year * 12 + now.start.month - 1 - months
        return replace(now, start=dt.date(first // 12, first % 12 + 1, 1), end=now.start)
    return replace(now, start=now.start - (now.end - now.start), end=now.start)


def _dimensions(whole: Query, rest: tuple[Cond, ...], readings: Readings) -> list[Col]:
    """Text columns of few values, of the table itself or of one that its rows belong to; the nearest first.

    Of those that name a table's every row one is enough.
    """
    fixed = {each.left for each in rest if isinstance(each, Compare)}
    found = [each for each in _reachable(whole, readings) if each[2] not in fixed]
    return [column for _, _, column in sorted(found, key=lambda each: each[:2])][:_MOST_DIMENSIONS]


def _reachable(whole: Query, readings: Readings) -> Iterator[tuple[int, int, Col]]:
    for table in readings.catalog.tables:
        steps = readings.joins.tree(whole.anchor, [table.key])
        if steps is None or len(steps) > _MOST_STEPS or any(step.multiplies for step in steps):
            continue
        kinds = [each for each in table.columns if each.kind == "text" and 2 <= (each.n_distinct or 0) <= _MOST_KINDS]
        names = [each for each in kinds if each.n_distinct == table.row_count]
        for column in kinds:
            if column not in names[1:]:
                yield len(steps), column.n_distinct or 0, Col(table.key, column.name)


def _name(column: Col) -> str:
    return re.sub(r"\W+", "_", f"by_{column.table[1]}_{column.name}".lower())


def _changes(column: Col) -> str:
    said = f"{column.table[1]}.{column.name}".replace("'", "''")
    return (
        f"SELECT '{said}' AS dimension, CAST(value AS VARCHAR) AS value, coalesce(before, 0) AS before,"
        " coalesce(after, 0) AS after, coalesce(after, 0) - coalesce(before, 0) AS change,"
        " (coalesce(after, 0) - coalesce(before, 0)) / nullif((SELECT after - before FROM total), 0) AS share_of_change"
        f" FROM {_name(column)}"
    )


def _moved(found: re.Match[str], sql: str, readings: Readings) -> list[str]:
    """What is said where the figure did not go the way that the question says."""
    rows = readings.run(sql) if readings.run else []
    before, after = rows[0] if rows and len(rows[0]) == 2 else (None, None)
    if before is None or after is None:
        return []
    move = found["move"].casefold()
    is_other = (move in _FALL.split("|") and after >= before) or (move in _RISE.split("|") and after <= before)
    return [f"There was no {move}: {before:,.2f} before, {after:,.2f} in it."] if is_other else []

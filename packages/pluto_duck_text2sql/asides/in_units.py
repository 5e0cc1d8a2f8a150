"""Figures in a unit that the question says: `average duration in minutes`, `how many weeks does a repair take`.

Called by `asides`, which takes the unit out of a question, and by follow-ups that say a unit alone (`in weeks`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast, get_args

from pluto_duck_text2sql.asides.aside import Aside
from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.tree import (
    Col,
    Days,
    Expr,
    Number,
    Query,
    Ratio,
    Unit,
    columns_in,
    is_total,
    mapped,
    nodes_in,
)
from pluto_duck_text2sql.trees.units import DAYS_OF, per_unit, scale_of, unit_said

_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_UNITS = "seconds|minutes|hours|days|weeks|months|years|thousands?|millions?|billions?"
_UNIT = Pattern(
    r",? ?\(?\b(?:(?:given|shown|measured) )?in"
    rf" (?P<unit>{_UNITS})"
    r"(?: of (?:dollars|euros|pounds))?\b\)?(?=[,.;:?!]|$| (?:by|per|for|of|from|over|in|on|and|across|with|during)\b)",
    re.IGNORECASE,
)
_SO_LONG = Pattern(
    r"\b(?P<asks>how many|(?:the )?(?:average |mean )?number of) (?P<unit>weeks|months|years)"
    r"(?= (?:on average )?(?:does|do|did|is|are|was|were|has|have|had|it|between|from|until|passed?|went|lie)\b)",
    re.IGNORECASE,
)
"""`how many weeks does a repair take`: where the answer is a span."""


ALONE = Pattern(
    r"^\W*(?:(?:and|now|please|show|give|tell|the same|it|that|this|them|me) )*in"
    rf" (?P<unit>{_UNITS})(?: instead| please)?\W*$",
    re.IGNORECASE,
)
"""A follow-up that says a unit and nothing else."""


def mean_length(unit: str) -> tuple[str, ...]:
    """What is assumed of a unit: how long a month is."""
    days = DAYS_OF.get(unit, 0)
    return (f"{unit.capitalize()} are of {days:g} days, their mean.",) if days % 1 else ()


class InUnits:
    """Puts the figures of trees over one catalog into units."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def aside(self, question: str) -> Aside | None:
        """`average duration in minutes`, `how many weeks does a repair take`."""
        found = _UNIT.search(question) or _SO_LONG.search(question)
        if found is None:
            return None
        kept = f"{found['asks']} days" if "asks" in found.groupdict() else ""
        text = tidy(f"{question[: found.start()]}{kept}{question[found.end() :]}")
        unit = found["unit"].lower()
        return Aside(text, lambda query: self.changed(query, unit), mean_length(unit))

    def changed(self, query: Query, unit: str) -> Query | None:
        """The query with its figures in a unit; None where no figure's own unit is known."""
        query = _in_days(query)
        if any(isinstance(each, Days) and f"{each.unit}s" == unit for each in nodes_in(query.select)):
            return query
        return _in_longer(query, DAYS_OF[unit]) if unit in DAYS_OF else self._converted(query, unit)

    def _converted(self, query: Query, unit: str) -> Query | None:
        spans: Query = mapped(query, lambda each: _in_shorter(each, unit))
        if spans != query:
            return spans
        totals = [each for each in query.select if is_total(each)]
        shown = totals or [each for each in query.select if isinstance(each, Col)]
        told = (*shown, *(each.by for each in query.order))
        columns = [each for figure in told for each in columns_in(figure) if isinstance(each, Col)]
        if any(stem(unit) in name_stems(each.name) or self._is_kept_in(unit, each) for each in columns):
            return None  # `damage in millions`, kept as `damage_millions`
        if any(self._is_in(unit, each) for each in columns):
            return query  # `duration in minutes`, kept as `duration_min`
        sizes = {each: self._size(each, unit) for each in shown}
        made: dict[Expr, Expr] = {each: Ratio(each, Number(size)) for each, size in sizes.items() if size}
        if not made:
            return None
        order = tuple(replace(each, by=made.get(each.by, each.by)) for each in query.order)
        return replace(query, select=tuple(made.get(each, each) for each in query.select), order=order)

    def _is_in(self, unit: str, column: Col) -> bool:
        kept = self._column(column)
        return kept is not None and kept.kind == "number" and per_unit(unit_said(unit), kept) == 1

    def _is_kept_in(self, unit: str, column: Col) -> bool:
        """Whether a column holds thousands already: `budget_kusd`."""
        kept, scale = self._column(column), _SCALES.get(unit.removesuffix("s"))
        return kept is not None and scale is not None and scale_of(kept) == scale

    def _size(self, figure: Expr, unit: str) -> float | None:
        """How many of what a figure is in are one of the unit."""
        scale = _SCALES.get(unit.removesuffix("s"))
        columns = [self._column(each) for each in columns_in(figure) if isinstance(each, Col)]
        kept = [each for each in columns if each and each.kind == "number"]
        if scale:
            return scale if kept else None
        sizes = {per_unit(unit_said(unit), each) for each in kept}
        size = sizes.pop() if len(sizes) == 1 else None
        return size if size and size != 1 else None

    def _column(self, column: Col) -> Column | None:
        return self._catalog.column(*column.table, column.name)


def _in_shorter(node: object, unit: str) -> object:
    """The days between two moments in hours, minutes or seconds."""
    kind = cast(Unit, unit.removesuffix("s"))
    return replace(node, unit=kind) if isinstance(node, Days) and kind in get_args(Unit) else node


def _in_days(query: Query) -> Query:
    """The query with spans in days that it shows in weeks or longer."""

    def put(node: object) -> object:
        bottom = node.bottom if isinstance(node, Ratio) and _has_spans(node) else None
        is_longer = isinstance(bottom, Number) and bottom.value in DAYS_OF.values()
        return node.top if is_longer and isinstance(node, Ratio) else node

    made: Query = mapped(query, put, (Ratio,))
    return made


def _in_longer(query: Query, days: float) -> Query | None:
    """The spans of days that a query shows in units of so many days; None where it shows none."""
    made: dict[Expr, Expr] = {each: Ratio(each, Number(days)) for each in query.select if _has_spans(each)}
    order = tuple(replace(each, by=made.get(each.by, each.by)) for each in query.order)
    return replace(query, select=tuple(made.get(each, each) for each in query.select), order=order) if made else None


def _has_spans(node: object) -> bool:
    """Whether spans of days are in it."""
    return any(isinstance(each, Days) and each.unit == "day" for each in nodes_in(node))

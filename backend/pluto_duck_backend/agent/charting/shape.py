"""A result's shape: what tells its rows apart (dimensions), what is measured of each, and where it lies.

`choice.py` chooses by it. Columns that repeat what another says (the id beside a name) or that say one thing
throughout are no part of the shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pluto_duck_backend.agent.charting.fields import Field, read_fields
from pluto_duck_backend.agent.charting.times import shown

_NAME_PARTS = {"first", "last", "given", "family", "middle", "sur", "surname", "forename", "firstname", "lastname"}
_MOST_ORDERED = 31
_MOST_GROUPS = 8
_AGGREGATES = {"sum", "avg", "average", "mean", "total", "max", "min", "count", "number", "num", "of", "n", "the"}
_SPREAD_OF_STEPS = 3


@dataclass(frozen=True)
class Shape:
    """What `choice.py` looks at."""

    n_rows: int
    dimensions: tuple[Field, ...]
    #   times, orders and categories, in the result's order
    measures: tuple[Field, ...]
    #   the one that the question names first, or the rows are ordered by, comes first
    place: tuple[Field, Field] | None
    #   longitude and latitude
    labels: tuple[Field, ...]
    #   what names a row: for the tooltip of a point

    @property
    def time(self) -> Field | None:
        return next((each for each in self.dimensions if each.role == "time"), None)

    @property
    def is_keyed(self) -> bool:
        """Whether the dimensions tell all rows apart, so that a mark stands for one row."""
        return _tells_apart(self.dimensions, self.n_rows)


def shape_of(question: str, columns: Sequence[dict[str, str]], rows: Sequence[Sequence[Any]]) -> Shape:
    """The shape of a result as its question wants it read."""
    fields = [each for each in read_fields(columns, rows) if each.role not in ("constant", "other")]
    lat = next((each for each in fields if each.role == "latitude"), None)
    lon = next((each for each in fields if each.role == "longitude"), None)
    dimensions = _without_repeats(_named([each for each in fields if each.role in ("time", "order", "category")]))
    measures = [each for each in fields if each.role == "measure"]
    labels = tuple(dimensions)
    if not dimensions:
        dimensions = [_as_category(each) for each in fields if each.role == "identifier"][:1]
    if not (lat and lon):
        dimensions, measures = _with_counted_groups(dimensions, measures, len(rows))
    return Shape(
        len(rows),
        tuple(dimensions),
        tuple(_by_interest(question, measures)),
        (lon, lat) if lat and lon else None,
        labels,
    )


def _as_category(field: Field) -> Field:
    return replace(field, role="category", values=tuple(None if each is None else str(each) for each in field.values))


def _named(fields: list[Field]) -> list[Field]:
    """First and last name are one name."""
    parts = [each for each in fields if each.role == "category" and _NAME_PARTS & set(each.words)]
    if len(parts) < 2:
        return fields
    joined = (
        " ".join(str(value) for value in values if value is not None)
        for values in zip(*(part.values for part in parts), strict=True)
    )
    whole = Field("+".join(part.name for part in parts), "VARCHAR", "category", tuple(joined))
    return [whole if each is parts[0] else each for each in fields if each not in parts[1:]]


def _without_repeats(fields: list[Field]) -> list[Field]:
    """Without names that merely go along with one that tells the rows apart already."""
    naming = next(
        (each for each in fields if each.role == "category" and each.is_unique and len(each.values) > 1), None
    )
    crossing = [each for each in fields if each is naming or each.role != "category"]
    return crossing if naming and len(fields) == 2 else fields


def _with_counted_groups(
    dimensions: list[Field], measures: list[Field], n_rows: int
) -> tuple[list[Field], list[Field]]:
    """Whole numbers that group rows (a class, a rating, a number of items) are dimensions, not measures."""
    if len(measures) < 2 or _tells_apart(dimensions, n_rows):
        return dimensions, measures
    for field in measures:
        if field.is_whole and not field.has_negative and _groups(field, dimensions, measures, n_rows):
            rest = [each for each in measures if each is not field]
            return [replace(field, role="order"), *dimensions], rest
    return dimensions, measures


def _groups(field: Field, dimensions: list[Field], measures: list[Field], n_rows: int) -> bool:
    if len(field.known) < n_rows or not field.known:
        return False
    if not dimensions and field is measures[0] and field.is_unique:
        steps = max(field.known) - min(field.known) + 1
        return n_rows <= _MOST_ORDERED and steps <= _SPREAD_OF_STEPS * n_rows
    is_small = len(field.distinct) <= _MOST_GROUPS
    if dimensions:
        return is_small and _tells_apart([*dimensions, field], n_rows)
    return is_small and len(measures) > 2 and n_rows > _SPREAD_OF_STEPS * len(field.distinct)


def _tells_apart(dimensions: Sequence[Field], n_rows: int) -> bool:
    return bool(dimensions) and len(set(zip(*(each.values for each in dimensions), strict=True))) == n_rows


def _by_interest(question: str, measures: list[Field]) -> list[Field]:
    """The measure that the question names first comes first; else the one that the rows are ordered by."""
    text = question.casefold()
    named = [(_named_at(text, each), n) for n, each in enumerate(measures)]
    if any(at < len(text) for at, _ in named):
        return [measures[n] for _, n in sorted(named)]
    return sorted(measures, key=lambda each: not is_sorted(each)) if measures else []


def _named_at(text: str, field: Field) -> int:
    """Where the question names a column, by the beginning of one of its own words."""
    own = [word for word in field.words if word not in _AGGREGATES]
    places = [text.find(word[: max(4, len(word) - 2)]) for word in own]
    return min((place for place in places if place >= 0), default=len(text))


def is_sorted(field: Field) -> bool:
    """Whether the rows are in the order of this column, up or down."""
    known = field.known
    if len(known) < 3 or len(field.distinct) < 2:
        return False
    return list(known) in (sorted(known), sorted(known, reverse=True))


def text_of(field: Field, value: Any) -> str:
    """A dimension's value as a label."""
    if value is None:
        return "(none)"
    if field.role == "time":
        return shown(value, field.grain)
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)

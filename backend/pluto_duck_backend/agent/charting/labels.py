"""Words and number formats of a chart: titles from column names, d3 formats from the values really there."""

from __future__ import annotations

from pluto_duck_backend.agent.charting.fields import Field

_SPOKEN = {
    "sum": "Total",
    "avg": "Average",
    "mean": "Average",
    "max": "Greatest",
    "min": "Least",
    "count": "Number of",
    "n": "Number of",
    "num": "Number of",
}
_SHORT = {"pct": "percent", "qty": "quantity", "amt": "amount", "num": "number"}
_ALONE = {"n": "Count", "count": "Count", "sum": "Sum", "avg": "Average", "num": "Count"}
_LARGE = 10_000
_THOUSAND = 1_000
_TEN = 10
_SMALL = 1
_TENTH = 0.1


def title_of(field: Field) -> str:
    """A column's name in words: `sum_revenue` is Total revenue."""
    return title_of_name(field.name)


def title_of_name(name: str) -> str:
    """See `title_of`."""
    parts = name.replace("+", " and ").replace("_", " ").split()
    first, _, rest = " ".join([*parts[:1], *(_SHORT.get(part.casefold(), part) for part in parts[1:])]).partition(" ")
    if first.casefold() in _ALONE and not rest:
        return _ALONE[first.casefold()]
    said = _SPOKEN.get(first.casefold(), first)
    spoken = rest if rest.casefold().startswith(said.casefold()) else f"{said} {rest}".strip()
    return spoken[:1].upper() + spoken[1:]


def axis_format(field: Field) -> str:
    """Ticks: short, so that they can be read at a glance."""
    if field.share == "of one":
        return ".0%"
    largest = max(map(abs, field.known), default=0)
    if largest >= _LARGE:
        return "~s"
    return ",~g" if largest < _SMALL else ",~f"


def bar_format(field: Field) -> str:
    """Values at the ends of bars: as many digits for all, and no more than the bars tell apart."""
    largest = max(map(abs, field.known), default=0)
    if field.share == "of one":
        return ".0%" if largest > _TENTH else ".1%"
    if largest >= _LARGE:
        return ".3~s"
    if largest >= _THOUSAND or all(float(value).is_integer() for value in field.known):
        return ",.0f"
    return ".1f" if largest >= _TEN else ".3~g"


def value_format(field: Field) -> str:
    """Values that stand alone: all digits that say something."""
    if field.share == "of one":
        return ".1%"
    largest = max(map(abs, field.known), default=0)
    if all(float(value).is_integer() for value in field.known) or largest >= _LARGE:
        return ",.0f"
    return ",.2f" if largest >= _SMALL else ".3~g"


def inside(title: str) -> str:
    """A title within a sentence: its first letter small, unless it is an abbreviation."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]

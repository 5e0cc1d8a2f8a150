"""Dates, grains and periods: in Q3 2012, the past 90 days, since March 2013; years and quarters to compare."""

from __future__ import annotations

import datetime as dt

from pluto_duck_text2sql.learned.line import Val, Word
from pluto_duck_training.synthetic.roles import Place
from pluto_duck_training.synthetic.slots.draw import Condition, Draw, Slot, Unfit, role
from pluto_duck_training.synthetic.slots.sayings import KINDS, LONG, MONTHS, two_quarters, two_years

_PERSONAL = frozenset(("birth", "born", "hire", "hir"))


@role("d")
def _date(draw: Draw) -> Slot:
    """The date that the fact happened on; now and then another of its dates, which is then named."""
    place, _ = _chosen(draw)
    noun = draw.namer.date(place)
    return Slot({"": [place.col]}, {"": (noun,)}, noun)


def _chosen(draw: Draw) -> tuple[Place, bool]:
    if draw.date is None:
        dates = [each for each in draw.fact.dates if not _PERSONAL & set(each.stems)]
        dates = dates or _dates_above(draw)
        place = draw.pick(dates)
        place = dates[0] if draw.rng.random() < 0.85 else place
        draw.used.add(place.col)
        draw.date = place, place is not dates[0]
    return draw.date


def _dates_above(draw: Draw) -> list[Place]:
    """The dates of the nearest fact above: of the order that a line belongs to."""
    least = (draw.fact.table.row_count or 0) / 5
    facts = [each for each in draw.above[1:] if each.parents and each.dates and (each.table.row_count or 0) >= least]
    return list(facts[0].dates) if facts else []


def bounds(draw: Draw) -> tuple[dt.date, dt.date]:
    """The first and last day that there are. Raises Unfit."""
    place, _ = _chosen(draw)
    low, high = place.column.minimum, place.column.maximum
    low, high = (each.date() if isinstance(each, dt.datetime) else each for each in (low, high))
    if not isinstance(low, dt.date) or not isinstance(high, dt.date) or (high - low).days < 60:
        raise Unfit("too few days")
    return low, high


@role("g")
def _grain(draw: Draw) -> Slot:
    """A grain that cuts the data into a readable number of buckets."""
    low, high = bounds(draw)
    days = (high - low).days
    grains = ["month"] * 4 + ["quarter"] * 2 + ["year"] * 2 * (days > 800) + ["week"] * (days < 1500)
    return _of_grain(draw, draw.rng.choice(grains))


@role("gy")
def _grain_of_years(draw: Draw) -> Slot:
    """A grain that has the same bucket a year earlier."""
    low, high = bounds(draw)
    if (high - low).days < 800:
        raise Unfit("too few years")
    return _of_grain(draw, draw.rng.choice(("month", "quarter")))


@role("year")
def _year_grain(draw: Draw) -> Slot:
    """Years, where there are some."""
    low, high = bounds(draw)
    if high.year - low.year < 2:
        raise Unfit("too few years")
    return _of_grain(draw, "year")


def _of_grain(draw: Draw, grain: str) -> Slot:
    place, named = _chosen(draw)
    of = f" of {draw.namer.date(place)}"
    ways = ("by {}", "per {}", "for each {}", "by {}", "for every {}")
    by = tuple(each.format(grain) for each in ways)
    says = {"": (grain,), "by": tuple(each + of for each in by) if named else by, "many": (grain + "s",)}
    if not named:
        says["ly"] = ({"month": "monthly", "quarter": "quarterly", "year": "yearly", "week": "weekly"}[grain],)
        says["over"] = (f"{grain} over {grain}", f"{grain} on {grain}", f"{grain}-over-{grain}")
    return Slot({"": [grain]}, says, grain)


@role("weekday", "month_of_year", "hour")
def _cycle(draw: Draw) -> Slot:
    """Nothing but the date is needed; hours want a time of day."""
    place, named = _chosen(draw)
    if named or ("hour" in draw.names and "TIMESTAMP" not in place.column.type):
        raise Unfit("no time of day")
    return Slot({"": []}, {})


@role("per")
def _period(draw: Draw) -> Slot:
    """A period that the data has something of."""
    condition = period(draw)
    return Slot({"": condition.words}, {"": condition.said})


def period(draw: Draw) -> Condition:
    """A condition on the date, of some length where buckets of time are asked for. Raises Unfit."""
    low, high = bounds(draw)
    place, named = _chosen(draw)
    is_cut = bool({"g", "gy", "year"} & set(draw.names))
    said = draw.rng.choice(LONG if is_cut else KINDS)(draw, low, high)
    words: list[Word] = [place.col, "during", Val(said)]
    if " and 20" in said and not said.startswith("between"):
        first, second = said.removeprefix("in ").split(" and ")
        words = [place.col, "between", Val(first), Val(second)]
    if not named:
        return Condition(words, (said,), is_period=True)
    verb = draw.namer.participle(place)
    way = f"with {draw.namer.date(place)} {said}"
    return Condition(words, (f"{verb} {said}", f"{verb} {said}", way) if verb else (way,), is_period=True)


@role("p1", "p2")
def _pair(draw: Draw) -> Slot:
    """Two periods to compare, the earlier one first: years mostly."""
    low, high = bounds(draw)
    place, named = _chosen(draw)
    if named or high.year - low.year < 1:
        raise Unfit("too few years")
    both = draw.rng.choice((two_years, two_years, two_quarters))(draw, low, high)
    for name, said in zip(("p1", "p2"), both, strict=True):
        draw.put(name, Slot({"": [place.col, "during", Val(said)]}, {"": (said,)}, said))
    return draw.slot(next(each for each in draw.names if each in ("p1", "p2")))


@role("day_name", "month_name")
def _name_of_day(draw: Draw) -> Slot:
    """A weekday, or a month without a year."""
    _chosen(draw)
    number = draw.rng.randint(1, 7)
    days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
    if "day_name" in draw.names:
        return Slot({"": [Val(float(number))]}, {"": (days[number - 1],)})
    number = draw.rng.randint(1, 12)
    return Slot({"": [Val(float(number))]}, {"": (MONTHS[number - 1],)})


@role("d1", "d2")
def _span(draw: Draw) -> Slot:
    """Two dates of the fact, the earlier one first."""
    pairs = [(a, b) for a in draw.fact.dates for b in draw.fact.dates if a is not b and _follows(a, b)]
    for name, place in zip(("d1", "d2"), draw.pick(pairs), strict=True):
        draw.used.add(place.col)
        said = draw.namer.date(place)
        verb = draw.namer.participle(place)
        says: dict[str, tuple[str, ...]] = {"": (said,), "the": (f"the {said}",), "ed": (verb,) if verb else ()}
        draw.put(name, Slot({"": [place.col]}, says, said))
    return draw.slot(next(each for each in draw.names if each in ("d1", "d2")))


def _follows(first: Place, second: Place) -> bool:
    """Whether the second date comes after the first, by the least and the greatest of both."""
    low, high, low2, high2 = first.column.minimum, first.column.maximum, second.column.minimum, second.column.maximum
    same = type(low) is type(low2) and not _PERSONAL & {*first.stems, *second.stems}
    return same and low <= low2 and high <= high2 and (low, high) != (low2, high2)


@role("c1", "c2", "r1", "r2")
def _cohort(draw: Draw) -> Slot:
    """A period early in the data, and the one after it."""
    low, high = bounds(draw)
    _, named = _chosen(draw)
    if named:
        raise Unfit("another date than the main one")
    quarters = draw.rng.random() < 0.5
    middle = low + (high - low) / 2
    first, second = two_quarters(draw, low, middle) if quarters else (str(low.year), str(low.year + 1))
    for name, said in (("c1", first), ("c2", second)):
        draw.put(name, Slot({"": [Val(said)]}, {"": (said, f"in {said}"), "in": (f"in {said}",), "bare": (said,)}))
    return draw.slot(next(each for each in draw.names if each in ("c1", "c2")))

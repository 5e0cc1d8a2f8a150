"""Numbers: how many are wanted, thresholds that the data bears out, multiples, and what compares with them."""

from __future__ import annotations

from typing import Any

from pluto_duck_text2sql.learned.line import Val
from pluto_duck_text2sql.learned.sketch import to_query
from pluto_duck_text2sql.trees.render import render
from pluto_duck_training.synthetic.roles import Place
from pluto_duck_training.synthetic.slots.draw import Draw, Slot, Unfit, role, value

_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_SPECIAL = {24: "two dozen", 36: "three dozen", 12: "a dozen", 20: "twenty", 50: "fifty", 100: "a hundred"}
_ORDINALS = {2: ("second",), 3: ("third",), 4: ("fourth",), 5: ("fifth",)}
_OPERATORS = {
    ">": (("more than", "over", "above"), ("above", "over", "more than", "greater than", "higher than", "exceeding")),
    ">=": (("at least", "no fewer than", "not less than"), ("at least", "no less than", "of at least")),
    "<": (("fewer than", "less than", "under"), ("below", "under", "less than", "lower than")),
    "<=": (("at most", "no more than", "not more than"), ("at most", "no more than", "up to")),
}
_FOLDS = {2: ("twice", "two times"), 3: ("three times", "3 times"), 1.5: ("1.5 times",), 5: ("five times", "5 times")}


@role("n")
def _wanted(draw: Draw) -> Slot:
    """How many rows of a list are wanted."""
    number = draw.rng.choice((2, 3, 3, 3, 4, 5, 5, 5, 6, 7, 8, 10, 10, 12, 15, 20))
    return Slot({"": value(float(number))}, {"": spoken(number)})


@role("k")
def _few(draw: Draw) -> Slot:
    """How many rows an entity has to have."""
    number = draw.rng.choice((2, 2, 3, 3, 4, 5, 6, 8, 10, 12, 20, 24))
    return Slot({"": value(float(number))}, {"": spoken(number)})


@role("nth")
def _ordinal(draw: Draw) -> Slot:
    """Which of a list is wanted, not the first."""
    number = draw.rng.choice((2, 2, 2, 3, 3, 4, 5))
    return Slot({"": value(float(number))}, {"": _ORDINALS[number]})


@role("f")
def _fold(draw: Draw) -> Slot:
    """A multiple."""
    number = draw.rng.choice((2, 2, 3, 1.5, 5))
    return Slot({"": value(float(number))}, {"": _FOLDS[number]})


@role("op", "op2")
def _operator(draw: Draw) -> Slot:
    """How something compares with a number."""
    word = draw.rng.choice((">", ">", ">", ">=", ">=", "<", "<="))
    return _compared(word)


@role("gt")
def _above(draw: Draw) -> Slot:
    """More than, or at least."""
    return _compared(draw.rng.choice((">", ">=")))


@role("lt")
def _below(draw: Draw) -> Slot:
    """Fewer than, or at most."""
    return _compared(draw.rng.choice(("<", "<", "<=")))


def _compared(word: str) -> Slot:
    counts, amounts = _OPERATORS[word]
    return Slot({"": [word]}, {"count": counts, "": amounts})


def spoken(number: int) -> tuple[str, ...]:
    """A whole number as people write it."""
    digits = str(number)
    if number in _SPECIAL:
        return (digits, _SPECIAL[number])
    return (digits, _WORDS[number]) if number < len(_WORDS) else (digits,)


@role("N", "N2")
def _threshold(draw: Draw) -> Slot:
    """A number within what the column holds that was drawn last."""
    place = draw.places[next(reversed(draw.places))]
    return _number(draw, _sorted([(each,) for each in _column(draw, place)]))


@role("ND")
def _bounds(draw: Draw) -> Slot:
    """Two numbers, the lower one first."""
    place = draw.places[next(reversed(draw.places))]
    found = _sorted([(each,) for each in _column(draw, place)])
    low, high = _rounded(found[len(found) // 5]), _rounded(found[len(found) * 3 // 5])
    if low >= high:
        raise Unfit("too few values")
    pairs = tuple(f"{a} and {b}" for a, b in zip(written(low), written(high), strict=False))
    dashes = tuple(each.replace(" and ", " to ") for each in pairs)
    return Slot({"": [Val(float(low)), Val(float(high))]}, {"": pairs, "to": dashes})


def _column(draw: Draw, place: Place) -> list[Any]:
    name = '"' + place.column.name.replace('"', '""') + '"'
    table = '"' + place.table.name.replace('"', '""') + '"'
    return [row[0] for row in draw.schema.asked(f"SELECT {name} FROM {table} WHERE {name} IS NOT NULL LIMIT 1000")]


@role("X")
def _total_threshold(draw: Draw) -> Slot:
    """A number within what the measure comes to for each of the groups."""
    measure = next((each for each in (draw.find("M", "S"), draw.find("A", "Q")) if each), None)
    group = draw.find("D", "E")
    keys = group.words["key"] if group else draw.words("cat")
    if measure is None:
        raise Unfit("nothing to compare")
    query = to_query([*measure.words[""], "group", *keys], draw.schema.catalog)
    return _number(draw, _sorted(draw.schema.asked(render(query, draw.schema.catalog, draw.schema.joins))))


def _sorted(rows: list[Any]) -> list[float]:
    found = sorted(float(row[0]) for row in rows if row[0] is not None)
    if len(set(found)) < 3:
        raise Unfit("too few values")
    return found


def _number(draw: Draw, found: list[float]) -> Slot:
    number = _rounded(found[int(len(found) * draw.rng.uniform(0.25, 0.8))])
    return Slot({"": value(float(number))}, {"": written(number)})


def _rounded(number: float) -> float:
    """To two digits that count: what people would ask about."""
    if abs(number) < 10:
        return round(number, 1) if number % 1 else int(number)
    digits = len(str(int(abs(number)))) - 2
    return int(round(number / 10**digits) * 10**digits)


def written(number: float) -> tuple[str, ...]:
    """A number as people write it."""
    if number % 1 or number < 1000:
        plain = f"{number:g}"
        return (plain, plain, *(spoken(int(number))[1:] if number == int(number) and number >= 0 else ()))
    ways = (str(int(number)), f"{int(number):,}")
    if number % 1_000_000 == 0:
        return (f"{int(number):,}", f"{int(number) // 1_000_000} million", f"{int(number) // 1_000_000}m")
    return (*ways, f"{int(number) // 1000}k") if number % 1000 == 0 and number < 1_000_000 else ways

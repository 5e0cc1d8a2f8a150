"""Measures: totals, averages, and the columns they are of."""

from __future__ import annotations

from pluto_duck_text2sql.learned.line import Word
from pluto_duck_text2sql.tree import Rows
from pluto_duck_training.synthetic.roles import Place
from pluto_duck_training.synthetic.slots.draw import Draw, Slot, Unfit, role, value

_REVENUE = ("revenue", "revenue", "sales", "turnover", "income", "takings")
_MONEY = frozenset(("amount", "total", "far", "pric", "premium", "fee", "charg", "paid", "payment", "offic"))
_TOTAL = ("total {}", "total {}", "sum of {}", "overall {}", "{}")
_AGGREGATES = {
    "avg": ("average {}", "average {}", "mean {}", "avg {}"),
    "min": ("minimum {}", "lowest {}", "smallest {}", "min {}"),
    "max": ("maximum {}", "highest {}", "largest {}", "max {}"),
    "median": ("median {}",),
    "stddev": ("standard deviation of {}", "standard deviation of the {}"),
}
_MOST = ("the highest {}", "the most {}", "the largest {}", "the biggest {}", "the greatest {}")
_MOST_OF_MANY = ("the most {}", "the highest total {}", "the largest sum of {}")
_LEAST_OF_MANY = ("the fewest {}", "the lowest total {}", "the smallest sum of {}")
_LEAST = ("the lowest {}", "the least {}", "the smallest {}")


@role("M", "M2")
def _total(draw: Draw) -> Slot:
    """A total over the fact's rows: a sum, of a product perhaps, or how many there are."""
    sums = [each for each in draw.fact.numbers if each.is_additive and each.col not in draw.used]
    makers = [_summed] * min(len(sums), 3) * 2 + [_product] * 4 * bool(draw.fact.product) + [_counted] * 2
    return draw.pick(makers)(draw)


@role("S", "S2")
def _sum(draw: Draw) -> Slot:
    """A sum, never a number of rows."""
    return _product(draw) if draw.fact.product and draw.rng.random() < 0.5 else _summed(draw)


def _summed(draw: Draw) -> Slot:
    place = draw.take([each for each in draw.fact.numbers if each.is_additive])
    said = draw.named(place)
    is_only = sum(bool(_MONEY & set(each.stems)) for each in draw.fact.numbers) == 1 and _MONEY & set(place.stems)
    return _amount(["sum", place.col], _REVENUE if is_only and draw.rng.random() < 0.35 else (said,))


def _product(draw: Draw) -> Slot:
    parts = draw.fact.product
    if not parts or draw.used & {each.col for each in parts}:
        raise Unfit("no price and quantity")
    draw.used |= {each.col for each in parts}
    words: list[Word] = ["sum", "net" if len(parts) == 3 else "times", *(each.col for each in parts)]
    return _amount(words, _REVENUE)


def _amount(words: list[Word], names: tuple[str, ...]) -> Slot:
    whole = tuple(each.format(name) for name in names for each in _TOTAL)
    is_many = names[0].split(" of the ")[0].endswith("s")
    most, least = (_MOST_OF_MANY, _LEAST_OF_MANY) if is_many else (_MOST[:4], _LEAST)
    says = {
        "": whole,
        "bare": names,
        "most": tuple(each.format(name) for name in (*names, *whole[: not is_many]) for each in most),
        "least": tuple(each.format(name) for name in names for each in least),
        "rank": tuple(each.removeprefix("the ").format(name) for name in names for each in most),
        "of": tuple(each.format(name) for name in names for each in ("{}", "{}", "total {}", "the {}")),
        "ask": tuple(f"how much {name}" for name in names),
        "more": tuple(f"how much more {name}" for name in names),
        "what": tuple(f"{ask} the total {name}" for name in names for ask in ("what is", "what was"))
        + tuple(f"how much {name} was there" for name in names),
    }
    return Slot({"": words}, says, names[0])


def _counted(draw: Draw) -> Slot:
    if "count" in draw.used_words:
        raise Unfit("counted already")
    draw.used_words.add("count")
    many = draw.namer.many(draw.fact)
    one = draw.namer.one(draw.fact)
    says = {
        "": (f"number of {many}", f"number of {many}", f"{one} count", f"count of {many}"),
        "bare": (many, f"number of {many}"),
        "of": (many, many, f"the {many}"),
        "ask": (f"how many {many}",),
        "more": (f"how many more {many}",),
        "most": (f"the most {many}", f"the most {many}", f"the highest number of {many}"),
        "rank": (f"most {many}", f"highest number of {many}"),
        "least": (f"the fewest {many}", f"the lowest number of {many}"),
        "what": (f"how many {many} were there", f"how many {many} are there", f"what is the number of {many}"),
    }
    return Slot({"": ["count", Rows(draw.fact.table.key)]}, says, f"number of {many}")


@role("x", "x2")
def _number(draw: Draw) -> Slot:
    """A column of numbers."""
    return _of_number(draw, draw.take(draw.fact.numbers))


@role("xe")
def _entity_number(draw: Draw) -> Slot:
    """A column of numbers of the entity that is bound."""
    things = [thing for key, thing in draw.bound.items() if key != draw.fact.table.key]
    return _of_number(draw, draw.take([each for thing in things for each in thing.numbers]))


def _of_number(draw: Draw, place: Place) -> Slot:
    said = draw.named(place)
    draw.places[place.col] = place
    says = {"": (said,), **{name: tuple(each.format(said) for each in ways) for name, ways in _AGGREGATES.items()}}
    says["sum"] = tuple(each.format(said) for each in _TOTAL)
    is_many = said.split(" of the ")[0].endswith("s")
    says["a"] = (said,) if is_many else (said, f"a {said}")
    return Slot({"": [place.col]}, says, said)


@role("A", "A2")
def _average(draw: Draw) -> Slot:
    """An average."""
    return _aggregate(draw, "avg")


@role("Q", "Q2")
def _any_aggregate(draw: Draw) -> Slot:
    """Any aggregate, a total among them."""
    word = draw.rng.choice(("avg", "avg", "max", "min", "median", "sum"))
    return _total(draw) if word == "sum" else _aggregate(draw, word)


def _aggregate(draw: Draw, word: str) -> Slot:
    place = draw.take(draw.fact.numbers)
    said = draw.named(place)
    ways = tuple(each.format(said) for each in _AGGREGATES[word])
    says = {
        "": ways,
        "bare": ways,
        "what": tuple(f"what is the {each}" for each in ways),
        "most": tuple(f"the highest {each}" for each in ways[:2]),
        "least": tuple(f"the lowest {each}" for each in ways[:2]),
    }
    return Slot({"": [word, place.col]}, says, f"{ways[0]}")


@role("q")
def _quantile(draw: Draw) -> Slot:
    """A quantile's fraction, in percent."""
    number = draw.rng.choice((10, 25, 75, 80, 90, 95, 99))
    says = (f"{number} percent quantile", f"{number}% quantile", f"percentile {number}", f"quantile {number / 100}")
    slot = Slot({"": value(float(number))}, {"": says[:3]})
    if draw.rng.random() < 0.15:
        slot = Slot({"": value(number / 100)}, {"": says[3:]})
    return slot

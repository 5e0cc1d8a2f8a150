"""Conditions as people say them: in Germany, with status closed, cancelled ones, with a price above 50, not insured."""

from __future__ import annotations

from pluto_duck_text2sql.learned.line import Val, Word
from pluto_duck_training.synthetic.roles import Place, Thing
from pluto_duck_training.synthetic.slots.counts import written
from pluto_duck_training.synthetic.slots.draw import Condition, Draw, Slot, Unfit, role
from pluto_duck_training.synthetic.slots.entities import name_condition
from pluto_duck_training.synthetic.slots.times import period

_PLACES = frozenset("city country region state town land district county location area".split())
_CALLED = frozenset(
    "status typ kind category mod channel priority class genre method plan tier level segment cabin technique".split()
    + "platform fuel crop material dev direction stag cours medium membership topic subject theme objectiv cycl".split()
)
_ABOVE = ("above", "over", "of more than", "greater than", "higher than", "of at least", "below", "under", "of at most")
_OPERATORS = dict(zip(_ABOVE, (">", ">", ">", ">", ">", ">=", "<", "<", "<="), strict=True))
_MOST_ADJECTIVE = 2
_HAD = frozenset("garden pool scholarship newsletter balcony parking discount insurance access trial".split())
"""Flags that one has; others one is."""


@role("cond", "cond2")
def _condition(draw: Draw) -> Slot:
    """Any condition on the fact or what it belongs to."""
    made = anything(draw)
    return Slot({"": made.words}, {"": made.said})


def anything(draw: Draw) -> Condition:
    """One condition. Raises Unfit."""
    makers = [_of_category] * 6 + [_of_name] * 2 + [_of_number] * 2 + [_of_flag]
    for maker in draw.rng.sample(makers, len(makers)):
        try:
            return maker(draw)
        except Unfit:
            continue
    raise Unfit("no condition")


@role("acond")
def _of_status(draw: Draw) -> Slot:
    """A condition that is said before the fact's name: cancelled bookings."""
    place = draw.take([each for each in draw.fact.categories if _CALLED & set(each.stems[-1:])])
    made = category_condition(draw, place, draw.pick(_few(draw, place)))
    if not made.adjective:
        raise Unfit("no adjective")
    return Slot({"": made.words}, {"": (made.adjective,), "after": made.said})


@role("vc", "v1", "v2")
def _two_values(draw: Draw) -> Slot:
    """A category of the fact or above, and two of its values."""
    above = draw.above if "D" not in draw.names else [draw.fact, *(_others(draw))]
    return _pair(draw, draw.take([each for thing in above for each in thing.categories]), "vc", "v1", "v2")


@role("sc", "s1", "s2")
def _two_statuses(draw: Draw) -> Slot:
    """A category of the fact whose values are said before its name, and two of them."""
    fitting = [each for each in draw.fact.categories if _CALLED & set(each.stems[-1:])]
    return _pair(draw, draw.take(fitting), "sc", "s1", "s2")


@role("ec", "e1", "e2")
def _two_entity_values(draw: Draw) -> Slot:
    """A category of the entity, and two of its values."""
    things = [thing for key, thing in draw.bound.items() if key != draw.fact.table.key]
    return _pair(draw, draw.take([each for thing in things for each in thing.categories]), "ec", "e1", "e2")


def _others(draw: Draw) -> list[Thing]:
    """What the fact belongs to besides the entity that is bound: what was bought, not who bought it."""
    return [each for each in draw.above[1:] if each.table.key not in draw.bound]


def _pair(draw: Draw, place: Place, column: str, first: str, second: str) -> Slot:
    values = _few(draw, place)
    if len(values) < 2:
        raise Unfit("too few values")
    one, other = draw.rng.sample(values, 2)
    said = draw.named(place)
    draw.put(column, Slot({"": [place.col]}, {"": (said,)}, said))
    for name, each in ((first, one), (second, other)):
        draw.put(name, Slot({"": [Val(each)]}, {"": _spelt(each)}, each))
    return draw.slot(next(each for each in draw.names if each in (column, first, second)))


def _few(draw: Draw, place: Place) -> tuple[str, ...]:
    """The values that are frequent enough to be asked about."""
    return draw.schema.values(place)[:12]


def _spelt(text: str) -> tuple[str, ...]:
    return (text, text, text.lower())


def _of_category(draw: Draw) -> Condition:
    things = [draw.fact, draw.fact, *draw.above[1:]]
    place = draw.take([each for thing in things for each in thing.categories])
    return category_condition(draw, place, draw.pick(_few(draw, place)))


@role("econd")
def _of_entity(draw: Draw) -> Slot:
    """A condition on the entity itself."""
    things = [thing for key, thing in draw.bound.items() if key != draw.fact.table.key]
    place = draw.take([each for thing in things for each in thing.categories])
    made = category_condition(draw, place, draw.pick(_few(draw, place)))
    return Slot({"": made.words}, {"": made.said})


def category_condition(draw: Draw, place: Place, text: str) -> Condition:
    """The column is this text."""
    words: list[Word] = [place.col, "=", Val(text)]
    said = draw.named(place)
    value = draw.rng.choice(_spelt(text))
    if _PLACES & set(place.stems):
        own = place.table.key == draw.fact.table.key and " " not in text and draw.rng.random() < 0.3
        return Condition(words, _located(draw, place, value, said), f"{value}'s" if own else "")
    ways = [
        f"with {said} {value}",
        f"where the {said} is {value}",
        f"whose {said} is {value}",
        f"with {value} as {said}",
    ]
    called = _CALLED & set(place.stems[-1:]) and len(text.split()) <= _MOST_ADJECTIVE
    own = place.table.key == draw.fact.table.key
    return Condition(words, (*ways, f"for {said} {value}"), value if called and own else "")


def _located(draw: Draw, place: Place, value: str, said: str) -> tuple[str, ...]:
    if place.table.key == draw.fact.table.key:
        return f"in {value}", f"in {value}", f"from {value}", f"with {said} {value}"
    many = draw.namer.many(draw.schema.things[place.table.key])
    return f"of {many} in {value}", f"for {many} from {value}", f"for {said} {value}", f"from {many} in {value}"


def _of_name(draw: Draw) -> Condition:
    """Of one entity: of the customer Adler."""
    above = [each for each in draw.above[1:] if each.names and each.table.key not in draw.bound]
    thing = draw.pick(above)
    words, said = name_condition(draw, thing)
    draw.used |= {each.col for each in thing.names}
    one = draw.namer.one(thing)
    return Condition(words, (f"for {said}", f"of {one} {said}", f"for {one} {said}", f"of the {one} {said}"))


def _of_number(draw: Draw) -> Condition:
    place = draw.take(draw.fact.numbers)
    low, high = place.column.minimum, place.column.maximum
    number = float(low) + (float(high) - float(low)) * draw.rng.uniform(0.15, 0.6)
    is_whole = "INT" in place.column.type
    number = round(number) if number > 10 or is_whole else round(number, 1)
    number = int(round(number, 1 - len(str(int(number))))) if number > 20 else number
    way = draw.rng.choice(_ABOVE)
    said = draw.rng.choice(written(number))
    words: list[Word] = [place.col, _OPERATORS[way], Val(float(number))]
    name = draw.namer.plain(place)
    plain = f"with {name} {way} {said}"
    return Condition(words, (plain,) if name.endswith("s") else (plain, f"with a {name} {way} {said}"))


def _of_flag(draw: Draw) -> Condition:
    place = draw.take(draw.fact.flags)
    slot = flag(draw, place)
    return Condition(slot.words[""], slot.says[""])


@role("flag")
def _flag(draw: Draw) -> Slot:
    """A yes or a no."""
    return flag(draw, draw.take(draw.fact.flags))


def flag(draw: Draw, place: Place) -> Slot:
    """A column of yes and no, as a condition after a noun."""
    yes = draw.rng.random() < 0.65
    words: list[Word] = [place.col, "=", Val("true" if yes else "false")]
    said = draw.namer.plain(place).removeprefix("is ").removeprefix("has ")
    if " " not in said and said not in _HAD:
        after = (f"that are {said}", f"which are {said}") if yes else (f"that are not {said}", f"that aren't {said}")
        return Slot({"": words}, {"": after, "adjective": (said,) if yes else (f"not {said}", f"non-{said}")}, said)
    after = (f"with {said}", f"having {said}") if yes else (f"without {said}", f"with no {said}")
    return Slot({"": words}, {"": after}, said)


@role("gap")
def _gap(draw: Draw) -> Slot:
    """A column that is not always filled."""
    place = draw.take(draw.fact.gaps)
    said = draw.namer.plain(place)
    verb = draw.namer.participle(place)
    says: dict[str, tuple[str, ...]] = {
        "": (said,),
        "a": (f"an {said}" if said[0] in "aeiou" else f"a {said}",),
        "not": (f"not yet {verb}", f"not {verb}") if verb else (),
        "done": (f"already {verb}", verb) if verb else (),
    }
    return Slot({"": [place.col]}, says, said)


@role("w")
def _further(draw: Draw) -> Slot:
    """No, one or two further conditions, which most questions may have or not."""
    draw.conditions = _drawn(draw, draw.rng.random())
    words: list[Word] = []
    for condition in draw.conditions:
        words += ["and", *condition.words]
    return Slot({"": words[1:], "and": words}, {})


def _drawn(draw: Draw, chance: float) -> list[Condition]:
    makers = [] if chance < 0.42 else [anything] if chance < 0.7 else [period] if chance < 0.9 else [anything, period]
    if any(each in draw.names for each in ("per", "p1", "p2", "c1", "c2", "d1", "gy", "year", "weekday")):
        makers = [each for each in makers if each is not period]
    found = []
    for maker in makers:
        try:
            found.append(maker(draw))
        except Unfit:
            continue
    return found

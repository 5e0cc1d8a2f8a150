"""The fact itself, the entities it belongs to, and their attributes."""

from __future__ import annotations

from typing import cast

from pluto_duck_text2sql.learned.line import Val, Word
from pluto_duck_text2sql.tree import Rows
from pluto_duck_training.synthetic.roles import Place, Thing
from pluto_duck_training.synthetic.slots.draw import Draw, Slot, Unfit, role
from pluto_duck_training.synthetic.styles import plural


@role("F")
def _fact(draw: Draw) -> Slot:
    slot = _thing(draw, draw.fact)
    if draw.fact.names:
        slot.words["sorted"] = [word for each in draw.fact.names for word in ("asc", each.col)]
    return slot


@role("D", "G")
def _direct(draw: Draw) -> Slot:
    """An entity that the fact's own key points at."""
    parents = draw.fact.parents
    fitting = [
        (column, draw.schema.things[key])
        for column, key in parents.items()
        if key in draw.schema.things and list(parents.values()).count(key) == 1
    ]
    free = [each for each in fitting if _is_entity(each[1]) and each[1].table.key not in draw.used_things]
    column, thing = draw.pick(free)
    draw.used_things.add(thing.table.key)
    key = draw.fact.table.column(column)
    if key is None or thing not in draw.above:
        raise Unfit("no way there")
    slot = _thing(draw, thing)
    slot.words["fk"] = [Place(draw.fact.table, key).col]
    slot.says |= _deeds(draw, thing)
    return slot


@role("E")
def _entity(draw: Draw) -> Slot:
    """An entity that the fact belongs to, perhaps by way of another."""
    fitting = [each for each in draw.above[1:] if _is_entity(each) and each.table.key not in draw.used_things]
    thing = draw.pick(fitting)
    draw.used_things.add(thing.table.key)
    return _thing(draw, thing)


def _is_entity(thing: Thing) -> bool:
    return bool(thing.names) and thing.key is not None


def _thing(draw: Draw, thing: Thing) -> Slot:
    draw.bound[thing.table.key] = thing
    key = thing.key
    shown: list[Word] = [each.col for each in thing.names] or ([key.col] if key else [])
    draw.used |= {each.col for each in thing.names}
    words: dict[str, list[Word]] = {"": [Rows(thing.table.key)]}
    if shown:
        words["show"] = shown
    if key:
        words |= {"key": [key.col], "group": list(dict.fromkeys((key.col, *shown)))}
    one = draw.namer.one(thing)
    label = draw.rng.choice((one, "name")) if thing.names else f"{one} id"
    is_person = draw.namer.is_person(thing)
    says: dict[str, tuple[str, ...]] = {
        "one": (one,),
        "name": ("name",) if thing.names else ("id", f"{one} id"),
        "names": ("names",) if thing.names else ("ids", f"{one} ids"),
        "many": (draw.namer.many(thing), draw.namer.many(thing)),
        "a": (f"an {one}" if one[0] in "aeiou" else f"a {one}",),
        "who": ("who", "who", "that") if is_person else ("that", "which"),
        "whose": ("whose",),
    }
    return Slot(words, says, label)


def _deeds(draw: Draw, thing: Thing) -> dict[str, tuple[str, ...]]:
    """What an entity did that has rows of the fact: ordered; for others only that it has some."""
    many = draw.namer.many(draw.fact)
    has = (f"have {many}", f"had {many}", f"have any {many}")
    did = draw.namer.did(draw.fact) if draw.namer.is_actor(thing) else None
    entities = draw.namer.many(thing)
    fresh = (f"first-time {entities}",) if thing.dates else (f"new {entities}", f"first-time {entities}")
    found: dict[str, tuple[str, ...]] = {"new": fresh, "has": (*has[:2], did) if did else has[:2], "any": has}
    if did and did.split()[0] not in ("had", "were"):
        found["never"] = (f"never {did}", f"have never {did}")
    elif did is None or did.startswith("had"):
        found["never"] = (f"never had {_a(draw)}", f"have never had {_a(draw)}")
    return found


def _a(draw: Draw) -> str:
    one = draw.namer.one(draw.fact)
    return f"an {one}" if one[0] in "aeiou" else f"a {one}"


@role("a", "a2")
def _attribute(draw: Draw) -> Slot:
    """A column of the fact that says something of a row."""
    place = draw.take(draw.fact.attributes)
    if len(place.stems) > 3:
        raise Unfit("a name of many words")
    said = draw.named(place)
    return Slot({"": [place.col]}, {"": (said, draw.namer.plain(place)), "many": (plural(said),)}, said)


@role("cat", "cat2")
def _category(draw: Draw) -> Slot:
    """What rows can be told apart by: a column with few values, of the fact or what it belongs to."""
    own = [*draw.fact.categories] * 2
    return _of_category(draw, draw.take([*own, *(each for thing in draw.above[1:] for each in thing.categories)]))


@role("ecat")
def _entity_category(draw: Draw) -> Slot:
    """A category of the entity that is bound."""
    things = [thing for key, thing in draw.bound.items() if key != draw.fact.table.key]
    return _of_category(draw, draw.take([each for thing in things for each in thing.categories]))


@role("fcat")
def _fact_category(draw: Draw) -> Slot:
    """A category of the fact itself."""
    return _of_category(draw, draw.take(draw.fact.categories))


def _of_category(draw: Draw, place: Place) -> Slot:
    said = draw.named(place)
    short = draw.namer.plain(place)
    return Slot({"": [place.col]}, {"": (said,), "many": (_plural(said),), "short": (short,)}, short)


def _plural(said: str) -> str:
    """City of the guest: cities of the guest."""
    head, of, rest = said.partition(" of the ")
    return plural(head) + of + rest


@role("is")
def _called(draw: Draw) -> Slot:
    """The fact's row of one name."""
    return _named(draw, draw.fact)


@role("isD")
def _entity_called(draw: Draw) -> Slot:
    """The entity of one name."""
    draw.slot("D")
    things = [thing for key, thing in draw.bound.items() if key != draw.fact.table.key]
    return _named(draw, things[0])


def _named(draw: Draw, thing: Thing) -> Slot:
    words, said = name_condition(draw, thing)
    return Slot({"": words}, {"": (said,)})


def name_condition(draw: Draw, thing: Thing) -> tuple[list[Word], str]:
    """The row of a thing that is called so, and what it is called. Raises Unfit."""
    draw.pick(thing.names)
    rows = draw.schema.asked(
        f"SELECT {', '.join(_quoted(each.column.name) for each in thing.names)} FROM {_quoted(thing.table.name)}"
        " ORDER BY ALL LIMIT 300"
    )
    row = draw.pick([each for each in rows if all(isinstance(part, str) and _is_plain(part) for part in each)])
    parts = [[each.col, "=", Val(part)] for each, part in zip(thing.names, row, strict=True)]
    words = [word for part in parts for word in (*part, "and")][:-1]
    return cast(list[Word], words), " ".join(row)


def _is_plain(name: str) -> bool:
    return 1 < len(name) < 30 and not set(name) & set("'\"")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

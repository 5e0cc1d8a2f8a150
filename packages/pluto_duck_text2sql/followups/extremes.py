"""The longest, cheapest or oldest of what was counted: `and the shortest ride?` after the rides of each city.

What rows are long or cheap by is read best of a whole question, `the shortest ride`. Where the figure before measures
something else, that takes its place in each group; a single figure gives way to the row; rows that were grouped by
(`and the oldest rider?`) are ranked by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.followups.referents import rows_meant
from pluto_duck_text2sql.followups.trees import kind_of, settled
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, stem, table_words
from pluto_duck_text2sql.reading.cues import ADJECTIVES
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Days,
    Expr,
    Order,
    Query,
    TableKey,
    columns_in,
    is_total,
    nodes_in,
)
from pluto_duck_text2sql.trees.parts import is_aggregate, keys, subject

_PLACES = ("first", "last")
_WAYS = "|".join(each for each in ADJECTIVES if each.split()[-1].endswith("st") or each.startswith(("most", "least")))
_SIZES = "highest|lowest|largest|biggest|smallest"
_ASKS = Pattern(
    rf"{LEAD}(?:(?:what|how) about )?(?:(?:what|(?P<asks>which|who))(?: one)?(?:['’]s| is| was| are| were)? )?(?:the )?"
    rf"(?P<way>{_WAYS}|{_SIZES})(?: (?!first\b)(?P<noun>[a-z]+(?: [a-z]+)?))?\W*$",
    re.IGNORECASE,
)
_LEAST = ("lowest", "smallest")
_NAMED = 0.6
_LASTS = frozenset(("duration", "length"))
_PLURAL = Pattern(r"ies$|(?<=ss|sh|ch)es$|(?<=x)es$|(?<![su])s$")
_WHEN = frozenset(("date", "birth", "hire"))


@dataclass(frozen=True)
class Extreme:
    """The question for the longest of a table's rows, `the shortest ride`, that table, and what the adjective measures:
    words for it, and whether the superlative has most of it. `who is the oldest` asks for the `one` alone."""

    text: str
    of: TableKey
    adjective: tuple[tuple[str, ...], bool]
    one: bool = False

    def is_told_by(self, ranked: Order, reader: Reader) -> bool:
        """Whether rows are ranked by what can be meant: by a time where it says when, else by the most or the least."""
        if any(each.table != self.of for each in columns_in(ranked.by)):
            return False
        words, is_most = self.adjective
        is_time = not isinstance(ranked.by, Days) and (
            kind_of(ranked.by, reader) == "time" or _is_year(ranked.by, reader)
        )
        return bool(_WHEN & set(words)) if is_time else ranked.descending == is_most


def _is_year(by: Expr, reader: Reader) -> bool:
    """Whether it is the number of a year: the oldest have the least of it."""
    table = reader.catalog.table(*by.table) if isinstance(by, Col) else None
    return table is not None and isinstance(by, Col) and stem("year") in table.stems(by.name)


def extremes_said(question: str, before: Query, reader: Reader) -> Iterator[Extreme]:
    """The questions for what a follow-up asks the longest of, the likeliest first; none where the figures before tell
    how long."""
    said = _ASKS.match(question.strip())
    way = said["way"].lower() if said else ""
    if said is None or way in _PLACES or before.then:
        return
    if not is_aggregate(before):
        yield from _of_listed(way, said["noun"] or "", before)
        return
    if way not in ADJECTIVES or measures_as(before, way, reader):
        return
    noun = (said["noun"] or "").removesuffix("one").strip()
    asks = (said["asks"] or "").lower()
    is_of_groups = asks == "which" and bool(before.group) and not noun
    for key in _meant(noun, before, reader):
        if not (is_of_groups and key == subject(before)) and (asks != "who" or _are_people(key, reader)):
            yield Extreme(f"the {way} {noun or _one_of(key)}", key, ADJECTIVES[way], one=asks == "who")


def _of_listed(way: str, noun: str, before: Query) -> Iterator[Extreme]:
    """`and the highest?` of rows that are listed, or of which one was shown."""
    if noun in ("", "one"):
        yield Extreme(
            f"the {way} {_one_of(before.anchor)}", before.anchor, ADJECTIVES.get(way, ((), way not in _LEAST))
        )


def _are_people(key: TableKey, reader: Reader) -> bool:
    table = reader.catalog.table(*key)
    return table is not None and is_of_people(table, reader.resolver.label(table))


def measures_as(query: Query, way: str, reader: Reader) -> bool:
    """Whether a figure or a group of the query tells what an adjective says: how long, how dear, when."""
    words = ADJECTIVES[way][0]
    stems = {stem(each) for each in words}
    if any(isinstance(each, Bucket) for each in query.group) and "date" in words:
        return True
    if _LASTS & set(words) and any(isinstance(each, Days) for each in nodes_in(query.select)):
        return True
    tables = ((each, reader.catalog.table(*each.table)) for each in columns_in(query.select))
    return any(table and stems & set(table.stems(each.name)) for each, table in tables if isinstance(each, Col))


def _one_of(key: TableKey) -> str:
    """What a row of a table is called."""
    *first, last = table_words(key[1])
    return " ".join((*first, _PLURAL.sub(lambda found: "y" if found[0] == "ies" else "", last)))


def _meant(noun: str, before: Query, reader: Reader) -> list[TableKey]:
    """The tables whose rows may be meant: the one that a noun names, else those grouped by and those counted."""
    tables = list(dict.fromkeys((rows_meant(before, reader), subject(before))))
    if not noun:
        return tables
    targets = [each for item in reader.named(noun) for each in item.targets if each.score >= _NAMED]
    return [key for key in tables if any(each.column is None and each.table.key == key for each in targets)]


def of_extreme(before: Query, found: Query, said: Extreme, reader: Reader) -> Query | None:
    """The earlier query told of what the whole question ranks by; None where that is nothing of those rows."""
    ranked = _ranked_by(found)
    if ranked is None or not said.is_told_by(ranked, reader):
        return None
    if not is_aggregate(before):
        return replace(before, order=(ranked,), limit=1, nth=False)
    if said.of != subject(before):
        return replace(before, select=tuple(keys(before)), order=(ranked,), limit=1)
    if not before.group or said.one:
        return replace(found, where=(*before.where, *(each for each in found.where if each not in before.where)))
    figure = Agg("max" if ranked.descending else "min", ranked.by)
    order = tuple(each for each in before.order if not is_total(each.by))
    return settled(replace(before, select=(*keys(before), figure), order=order, limit=None), reader)


def _ranked_by(found: Query) -> Order | None:
    """What a whole question ranks rows by, and which way: the first of them, or the greatest figure."""
    if found.limit == 1 and found.order and not is_aggregate(found):
        return found.order[0]
    only: Expr | None = found.select[0] if len(found.select) == 1 and not found.group else None
    is_end = isinstance(only, Agg) and only.function in ("min", "max")
    return Order(only.of, only.function == "max") if is_end and isinstance(only, Agg) else None

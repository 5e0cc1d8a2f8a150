"""`back to electric`, `going back to History, how many of those …`: the latest earlier answer that speaks of that is
what is gone on from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pluto_duck_text2sql.followups.fragment import Fragment
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.reading.slots import Unreadable
from pluto_duck_text2sql.tree import Bucket, Col, During, Query, columns_in
from pluto_duck_text2sql.trees.parts import conditions
from pluto_duck_text2sql.trees.phrases import flattened

_BACK = Pattern(
    r"^\W*(?:(?:and|but|ok(?:ay)?|now|then|so|no)\b[\s,.]*)*(?:(?:let['’]?s|let me) )?"
    r"(?:(?:go|going|come|coming|switch|switching|get|getting|return|returning) )?(?:back|return(?:ing)?) to"
    r" (?:all (?:of )?)?(?:the |our )?(?P<what>[^,:;.]+?)(?: again)?(?:[,:;.]\s*|\s+(?=but\b)"
    r"|\s+and (?=(?:only|just|show|then|now|by)\b)|\s*[?!.]*$)(?P<rest>.*)$",
    re.IGNORECASE,
)
_NAMED = 0.6
"""How well words must name a column to be said of it."""


@dataclass(frozen=True)
class Back:
    """The place of the earlier answer, and what is asked of it; nothing where it alone is wanted."""

    place: int
    rest: str


def going_back(question: str, trees: Sequence[Query], reader: Reader) -> Back | None:
    """The earlier answer that the question goes back to; None where it does not, or none speaks of what it names."""
    said = _BACK.match(question)
    earlier = range(len(trees) - 2, -1, -1) if said else ()
    place = next((each for each in earlier if said and _speaks_of(trees[each], said["what"], reader)), None)
    return None if said is None or place is None else Back(place, said["rest"].strip())


def _speaks_of(query: Query, what: str, reader: Reader) -> bool:
    """Whether an answer is held to the stored values and periods named, or shows or groups by what is named."""
    try:
        fragment = Fragment(reader, what, query)
        held = flattened((*fragment.restrictions(query), *fragment.when(query)))
    except Unreadable:
        return False
    if held:
        own = list(conditions(query))
        return all(any(_is_same(each, one) for one in own) for each in held)
    shown = {each for each in columns_in((query.select, query.group)) if isinstance(each, Col)}
    grains = {each.grain for each in query.group if isinstance(each, Bucket)}
    said = [
        {Col(t.table.key, t.column.name) for t in item.targets if t.column and t.score >= _NAMED}
        for item in fragment.mentions
    ]
    named = [each for each in said if each]
    if fragment.grains:
        return grains == {each.grain for each in fragment.grains} and not any(map(shown.isdisjoint, named))
    grouped = fragment.found_groups()
    return set(grouped) <= shown and any(not shown.isdisjoint(each) for each in named)


def _is_same(said: object, held: object) -> bool:
    """Whether a condition is one of an answer; a period by its days, whatever date it is of."""
    if isinstance(said, During) and isinstance(held, During):
        return (said.start, said.end) == (held.start, held.end)
    return said == held

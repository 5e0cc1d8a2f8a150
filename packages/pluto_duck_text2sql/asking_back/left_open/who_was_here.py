"""Who was here: `how many learners did we have in 2024` are those put on file then, or those who did something then."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_text2sql.asking_back.left_open.deeds import are_called, are_people, deeds, is_deed
from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, counted, full_name
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Agg, Col, Cond, During, Query, Related, columns_in
from pluto_duck_text2sql.trees.phrases import shown_name

_ASKED = "Which rows of {} do you mean?"
_HAD = Pattern(
    r"^how many (?:active )?(?P<who>\w+(?: \w+)?)"
    r" (?:did we (?:have|host|serve|see|work with)|were (?:there|active|with us))\b",
    re.IGNORECASE,
)
_MOST_DEEDS = 3


def who_was_here(question: str, query: Query, data: Data) -> Opening | None:
    """Those who were put on file in a period, and those who did something in it."""
    said, key = _HAD.search(question), counted(query)
    periods = [each for each in query.where if isinstance(each, During) and isinstance(each.left, Col)]
    if said is None or key is None or len(periods) != 1 or not are_called(said["who"], key, data):
        return None
    day = periods[0].left
    if not isinstance(day, Col) or not are_people(key, data):
        return None
    own = [(f"by {full_name(day)}", query)] if day.table == key and is_deed(day, data) else []
    return Opening(_ASKED.format(shown_name(key)), (*own, *_who_did(query, periods[0], data)))


def _is_of_doing(condition: Cond) -> bool:
    """Whether a condition is that they did something in a period, or at all: what `active` may be read as."""
    return isinstance(condition, Related) and all(isinstance(each, During) for each in condition.where)


def _who_did(query: Query, period: During, data: Data) -> Iterator[tuple[str, Query]]:
    """Those with rows of each kind in the period."""
    others = tuple(each for each in query.where if each != period and not _is_of_doing(each))
    if any(each.table != query.anchor for each in columns_in(others)):
        return
    for by, date in list(deeds(query.anchor, data))[:_MOST_DEEDS]:
        within = During(date, period.start, period.end, period.said, period.anchored)
        counts = Agg("count", by, distinct=True)
        yield f"with {shown_name(by.table)} then", Query(by.table, (counts,), (*others, within))

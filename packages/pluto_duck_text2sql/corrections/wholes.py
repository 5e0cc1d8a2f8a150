"""What a percentage is of: `of income from completed bookings` is the whole, `comes from companies` the part.

Called by `corrections` for every tree of one part of a whole. A condition said before the verb restricts the whole, one
said after it the part alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, table_stems, tokenise
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Compare,
    Cond,
    Inside,
    Missing,
    Query,
    Ratio,
    Related,
    columns_in,
)

_PART = r"(?:percentage|percent|per cent|share|proportion|fraction|part|%)(?:,? in percent,?)?"
_OF = Pattern(rf"\b{_PART} of (?P<rest>.+)", re.IGNORECASE)
_VERB = Pattern(
    r"(?<!\bthat )(?<!\bwhich )(?<!\bwho )\b(?:is|are|was|were|has|have|had|comes?|came|goes|go|went|do|does|did"
    r"|gets?|got|ends?|ended|belongs?|stems?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Said:
    """The words that say the whole, and those that say the part."""

    whole: frozenset[str]
    part: frozenset[str]

    def place(self, condition: Cond) -> str:
        """`whole` or `part`, where a condition's words stand in one of them alone; else nothing."""
        words = set(_words(condition))
        whole, part = bool(words & (self.whole - self.part)), bool(words & (self.part - self.whole))
        return "whole" if whole and not part else "part" if part and not whole else ""


def of_said_whole(query: Query, question: str) -> Query:
    """The tree with each condition on what it is said of; itself where the question names no part of a whole."""
    ratios = [each for each in query.select if isinstance(each, Ratio)]
    said = _said(question) if len(ratios) == 1 else None
    top, bottom = (ratios[0].top, ratios[0].bottom) if ratios else (None, None)
    if said is None or not isinstance(top, Agg) or not isinstance(bottom, Agg) or top.function != bottom.function:
        return query
    every = dict.fromkeys((*top.where, *query.where))
    places = {each: said.place(each) for each in every}
    part = tuple(each for each in every if places[each] == "part" or (each in top.where and not places[each]))
    whole = tuple(each for each in every if each not in part)
    if not part or (part == top.where and whole == query.where):
        return query
    left = tuple(each for each in bottom.where if each not in every)
    ratio = replace(ratios[0], top=replace(top, where=part), bottom=replace(bottom, where=left))
    select = tuple(ratio if each is ratios[0] else each for each in query.select)
    return replace(query, select=select, where=whole)


def _said(question: str) -> _Said | None:
    of = _OF.search(question)
    verb = _VERB.search(of["rest"]) if of else None
    if of is None or verb is None:
        return None
    whole, part = (of["rest"][: verb.start()], of["rest"][verb.end() :])
    return _Said(*(frozenset(token.stem for token in tokenise(each)) for each in (whole, part)))


def _words(condition: Any) -> Iterator[str]:
    """The words that tell a condition: those of its values, else of the columns and tables that it looks at. What
    compares two columns (`late`) is told by neither."""
    match condition:
        case Compare(_, _, right) if any(columns_in(right)):
            return
        case Compare(_, _, right) if isinstance(right, str):
            yield from (token.stem for token in tokenise(right))
        case Among(_, values, _):
            yield from (token.stem for each in values if isinstance(each, str) for token in tokenise(each))
        case Inside(_, query, _):
            yield from table_stems(query.anchor[1])
            for each in query.where:
                yield from _words(each)
        case Related(table, where, _, _, _):
            yield from table_stems(table[1])
            for each in where:
                yield from _words(each)
        case Compare() | Missing():
            yield from (
                each for column in columns_in(condition) if hasattr(column, "name") for each in name_stems(column.name)
            )

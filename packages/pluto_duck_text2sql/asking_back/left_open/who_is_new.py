"""Who is new: `how many new customers did we get in 2024` are those put on file then, or those who first bought then.

A person, or whoever else things are kept of, has a date of their own and dates of what they did; which of these makes
them new is left open unless a word says it (`registered`, `signed up`, `first order`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.asking_back.left_open.deeds import are_called, deeds, is_deed
from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, counted, days, full_name
from pluto_duck_text2sql.data.date_names import begins
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems
from pluto_duck_text2sql.tree import Agg, Col, First, Query, Rows, mapped

_ASKED = "New by which date?"
_NEW = Pattern(
    r"\bnew\b (?P<who>\w+(?: \w+)?)"
    r"|\b(?P<won>\w+)\b(?: did we| have we)? (?:win|won|gain(?:ed)?|(?:were|was|are|is) new)\b",
    re.IGNORECASE,
)
_TOLD = Pattern(
    r"\b(?:regist\w*|sign\w*|join\w*|first|creat\w*|enrol\w*|add\w*|open\w*|accounts?|hir\w*|start\w*|beg[aiu]n\w*"
    r"|since)\b",
    re.IGNORECASE,
)
"""Words for what makes somebody new."""
_MOST_DEEDS = 3


def who_is_new(question: str, query: Query, data: Data) -> Opening | None:
    """The date by which a tree counts the new ones of a table, and the first dates of what they did."""
    found = None if _TOLD.search(question) else _NEW.search(question)
    key = counted(query)
    own = [each for each in days(query) if each.table == key and is_deed(each, data)]
    if found is None or key is None or query.group or len(own) != 1 or begins(name_stems(own[0].name)):
        return None  # by years, new ones are those put on file; a policy is new on the day on which it begins
    if not are_called(found["who"] or found["won"], key, data):
        return None
    firsts = [(f"by the first {full_name(date)}", _by_first(query, own[0], date, by)) for by, date in deeds(key, data)]
    return Opening(_ASKED, ((f"by {full_name(own[0])}", query), *firsts[:_MOST_DEEDS]))


def _by_first(query: Query, day: Col, date: Col, by: Col) -> Query:
    """The tree with the first time that one did something in place of their own date."""
    first, counts = First(date, by), Agg("count", by, distinct=True)

    def change(node: Any) -> Any:
        if node == day:
            return first
        return counts if isinstance(node, Agg) and node.of == Rows(day.table) else node

    return replace(mapped(query, change), anchor=date.table)

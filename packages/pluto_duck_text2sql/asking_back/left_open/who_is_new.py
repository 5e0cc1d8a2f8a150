"""Who is new: `how many new customers did we get in 2024` are those put on file then, or those who first bought then.

A person, or whoever else things are kept of, has a date of their own and dates of what they did; which of these makes
them new is left open unless a word says it (`registered`, `signed up`, `first order`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.asking_back.left_open.deeds import are_called, deeds, is_deed
from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, days, full_name, only_total
from pluto_duck_text2sql.data.date_names import begins, ends, is_meant
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, root, spoken_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Agg, Col, During, First, Query, Rows, TableKey, columns_in, mapped

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
_ANY_DATE = frozenset(map(stem, "date time day on at in dt ts since".split()))
_LAST = frozenset(map(stem, "last deceased died death closed left sold retired updated modified".split()))


def who_is_new(question: str, query: Query, data: Data) -> Opening | None:
    """The number of a table's rows by the date when they were put on file, and by the first dates of what they did."""
    found = None if _TOLD.search(question) else _NEW.search(question)
    key = _called(found["who"] or found["won"], data) if found else None
    own = _put_on_file(query, key, data) if key else None
    if own is None or key is None or _says_own(question, own):
        return None  # by years, new ones are those put on file; a policy is new on the day on which it begins
    tree = _by_own(query, key, own)
    if tree is None:
        return None
    firsts = [(f"by the first {full_name(date)}", _by_first(tree, own, date, by)) for by, date in deeds(key, data)]
    return Opening(_ASKED, ((f"by {full_name(own)}", tree), *firsts[:_MOST_DEEDS]))


def _called(words: str, data: Data) -> TableKey | None:
    """The one table that the words name."""
    found = [each.key for each in data.catalog.tables if are_called(words, each.key, data)]
    return found[0] if len(found) == 1 else None


def _put_on_file(query: Query, key: TableKey, data: Data) -> Col | None:
    """The date by which a tree counts them, where it is their own, else the one by which they came."""
    told = [each for each in days(query) if each.table == key]
    dates = [Col(key, each.name) for each in data.table(key).columns if each.is_time]
    came = [each for each in dates if is_deed(each, data) and not _is_end(each)]
    day = told[0] if len(told) == 1 else data.day(key) if data.day(key) in came else came[0] if len(came) == 1 else None
    return day if day in came and day and not begins(name_stems(day.name)) else None


def _says_own(question: str, own: Col) -> bool:
    """Whether a word of the question is what their own date tells: `new clients enlisted in 2024`."""
    said = set(map(root, spoken_stems(tokenise(question)))) - set(map(root, table_stems(own.table[1])))
    deeds_told = {root(each) for each in name_stems(own.name) if each not in _ANY_DATE}
    return bool(said & deeds_told)


def _is_end(date: Col) -> bool:
    stems = name_stems(date.name)
    return ends(stems) or is_meant(stems) or not _LAST.isdisjoint(stems)


def _by_own(query: Query, key: TableKey, own: Col) -> Query | None:
    """How many there are in the period of a tree that counts them, by their own date; None where it is of more."""
    periods = [each for each in query.where if isinstance(each, During)]
    others = [each for each in query.where if each not in periods]
    is_plain = only_total(query) is not None and not query.group and len(periods) == 1
    is_own = all(each.table == key for each in columns_in(others))
    if not is_plain or not is_own or only_total(query).function != "count":  # type: ignore[union-attr]
        return None
    within = replace(periods[0], left=own)
    return Query(key, (Agg("count", Rows(key)),), (*others, within))


def _by_first(query: Query, day: Col, date: Col, by: Col) -> Query:
    """The tree with the first time that one did something in place of their own date."""
    first, counts = First(date, by), Agg("count", by, distinct=True)

    def change(node: Any) -> Any:
        if node == day:
            return first
        return counts if isinstance(node, Agg) and node.of == Rows(day.table) else node

    return replace(mapped(query, change), anchor=date.table)

"""Rows that nobody looks after: `campaigns that nobody looks after`, `tickets with nobody working on them`,
`unassigned tickets`, as those without the one who does.

Called by `rewordings`. The rows keep one column of a person that may be missing: a key to a table of people, or what is
called as whoever looks after things is. What was done to rows (`courses nobody booked`) is other tables' to tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import name_words, stem, table_stems, tokenise

_CARE = (
    r"(?:look(?:s|ed|ing)? after|work(?:s|ed|ing)? on|tak(?:es?|en|ing) care of|car(?:es?|ed|ing) for"
    r"|deal(?:s|t|ing)? with|(?:is |be |being )?(?:responsible for|in charge of|assigned(?: to)?)|manag(?:es?|ed|ing)"
    r"|handl(?:es?|ed|ing)|own(?:s|ed|ing)?|pick(?:s|ed|ing)? up|tak(?:es?|en|ing) on)"
)
_NOBODY = r"(?:nobody|no[- ]?one|no person)"
_BY_NOBODY = rf"(?:{_CARE} by {_NOBODY}|not (?:being )?{_CARE} by (?:any|some)(?:body|one))"
_THEM = r"(?: (?:it|them|those|that|this|to (?:it|them)|on (?:it|them)))*"
_SAID = Pattern(
    rf"\b(?:(?:do|does|did|has|have|is) {_NOBODY} (?:been )?{_CARE}{_THEM}"
    rf"|(?:(?:that|which|and) )?(?:have|has|had|with|there is) {_NOBODY} (?:who (?:is )?)?{_CARE}{_THEM}"
    rf"|(?:(?:that|which) )?{_NOBODY} (?:is |has |was )?{_CARE}{_THEM}"
    rf"|(?:(?:(?:that|which) )?(?:is|are|was|were) )?{_BY_NOBODY})(?=\W|$)",
    re.IGNORECASE,
)
_UN = r"un(?:assigned|attended|allocated|managed|claimed)"
_UNATTENDED = Pattern(
    rf"\b{_UN} (?P<rows>[a-z]+)|(?:\b(?:that|which|who) )?\b(?:is|are|was|were) {_UN}\b", re.IGNORECASE
)
_CARERS = frozenset(
    map(stem, "manager owner agent handler assignee supervisor leader lead caretaker keeper rep".split())
)
_SERVED = frozenset(
    map(stem, "customer client member patient guest visitor passenger student tenant donor subscriber buyer".split())
)
_NO_NAMES = ("id", "key", "code", "name", "no", "num")


def as_without_carer(question: str, catalog: Catalog) -> str:
    """The question with such rows as those without the one who looks after them; itself where none says who that is."""
    if not (_SAID.search(question) or _UNATTENDED.search(question)):
        return question
    carers = list(_carers(question, catalog))
    if len(carers) != 1:
        return question
    without = _without(carers[0])
    said = _UNATTENDED.sub(lambda match: f"{match['rows'] or ''} {without}".strip(), question)
    return tidy(_SAID.sub(without, said))


def _carers(question: str, catalog: Catalog) -> Iterator[Column]:
    """The columns of a person that may be missing, of the rows that are named."""
    said = {token.stem for token in tokenise(question)}
    for table in catalog.tables:
        if table_stems(table.name)[-1:] and table_stems(table.name)[-1] in said:
            yield from (each for each in table.columns if each.null_fraction != 0 and _is_carer(each, table, catalog))


def _is_carer(column: Column, table: Table, catalog: Catalog) -> bool:
    if not column.nullable or column.is_time:
        return False
    pointed = (key for key in table.foreign_keys if key.columns == (column.name,))
    people = (catalog.table(key.ref_schema, key.ref_table) for key in pointed)
    by_name = not _CARERS.isdisjoint(table.stems(column.name)) and column.kind == "text"
    return by_name or any(each is not None and _is_of_staff(each) for each in people)


def _is_of_staff(table: Table) -> bool:
    return is_of_people(table, ()) and _SERVED.isdisjoint(table_stems(table.name)[-1:])


def _without(column: Column) -> str:
    words = [each for each in name_words(column.name) if each not in _NO_NAMES]
    return f"that nobody is {' '.join(words)}" if words[-1] == "to" else f"without a {' '.join(words)}"

"""`ok and per operator`: groups that no edit tells, as a whole question has them, `complaints by operator`.

By which key rows reach those in a role is read best of a whole question; its groups take the place of those before.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.followups.trees import settled
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, table_words
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import Col, Cond, Query, TableKey, columns_in, is_total
from pluto_duck_text2sql.trees.parts import is_aggregate, keys, subject

_IT = r"(?:it|that|this|them|those|these)"
_BY = Pattern(
    rf"{LEAD}(?:(?:what about|how about|only|just|rather|instead|again|split|break|group|show|give me) )*"
    rf"(?:{_IT} )?(?:down |up )?"
    r"(?:by|per|for each) (?P<noun>[a-z]+(?: [a-z]+)?)(?: (?:instead|please|rather|then|too))*$",
    re.IGNORECASE,
)


def by_said(question: str, before: Query) -> str:
    """The whole question for the figures before by what a follow-up names alone; empty where it names more."""
    said = _BY.match(question.strip(" ?!.")) if is_aggregate(before) and before.then is None else None
    return f"number of {' '.join(table_words(subject(before)[1]))} by {said['noun']}" if said else ""


def grouped_as(before: Query, found: Query, reader: Reader) -> Query | None:
    """The figures before in the groups of a whole question of the same rows; None where it is of others."""
    groups = [each for each in keys(found) if isinstance(each, Col)]
    is_same = subject(found) == subject(before) and len(groups) == len(keys(found)) > 0
    if not is_same or before.limit is not None or before.having or before.per:
        return None
    figures = tuple(each for each in before.select if is_total(each))
    tables = {each.table for each in groups} | {reader.joins.pointed(Col(*each)).table for each in found.through}
    kept = tuple(each for each in before.through if reader.joins.pointed(Col(*each)).table not in tables)
    again = tables & {each.table for each in columns_in(keys(before))}
    where = tuple(each for each in before.where if not _of_alone(each, again))
    said = () if found.through else tuple(each for each in found.where if _of_alone(each, tables) and each not in where)
    made = replace(before, select=(*groups, *figures), group=found.group, order=(), through=(*kept, *found.through))
    return settled(replace(made, anchor=subject(before), where=(*where, *said)), reader)


def _of_alone(condition: Cond, tables: set[TableKey]) -> bool:
    """Whether a condition is of these tables alone, such as those to which another key leads now: `position = crew
    lead`."""
    told = {each.table for each in columns_in(condition)}
    return bool(told) and told <= tables

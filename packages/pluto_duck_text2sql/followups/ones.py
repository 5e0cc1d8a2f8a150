"""Those of the rows before that are so: `the open ones`, `only the unpaid ones`, `just those who finished the course`.

How rows are told to be open or overdue (a state, a day that is missing, one that has passed) is read best of a whole
question: `how many open tickets`. What restricts its rows then restricts the earlier answer's.
"""

from __future__ import annotations

import re
from itertools import chain

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import table_words
from pluto_duck_text2sql.tree import Cond, Query, columns_in
from pluto_duck_text2sql.trees.parts import conditions, replaced, subject, with_where

_SUCH = Pattern(
    r"^\W*(?:(?:and|but|now|then|only|just|show|list|what about|how about)(?: me)? )*(?:the |our |those )?"
    r"(?P<such>(?!same|other|first|last|top|bottom|best|worst|biggest|smallest|which|all|good|bad)[a-z][a-z-]+)"
    r" ones(?: only| instead)?\W*$",
    re.IGNORECASE,
)


_SO = Pattern(
    r"^\W*(?:(?:and|but|now|then|only|just|what about) )*(?:those |these |the ones )?(?:that are |which are |who are )?"
    r"(?P<so>(?:still|no longer) (?:with us|here|there|on (?:sale|offer)|in (?:use|service|stock))"
    r"|(?:still|not|already|not yet) [a-z]+|(?:un|over)[a-z]{3,}|open|closed|late|active)(?: only)?\W*$",
    re.IGNORECASE,
)


_WHO_DID = Pattern(
    r"^\W*(?:(?:and|but|now|then|only|just|what about|how about) )+(?:those|these|the ones|people|ones|the people)"
    r" (?:who|that|which) (?P<did>(?:have |had |has )?(?!are\b|were\b|is\b)[a-z]+ .+?)\W*$",
    re.IGNORECASE,
)


def asks_for_such(question: str, before: Query) -> str:
    """The question for those rows alone, `how many open tickets`; empty where none are asked for."""
    such, so, did = _SUCH.match(question), _SO.match(question), _WHO_DID.match(question)
    rows = " ".join(table_words(subject(before)[1]))
    if such:
        return f"how many {such['such']} {rows}"
    if so:
        return f"how many {rows} are {so['so']}"
    return f"how many {rows} {did['did']}" if did else ""


def of_such(before: Query, asked: Query) -> Query | None:
    """The earlier query of such rows alone; None where they are not told by columns of their own."""
    rows = subject(before)
    told = {each for condition in asked.where for each in columns_in(condition)}
    if asked.anchor != rows or asked.group or not told or any(each.table != rows for each in told):
        return None
    olds: list[Cond] = [each for each in conditions(before) if not told.isdisjoint(columns_in(each))]
    return with_where(replaced(before, olds, None) if olds else before, asked.where)


def restricts_alone(before: Query, after: Query) -> bool:
    """Whether an edited query is of other rows than the one before, told by the tables that this had: not one that only
    shows one more column of theirs."""
    tables = [{each.table for each in chain(columns_in(query), columns_in(query.where))} for query in (before, after)]
    return tables[1] <= tables[0] and list(conditions(after)) != list(conditions(before))

"""What is left out: `excluding voided invoices`, `skip any that were cancelled`, `…, waived charges left out`.

The clause is taken out of the question by asides.py and read as a question of its own, how many such rows there are:
what that looks for, the tree of the rest looks for the contrary of. A clause of which words remain unread stays.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from pluto_duck_text2sql.aside import Aside
from pluto_duck_text2sql.expressions import contrary
from pluto_duck_text2sql.presence import OUT
from pluto_duck_text2sql.reader import Reader, Reading, Unreadable
from pluto_duck_text2sql.remarks import tidy
from pluto_duck_text2sql.tree import (
    Among,
    Col,
    Compare,
    Cond,
    Every,
    Missing,
    Query,
    Rows,
    TableKey,
    all_nodes_in,
    columns_in,
)

_WHAT = r"(?P<what>(?:[\w'’-]+ ){0,9}[\w'’-]+)"
_BREAK = r"[,.;:(!?–—-]"
_ENDS = r"(?=[,.;:)!?]|$)"
_CLAUSES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:^|(?<={_BREAK})|(?<={_BREAK} )|(?<= but )|(?<= and ))(?:please |if you |but |and )?{OUT} {_WHAT}{_ENDS}",
        rf"(?<={_BREAK}) ?(?:with )?(?:any |all )?{_WHAT}(?: are| is| were)?"
        rf" (?:excluded|left out|ignored|not counted|omitted){_ENDS}",
    )
)
_SUCH = re.compile(r"^(?:the|any|all|every|those|ones|any of the|all of the) ", re.IGNORECASE)
_EMPTY = re.compile(r"\(\s*\)|\s+(?=[,.;:?!])|(?<=[.?!,;:])\s*[,;:]+|^[\s,;:.]+")
_TOLD = "What is left out: {}."


class LeftOut:
    """Finds over one catalog what a question leaves out."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def aside(self, question: str) -> Aside | None:
        """The first clause that leaves rows out and can be read; None where there is none."""
        for found in (match for clause in _CLAUSES for match in clause.finditer(question)):
            left_out = self._conditions(_SUCH.sub("", found["what"]))
            rest = _EMPTY.sub("", tidy(f"{question[: found.start()]}{question[found.end() :]}")).strip(" ,;–—-")
            if left_out and rest:
                return Aside(rest, partial(_without, left_out=left_out), (_TOLD.format(found["what"]),))
        return None

    def _conditions(self, what: str) -> dict[TableKey, list[Cond]]:
        """What such rows are like, by their table; empty where that is not all that the words say."""
        try:
            reading = self._reader.read(f"how many {what}")
        except Unreadable:
            return {}
        found = defaultdict[TableKey, list[Cond]](list)
        for condition in reading.query.where if _is_plain(reading) else ():
            tables = {each.table for each in columns_in(condition) if isinstance(each, Col)}
            if len(tables) != 1 or not isinstance(condition, Compare | Among | Missing):
                return {}
            found[tables.pop()].append(condition)
        return dict(found)


def _is_plain(reading: Reading) -> bool:
    query = reading.query
    return not (reading.unclaimed or reading.lost or query.group or query.limit or query.then or query.having)


def _without(query: Query, left_out: dict[TableKey, list[Cond]]) -> Query | None:
    """The query of other rows; None where it has nothing to do with such, or is of these alone."""
    used = (each for each in all_nodes_in(query) if isinstance(each, Col | Rows))
    tables = {query.anchor, *query.also, *(each.table for each in used)}
    if query.then or not left_out.keys() <= tables or any(each in query.where for each in _every(left_out.values())):
        return None
    others = (contrary(some[0] if len(some) == 1 else Every(tuple(some))) for some in left_out.values())
    kept = (each for each in others if each not in query.where)
    return replace(query, where=(*query.where, *kept))


def _every(groups: Iterable[Sequence[Cond]]) -> Iterator[Cond]:
    return (each for some in groups for each in some)

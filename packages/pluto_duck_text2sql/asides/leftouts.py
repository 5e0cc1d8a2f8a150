"""Which rows count: `excluding voided invoices`, `…, waived charges left out`, `of the rentals that came back, …`.

Such a clause is taken out of the question by asides.py and read as a question of its own, how many such rows there are:
what that looks for, the tree of the rest looks for as well, or for its contrary where they are left out. A clause of
which words remain unread stays.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from pluto_duck_text2sql.asides.aside import Aside
from pluto_duck_text2sql.corrections.nests import within
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.presence import OUT
from pluto_duck_text2sql.data.unknown_members import unknown_members
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import stem, table_stems, tokenise
from pluto_duck_text2sql.reading.reader import Reader, Reading, Unreadable
from pluto_duck_text2sql.rewording.deed_nouns import with_states
from pluto_duck_text2sql.terms.homes import Homes
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
from pluto_duck_text2sql.trees.expressions import contrary

_WHAT = r"(?P<what>(?:[\w'’-]+ ){0,9}[\w'’-]+)"
_BREAK = r"[,.;:(!?–—-]"
_ENDS = r"(?=[,.;:)!?]|$)"
_OUT_OF = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:^|(?<={_BREAK})|(?<={_BREAK} )|(?<= but )|(?<= and ))(?:please |if you |but |and )?{OUT} {_WHAT}{_ENDS}",
        rf"(?:^|(?<={_BREAK})|(?<={_BREAK} )|(?<= but )|(?<= and ))(?:please )?leav(?:e|ing) {_WHAT} (?:out|aside)"
        rf"{_ENDS}",
        rf"(?:^|(?<={_BREAK}))(?: ?but)? ?(?:please )?(?:do not|don['’]?t|without) count(?:ing)? {_WHAT}{_ENDS}",
        rf"(?:(?<={_BREAK})|(?<=\w)) ?without (?:the|any) {_WHAT}{_ENDS}",
        rf"(?<={_BREAK}) ?(?:so|but|and) not (?P<what>the (?:[\w'’-]+ ){{0,3}}[\w'’-]+){_ENDS}",
        rf"(?<={_BREAK}) ?(?:with )?(?:any |all )?{_WHAT}(?: are| is| were)?"
        rf" (?:excluded|left out|ignored|not counted|omitted|excepted|disregarded){_ENDS}",
        rf"(?<={_BREAK}) ?(?:with )?(?:any |all )?(?P<what>(?:[\w'’-]+ ){{1,4}}ones)(?: are| is| were)?"
        rf" (?:removed|taken out|dropped|set aside|not (?:needed|wanted|included)){_ENDS}",
    )
)
_ONLY = Pattern(
    rf"(?<=[.?!;,(]) ?(?:please )?(?:(?:only |just )(?:look at|count|consider|include|take|use)"
    rf"|(?:looking|counting|considering) only(?: at)?|look only at|count only|consider only) {_WHAT}{_ENDS}",
    re.IGNORECASE,
)
_OF_THESE = Pattern(
    r"^(?:of|among|out of) (?:the |all |all the |our )?(?P<what>(?P<rows>[a-z]+) [^,?]{4,80}), (?:what|which|how)"
    r" (?P<part>percentage|percent|share|proportion|fraction|many)(?: of (?:them|these|those))? (?P<rest>.+)$",
    re.IGNORECASE,
)
_SUCH = Pattern(r"^(?:the|any|all|every|those|ones|any of the|all of the) (?!who\b|that\b|which\b|with)", re.IGNORECASE)
_ANYONE = Pattern(
    r"^(?:anyone|anybody|everyone|everybody|people|those|any|ones|all)(?: of (?:them|these|those))?"
    r"(?= (?:who|that|which|with))",
    re.IGNORECASE,
)
_ONES = Pattern(r"(?<=\w )ones$", re.IGNORECASE)
_EMPTY = Pattern(r"\(\s*\)|\s+(?=[,.;:?!])|(?<=[.?!,;:])\s*[,;:]+|^[\s,;:.]+")
_BOTH = Pattern(
    r"^(?P<one>.+?),? and (?P<other>(?:(?:those|any|all|the) )?(?:[\w'’-]+ ){1,3}ones|(?:those|ones) .+)$",
    re.IGNORECASE,
)
"""Rows of two kinds that are left out, each said for itself."""
_AND_OR = r",? (?:and|or) |, "
_VALUES = Pattern(rf"^(?P<values>[\w-]+(?:(?:{_AND_OR})[\w-]+)+) (?P<rows>[a-z]+)$", re.IGNORECASE)
"""Several words before the rows that they are said of."""
_UNKNOWN = Pattern(
    r"^(?:the |any |our )?(?:unknown|unidentified|unspecified|unassigned|anonymous|not applicable|n/a)"
    r"(?: (?P<rows>[a-z]+(?: [a-z]+)?))?$",
    re.IGNORECASE,
)
_THAT = frozenset("one ones member members row rows entry entries record records value values".split())
_MOST_CLAUSES = 4
_LEFT_OUT, _COUNTED = "What is left out: {}.", "What counts: {}."
_Conditions = dict[TableKey, list[Cond]]


@dataclass(frozen=True)
class _Clause:
    """What it says of rows, the question without it, whether the rows are left out."""

    what: str
    rest: str
    is_out: bool


class LeftOut:
    """Finds over one catalog which rows a question says that count."""

    def __init__(self, reader: Reader) -> None:
        self._reader, self._homes = reader, Homes(reader.joins, reader.names)
        self._unknown = unknown_members(reader.catalog)

    def aside(self, question: str) -> Aside | None:
        """The first clause that says which rows count and can be read; None where there is none."""
        for clause in islice(_clauses(question), _MOST_CLAUSES):
            conditions = self._conditions(clause)
            if conditions and clause.rest:
                change = _without if clause.is_out else _of
                told = (_LEFT_OUT if clause.is_out else _COUNTED).format(clause.what)
                return Aside(clause.rest, partial(change, such=conditions, joins=self._reader.joins), (told,))
        return None

    def _conditions(self, clause: _Clause) -> _Conditions:
        """What such rows are like, by their table; empty where that is not all that the words say."""
        unknown = self._of_unknown(clause)
        return (
            unknown or self._of_values(clause.what) or next(filter(None, map(self._read, self._readable(clause))), {})
        )

    def _of_unknown(self, clause: _Clause) -> _Conditions:
        """`the unknown customer`: the row kept for it, of the table named, else of the one that the rest names."""
        found = _UNKNOWN.match(clause.what) if self._unknown else None
        if found is None:
            return {}
        rows = clause.rest if (found["rows"] or "one").lower() in _THAT else found["rows"]
        keys = [key for key in self._homes.named(tokenise(rows)) if key in self._unknown]
        return {keys[0]: [self._unknown[keys[0]]]} if len(keys) == 1 else {}

    def _of_values(self, what: str) -> _Conditions:
        """`cancelled and returned hires`: those that hold one of these, where one of their columns stores all."""
        found = _VALUES.match(what)
        listed = re.split(_AND_OR, found["values"], flags=re.IGNORECASE) if found else []
        hits = [[each for each in some if each.score >= 1] for some in self._reader.catalog.values.lookup_all(listed)]
        places = set.intersection(*({_place(each) for each in some} for some in hits)) if hits else set()
        own = [each for each in places if found and _is_called(each.table[1], found["rows"])]
        values = [each.value for some in hits for each in some if own and _place(each) == own[0]]
        return {own[0].table: [Among(own[0], tuple(dict.fromkeys(values)))]} if len(own) == 1 else {}

    def _readable(self, clause: _Clause) -> Iterator[str]:
        """The rows by their name; `anyone who is blacklisted` is one of those that the rest names."""
        what = _SUCH.sub("", clause.what)
        pattern = next((each for each in (_ANYONE, _ONES) if each.search(what)), None)
        if pattern is None:
            yield what
            return
        named = (each for each in self._reader.named(clause.rest) if any(not t.column for t in each.targets))
        yield from (pattern.sub(each.text, what) for each in named)

    def _read(self, what: str) -> _Conditions:
        try:
            reading = self._reader.read(with_states(f"how many {what}", self._reader.names, self._reader.catalog))
        except Unreadable:
            return {}
        found = defaultdict[TableKey, list[Cond]](list)
        for condition in reading.query.where if _is_plain(reading) else ():
            tables = {each.table for each in columns_in(condition) if isinstance(each, Col)}
            if len(tables) != 1 or not isinstance(condition, Compare | Among | Missing):
                return {}
            found[tables.pop()].append(condition)
        return dict(found)


def _place(hit: ValueHit) -> Col:
    return Col((hit.schema, hit.table), hit.column)


def _is_called(table: str, rows: str) -> bool:
    return rows.lower() == "ones" or stem(rows.lower()) in table_stems(table)[-1:]


def _clauses(question: str) -> Iterator[_Clause]:
    for pattern in (*_OUT_OF, _ONLY):
        for found in pattern.finditer(question):
            rest = _rest(question, found)
            both = _BOTH.match(found["what"]) if pattern is not _ONLY else None
            if both:
                yield _Clause(both["one"], f"{rest.rstrip(' .?!')}, excluding {both['other']}", True)
            yield _Clause(found["what"], rest, pattern is not _ONLY)
    of_these = _OF_THESE.match(question)
    if of_these:
        asked = "how many" if of_these["part"].lower() == "many" else f"what {of_these['part']} of"
        yield _Clause(of_these["what"], f"{asked} {of_these['rows']} {of_these['rest']}", is_out=False)


def _rest(question: str, found: re.Match[str]) -> str:
    return _EMPTY.sub("", tidy(f"{question[: found.start()]}{question[found.end() :]}")).strip(" ,;–—-")


def _is_plain(reading: Reading) -> bool:
    query = reading.query
    asks_more = query.group or query.limit or query.then or query.having or reading.choices
    return not (reading.unclaimed or reading.lost or asks_more)


def _without(query: Query, such: _Conditions, joins: JoinGraph) -> Query | None:
    """The query of other rows; None where it has nothing to do with such, or is of these alone."""
    others = [contrary(some[0] if len(some) == 1 else Every(tuple(some))) for some in such.values()]
    return _restricted(query, such, others, joins) if not _has_any(query, _every(such.values())) else None


def _of(query: Query, such: _Conditions, joins: JoinGraph) -> Query | None:
    """The query of such rows; None where it has nothing to do with them, or of their contraries alone."""
    wanted = list(_every(such.values()))
    return _restricted(query, such, wanted, joins) if not _has_any(query, map(contrary, wanted)) else None


def _restricted(query: Query, such: _Conditions, conditions: Sequence[Cond], joins: JoinGraph) -> Query | None:
    """The query with conditions on its own tables, and on those that its rows point at."""
    used = (each for each in all_nodes_in(query) if isinstance(each, Col | Rows))
    tables = {query.anchor, *query.also, *(each.table for each in used)}
    if query.then or not all(key in tables or _points_at(query.anchor, key, joins) for key in such):
        return None
    return within(replace(query, where=(*query.where, *(each for each in conditions if each not in query.where))))


def _points_at(rows: TableKey, other: TableKey, joins: JoinGraph) -> bool:
    steps = joins.path(rows, other)
    return bool(steps) and not any(step.multiplies for step in steps or ())


def _has_any(query: Query, conditions: Iterable[Cond]) -> bool:
    return any(each in query.where for each in conditions)


def _every(groups: Iterable[Sequence[Cond]]) -> Iterator[Cond]:
    return (each for some in groups for each in some)

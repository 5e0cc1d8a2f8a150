"""A tree that leaves out a stored value which its question says, with that value: `of the served orders`.

Called by `gathered` for the network's likeliest trees. The value's column must be one of a table that the tree reads,
or else of one that its rows point at, such as their category; how the value is said must leave no doubt that the rows
meant have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.words import LINKING, Token
from pluto_duck_text2sql.tree import Among, Col, Compare, Cond, Query
from pluto_duck_text2sql.trees.marks import Marks

_TURNED = frozenset(
    "not no never without except excluding exclude but other than neither nor non isn't aren't or".split()
)
_TOO = frozenset("included too also counted well or".split())
_NEAR = 4


def with_said_values(
    query: Query, mentions: Sequence[Mention], tokens: Sequence[Token], joins: JoinGraph
) -> Query | None:
    """The tree with conditions for the values it leaves out; None where there are none, or they may mean others."""
    marks = Marks.of(query)
    held = set(marks.values())
    lost = [
        each
        for each in mentions
        if each.hits
        and each.text.lower() not in LINKING
        and not each.targets
        and not each.term
        and not _is_in(each, held)
    ]
    added = [made for each in lost for made in _conditions(each, _hits(each, query, marks, joins), marks, tokens)]
    if not lost or len(added) != len(lost) or query.then or query.beside:
        return None
    return replace(query, where=(*query.where, *added))


def _is_in(item: Mention, held: set[str]) -> bool:
    return any(str(hit.value).casefold() in held for hit in item.hits)


def _hits(item: Mention, query: Query, marks: Marks, joins: JoinGraph) -> list[ValueHit]:
    """Where a value is stored: in the tree's own tables, else in those that its rows point at by one key."""
    ways = Counter(step.target for step in joins.neighbours(query.anchor) if not step.multiplies)
    near = {target for target, count in ways.items() if count == 1}
    own = [hit for hit in item.hits if (hit.schema, hit.table) in marks.tables]
    return own or [hit for hit in item.hits if (hit.schema, hit.table) in near]


def _conditions(item: Mention, hits: Sequence[ValueHit], marks: Marks, tokens: Sequence[Token]) -> Iterator[Cond]:
    """What a value says of the rows of the tree; nothing where several columns hold it, its column tells something else
    already, or it is said of others."""
    columns = {Col((hit.schema, hit.table), hit.column) for hit in hits}
    before = {token.lower for token in tokens[max(item.start - _NEAR, 0) : item.start]}
    after = {token.lower for token in tokens[item.end : item.end + _NEAR]}
    told = {(each.table, each.name) for each in columns} & marks.columns
    if len(columns) != 1 or before & _TURNED or after & _TOO or told:
        return
    values = tuple(dict.fromkeys(hit.value for hit in hits))
    column = next(iter(columns))
    yield Compare(column, "=", values[0]) if len(values) == 1 else Among(column, values)

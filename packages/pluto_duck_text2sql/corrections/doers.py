"""How many did something in each period: `users who logged an event, by month` are by the month of the event.

Called by `corrections` for trees that count those who did it by a date of their own which the question does not say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.words import name_stems, stem, tokenise
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Cond,
    During,
    Expr,
    Order,
    Query,
    Related,
    Rows,
    TableKey,
    columns_in,
)
from pluto_duck_text2sql.trees.resolve import Resolver


def by_deeds(query: Query, question: str, joins: JoinGraph, resolver: Resolver) -> Query:
    """The tree over what was done, each doer counted once a period; as it is where that is not what it counts."""
    said = {token.stem for token in tokenise(question)}
    own, deeds = _own_time(query, said), _deeds(query)
    doer = joins.pointer(next(iter(deeds)), query.anchor) if own and len(deeds) == 1 else None
    if own is None or doer is None or doer.table not in deeds or not isinstance(own.of, Col):
        return query
    done = deeds[doer.table]
    times = (each for _, each in resolver.time_column([doer.table], frozenset(said)) if each.table == doer.table)
    time = _time_of(done) or next(times, None)
    if time is None:
        return query
    bucket = Bucket(own.grain, time)
    counted: tuple[Expr, ...] = tuple(_counted(each, own, bucket, doer) for each in query.select)
    own_where = [_moved(each, own.of, time) for each in query.where if _table_of(each, query.anchor) != doer.table]
    every = tuple(dict.fromkeys((*done, *own_where)))
    return replace(query, anchor=doer.table, select=counted, where=every, group=(bucket,), order=(Order(bucket),))


def _deeds(query: Query) -> dict[TableKey, list[Cond]]:
    """What is said of each other table than the one that is counted."""
    found = defaultdict[TableKey, list[Cond]](list)
    for each in query.where:
        table = _table_of(each, query.anchor)
        if isinstance(each, Related) and table:
            found[table] += [each] if each.negated or each.count else each.where
        elif table:
            found[table].append(each)
    is_plain = not any(isinstance(part, Related) for some in found.values() for part in some)
    return dict(found) if is_plain else {}


def _table_of(condition: Cond, anchor: TableKey) -> TableKey | None:
    if isinstance(condition, Related):
        return condition.table
    tables = {each.table for each in columns_in(condition)} - {anchor}
    return tables.pop() if len(tables) == 1 else None


def _own_time(query: Query, said: Collection[str]) -> Bucket | None:
    """The one period that doers are counted by, of a date of theirs that is not said."""
    bucket = query.group[0] if len(query.group) == 1 else None
    plain = not (query.having or query.limit or query.then or query.per)
    if not plain or not isinstance(bucket, Bucket) or not isinstance(bucket.of, Col) or bucket.of.table != query.anchor:
        return None
    counts = [each for each in query.select if each != bucket]
    is_said = not frozenset(said).isdisjoint({*name_stems(bucket.of.name)} - _PLAIN)
    return bucket if counts == [Agg("count", Rows(query.anchor))] and not is_said else None


_PLAIN = frozenset(map(stem, ("date", "time", "on", "at")))


def _time_of(done: Sequence[Cond]) -> Col | None:
    """The date of what was done that the question restricts already."""
    return next((each.left for each in done if isinstance(each, During) and isinstance(each.left, Col)), None)


def _counted(shown: Expr, own: Bucket, bucket: Bucket, doer: Col) -> Expr:
    return bucket if shown == own else Agg("count", doer, distinct=True)


def _moved(condition: Cond, date: Col, time: Col) -> Cond:
    """A period of the doers' own date is one of what they did."""
    is_own = isinstance(condition, During) and condition.left == date
    return replace(condition, left=time) if isinstance(condition, During) and is_own else condition

"""What makes the best, where nothing says it: `our top 5 brands` by what they brought in, or by how many were sold.

Called by `doubts` with the best reading's tree. A question that ranks one thing, and of whose words nothing is left
that could say by what, is ranked by each measure the data has for it: the money of the rows that belong to it, how
many these are, its own amounts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pluto_duck_text2sql.catalog import Catalog, Table
from pluto_duck_text2sql.cues import find_cues
from pluto_duck_text2sql.joins import JoinGraph
from pluto_duck_text2sql.links import Mention, NameIndex, find_mentions
from pluto_duck_text2sql.periods import Words
from pluto_duck_text2sql.phrases import said_as, shown_name
from pluto_duck_text2sql.resolve import Resolver
from pluto_duck_text2sql.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Expr, Order, Query, Rows, TableKey, columns_in, is_total
from pluto_duck_text2sql.words import STOP, Token, tokenise

_MERIT = re.compile(r"\b(?:best|top|worst|biggest|largest|smallest|greatest|bottom|popular)\b")
_RANKS = ("super", "popular")
_IDLE = ("idle", "total")
_MOST_TABLES = 2
"""Where rows of more tables belong to a thing, how many there are of each says nothing of its rank."""
_NO_AMOUNTS = frozenset("year lat long latitude longitude number rank position age".split())


@dataclass(frozen=True)
class Ranked:
    """What a question ranks; `lists`: it says which columns to show, `is_nth`: the last of the first ones is wanted,
    `by_demand`: the most popular are those of which there is most."""

    item: Mention
    lists: bool
    is_nth: bool
    by_demand: bool


def ranked_barely(question: str, names: NameIndex, catalog: Catalog) -> Ranked | None:
    """What a question ranks that says nothing of by what; None where it ranks nothing, or says it."""
    main, phrases = split_spec(question)
    tokens = tokenise(main)
    cues = find_cues(Words(tokens))
    ranks = [cue for cue in cues if cue.kind in _RANKS and _MERIT.search(_text(tokens, cue.start, cue.end))]
    if len(ranks) != 1 or any(cue.kind not in (*_RANKS, *_IDLE) for cue in cues):
        return None
    taken = {n for cue in cues for n in range(cue.start, cue.end)}
    mentions = find_mentions(tokens, [n in taken for n in range(len(tokens))], names, catalog)
    named = [each for each in mentions if each.targets]
    spoken = taken | {n for each in mentions for n in range(each.start, each.end)}
    if len(named) != 1 or any(_may_say(token) for n, token in enumerate(tokens) if n not in spoken):
        return None
    return Ranked(named[0], bool(phrases), "nth" in ranks[0].data, ranks[0].kind == "popular")


def _may_say(token: Token) -> bool:
    return token.lower not in STOP and token.number is None


def _text(tokens: Sequence[Token], start: int, end: int) -> str:
    return " ".join(token.text for token in tokens[start:end]).casefold()


class Merits:
    """Ranks what is ranked in each way that the data has."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, resolver: Resolver) -> None:
        self._catalog, self._joins, self._resolver = catalog, joins, resolver

    def rankings(self, ranked: Ranked, query: Query) -> list[tuple[str, Query]]:
        """The query ranked by each measure, with its name."""
        table = self._ranked_table(query)
        says_by_what = ranked.lists and any(map(is_total, query.select))
        if table is None or query.limit is None or not query.order or says_by_what:
            return []
        is_entity = any(each.column is None and each.table.key == table.key for each in ranked.item.targets)
        ranking = replace(query, nth=ranked.is_nth)
        measures = self._numbers(table, is_entity) if ranked.by_demand else self._measures(table, is_entity)
        return [(f"by {name}", self._by(measure, ranking, table)) for name, measure in dict(measures).items()]

    def _ranked_table(self, query: Query) -> Table | None:
        """The table of what is shown: its rows, or a column's values, are ranked."""
        shown = [each for each in query.select if not is_total(each)]
        tables = {each.table for each in shown if isinstance(each, Col)}
        return self._catalog.table(*tables.pop()) if len(tables) == 1 and not query.then else None

    def _measures(self, table: Table, is_entity: bool) -> Iterator[tuple[str, Expr]]:
        amounts = [each for each in self._resolver.money() if self._is_of(_home(each), table.key, is_entity)]
        money = min(amounts, key=lambda each: self._joins.distance(table.key, _home(each)), default=None)
        if money:
            yield said_as(money), Agg("sum", money)
            yield self._number_of(_home(money))
        elif is_entity:
            yield from ((column, Col(table.key, column)) for column in self._amounts(table))
        yield from self._numbers(table, is_entity)

    def _numbers(self, table: Table, is_entity: bool) -> Iterator[tuple[str, Expr]]:
        """How many rows belong to each; of a column's values also how many of its own table have them."""
        belonging = list(dict.fromkeys(self._joins.children(table.key)))
        counted = [*([] if is_entity else [table.key]), *(belonging if len(belonging) <= _MOST_TABLES else [])]
        yield from map(self._number_of, counted)

    def _number_of(self, key: TableKey) -> tuple[str, Expr]:
        return f"number of {shown_name(key)}", Agg("count", Rows(key))

    def _is_of(self, home: TableKey, key: TableKey, is_entity: bool) -> bool:
        """Whether each row of `home` belongs to one of the ranked table; a column's values are of its own rows, too."""
        if home == key:
            return not is_entity
        steps = self._joins.path(home, key)
        return bool(steps) and not any(step.multiplies for step in steps or ())

    def _amounts(self, table: Table) -> list[str]:
        """The columns that hold an amount of the thing."""
        found = [c for c in table.columns if c.kind == "number" or c.of_numbers]
        plain = [c.name for c in found if not self._resolver.is_key(table, c.name)]
        return [name for name in plain if not _NO_AMOUNTS.intersection(table.stems(name))]

    def _by(self, measure: Expr, query: Query, table: Table) -> Query:
        """The query with the measure in the place of what it is ranked by."""
        order = (Order(measure, query.order[0].descending),)
        shown = tuple(measure if is_total(each) else each for each in query.select)
        if isinstance(measure, Col):
            return replace(query, anchor=table.key, select=shown, group=(), order=order)
        is_called = bool(set(shown) & set(self._resolver.label(table)))
        keys = [Col(table.key, name) for name in self._resolver.key(table)] if is_called else []
        plain = [each for each in shown if isinstance(each, Col | Bucket)]
        group = tuple(dict.fromkeys((*keys, *plain)))
        return replace(query, anchor=_home(measure), select=shown, group=group, order=order)


def _home(measure: Expr) -> TableKey:
    return next(columns_in(measure)).table

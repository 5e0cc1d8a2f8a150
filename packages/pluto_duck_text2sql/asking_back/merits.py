"""What makes the best, where nothing says it: `our top 5 brands` by what they brought in, or by how many were sold.

Called by `doubts` with the best reading's tree. A question that ranks one thing, and of whose words nothing is left
that could say by what, is ranked by each measure the data has for it: the money of the rows that belong to it, how
many these are, its own amounts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.links import Mention, find_mentions
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, Token, stem, tokenise
from pluto_duck_text2sql.reading.cues import Cue, find_cues
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Cond,
    During,
    Expr,
    Order,
    Query,
    Rows,
    TableKey,
    columns_in,
    is_total,
)
from pluto_duck_text2sql.trees.phrases import counts_pieces, said_as, shown_name
from pluto_duck_text2sql.trees.resolve import Resolver, happens

_MERIT = Pattern(r"\b(?:best|top|worst|biggest|largest|smallest|greatest|bottom|popular)\b")
_SIZE = Pattern(r"\b(?:biggest|largest|smallest|greatest)\b")
_CUT = Pattern(r",? (?:the )?top (?:\d+|three|five|ten|twenty)\W*$", re.IGNORECASE)
_RANKS = ("super", "popular", "bestselling")
_IDLE = ("idle", "total")
_DOES = frozenset(
    """do does did doing done perform performs performed performing sell sells selling seller sellers most of all time
    ever""".split()
)
"""Words that say of what is best only that it is."""
_SELLS = frozenset("sell sells selling seller sellers".split())
_GRADES = frozenset("popular important significant relevant successful".split())
_MOST_TABLES = 2
"""Where rows of more tables belong to a thing, only of what happens it says something how many there are."""
_NO_AMOUNTS = frozenset("year lat long latitude longitude number rank position age day term rate percent".split())
_CHARGES = frozenset(map(stem, "charge charged fee amount fare".split()))
_CROWDS = frozenset(map(stem, "attendee attendance download view visitor guest participant people play stream".split()))
_MARKS = frozenset(map(stem, "rating star stars score review satisfaction".split()))


Way = Literal["best", "size", "popular", "sold"]


@dataclass(frozen=True)
class Ranked:
    """What a question ranks; `lists`: it says which columns to show, `is_nth`: the last of the first ones is wanted,
    `way`: whether it is the best, the biggest, the most popular or the best sold."""

    item: Mention
    lists: bool
    is_nth: bool
    way: Way

    @property
    def rows(self) -> set[TableKey]:
        """The tables whose rows are ranked, where several of them are."""
        is_several = self.item.text.lower().endswith("s")
        return {each.table.key for each in self.item.targets if each.column is None and is_several}


def ranked_barely(question: str, names: NameIndex, catalog: Catalog) -> Ranked | None:
    """What a question ranks that says nothing of by what; None where it ranks nothing, or says it."""
    main, phrases = split_spec(question)
    tokens = tokenise(_without_cut(main))
    cues = find_cues(Words(tokens))
    ranks = [cue for cue in cues if cue.kind in _RANKS and _is_merit(cue, tokens)]
    if len(ranks) != 1 or any(cue.kind not in (*_RANKS, *_IDLE) for cue in cues):
        return None
    taken = {n for cue in cues for n in range(cue.start, cue.end + bool(_grade(cue, tokens)))}
    mentions = find_mentions(tokens, [n in taken or _says_less(tokens, n) for n in range(len(tokens))], names, catalog)
    named, values = [each for each in mentions if each.targets], [each for each in mentions if not each.targets]
    spoken = taken | {n for each in mentions for n in range(each.start, each.end)}
    if not _is_one(named) or len(values) > 1 or not mentions:
        return None
    if any(_may_say(token) for n, token in enumerate(tokens) if n not in spoken):
        return None
    return Ranked((named or values)[0], bool(phrases), "nth" in ranks[0].data, _way(ranks[0], tokens))


def _without_cut(text: str) -> str:
    """`most popular titles, top 10` without what says but how many, where another word ranks them."""
    found = _CUT.search(text)
    before = text[: found.start()] if found else ""
    return before if _MERIT.search(before.lower()) else text


def _is_one(named: Sequence[Mention]) -> bool:
    """Whether words name a table or column, or a column and then its table: `kind of event`."""
    if len(named) != 2:
        return len(named) < 2
    columns, tables = (
        {each.table.key for each in item.targets if (each.column is None) is at} for at, item in enumerate(named)
    )
    return bool(columns & tables)


def _is_popular(cue: Cue, tokens: Sequence[Token]) -> bool:
    """Whether the word after a rank makes it one of the most popular: `three most popular`."""
    return _grade(cue, tokens) == "popular"


def _grade(cue: Cue, tokens: Sequence[Token]) -> str:
    """The word after a rank that says only that it is one: `most popular`, `most important`."""
    ends = tokens[cue.end - 1].lower in ("most", "least") and cue.end < len(tokens)
    word = tokens[cue.end].lower if cue.kind == "super" and ends else ""
    return word if word in _GRADES else ""


def _is_merit(cue: Cue, tokens: Sequence[Token]) -> bool:
    return (
        cue.kind == "bestselling" or bool(_grade(cue, tokens)) or bool(_MERIT.search(_text(tokens, cue.start, cue.end)))
    )


def _way(cue: Cue, tokens: Sequence[Token]) -> Way:
    if cue.kind == "bestselling" or any(token.lower in _SELLS for token in tokens):
        return "sold"
    if cue.kind == "popular" or _is_popular(cue, tokens):
        return "popular"
    return "size" if _SIZE.search(_text(tokens, cue.start, cue.end)) else "best"


def _says_less(tokens: Sequence[Token], place: int) -> bool:
    """Whether a word says of what is best only that it is; `of` is of no `kind of event`."""
    is_of = tokens[place].lower == "of" and [each.lower for each in tokens[place + 1 : place + 2]] != ["all"]
    return _only_does(tokens[place]) and not is_of


def _only_does(token: Token) -> bool:
    return token.lower in _DOES


def _may_say(token: Token) -> bool:
    return token.lower not in STOP and token.number is None and not _only_does(token)


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
        is_entity = set(query.select) & {*self._resolver.label(table), *self._key(table)} != set()
        ranking = replace(query, nth=ranked.is_nth)
        measures = dict(self._of_way(ranked.way, table, is_entity))
        moves = ranked.way != "sold"  # what was sold then is told by the day on which it was
        timed = [
            (name, measure, self._in_its_time(ranking, measure) if moves else ranking)
            for name, measure in measures.items()
        ]
        return [
            (f"by {name}", self._by(measure, tree, table))
            for name, measure, tree in timed
            if self._carries(tree, measure)
        ]

    def shows_several(self, ranked: Ranked, query: Query) -> bool:
        """Whether a tree ranks what is ranked, several rows of a table, and shows what these are called."""
        tables = (self._catalog.table(*key) for key in ranked.rows)
        labels = {each for table in tables if table for each in self._resolver.label(table)}
        return query.limit is not None and bool(query.order) and not labels.isdisjoint(query.select)

    def is_measured(self, by: Expr, query: Query) -> bool:
        """Whether a ranking is by an amount, or by how many rows there are of each: by no text, nor by how many rows
        of its own table each row is."""
        if isinstance(by, Col):
            column = self._catalog.column(*by.table, by.name)
            return column is not None and (column.kind != "text" or column.of_numbers or column.is_time)
        table = self._ranked_table(query)
        label = set(self._resolver.label(table)) if table else set()
        counts_itself = isinstance(by, Agg) and table is not None and by.of == Rows(table.key)
        return not (counts_itself and not label.isdisjoint(query.select))

    def _ranked_table(self, query: Query) -> Table | None:
        """The table of what is shown: its rows, or a column's values, are ranked."""
        shown = [each for each in query.select if not is_total(each)]
        tables = {each.table for each in shown if isinstance(each, Col)}
        return self._catalog.table(*tables.pop()) if len(tables) == 1 and not query.then else None

    def _of_way(self, way: str, table: Table, is_entity: bool) -> Iterator[tuple[str, Expr]]:
        """By what things are the best, the biggest, the most popular or the best sold."""
        if way == "sold":
            yield from (each for line in self._lines(table, is_entity) for each in self._sales(line))
        elif way == "popular":
            yield from self._numbers(table, is_entity)
            yield from self._happened(table, is_entity)
            yield from self._crowds(table, is_entity)
            yield from self._marks(table, is_entity)
        else:
            yield from self._sizes(table) if way == "size" and is_entity else ()
            yield from self._measures(table, is_entity)
            yield from self._marks(table, is_entity) if way == "best" else ()

    def _measures(self, table: Table, is_entity: bool) -> Iterator[tuple[str, Expr]]:
        amounts = [each for each in self._resolver.income() if self._is_of(_home(each), table.key, is_entity)]
        money = min(amounts, key=lambda each: self._joins.distance(table.key, _home(each)), default=None)
        if money:
            yield said_as(money), Agg("sum", money)
            yield self._number_of(_home(money))
            yield from self._pieces(_home(money))
        elif is_entity:
            yield from self._sizes(table)
        yield from self._numbers(table, is_entity)
        yield from self._charged(table, _home(money) if money else table.key, is_entity)

    def _charged(self, table: Table, told: TableKey, is_entity: bool) -> Iterator[tuple[str, Expr]]:
        """What was charged for what happened to it or by it; `told` are the rows whose money is told already."""
        for home in (each for each in dict.fromkeys(self._joins.children(table.key)) if each != told):
            rows = self._catalog.table(*home)
            is_its = rows is not None and happens(rows) and self._is_of(home, table.key, is_entity)
            charges = (
                [each for each in self._amounts(rows) if _CHARGES & {*rows.stems(each)}] if rows and is_its else []
            )
            if len(charges) == 1:
                yield said_as(Col(home, charges[0])), Agg("sum", Col(home, charges[0]))

    def _sizes(self, table: Table) -> Iterator[tuple[str, Expr]]:
        """The thing's own amounts."""
        yield from ((column, Col(table.key, column)) for column in self._amounts(table))

    def _lines(self, table: Table, is_entity: bool) -> Iterator[Table]:
        """The tables whose rows say how many of it were sold, or for how much."""
        homes = {_home(each) for each in self._resolver.income() if self._is_of(_home(each), table.key, is_entity)}
        nearest = min((self._joins.distance(table.key, home) for home in homes), default=0)
        lines = (self._catalog.table(*home) for home in homes if self._joins.distance(table.key, home) == nearest)
        return (each for each in lines if each)

    def _sales(self, line: Table) -> Iterator[tuple[str, Expr]]:
        """How many pieces were sold, and for how much."""
        pieces = self._resolver.pieces(line)
        if pieces:
            yield said_as(pieces), Agg("sum", pieces)
        yield from ((said_as(each), Agg("sum", each)) for each in self._resolver.income() if _home(each) == line.key)
        if pieces is None:
            yield self._number_of(line.key)

    def _pieces(self, home: TableKey) -> Iterator[tuple[str, Expr]]:
        """How many pieces the rows that bring in the money are of."""
        table = self._catalog.table(*home)
        pieces = self._resolver.pieces(table) if table else None
        if pieces:
            yield said_as(pieces), Agg("sum", pieces)

    def _crowds(self, table: Table, is_entity: bool) -> Iterator[tuple[str, Expr]]:
        """How many people, pieces or times its rows are of, or those that belong to it, or to what does."""
        own = self._joins.children(table.key)
        for home in dict.fromkeys((table.key, *own, *(key for each in own for key in self._joins.children(each)))):
            rows = self._catalog.table(*home)
            for name in self._amounts(rows) if rows and self._is_of(home, table.key, is_entity) else ():
                if rows and (counts_pieces(rows.stems(name)) or not _CROWDS.isdisjoint(rows.stems(name))):
                    yield said_as(Col(home, name)), Agg("sum", Col(home, name))

    def _marks(self, table: Table, is_entity: bool) -> Iterator[tuple[str, Expr]]:
        """What people think of it, on average."""
        for each in self._catalog.tables:
            if self._is_of(each.key, table.key, is_entity):
                marks = [name for name in self._amounts(each) if not _MARKS.isdisjoint(each.stems(name))]
                yield from (
                    (f"average of {shown_name(each.key)}.{name}", Agg("avg", Col(each.key, name))) for name in marks
                )

    def _numbers(self, table: Table, is_entity: bool) -> Iterator[tuple[str, Expr]]:
        """How many rows belong to each; of a column's values also how many of its own table have them."""
        belonging = list(dict.fromkeys(self._joins.children(table.key)))
        if len(belonging) > _MOST_TABLES:
            belonging = [each for each in belonging if (rows := self._catalog.table(*each)) and happens(rows)]
        counted = [*([] if is_entity else [table.key]), *belonging]
        yield from map(self._number_of, counted)

    def _happened(self, table: Table, is_entity: bool) -> Iterator[tuple[str, Expr]]:
        """How many things happened to what belongs to each: a title's loans are of its copies."""
        owned = [key for each in self._joins.children(table.key) for key in self._joins.children(each)]
        found = (key for key in dict.fromkeys(owned) if (rows := self._catalog.table(*key)) and happens(rows))
        yield from (self._number_of(key) for key in found if self._is_of(key, table.key, is_entity))

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

    def _key(self, table: Table) -> list[Col]:
        return [Col(table.key, name) for name in self._resolver.key(table)]

    def _in_its_time(self, query: Query, measure: Expr) -> Query:
        """The query with its periods by the day of what is measured, where the rows by whose day they are have none of
        it: the best salesperson in 2024, by the quotes made then, or by the payments."""
        home = _home(measure)
        dates = (each for _, each in self._resolver.time_column([home], frozenset()))
        day = next((each for each in dates if self._is_of(home, each.table, False)), None)
        if day is None or isinstance(measure, Col):
            return query
        where = [
            replace(each, left=day) if self._is_of_another_time(each, home) and isinstance(each, During) else each
            for each in query.where
        ]
        return replace(query, where=tuple(where))

    def _is_of_another_time(self, condition: Cond, home: TableKey) -> bool:
        left = condition.left if isinstance(condition, During) else None
        return isinstance(left, Col) and not self._is_of(home, left.table, False)

    def _carries(self, query: Query, measure: Expr) -> bool:
        """Whether each row of the measure has one of all that the rank looks at, or the measure is the thing's own."""
        shown = [each for each in query.select if not is_total(each)]
        looked_at = {each.table for each in columns_in((query.where, *shown))}
        return all(self._is_of(_home(measure), each, False) for each in looked_at)

    def _by(self, measure: Expr, query: Query, table: Table) -> Query:
        """The query with the measure in the place of what it is ranked by."""
        order = (Order(measure, query.order[0].descending),)
        shown = tuple(measure if is_total(each) else each for each in query.select)
        if isinstance(measure, Col):
            return replace(query, anchor=table.key, select=shown, group=(), order=order)
        is_called = bool(set(shown) & set(self._resolver.label(table)))
        keys = self._key(table) if is_called else []
        plain = [each for each in shown if isinstance(each, Col | Bucket)]
        group = tuple(dict.fromkeys((*keys, *plain)))
        return replace(query, anchor=_home(measure), select=shown, group=group, order=order)


def _home(measure: Expr) -> TableKey:
    return next(columns_in(measure)).table

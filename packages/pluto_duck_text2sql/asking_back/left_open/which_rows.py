"""Which rows: `how many trips` where bike trips and taxi trips are kept, and no word says one of them.

Asked of a number of rows, or of them by period, whose word is a part of the names of two tables, and of both alike.
"""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, counted, days
from pluto_duck_text2sql.data.links import Mention, find_mentions
from pluto_duck_text2sql.language.told_apart import roots_said
from pluto_duck_text2sql.language.words import root, table_stems, tokenise
from pluto_duck_text2sql.tree import Col, Query, TableKey, columns_in
from pluto_duck_text2sql.trees.parts import moved
from pluto_duck_text2sql.trees.phrases import shown_name

_ASKED = "Which rows do you mean by {!r}?"
_AS_GOOD = 0.06
"""How much worse a name may fit and still be as good: that of fewer words fits a little better."""
_PART = 0.65
"""How well a word fits at most that is a part of a name of several."""


def which_rows(question: str, query: Query, data: Data) -> Opening | None:
    """The tree over each of the tables that a word names alike."""
    key = counted(query)
    if key is None or {each.table for each in columns_in(query)} - {key} or query.anchor != key:
        return None
    tokens = tokenise(question)
    mentions = find_mentions(tokens, [False] * len(tokens), data.names, data.catalog)
    for item in mentions:
        others = [each for each in _named_alike(item, key) if not _is_said(question, key, each)]
        trees = [(shown_name(each), tree) for each in others if (tree := _over(query, key, each, data))]
        if trees:
            return Opening(_ASKED.format(item.text), ((shown_name(key), query), *trees))
    return None


def _named_alike(item: Mention, key: TableKey) -> Iterator[TableKey]:
    """The other tables that a word names no worse than the tree's, where it is the whole name of none; a word that ends
    a name tells what its rows are, which one that begins another does not: contracts are no contract lines."""
    named = {each.table.key: each.score for each in item.targets if each.column is None}
    ends = {each: score for each, score in named.items() if _ends_so(item, each)}
    named = ends or named
    if key in named and max(named.values()) <= _PART:
        yield from (each for each, score in named.items() if score >= named[key] - _AS_GOOD and each != key)


def _ends_so(item: Mention, key: TableKey) -> bool:
    """Whether the last word of a table's name is the one that is said."""
    said = [token.stem for token in tokenise(item.text)]
    return list(table_stems(key[1])[-1:]) == said[-1:]


def _is_said(question: str, one: TableKey, other: TableKey) -> bool:
    """Whether a word of the question is in the name of one of two tables alone."""
    apart = {*table_stems(one[1])} ^ {*table_stems(other[1])}
    return not roots_said(question).isdisjoint(map(root, apart))


def _over(query: Query, key: TableKey, other: TableKey, data: Data) -> Query | None:
    """The tree over another table, by its day; None where a column of it has no like there."""
    mine = {each for each in columns_in(query) if isinstance(each, Col)}
    day = data.day(other) if mine else None
    if mine - days(query) or (mine and (day is None or day.table != other)):
        return None
    return moved(query, key, other, {each: day for each in mine if day})

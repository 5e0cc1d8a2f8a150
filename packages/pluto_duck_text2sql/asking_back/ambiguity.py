"""Two readings that differ in one name alone: what a word of the question may mean besides.

Where both names are linked to the same words as strongly and neither reading is much likelier, the question is asked
back; where one is likelier, or needs fewer tables, the answer tells of the other. There is no doubt where a word beside
names only the one: `fulfillment status` is no other status.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from pluto_duck_text2sql.corrections.currencies import unconverted
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.words import name_stems, root, stem, table_stems
from pluto_duck_text2sql.learned.explain import naming_words
from pluto_duck_text2sql.learned.graph import WORD_TABLE, Graph
from pluto_duck_text2sql.learned.names import WHOLE
from pluto_duck_text2sql.learned.network import Memory
from pluto_duck_text2sql.pool import Entry
from pluto_duck_text2sql.tree import Agg, Col, Query, Rows, TableKey, columns_in, parts_of
from pluto_duck_text2sql.trees.facts import Facts
from pluto_duck_text2sql.trees.resolve import is_its_name

_EQUAL = 0.6
"""A reading is asked about where its confidence is at least so much of the best one's."""
_TOLD = 0.25
_RULED_OUT = 0.02
"""What the network finds less likely to be asked about is no second meaning."""
_WHOLES, _PER = frozenset(map(stem, "total global overall worldwide".split())), stem("per")
_MADE_OF_IT = frozenset(
    map(stem, "change difference delta growth target budget forecast goal quota previous prior".split())
)
_RATES = frozenset(map(stem, "rate percent percentage pct".split()))
_AMOUNTS = frozenset(map(stem, "amount amt value sum total".split()))
_JOINED = frozenset(("anchor", "also", "flat"))


@dataclass(frozen=True)
class Doubt:
    """Words that may mean either of two columns; `is_equal`: neither reading is much likelier."""

    words: str
    meant: Col
    other: Col
    entry: Entry
    is_equal: bool

    @property
    def labels(self) -> tuple[str, str]:
        """Both columns by their full names."""
        return _label(self.meant), _label(self.other)

    def told(self) -> str:
        """What the answer says of the reading that it does not take."""
        return f"{self.words!r} is read as {_label(self.meant)}; {_label(self.other)} would fit too"


def doubt(
    graph: Graph, scored: Sequence[tuple[Entry, float]], joins: JoinGraph, said: Set[str] = frozenset()
) -> Doubt | None:
    """The nearest other reading that finds other rows and differs in a column of as good a name, if there is one;
    `said` are the roots of what the question says."""
    if not scored or not scored[0][0].rows:
        return None
    best, sure = scored[0]
    for entry, confidence in scored[1:]:
        columns = only_difference(best.query, entry.query) if confidence >= _TOLD * sure else None
        if columns is None or not entry.rows or entry.finds_as(best):
            continue
        words = "" if _are_one(*columns, joins) or _is_said(*columns, said) else _shared_words(graph, *columns)
        if words and not _is_said_again(words) and not _is_key_beside(*columns, joins):
            is_clear = is_nearer(*columns) or _is_named_apart(words, *columns) or _is_of_named(graph, *columns)
            likely = confidence >= _EQUAL * sure and not is_clear
            return Doubt(words, *columns, entry, likely and reach(entry, joins) <= reach(best, joins))
    return None


def _is_said(meant: Col, other: Col, said: Set[str]) -> bool:
    """Whether a word is in the one's name alone, and none in the other's."""
    ours, theirs = ({*map(root, name_stems(each.name))} for each in (meant, other))
    return not said.isdisjoint(ours - theirs) and said.isdisjoint(theirs - ours)


def _is_named_apart(words: str, meant: Col, other: Col) -> bool:
    """Whether the words are of the one's own name, and of the other's only in what explains it: clicks of `Link
    clicks`, beside `CPC (cost per link click)`."""
    theirs = name_stems(other.name)
    theirs = theirs[: theirs.index(_PER)] if _PER in theirs else theirs
    said = {*map(stem, words.lower().split())}
    return said <= {*name_stems(meant.name)} and said.isdisjoint(theirs)


def _is_said_again(words: str) -> bool:
    """Whether a word is said twice, so that it may mean the one here and the other there: `units asked for minus units
    delivered`."""
    said = [stem(each) for each in words.lower().split()]
    return len(set(said)) < len(said)


def _is_key_beside(one: Col, other: Col, joins: JoinGraph) -> bool:
    """Whether one is the key of what the other tells of: nobody is asked whether a name or a number was meant."""
    return one.table == other.table and joins.is_key(one) is not joins.is_key(other)


def may_be_meant(memory: Memory, column: Col) -> bool:
    """Whether the network does not rule out that the question is about the column."""
    node = _node(memory.graph, column)
    return node is None or float(memory.used[node]) >= _RULED_OUT


def better_named(graph: Graph, scored: list[tuple[Entry, float]]) -> list[tuple[Entry, float]]:
    """The readings, but one first that differs from the best in a column which more words beside each other name, or
    the same words and its table."""
    for place, (entry, confidence) in enumerate(scored[1:], 1):
        columns = only_difference(scored[0][0].query, entry.query) if confidence >= _TOLD * scored[0][1] else None
        if columns and (_is_named_more(graph, *columns[::-1]) or _is_of_named(graph, *columns[::-1])):
            return [scored[place], *scored[:place], *scored[place + 1 :]]
    return scored


def is_nearer(meant: Col, other: Col) -> bool:
    """Whether words that name both mean the one as a matter of course."""
    reasons = (is_whole, is_its_name, is_amount, is_itself, is_short, is_converted, is_of_its_own)
    return any(each(meant, other) for each in reasons)


def is_converted(meant: Col, other: Col) -> bool:
    """Whether the one is what the other comes to in one currency."""
    return meant.table == other.table and unconverted(name_stems(meant.name)) == name_stems(other.name)


def is_short(meant: Col, other: Col) -> bool:
    """Whether the one is called by the last words of the other alone: a category, beside a sub-category."""
    ours, theirs = name_stems(meant.name), name_stems(other.name)
    return meant.table == other.table and len(ours) < len(theirs) and theirs[-len(ours) :] == ours


def is_amount(meant: Col, other: Col) -> bool:
    """Whether the one is the amount of what the other is the rate of: nobody says `tax` for the tax rate."""
    ours, theirs = set(name_stems(meant.name)), set(name_stems(other.name))
    is_rate = bool(theirs & _RATES) and not ours & _RATES
    return meant.table == other.table and is_rate and ours - _AMOUNTS == theirs - _RATES


def is_itself(meant: Col, other: Col) -> bool:
    """Whether the other is but a change of the one, a plan for it or what it was before: nobody says `revenue` for the
    revenue target."""
    ours, theirs = set(name_stems(meant.name)), set(name_stems(other.name))
    return meant.table == other.table and bool(theirs & _MADE_OF_IT) and ours == theirs - _MADE_OF_IT


def is_of_its_own(meant: Col, other: Col) -> bool:
    """Whether only the one's table is called after it: MRR is kept by `mrr_monthly`, and told by `subscriptions`."""
    same = name_stems(meant.name) == name_stems(other.name)
    ours, theirs = (not set(name_stems(meant.name)).isdisjoint(table_stems(each.table[1])) for each in (meant, other))
    return same and ours and not theirs


def _is_named_more(graph: Graph, one: Col, other: Col) -> bool:
    """Whether words that name `other` all name `one`, and one beside them names `one` alone."""
    ours, theirs = _linked(graph, one), _linked(graph, other)
    return theirs < ours and any(each + step in theirs for each in ours - theirs for step in (-1, 1))


def _is_of_named(graph: Graph, one: Col, other: Col) -> bool:
    """Whether the same words name both, and others the table of the one alone: the staff's birthday, no customer's.
    What is called by what another table is called points at its rows, whosoever keeps it."""
    tables, said = dict(_named_tables(graph)), _linked(graph, one)
    is_only = tables.get(one.table) == WHOLE and other.table not in tables
    return is_only and bool(said) and said == _linked(graph, other) and not _name_rows(graph, said)


def _name_rows(graph: Graph, places: set[int]) -> bool:
    """Whether one of the words is what a table is called."""
    words, columns, *_ = graph.sizes
    met = graph.relations[sorted(places), words + columns : words + columns + len(graph.tables)]
    return bool(np.any(met == WORD_TABLE + WHOLE))


def _named_tables(graph: Graph) -> Iterator[tuple[TableKey, int]]:
    """The tables that words name, and how well at best."""
    words, columns, *_ = graph.sizes
    for place, table in enumerate(graph.tables):
        met = graph.relations[:words, words + columns + place]
        if np.any(met > 0):
            yield table.key, int(met[met > 0].min()) - WORD_TABLE


def named_tables(graph: Graph) -> set[TableKey]:
    """The tables that words name."""
    return {key for key, _ in _named_tables(graph)}


def _linked(graph: Graph, column: Col) -> set[int]:
    """The words that name the column."""
    node = _node(graph, column)
    return set(map(int, np.flatnonzero(graph.relations[: graph.sizes[0], node]))) if node is not None else set()


def reach(entry: Entry, joins: JoinGraph) -> tuple[int, int]:
    """How many joins multiply the rows that are counted, and how many there are."""
    tables = {entry.query.anchor, *(each.table for each in columns_in(entry.query))}
    steps = joins.tree(_counted(entry.query), tables) or []
    return sum(step.multiplies for step in steps), len(steps)


def _counted(query: Query) -> TableKey:
    """The table whose rows a tree counts, though it starts at others; else the one that it starts at."""
    counts = [each for each in query.select if isinstance(each, Agg) and each.function == "count"]
    of = counts[0].of if len(counts) == 1 else None
    is_of_rows = isinstance(of, Rows) or (isinstance(of, Col) and counts[0].distinct)
    return of.table if is_of_rows and isinstance(of, Rows | Col) else query.anchor


def are_same_key(left: Col, right: Col, joins: JoinGraph) -> bool:
    """Whether two tables' columns of one name point at the same rows: who is meant is the same by either."""
    at = joins.pointed(left)
    return left.name == right.name and at == joins.pointed(right) and at.table not in (left.table, right.table)


def _are_one(left: Col, right: Col, joins: JoinGraph) -> bool:
    """Whether a key makes them equal, so that nobody means the one rather than the other."""
    if are_same_key(left, right, joins):
        return True
    steps = joins.neighbours(left.table)
    return any(step.target == right.table and (left.name, right.name) in step.pairs for step in steps)


def is_whole(meant: Col, other: Col) -> bool:
    """Whether the one is the total that the other is a part of."""
    ours, theirs = (_WHOLES.isdisjoint(name_stems(each.name)) for each in (meant, other))
    return meant.table == other.table and theirs and not ours


def only_difference(one: Query, other: Query) -> tuple[Col, Col] | None:
    """The columns that stand for each other in two trees which are the same otherwise."""
    found = set(_differences(one, other))
    if len(found) != 1:
        return None
    left, right = found.pop()
    return (left, right) if isinstance(left, Col) and isinstance(right, Col) else None


def _differences(one: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(one, Col) or type(one) is not type(other):
        if one != other:
            yield one, other
    elif isinstance(one, tuple):
        if len(one) != len(other):
            yield one, other
        for left, right in zip(one, other, strict=False):
            yield from _differences(left, right)
    elif (names := parts_of(type(one))) is not None:
        for name in names:
            if name not in _JOINED:
                yield from _differences(getattr(one, name), getattr(other, name))
    elif one != other:
        yield one, other


def _shared_words(graph: Graph, left: Col, right: Col) -> str:
    """The words that name both columns, linked to one as well as to the other."""
    nodes = [_node(graph, each) for each in (left, right)]
    if None in nodes:
        return ""
    words = graph.sizes[0]
    one, other = (graph.relations[:words, node] for node in nodes)
    return naming_words(graph, np.flatnonzero((one > 0) & (one == other)))


def _node(graph: Graph, column: Col) -> int | None:
    words, columns, *_ = graph.sizes
    return next((words + n for n in range(columns) if graph.column(n) == column), None)


def chosen(scored: Sequence[tuple[Entry, float]], label: str) -> list[tuple[Entry, float]]:
    """The readings with the column that was picked first; nothing where none has it."""
    fits = [label in map(_label, Facts.of(entry.query).columns) for entry, _ in scored]
    ordered = [each for want in (True, False) for each, fit in zip(scored, fits, strict=True) if fit is want]
    return ordered if any(fits) else []


def _label(column: Col) -> str:
    return f"{column.table[1]}.{column.name}"

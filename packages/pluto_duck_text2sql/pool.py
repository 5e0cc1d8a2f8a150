"""All readings of one question, from the network and from the rules: written as SQL, run, put in order.

Deterministic. What cannot be written or does not run is no reading. How many are run depends on how sure the network
is, so that a plain question costs one query.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

from pluto_duck_text2sql.confidence import fit_of
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph, Unreachable
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.learned.features import Tried, features, mark
from pluto_duck_text2sql.learned.network import Floats
from pluto_duck_text2sql.learned.ranking import Ranker
from pluto_duck_text2sql.learned.sketcher import Sketch, Sketches
from pluto_duck_text2sql.reading.reader import Reading
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    During,
    Inside,
    Missing,
    Query,
    Related,
    TableKey,
    all_nodes_in,
    columns_in,
    is_total,
    nodes_in,
)
from pluto_duck_text2sql.trees.arbitrary import shows_any
from pluto_duck_text2sql.trees.facts import Facts
from pluto_duck_text2sql.trees.render import render
from pluto_duck_text2sql.trees.semi_joins import with_semi_joins
from pluto_duck_text2sql.trees.vacuous import is_vacuous

Run = Callable[[str], list[tuple[Any, ...]]]
MOST_TRIED = 10
_EXCEEDING = frozenset(("<", "<=", ">", ">="))
_COMPUTED = ("sum", "avg", "median", "quantile")
WORTH_TRYING = math.log(0.008)
"""How far behind the likeliest a sketch is still tried."""
WORTH_A_LOOK = math.log(0.004)
"""How far where none that is nearer can be told."""


@dataclass(frozen=True)
class Entry:
    """A reading as SQL: from the network (`sketch`) or the rules (`reading`); `rows` None where nothing was run.

    `ranked` is the ranker's confidence in it, `unsaid` how much of the question leaves no mark in it; `asks_else`,
    `tells_else`, `figure_else`, `deed_else`: whether the words for what is asked, or those that tell the rows apart,
    name nothing that it has; whether no word names what it computes; whether its time is that of another deed.
    """

    query: Query
    sql: str
    sketch: Sketch | None
    reading: Reading | None
    rows: list[tuple[Any, ...]] | None
    ranked: float = 0.0
    unsaid: int = 0
    asks_else: bool = False
    tells_else: bool = False
    figure_else: bool = False
    deed_else: bool = False

    @property
    def fit(self) -> float:
        """How well the rules explain the words; 0 for the network's own."""
        unexplained = len(self.reading.unclaimed) + len(self.reading.lost) if self.reading else 0
        return fit_of(self.reading.weakest, unexplained, 0) if self.reading else 0.0

    @property
    def tables(self) -> set[TableKey]:
        """Those that it reads, but for those of queries within it."""
        return {each.table for each in columns_in(self.query)}

    @property
    def explains(self) -> bool:
        """Whether the rules explain every word by it."""
        return self.reading is not None and not self.reading.unclaimed and not self.reading.lost

    def finds_as(self, other: Entry) -> bool:
        """Whether both find the same rows; of what is not sorted in whatever order, since that is each run's own."""
        if self.query.order and other.query.order:
            return self.rows == other.rows
        return self.mark == other.mark

    @cached_property
    def mark(self) -> int | None:
        """What those that find the same rows share, in whatever order."""
        return mark(self.rows)

    def tried(self) -> Tried:
        """As the ranker sees it."""
        return Tried(
            *(self.query, len(self.tables), self.sketch.score if self.sketch else None, self.fit, self.rows),
            *(self.unsaid, self.explains, bool(self.reading and self.reading.knows)),
            *(self.asks_else, self.tells_else, self.figure_else, self.deed_else),
        )


def entries(
    sketches: Iterable[Sketch],
    readings: Sequence[Reading],
    catalog: Catalog,
    joins: JoinGraph,
    run: Run | None,
    says_all: Callable[[Query], bool] = lambda query: False,
    behind: float = WORTH_TRYING,
) -> list[Entry]:
    """The readings that can be written and that run, the network's first, without sketches too far `behind`.

    Where the network's likeliest finds what a reading of the rules finds that explains every word, and the tree
    `says_all` that is asked, no other is tried.
    """
    trial, likely = _Trial(catalog, joins, run), worth_trying(sketches, behind)
    found = [made for each in islice(likely, 1) if (made := trial.entry(each.query, sketch=each))]
    read = [made for each in readings if (made := trial.entry(each.query, reading=each))]
    if any(each.explains and _agree(each, other) and says_all(other.query) for each in read for other in found):
        return [*found, *read]
    for each in likely:
        made = trial.entry(each.query, sketch=each, but={other.sql for other in found})
        found += [made] if made else []
    return [*found, *read]


def _agree(one: Entry, other: Entry) -> bool:
    """Whether both find the same rows in the same tables."""
    return one.rows is not None and one.tables == other.tables and one.finds_as(other)


@dataclass(frozen=True)
class _Trial:
    """Writes and runs readings over one catalog."""

    catalog: Catalog
    joins: JoinGraph
    run: Run | None

    def entry(
        self, query: Query, *, sketch: Sketch | None = None, reading: Reading | None = None, but: Collection[str] = ()
    ) -> Entry | None:
        """A reading; None where it does not run, can say nothing, or its SQL is one of these."""
        query = _added_once(query, self.catalog, self.joins)
        if _is_idle(query, self.catalog, self.joins) or _repeats(query, self.joins):
            return None
        sql = written(query, self.catalog, self.joins)
        rows = _FAILED if sql is None or sql in but else _run(sql, self.run)
        return None if sql is None or rows is _FAILED else Entry(query, sql, sketch, reading, rows)


def tried(query: Query, catalog: Catalog, joins: JoinGraph, run: Run) -> Entry | None:
    """A tree of neither, written and run; None where that fails."""
    sql = written(query, catalog, joins)
    rows = _run(sql, run) if sql else _FAILED
    return Entry(query, sql, None, None, rows) if sql and rows is not _FAILED else None


def _is_idle(query: Query, catalog: Catalog, joins: JoinGraph) -> bool:
    """Whether the query shows a thing twice, says what can say nothing (vacuous.py), shows of a group what only some of
    it is (arbitrary.py), counts groups of one row, looks for keys among those of another table, asks which texts exceed
    a number, adds texts up, or counts yes and no."""
    if len(set(query.select)) < len(query.select) or _is_of_single_rows(query, catalog):
        return True
    if is_vacuous(query, catalog, joins) or shows_any(query, catalog, joins):
        return True
    if any(
        _adds_up_texts(each, catalog) or _counts_flags(each, catalog)
        for each in all_nodes_in(query)
        if isinstance(each, Agg)
    ):
        return True
    if any(_denies_itself(each) for each in all_nodes_in(query) if isinstance(each, Query)):
        return True
    sets = [each for each in all_nodes_in(query) if isinstance(each, Inside)]
    if any(_mixes_keys(each, joins) or _is_among_others(each, catalog, joins) for each in sets):
        return True
    return any(
        operator in _EXCEEDING and _is_number(right) and _is_text(left, catalog)
        for left, operator, right in Facts.of(query).compared
    )


def _adds_up_texts(agg: Agg, catalog: Catalog) -> bool:
    """Whether it computes with texts that are no numbers."""
    return agg.function in _COMPUTED and _is_text(agg.of, catalog)


def _counts_flags(agg: Agg, catalog: Catalog) -> bool:
    """Whether it counts the different values of a column of yes and no: two, or fewer."""
    column = catalog.column(*agg.of.table, agg.of.name) if agg.distinct and isinstance(agg.of, Col) else None
    return column is not None and column.type == "BOOLEAN"


def tells_nothing(query: Query) -> bool:
    """Whether all that it lists is what its conditions say already: the titles of albums called X."""
    if query.group or query.then or not query.select:
        return False
    fixed = {each.left for each in query.where if isinstance(each, Compare) and each.operator == "="}
    return all(each in fixed for each in query.select)


def restricts(query: Query) -> bool:
    """Whether it leaves rows out, and not only those of other times, or of which something is unknown, or by what their
    figure is called already."""
    told = [each for each in query.where if not (isinstance(each, Missing) and each.negated) and not _is_of_time(each)]
    told = [each for each in told if not _repeats_figure(each, query)]
    return bool(told or query.having or query.limit is not None or query.then)


def _repeats_figure(condition: Any, query: Query) -> bool:
    """Whether it is only to be of what is added up: the `panel_count` of those with panels."""
    texts = {
        stem(each.right.lower())
        for each in all_nodes_in(condition)
        if isinstance(each, Compare) and isinstance(each.right, str) and each.operator == "="
    }
    figures = (each.of for each in nodes_in(query.select) if isinstance(each, Agg) and each.function == "sum")
    return bool(texts) and any(isinstance(each, Col) and texts <= {*name_stems(each.name)} for each in figures)


def _is_of_time(condition: Any) -> bool:
    """Whether it only says when."""
    parts = getattr(condition, "any_of", ()) or getattr(condition, "all_of", ())
    is_dated = isinstance(condition, Compare) and isinstance(condition.right, dt.date)
    return isinstance(condition, During) or is_dated or (bool(parts) and all(map(_is_of_time, parts)))


def _mixes_keys(inside: Inside, joins: JoinGraph) -> bool:
    """Whether rows are looked up by a key that points elsewhere: tracks whose number is that of an album."""
    left, found = inside.left, inside.query.select[0]
    if not isinstance(found, Col) or left == found:
        return False
    ends = [joins.pointed(each) for each in (left, found)]
    return (
        any(end != each for end, each in zip(ends, (left, found), strict=True))
        and ends[0] != ends[1]
        and all(joins.is_key(each) for each in ends)
    )


def _added_once(query: Query, catalog: Catalog, joins: JoinGraph) -> Query:
    """The tree with tables that only restrict the rows whose amounts it adds up looked into rather than joined, where
    joins would repeat these: the rooms of the flats that have a gym. An invoice of which lines are of rock is not all
    of rock: where what repeats the rows has amounts of its own, these are meant."""
    summed = list(_summed(query)) if _repeats(query, joins) else []
    if len(summed) != 1 or any(_has_amounts(each, catalog, joins) for each in _repeating(query, summed[0], joins)):
        return query
    made = replace(query, anchor=summed[0], flat=False)
    return query if _repeats(replace(with_semi_joins(made, joins), flat=True), joins) else made


def _has_amounts(key: TableKey, catalog: Catalog, joins: JoinGraph) -> bool:
    """Whether a table has numbers that are no keys, and point at none."""
    table = catalog.table(*key)
    numbers = [Col(key, each.name) for each in table.columns if each.kind == "number"] if table else []
    return any(joins.pointed(each) == each and not joins.is_key(each) for each in numbers)


def _repeats(query: Query, joins: JoinGraph) -> bool:
    """Whether it adds up amounts of rows that its joins repeat: an invoice's total, once for each of its lines."""
    return query.flat and any(_repeating(query, table, joins) for table in _summed(query))


def _repeating(query: Query, table: TableKey, joins: JoinGraph) -> list[TableKey]:
    """The tables of a tree by which its joins repeat the rows of this one."""
    needed = {*query.also, *(each.table for each in columns_in(query))}
    return [step.target for step in joins.tree(table, needed) or () if step.multiplies]


def _summed(query: Query) -> set[TableKey]:
    """The tables of whose rows it adds amounts up."""
    aggregates = (each for each in nodes_in((query.select, query.having, query.order)) if isinstance(each, Agg))
    return {each.of.table for each in aggregates if each.function == "sum" and isinstance(each.of, Col)}


def _denies_itself(query: Query) -> bool:
    """Whether rows must have and must not have the same of another table."""
    related = {each for each in query.where if isinstance(each, Related | Inside)}
    return any(replace(each, negated=not each.negated) in related for each in related)


def _is_among_others(inside: Inside, catalog: Catalog, joins: JoinGraph) -> bool:
    """Whether a key is looked for among what is no key and of another kind: owners whose number is a day."""
    left, found = inside.left, inside.query.select[0]
    if not isinstance(left, Col) or not isinstance(found, Col) or joins.is_key(found):
        return False
    kinds = [column and column.kind for each in (left, found) if (column := catalog.column(*each.table, each.name))]
    return len(set(kinds)) > 1


def _is_of_single_rows(query: Query, catalog: Catalog) -> bool:
    """Whether it sorts or restricts the rows of one table by how many there are of each, or shows the most of each,
    though no two are alike."""
    judged = [*(each.by for each in query.order), *(each.left for each in query.having if isinstance(each, Compare))]
    counts = any(isinstance(each, Agg) and each.function == "count" for each in judged)
    counts |= any(isinstance(each, Agg) and each.function in ("max", "min", "avg") for each in query.select)
    table = catalog.table(*query.anchor)
    if query.per and set(query.group) <= set(query.per) and any(is_total(each.by) for each in query.order):
        return True
    if not counts or table is None or {each.table for each in columns_in(query)} != {query.anchor}:
        return False
    keys = {each.name.casefold() for each in query.group if isinstance(each, Col)}
    key = {name.casefold() for name in table.primary_key}
    unique = (column for name in keys if (column := table.column(name)) and column.n_distinct == table.row_count)
    return (bool(key) and key <= keys) or next(unique, None) is not None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and value.replace(".", "", 1).isdigit())


def _is_text(left: Any, catalog: Catalog) -> bool:
    column = catalog.column(*left.table, left.name) if isinstance(left, Col) else None
    return column is not None and column.kind == "text" and not column.of_numbers


def worth_trying(found: Iterable[Sketch], behind: float = WORTH_TRYING) -> Iterator[Sketch]:
    """Those not hopelessly `behind` the likeliest, which is the first."""
    least = -math.inf
    for each in islice(found, MOST_TRIED):
        least = max(least, each.score + behind)
        if each.score >= least:
            yield each


def written(query: Query, catalog: Catalog, joins: JoinGraph) -> str | None:
    """The query as SQL; None where its tables do not meet."""
    try:
        return render(query, catalog, joins)
    except (Unreachable, KeyError, AttributeError):
        return None


_FAILED: Any = object()


def once(run: Run) -> Run:
    """`run`, asked but once for each text, also where that fails: the parts of a question look at the same rows."""
    kept: dict[str, tuple[list[tuple[Any, ...]], Exception | None]] = {}

    def remembered(sql: str) -> list[tuple[Any, ...]]:
        if sql not in kept:
            try:
                kept[sql] = run(sql), None
            except Exception as error:  # noqa: BLE001 - raised below, as often as it is asked for
                kept[sql] = [], error
        rows, failed = kept[sql]
        if failed:
            raise failed
        return rows

    return remembered


def _run(sql: str, run: Run | None) -> Any:
    """The rows, None where nothing runs, _FAILED where it fails: a reading that cannot run is none."""
    if run is None:
        return None
    try:
        return run(sql)
    except Exception:  # noqa: BLE001 - whatever the caller's runner raises, this reading does not run
        return _FAILED


@dataclass(frozen=True)
class Scored:
    """The entries with their confidence, the best first, and how likely the data holds an answer at all.

    `nothing` is the network's own word on there being none, `left` how many words the rules' own reading leaves over;
    not `is_read` where they can make nothing of the question.
    """

    entries: list[tuple[Entry, float]]
    answerable: float
    nothing: float
    left: int = 0
    is_read: bool = True

    @cached_property
    def results(self) -> int:
        """How many different results the candidates have; where nothing was run, how many they are."""
        return len({each.sql if each.rows is None else each.mark for each, _ in self.entries})


@dataclass(frozen=True)
class Found:
    """What a question's readings are ranked by: the question without its lists, what the network wrote, the entries.

    `left` is how many words the rules' own reading leaves over, `is_read` whether they can make anything of it.
    """

    question: str
    sketches: Sketches
    entries: Sequence[Entry]
    left: int
    is_read: bool

    def features(self) -> Floats:
        """(entries, len(NAMES)), as the ranker takes them."""
        tried = [each.tried() for each in self.entries]
        return features(self.question, self.sketches.memory, tried, self.left if self.is_read else None)


def ordered(found: Found, ranker: Ranker) -> Scored:
    """The entries, put in order by the ranker."""
    if not found.entries:
        return Scored([], 0.0, found.sketches.nothing, found.left, found.is_read)
    ranking = ranker.order(found.features(), found.sketches.nothing)
    judged = [(replace(found.entries[each.place], ranked=each.confidence), each.confidence) for each in ranking.ranked]
    return Scored(judged, ranking.answerable, found.sketches.nothing, found.left, found.is_read)

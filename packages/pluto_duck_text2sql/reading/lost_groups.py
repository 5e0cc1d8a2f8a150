"""What a question groups, sorts and counts by, and its tree does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from pluto_duck_text2sql.language.words import FILLER, STOP
from pluto_duck_text2sql.reading.lost_names import NAMED, is_called, steps_between
from pluto_duck_text2sql.reading.values_said import is_named
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Days,
    Growth,
    Minus,
    Nested,
    Own,
    Query,
    Ratio,
    Share,
    TableKey,
    all_nodes_in,
    columns_in,
    is_total,
)
from pluto_duck_text2sql.trees.marks import UNSAID, Marks

if TYPE_CHECKING:
    from pluto_duck_text2sql.data.links import Mention
    from pluto_duck_text2sql.reading.cues import Cue
    from pluto_duck_text2sql.reading.reader import Pass

_BEGUN = 0.6
"""What a word scores less than that only begins the name of a table."""
_OF_MEANS = ("agg", "share", "growth")
_FIGURES = ("agg", "share", "growth", "cmp_avg", "moving")
_PARTICLES = frozenset("up out off down over away".split())
_DONE = frozenset("sent made sold taken written given held won paid bought led run done".split())


def lost_sorts(roles: Pass, query: Query, marks: Marks) -> Iterator[tuple[int, int]]:
    """`ordered by mass` is by a column that the word names, where the tables of the tree have one; the first of `the
    dearest by price among the active ones` is told by its price alone."""
    keys = {*columns_in(tuple(each.by for each in query.order))}
    is_sorted = query.order and query.then is None and roles.slots.best is None
    for item, _ in roles.slots.orders if is_sorted else ():
        named = [each for each in item.targets if each.table.key in marks.tables] if item and not item.term else []
        columns = {Col(each.table.key, each.column.name) for each in named if each.column}
        if item and named and len(columns) == len(named) and columns.isdisjoint(keys):
            yield item.start, item.end


def lost_each(roles: Pass, query: Query) -> Iterator[tuple[int, int]]:
    """`of each student`: what follows is what the rows are told apart by."""
    if query.per or query.then or any(isinstance(each, Nested | Own) for each in all_nodes_in(query, but=UNSAID)):
        return
    means = any(cue.kind in _OF_MEANS for cue in roles.cues)
    keys = (*(each for each in query.select if not is_total(each)), *query.group)
    shown = Marks(list(all_nodes_in(keys, but=UNSAID)))
    tables, columns = shown.tables | _ends(shown, roles), shown.columns
    listed = {query.anchor} if not query.group and not any(map(is_total, query.select)) else set()
    for cue in roles.cues:
        named = next((each for each in roles.mentions if each.start == cue.end), None)
        if cue.kind != "group" or "each" not in cue.data or named is None or not named.targets or named.term:
            continue
        may_average = means and roles.words_at(cue.start, cue.end).lower() in ("per", "each", "every")
        if not may_average and not is_named(named, tables | listed, columns):
            yield cue.start, named.end


def lost_by(roles: Pass, query: Query, marks: Marks) -> Iterator[tuple[int, int]]:
    """`average downloads per episode by show`: a mean of totals leaves out no group, nor does one figure of all, nor
    what is grouped by something else where the word is a name."""
    is_one = not query.group and query.then is None and any(map(is_total, query.select))
    tables = marks.tables | _ends(marks, roles)
    may_be_named = is_one or marks.has(Nested)
    for cue in roles.cues:
        named = next((each for each in roles.mentions if each.start == cue.end), None)
        is_by = cue.kind == "group" and roles.words_at(cue.start, cue.end).lower() == "by"
        is_by = is_by and not ((is_one or not may_be_named) and _tells_doers(cue, named, roles))
        is_whole = named and (may_be_named or (is_called(named) and _ends_there(named, roles)))
        is_meant = is_whole and named and named.targets and not named.term
        if is_by and named and is_meant and not is_named(named, tables, marks.columns):
            yield cue.start, named.end


def _ends_there(item: Mention, roles: Pass) -> bool:
    """Whether no further word belongs to a name: `by game date` is by no game."""
    after = roles.tokens[item.end].lower if item.end < len(roles.tokens) else ""
    return not after or after in STOP


def _tells_doers(cue: Cue, named: Mention | None, roles: Pass) -> bool:
    """`messages sent by customers`, `stood up by patients`: who did it, or a value that is stored, groups nothing."""
    before = roles.tokens[cue.start - 1].lower if cue.start else ""
    return before.endswith("ed") or before in _DONE or before in _PARTICLES or bool(named and named.hits)


def _ends(shown: Marks, roles: Pass) -> set[TableKey]:
    """The tables whose rows the columns shown point to."""
    return {roles.reader.joins.pointed(each).table for each in shown.nodes if isinstance(each, Col)}


def lost_count(roles: Pass, query: Query) -> Iterator[tuple[int, int]]:
    """`how many`: something is counted or added up, or a number shown."""
    marks = Marks(list(all_nodes_in((query.select, query.order, query.having), but=UNSAID)))
    if marks.any(Agg, lambda each: each.function in ("count", "sum")) or marks.has(Days, Minus, Nested):
        return
    numbers = (each for each in marks.nodes if isinstance(each, Col))
    if any(_is_amount(each, roles) for each in numbers) or any(cue.kind in _FIGURES for cue in roles.cues):
        return
    for cue in roles.cues:
        if cue.kind == "count" and roles.words_at(cue.start, cue.end).lower().startswith("how many"):
            yield cue.start, cue.end


def lost_counted(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`how many employees live there`: the table that is counted is one of the tree's, or a column of that name is."""
    joined = {step.target for here in marks.anchors for key in marks.tables for step in steps_between(roles, here, key)}
    ends = {roles.reader.joins.pointed(each).table for each in _counted_apart(marks)}
    for cue in roles.cues:
        item = next((each for each in roles.mentions if each.start == cue.end and each.targets), None)
        if cue.kind != "count" or item is None or item.term or item.hits:
            continue
        if _says_little(item, roles) or _tells_rows_after(item, roles):
            continue
        is_table = all(each.column is None for each in item.targets if each.score == item.score)
        if is_table and not is_named(_as_called(item), marks.tables | joined | ends, marks.columns):
            yield item.start, item.end


def _as_called(item: Mention) -> Mention:
    """The words without what they only begin the name of, where something is called so: orders are no order details."""
    if not any(each.column is None and each.score >= NAMED for each in item.targets):
        return item
    return replace(item, targets=tuple(each for each in item.targets if each.column or each.score >= NAMED))


def _tells_rows_after(item: Mention, roles: Pass) -> bool:
    """Whether a word that only begins a table's name stands before that of the rows: `gas companies` are no gas
    stations."""
    after = next((each for each in roles.mentions if each.start == item.end), None)
    best = max((each.score for each in after.targets if each.column is None), default=0.0) if after else 0.0
    return item.score < _BEGUN and best > item.score


def _counted_apart(marks: Marks) -> Iterator[Col]:
    """The columns whose different values a tree counts: of keys those are the rows that they point at."""
    for each in marks.nodes:
        if isinstance(each, Agg) and each.function == "count" and each.distinct and isinstance(each.of, Col):
            yield each.of


def _says_little(item: Mention, roles: Pass) -> bool:
    """Whether it is a word of no meaning of its own before what is counted: `number of available services`."""
    token = roles.tokens[item.start]
    return item.end - item.start == 1 and token.stem in FILLER and not is_called(item)


def lost_figures(roles: Pass, query: Query) -> Iterator[tuple[int, int]]:
    """`how much was claimed and how much was paid`: a figure for each (`how many of them`: compounds.py)."""
    said = [(cue, roles.words_at(cue.start, cue.end).lower()) for cue in roles.cues if cue.kind in ("howmuch", "count")]
    asked = [cue for cue, words in said if words.startswith("how ") and not words.endswith(" of")]
    computed = (Minus, Ratio, Growth, Share, Nested)
    figures = [each for each in query.select if is_total(each) or isinstance(each, Nested)]
    if len(asked) > max(len(figures), 1) and not Marks(list(all_nodes_in(query.select))).has(*computed):
        yield asked[-1].start, asked[-1].end


def _is_amount(column: Col, roles: Pass) -> bool:
    stored = roles.reader.catalog.column(*column.table, column.name)
    return stored is not None and stored.kind == "number"

"""Every edit of the tree before that a follow-up may mean, tried and put in order by what they explain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

from pluto_duck_text2sql.asides.zeros import without_zeros
from pluto_duck_text2sql.corrections.days_of_deeds import without_deed
from pluto_duck_text2sql.corrections.gross_or_net import in_said_way
from pluto_duck_text2sql.corrections.kinds_asked import each_once
from pluto_duck_text2sql.corrections.listed_items import among_items
from pluto_duck_text2sql.corrections.percent_amounts import in_amounts
from pluto_duck_text2sql.corrections.worst import by_worst
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.followups.all_told import told_of_all
from pluto_duck_text2sql.followups.along import courses
from pluto_duck_text2sql.followups.answering import shows
from pluto_duck_text2sql.followups.averages import held_against
from pluto_duck_text2sql.followups.columns_dropped import without_column
from pluto_duck_text2sql.followups.contrasts import contrasts, shares
from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.figures import figures
from pluto_duck_text2sql.followups.filters import HAS_NONE, drops, filters
from pluto_duck_text2sql.followups.fragment import Fragment
from pluto_duck_text2sql.followups.frames import Frame, framed
from pluto_duck_text2sql.followups.further_columns import columns
from pluto_duck_text2sql.followups.groups import groups
from pluto_duck_text2sql.followups.in_numbers import in_numbers
from pluto_duck_text2sql.followups.leaning import leans, person_said, stands
from pluto_duck_text2sql.followups.most_of_those import most_of_those
from pluto_duck_text2sql.followups.next_places import next_in_place
from pluto_duck_text2sql.followups.orders import orders
from pluto_duck_text2sql.followups.other_dates import by_other_date
from pluto_duck_text2sql.followups.others import of_others
from pluto_duck_text2sql.followups.others_counted import others_counted
from pluto_duck_text2sql.followups.own_columns import of_own_column
from pluto_duck_text2sql.followups.per_pieces import divided
from pluto_duck_text2sql.followups.ranked_figures import figure_ranked_by
from pluto_duck_text2sql.followups.readings import CERTAIN, Edited, FollowUp, Run, Shown, Writer, rows_of
from pluto_duck_text2sql.followups.regrouped import told_of
from pluto_duck_text2sql.followups.rows import rows
from pluto_duck_text2sql.followups.same_winner import of_same_winner
from pluto_duck_text2sql.followups.telling import kept, listed
from pluto_duck_text2sql.followups.there import within_first
from pluto_duck_text2sql.followups.times import completed, periods
from pluto_duck_text2sql.followups.torn import is_torn, with_firsts
from pluto_duck_text2sql.followups.trees import once_each, shown_rows
from pluto_duck_text2sql.followups.when_it import when_it_did
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, denies
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.reading.slots import Unreadable
from pluto_duck_text2sql.tree import (
    Among,
    Compare,
    Expr,
    Inside,
    Missing,
    Query,
    Related,
    all_nodes_in,
    columns_in,
)
from pluto_duck_text2sql.trees.parts import is_aggregate, tables
from pluto_duck_text2sql.trees.whole_groups import whole

_LEAST = 0.3
_MOST_DRAFTS = 8
_UNEXPLAINED = 0.55
_EMPTY = 0.5
_NEGATIVE = 0.9
_UNFIT = 0.4
_DENIAL_LOST = 0.4
_ASKS_OF_ONE = Pattern(
    rf"{LEAD}(?:(?:in|at|on|from|for|by|with|to) )?(?:what|which|who|whose|whom|when|where|how)\b", re.IGNORECASE
)
"""A question, which asks for something; an order (`add her city`) puts it beside what is shown."""
_ASKS_WHETHER = Pattern(
    rf"{LEAD}(?:is|are|was|were|do|does|did|has|have|had) (?:it|that|this|they|those|these|we)\b", re.IGNORECASE
)
"""What is answered by yes or no: with a word of it left out, the rows before are no answer: `is it raining today?`"""
_EDITS = (drops, rows, periods, filters, columns, figures, groups, shares, orders)
_AT_ONCE = (
    without_column,
    by_other_date,
    next_in_place,
    of_same_winner,
    told_of_all,
    figure_ranked_by,
    of_own_column,
    most_of_those,
    when_it_did,
    held_against,
    told_of,
    of_others,
    others_counted,
    divided,
)
"""Edits that read all that a follow-up says, the first that does alone."""


class Edits:
    """Edits trees as follow-ups say, over one catalog."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, reader: Reader) -> None:
        self._catalog, self._joins, self._reader = catalog, joins, reader
        self._writer = Writer(catalog, joins)

    def read(self, question: str, stack: tuple[Shown, ...], run: Run | None, said_before: str) -> FollowUp | None:
        rest = without_zeros(question)
        frame = framed(rest or question)
        if frame.has("undo"):
            return self._taken_back(stack)
        turn = self._turn(frame, stack, said_before)
        if turn is None or not leans(frame, turn.fragment):
            return None
        drafts = list(self._drafts(turn))
        if rest and rest != question.strip():
            drafts = [self._with_empty(each) for each in drafts]
        found = list(self._tried(turn, drafts, stack[-1], run))
        missed = min((tuple(self._missed(turn, each)) for each in drafts), key=len, default=())
        by_likelihood = tuple(sorted(found, key=lambda each: -each.confidence))
        return FollowUp(
            by_likelihood, missed, stands(frame.text, turn.fragment), person_said(frame.text, turn.fragment)
        )

    def _turn(self, frame: Frame, stack: tuple[Shown, ...], said_before: str) -> Turn | None:
        earlier = stack[-1].query
        rest = completed(frame.rest, earlier, self._reader)
        frame = replace(frame, rest=rest)
        try:
            fragment = Fragment(self._reader, rest, earlier, narrows=frame.has("only", "restrict"))
        except Unreadable:
            return None
        return Turn(frame, fragment, self._reader, tuple(each.query for each in stack), said_before)

    def _drafts(self, turn: Turn) -> Iterator[Draft]:
        """Every edited tree, the likeliest first."""
        start = within_first(turn) or in_numbers(turn) or Draft(turn.earlier)
        if held := next((made for edit in _AT_ONCE if (made := edit(turn))), None):
            yield held
            return
        drafts = courses(turn, start) or contrasts(turn, start) or [start]
        compared = drafts != [start]
        for edit in (orders,) if compared else _EDITS:
            drafts = [made for each in drafts for made in edit(turn, each)][:_MOST_DRAFTS]
        for each in sorted(drafts, key=lambda draft: -self._weight(turn, draft)):
            if each.changes and (each.query != turn.earlier or turn.frame.has("same", "show", "sort_that")):
                yield each

    def _with_empty(self, draft: Draft) -> Draft:
        """A draft with those that have none too."""
        query = whole(draft.query, self._joins)
        return draft.changed(query, "also → those that have none") if query else draft

    def _missed(self, turn: Turn, draft: Draft) -> list[str]:
        return turn.fragment.left_over(set(draft.used))

    def _weight(self, turn: Turn, draft: Draft) -> float:
        missed = self._missed(turn, draft)
        if missed and _ASKS_WHETHER.match(turn.frame.text):
            return 0.0
        denied = any(map(denies, missed))  # left out, it makes what is said its contrary
        return draft.weight * _UNEXPLAINED ** (len(missed) + denied)

    def _tried(self, turn: Turn, drafts: list[Draft], before: Shown, run: Run | None) -> Iterator[Edited]:
        """The edited trees that can be written and that run; one that finds nothing is lowered."""
        seen: set[str] = set()
        for draft in drafts:
            draft = replace(draft, query=self._corrected(draft.query, turn.frame.text, turn.earlier))
            draft = self._alone_asked(draft, turn, run)
            sql, weight = self._writer.write(draft.query), self._weight(turn, draft)
            if sql is None or sql in seen or weight < _LEAST or is_torn(draft.query, turn.earlier):
                continue
            seen.add(sql)
            found = rows_of(sql, run)
            if found is None:
                continue
            lines = (*kept(turn.earlier, draft.query), *draft.changes)
            weight *= _DENIAL_LOST if _loses_denial(turn.frame.text, turn.earlier, draft.query) else 1.0
            fits = shows(draft.query, turn.frame.text, turn.earlier, self._reader)
            sure = before.confidence * CERTAIN * weight * _likely(found, turn.frame) * (1.0 if fits else _UNFIT)
            yield Edited(draft.query, sql, lines, sure, fits)

    def _corrected(self, query: Query, text: str, before: Query) -> Query:
        """The tree with what the follow-up says beyond doubt; each row counts once, whatever tables an edit brought."""
        made = in_amounts(by_worst(without_deed(query, text), text), text, self._catalog, self._joins)
        made = in_said_way(among_items(with_firsts(made, before), text, self._catalog), text, self._catalog)
        made = made if is_aggregate(made) else each_once(made, text, self._catalog)
        return once_each(made, self._reader) if set(tables(made)) - set(tables(before)) else made

    def _alone_asked(self, draft: Draft, turn: Turn, run: Run | None) -> Draft:
        """`where is she based?` of the only one shown: that alone, not beside what was told of her."""
        query, before, text = draft.query, turn.earlier, turn.frame.text
        new = tuple(each for each in query.select if each not in before.select)
        is_one = not is_aggregate(before) or bool(before.group)
        adds = turn.frame.has("also") or len(new) == len(query.select) or not set(before.select) & set(query.select)
        if not new or adds or not is_one or not _ASKS_OF_ONE.match(text):
            return draft
        sql = self._writer.write(before)
        shown = rows_of(sql, run) if sql and run else None
        made = self._of_one(query, new, before) if shown is not None and len(shown) == 1 else query
        line = f"shown → {listed(new)}, of the one just shown"
        return draft if made == query else replace(draft, query=made, changes=(*draft.changes[:-1], line))

    def _of_one(self, query: Query, new: tuple[Expr, ...], before: Query) -> Query:
        """What is asked of the one row shown; where it was the first of several, of that very one, ties settled."""
        if before.limit is None:
            return replace(query, select=new)
        inside = shown_rows(before, self._reader)
        if inside is None:
            return query
        pointed = self._joins.pointed(inside.left)
        if {each.table for each in columns_in(new)} == {pointed.table}:
            inside = replace(inside, left=pointed)  # its own row, not each of those that point at it
        return Query(inside.left.table, new, (inside,), through=query.through)

    def _taken_back(self, stack: tuple[Shown, ...]) -> FollowUp:
        if len(stack) < 2:
            return FollowUp(())
        sql = self._writer.write(stack[-2].query)
        lines = ("undo → the answer before the last one",)
        return FollowUp((Edited(stack[-2].query, sql, lines, stack[-2].confidence),) if sql else ())


def _loses_denial(text: str, before: Query, after: Query) -> bool:
    """Whether `which have no plan` leaves nothing in the tree that denies."""
    if not HAS_NONE.search(text):
        return False
    return sum(map(_denies, all_nodes_in(after))) <= sum(map(_denies, all_nodes_in(before)))


def _denies(node: Any) -> bool:
    is_none = isinstance(node, Missing) and not node.negated
    is_unlike = isinstance(node, Compare) and (node.operator == "!=" or node.right == 0)
    return is_none or is_unlike or (isinstance(node, Related | Inside | Among) and node.negated)


def _likely(rows: list[tuple[Any, ...]], frame: Frame) -> float:
    """How likely such rows are meant: none hardly, and a difference is said as what is more."""
    if not any(value is not None for row in rows for value in row):
        return _EMPTY
    negative = len(rows) == 1 and len(rows[0]) == 1 and isinstance(rows[0][0], int | float | Decimal) and rows[0][0] < 0
    return _NEGATIVE if negative and frame.has("difference") else 1.0

"""Does a query say all that its question says? Each cue, name, value, period and number must have left its mark.

Called by `reader` when a tree is finished. A rule may take a word for its own and then make nothing of it; such words
are unexplained, whoever claimed them. Pure: reads the roles' finds and the tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from pluto_duck_text2sql.reading.asked_columns import lost_columns
from pluto_duck_text2sql.reading.asked_figures import unasked_or_lost
from pluto_duck_text2sql.reading.left_by_cues import CERTAIN, MARK_OF, Leaves
from pluto_duck_text2sql.reading.lost_groups import (
    lost_by,
    lost_count,
    lost_counted,
    lost_each,
    lost_figures,
    lost_sorts,
)
from pluto_duck_text2sql.reading.lost_names import is_called, lost_both, lost_denied, lost_names, lost_or, lost_scope
from pluto_duck_text2sql.reading.lost_numbers import (
    lost_keys,
    lost_lags,
    lost_money,
    lost_numbers,
    lost_places,
    lost_times,
)
from pluto_duck_text2sql.reading.values_said import is_gone_by, is_included, is_stored_in, lost_values
from pluto_duck_text2sql.tree import Query
from pluto_duck_text2sql.trees.marks import Marks

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.cues import Cue
    from pluto_duck_text2sql.reading.reader import Pass


def unaccounted(roles: Pass, query: Query) -> list[str]:
    """The words of the question that left no mark in its tree, in their order."""
    marks = Marks.of(query)
    cues = [each for each in roles.cues if not _names_who(each, roles)]
    lost = [*_lost_cues(cues, marks, MARK_OF), *lost_names(roles, marks), *lost_values(roles, marks)]
    lost += lost_numbers(roles, marks)
    return _texts(roles, [*lost, *lost_times(roles, marks), *lost_money(roles, marks)])


def certainly_lost(roles: Pass, query: Query) -> list[str]:
    """Those of them that no tree may pass over, whoever wrote it: values, times, what certain cues say.

    Names may be verbs, and `by`, `number`, `typical` need not mean what they mostly mean.
    """
    marks = Marks.of(query)
    lost = [*_lost_cues(roles.cues, marks, CERTAIN), *lost_values(roles, marks), *lost_scope(roles, query)]
    lost += [*lost_both(roles, query), *lost_numbers(roles, marks), *lost_each(roles, query)]
    lost += [*lost_denied(roles, marks), *lost_keys(roles, marks)]
    lost += [*lost_sorts(roles, query, marks), *lost_places(roles, marks)]
    lost += [*lost_count(roles, query), *lost_figures(roles, query), *lost_counted(roles, marks)]
    lost += [*lost_by(roles, query, marks), *lost_or(roles, query, marks), *unasked_or_lost(roles, query, marks)]
    lost += lost_columns(roles, query)
    return _texts(roles, [*lost, *lost_times(roles, marks), *lost_lags(roles, marks), *lost_money(roles, marks)])


def passed_over(roles: Pass, query: Query) -> list[str]:
    """The words that no answer may pass over: what the tree's tables or those next to them store, what is grouped by,
    and what is said never to have been."""
    marks = Marks.of(query)
    near = marks.tables | {step.target for key in marks.tables for step in roles.reader.joins.neighbours(key)}
    stored = [each for each in roles.mentions if is_stored_in(each, near) and not is_included(each, roles)]
    stored = [each for each in stored if not is_gone_by(each, marks)]
    spans = {(each.start, each.end) for each in stored} & {*lost_values(roles, marks)}
    called = {(each.start, each.end) for each in roles.mentions if is_called(each)}
    spans |= called & {*lost_denied(roles, marks)}
    return _texts(roles, [*spans, *lost_by(roles, query, marks)])


def _texts(roles: Pass, spans: Iterable[tuple[int, int]]) -> list[str]:
    return [roles.words_at(start, end) for start, end in sorted(set(spans))]


def nothing_lost(_: Query) -> list[str]:
    """Where the words of a question are not known."""
    return []


def _lost_cues(cues: Iterable[Cue], marks: Marks, known: Mapping[str, Leaves]) -> Iterator[tuple[int, int]]:
    for cue in cues:
        leaves = known.get(cue.kind)
        if leaves and not leaves(cue, marks):
            yield cue.start, cue.end


def _names_who(cue: Cue, roles: Pass) -> bool:
    """`shipped by Speedy Express`: a value follows, so nothing is grouped."""
    return cue.kind == "group" and any(each.start == cue.end and each.hits for each in roles.mentions)

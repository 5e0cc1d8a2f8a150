"""Further columns beside the rows shown: "and their job titles", "with phone numbers", "which plan are they on?"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.listed_phrases import column_named, listed_in, without_row_words
from pluto_duck_text2sql.followups.referents import rows_meant
from pluto_duck_text2sql.followups.telling import listed
from pluto_duck_text2sql.followups.trees import kind_of, shown_rows
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, STOP, tokenise
from pluto_duck_text2sql.reading.columns import Columns
from pluto_duck_text2sql.reading.spec import parts_of
from pluto_duck_text2sql.tree import Col, Expr, Query, TableKey, columns_in, is_total
from pluto_duck_text2sql.trees.parts import is_aggregate, keys, subject
from pluto_duck_text2sql.trees.whole_groups import whole

_ASKS_OF_EACH = Pattern(
    r"(?:and )?(?:who|what|which)(?:['’]s| is| are| was| were| kind| sort| type"
    r"| [a-z]+ (?:is|are|was|were|do|does|did|has|have|had) (?:they|he|she|it|each|those|these))\b",
    re.IGNORECASE,
)
"""What asks of each of those shown for something else: `who's the account manager of each`."""
_WHICH_OF_THEM = Pattern(
    rf"{LEAD}(?:(?:on|at|in|from|with|by|of|to) )?(?:what|which) [a-z]+ (?:is|are|was|were|do|does|did|has|have|had)"
    r" (?:they|he|she|it|each|those|these)\b",
    re.IGNORECASE,
)
_LAST_TIME = Pattern(r"\b(?:last|first|latest|most recently)\b", re.IGNORECASE)
SORTING = ("super", "super_adj", "direction", "sort", "sort_adj")
_KEYS = frozenset("id ids number numbers code codes key".split())


def columns(turn: Turn, draft: Draft) -> list[Draft]:
    """`and their job titles`, `with phone numbers`: columns beside those shown."""
    query = draft.query
    if _shows_no_more(turn):
        return [draft]
    if turn.frame.has("when_they") and not is_aggregate(query):
        return [_dated(turn, draft)]
    if each_named := _named_of_each(turn, query):
        used = range(len(turn.fragment.tokens))
        return [draft.changed(each_named, f"shown → also {listed(each_named.select)}", used)]
    new = _new_columns(turn, draft)
    return [_with_columns(turn, draft, new)] if new else [draft]


def _shows_no_more(turn: Turn) -> bool:
    """Whether it says what is left out, or asks the same for others."""
    begins = turn.frame.rest.lower().split(maxsplit=1)[:1]
    return begins == ["without"] or (begins == ["for"] and turn.frame.has("same"))


def _new_columns(turn: Turn, draft: Draft) -> list[Col]:
    """The columns that its phrases name; none where one of them names none, or none that belongs there."""
    frame, fragment, query = turn.frame, turn.fragment, draft.query
    items = [each for each in fragment.slots.shown if not fragment.span(each) <= draft.used]
    if not items or _asks_for_rows(turn, query) or (is_aggregate(query) and not query.group):
        return []
    chooser = Columns(turn.reader, query)
    phrases = [said for each in listed_in(frame.rest) if (said := without_row_words(each))]
    found = [column_named(chooser, each) for each in phrases]
    only = frame.has("only", "instead") and not query.group
    new = [each for each in found if isinstance(each, Col) and (only or each not in query.select)]
    return new if len(new) == len(phrases) and all(_describes(each, turn) for each in new) else []


def _asks_for_rows(turn: Turn, query: Query) -> bool:
    """Whether it says which rows to show, not what of them."""
    frame = turn.frame
    of_groups = frame.has("only") or (frame.has("count") and frame.of_them)
    shows = frame.has("which", "breakdown") or (frame.has("show") and not frame.has("also"))
    return shows or (bool(query.group) and of_groups)


def _with_columns(turn: Turn, draft: Draft, new: list[Col]) -> Draft:
    """The draft with these columns; what points at rows of others is shown by their names."""
    query = draft.query
    named = by_names(new, turn, query)
    select = tuple(part for each in _select_with(turn, query, new) for part in parts(each, named))
    added = [part for each in new for part in parts(each, named)]
    group = tuple(dict.fromkeys((*query.group, *added))) if query.group else ()
    through = (*query.through, *((key.table, key.name) for key in named))
    made = replace(query, select=select, group=group, through=through)
    made = _all_rows(made, query, turn) or made
    return draft.changed(made, f"shown → also {listed(new)}", _without_sorting(turn))


def _all_rows(query: Query, before: Query, turn: Turn) -> Query | None:
    """A listing with columns of rows that some of its own point at none of: none of those shown before are lost."""
    new = {each.table for each in columns_in(query.select)} - {
        each.table for each in columns_in((before.select, before.where))
    }
    steps = turn.reader.joins.tree(query.anchor, new, query.through) if new else None
    if is_aggregate(query) or query.outer or not steps or any(step.multiplies for step in steps):
        return None
    keys_ = (turn.reader.catalog.column(*step.source, name) for step in steps for name, _ in step.pairs)
    lacks = any(each is not None and each.null_fraction for each in keys_)
    return whole(query, turn.reader.joins) if lacks else None


def _select_with(turn: Turn, query: Query, new: list[Col]) -> tuple[Expr, ...]:
    """What is shown with new columns: beside what was, in its place, or in that of the figures of each group."""
    frame = turn.frame
    replaces = frame.has("only", "instead", "instead_of") and not query.group
    before = _left(turn, query) if replaces else query.select
    keeps_figures = any(map(is_total, before)) and not _ASKS_OF_EACH.match(frame.text)
    return (*(before if not query.group or frame.has("also") or keeps_figures else keys(query)), *new)


def _without_sorting(turn: Turn) -> set[int]:
    """The places of all words but those that say the order."""
    fragment, rest = turn.fragment, turn.frame.rest
    is_sorted = len(listed_in(rest)) < len(parts_of(rest))
    sorting = {n for cue in fragment.cues_of(*SORTING) for n in fragment.span(cue)} if is_sorted else set[int]()
    return set(range(len(fragment.tokens))) - sorting


def _named_of_each(turn: Turn, query: Query) -> Query | None:
    """`which plan are they on?`: those shown, each with the one that it has, by its name."""
    key, reader = turn.fragment.table, turn.reader
    of, is_listed = rows_meant(query, reader), not is_aggregate(query)
    asks = key is not None and bool(_WHICH_OF_THEM.match(turn.frame.text)) and (bool(query.group) or is_listed)
    if key is None or not asks or of == key or (of == subject(query) and not is_listed):
        return None
    rows, other, steps = reader.catalog.table(*of), reader.catalog.table(*key), reader.joins.path(of, key)
    if rows is None or other is None or steps is None or any(step.multiplies for step in steps):
        return None
    label = reader.resolver.label
    if is_listed:
        return replace(query, select=(*query.select, *label(other)))
    inside = shown_rows(query, reader)
    return Query(of, (*label(rows), *label(other)), (inside,)) if inside and inside.left.table == of else None


def by_names(new: Sequence[Col], turn: Turn, query: Query) -> dict[Col, tuple[Col, ...]]:
    """What rows of others are called by, for each key that points at them: `the lead host` is no number."""
    used = {each.table for each in columns_in((query.select, query.where, query.group))} | {query.anchor}
    found: dict[Col, tuple[Col, ...]] = {}
    for each in new:
        table = turn.reader.catalog.table(*turn.reader.joins.pointed(each).table)
        if table and table.key not in used and not _KEYS & {token.lower for token in turn.fragment.tokens}:
            found[each] = tuple(turn.reader.resolver.label(table))
    return found


def parts(shown: Expr, named: Mapping[Col, tuple[Col, ...]]) -> tuple[Expr, ...]:
    return named.get(shown, (shown,)) if isinstance(shown, Col) else (shown,)


def _dated(turn: Turn, draft: Draft) -> Draft:
    """`when were they opened?`: the only time that the rows have, beside what is shown."""
    table = turn.reader.catalog.table(*draft.query.anchor)
    times = [each for each in table.columns if each.is_time or "year" in table.stems(each.name)] if table else []
    new = Col(draft.query.anchor, times[0].name) if len(times) == 1 else None
    if new is None or new in draft.query.select or _is_of_others(new, turn):
        return draft
    return draft.changed(replace(draft.query, select=(*draft.query.select, new)), f"shown → also {listed([new])}")


def _is_of_others(date: Col, turn: Turn) -> bool:
    """Whether the last time of something is asked for that a date says nothing of: no animal was last seen when it was
    born."""
    text = turn.frame.text
    return bool(_LAST_TIME.search(text)) and turn.fragment.stems_of(date).isdisjoint(
        each.stem for each in tokenise(text)
    )


def _left(turn: Turn, query: Query) -> tuple[Expr, ...]:
    """What stays of a listing: `emails instead of the phone` takes the place of the phone alone."""
    stems = {token.stem for token in tokenise(turn.frame.part("instead_of", "old")) if token.lower not in STOP}
    old = [e for e in query.select if isinstance(e, Col) and stems and stems <= turn.fragment.stems_of(e)]
    return tuple(each for each in query.select if each not in old) if old else ()


def _describes(column: Col, turn: Turn) -> bool:
    """Whether a column belongs beside the rows shown: what groups are not keyed by is put together, not shown."""
    query = turn.earlier
    keyed = any(isinstance(each, Col) and each.table == column.table for each in query.group)
    if turn.frame.has("ungroup", "sumup") and turn.fragment.holds_amounts(column):
        return False
    points = turn.reader.joins.pointed(column) != column
    of_each_row = turn.fragment.is_key(column) or kind_of(column, turn.reader) == "time"
    if query.group and not keyed and not points and of_each_row:
        return False  # the numbers and moments of what belongs to a group say nothing of it
    told_apart = any(_tells_rows_of(each, column.table, turn) for each in query.group)
    return not query.group or not turn.fragment.holds_amounts(column) or (told_apart and turn.frame.owned)


def _tells_rows_of(group: Expr, table: TableKey, turn: Turn) -> bool:
    """Whether each group is a single row of a table, which has one amount: stations by borough have many."""
    found = turn.reader.catalog.table(*table)
    column = found.column(group.name) if found and isinstance(group, Col) and group.table == table else None
    is_key = column is not None and isinstance(group, Col) and turn.fragment.is_key(group)
    return is_key or bool(column and found and column.n_distinct and column.n_distinct == found.row_count)

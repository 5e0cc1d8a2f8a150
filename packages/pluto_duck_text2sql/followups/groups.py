"""Groups of a follow-up: "by month", "per country instead", "split it by channel", "and which three categories?"."""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.followups.asking import IN_ALL
from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.further_columns import by_names, parts
from pluto_duck_text2sql.followups.of_first import is_of_first, of_all, of_each
from pluto_duck_text2sql.followups.of_parts import grouped_by_parts
from pluto_duck_text2sql.followups.telling import listed, told
from pluto_duck_text2sql.followups.trees import kind_of, settled, shown_rows
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD
from pluto_duck_text2sql.times.calendar_days import shift
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    During,
    Expr,
    Growth,
    Order,
    Query,
    Rows,
    Running,
    Share,
    is_total,
    mapped,
)
from pluto_duck_text2sql.trees.parts import is_aggregate, keys, replaced, subject

_ASKS_WHERE = Pattern(rf"{LEAD}(?:in|through|via|from|for|to|on|at|by) (?:which|what) [a-z]+$", re.IGNORECASE)
"""What asks of rows that are listed for what each of them has: `on which circuit?`"""
_REPEATED = 0.5
"""How likely groups are meant that meet what is added up more than once."""


def groups(turn: Turn, draft: Draft) -> list[Draft]:
    """The draft grouped as the follow-up says."""
    if (turn.frame.has("ungroup") or _adds_up(turn, draft.query)) and not turn.fragment.found_groups():
        return [_whole(turn, draft)]
    new, keyed, used = _asked(turn, draft)
    if not new:
        return [draft]
    if set(new) <= set(keys(draft.query)) and draft.query.group and draft.changes:
        return [draft.using(used)]
    if set(new) <= set(keys(draft.query)) and is_of_first(draft.query):
        figures = [each.by for each in draft.query.order[:1]]
        return [draft.changed(of_each(draft.query, figures), f"grouped → by {listed(new)}", used)]
    query = draft.query if is_aggregate(draft.query) else _counted(draft.query)
    query = of_all(query, keyed)
    query, new, keyed = _by_names(turn, query, new, keyed)
    if not is_aggregate(draft.query) and _ASKS_WHERE.match(turn.frame.text):
        beside = tuple(dict.fromkeys((*draft.query.select, *new)))
        return [draft.changed(replace(draft.query, select=beside), f"shown → also {listed(new)}", used)]
    instead = _grouped(query, new, keyed, turn)
    if (whole := grouped_by_parts(instead, turn.reader)) is None:
        draft = replace(draft, weight=draft.weight * _REPEATED)
    instead = whole or instead
    if not query.group:
        return [draft.changed(instead, f"grouped → by {listed(new)}", used)]
    adds = turn.frame.has("breakdown", "also") and not turn.frame.has("instead", "instead_of")
    kept = [each for each in _kept(query, new) if not (turn.fragment.periods and _is_one(each, query))]
    added = _grouped(query, [*kept, *new], keyed, turn)
    added = grouped_by_parts(added, turn.reader) or added
    both = (
        draft.changed(instead, f"grouped → by {listed(new)} instead", used, 0.4 if adds else 1.0),
        draft.changed(added, f"grouped → also by {listed(new)}", used, 1.0 if adds else 0.4),
    )
    return list(both[::-1] if adds else both)


def _by_names(turn: Turn, query: Query, new: list[Expr], keyed: list[Expr]) -> tuple[Query, list[Expr], list[Expr]]:
    """The query, what is shown and what is grouped by, with the names of the rows that groups point at."""
    pointing = [each for each in new if isinstance(each, Col) and turn.reader.joins.pointed(each) != each]
    named = by_names(pointing, turn, query)
    if not named:
        return query, new, keyed
    query = replace(query, through=(*query.through, *((each.table, each.name) for each in named)))
    shown = [part for each in new for part in parts(each, named)]
    return query, shown, [part for each in keyed for part in dict.fromkeys((each, *parts(each, named)))]


def _whole(turn: Turn, draft: Draft) -> Draft:
    """`in total`: without groups; where there are none and nothing else is said, without the last restriction."""
    if draft.query.group:
        return draft.changed(_ungrouped(_of_bounded(draft.query, turn)), "no longer → in groups")
    last = list(draft.query.where)[-1:]
    if draft.changes or turn.frame.rest or not last or not is_aggregate(draft.query):
        return draft
    return draft.changed(replaced(draft.query, last, None), f"no longer → {told(last)}")


def _adds_up(turn: Turn, query: Query) -> bool:
    """Whether the figures of several groups are to be added up: `what does that come to in total?`"""
    said = turn.frame.part("sumup", "") or turn.frame.part("count", "")
    shown = [each for each in query.select if is_total(each)]
    add_up = bool(shown) and all(isinstance(each, Agg) and each.function in ("sum", "count") for each in shown)
    return bool(IN_ALL.search(said)) and bool(query.group) and query.limit != 1 and add_up


def _of_bounded(query: Query, turn: Turn) -> Query:
    """A query of the groups that a bound leaves, or of the first that are added up, of their rows alone."""
    is_cut = bool(query.having) or (query.limit is not None and _adds_up(turn, query))
    inside = shown_rows(query, turn.reader) if is_cut else None
    shown = {each.table if isinstance(each, Col) else None for each in keys(query)}
    is_told = inside is not None and (keys(query) == [inside.left] or shown == {inside.left.table})
    return replace(query, where=(*query.where, inside)) if inside and is_told else query


def _kept(query: Query, new: list[Expr]) -> list[Expr]:
    """The earlier groups that stay beside new ones; of two grains one is enough."""
    grains = any(isinstance(each, Bucket) for each in new)
    return [each for each in keys(query) if each not in new and not (grains and isinstance(each, Bucket))]


def _is_one(key: Expr, query: Query) -> bool:
    """Whether a time is a single one by now: `2025 only` of figures by year."""
    if not isinstance(key, Bucket) or key.grain not in ("year", "quarter", "month", "week", "day"):
        return False
    periods = (each for each in query.where if isinstance(each, During) and each.left == key.of)
    return any(shift(each.start, key.grain, 1) == each.end for each in periods)


def _asked(turn: Turn, draft: Draft) -> tuple[list[Expr], list[Expr], set[int]]:
    """What to show for each group, what to group by, and the words that say so."""
    fragment = turn.fragment
    buckets: list[Expr] = [made for each in fragment.grains if (made := fragment.bucket(each, draft.query))]
    found = [each for each in fragment.found_groups() if not _is_totald(each, draft.query, turn)]
    used = {n for each in fragment.grains for n in range(each.start, each.end)}
    used |= {n for each in fragment.slots.groups for n in fragment.span(each)}
    if not buckets and not found:
        found, used = _ranked(turn, draft)
    keyed = fragment.keyed(found)
    return [*buckets, *found], [*buckets, *keyed], used


def _is_totald(group: Expr, query: Query, turn: Turn) -> bool:
    """Whether a number after "by" is what the query measures now."""
    ranks = any(is_total(each.by) for each in query.order)
    return ranks and isinstance(group, Col) and turn.fragment.holds_amounts(group)


def _ranked(turn: Turn, draft: Draft) -> tuple[list[Expr], set[int]]:
    """`and which three categories?`: another thing ranked or grouped by."""
    fragment, query = turn.fragment, draft.query
    is_other = turn.frame.has("show", "which", "also", "behind", "row", "only", "restrict")
    if not query.group or is_other or fragment.cues_of("count", "agg"):
        return [], set()
    item = fragment.slots.entity
    if item is not None and set(fragment.span(item)) - draft.used and fragment.table:
        table = turn.reader.catalog.table(*fragment.table)
        own = {each.table for each in query.group if isinstance(each, Col)}
        label = list[Expr](turn.reader.resolver.label(table)) if table else []
        is_named = not any(isinstance(each, Col) and fragment.is_key(each) for each in label)
        if table and table.key not in own and table.key != subject(query) and not draft.changes and is_named:
            return label, fragment.span(item)
    if not turn.frame.has("lead", "about", "instead", "instead_of", "same"):
        return [], set()
    said = draft.used | fragment.claimed
    shown = [each for each in fragment.slots.shown if not fragment.span(each) <= said]
    columns = [(each, column) for each in shown if (column := fragment.named(each))]
    plain = [(each, column) for each, column in columns if _tells_kinds(column, turn) and column not in query.group]
    return [column for _, column in plain], {n for each, _ in plain for n in fragment.span(each)}


def _tells_kinds(column: Col, turn: Turn) -> bool:
    """Whether rows are told apart in groups by it: no number, no key, no moment."""
    return (
        not turn.fragment._is_number(column)
        and not turn.fragment.is_key(column)
        and kind_of(column, turn.reader) != "time"
    )


def _counted(query: Query) -> Query:
    """A listing as a count of its rows."""
    count = Agg("count", Rows(subject(query)))
    return replace(query, select=(count,), order=(), distinct=False, limit=None)


def _grouped(query: Query, shown: list[Expr], keyed: list[Expr], turn: Turn) -> Query:
    """The query with these groups; what windows and orders say of the old ones, they say of the new."""
    old = keys(query)
    time = next((each for each in shown if isinstance(each, Bucket)), None)
    was = next((each for each in old if isinstance(each, Bucket)), None)
    if was and time and was != time:
        query = mapped(query, lambda node: time if node == was else node)
        old = keys(query)
    values = [each for each in query.select if is_total(each)]
    values = [each.of if isinstance(each, Growth | Running) and time is None else each for each in values]
    stay = [each for each in query.group if each in shown or _same_table(each, old, shown)]
    group = tuple(dict.fromkeys([*(each for each in stay if each not in keyed), *keyed]))
    order = tuple(each for each in query.order if is_total(each.by) or each.by in shown)
    if time is not None and not order:
        order = (Order(time),)
    made = replace(query, select=(*shown, *dict.fromkeys(values)), group=group, order=order, distinct=False)
    return settled(made, turn.reader)


def _same_table(key: Expr, old: list[Expr], shown: list[Expr]) -> bool:
    """Whether a hidden key belongs to a column that is still shown."""
    kept = {each.table for each in old if isinstance(each, Col) and each in shown}
    return isinstance(key, Col) and key not in old and key.table in kept


def _ungrouped(query: Query) -> Query:
    """One total of all."""
    values = [
        each.of if isinstance(each, Share | Growth | Running) else each for each in query.select if is_total(each)
    ]
    return replace(query, select=tuple(values), group=(), order=(), limit=None, having=(), per=())

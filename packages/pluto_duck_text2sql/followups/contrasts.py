"""Shares and comparisons: "as a share of the total", "how many more is that than in 1993?", "compared to 2023"."""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.filters import filters
from pluto_duck_text2sql.followups.fragment import Fragment
from pluto_duck_text2sql.followups.frames import framed
from pluto_duck_text2sql.followups.telling import told
from pluto_duck_text2sql.followups.times import exchanged, periods
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, stem
from pluto_duck_text2sql.reading.slots import Unreadable
from pluto_duck_text2sql.times.seasons import by_part_of_year, is_by_date
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Cond,
    During,
    Expr,
    Minus,
    Query,
    Ratio,
    Share,
    columns_in,
    is_total,
)
from pluto_duck_text2sql.trees.parts import conditions, keys, measures, subject, without_groups
from pluto_duck_text2sql.trees.phrases import flattened

Parts = tuple[tuple[Cond, ...], tuple[Cond, ...], tuple[Cond, ...]]
_OF_TOTAL = Pattern(r"\b(?:total|whole|grand|overall)\b", re.IGNORECASE)
_OF_THAT = Pattern(r"\bof (?:that|this|it|those|these|them|which)\b", re.IGNORECASE)
_COURSE = Pattern(
    r"^(?:which|what|who) .*?\b(?:(?P<up>grew|grown|rose|risen|increased|gained|improved)"
    r"|(?P<down>fell|fallen|dropped|shrank|shrunk|declined|decreased|lost))"
    r"(?: by)?(?: the)? (?:most|fastest|strongest)\b",
    re.IGNORECASE,
)
"""What ranks groups by how far one figure is from the other: `which segment grew most compared with 2023`."""
_LESS = ("less", "fewer", "lower", "worse", "smaller")


def shares(turn: Turn, draft: Draft) -> list[Draft]:
    """The measure as a part of its total."""
    if not turn.frame.has("share"):
        return [draft]
    unit = turn.frame.part("share", "unit").lower()
    scale = 100 if unit.startswith(("per", "%")) else 1
    query, aggregates = draft.query, [each for each in measures(draft.query) if isinstance(each, Agg)]
    if not aggregates:
        return [draft]
    of_all = _of_whole(query, aggregates[0], scale) if query.group and _says_all_rows(turn, query) else None
    if of_all:
        return [draft.changed(of_all, "measured → as a share of all in each group")]
    if of_before := _of_answer_before(turn, draft, scale):
        return [of_before]
    if query.group:
        return [draft.changed(_of_groups(query, scale), "measured → as a share of the total")]
    made = _of_whole(query, aggregates[0], scale)
    return [draft.changed(made, "measured → as a share of the total")] if made else [draft]


def _of_answer_before(turn: Turn, draft: Draft, scale: int) -> Draft | None:
    """What the last answer restricted, or `how much of that did …` took out, as a part of the one before it."""
    query = draft.query
    if len(turn.trees) < 2 or query != turn.earlier or (query.group and _OF_TOTAL.search(turn.frame.text)):
        return None
    before = turn.trees[-2]
    added = _narrowed(query, before)
    own = {each.table for each in columns_in(added)} <= {subject(query)} or not query.group
    own = own and set(columns_in(added)).isdisjoint(keys(query))
    if added and own and not any(isinstance(each, During) for each in added):
        return draft.changed(_as_part(before, added, scale), f"measured → {told(added)}, of the answer before")
    part, whole = (_only_figure(each) for each in (query, before))
    taken = _OF_THAT.search(turn.said_before) and keys(query) == keys(before) and query.where == before.where
    if not taken or part is None or whole is None or part == whole:
        return None
    select = (*keys(query), Ratio(part, whole, scale))
    return draft.changed(replace(query, select=select, order=()), "measured → as a part of the answer before")


def _only_figure(query: Query) -> Expr | None:
    """The one figure that an answer shows."""
    totals = [each for each in query.select if is_total(each)]
    return totals[0] if len(totals) == 1 and not query.then and query.limit is None else None


def _narrowed(last: Query, before: Query) -> tuple[Cond, ...]:
    """What the last answer restricts beyond the one before it; nothing where it is no part of the same figure."""
    added = tuple(each for each in last.where if each not in before.where)
    totals = [each for each in before.select if is_total(each)]
    is_part = set(before.where) <= set(last.where) and last.select == before.select and not last.then
    return added if is_part and len(totals) == 1 and isinstance(totals[0], Agg) and last.limit is None else ()


def _as_part(before: Query, added: tuple[Cond, ...], scale: int) -> Query:
    """What has these conditions too, of the only figure of an answer."""
    total = next(each for each in before.select if isinstance(each, Agg))
    part = Ratio(replace(total, where=(*total.where, *added)), total, scale)
    return replace(before, select=tuple(part if each == total else each for each in before.select), order=())


def _of_groups(query: Query, scale: int) -> Query:
    select = tuple(Share(each, scale) if isinstance(each, Agg) else each for each in query.select)
    return replace(query, select=select)


def _of_whole(query: Query, measure: Agg, scale: int) -> Query | None:
    """What the conditions leave, of what there is without them; a period stays where there are others."""
    timed = tuple(each for each in query.where if isinstance(each, During))
    part = tuple(each for each in query.where if each not in timed) or timed
    if not part:
        return None
    rest = tuple(each for each in query.where if each not in part)
    share = Ratio(replace(measure, where=part), measure, scale)
    return replace(query, select=(*keys(query), share), where=rest, order=(), limit=None)


def _says_all_rows(turn: Turn, query: Query) -> bool:
    """`late payments by method`, `as a percentage of all payments`: not of the late ones."""
    said = _OF_ALL.search(turn.frame.text)
    named = turn.reader.names.called((stem(said["rows"].lower()),)) if said else []
    is_of_rows = any(each.column is None and each.table.key == subject(query) for each in named)
    return is_of_rows and any(not isinstance(each, During) for each in query.where)


_OF_ALL = Pattern(r"\bof all (?:the |our |their )?(?P<rows>[a-z]+)[?.!]*$", re.IGNORECASE)
_OF_THESE = Pattern(
    r"\b(?P<unit>percentage|percent|per cent|share|proportion|fraction|%)(?:age)? (?:of|per|for) "
    r"(?!(?:the |its |their |our |a |all )*(?:grand |overall )?(?:total|whole|sum)\b|(?:those|these|them|that|it)\b)",
    re.IGNORECASE,
)


def _part_of_before(turn: Turn, draft: Draft) -> Draft | None:
    """`how many of those were accepted?` and `as a percentage of the quotes sent`: of the answer that it restricted."""
    said = _OF_THESE.search(turn.frame.text)
    if said is None or len(turn.trees) < 2:
        return None
    added = _narrowed(draft.query, turn.trees[-2])
    if not added:
        return None
    made = _as_part(turn.trees[-2], added, 100 if said["unit"].lower().startswith(("per", "%")) else 1)
    return draft.changed(made, f"measured → {told(added)}, of the answer before", range(len(turn.fragment.tokens)))


_PART_ARE = Pattern(
    rf"{LEAD}(?:what|which) (?P<unit>percentage|percent|per cent|share|proportion|fraction|%) ?(?:of|from) "
    r"(?P<whole>(?:all |the |those |these |them|that |this |it\b|our )[\w' -]*?) ?"
    r"\b(?:is|are|was|were|come|comes|came|go|goes|went|has|have|had|did|do|got)\b(?P<part>.+)$",
    re.IGNORECASE,
)


def part_said(text: str) -> re.Match[str] | None:
    """`what percentage of the money came from insurance`: the `unit`, the `whole`, and what tells the `part`."""
    return _PART_ARE.search(text)


def _part_told(turn: Turn, draft: Draft) -> Draft | None:
    """What part of the figure before has what is told; of all its groups where that is one of them."""
    said, query = part_said(turn.frame.text), draft.query
    totals = [each for each in query.select if is_total(each)]
    if said is None or len(totals) != 1 or not isinstance(totals[0], Agg) or totals[0].function not in ("sum", "count"):
        return None
    added = _added(turn, query, said["part"]) if query.limit is None and not query.then else ()
    if not added:
        return None
    scale = 100 if said["unit"].lower().startswith(("per", "%")) else 1
    part = Ratio(replace(totals[0], where=(*totals[0].where, *added)), totals[0], scale)
    told_of = {each for each in columns_in(added) if isinstance(each, Col)}
    whole = query if told_of.isdisjoint(_grouped(query)) else without_groups(query, query.group)
    select = tuple(part if each == totals[0] else each for each in whole.select if whole.group or is_total(each))
    made = replace(whole, select=select, order=(), outer=False)
    return draft.changed(made, f"measured → {told(added)}, of the answer before", range(len(turn.fragment.tokens)))


def _added(turn: Turn, query: Query, text: str) -> tuple[Cond, ...]:
    """What a part of the question restricts beyond the query; nothing where it leaves words over."""
    frame = framed(text)
    if frame.has("all"):  # `over the whole year`: not of the groups
        return ()
    try:
        fragment = Fragment(turn.reader, frame.rest, query)
    except Unreadable:
        return ()
    made = filters(replace(turn, frame=frame, fragment=fragment), Draft(query))[0]
    is_within = set(query.where) <= set(made.query.where) and not fragment.left_over(set(made.used))
    return tuple(each for each in made.query.where if each not in query.where) if is_within else ()


def _grouped(query: Query) -> set[Col]:
    """The columns that tell the groups apart, or name them."""
    return {each for each in columns_in((query.group, keys(query))) if isinstance(each, Col)}


def contrasts(turn: Turn, draft: Draft) -> list[Draft]:
    """This answer beside another: the one before it, or the same of another period or value."""
    if part := _part_of_before(turn, draft) or _part_told(turn, draft):
        return [part]
    if not turn.frame.has("more", "difference", "growth", "versus"):
        return []
    query, other, used = _two_periods(turn, draft) or (draft.query, *_other(turn, draft))
    if other is None:
        return []
    parts = _parts(query, other)
    aligned = _aligned(query, parts) if parts else None
    measure = next((each for each in measures(query) if isinstance(each, Agg)), None)
    if parts is None or measure is None or aligned is None:
        return []
    common, here, there = parts
    now, then = replace(measure, where=(*measure.where, *here)), replace(measure, where=(*measure.where, *there))
    if turn.frame.has("growth") and _is_before(here, there):
        now, then = then, now
    return _drawn(turn, draft.using(used), replace(_in_order_of(aligned, measure, now), where=common), now, then)


def _is_before(here: tuple[Cond, ...], there: tuple[Cond, ...]) -> bool:
    """Whether the answer is of an earlier time than the one it is held against: what changed since is told forwards."""
    starts = [[each.start for each in side if isinstance(each, During)] for side in (here, there)]
    return all(starts) and max(starts[0]) < min(starts[1])


def _in_order_of(query: Query, measure: Agg, now: Agg) -> Query:
    """The first of the figures before are still the first by these, where the query is cut to them."""
    order = tuple(replace(each, by=now) if each.by == measure else each for each in query.order)
    return query if query.limit is None else replace(query, order=order)


def _aligned(query: Query, parts: Parts) -> Query | None:
    """The query by what both sides have: months of any year where the sides are years; None where they share none."""
    sides = [each for side in parts[1:] for each in side]
    if not is_by_date(query) or not any(isinstance(each, During) for each in sides):
        return query
    years = all(isinstance(each, During) and _is_year(each) for each in sides)
    made = by_part_of_year(query)
    return made if years and not is_by_date(made) else None


def _is_year(period: During) -> bool:
    return period.start == period.start.replace(month=1, day=1) and period.end == period.start.replace(
        year=period.start.year + 1
    )


def _drawn(turn: Turn, draft: Draft, query: Query, now: Agg, then: Agg) -> list[Draft]:
    """A difference, a change, or both figures."""
    frame = turn.frame
    if frame.has("growth"):
        percent = bool(frame.part("growth", "percent")) or "percent" in frame.text.casefold()
        change = Ratio(Minus(now, then), then, 100 if percent else 1)
        return [draft.changed(_showing(query, (change,) if percent else (then, now, change)), "measured → the change")]
    if course := _COURSE.search(frame.text):
        gain = Minus(then, now) if course["down"] else Minus(now, then)
        return [draft.changed(_showing(query, (gain,)), "measured → the difference")]
    if frame.has("versus"):
        return [draft.changed(_showing(query, (now, then)), "measured → side by side")]
    sign = frame.part("more", "sign").lower()
    differences = [Minus(now, then), Minus(then, now)]
    if sign in _LESS or _subject_is_there(turn, then):
        differences.reverse()
    first, second = (draft.changed(_showing(query, (each,)), "measured → the difference") for each in differences)
    return [first] if sign else [first, replace(second, weight=second.weight * 0.95)]


def _subject_is_there(turn: Turn, then: Agg) -> bool:
    """`how many more does Rock have?`: the one named comes first, whichever was asked last."""
    said = turn.frame.rest.casefold()
    if " than" in turn.frame.text.casefold():
        return False
    return any(str(getattr(each, "right", "\0")).casefold() in said for each in then.where) if said else False


def _showing(query: Query, values: tuple[Expr, ...]) -> Query:
    order = tuple(each for each in query.order if query.limit is not None or not is_total(each.by))
    return replace(query, select=(*keys(query), *values), order=order)


def _other(turn: Turn, draft: Draft) -> tuple[Query | None, set[int]]:
    """The query compared with: this one with what the follow-up names, else the one before."""
    before = turn.trees[-2] if len(turn.trees) > 1 else None
    bare = Draft(draft.query)
    named = filters(turn, periods(turn, bare)[0])[0]
    own = any(_parts(draft.query, each) for each in [before] if each is not None)
    if named.query != draft.query and not (own and before is not None and _same(named.query, before)):
        return named.query, set(named.used) | set(turn.fragment.claimed)
    return before, set(named.used) | set(turn.fragment.claimed)


def _two_periods(turn: Turn, draft: Draft) -> tuple[Query, Query, set[int]] | None:
    """`compare 2012 with 2011`: this query in each of two periods that the follow-up names."""
    found = [each for each in turn.fragment.when(draft.query) if len(turn.fragment.periods) == 2]
    both = [each for each in flattened(tuple(found)) if isinstance(each, During)]
    if len(both) != 2:
        return None
    first, last = sorted(both, key=lambda each: each.start)
    then, now = (exchanged(draft.query, [each], turn.reader) for each in (first, last))
    used = {n for each in turn.fragment.periods for n in range(each.start, each.end)}
    return now, then, used | set(turn.fragment.claimed)


def _same(one: Query, other: Query) -> bool:
    return set(conditions(one)) == set(conditions(other))


def _parts(query: Query, other: Query) -> Parts | None:
    """The conditions that both have, those of one alone, those of the other."""
    if query.select != other.select or query.group != other.group:
        return None
    common = tuple(each for each in query.where if each in other.where)
    here = tuple(each for each in query.where if each not in common)
    there = tuple(each for each in other.where if each not in common)
    return (common, here, there) if here or there else None

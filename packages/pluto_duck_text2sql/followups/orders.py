"""Order and cut of a follow-up: "highest first", "sort by that", "only the best three months", "show all of them"."""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.followups.asking import asks_names
from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.extremes import measures_as
from pluto_duck_text2sql.followups.trees import kind_of, shown_rows
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.reading.cues import ADJECTIVES, Cue
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Expr, Order, Query, columns_in, is_total
from pluto_duck_text2sql.trees.parts import is_aggregate, keys, measures
from pluto_duck_text2sql.trees.titles import words

_RANKING = ("super", "super_adj", "popular", "bestselling")
_CUES = (*_RANKING, "direction", "sort", "sort_adj")
_OF_AGE = ("older", "oldest", "younger", "youngest")
_MERIT = Pattern(r"\b(?:best|worst)\b", re.IGNORECASE)


def orders(turn: Turn, draft: Draft) -> list[Draft]:
    """The draft sorted and cut as the follow-up says."""
    query = draft.query
    if turn.frame.has("unlimited") and query.limit is not None:
        return [draft.changed(_uncut(query), "no longer → cut")]
    cues = [cue for cue in turn.fragment.cues_of(*_CUES) if not set(range(cue.start, cue.end)) <= draft.used]
    ranking, sorting = ([cue for cue in cues if (cue.kind in _RANKING) == ranks] for ranks in (True, False))
    query = _reversed(query, turn) if turn.frame.has("reverse") else query
    limit, places = _limit(turn, draft, cues)
    if cues and _has_no_order(turn, draft, query, ranking):
        return [draft]
    query, named = _in_order(turn, query, ranking, sorting)
    query = _cut(turn, query, limit, ranking)
    used = {n for cue in cues for n in range(cue.start, cue.end)} | named | places
    return [draft.changed(query, _line(query), used)] if query != draft.query or used else [draft]


def _uncut(query: Query) -> Query:
    """All of those that were ranked; where the first was shown by its name alone, each with its figure."""
    figures = tuple(each.by for each in query.order[:1] if is_total(each.by))
    is_first = query.limit == 1 and bool(query.group) and not any(map(is_total, query.select))
    return replace(query, select=(*query.select, *(figures if is_first else ())), limit=None, nth=False)


def _has_no_order(turn: Turn, draft: Draft, query: Query, ranking: list[Cue]) -> bool:
    """Whether a single figure is shown, or nothing that it could be ranked by: nobody earns most by name, and what is
    counted is not long."""
    if is_aggregate(query) and not query.group:
        return True
    if not ranking:
        return False
    unheard = _is_unheard(turn, draft, ranking[0]) or _counts_nothing(query, ranking[0])
    return unheard or _ranks_names(turn, query, ranking[0]) or _is_unmeasured(turn, query, ranking[0])


def _in_order(turn: Turn, query: Query, ranking: list[Cue], sorting: list[Cue]) -> tuple[Query, set[int]]:
    """The query ranked and sorted, and the words that name what by."""
    used = set[int]()
    if ranking:
        query, said = _ranked(turn, query, ranking[0])
        used = used | said
    asks = turn.frame.has("sort_that", "of_that") and not turn.frame.has("reverse")
    if sorting or asks or turn.fragment.slots.orders:
        query, said = _sorted(turn, query, sorting)
        used = used | said
    return query, used


def _cut(turn: Turn, query: Query, limit: int | None, ranking: list[Cue]) -> Query:
    """The query with its first rows alone, one where a ranking says no number, and their names where these are asked
    for."""
    if ranking and limit is None and not _has_number(ranking) and query.limit is None:
        limit = 1
    query = replace(query, limit=limit, nth=False) if limit is not None else query
    names_alone = ranking and query.group and asks_names(turn.frame.text) and keys(query)
    return replace(query, select=tuple(keys(query))) if names_alone else query


def _line(query: Query) -> str:
    by = ", ".join(f"{words(each.by)} {'downwards' if each.descending else 'upwards'}" for each in query.order)
    cut = f"the first {query.limit}" if query.limit is not None else "all rows"
    return f"sorted → {by or 'as before'}; {cut}"


def _has_number(cues: list[Cue]) -> bool:
    return any(cue.data.get("n") for cue in cues)


def _limit(turn: Turn, draft: Draft, cues: list[Cue]) -> tuple[int | None, set[int]]:
    """How many rows are wanted: said with the ranking, or beside it."""
    said = next((int(cue.data["n"]) for cue in cues if cue.kind in _RANKING and cue.data.get("n")), None)
    if said is not None:
        return said, set()
    fragment = turn.fragment
    ranks = any(cue.kind in _RANKING for cue in cues)
    asks = ranks or turn.frame.has("only", "restrict", "show", "change") or draft.query.limit is not None
    for place, token in enumerate(fragment.tokens):
        free = place not in draft.used | fragment.claimed and not fragment.words.taken(place)
        if asks and free and token.number and token.number == int(token.number) and not token.quoted:
            return int(token.number), {place}
    return None, set()


def _reversed(query: Query, turn: Turn) -> Query:
    if query.order:
        return replace(query, order=tuple(replace(each, descending=not each.descending) for each in query.order))
    by = default_key(query, turn)
    return replace(query, order=(Order(by, True),)) if by else query


def default_key(query: Query, turn: Turn) -> Expr | None:
    """What rows are sorted by where nothing else is said: the measure, the earlier key, the last number shown."""
    found = measures(query)
    if found:
        shown = [each for each in query.select if is_total(each)]
        marks = [each for each in shown if not (isinstance(each, Agg) and each.function == "count")]
        return marks[0] if marks and _MERIT.search(turn.frame.text) else (shown or found)[-1]
    ordered = [each.by for each in query.order]
    numbers = [
        each
        for each in query.select
        if isinstance(each, Col) and kind_of(each, turn.reader) == "number" and not turn.fragment.is_key(each)
    ]
    return next(iter([*ordered, *numbers[::-1], *query.select]), None)


def _ranked(turn: Turn, query: Query, cue: Cue) -> tuple[Query, set[int]]:
    """`the top three`: the measure's best; `the first three` of what is sorted already stay as they are."""
    fragment = turn.fragment
    item = fragment.slots.best_of if fragment.slots.best is cue else None
    grains = {each.grain for each in query.group if isinstance(each, Bucket)}
    is_grain = item is not None and bool(grains & {token.stem for token in fragment.tokens[item.start : item.end]})
    named = fragment.ranked_by(item, query) if item and not is_grain else None
    used = fragment.span(item) if named or is_grain or (item and _names_rows(turn, query, item)) else set()
    said = fragment.text(cue.start, cue.end).casefold()
    sorts = [each for each in query.order if not isinstance(each.by, Bucket)]
    if named is None and "first" in said.split() and cue.data.get("n"):
        return query, used
    by = named or (sorts[0].by if sorts else None) or _adjective(turn, query, cue)
    by = by or _number(query, said) or default_key(query, turn)
    keeps = sorts and named is None and said.split()[0] in ("top", "the") and "top" in said
    keeps = keeps and not _is_from_bottom(query, cue)
    descending = sorts[0].descending if keeps else _ranks_down(cue, by, turn)
    return (replace(query, order=(Order(by, descending),)) if by else query), used


def _is_from_bottom(query: Query, cue: Cue) -> bool:
    """Whether the answer is cut to as few of the least already: `the top three` after the bottom three are others."""
    return query.limit is not None and not query.order[0].descending and int(cue.data.get("n") or 1) >= query.limit


def _number(query: Query, said: str) -> Expr | None:
    """How many there are, where the most or the fewest are asked for and several figures are shown."""
    counts = [each for each in query.select if isinstance(each, Agg) and each.function == "count"]
    return counts[0] if len(counts) == 1 and said.split()[-1] in ("most", "fewest") else None


def _is_unheard(turn: Turn, draft: Draft, cue: Cue) -> bool:
    """Whether `most` is of an adjective that nothing here is called: the most painful are not those with the most."""
    tokens = turn.fragment.tokens
    if tokens[cue.end - 1].lower not in ("most", "least") or cue.end >= len(tokens):
        return False
    is_of_cue = any(each.start <= cue.end < each.end for each in turn.fragment.cues)
    return not is_of_cue and tokens[cue.end].text in turn.fragment.left_over(set(draft.used))


def _counts_nothing(query: Query, cue: Cue) -> bool:
    """Whether the most popular of rows are asked for that show no figure of how often."""
    return cue.kind == "popular" and not measures(query) and not query.order


def _ranks_names(turn: Turn, query: Query, cue: Cue) -> bool:
    """Whether there is nothing that it could rank by but names."""
    item = turn.fragment.slots.best_of if turn.fragment.slots.best is cue else None
    told = (item and turn.fragment.ranked_by(item, query)) or _adjective(turn, query, cue)
    is_first = "first" in turn.fragment.text(cue.start, cue.end).casefold().split()
    return not (told or query.order or is_first) and kind_of(default_key(query, turn), turn.reader) == "text"


def _is_unmeasured(turn: Turn, query: Query, cue: Cue) -> bool:
    """Whether the figures shown say nothing of what an adjective measures: how many rides is not how long."""
    way = cue.data.get("adj")
    named = turn.fragment.slots.best_of if turn.fragment.slots.best is cue else None
    is_told = named is not None and turn.fragment.ranked_by(named, query) is not None
    return way in ADJECTIVES and bool(measures(query)) and not is_told and not measures_as(query, way, turn.reader)


def _ranks_down(cue: Cue, by: Expr | None, turn: Turn) -> bool:
    """Whether the greatest value comes first: the oldest have the least of a date."""
    return _descends(cue) != (cue.data.get("adj") in _OF_AGE and by is not None and _is_time(by, turn))


def _descends(cue: Cue) -> bool:
    return ADJECTIVES[cue.data["adj"]][1] if cue.data.get("adj") in ADJECTIVES else bool(cue.data.get("desc", True))


def _names_rows(turn: Turn, query: Query, item: object) -> bool:
    """Whether a name after `the top three` only says what the rows are."""
    fragment = turn.fragment
    targets = getattr(item, "targets", ())
    tables = {each.table for each in (*query.select, *query.group) if isinstance(each, Col)} | {query.anchor}
    columns = {each for each in query.select if isinstance(each, Col)}
    by_table = any(each.column is None and each.table.key in tables for each in targets)
    return (
        by_table
        or any(each.column and Col(each.table.key, each.column.name) in columns for each in targets)
        or bool(fragment.slots.entity is item)
    )


def _sorted(turn: Turn, query: Query, cues: list[Cue]) -> tuple[Query, set[int]]:
    """`lowest first`, `sorted by name`, `most expensive first`, `alphabetically`."""
    fragment = turn.fragment
    named, used = fragment.order_key(query)
    adjective = next((cue for cue in cues if cue.kind == "sort_adj"), None)
    if adjective and named is None:
        named = _adjective(turn, query, adjective)
    if named is None and any(cue.data.get("dir") in ("alphabetical", "lexicographical") for cue in cues):
        named = next((each for each in keys(query) if kind_of(each, turn.reader) == "text"), None)
    by = named or default_key(query, turn)
    if by is None:
        return query, used
    descending = _direction(cues, by, turn)
    made = replace(query, order=(Order(by, descending),))
    if query.limit is not None and named is not None and by not in [each.by for each in query.order]:
        inside = shown_rows(query, turn.reader)
        made = replace(made, where=(inside,), limit=None, having=()) if inside and not is_total(by) else made
    return made, used


def _direction(cues: list[Cue], by: Expr, turn: Turn) -> bool:
    for cue in cues:
        if cue.kind == "direction":
            return bool(cue.data["desc"])
        if cue.kind == "sort_adj":
            return _ranks_down(cue, by, turn)
        if cue.data.get("dir"):
            return cue.data["dir"] in ("descending", "decreasing")
    return is_total(by) or (is_aggregate(turn.earlier) and kind_of(by, turn.reader) == "number")


def _is_time(by: Expr, turn: Turn) -> bool:
    """Whether the oldest have the least of it: a date or a year, not an age."""
    is_year = isinstance(by, Col) and stem("year") in turn.fragment.stems_of(by)
    return is_year or isinstance(by, Bucket) or kind_of(by, turn.reader) == "time"


def _adjective(turn: Turn, query: Query, cue: Cue) -> Expr | None:
    """What `cheapest` measures: the column shown that is called so, the measure, else a column near."""
    adjective = cue.data.get("adj")
    if adjective not in ADJECTIVES:
        return None
    stems = {stem(each) for each in ADJECTIVES[adjective][0]}
    if stem("date") in stems and any(isinstance(each, Bucket) for each in query.select):
        return next(each for each in query.select if isinstance(each, Bucket))
    if measures(query):
        return default_key(query, turn)
    shown = [each for each in query.select if isinstance(each, Col) and turn.fragment.stems_of(each) & stems]
    found = shown[0] if shown else turn.fragment._adjective_column(ADJECTIVES[adjective][0])
    return found if found is not None and _has_one(query, found, turn) else None


def _has_one(query: Query, column: Expr, turn: Turn) -> bool:
    """Whether each row listed has one such value: of several test drives the longest says nothing of who drove."""
    tables = {each.table for each in columns_in(column)}
    steps = turn.reader.joins.tree(query.anchor, tables)
    return steps is not None and not any(step.multiplies for step in steps)

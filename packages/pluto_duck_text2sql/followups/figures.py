"""Measures of a follow-up: another one in the earlier one's place, one more beside it, a total of the rows shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.followups.asking import IN_ALL
from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.of_first import of_first
from pluto_duck_text2sql.followups.referents import are_rows
from pluto_duck_text2sql.followups.surroundings import own_amounts
from pluto_duck_text2sql.followups.telling import listed
from pluto_duck_text2sql.followups.trees import kind_of, repeats, restrictions, row_key, settled, shown_rows
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_words
from pluto_duck_text2sql.reading.cues import ADJECTIVES
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Expr,
    Query,
    Ratio,
    Rows,
    Share,
    TableKey,
    columns_in,
    in_each_group,
    is_total,
    mapped,
)
from pluto_duck_text2sql.trees.parts import amounts, is_aggregate, keys, measures, subject
from pluto_duck_text2sql.trees.whole_groups import whole

_PRICES = frozenset(map(stem, ADJECTIVES["most expensive"][0]))
_OF_FIGURES = Pattern(r"\bof (?:those|these|the) (?:totals|figures|numbers|amounts|sums|values|counts)\b", re.I)
_HOW_LONG = Pattern(r"\bhow (?!many\b|much\b)[a-z]+\b", re.IGNORECASE)
"""What asks for a measure of the rows themselves, not for one of their numbers."""
_ANEW = Pattern(r"^how (?:many|much)\b", re.IGNORECASE)
"""A question of its own of those shown, not one more column beside theirs."""
_ASKS_COST = Pattern(r"\bcost\b", re.IGNORECASE)
_THEY_COST = Pattern(r"\b(?:they|those|these)\b.*\bcost\b", re.IGNORECASE)
_HOW_MUCH = Pattern(r"^(?:(?:and|but|so|ok|then) )*how much\b", re.IGNORECASE)
_HOW_MANY = Pattern(r"^(?:(?:and|but|so|ok|then) )*how many\b", re.IGNORECASE)
_OF_EACH = Pattern(r"\bhow (?:many|much)\b.*\b(?:do|does|did|has|have|had) each of\b", re.IGNORECASE)
"""A clause of its own about each: `how many of them did each have` stands in the place of the figure before."""
_OF_PARTS = ("sum", "count")
"""Functions whose values over groups add up to that over all."""


def figures(turn: Turn, draft: Draft) -> list[Draft]:
    """The draft with what the follow-up measures."""
    if made := _over_groups(turn, draft) or _priced(turn, draft):
        return [made]
    asked, used = _asked(turn, draft)
    if not asked:
        return [draft.using(_rows_again(turn, draft.query))]
    query = _measuring(turn, draft.query, asked)
    verb = "also" if _adds(turn) else "measured"
    return [draft.changed(query, f"{verb} → {listed(asked)}", used) if query else draft]


def _priced(turn: Turn, draft: Draft) -> Draft | None:
    """`what do they cost?` of rows that are listed: each beside its price."""
    query, said = draft.query, turn.frame.part("sumup", "")
    if is_aggregate(query) or not _THEY_COST.search(said) or IN_ALL.search(said):
        return None
    new = [each for each in _prices(turn, subject(query)) if each not in query.select]
    return draft.changed(replace(query, select=(*query.select, *new)), f"shown → also {listed(new)}") if new else None


def _measuring(turn: Turn, query: Query, asked: list[Agg]) -> Query | None:
    """The query with these figures: of the rows shown, of each of them, beside the earlier ones or in their place; None
    where it would count each row by itself, or the same again."""
    if not is_aggregate(query):
        if not (turn.frame.has("each") or _adds(turn)):
            return _of_rows(turn, query, asked)
        return None if _counts_itself(turn, query, asked) else _per_row(turn, query, asked)
    if turn.frame.of_them and not turn.frame.has("each") and (_is_extreme(asked) or are_rows(turn, query)):
        return _of_rows(turn, query, asked)
    if made := of_first(turn, query, asked):
        return made
    if not _adds(turn):
        return _in_place(turn, query, asked)
    new = (each for each in _of_each_part(query, asked) if each not in query.select)
    made = settled(replace(query, select=(*query.select, *new)), turn.reader)
    return None if repeats(made, turn.reader) else made


def _of_each_part(query: Query, asked: list[Agg]) -> list[Agg]:
    """The new figures of each of those that stand side by side: refunds and payments, `and the number of each`."""
    old = (each for shown in measures(query) for each in amounts(shown) if isinstance(each, Agg))
    parts = list(dict.fromkeys(each.where for each in old)) or [()]
    return [replace(each, where=(*each.where, *part)) for each in asked for part in parts]


def _is_extreme(asked: list[Agg]) -> bool:
    """Whether one value of all is asked for, however they are grouped: `the highest price among them`."""
    return all(each.function in ("max", "min") for each in asked)


def _over_groups(turn: Turn, draft: Draft) -> Draft | None:
    """`and the average?` of the numbers of each month: one of all the groups shown."""
    query, cues = draft.query, turn.fragment.cues_of("agg")
    shown = [each for each in query.select if is_total(each)]
    counted = shown[0] if len(shown) == 1 and query.group and query.limit is None else None
    of_figures = bool(_OF_FIGURES.search(turn.frame.text))
    if not isinstance(counted, Agg) or (counted.function != "count" and not of_figures) or len(cues) != 1:
        return None
    if (turn.fragment.mentions and not of_figures) or _HOW_LONG.search(turn.frame.text):
        return None
    function = cues[0].data.get("fn")
    if function not in ("avg", "median") or turn.fragment.grains or turn.frame.has("also", "each"):
        return None
    rows = in_each_group(query, counted)
    made = Query(query.anchor, (Agg(function, rows),))
    used = range(len(turn.fragment.tokens)) if of_figures else range(cues[0].start, cues[0].end)
    return draft.changed(made, f"measured → {listed(made.select)} over the groups", used)


def _adds(turn: Turn) -> bool:
    """Whether a figure stands beside those shown: of each row of a listing too, of groups after `and`."""
    goes_on = turn.frame.has("lead", "about") and not _OF_EACH.search(turn.frame.text)
    of_each = turn.frame.has("each") and (not turn.earlier.group or goes_on)
    return turn.frame.has("also") or of_each


def _asked(turn: Turn, draft: Draft) -> tuple[list[Agg], set[int]]:
    """The aggregates asked for, and the words that ask."""
    fragment = turn.fragment
    if product := fragment.product():
        return [Agg("sum", product)], set(range(len(fragment.tokens)))
    if rows := _rows_again(turn, draft.query):
        return [], rows
    asked = _as_before(turn, draft.query, fragment.measured())
    asked = asked or _functions(turn, draft.query)
    by = [] if asked else list(_ranked_by(turn, draft.query))
    asked = asked or [each for _, each in by]
    used = {n for item, _ in by for n in fragment.span(item)}
    used |= {n for cue in fragment.cues_of("count", "agg", "howmuch") for n in range(cue.start, cue.end)}
    best = fragment.slots.best if asked and asked[0].function in ("max", "min") else None
    used |= fragment.span(best) | fragment.span(fragment.slots.best_of if best else None)
    asked, named = _with_named(turn, draft, asked)
    return list(dict.fromkeys(asked or _in_all(turn, draft.query))), used | named


def _with_named(turn: Turn, draft: Draft, asked: list[Agg]) -> tuple[list[Agg], set[int]]:
    """The aggregates with those of the numbers that are named beside them, and the words that name these."""
    fragment, used, found = turn.fragment, set[int](), list(asked)
    for item in list(fragment.slots.shown):
        free = not fragment.span(item) <= draft.used
        made = _shown(turn, draft.query, item) if free and (not found or _adds(turn)) else []
        found += made
        used |= fragment.span(item) if made else set()
    return found, used


def _in_all(turn: Turn, query: Query) -> list[Agg]:
    """What is asked where nothing is named: what the rows add up to, or how many there are."""
    summed = _default_sum(turn, query) if turn.frame.has("sumup") else []
    return summed or ([Agg("count", Rows(subject(query)))] if turn.frame.has("count") else [])


def _rows_again(turn: Turn, query: Query) -> set[int]:
    """The words that name but the rows that are counted: `same for the 2025 sales`."""
    table = turn.reader.catalog.table(*subject(query))
    if table is None or not turn.frame.has("same") or turn.fragment.says_function:
        return set()
    named = [item for _, item, _ in turn.fragment.slots.measures if item] + list(turn.fragment.slots.shown)
    called = {stem(each) for word in table_words(table.name) for each in (word, f"{word}s")}
    return {n for item in named if {*map(stem, item.text.lower().split())} <= called for n in turn.fragment.span(item)}


def _as_before(turn: Turn, query: Query, asked: list[Agg]) -> list[Agg]:
    """`the average payment` after the sum of payments: of the same column, where the word names it as well; `the
    total` of what was averaged, whatever else is called a total."""
    shown = (each.of for total in measures(query) for each in amounts(total) if isinstance(each, Agg))
    own = [each for each in dict.fromkeys(shown) if isinstance(each, Col)]
    named = [item for _, item, _ in turn.fragment.slots.measures if item]
    if len(own) != 1 or len(asked) != 1 or not isinstance(asked[0].of, Col):
        return asked
    if len(named) != 1:
        alone = not named and all(map(turn.fragment.is_function_alone, turn.fragment.cues_of("agg")))
        return [replace(asked[0], of=own[0])] if alone and turn.fragment.cues_of("agg") else asked
    scores = {(t.table.key, t.column and t.column.name): t.score for t in named[0].targets}
    as_rows = scores.get((own[0].table, None), 0.0)
    score = scores.get((own[0].table, own[0].name), as_rows)
    is_as_well = score > 0 and score >= scores.get((asked[0].of.table, asked[0].of.name), as_rows)
    return [replace(asked[0], of=own[0])] if is_as_well else asked


def _ranked_by(turn: Turn, query: Query) -> Iterator[tuple[Mention, Agg]]:
    """`by amount instead`: where a measure ranks, a number after "by" is another measure; so is what is no column and
    that groups could not be by: `no, by revenue`."""
    fragment, ranks = turn.fragment, query.group and any(is_total(each.by) for each in query.order)
    for item in fragment.slots.groups if query.group else ():
        column = fragment.named(item, ("number",)) if ranks else None
        if column and fragment.holds_amounts(column):
            yield item, Agg("sum", column)
        elif column is None and not any(each.column for each in item.targets) and is_aggregate(query):
            yield from ((item, each) for each in fragment.shown_measure(item))


def _functions(turn: Turn, query: Query) -> list[Agg]:
    """Functions alone; the largest value only where it takes a measure's place, else a ranking is meant: of rows that
    are ranked already the worst ones are others."""
    fragment, frame = turn.fragment, turn.frame
    ranks = not fragment.cues_of("agg")
    if ranks and query.limit is not None and query.group and not fragment.slots.best_of:
        return []
    takes = frame.has("instead", "instead_of", "lead", "about", "same", "also") and is_aggregate(query)
    takes = (takes or frame.asks_what) and not frame.has("only", "which", "show")
    return [] if ranks and not takes else fragment.functions(query)


def _shown(turn: Turn, query: Query, item: Mention) -> list[Agg]:
    """A number named where totals are shown is measured as they are."""
    fragment = turn.fragment
    if not (is_aggregate(query) or turn.frame.has("ungroup", "sumup")) or turn.frame.has("show", "which"):
        return []
    column = fragment.named(item)
    if column is not None and not fragment.holds_amounts(column) and not fragment.is_rate(item):
        return []
    made = fragment.shown_measure(item)
    own = next((each for shown in measures(query) for each in amounts(shown)), None)
    same = isinstance(own, Agg) and own.function in ("sum", "avg", "median", "min", "max")
    if same and isinstance(own, Agg) and not fragment.says_function:
        return [
            replace(each, function=own.function) if each.function in ("sum", "avg") and _keeps(own) else each
            for each in made
        ]
    return made


def _keeps(own: Agg) -> bool:
    return own.function != "sum"


def _default_sum(turn: Turn, query: Query) -> list[Agg]:
    """What rows add up to: the number shown, else what is paid for them."""
    prices = _prices(turn, subject(query)) if _ASKS_COST.search(turn.frame.text) and not is_aggregate(query) else []
    if prices:
        return [Agg("sum", prices[0])]
    numbers = [each for each in query.select if isinstance(each, Col) and kind_of(each, turn.reader) == "number"]
    if plain := [each for each in numbers if not turn.fragment.is_key(each)]:
        return [Agg("sum", plain[-1])]
    if query.group and measures(query):
        shown = [each for each in amounts(measures(query)[-1]) if isinstance(each, Agg)]
        shown = _worth_of_counted(turn, shown) or shown
        return _costs(turn, shown) or shown
    return [Agg("sum", each) for each in _money_of(turn, subject(query))[:1]]


def _money_of(turn: Turn, key: TableKey) -> list[Expr]:
    """What is paid for the rows of a table, else for those of others, the likeliest first."""
    resolver = turn.reader.resolver
    own = [each for each in resolver.money() if _table(each) == key] or _prices(turn, key)
    return own or list(own_amounts(turn.reader.catalog.table(*key))) or list(resolver.money())


def _worth_of_counted(turn: Turn, shown: list[Agg]) -> list[Agg]:
    """`how much was that?` of how many there were in each group: what these rows themselves came to."""
    counted = shown[0].of if len(shown) == 1 and shown[0].function == "count" else None
    if not isinstance(counted, Rows) or not _HOW_MUCH.match(turn.frame.text):
        return []
    money = [each for each in turn.reader.resolver.money() if _table(each) == counted.table]
    money = money or own_amounts(turn.reader.catalog.table(*counted.table))
    return [Agg("sum", money[0])] if money else []


def _costs(turn: Turn, shown: list[Agg]) -> list[Agg]:
    """`and what did that cost?` of a quantity that is shown: what its rows cost."""
    of = shown[0].of if len(shown) == 1 and _ASKS_COST.search(turn.frame.text) else None
    own = _prices(turn, of.table) if isinstance(of, Col) else []
    return [] if of in own else [Agg("sum", each) for each in own]


def _prices(turn: Turn, key: TableKey) -> list[Expr]:
    """What a row of a table costs, where one column alone tells it."""
    table = turn.reader.catalog.table(*key)
    numbers = [each for each in table.columns if each.kind == "number"] if table else []
    found = [Col(key, each.name) for each in numbers if table and _PRICES & set(table.stems(each.name))]
    return list(found) if len(found) == 1 else []


def _table(expression: Expr) -> TableKey | None:
    return next((each.table for each in columns_in(expression)), None)


def _of_rows(turn: Turn, query: Query, asked: list[Agg]) -> Query:
    """One total over the rows shown."""
    table = _table(asked[0]) or query.anchor
    if turn.frame.of_them and query.group and isinstance(asked[0].of, Rows):
        inside = shown_rows(query, turn.reader)
        key = row_key(query, turn.reader)
        if inside and key and asked[0].of.table in (subject(query), key.table):
            return Query(key.table, (Agg("count", Rows(key.table)),), (inside,))
    return settled(Query(table, tuple(asked), restrictions(query, table, turn.reader), flat=False), turn.reader)


def _counts_itself(turn: Turn, query: Query, asked: list[Agg]) -> bool:
    """Whether each row shown would be counted by itself: always one, whatever was asked for."""
    key = row_key(query, turn.reader)
    return key is not None and any(each.of == Rows(key.table) for each in asked)


def _per_row(turn: Turn, query: Query, asked: list[Agg]) -> Query:
    """A total for each of the rows shown, by what they are called where that is shown."""
    key = row_key(query, turn.reader)
    shown = [each for each in query.select if isinstance(each, Col | Bucket)]
    table = turn.reader.catalog.table(*key.table) if key else None
    label = turn.reader.resolver.label(table) if table else []
    shown = list(label) if label and set(label) <= set(shown) and _ANEW.match(turn.frame.text) else shown
    group = tuple(dict.fromkeys([*([key] if key else []), *shown]))
    made = settled(replace(query, select=(*shown, *asked), group=group, distinct=False, flat=False), turn.reader)
    own = key is not None and all(each.table == key.table for each in columns_in(query.where))
    counts = turn.frame.has("each") and all(each.function == "count" for each in asked)
    return (whole(made, turn.reader.joins) if own and counts else None) or made


def _in_place(turn: Turn, query: Query, asked: list[Agg]) -> Query:
    """The new measure where the old one was: shown, sorted by, as a share, of two periods."""
    old = list(dict.fromkeys(each for shown in measures(query) for each in amounts(shown)))
    bare = {replace(each, where=()) for each in old if isinstance(each, Agg)}
    wrapped = any(not isinstance(each, Agg) for each in query.select if is_total(each))
    if len(bare) == 1 and len(asked) == 1 and not (wrapped and turn.frame.has("only")):
        kept = _shared(turn, query, asked[0])
        made = mapped(kept, lambda node: _put(node, asked[0]) if _is_one(node, bare) else node)
        return settled(made, turn.reader)
    shown = [each for each in query.select if is_total(each)]
    order = tuple(replace(each, by=asked[0]) if is_total(each.by) else each for each in query.order)
    select = (*keys(query), *(asked if shown else ()))
    return settled(replace(query, select=select, order=order), turn.reader)


def _put(old: Agg, new: Agg) -> Agg:
    """The new measure with the old one's own conditions."""
    return replace(new, where=old.where)


def _shared(turn: Turn, query: Query, asked: Agg) -> Query:
    """The query; without its shares where the new measure has none, as averages are no parts of a total, or where it is
    asked how many there are."""
    if asked.function in _OF_PARTS and not _HOW_MANY.match(turn.frame.text):
        return query
    made: Query = mapped(query, _unshared)
    return made


def _unshared(node: Any) -> Any:
    """A share as the figure that it is a part by."""
    if isinstance(node, Share):
        return node.of
    is_part = isinstance(node, Ratio) and isinstance(node.top, Agg) and isinstance(node.bottom, Agg)
    return node.top if is_part and replace(node.top, where=node.bottom.where) == node.bottom else node


def _is_one(node: object, bare: set[Agg]) -> bool:
    return isinstance(node, Agg) and replace(node, where=()) in bare

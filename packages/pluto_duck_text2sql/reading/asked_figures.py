"""Is what a question asks to be computed and shown in its tree, and nothing else beside it?

The part of the accounts (accounts.py) that is about figures: functions that are listed, amounts called by a column's
name, shares of all, both periods of a comparison, one count and no other. Each gives the spans of words that left no
mark. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, name_stems, table_stems
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    During,
    Growth,
    Query,
    Ratio,
    Related,
    Rows,
    Share,
    is_total,
    nodes_in,
)
from pluto_duck_text2sql.trees.marks import Marks

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Pass

Spans = Iterator[tuple[int, int]]
_SO_MANY = Pattern(
    rf"^(?:(?:only|just) )?(?:show|list|give|display)(?: me)?(?: (?:only|just))? {A_NUMBER} [a-z]+$", re.IGNORECASE
)
_ONE_COUNT = Pattern(
    r"^how many (?!.*(?:\b(?:and|with|plus|versus|vs|compared|how|both|per|or)\b|[,;:]))", re.IGNORECASE
)
_BOTH_NAMES = Pattern(r"\b(?:first (?:name )?and last|full) names?\b", re.IGNORECASE)
_SALES = Pattern(r"^what (?:was|were|is|are) (?:the |our )?(?:sales|revenue|turnover)\b", re.IGNORECASE)
_CALLED_SO = 0.9
"""How well a column must be called as the words are, that they mean it."""
_FUNCTION_OF = {
    **dict.fromkeys(("average", "mean", "avg"), "avg"),
    **dict.fromkeys(("minimum", "min"), "min"),
    **dict.fromkeys(("maximum", "max"), "max"),
}
_BETWEEN = frozenset(("and", "the"))
"""What stands between two functions that are listed."""
_ACCOUNTS = Pattern(
    r"\b(?:percentage|percent|share|proportion|fraction) of .*\b(?:do|does|did|has|have) (?:each|every) .*"
    r"\b(?:account|accounted|contribut\w+|represent\w*|ma[kd]e up|bring in|brought in)\b",
    re.IGNORECASE,
)

_PARTS = frozenset("share fraction proportion percentage percent".split())
_OF_ALL = frozenset("total totals all whole sum overall its their".split())
_ARTICLES = frozenset(("the", "our", "a", "an"))


def unasked_or_lost(roles: Pass, query: Query, marks: Marks) -> Spans:
    """The words of what is asked that a tree leaves out, or that speak against what it has."""
    for lost in (
        _lost_shares,
        _lost_wholes,
        _lost_functions,
        _lost_measured,
        _lost_sales,
        _lost_counts,
        _lost_names_of_people,
        _lost_periods,
    ):
        yield from lost(roles, marks)
    yield from _said_again(roles, marks)
    for against in (_lost_limit, _shown_besides):
        yield from against(roles, query)


def _lost_shares(roles: Pass, marks: Marks) -> Spans:
    """`what percentage of X does each Y account for`: its part of all of them, no part of its own."""
    each_accounts = _ACCOUNTS.search(roles.words_at(0, len(roles.tokens)))
    if each_accounts and not marks.has(Share):
        yield from ((cue.start, cue.end) for cue in roles.cues if cue.kind == "share")


def _lost_wholes(roles: Pass, marks: Marks) -> Spans:
    """`freight as a percentage of revenue`: a part of revenue, not each group's part of all freight."""
    if not marks.has(Share) or marks.has(Ratio):
        return
    words = [token.lower for token in roles.tokens]
    own = {stem for each in marks.nodes if isinstance(each, Share) for stem in _stems_of(each)}
    for n in range(2, len(words) - 1):
        is_part = words[n] == "of" and words[n - 1] in _PARTS and "as" in words[n - 3 : n - 1]
        place = n + 1 + (words[n + 1] in _ARTICLES)
        if not is_part or place >= len(words) or words[place] in _OF_ALL or words[place] in words[:n]:
            continue
        if own.isdisjoint(token.stem for token in roles.tokens[place : place + 2]):
            yield place, place + 1


def _stems_of(share: Share) -> set[str]:
    """The stems of what a share is of: its columns' names and those of the tables whose rows it counts."""
    nodes = [*nodes_in(share)]
    tables = (table_stems(each.table[1]) for each in nodes if isinstance(each, Rows))
    columns = (name_stems(each.name) for each in nodes if isinstance(each, Col))
    return {stem for some in (*tables, *columns) for stem in some}


def _lost_functions(roles: Pass, marks: Marks) -> Spans:
    """`the average and the maximum duration`: of functions listed, each is computed."""
    words = [token.lower for token in roles.tokens]
    said = [n for n, word in enumerate(words) if word in _FUNCTION_OF]
    beside = [pair for pair in pairwise(said) if _BETWEEN.issuperset(words[pair[0] + 1 : pair[1]])]
    computed = [each for each in marks.nodes if isinstance(each, Agg)]
    for n in sorted({place for pair in beside for place in pair}):
        if not any(each.function == _FUNCTION_OF[words[n]] for each in computed):
            yield n, n + 1
    for one, other in beside:
        of_one, of_other = ({e.of for e in computed if e.function == _FUNCTION_OF[words[n]]} for n in (one, other))
        if of_one and of_other and of_one.isdisjoint(of_other):
            yield one, other + 1


def _lost_measured(roles: Pass, marks: Marks) -> Spans:
    """`total quantity`: where a column of numbers is called so, it is that which is added up."""
    for cue in roles.cues:
        named = next((each for each in roles.mentions if each.start == cue.end), None) if cue.kind == "agg" else None
        fits = [each for each in named.targets if each.score >= _CALLED_SO] if named and not named.term else []
        numbers = {(each.table.key, each.column.name) for each in fits if each.column and each.column.kind == "number"}
        is_free = named is not None and numbers and not named.hits and len(numbers) == len(fits)
        if named and is_free and marks.has(Agg) and not numbers & marks.columns:
            yield cue.start, named.end


def _lost_limit(roles: Pass, query: Query) -> Spans:
    """`show only 2 growers`: as many rows as are said, not those that have two of something."""
    said = _SO_MANY.match(roles.words_at(0, len(roles.tokens)))
    if said and query.limit is None:
        yield next((n, n + 1) for n, token in enumerate(roles.tokens) if token.number is not None)


def _lost_sales(roles: Pass, marks: Marks) -> Spans:
    """`what were the sales in 2024`: their sum."""
    if _SALES.match(roles.words_at(0, len(roles.tokens))) and not marks.has(Agg):
        yield 0, len(roles.tokens)


def _lost_counts(roles: Pass, marks: Marks) -> Spans:
    """`guilds with the number of members`: so many rows, or a number that is kept and called so."""
    words = [token.lower for token in roles.tokens]
    called = {each for _, name in marks.columns for each in name_stems(name)}
    for n, word in enumerate(words[:-2]):
        place = n + 2 + (words[n + 2] in _ARTICLES)
        is_count = word == "number" and words[n + 1] == "of" and place < len(words)
        if is_count and not marks.has(Agg, Related) and roles.tokens[place].stem not in called:
            yield n, place + 1


def _shown_besides(roles: Pass, query: Query) -> Spans:
    """`how many orders did we take`: one figure, and no other beside it."""
    asks_one = _ONE_COUNT.match(roles.words_at(0, len(roles.tokens)))
    if asks_one and sum(map(is_total, query.select)) > 1:
        yield 0, 1


def _lost_names_of_people(roles: Pass, marks: Marks) -> Spans:
    """`first and last name`, `full name`: both, where both are kept."""
    said = _BOTH_NAMES.search(roles.words_at(0, len(roles.tokens)))
    names = [name_stems(name) for _, name in marks.columns]
    if said and any("last" in stems for stems in names) != any("first" in stems for stems in names):
        yield 0, 1


def _lost_periods(roles: Pass, marks: Marks) -> Spans:
    """`in 1998 compared to 1997`: both periods, or what tells them apart."""
    ends, starts = [each.end for each in roles.periods], [each.start for each in roles.periods]
    compared = (each for each in roles.cues if each.kind == "versus" and ends)
    between = [each for each in compared if min(ends) <= each.start and each.end <= max(starts)]
    held = {(each.start, each.end) for each in marks.nodes if isinstance(each, During)}
    if between and len(held) == 1 and not marks.has(Bucket, Growth):
        yield between[0].start, between[0].end


def _said_again(roles: Pass, marks: Marks) -> Spans:
    """`average listeners`, where a column is called so: no average of it, unless the word is said twice."""
    words = [token.lower for token in roles.tokens]
    means = [each.of for each in marks.nodes if isinstance(each, Agg) and each.function == "avg"]
    averaged = {(each.table, each.name) for each in means if isinstance(each, Col)}
    for each in roles.mentions if words.count("average") == 1 else ():
        own = {(t.table.key, t.column.name) for t in each.targets if t.column and t.score >= _CALLED_SO}
        if "average" in words[each.start : each.end] and own & averaged:
            yield each.start, each.end

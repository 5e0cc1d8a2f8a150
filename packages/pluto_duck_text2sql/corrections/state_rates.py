"""Rates of what became of rows: `the percentage of refunded purchases on Steam` is of those on Steam, refunded or not.

A state before the rows says which of them count; what follows them by a preposition says which rows there are. What
follows by a verb is asked of those in that state (`of refunded purchases were on Steam`), which bases.py reads.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.data.states import participles
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems
from pluto_duck_text2sql.tree import Agg, Col, Compare, Cond, Missing, Query, Ratio
from pluto_duck_text2sql.trees.durations import rooted

_REST = r"(?P<rest> (?:of|in|on|at|for|from|to|by|per|among|during|this|last)\b.*)$"
_PARTS = tuple(
    Pattern(rf"\b{part}{_REST}", re.IGNORECASE)
    for part in (
        r"(?:percentage|percent|share|proportion) of (?:(?:all|the|our) )*(?P<state>[a-z]+(?:[ -][a-z]+)?) [a-z]+",
        r"(?P<state>[a-z]+(?:-[a-z]+)?) rate",
    )
)
_ASKED_OF_THEM = Pattern(
    r"\b(?:that|who|which|whose|with|without|having|was|were|are|is|has|have|had|came|went|did|does|do|got)\b",
    re.IGNORECASE,
)


def of_state(query: Query, question: str) -> Query:
    """The tree with the part of its rows that is in a state, whatever else is said of them said of all."""
    said = next((found for each in _PARTS if (found := each.search(question))), None)
    shown = (*query.select, *(each.by for each in query.order))
    ratio = next((each for each in shown if isinstance(each, Ratio)), None)
    if said is None or ratio is None or _ASKED_OF_THEM.search(said["rest"]) or not _counts(ratio):
        return query
    if _where(ratio.bottom):
        return query  # it says itself of which rows it is a part
    state = said["state"].lower()
    words = rooted(each for text in (state, *participles(state)) for each in name_stems(text))
    held = dict.fromkeys((*_where(ratio.top), *query.where))
    told = tuple(each for each in held if _is_of_state(each, words))
    states = tuple(each for each in told if isinstance(each, Compare)) or told  # a text and a day say the same
    if not states or set(_where(ratio.top)) == set(states):
        return query
    others = tuple(each for each in held if each not in told)
    return replace(_with(query, ratio, _rate(ratio, states)), where=others)


def _counts(ratio: Ratio) -> bool:
    """Whether it is a number of rows by one of the same rows."""
    counts = [each for each in (ratio.top, ratio.bottom) if isinstance(each, Agg) and each.function == "count"]
    return len(counts) == 2 and replace(counts[0], where=()) == replace(counts[1], where=())


def _where(of: object) -> tuple[Cond, ...]:
    return of.where if isinstance(of, Agg) else ()


def _is_of_state(condition: Cond, words: frozenset[str]) -> bool:
    """Whether it holds rows to the state that is said: by its text, or by a date that is called so."""
    if isinstance(condition, Compare) and condition.operator == "=" and isinstance(condition.right, str):
        return rooted(name_stems(condition.right)) <= words
    day = condition.left if isinstance(condition, Missing) and condition.negated else None
    return isinstance(day, Col) and not words.isdisjoint(rooted(name_stems(day.name)))


def _rate(ratio: Ratio, states: tuple[Cond, ...]) -> Ratio:
    top, bottom = (replace(each, where=()) for each in (ratio.top, ratio.bottom) if isinstance(each, Agg))
    return replace(ratio, top=replace(top, where=states), bottom=bottom)


def _with(query: Query, ratio: Ratio, rate: Ratio) -> Query:
    """The query with another figure, wherever it shows it or sorts by it."""
    select = tuple(rate if each == ratio else each for each in query.select)
    order = tuple(replace(each, by=rate) if each.by == ratio else each for each in query.order)
    return replace(query, select=select, order=order)

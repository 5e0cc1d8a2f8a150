"""Rates of what became of rows: `the percentage of refunded purchases on Steam` is of those on Steam, refunded or not.

A state before the rows says which of them count; what follows them by a preposition says which rows there are. What
follows by a verb is asked of those in that state (`of refunded purchases were on Steam`), which bases.py reads.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast

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
    if said is None or ratio is None or _ASKED_OF_THEM.search(said["rest"]) or not counts_some_of_all(ratio):
        return query
    top = cast(Agg, ratio.top)
    state = said["state"].lower()
    words = rooted(each for text in (state, *participles(state)) for each in name_stems(text))
    held = dict.fromkeys((*top.where, *query.where))
    told = tuple(each for each in held if _is_of_state(each, words))
    states = tuple(each for each in told if isinstance(each, Compare)) or told  # a text and a day say the same
    if not states or set(top.where) == set(states):
        return query
    others = tuple(each for each in held if each not in told)
    return replace(_with(query, ratio, replace(ratio, top=replace(top, where=states))), where=others)


def counts_some_of_all(ratio: Ratio) -> bool:
    """Whether it is a number of some rows by that of all of them."""
    top, bottom = ratio.top, ratio.bottom
    return isinstance(top, Agg) and isinstance(bottom, Agg) and bool(top.where) and replace(top, where=()) == bottom


def _is_of_state(condition: Cond, words: frozenset[str]) -> bool:
    """Whether it holds rows to the state that is said: by its text, or by a date that is called so."""
    if isinstance(condition, Compare) and condition.operator == "=" and isinstance(condition.right, str):
        return rooted(name_stems(condition.right)) <= words
    day = condition.left if isinstance(condition, Missing) and condition.negated else None
    return isinstance(day, Col) and not words.isdisjoint(rooted(name_stems(day.name)))


def _with(query: Query, ratio: Ratio, rate: Ratio) -> Query:
    """The query with another figure, wherever it shows it or sorts by it."""
    select = tuple(rate if each == ratio else each for each in query.select)
    order = tuple(replace(each, by=rate) if each.by == ratio else each for each in query.order)
    return replace(query, select=select, order=order)

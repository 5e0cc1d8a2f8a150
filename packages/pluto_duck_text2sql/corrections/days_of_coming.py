"""Periods and grains by the day on which rows came to be or took place, where no word tells another."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.corrections.date_columns import DateColumns
from pluto_duck_text2sql.corrections.days_of_deeds import DEED_IN
from pluto_duck_text2sql.data.event_dates import BOOKED, is_coming, says_coming
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import spoken_stems, tokenise
from pluto_duck_text2sql.tree import (
    Bucket,
    Col,
    Compare,
    Days,
    During,
    Expr,
    First,
    Minus,
    Missing,
    Query,
    columns_in,
    mapped,
    nodes_in,
)
from pluto_duck_text2sql.trees.durations import rooted

_TAKES_PLACE = Pattern(r"\b(?:(?:tak(?:e|es|en|ing)|took) place|held)\b", re.IGNORECASE)
_OF_THEIR_DATE = Pattern(
    r"\bby (?:the )?(?!book|reserv|request)[a-z]+ date\b|\bdate of (?:the|each|their) (?!book|reserv|request)[a-z]+\b",
    re.IGNORECASE,
)


def _of_what_takes_place(said: frozenset[str], question: str) -> frozenset[str]:
    """The words said, where games take place, or are told by their date, without those for the day of booking."""
    if _TAKES_PLACE.search(question):
        return (said - BOOKED) | {"began"}
    return said - BOOKED if _OF_THEIR_DATE.search(question) else said


def as_happened(query: Query, question: str, known: DateColumns) -> Query:
    """Periods and grains of the date on which the rows happen, where the question does not name their own."""
    tokens = tokenise(question)
    said = _of_what_takes_place(spoken_stems(tokens) | {token.lower for token in tokens}, question)
    parts = list(nodes_in(query))
    dated = {each for part in parts if isinstance(part, During | Bucket) for each in columns_in(part)}
    dated |= {each.of for each in parts if isinstance(each, First)}
    bounds = {each.right for each in parts if isinstance(each, Compare)}
    dated |= {each.start for each in parts if isinstance(each, Days) and isinstance(each.start, Col)} - bounds
    unsaid = {column for column in dated if not known.is_named(column, said) or known.is_plan(column, said)}
    moved = {each: known.happened(each, said) for each in unsaid if isinstance(each, Col)}
    moved = {column: to for column, to in moved.items() if to != column}

    def put(node: Any) -> Any:
        if isinstance(node, Days):
            start = moved.get(node.start, node.start)  # type: ignore[arg-type]
            return node if start == node.end else replace(node, start=start)
        is_dated = isinstance(node, During | Bucket | First)
        return mapped(node, lambda each: moved.get(each, each)) if is_dated else node

    return mapped(query, put) if moved else query


def of_own_year(query: Query, question: str, known: DateColumns) -> Query:
    """`series of 2014`: of the year in which they began, where no word tells the one in which they ended."""
    said = rooted(spoken_stems(tokenise(question)))
    if not says_coming([token.lower for token in tokenise(question)]):
        return query
    apart = [each for each in nodes_in(query) if isinstance(each, Missing | Minus | Days)]
    kept = {column for each in apart for column in columns_in(each)}
    shown = {each for each in columns_in(query) if isinstance(each, Col) and each not in kept}
    put = {each: to for each in shown if (to := known.own_year_of(each, said)) and to not in kept}
    return mapped(query, lambda node: put.get(node, node) if isinstance(node, Col) else node, (Col,)) if put else query


def of_coming_about(query: Query, question: str, known: DateColumns) -> Query:
    """`orders per month`, `placed in 2017`: by the day on which rows came to be, where no word tells another."""
    tokens = tokenise(question)
    said = spoken_stems(tokens)
    is_untold = says_coming([token.lower for token in tokens])
    deeds = [each["deed"].lower() for each in DEED_IN.finditer(question)]
    comes = bool(deeds) and all(map(is_coming, deeds))
    moved: set[Expr] = set()

    def put(node: Any) -> Any:
        left = node.left if isinstance(node, During) else node.of if isinstance(node, Bucket) else None
        to = known.came_about(left) if isinstance(left, Col) and (is_untold or comes) else None
        if to is None or not isinstance(left, Col) or known.is_told(left, said):
            return node
        moved.add(left)
        return replace(node, left=to) if isinstance(node, During) else replace(node, of=to)

    made: Query = mapped(query, put, (During, Bucket))
    gaps = [each for each in made.where if isinstance(each, Missing) and each.negated and each.left in moved]
    return replace(made, where=tuple(each for each in made.where if each not in gaps)) if gaps else made

"""The figure before, told of others: `which agents had at least 3?` after sick shifts, `which site scored lowest?`"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from pluto_duck_text2sql.corrections.bounds import OPERATORS
from pluto_duck_text2sql.data.event_dates import event_date
from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.extremes import measures_as
from pluto_duck_text2sql.followups.trees import settled, times
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, LEAD, stem, tokenise
from pluto_duck_text2sql.reading.cues import ADJECTIVES
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    During,
    Expr,
    Grain,
    Missing,
    Order,
    Query,
    columns_in,
    is_total,
)
from pluto_duck_text2sql.trees.parts import keys, subject

_DID = (
    r"(?:is|are|was|were|had|has|have|got|get|did|does|made|make|took|take|scored?|saw|see|earned|earn|sold|sell"
    r"|brought in|comes?(?: out)?|came(?: out)?|performs?|performed|ranks?|ranked|sits?)"
)
_BOUND = rf"(?P<bound>at least|at most|more than|over|fewer than|less than|under) (?P<n>{A_NUMBER})"
_OR_MORE = rf"(?P<least>{A_NUMBER}) or more"
_RANK = (
    r"(?P<rank>most|highest|best|most (?:common|frequent|often)|commonest|biggest|largest|strongest|on top"
    r"|top|ahead|first|in front"
    r"|least|fewest|lowest|worst|least (?:common|frequent|often)|rarest|smallest|weakest|last)"
)
_ASKS = Pattern(
    rf"{LEAD}(?:which|what) (?P<noun>[a-z]+(?: [a-z]+)?) {_DID} (?:the )?(?:{_BOUND}|{_OR_MORE}|{_RANK})$",
    re.IGNORECASE,
)
_WAYS = "|".join(each for each in ADJECTIVES if each.endswith("st") or each.startswith(("most ", "least ")))
_IS = Pattern(
    rf"{LEAD}(?:which|what) (?P<noun>[a-z]+(?: [a-z]+)?) (?:is|was|are|were) (?:the )?(?P<way>{_WAYS})$", re.IGNORECASE
)
_PRICED = frozenset(map(stem, "charge fee amount bill premium rent rate expense spend paid".split()))
"""What a price is called besides, of what is dear or cheap."""
_LEAST_WORDS = ("least", "fewest", "lowest", "worst", "rarest", "smallest", "weakest", "last")
_BEST = r"(?:busiest|strongest|best|biggest|most|highest)"
_LEAST = r"(?P<least_{0}>quietest|weakest|worst|slowest|least|fewest|lowest)"
_UNITS = r"(?P<{0}>year|quarter|month|week|weekday|day|hour)"
_WHEN = Pattern(
    rf"{LEAD}(?:the )?(?:{_BEST}|{_LEAST.format('a')}) {_UNITS.format('a')}$"
    rf"|{LEAD}(?:which|what) {_UNITS.format('b')} (?:had|has|saw|was|is) the (?:{_BEST}|{_LEAST.format('b')})$",
    re.IGNORECASE,
)
_NAMED = 0.6


def tells_figure_of(text: str) -> bool:
    """Whether a question only says whose figure is wanted, not which."""
    return bool(_ASKS.search(text))


def told_of(turn: Turn) -> Draft | None:
    """The figure before of each of those that are asked for, as many as the bound or the rank leaves; None where
    nothing is so asked."""
    if told := _told_when(turn) or _of_that_way(turn):
        return told
    said, query = _ASKS.search(turn.frame.text), turn.earlier
    totals = [each for each in query.select if is_total(each)]
    if said is None or len(totals) != 1 or not isinstance(totals[0], Agg) or query.limit is not None or query.then:
        return None
    group = _group(said["noun"], turn)
    if group is None:
        return None
    shown, by = group
    made = replace(query, select=tuple(shown), group=tuple(dict.fromkeys((*by, *shown))), order=(), having=())
    made = _cut(made, totals[0], said)
    return Draft(query).changed(made, f"told of → {said['noun']}", range(len(turn.fragment.tokens)))


def is_of_figures(text: str, query: Query, reader: Reader) -> bool:
    """Whether it asks which of the groups just told is `the costliest`, of a figure that tells how dear they are."""
    said = _IS.search(text)
    figures = [each for each in query.select if is_total(each)]
    if said is None or len(figures) != 1 or not query.group or query.limit is not None:
        return False
    way = said["way"].lower()
    return measures_as(query, way, reader) or ("price" in ADJECTIVES[way][0] and _is_priced(figures[0], reader))


def _is_priced(figure: Expr, reader: Reader) -> bool:
    """Whether a figure is of money that is paid for each."""
    tables = ((each, reader.catalog.table(*each.table)) for each in columns_in(figure) if isinstance(each, Col))
    return any(table and _PRICED & set(table.stems(each.name)) for each, table in tables)


def _of_that_way(turn: Turn) -> Draft | None:
    """The one of the groups just told that is the costliest, or the cheapest, by the figure told."""
    said, query = _IS.search(turn.frame.text), turn.earlier
    group = _before(said["noun"], turn) if said and is_of_figures(turn.frame.text, query, turn.reader) else None
    if said is None or group is None:
        return None
    figure = next(each for each in query.select if is_total(each))
    order = (Order(figure, ADJECTIVES[said["way"].lower()][1]),)
    made = replace(query, select=tuple(group[0]), order=order, limit=1)
    return Draft(query).changed(made, f"told of → {said['noun']}", range(len(turn.fragment.tokens)))


def _told_when(turn: Turn) -> Draft | None:
    """`and the busiest month?` of what was told of others: the figure by month, of which the first is taken."""
    said, query = _WHEN.search(turn.frame.text), turn.earlier
    unit = (said["a"] or said["b"]).lower() if said else ""
    figure = next((each for each in query.select if is_total(each)), None)
    by_time = any(isinstance(each, Bucket) for each in query.group)
    dates = [each.left for each in times(query, turn.reader) if isinstance(each, During) and isinstance(each.left, Col)]
    known = () if dates else tuple(Missing(each, negated=True) for each in _own_dates(turn))
    dates = dates or _own_dates(turn)
    if said is None or not isinstance(figure, Agg) or by_time or len(dates) != 1 or query.then:
        return None
    time = Bucket(cast(Grain, unit), dates[0])
    order = (Order(figure, not (said["least_a"] or said["least_b"])),)
    where = (*query.where, *known)
    made = replace(query, select=(time, figure), where=where, group=(time,), order=order, limit=1, having=())
    return Draft(query).changed(settled(made, turn.reader), f"told of → {unit}", range(len(turn.fragment.tokens)))


def _own_dates(turn: Turn) -> list[Col]:
    """The one date that tells when the rows before happened, where one does."""
    table = turn.reader.catalog.table(*subject(turn.earlier))
    name = event_date(table) if table else None
    return [Col(table.key, name)] if table and name else []


def _cut(query: Query, figure: Agg, said: re.Match[str]) -> Query:
    """The groups within the bound, or the first of them."""
    if said["rank"]:
        return replace(query, order=(Order(figure, said["rank"].lower().split()[0] not in _LEAST_WORDS),), limit=1)
    number = next((each.number for each in tokenise(said["n"] or said["least"]) if each.number is not None), None)
    operator = OPERATORS[said["bound"].lower()] if said["bound"] else ">="
    return replace(query, having=(Compare(figure, operator, number),)) if number is not None else query


def _group(noun: str, turn: Turn) -> tuple[Sequence[Expr], Sequence[Expr]] | None:
    """What is shown of those that the noun names, and what tells them apart: groups of before, rows that those counted
    point at, or what a column of theirs holds."""
    reader, query = turn.reader, turn.earlier
    targets = [each for item in reader.named(noun) for each in item.targets if each.score >= _NAMED]
    tables = list(dict.fromkeys(each.table.key for each in targets if each.column is None))
    columns = [Col(each.table.key, each.column.name) for each in targets if each.column is not None]
    if before := _before(noun, turn):
        return before
    for key in (each for each in tables if each != subject(query)):
        table, pointer = reader.catalog.table(*key), reader.joins.pointer(subject(query), key)
        if table and pointer:
            return reader.resolver.label(table), [Col(key, name) for name in reader.resolver.key(table)]
    own = [each for each in columns if each.table == subject(query)]
    return (own[:1], own[:1]) if own else None


def _before(noun: str, turn: Turn) -> tuple[Sequence[Expr], Sequence[Expr]] | None:
    """What is shown and what tells apart the groups of before that a noun names; None where it names none."""
    targets = [each for item in turn.reader.named(noun) for each in item.targets if each.score >= _NAMED]
    tables = {each.table.key for each in targets if each.column is None}
    columns = {Col(each.table.key, each.column.name) for each in targets if each.column is not None}
    shown = [each for each in keys(turn.earlier) if isinstance(each, Col) and (each.table in tables or each in columns)]
    own = [each for each in turn.earlier.group if isinstance(each, Col) and (each.table in tables or each in shown)]
    return (shown, own) if shown else None

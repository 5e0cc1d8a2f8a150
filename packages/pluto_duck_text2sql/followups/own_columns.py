"""What the rows before have in a column of their own: `what are the order numbers?`, `what reasons were given?`"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.followups.asking import IN_ALL
from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.fragment import Fragment
from pluto_duck_text2sql.followups.referents import is_called, rows_meant
from pluto_duck_text2sql.followups.telling import listed
from pluto_duck_text2sql.followups.trees import kind_of, restrictions, shown_rows
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD
from pluto_duck_text2sql.tree import Agg, Col, Compare, Missing, Query, Rows
from pluto_duck_text2sql.trees.parts import is_aggregate, subject

_HOW_OFTEN = r"(?P<often>,? (?:and )?how (?:often|many)(?: times)?(?: (?:for|of))?(?: each)?(?: one)?)?"
_ASKS = Pattern(
    rf"{LEAD}(?:(?:what|which) (?:are|were) (?:the|their|its) (?P<these>[a-z]+(?: [a-z]+){{0,2}})"
    r"|(?:what|which) (?P<given>[a-z]+(?: [a-z]+)?) (?:were|was|are|is) (?:given|mentioned|stated|recorded|noted))"
    rf"{_HOW_OFTEN}$",
    re.IGNORECASE,
)
_OF_ROWS = Pattern(
    rf"{LEAD}what(?:['’]s| is| are| was| were) the (?P<column>[a-z]+(?: [a-z]+)?) of (?:those|these)"
    r" (?P<rows>[a-z]+s)$",
    re.IGNORECASE,
)
_NAMED = 0.9


def own_column(text: str, fragment: Fragment) -> Col | None:
    """The column of the rows before that a question asks for and does nothing but name, where something restricts
    them; else None."""
    said, query = _ASKS.search(text), fragment.earlier
    if said is None or query.group or query.then or not (query.where or query.limit is not None):
        return None
    rows = subject(query) if is_aggregate(query) else query.anchor
    words = said["these"] or said["given"]
    targets = [each for item in fragment.reader.named(words) if item.text == words for each in item.targets]
    if any(each.column is None and each.table.key != rows and each.score >= _NAMED for each in targets):
        return None
    own = [each for each in targets if each.column and each.table.key == rows]
    best = max(own, key=lambda each: each.score, default=None)
    alike = [each for each in own if best and each.score == best.score]
    found = Col(rows, best.column.name) if best and best.column and len(alike) == 1 else None
    is_told = any(isinstance(each, Compare) and each.operator == "=" and each.left == found for each in query.where)
    return None if is_told else found


def of_own_column(turn: Turn) -> Draft | None:
    """What the rows before have in the column that is asked for: beside those listed, each once of those counted."""
    if of_groups := _of_groups(turn):
        return of_groups
    said, query = _ASKS.search(turn.frame.text), turn.earlier
    column = own_column(turn.frame.text, turn.fragment)
    if said is None or column is None:
        return None
    made = _told_of(column, turn) if is_aggregate(query) else replace(query, select=(*query.select, column))
    if said["given"]:
        made = replace(made, where=(*made.where, Missing(column, negated=True)))
    if said["often"]:
        made = Query(column.table, (column, Agg("count", Rows(column.table))), made.where, group=(column,))
    return Draft(query).changed(made, f"shown → {listed([column])}", range(len(turn.fragment.tokens)))


def _told_of(column: Col, turn: Turn) -> Query:
    """The rows that were counted by this column."""
    where = restrictions(turn.earlier, column.table, turn.reader)
    is_kind = kind_of(column, turn.reader) == "text" and not turn.fragment.is_key(column)
    return Query(column.table, (column,), tuple(where), distinct=is_kind)


def _of_groups(turn: Turn) -> Draft | None:
    """`what is the population of these countries?` after figures by country: each by its name, with what it has."""
    said, query, reader = _OF_ROWS.search(turn.frame.text), turn.earlier, turn.reader
    of = rows_meant(query, reader)
    table = reader.catalog.table(*of)
    if said is None or table is None or of == subject(query) or IN_ALL.search(said["column"]):
        return None
    named = [each for item in reader.named(said["column"]) for each in item.targets if each.score >= _NAMED]
    column = next((Col(of, each.column.name) for each in named if each.column and each.table.key == of), None)
    inside = shown_rows(query, reader)
    if column is None or inside is None or inside.left.table != of or not is_called(said["rows"], of, reader):
        return None
    shown = (*reader.resolver.label(table), column)
    made = Query(of, tuple(dict.fromkeys(shown)), (inside,))
    return Draft(query).changed(made, f"rows → {of[1]}: {listed(shown)}", range(len(turn.fragment.tokens)))

"""What only another thing has: `which lifts are black` where slopes are, `what colour are the branches` of their cars.

Called by `decision` with the reading chosen. A thing's colour is no colour of what holds many such things, though a
state of what happened (`which books are overdue`) is: loans have days, slopes have none. And what two things have in
common is no tie between them where many rows of either meet in it, and the question names nothing of all that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph, Step
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Col, Query, TableKey, all_nodes_in, columns_in
from pluto_duck_text2sql.trees.facts import Facts

_IS = r"\b(?:is|are|was|were) (?:all |also |currently )?"
_ASKED = Pattern(
    r"^(?:what|which) (?P<what>[\w ]+?) (?:is|are|was|were|do|does|did) (?:all )?(?:of )?(?:the |our |each |every )?"
    r"(?P<thing>[\w ]+?)(?: have| has)?\W*$",
    re.IGNORECASE,
)


_ANOTHERS = "What is asked of it is kept of {0} alone ({0}.{1})."
_ONLY_SHARED = "Rows of {} and of {} only share others; nothing says which belong together."


def strange(question: str, query: Query, mentions: Sequence[Mention], catalog: Catalog, joins: JoinGraph) -> str:
    """Why a column of the reading says nothing of what the question is about; nothing where all of them do."""
    named = _named(mentions)
    said = [(each, named or {query.anchor}) for each in _shown_of(question, query, mentions)]
    said += [(each, {query.anchor, *named}) for each in _said_of(question, query, catalog)]
    far = (each for each, things in said if all(_is_far(thing, each.table, joins) for thing in things))
    anothers = (_ANOTHERS.format(each.table[1], each.name) for each in far)
    return next(anothers, "") or met_by_chance(query, mentions, catalog, joins)


def met_by_chance(query: Query, mentions: Sequence[Mention], catalog: Catalog, joins: JoinGraph) -> str:
    """Why the tables of a reading do not belong together; nothing where they do."""
    named = _named(mentions)
    for each in all_nodes_in(query):
        met = next(_met_by_chance(each, named, catalog, joins), None) if isinstance(each, Query) else None
        if met:
            return _ONLY_SHARED.format(each.anchor[1], met[1])
    return ""


def _named(mentions: Sequence[Mention]) -> set[TableKey]:
    return {each.table.key for item in mentions for each in item.targets if each.column is None}


def _shown_of(question: str, query: Query, mentions: Sequence[Mention]) -> Iterator[Col]:
    """`what colour are the branches`: the columns shown of what is asked about."""
    asked = _ASKED.match(question.strip())
    is_table = asked and any(
        item.text.casefold() == asked["thing"].casefold() and any(each.column is None for each in item.targets)
        for item in mentions
    )
    if is_table:
        yield from (each for each in query.select if isinstance(each, Col))


def _said_of(question: str, query: Query, catalog: Catalog) -> Iterator[Col]:
    """`which lifts are black`: the columns of things that hold what the question ends with."""
    for left, operator, right in Facts.of(query).compared:
        if isinstance(left, Col) and isinstance(right, str) and operator == "=":
            table = catalog.table(*left.table)
            is_thing = table is not None and not table.has_times
            if is_thing and re.search(_IS + re.escape(right) + r"\W*$", question, re.IGNORECASE):
                yield left


def _met_by_chance(query: Query, named: Collection[TableKey], catalog: Catalog, joins: JoinGraph) -> Iterator[TableKey]:
    """The tables whose rows only share something with the rows asked for, of which the question names nothing."""
    for column in columns_in(query):
        steps = joins.path(query.anchor, column.table) or ()
        between = {step.source for step in steps[1:]}
        is_meant = not between.isdisjoint(named) or {query.anchor, column.table} <= set(named)
        if not is_meant and _only_share(steps, catalog, joins):
            yield column.table


def _only_share(steps: Sequence[Step], catalog: Catalog, joins: JoinGraph) -> bool:
    """Whether a way goes to what many rows belong to and on to many others of it. Tables that only tie two things
    together are passed over."""
    ties = {step.target for step in steps if step.multiplies and _only_ties(catalog.table(*step.target), joins)}
    turns = [step.multiplies for step in steps if step.source not in ties and step.target not in ties]
    return any(down and not all(turns[:place]) for place, down in enumerate(turns))


def _only_ties(table: Table | None, joins: JoinGraph) -> bool:
    """Whether a table holds nothing but its key and what points to others."""
    own = {each.casefold() for each in table.primary_key} if table else set()
    columns = [Col(table.key, each.name) for each in table.columns] if table else []
    return all(each.name.casefold() in own or joins.pointed(each) != each for each in columns)


def _is_far(here: TableKey, there: TableKey, joins: JoinGraph) -> bool:
    """Whether a row here may have many there."""
    return here != there and any(step.multiplies for step in joins.path(here, there) or ())

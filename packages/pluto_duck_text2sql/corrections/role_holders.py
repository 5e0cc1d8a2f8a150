"""Who plays the part that a key upwards is called by: `how many managers are there` counts those whom others point at.

Called by `corrections` for every tree, whoever wrote it. Of rows that point at rows of their own table (`manager_id`),
managers are those that are pointed at: not all rows, nor those that have a manager. Where a stored value is called so
(a job title `Store Manager`), that tells it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Inside, Missing, Query, Rows, all_nodes_in
from pluto_duck_text2sql.trees.selves import WORDS, Ladder

_ASKED = r"(?:^|\b(?:how many|number of|count of|list|show|which|what|are|all|our|the|only|of|for|among) )"
_ROLES = r"(?:(?:the|our|all) )?(?P<role>[a-z]+(?:er|or|sse)s)\b"
_OF_SOMEBODY = r"(?! (?:of|and|or|have|has|manage|with the most|who (?:have|manage)|whose|per|each)\b|['’])"
_SAID = Pattern(rf"{_ASKED}{_ROLES}{_OF_SOMEBODY}", re.IGNORECASE)
_OF_EACH = (
    r"\b(?:their|his|her|its|whose|without|with|no|not|non|under|by|per|each|every)(?: an?| the| any)?"
    r"(?: own| direct)?[ -]"
)
_MANAGERS = frozenset(map(stem, "manager boss supervisor superior".split()))


def of_role_holders(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with those rows alone that others point at, where the question calls its rows by what these are."""
    said = frozenset(stem(match["role"].lower()) for match in _SAID.finditer(question))
    if not said or query.then:
        return query
    for ladder in _ladders(query, catalog):
        if said & ladder.own and not _is_else(said & ladder.own, question, ladder.table, catalog):
            return _held(query, ladder)
    return query


def of_all_alike(query: Query, question: str, catalog: Catalog) -> Query:
    """The tree with those too that nobody is above, where no word is of who is above whom: `how many people work for
    us` counts the one at the top."""
    ups = (Missing(each.up, negated=True) for each in _ladders(query, catalog) if _is_unsaid(each, question))
    unsaid = {each for each in ups if each in query.where}
    return replace(query, where=tuple(each for each in query.where if each not in unsaid)) if unsaid else query


def _is_unsaid(ladder: Ladder, question: str) -> bool:
    """Whether managers are above rows of the table, and the question speaks of none."""
    is_said = WORDS.search(question) or ladder.marked(question) != question
    return not is_said and not _MANAGERS.isdisjoint(ladder.own)


def _ladders(query: Query, catalog: Catalog) -> Iterator[Ladder]:
    """Those of the tables whose rows are shown or counted."""
    counted = [each.table for each in all_nodes_in(query.select) if isinstance(each, Rows)]
    for key in dict.fromkeys((query.anchor, *counted)):
        table = catalog.table(*key)
        ladder = Ladder.of(table) if table else None
        if ladder:
            yield ladder


def _is_else(roles: frozenset[str], question: str, table: Table, catalog: Catalog) -> bool:
    """Whether the question speaks of each one's own, or a value of the table has such a word."""
    hits = (hit for role in roles for hit in catalog.values.lookup_part((role,)))
    is_stored = any((hit.schema, hit.table) == table.key for hit in hits)
    return is_stored or any(re.search(rf"{_OF_EACH}{role}", question, re.IGNORECASE) for role in roles)


def _held(query: Query, ladder: Ladder) -> Query:
    """The tree with those that are pointed at; as it is where it looks at the key upwards otherwise."""
    lacking = Missing(ladder.up, negated=True)
    where = tuple(each for each in query.where if each != lacking)
    rest = replace(query, where=where)
    if any(each == ladder.up for each in all_nodes_in(rest)):
        return query
    return replace(rest, where=(*where, Inside(ladder.key, Query(ladder.table.key, (ladder.up,), (lacking,)))))

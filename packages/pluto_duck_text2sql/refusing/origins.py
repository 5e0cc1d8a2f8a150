"""Where a thing is from is its own: `which artists are from Brazil` asks nothing of who bought their records.

Called by `decision` with the reading chosen. A place that is reached from what is asked only by steps that multiply its
rows is the place of something else, unless the question names that; so is what stands before the thing, where it has a
column of that name itself. And `from France` asks for nobody called Frances.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.language.normal import folded, normal
from pluto_duck_text2sql.language.otherwise import otherwise
from pluto_duck_text2sql.language.words import table_stems
from pluto_duck_text2sql.tree import Col, Compare, Query, Rows, TableKey
from pluto_duck_text2sql.trees.facts import Facts

_OWN = (
    r"\b(?:(?:is|are|was|were|come|comes|came)(?: originally)? from"
    r"|(?:live|lives|lived|born|based|located|situated|reside|resides|resided)(?: in| at| near)) (?:the )?"
)


def not_its_own(question: str, query: Query, mentions: Sequence[Mention], joins: JoinGraph) -> str:
    """The place that is said of what is asked, and belongs to something that the question does not name."""
    for column, value in _places(question, query):
        if _is_others(column, query, mentions, joins):
            return value
    return ""


def misread(question: str, query: Query) -> str:
    """The country that rows are said to be from, where the query takes it for a name that is only written like it."""
    said = re.search(_OWN + r"(?P<place>[A-Z][\w-]+)(?! [A-Z])", question)
    place = said["place"] if said and any(each.place for each in otherwise(said["place"])) else ""
    texts = {folded(right.strip("%")) for _, _, right in Facts.of(query).compared if isinstance(right, str)}
    is_alike = any(normal(each) == normal(place) for each in texts)
    return place if place and is_alike and folded(place) not in texts else ""


def as_its_own(query: Query, mentions: Sequence[Mention], catalog: Catalog, joins: JoinGraph) -> Query | None:
    """`Finnish teams`, read of their drivers, though teams have a nationality of their own: the query that looks there.

    None where what stands before the thing asked for is of no column that it has as well.
    """
    own = catalog.table(*query.anchor)
    for left, operator, right in Facts.of(query).compared:
        other = catalog.table(*left.table) if isinstance(left, Col) else None
        if own is None or other is None or operator != "=" or not _stands_before(own, right, mentions):
            continue
        alike = [each.name for each in own.columns if own.stems(each.name) == other.stems(left.name)]
        if alike and _is_others(left, query, mentions, joins):
            return Query(own.key, (Rows(own.key),), (Compare(Col(own.key, alike[0]), "=", right),))
    return None


def _stands_before(table: Table, value: object, mentions: Sequence[Mention]) -> bool:
    """Whether the words of a value are followed by the table's name."""
    ends = {each.end for each in mentions if any(hit.value == value for hit in each.hits)}
    named = (each for each in mentions if any(t.column is None and t.table.key == table.key for t in each.targets))
    return any(each.start in ends for each in named)


def _is_others(column: Col, query: Query, mentions: Sequence[Mention], joins: JoinGraph) -> bool:
    """Whether a column is of something that the question does not name, and of which a row asked for may have many."""
    named = {each.table.key for item in mentions for each in item.targets if each.column is None}
    return all(_is_far(each, column.table, joins) for each in (query.anchor, *named))


def _places(question: str, query: Query) -> Iterator[tuple[Col, str]]:
    for left, operator, right in Facts.of(query).compared:
        is_text = isinstance(left, Col) and isinstance(right, str) and operator == "="
        if is_text and re.search(_OWN + re.escape(right), question, re.IGNORECASE):
            yield left, right


def _is_far(here: TableKey, there: TableKey, joins: JoinGraph) -> bool:
    """Whether a row here may have many there that are not its own: its own are those to which rows lead that are called
    after both, as customer_addresses do."""
    steps = joins.path(here, there) or () if here != there else ()
    ends = {*table_stems(here[1]), *table_stems(there[1])}
    between = [each.target for each in steps if each.target != there]
    is_own = bool(between) and all(ends >= {*table_stems(key[1])} for key in between)
    return any(step.multiplies for step in steps) and not is_own

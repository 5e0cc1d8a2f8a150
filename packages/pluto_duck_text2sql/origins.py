"""Where a thing is from is its own: `which artists are from Brazil` asks nothing of who bought their records.

Called by `analyst` with the reading chosen. A place that is reached from what is asked only by steps that multiply its
rows is the place of something else, unless the question names that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pluto_duck_text2sql.joins import JoinGraph
from pluto_duck_text2sql.learned.facts import Facts
from pluto_duck_text2sql.links import Mention
from pluto_duck_text2sql.tree import Col, Query, TableKey

_OWN = (
    r"\b(?:(?:is|are|was|were|come|comes|came)(?: originally)? from"
    r"|(?:live|lives|lived|born|based|located|situated|reside|resides|resided)(?: in| at| near)) (?:the )?"
)


def not_its_own(question: str, query: Query, mentions: Sequence[Mention], joins: JoinGraph) -> str:
    """The place that is said of what is asked, and belongs to something that the question does not name."""
    named = {each.table.key for item in mentions for each in item.targets if each.column is None}
    for column, value in _places(question, query):
        if _is_far(query.anchor, column.table, joins) and all(_is_far(each, column.table, joins) for each in named):
            return value
    return ""


def _places(question: str, query: Query) -> Iterator[tuple[Col, str]]:
    for left, operator, right in Facts.of(query).compared:
        is_text = isinstance(left, Col) and isinstance(right, str) and operator == "="
        if is_text and re.search(_OWN + re.escape(right), question, re.IGNORECASE):
            yield left, right


def _is_far(here: TableKey, there: TableKey, joins: JoinGraph) -> bool:
    """Whether a row here may have many there."""
    return here != there and any(step.multiplies for step in joins.path(here, there) or ())

"""What a question denies is denied in its tree, whoever wrote that: `not paid`, `excluding void invoices`.

Called by `corrections` for the conditions of a whole query; what holds of rows that there are none of is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.tree import Col, Compare, Cond, Query

_DENIED = re.compile(
    r"(?:\b(?:not|excluding|exclude|except(?: for)?|other than)|n['’]t)"
    r"(?: (?:[a-z]+ly|yet|been|be|already|the|any|all|those))*(?: (?:in|from))? $",
    re.IGNORECASE,
)


def denied(query: Query, question: str) -> Query:
    """The query without the rows of a stored value that is named only to deny it."""
    where = tuple(turned(each, question) for each in query.where)
    return query if where == query.where else replace(query, where=where)


def turned(condition: Cond, question: str) -> Cond:
    """The contrary of a condition on a stored value, where the question names that only to deny it."""
    is_value = isinstance(condition, Compare) and isinstance(condition.left, Col) and isinstance(condition.right, str)
    if not isinstance(condition, Compare) or not is_value or condition.operator != "=":
        return condition
    said = list(_before(str(condition.right), question))
    is_denied = bool(said) and all(_DENIED.search(each) for each in said)
    return replace(condition, operator="!=") if is_denied else condition


def _before(value: str, question: str) -> Iterator[str]:
    """What is said before each mention of a value."""
    for found in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", question, re.IGNORECASE):
        yield question[: found.start()]

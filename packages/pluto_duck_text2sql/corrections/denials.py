"""What a question denies is denied in its tree, whoever wrote that: `not paid`, `excluding void invoices`; and a flag
of which it only says the name holds: `billable hours`.

Called by `corrections` for the conditions of a whole query, a flag's for those of its figures as well; what holds of
rows that there are none of is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.yes_no import denied as as_no
from pluto_duck_text2sql.data.yes_no import is_yes_or_no, says_no, yes_of
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_parts, stem, tokenise
from pluto_duck_text2sql.tree import Agg, Among, Col, Compare, Cond, Missing, Query, mapped

_LEAVES_OUT = (
    r"(?:(?:^|[.;:,!?(] ?|\b(?:please|and|but|then) )(?:ignore|disregard|skip|omit|leave out)"
    r"|(?<!not )(?<!n['’]t )(?<!never )(?<!without )\b(?:ignoring|disregarding|skipping|omitting|leaving out))"
)
_DENIED = Pattern(
    rf"(?:\b(?:not(?! (?:only|just|merely)\b)|excluding|exclude|except(?: for)?|other than)|n['’]t|{_LEAVES_OUT})"
    r"(?: (?:[a-z]+ly|yet|been|be|already|the|any|all|those))*(?: (?:(?:in|from|of|with|at)(?: (?:the )?[a-z]+)?))? $",
    re.IGNORECASE,
)
"""What ends right before a stored value that is denied: an order to leave it out, which is itself denied by nothing."""

_DENIES = Pattern(
    r"\b(?:not?|non|never|without|neither|nor|except|excluding|other than|lack\w*|missing|false|free|fail\w*|instead"
    r"|rather|cannot|out|off|declin\w*|refus\w*|exempt\w*|un[a-z]{3,}|in(?:active|valid|complete|eligible)|dis[a-z]{4,})\b|n['’]t\b|\bnon-",
    re.IGNORECASE,
)
"""Words of which some may deny a flag."""
_CONTRARY = Pattern(r"^un([a-z]{3,})$", re.IGNORECASE)
_WORD = Pattern(r"[a-z]+", re.IGNORECASE)
_NO_WORDS = frozenset(map(stem, "at on date time dt ts day in to of".split()))
_AUXILIARY = frozenset(map(stem, "is has was are have had can flag yn".split()))


_SAYS_NOT = Pattern(r"(?:not|non|no|never|un)[ _-]", re.IGNORECASE)
"""A stored value that denies something itself: `not_delivering`."""


def denied(query: Query, question: str) -> Query:
    """The query without the rows of a stored value that is named only to deny it."""
    where = tuple(turned(each, question) for each in query.where)
    return query if where == query.where else replace(query, where=where)


def denied_once(query: Query, question: str, catalog: Catalog) -> Query:
    """The query without a date that has to be missing though no word names it, where what is denied is told by another
    condition: customers who have `not opted in` are those whose opt-in is No, whatever else they never did."""
    if not any(_denies(each) for each in query.where):
        return query
    said = {token.stem for token in tokenise(question)}
    kept = tuple(each for each in query.where if not _is_unsaid_gap(each, said, catalog))
    return query if kept == query.where else replace(query, where=kept)


def _denies(condition: Cond) -> bool:
    """Whether a condition is on a flag that does not hold, or on what is none of some values."""
    if isinstance(condition, Among):
        return condition.negated
    return isinstance(condition, Compare) and (condition.operator == "!=" or says_no(str(condition.right)))


def _is_unsaid_gap(condition: Cond, said: set[str], catalog: Catalog) -> bool:
    if not isinstance(condition, Missing) or condition.negated or not isinstance(condition.left, Col):
        return False
    table = catalog.table(*condition.left.table)
    return table is not None and said.isdisjoint({*table.stems(condition.left.name)} - _NO_WORDS)


def affirmed(query: Query, question: str, catalog: Catalog) -> Query:
    """The query with each flag set that the question names, where nothing in it denies anything or says `0` itself."""
    tokens = tokenise(question)
    if _DENIES.search(question) or any(token.number == 0 for token in tokens):
        return query
    said = {token.stem for token in tokens}
    return mapped(query, lambda each: _set(each, said, catalog), (Compare,))


def unset(query: Query, question: str, catalog: Catalog) -> Query:
    """The query without the rows for which a flag holds that the question names only to deny it: `can't drive`,
    `share of unplanned stops`."""

    figures: Query = mapped(
        query, lambda each: _without(each, question, catalog) if type(each) is Agg else each, (Agg,)
    )
    made: Query = _without(figures, question, catalog)
    return made


def _without(node: Any, question: str, catalog: Catalog) -> Any:
    where = tuple(_unset(each, question, catalog) for each in node.where)
    return node if where == node.where else replace(node, where=where)


def _unset(node: Cond, question: str, catalog: Catalog) -> Cond:
    flag = _flag(node, catalog)
    if flag is None or not isinstance(node, Compare) or not isinstance(node.left, Col):
        return node
    table, column = flag
    stems = {*table.stems(column.name), *map(stem, name_parts(column.name))} - _AUXILIARY
    words = list(_WORD.finditer(question))
    said = [question[: found.start()] for found in words if stem(found[0].lower()) in stems]
    is_contrary = any(stem(each.lower()) in stems for found in words for each in _CONTRARY.findall(found[0]))
    is_denied = (bool(said) or is_contrary) and all(_DENIED.search(each) for each in said)
    return as_no(node.left, column) if is_denied and not says_no(node.right) else node


def _flag(node: Any, catalog: Catalog) -> tuple[Table, Column] | None:
    """The flag that a condition asks for one of its two values, with its table."""
    if not isinstance(node, Compare) or not isinstance(node.left, Col) or node.operator != "=":
        return None
    table = catalog.table(*node.left.table)
    column = table.column(node.left.name) if table else None
    return (table, column) if table and column and is_yes_or_no(column) else None


def _set(node: Any, said: set[str], catalog: Catalog) -> Any:
    flag = _flag(node, catalog)
    if flag is None or not says_no(node.right):
        return node
    table, column = flag
    is_named = not said.isdisjoint({*table.stems(column.name)} - _AUXILIARY)
    yes = yes_of(column)
    return replace(node, right=yes) if is_named and yes is not None else node


def turned(condition: Cond, question: str) -> Cond:
    """The contrary of a condition on a stored value, where the question names that only to deny it."""
    is_value = isinstance(condition, Compare) and isinstance(condition.left, Col) and isinstance(condition.right, str)
    if not isinstance(condition, Compare) or not is_value or condition.operator != "=":
        return condition
    if says_not(str(condition.right)):
        return condition
    said = list(_before(str(condition.right), question))
    is_denied = bool(said) and all(_DENIED.search(each) for each in said)
    return replace(condition, operator="!=") if is_denied else condition


def says_not(value: str) -> bool:
    """Whether a stored value denies something itself: `not_defined`."""
    return bool(_SAYS_NOT.match(value))


def _before(value: str, question: str) -> Iterator[str]:
    """What is said before each mention of a value."""
    for found in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", question, re.IGNORECASE):
        yield question[: found.start()]

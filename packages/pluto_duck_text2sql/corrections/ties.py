"""What is said of an order: how ties are settled, `highest rate first and by name where equal`; where unknowns stand.

Called by `corrections` for every tree that is sorted, and by follow-ups that sort one. What settles ties is shown.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import UNKNOWN_LAST
from pluto_duck_text2sql.language.superlatives import FIRST
from pluto_duck_text2sql.language.words import STOP, name_stems, tokenise
from pluto_duck_text2sql.tree import Col, Expr, Order, Query, is_total

_TIE = Pattern(r"\b(?:equal(?:s|ly)?|ties?|tied|alike)\b", re.IGNORECASE)
_CONDITION = Pattern(r"^(?:and |then )*(?:where|when|if|in case|in the case|for|on|with)\b", re.IGNORECASE)
_BY = Pattern(
    r"\bby (?:the |their )?(?P<by>[a-z][a-z' -]*?)(?= (?:where|when|if|in|on|for|from|descending|ascending)\b|$)",
    re.IGNORECASE,
)
_ABC = Pattern(r"\balphabetical(?:ly)?\b|\b(?:from )?a(?: to |-)z\b", re.IGNORECASE)
_DOWN = Pattern(r"\bdescending\b|\bz(?: to |-)a\b|\b(?:newest|latest|highest|largest) first\b", re.IGNORECASE)
_UNKNOWN = Pattern(UNKNOWN_LAST, re.IGNORECASE)
_FIRST = Pattern(
    r"\b(?:highest|lowest|largest|smallest|biggest|cheapest|dearest|priciest|newest|oldest|latest|earliest|most|fewest"
    rf"|least|best|worst|(?:most|least) [a-z]+)(?: [a-z]+)? {FIRST}\b",
    re.IGNORECASE,
)
_RANKED = Pattern(r"\b(?:most|least|top|bottom|best|worst|first|last|only|one|single|\w+est|\d+)\b", re.IGNORECASE)
_CLAUSES = Pattern(r"[,;().?!]+|\band\b", re.IGNORECASE)


def with_said_ties(query: Query, question: str) -> Query:
    """The tree sorted also by what is said to settle ties; as it is where none is shown."""
    query = _unknown_last(_uncut(query, question), question)
    said = _said(question) if query.order else ""
    by = _shown(query, said) if said else None
    if by is None or any(each.by == by for each in query.order):
        return query
    return replace(query, order=(*query.order, Order(by, bool(_DOWN.search(said)))))


def _uncut(query: Query, question: str) -> Query:
    """`the vendors, highest rate first` are all of them, where nothing else is said to be first."""
    rest = _FIRST.sub(" ", question)
    return query if query.limit != 1 or rest == question or _RANKED.search(rest) else replace(query, limit=None)


def _unknown_last(query: Query, question: str) -> Query:
    """`unknown rates last`, also where the lowest come first."""
    if not query.order or not _UNKNOWN.search(question):
        return query
    first, *rest = query.order
    return replace(query, order=(replace(first, settles=first.settles or not first.descending), *rest))


def _said(question: str) -> str:
    """The clause that says what settles ties."""
    clauses = [each.strip() for each in _CLAUSES.split(question)]
    for place, clause in enumerate(clauses):
        if not _TIE.search(clause):
            continue
        after = clauses[place + 1] if place + 1 < len(clauses) and _CONDITION.search(clause) else ""
        found = next((each for each in (clause, after) if _BY.search(each) or _ABC.search(each)), "")
        if found:
            return found
    return ""


def _shown(query: Query, said: str) -> Expr | None:
    """What is shown and named so; by the alphabet the first name shown."""
    named = _BY.search(said)
    stems = {token.stem for token in tokenise(named["by"]) if token.lower not in STOP} if named else set()
    columns = [each for each in query.select if not is_total(each)]
    if not named:
        return next(iter(columns), None)
    fits = [(len(stems & {*name_stems(each.name)}), each) for each in columns if isinstance(each, Col)]
    best = max(fits, key=lambda each: each[0], default=(0, None))
    return best[1] if best[0] else None

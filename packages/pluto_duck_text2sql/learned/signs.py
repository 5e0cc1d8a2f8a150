"""Words that speak for a part of a query: `most` for an order, `each` for groups, `without` for a difference.

The ranker sees which of them a question has beside what a candidate has, and learns what goes with what.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pluto_duck_text2sql.language.words import Token

SIGNS: dict[str, str] = {
    "how_many": r"\bhow many\b|\bnumber of\b|\bcount\b",
    "each": r"\b(?:each|every|per|respective(?:ly)?|for all)\b",
    "by": r"\bby\b",
    "most": r"\b(?:most|highest|largest|biggest|greatest|maximum|max|longest|oldest|top|best|latest|newest|"
    r"heaviest|tallest|richest|last|popular)\b",
    "least": r"\b(?:least|lowest|smallest|fewest|minimum|min|shortest|youngest|bottom|worst|earliest|cheapest|first)\b",
    "at_least": r"\bat least\b|\bor more\b|\bno less\b|\bminimum of\b",
    "at_most": r"\bat most\b|\bor less\b|\bor fewer\b|\bno more than\b",
    "average": r"\b(?:average|mean|avg)\b",
    "total": r"\b(?:total|sum|overall|combined|altogether)\b",
    "distinct": r"\b(?:different|distinct|unique|types?|kinds?)\b",
    "not": r"\b(?:not|never|no|without|don't|doesn't|didn't|cannot|isn't|aren't|neither|nor|n't|excluding|except)\b",
    "both": r"\bboth\b|\band also\b|\bas well as\b",
    "or": r"\bor\b|\beither\b",
    "and": r"\band\b",
    "more": r"\b(?:more|greater|larger|higher|over|above|exceed\w*|older|bigger|longer|after|later|beyond)\b",
    "less": r"\b(?:less|fewer|below|under|lower|smaller|younger|shorter|before|earlier|cheaper)\b",
    "between": r"\bbetween\b|\bfrom .* to\b",
    "order": r"\b(?:order\w*|sort\w*|alphabetical\w*|rank\w*|ascending|descending|lexicographical\w*)\b",
    "descending": r"\bdescending\b|\bdecreasing\b|\breverse\b|\bfrom .*(?:highest|most|largest|oldest|latest)\b",
    "ascending": r"\bascending\b|\bincreasing\b|\balphabetic\w*\b",
    "like": r"\b(?:contain\w*|includ\w*|substring|start\w*|begin\w*|end\w*|prefix|letter|word|phrase)\b",
    "superlative_who": r"^(?:which|what|who)\b.*\b(?:most|least|highest|lowest|largest|smallest)\b",
    "than_average": r"\b(?:than|above|below)\b.*\b(?:average|mean|any|all|some)\b",
    "all_info": r"\ball (?:the )?(?:information|details|info|content|contents|data)\b|\beverything\b",
    "any": r"\bany\b",
    "some": r"\bsome\b|\bat least one\b|\bany\b",
    "common": r"\b(?:common|popular|frequent\w*)\b",
    "id": r"\bids?\b|\bidentifiers?\b|\bcodes?\b",
    "name": r"\bnames?\b",
    "when": r"\bwhen\b",
    "where": r"\bwhere\b",
    "who": r"\bwho\b",
    "grain": r"\b(?:by|per|each|every|for each|monthly|weekly|daily|yearly|annual(?:ly)?|quarterly)\b.*"
    r"\b(?:day|date|week|month|quarter|year)\b|\b(?:monthly|weekly|daily|yearly|annual|quarterly)\b",
    "weekday": r"\b(?:weekday|day of (?:the )?week|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b",
    "period": r"\b(?:19|20)\d\d\b"
    r"|\b(?:last|past|previous|this|current) (?:\w+ )?(?:days?|weeks?|months?|quarters?|years?)\b",
    "percent": r"%|\b(?:percent\w*|share|fraction|proportion|portion|part of)\b",
    "growth": r"\b(?:growth|grew|grow\w*|change\w*|increase\w*|decrease\w*|compared|month over month|year over year)\b",
    "running": r"\b(?:running|cumulative\w*|to date|so far|accumulat\w*)\b",
    "moving": r"\b(?:moving|rolling|trailing)\b",
    "middle": r"\b(?:median|percentile|quartile|quantile|deviation)\b",
    "ratio": r"\b(?:ratio|rate|per|for every|divided|relative)\b",
    "difference": r"\b(?:difference|minus|less than|gap|versus|vs)\b",
    "first_time": r"\bfirst\b.*\b(?:order|purchase|time|ever)\w*|\bnew (?:customers?|users?|clients?)\b",
    "how_long": r"\bhow (?:long|many days)\b|\bdays? (?:between|from|to|until|late)\b",
    "money": r"\b(?:revenue|sales|turnover|spen[dt]\w*|income|worth|earn\w*|amount|value)\b",
    "list": r"^(?:list|show|give|find|return|display|tell)\b",
}
_COMPILED = {name: re.compile(pattern) for name, pattern in SIGNS.items()}
_GREATER = frozenset(
    """more greater larger higher over above exceed exceeds exceeding older bigger longer after later beyond
    since""".split()
)
_LESS = frozenset("less fewer below under lower smaller younger shorter before earlier cheaper until".split())
_NEAR = 5


def signs(question: str) -> list[float]:
    """1 or 0 for each of SIGNS."""
    lower = question.casefold()
    return [float(bool(pattern.search(lower))) for pattern in _COMPILED.values()]


def fits(tokens: Sequence[Token], place: int, operator: str) -> float:
    """Whether the words before (and just after) the value at `place` speak for the comparison: 1, -1 or 0."""
    said = comparison_said(tokens, place)
    if said == "":
        return 0.0 if operator in ("=", "like", "not like", "!=") else -0.5
    return 1.0 if said == operator else -1.0


def comparison_said(tokens: Sequence[Token], place: int) -> str:
    """The comparison that the words around a value name; nothing where they name none."""
    before = [token.lower for token in tokens[max(place - _NEAR, 0) : place]]
    after = [token.lower for token in tokens[place + 1 : place + 3]]
    if ("least" in before and "at" in before) or after[:2] == ["or", "more"]:
        return ">="
    if ("most" in before and "at" in before) or after[:2] in (["or", "less"], ["or", "fewer"]):
        return "<="
    for word in reversed(before):
        if word in _GREATER:
            return ">"
        if word in _LESS:
            return "<"
    return ""

"""Questions that lean on the one before: "and by month?", "only for Germany", "what about 2023".

The earlier question is said again with the new part in the old one's place, and read as a whole; so a follow-up obeys
every rule that a full question does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pluto_duck_text2sql.links import NameIndex
from pluto_duck_text2sql.periods import Words, find_periods
from pluto_duck_text2sql.words import tokenise

_LEANING = re.compile(
    r"^\s*(?:and|but|now|what about|how about|only|just|same|instead|also|then|ok|for|by|in|per|sorted? by|order(?:ed)? by|"
    r"break (?:it|that|this) down|split (?:it|that|this)|show (?:it|that|this|them))\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^\s*(?:(?:and|but|now|what about|how about|only|just|the same|same|also|then|ok|instead)\b[ ,]*)+|^\s*(?:break|split|show)"
    r" (?:it|that|this|them)(?: down)? ?",
    re.IGNORECASE,
)


def complete(question: str, history: Sequence[str], names: NameIndex) -> str:
    """The question as it would be asked alone."""
    if not history or not _LEANING.search(question) or len(tokenise(question)) > 8:
        return question
    added = _LEAD.sub("", question).strip(" ?.!")
    earlier = complete(history[-1], history[:-1], names).strip(" ?.!")
    if _has_period(added):
        earlier = _without_periods(earlier)
    joint = "" if re.match(r"(?:by|for|in|per|with|from|sorted|ordered|since|last)\b", added, re.IGNORECASE) else "for "
    return f"{earlier} {joint}{added}"


def _has_period(text: str) -> bool:
    return bool(find_periods(Words(tokenise(text))))


def _without_periods(text: str) -> str:
    tokens = tokenise(text)
    dropped = {n for period in find_periods(Words(tokens)) for n in range(period.start, period.end)}
    return " ".join(
        f'"{token.text}"' if token.quoted else token.text for n, token in enumerate(tokens) if n not in dropped
    )

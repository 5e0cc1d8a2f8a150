"""Brackets that say again what a word says: `delivered late (after the promised date)`.

Called by `rewordings`: what is late or on time is told by the dates of the data (terms/lateness.py).
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern

_RESTATED = Pattern(
    r"\b(?P<how>late|overdue|on[ -]time|in time|early)"
    r" ?\((?:i\.?e\.?,? |that is,? |meaning |so )*(?:after|before|by|past|later than|not after)\b[^()]*\)",
    re.IGNORECASE,
)


def without_restated(text: str) -> str:
    """The question without such brackets."""
    return _RESTATED.sub(r"\g<how>", text)

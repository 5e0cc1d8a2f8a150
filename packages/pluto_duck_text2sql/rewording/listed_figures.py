"""Figures listed as people call them: `typically, at most and together` are the average, the highest and the total.

Called by `rewordings`. Only beside other figures of the list; what is said alone may be meant otherwise. Pure.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern

_PLAIN = (
    r"(?:at (?:the )?(?:most|least)|on average|in total|in all|typically|usually|normally|all told|(?:al)?together)"
)
_LIST = Pattern(rf"\b{_PLAIN}(?:, {_PLAIN})*,? and {_PLAIN}(?! (?:\d|an?\b|one\b|two\b))\b", re.IGNORECASE)
_MEAN = Pattern(r"\b(?:typically|usually|normally)\b", re.IGNORECASE)
_TOTAL = Pattern(r"\b(?:all told|in all|(?:al)?together)\b", re.IGNORECASE)


def in_listed_figures(question: str) -> str:
    """The question with the average and the total of such a list called so."""
    return _LIST.sub(lambda said: _TOTAL.sub("in total", _MEAN.sub("on average", said[0])), question)

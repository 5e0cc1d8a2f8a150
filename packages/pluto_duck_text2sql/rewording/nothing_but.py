"""`nothing but rock`, `nobody but members`: only these, which denies nothing."""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern

_NOTHING_BUT = Pattern(r"\b(?:nothing|nobody|no one) (?:but|except(?: for)?|other than)\b", re.IGNORECASE)


def as_only(question: str) -> str:
    """The question with `only` in their place."""
    return _NOTHING_BUT.sub("only", question)

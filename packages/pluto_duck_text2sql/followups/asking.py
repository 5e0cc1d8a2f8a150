"""How a follow-up asks: for names alone, or for figures beside them."""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD

_NAMES_ALONE = Pattern(
    rf"{LEAD}(?:which|who)\b"
    r"(?!.*\b(?:how (?:many|much|often|long)|with|and (?:the|its|their|by|what|when|where)|show|number|amount)\b)",
    re.IGNORECASE,
)
IN_ALL = Pattern(
    r"\b(?:total|altogether|together|combined|sum|overall|in all|add(?: up)?|come to|amount to|between them)\b",
    re.IGNORECASE,
)
"""What asks for one figure of all, where those before were several; what they cost is one of each."""


def asks_names(text: str) -> bool:
    """Whether names alone are asked for: `which one had the most?`, `which of them are in Rome?`"""
    return bool(_NAMES_ALONE.search(text))

"""A record is told with its figure: `our best month ever in sales`, `the busiest day we ever had for orders`.

Called by `analyst` first of all, for questions that do not ask how much it was themselves.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern

_BEST = (
    r"\b(?:best|worst|busiest|quietest|strongest|weakest|biggest|record) (?:single )?(?:day|week|month|quarter|year)\b"
)
_RECORD = Pattern(
    rf"{_BEST}(?: (?:that )?(?:we|they|it))?(?: [^?.;:,]*?)? (?:ever|of all time)\b(?: had)?"
    r" (?:in|for|by|with|of|when)\b",
    re.IGNORECASE,
)
"""One of which is said what it is a record of."""
_ASKS_IT = Pattern(r"\bhow (?:much|many)\b|\band (?:the|its|their)\b|[?:;]\s*\w", re.IGNORECASE)


def with_record(text: str) -> str:
    """The question for how much that was, too."""
    if not _RECORD.search(text) or _ASKS_IT.search(text):
        return text
    return f"{text.rstrip(' .?!')}, and how much is it?"

"""How many are both: `how many … both … and …` is the number of what two queries find together.

Called by `corrections` for every tree.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Agg, Nested, Query, is_total

_COUNTS = Pattern(
    r"^(?:how many|(?:the |what is the |give (?:me )?the |show (?:me )?the )?(?:number|count) of|count)\b"
    r"|\bhow many\b[^,]*$",
    re.IGNORECASE,
)


def both_counted(query: Query, question: str) -> Query:
    """`how many … both … and …`: the number of what two queries find together."""
    alone = query.then and len(query.select) == 1 and not any(map(is_total, query.select))
    if not alone or not _COUNTS.search(question.strip(" ?.!")):
        return query
    return Query(query.anchor, (Agg("count", Nested(query)),))

"""`why did they leave?`, where the rows before have a column that tells the reason: they are asked for by it.

A query shows what happened, not why (refusals.py), unless somebody wrote down the reason.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, stem, table_words
from pluto_duck_text2sql.tree import Query
from pluto_duck_text2sql.trees.parts import is_aggregate, subject

_WHY = Pattern(
    rf"{LEAD}why (?:did|do|does|have|has|had|were|was|are|is) (?:they|those|these|he|she)\b(?: [a-z]+){{0,2}}\W*$"
    rf"|{LEAD}(?:for )?what (?:were|was|are|is) (?:the |their )?reasons?\W*$|{LEAD}for what reasons?\W*$",
    re.IGNORECASE,
)
_TELLS = frozenset(map(stem, ("reason", "cause")))


def by_reason(question: str, before: Query, catalog: Catalog) -> str:
    """The question put by the only column of the rows before that tells a reason; as it is where none does."""
    table = catalog.table(*subject(before)) if _WHY.match(question.strip()) else None
    texts = [each for each in table.columns if each.kind == "text"] if table else []
    told = [each for each in texts if table and _TELLS & set(table.stems(each.name))]
    if len(told) != 1:
        return question
    words = " ".join(table_words(told[0].name))
    return f"by {words}" if is_aggregate(before) else f"and their {words}"

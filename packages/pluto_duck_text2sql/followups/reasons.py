"""`why did they leave?`, where the rows before have a column that tells the reason: they are asked for by it.

A query shows what happened, not why (refusals.py), unless somebody wrote down the reason.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, stem, table_words
from pluto_duck_text2sql.tree import Col, Query, columns_in
from pluto_duck_text2sql.trees.parts import is_aggregate, subject

_WHY = Pattern(
    rf"{LEAD}why (?:did|do|does|have|has|had|were|was|are|is) (?:they|those|these|he|she)\b(?! (?:so|such|that|too)\b)"
    r"(?: [a-z]+){0,2}\W*$"
    rf"|{LEAD}(?:for )?what (?:were|was|are|is) (?:the |their )?reasons?\W*$|{LEAD}for what reasons?\W*$",
    re.IGNORECASE,
)
_TELLS = frozenset(map(stem, ("reason", "cause")))


def by_reason(question: str, before: Query, catalog: Catalog) -> str:
    """The question put by the only column of the rows before that tells a reason; as it is where none does, or where it
    was told by that already: `why are they so expensive?` of fees by reason."""
    table = catalog.table(*subject(before)) if _WHY.match(question.strip()) else None
    texts = [each for each in table.columns if each.kind == "text"] if table else []
    told = [each for each in texts if table and _TELLS & set(table.stems(each.name))]
    if len(told) != 1 or (table and Col(table.key, told[0].name) in columns_in((before.select, before.group))):
        return question
    words = " ".join(table_words(told[0].name))
    return f"by {words}" if is_aggregate(before) else f"and their {words}"

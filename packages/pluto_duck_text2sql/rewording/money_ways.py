"""Which way money goes in a statement, said in the words of its columns: `money in by month`, `how much came in in
March`, `what was paid out`, `how much did I save`.

Of one statement (data/statements.py) whose columns are not called so. What was saved is what came in less what went out
(terms/net_flows.py).
"""

from __future__ import annotations

import re
from functools import partial

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.statements import Statement, statements
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_words
from pluto_duck_text2sql.tree import Col

_WENT = r"(?:went|goes|going|go|paid|pays|flowed|flowing)"
_CAME = r"(?:came|comes|coming|come|paid|went|flowed|flowing)"
_MONEY = r"(?:(?:the |my |our )?(?:money|cash|funds) (?:that |which )?)"
_BE = r"(?:(?:has |was |is |have )(?:been )?)?"
_ENDS = r"(?= (?:by|per|each|every|for|from|in|on|during|and|or|to|vs|versus|over|last|this|since)\b|[?.,]|$)"
_OUT = rf"(?:{_MONEY}{_BE}(?:{_WENT} )?out|\b{_BE}paid out|\bhow much {_BE}{_WENT} out){_ENDS}"
_IN = rf"(?:{_MONEY}{_BE}(?:{_CAME} )?in(?!to\b)|\b{_BE}paid in|\bhow much {_BE}{_CAME} in){_ENDS}"
_SAVED = r"\bhow much (?:money )?(?:(?:do|did|have|does) )?(?:i|we|they) (?:saved?|put aside)(?! (?:on|by|at|with)\b)"
_WAYS = (Pattern(_OUT, re.IGNORECASE), Pattern(_IN, re.IGNORECASE), Pattern(_SAVED, re.IGNORECASE))
_HOW_MUCH = Pattern(r"^how much ", re.IGNORECASE)


class MoneyWays:
    """Says which way money goes in the words of one catalog's statement."""

    def __init__(self, catalog: Catalog) -> None:
        found = statements(catalog)
        self._instead = _instead(found[0]) if len(found) == 1 else None

    def said(self, question: str) -> str:
        """The question in the columns' words."""
        if self._instead is None:
            return question
        for way, instead in zip(_WAYS, self._instead, strict=True):
            question = way.sub(partial(_put, instead=instead), question)
        return question


def _instead(of: Statement) -> tuple[str, str, str]:
    """What is put for what went out, for what came in, and for what is left."""
    return _called(of.went_out), _called(of.came_in), "net savings"


def _called(column: Col) -> str:
    return " ".join(name_words(column.name))


def _put(found: re.Match[str], instead: str) -> str:
    """What is put in the place of words, asked for as these ask."""
    space = " " if found[0].startswith(" ") else ""
    return f"{space}total {instead}" if _HOW_MUCH.search(found[0].strip()) else f"{space}{instead}"

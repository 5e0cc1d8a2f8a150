"""Who loses money, where a profit is kept: `which regions are losing us money` have a total profit below 0, `lines that
lost money` a profit below 0.

Called by `analyst` before anything else reads the question.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem

_LOSING = (
    r"(?:(?:that |which |who )?(?:have |has |had )?(?:(?:are|is|were|was) )?(?:los(?:e|es|ing|t)|cost(?:s|ing)?)"
    r"(?: us| the company)? money|(?:that |which )?(?:(?:are|is|were|was) )?(?:unprofitable|not profitable|loss-making"
    r"|in the red)|(?:that |which )?(?:made|make|makes|making|ran|run at) (?:a|us a) loss|(?:sold|at) a loss)"
)
_SAID = Pattern(rf"\b(?P<what>[a-z]+(?:-[a-z]+)?) {_LOSING}(?![\w-])", re.IGNORECASE)
_PROFIT = stem("profit")
_NAMED = 0.75
_NO_THINGS = frozenset("we they it you i us".split())


def with_losses(question: str, names: NameIndex, catalog: Catalog) -> str:
    """The question with a bound of the profit; as it is where no profit is kept, or nothing is said to lose money."""
    if not _SAID.search(question):
        return question
    kept = [table for table in catalog.tables for column in table.columns if table.stems(column.name) == (_PROFIT,)]
    return _SAID.sub(lambda found: _bound(found, names), question) if len(kept) == 1 else question


def _bound(found: re.Match[str], names: NameIndex) -> str:
    what = found["what"]
    if what.lower() in _NO_THINGS:
        return found[0]
    targets = names.find((stem(what.lower()),)) or names.find((stem(what.lower().replace("-", "")),))
    are_rows = any(each.column is None and each.score >= _NAMED for each in targets)
    are_known = any(each.column is not None for each in targets)
    if not are_rows and not are_known:
        return found[0]
    return f"{what} with {'a profit' if are_rows else 'a total profit'} below 0"

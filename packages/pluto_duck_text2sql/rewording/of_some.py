"""Who is not new, where rows keep how many there were and how many of them were new: `returning users by month` are
`users` less `new_users`.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_words

_NEW = "new"
_SHARE = r"(?<!share of )(?<!percentage of )(?<!proportion of )"


class Returning:
    """Says who is not new in the words of one catalog's counts."""

    def __init__(self, catalog: Catalog) -> None:
        whom = sorted({each for table in catalog.tables for each in _counted(table)}, key=len, reverse=True)
        said = "|".join(map(re.escape, whom))
        self._said = (
            Pattern(rf"{_SHARE}\b(?:returning|existing|repeat) (?P<who>{said})\b", re.IGNORECASE) if said else None
        )

    def said(self, question: str) -> str:
        """The question with a difference in place of them."""
        return self._said.sub(r"\g<who> minus new \g<who>", question) if self._said else question


def _counted(table: Table) -> set[str]:
    """What is counted by two numbers, of all and of the new."""
    names = {" ".join(name_words(each.name)) for each in table.columns if each.kind == "number"}
    return {each for each in names if f"{_NEW} {each}" in names}

"""Flags that a verb leads to: `people who work overtime` are those with OverTime, `customers using paperless billing`
those with PaperlessBilling; and those that a flag calls something: `senior citizens` are those with SeniorCitizen.

Called by `analyst` before anything else reads the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_words
from pluto_duck_text2sql.rewording.flag_outcomes import rows_called

_DO = r"(?:work(?:s|ed|ing)?|do(?:es|ing)?|did|us(?:e|es|ed|ing)|pay(?:s|ing)? for|opted for|on)"
_WHO = r"(?: who| that| which)?(?: (?:are|is|were|was))?"
_NOT = r"(?:do(?:es)?n['’]t|do(?:es)? not|didn['’]t|did not|not|never)"
_LEAD = (
    r"^(?:our |the )?|\b(?:how many|(?:(?:number|share|percent(?:age)?|proportion) )?of|all|for|among)(?: our| the)? "
)
_LONGEST = 3


class FlagsSaid:
    """Rewords questions over one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def said(self, question: str) -> str:
        """The question with `with` and `without` before what a flag is called."""
        if self._called_so is not None:
            question = self._called_so.sub(lambda found: f"{found['lead']}{self._rows} with {found['flag']}", question)
        return self._pattern.sub(_put, question) if self._pattern else question

    @cached_property
    def _called_so(self) -> Pattern | None:
        """What a flag calls the rows of the one table there is, in the plural; None where there are more of either."""
        names = sorted({*_called(self._catalog)}, key=len, reverse=True) if len(self._catalog.tables) == 1 else []
        return Pattern(rf"(?P<lead>{_LEAD})(?P<flag>{'|'.join(names)})s\b", re.IGNORECASE) if names else None

    @cached_property
    def _rows(self) -> str:
        """What the rows of the one table are called."""
        return rows_called(self._catalog.tables[0], self._catalog)

    @cached_property
    def _pattern(self) -> Pattern | None:
        """A deed before a flag, the longest name first; None where there are no flags."""
        names = sorted({*_called(self._catalog)}, key=len, reverse=True)
        said = rf"{_WHO} (?P<no>{_NOT} )?{_DO} (?:any |the |a |an )?(?P<flag>{'|'.join(names)})\b"
        return Pattern(said, re.IGNORECASE) if names else None


def _put(found: re.Match[str]) -> str:
    return f" {'without' if found['no'] else 'with'} {found['flag']}"


def _called(catalog: Catalog) -> Iterator[str]:
    """How the names of flags are said, in one word or several."""
    for table in catalog.tables:
        for column in table.columns:
            words = [each for each in name_words(column.name) if each not in ("is", "has", "flag")]
            if is_yes_or_no(column) and 1 < len(words) <= _LONGEST:
                yield r"[ -]?".join(map(re.escape, words))

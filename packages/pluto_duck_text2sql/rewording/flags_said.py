"""Flags that a verb leads to: `people who work overtime` are those with OverTime, `customers using paperless billing`
those with PaperlessBilling.

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

_DO = r"(?:work(?:s|ed|ing)?|do(?:es|ing)?|did|us(?:e|es|ed|ing)|pay(?:s|ing)? for|opted for|on)"
_WHO = r"(?: who| that| which)?(?: (?:are|is|were|was))?"
_NOT = r"(?:do(?:es)?n['’]t|do(?:es)? not|didn['’]t|did not|not|never)"
_LONGEST = 3


class FlagsSaid:
    """Rewords questions over one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def said(self, question: str) -> str:
        """The question with `with` and `without` before what a flag is called."""
        return self._pattern.sub(_put, question) if self._pattern else question

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

"""What is asked for a region where a column is kept for each: `sales in Europe` are `EU_Sales`.

Called by `analyst` before anything else reads the question.
"""

from __future__ import annotations

import re
from functools import cached_property

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.parts_of_whole import Parts, wholes
from pluto_duck_text2sql.language.words import name_words


class Regions:
    """Rewords questions over one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def said(self, question: str) -> str:
        """The question by the columns of the regions that it names; as it is where none is kept for any."""
        for parts in self._wholes:
            question = _of_regions(question, parts)
        return question

    @cached_property
    def _wholes(self) -> list[Parts]:
        return list(wholes(self._catalog))


def _of_regions(question: str, parts: Parts) -> str:
    measure = " ".join(name_words(parts.whole)[1:])
    for said, code in parts.regions:
        region = said.removeprefix("the ")
        behind = rf"\b(?P<lead>(?:total |average |global )?){measure} (?:in|from|for|of) (?:the )?{region}\b"
        before = rf"\b{region}(?:'s)? {measure}\b"
        ranked = rf"\b(?:best|top|most)[- ](?:selling|sold) (?P<what>[a-z]+) in (?:the )?{region}\b"
        question = re.sub(behind, rf"\g<lead>{code.upper()} {measure}", question, flags=re.IGNORECASE)
        question = re.sub(before, f"{code.upper()} {measure}", question, flags=re.IGNORECASE)
        question = re.sub(ranked, rf"\g<what> with the highest {code.upper()} {measure}", question, flags=re.IGNORECASE)
    return question

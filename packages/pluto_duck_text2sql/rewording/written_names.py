"""Names that are stored as a question writes them: `Black Friday`, `2025/26`, `the Keelman`, `sub-categories`."""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.links import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.rewording.name_words import CALLED, stems_of
from pluto_duck_text2sql.rewording.value_lookup import MOST_HITS

_NUMBERED = Pattern(r"(?<![\w\"'/.-])\d{2,4}[/-]\d{2,4}(?![\w\"'/-])")
_ARTICLE = Pattern(r"(?<![\w\"'])the (?:[A-Z][\w'’]*)(?: [A-Z][\w'’]*)*(?![\w\"'])")
_HYPHENED = Pattern(r"(?<![\w\"'-])[A-Za-z]{2,}-(?!(?:in|out|up|off|on)\b)[A-Za-z]{2,}(?![\w\"'-])")
_DAYS_OF_NAMES = Pattern(r"(?<![\w\"'])[A-Z][a-z]+ (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)?[Dd]ay(?![\w\"'])")


class WrittenNames:
    """What is stored over one catalog as a question writes it, with marks, an article or a weekday in it."""

    def __init__(self, catalog: Catalog, names: NameIndex) -> None:
        self._catalog, self._names = catalog, names

    def put(self, question: str) -> str:
        """The question with such names in quotes, or as the one word that they are."""
        question = _DAYS_OF_NAMES.sub(self._day_in_name, _HYPHENED.sub(self._joined, question))
        return _ARTICLE.sub(self._with_article, _NUMBERED.sub(self._in_quotes, question))

    def _in_quotes(self, found: re.Match[str]) -> str:
        """`2025/26` in quotes where that is stored, since its numbers are no years then."""
        return f'"{found[0]}"' if self._catalog.values.lookup(found[0], 1) else found[0]

    def _day_in_name(self, found: re.Match[str]) -> str:
        """`Black Friday` as the one stored name that begins so, which is no weekday."""
        held = self._catalog.values.lookup_held(stems_of(found[0]))
        named = {hit.value for hit in held if hit.value.casefold().startswith(found[0].casefold())}
        return f'"{named.pop()}"' if len(named) == 1 else found[0]

    def _joined(self, found: re.Match[str]) -> str:
        """`sub-categories` as one word where a name is it in two: `Sub-Category`."""
        word = found[0].replace("-", "").lower()
        is_value = bool(self._catalog.values.lookup(found[0], 1))
        named = not is_value and any(each.column and each.score >= CALLED for each in self._names.called((stem(word),)))
        return word if named else found[0]

    def _with_article(self, found: re.Match[str]) -> str:
        """`the Keelman` in quotes where it is stored as The Keelman, since an article begins no name else."""
        hits = self._catalog.values.lookup(found[0], MOST_HITS)
        values = {hit.value for hit in hits if hit.value.casefold() == found[0].casefold()}
        return f'"{values.pop()}"' if len(values) == 1 else found[0]

"""Names that are stored as a question writes them: `Black Friday`, `2025/26`, `the Keelman`, `sub-categories`."""

from __future__ import annotations

import datetime as dt
import re
from functools import cached_property

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.rewording.name_words import CALLED, stems_of
from pluto_duck_text2sql.rewording.value_lookup import MOST_HITS

_NUMBERED = Pattern(r"(?<![\w\"'/.-])\d{2,4}[/-]\d{2,4}(?![\w\"'/-])")
_DATED = Pattern(r"(?<![\w\"'/.-])(\d{1,2})([/.])(\d{1,2})\2(\d{4})(?![\w\"'/-])")
_ARTICLE = Pattern(r"(?<![\w\"'])the (?:[A-Z][\w'’]*)(?: [A-Z][\w'’]*)*(?![\w\"'])")
_NO_PARTICLE = r"(?!(?:in|out|up|off|on|back|ones?)\b)"
"""What belongs to a verb is no second part of a name: `left out` is no day on which somebody left; nor are `retired
ones` a `retired_on`."""
_HYPHENED = Pattern(rf"(?<![\w\"'-])[A-Za-z]{{2,}}-{_NO_PARTICLE}[A-Za-z]{{2,}}(?![\w\"'-])")
_SIDE_BY_SIDE = Pattern(rf"(?<![\w\"'-])(?=(?P<both>[A-Za-z]{{3,}} {_NO_PARTICLE}[a-z]{{3,}})(?![\w\"'-]))")
_WITH_POINTS = Pattern(r"(?<![\w\"'])(?:[A-Z][\w’]*\.? )*[A-Z][\w’]*\.(?: [A-Z][\w’]*\.?)*(?![\w\"'])")
_MONTHS = 12
_DAYS_OF_NAMES = Pattern(r"(?<![\w\"'])[A-Z][a-z]+ (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)?[Dd]ay(?![\w\"'])")


class WrittenNames:
    """What is stored over one catalog as a question writes it, with marks, an article or a weekday in it."""

    def __init__(self, catalog: Catalog, names: NameIndex) -> None:
        self._catalog, self._names = catalog, names

    def put(self, question: str) -> str:
        """The question with such names in quotes, or as the one word that they are."""
        question = _WITH_POINTS.sub(self._with_points, question) if ". " in question else question
        question = _DAYS_OF_NAMES.sub(self._day_in_name, _HYPHENED.sub(self._joined, self._in_one_word(question)))
        question = _NUMBERED.sub(self._in_quotes, _DATED.sub(self._dated, question))
        return _ARTICLE.sub(self._with_article, question)

    def _with_points(self, found: re.Match[str]) -> str:
        """`Comp. Sci. department` with the stored name in quotes, whose points end no sentence."""
        words = found[0].split(" ")
        runs = [(n, m) for n in range(len(words)) for m in range(len(words), n, -1)]
        texts = {run: " ".join(words[slice(*run)]) for run in runs}
        held = (run for run in runs if "." in texts[run][:-1] and self._is_stored(texts[run]))
        start, end = next(held, (0, 0))
        return " ".join((*words[:start], f'"{texts[start, end]}"', *words[end:])) if end else found[0]

    def _is_stored(self, text: str) -> bool:
        return any(hit.value.casefold() == text.casefold() for hit in self._catalog.values.lookup(text, MOST_HITS))

    def _dated(self, found: re.Match[str]) -> str:
        """`08/30/2015` as 2015-08-30, unless it is stored as a mere text; the day stands first where it must, or dates
        are kept so here."""
        if self._is_mere_text(found[0]):
            return f'"{found[0]}"'
        first, second, year = int(found[1]), int(found[3]), int(found[4])
        is_day_first = first > _MONTHS or (second <= _MONTHS and (found[2] == "." or self._begin_with_days))
        month, day = (second, first) if is_day_first else (first, second)
        try:
            return dt.date(year, month, day).isoformat()
        except ValueError:
            return found[0]

    def _is_mere_text(self, date: str) -> bool:
        """Whether a date is stored as it is written, in texts of which not all are dates."""
        hits = self._catalog.values.lookup(date, 1)
        columns = (self._catalog.column(hit.schema, hit.table, hit.column) for hit in hits if hit.score == 1)
        return any(each and not each.date_format for each in columns)

    @cached_property
    def _begin_with_days(self) -> bool:
        """Whether dates that are kept as texts begin with the day."""
        columns = (column for table in self._catalog.tables for column in table.columns)
        return any(each.date_format and "%d" in each.date_format.split("%m")[0] for each in columns)

    def _in_quotes(self, found: re.Match[str]) -> str:
        """`2025/26` in quotes where that is stored, since its numbers are no years then."""
        return f'"{found[0]}"' if self._catalog.values.lookup(found[0], 1) else found[0]

    def _day_in_name(self, found: re.Match[str]) -> str:
        """`Black Friday` as the one stored name that begins so, which is no weekday."""
        held = self._catalog.values.lookup_held(stems_of(found[0]))
        named = {hit.value for hit in held if hit.value.casefold().startswith(found[0].casefold())}
        return f'"{named.pop()}"' if len(named) == 1 else found[0]

    def _in_one_word(self, question: str) -> str:
        """`life spans` as one word where a column is called so, and none by the two."""
        for pair in [found["both"] for found in _SIDE_BY_SIDE.finditer(question)]:
            word, stems = pair.replace(" ", ""), tuple(map(stem, pair.lower().split()))
            if self._names_column((stem(word.lower()),)) and not self._names_column(stems):
                question = question.replace(pair, word)
        return question

    def _names_column(self, stems: tuple[str, ...]) -> bool:
        return any(each.column and each.score >= CALLED for each in self._names.called(stems))

    def _joined(self, found: re.Match[str]) -> str:
        """`sub-categories` as one word where a name is it in two: `Sub-Category`."""
        word = found[0].replace("-", "").lower()
        is_value = bool(self._catalog.values.lookup(found[0], 1))
        return word if not is_value and self._names_column((stem(word),)) else found[0]

    def _with_article(self, found: re.Match[str]) -> str:
        """`the Keelman` in quotes where it is stored as The Keelman, since an article begins no name else."""
        hits = self._catalog.values.lookup(found[0], MOST_HITS)
        values = {hit.value for hit in hits if hit.value.casefold() == found[0].casefold()}
        return f'"{values.pop()}"' if len(values) == 1 else found[0]

"""Counts side by side in one row, each with its own conditions.

`For customers who signed up in 2024: how many signed up, how many of them ever ordered, how many had a completed
order`. Each clause is a question of its own about the rows of one table; what it asks restricts its count alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.reading.frames import Parts, merged, same
from pluto_duck_text2sql.tree import Agg, Query, Rows

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Reader, Reading

_HOW_MANY = Pattern(
    r"(?:[,;:.?]|\s-|\s–)*\s*(?:\b(?:and also|and then|and|then|as well as|plus|next to)\b,?\s*)?"
    r"(?:(?:of|among|out of) (?P<of>them|these|those)(?: \w+)?,?\s+)?"
    r"\b(?:how many|the number of|the count of|number of)\b\s*",
    re.IGNORECASE,
)
_INTRO = Pattern(
    r"^(?:(?:in|as|on) (?:one|a single) (?:row|line),?\s*)?"
    r"(?:(?:for|of|among|out of|from|take|taking|considering|looking at|across)\s+)?"
    r"(?P<base>.*?)"
    r"(?:[,:;.]?\s*(?:please\s+)?"
    r"(?:(?:give|show|tell|list|count|return|report|find)(?: me| us)?|what is|what are|we want|i want)?"
    r"(?:,?\s*(?:in|as|on) (?:one|a single) (?:row|line))?\s*[,:;]?)$",
    re.IGNORECASE,
)
_THEM = Pattern(
    r"^(?:(?:of|among|out of) (?:them|these|those|which|whom|that|all)\b,?|(?:them|these|those)\b)\s*"
    r"(?:then |also |ever )*",
    re.IGNORECASE,
)
_ALL = Pattern(
    r"^(?:are there|there are|(?:there )?(?:are|were|was|is|have been|had been)? ?"
    r"(?:there|placed|made|created|registered|recorded|issued|raised|taken|in (?:all|total)|altogether)?"
    r"(?: (?:in all|in total|altogether|overall))?)$",
    re.IGNORECASE,
)
_GROUPED = Pattern(r"\b(?:per|each|every|top)\b", re.IGNORECASE)
_LEAST = 2
_NEAR = 3
_NAMED = 0.6


class Funnels(Parts):
    """Reads counts side by side over one catalog."""

    def read(self, question: str) -> Reading | None:
        """The reading of a question of several counts; None where it is none."""
        text = same(question)
        marks = list(_HOW_MANY.finditer(text))
        if len(marks) < _LEAST or _GROUPED.search(text):
            return None
        clauses = [text[mark.end() : after.start()] for mark, after in pairwise(marks)]
        clauses = [same(each) for each in (*clauses, text[marks[-1].end() :])]
        said = [bool(mark["of"] or _THEM.match(each)) for mark, each in zip(marks, clauses, strict=True)]
        intro = _INTRO.match(text[: marks[0].start()].strip())
        base = same(intro["base"]) if intro else ""
        return self._of_base(base, clauses) if base else self._from_first(clauses, said)

    def _of_base(self, base: str, clauses: Sequence[str]) -> Reading | None:
        """Each count is of the rows that the introduction names."""
        whole = self.counted(f"how many {base}")
        noun = self._noun(base) if whole else ""
        parts = [self._clause(each, noun, whole) for each in clauses] if whole and noun else []
        return self._in_one_row(whole, parts) if whole and parts else None

    def _from_first(self, clauses: Sequence[str], said: Sequence[bool]) -> Reading | None:
        """The first count is what the others are counted of."""
        whole = self.counted(f"how many {clauses[0]}")
        noun = self._noun(clauses[0]) if whole else ""
        if whole is None or not noun or not said[1]:
            return None
        return self._in_one_row(whole, [whole, *(self._clause(each, noun, whole) for each in clauses[1:])])

    def _noun(self, base: str) -> str:
        """What is counted, in the words of the question."""
        words = [token.text for token in tokenise(base)]
        for start in range(min(len(words), _NEAR)):
            named = [" ".join(words[start : start + length]) for length in (1, 2)]
            noun = max(named, key=self.fit)  # the shorter of two that fit equally well
            if self.fit(noun) >= _NAMED:
                return noun
        return ""

    def _clause(self, clause: str, noun: str, whole: Reading) -> Reading | None:
        """What one clause counts: the rows named before, where it names none itself."""
        words = _THEM.sub("", clause).strip()
        if not words or _ALL.match(words):
            return whole
        own = words.split()[0].lower() == noun.split()[0].lower()
        for question in (words,) if own else (f"{noun} {words}", f"{noun} that {words}", words):
            found = self.counted(f"how many {question}")
            if found and found.query.anchor == whole.query.anchor:
                return found
        return None

    def _in_one_row(self, whole: Reading, parts: Sequence[Reading | None]) -> Reading | None:
        known = [each for each in parts if each is not None]
        if len(known) < len(parts):
            return None
        anchor, common = whole.query.anchor, whole.query.where
        counts = [
            Agg("count", Rows(anchor), where=self.of_rows(anchor, [c for c in each.query.where if c not in common]))
            for each in known
        ]
        if len(set(counts)) < len(counts):
            return None
        return merged([whole, *known], Query(anchor, tuple(counts), common))


def funnel_of(reader: Reader, question: str) -> Reading | None:
    """The reading of a question of several counts in one row; None where it is none."""
    return Funnels(reader).read(question)

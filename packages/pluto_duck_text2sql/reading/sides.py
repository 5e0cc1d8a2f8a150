"""One measure of two kinds of rows, side by side: `average value of orders with a code next to those without`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.reading.frames import Parts, merged, same
from pluto_duck_text2sql.tree import Agg, Query

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Reader, Reading

_OF = "(?:of|for|from|among|in|by)"
_BESIDE = (
    "(?:next to|beside|alongside|side by side with|against|versus|vs|compared (?:to|with)|as opposed to|with|to|and)"
)
_PAIR = Pattern(
    rf"(?:compare |show |give |what is |what was |how does )?(?:the )?(?P<measure>.+?) {_OF} (?P<one>.+?),?"
    rf" {_BESIDE}(?: (?:that|the one)(?: {_OF})?|(?: {_OF})? (?P<those>those|(?:the )?ones))"
    r" (?P<other>.+?)(?:,? side by side)?",
    re.IGNORECASE,
)
_WITHOUT = Pattern(
    rf"(?:compare |show |give |what is |what was )?(?:the )?(?P<measure>.+?) {_OF} (?P<noun>.+?)"
    r" (?P<with>with|that have|who have) (?:and|versus|vs|or|against) (?P<without>without|that have no|who have no)"
    r" (?P<what>.+?)(?:,? side by side)?",
    re.IGNORECASE,
)


class Sides(Parts):
    """Reads one measure of two kinds of rows."""

    def read(self, question: str) -> Reading | None:
        """The reading of such a question; None where it is none."""
        text = same(question)
        without = _WITHOUT.fullmatch(text)
        if without:
            noun, what = without["noun"], without["what"]
            return self._beside(without["measure"], f"{noun} with {what}", f"{noun} without {what}")
        found = _PAIR.fullmatch(text)
        if found is None:
            return None
        other = found["other"]
        noun = self._noun(found["one"]) if found["those"] else ""
        return self._beside(found["measure"], found["one"], self._whole(f"{noun} {other}".strip(), found["one"]))

    def _noun(self, words: str) -> str:
        """The first of the words that names a table."""
        return next((token.text for token in tokenise(words) if self.table(token.text)), "")

    def _whole(self, other: str, one: str) -> str:
        """`those without`, `those that don't`: without what the first have."""
        ends = re.fullmatch(r"(?P<noun>.+?) (?:without|with none|that (?:don't|do not|have not|haven't|didn't))", other)
        has = re.search(r"\b(?:with|having|that have|using) (?P<what>.+)", one, re.IGNORECASE)
        return f"{ends['noun']} without {has['what']}" if ends and has else other

    def _beside(self, measure: str, one: str, other: str) -> Reading | None:
        found = [self.asked(f"{measure} of {each}") for each in (one, other)]
        left, right = found[0], found[1]
        if left is None or right is None or not (_is_one(left.query) and _is_one(right.query)):
            return None
        if left.query.anchor != right.query.anchor or left.query.select != right.query.select:
            return None
        shown = tuple(self._restricted(each.query) for each in (left, right))
        return merged([left, right], Query(left.query.anchor, shown)) if shown[0] != shown[1] else None

    def _restricted(self, query: Query) -> Agg:
        agg = query.select[0]
        assert isinstance(agg, Agg)
        return Agg(agg.function, agg.of, agg.distinct, (*agg.where, *self.of_rows(query.anchor, query.where)), agg.at)


def _is_one(query: Query) -> bool:
    """Whether it finds one total of all rows."""
    plain = not query.group and not query.having and query.limit is None and query.then is None
    return plain and len(query.select) == 1 and isinstance(query.select[0], Agg)


def sides_of(reader: Reader, question: str) -> Reading | None:
    """The reading of a question about one measure of two kinds of rows; None where it is none."""
    return Sides(reader).read(question)

"""Figures of different rows by the same period: `orders and signups by month`, `rentals and income per month`.

Each figure by that period is a question of its own. Where all are of the same rows and date `compounds.py` puts them
into one query; here they are of others, and are joined by the period.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import COMMA, LEAD, SURE, Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import UNIT, same
from pluto_duck_text2sql.tree import Bucket, Query, is_total

_MOST = 4
_MOST_WORDS = 5
_MARK = Pattern(r",? ?(?:side by side|next to each other|beside each other|in one table|together)$", re.IGNORECASE)
_TAIL = Pattern(
    rf"^(?P<items>.+?),? (?P<tail>(?:by|per|for each|for every|in each|each|every) (?:calendar )?(?:{UNIT})\b.*)$",
    re.IGNORECASE,
)
_DID = r"[a-z]+(?:ed|ght|ld|nt)"
_WERE = r"(?: (?:were|was|got|have been|that were))?"
_DEEDS = Pattern(
    rf"^(?:how many |(?:the )?number of )?(?P<rows>[a-z]+(?: [a-z]+)?){_WERE} (?P<one>{_DID})"
    rf"(?:,? and|,| vs\.?| versus| compared (?:to|with))(?: (?:how many|(?:the )?number of))?(?: (?P=rows))?{_WERE}"
    rf" (?P<other>{_DID}),? (?P<tail>(?:by|per|for each|for every|in each|each|every) (?:calendar )?(?:{UNIT})\b.*)$",
    re.IGNORECASE,
)
_BETWEEN = Pattern(r"\b(?:days|time|weeks|hours|months|gap|delay|lag)(?: \w+){0,2} between\b", re.IGNORECASE)
"""A span has two ends, and is one figure: `average days between signing and moving in, per year`."""
_NEW = "new"
"""New members are told by a date of their own."""


class SamePeriods(Compounds):
    """Answers questions for figures of different rows by one period."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The figures side by side; None where the question asks no such, or `plain` shows as many."""
        text = _MARK.sub("", LEAD.sub("", same(question)))
        return self._of_deeds(text, run, plain) or self._of_rows(text, run, plain)

    def _of_deeds(self, text: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """`tickets opened and closed per month`: each deed by its own date."""
        said = _DEEDS.match(text)
        asked = [f"number of {said['rows']} {said[deed]} {said['tail']}" for deed in ("one", "other")] if said else []
        return self._beside(asked, run, plain)

    def _of_rows(self, text: str, run: Run | None, plain: Analysis) -> Analysis | None:
        found = None if _BETWEEN.search(text) else _TAIL.match(text)
        items = [each for each in COMMA.split(found["items"]) if each] if found else []
        short = all(len(each.split()) <= _MOST_WORDS for each in items)
        if found is None or not 1 < len(items) <= _MOST or not short:
            return None
        if _figures_of(plain) >= len(items) and not any(_NEW in each.lower().split() for each in items):
            return None
        return self._beside([f"{each} {found['tail']}" for each in items], run, plain)

    def _beside(self, asked: Sequence[str], run: Run | None, plain: Analysis) -> Analysis | None:
        """The figures of several questions by the period that they share; None where they are of one date."""
        parts = self._answers(asked, run, _grain)
        query = _joined([each.tree for each in parts]) if parts else None
        made = self.candidate(query, parts, (), run) if query else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None


def _figures_of(plain: Analysis) -> int:
    """How many figures an answer shows that is sure."""
    best = plain.candidates[0] if plain.status == "answered" and plain.candidates else None
    tree = best.tree if best and best.confidence >= SURE else None
    return sum(map(is_total, tree.select)) if tree else 0


def _joined(trees: list[Query]) -> Query | None:
    """The first tree with the others beside it; None where one is no figure by the same grain, or two are alike."""
    grains = {_grain(each) for each in trees}
    dates = {each.group for each in trees}
    if len(grains) != 1 or None in grains or len(dates) < 2 or len(set(trees)) < len(trees):
        return None
    return replace(trees[0], beside=tuple(trees[1:]))


def _grain(tree: Query) -> str | None:
    """The grain that a tree shows its one figure by; None where it shows anything else."""
    plain = tree.is_plain
    if not plain or len(tree.group) != 1 or len(tree.select) != 2 or sum(map(is_total, tree.select)) != 1:
        return None
    return tree.group[0].grain if isinstance(tree.group[0], Bucket) and tree.group[0] in tree.select else None

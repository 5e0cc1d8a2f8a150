"""Ranges of numbers as people list them: `under 30, 30-39, 40 to 49, 50 and over`.

Text in, `Band`s out, in the order in which they were said and each called as it was. Where one ends and the next
begins goes by both: in `30-39, 40-49` what is 39.5 is in the first, in `1 to 5, over 5` the first holds 5.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import number_of
from pluto_duck_text2sql.tree import Band

_NUMBER = r"[$€£]?\d+(?:,\d{3})*(?:\.\d+)?(?:k|m|bn)?(?!\w|\.\d)%?"
_UNIT = r"(?: (?!and\b|or\b|to\b|vs\b|versus\b|under\b|over\b|up\b|more\b|per\b|by\b|in\b|for\b)[a-z%°]+)?"
_LESS = r"(?:under|below|less than|fewer than|lower than|younger than|cheaper than|shorter than|<)"
_MOST = r"(?:up to|at most|no more than|until|<=|≤)"
_MORE = r"(?:over|above|more than|greater than|higher than|older than|longer than|>)"
_LEAST = r"(?:at least|from|>=|≥)"
_UP = r"(?:(?: ?\+)|(?:,? (?:and|or) (?:over|up|above|more|older|higher|longer|later|upwards?)))"
_DOWN = r"(?:,? (?:and|or) (?:under|below|less|younger|fewer|lower|shorter))"
_ITEM = (
    rf"{_LESS} ?(?P<less>{_NUMBER}){_UNIT}",
    rf"{_MOST} ?(?P<most>{_NUMBER}){_UNIT}",
    rf"(?:between |from )?(?P<low>{_NUMBER})(?P<unit>{_UNIT}) ?(?:to|-|–|and|until|up to) ?"
    rf"(?P<short>(?:just )?{_LESS} )?(?P<high>{_NUMBER}){_UNIT}",
    rf"(?P<up>{_NUMBER}){_UNIT}{_UP}{_UNIT}",
    rf"(?P<down>{_NUMBER}){_UNIT}{_DOWN}{_UNIT}",
    rf"{_MORE} ?(?P<more>{_NUMBER}){_UNIT}",
    rf"{_LEAST} ?(?P<least>{_NUMBER}){_UNIT}",
)
_PATTERNS = tuple(Pattern(each, re.IGNORECASE) for each in _ITEM)
_NEXT = Pattern(r"\s*(?:,\s*(?:and |or |& )?|;\s*|/\s*|\b(?:and|or|vs\.?|versus)\b\s*)\s*", re.IGNORECASE)
_BEGIN = Pattern(r"(?<![\w$€£.,-])(?=[\d$€£<>≤≥]|[a-z])", re.IGNORECASE)
_REST = Pattern(r"(?:more|over|above|higher|older|longer|greater)(?! ?(?:than\b|[\d$€£]))", re.IGNORECASE)
_AFTER_LOW = Pattern(r".*(?:\bto|\band|\bthan|\bunder|\bbelow|-|–|<) ?", re.IGNORECASE)
_LEAST_RANGES = 2


@dataclass(frozen=True)
class Ranges:
    """Where in a text ranges are listed, and these."""

    start: int
    end: int
    bands: tuple[Band, ...]
    first: str
    #   the first as it is said


def ranges_in(text: str) -> Ranges | None:
    """The list of two ranges or more that a text has; None where it has none."""
    for begin in _BEGIN.finditer(text):
        found = _listed(text, begin.start())
        if found and len(found.bands) >= _LEAST_RANGES and _follow(found.bands):
            return found
    return None


def _listed(text: str, start: int) -> Ranges | None:
    bands, place, end, first = list[Band](), start, start, ""
    while (item := _item(text, place)) is not None:
        band, end = item
        first = first or band.label
        bands.append(band)
        following = _NEXT.compiled.match(text, end)
        if following is None:
            break
        place = following.end()
        rest = _REST.compiled.match(text, place)
        if rest and band.high is not None:  # `under 10, 10 to 50, or more`
            bands.append(Band(f"more than {_AFTER_LOW.sub('', band.label)}", band.high, None, not band.holds_high))
            end = rest.end()
            break
    return Ranges(start, end, _bounded(bands), first) if bands else None


def _item(text: str, place: int) -> tuple[Band, int] | None:
    """The longest range that begins here, and where it ends."""
    found = [match for each in _PATTERNS if (match := each.compiled.match(text, place))]
    longest = max(found, key=lambda each: each.end(), default=None)
    return (_band(longest), longest.end()) if longest else None


def _band(found: re.Match[str]) -> Band:
    said = {name: _value(text) for name, text in found.groupdict().items() if text and name not in ("short", "unit")}
    label = found[0].strip()
    if "high" in said:
        return Band(label, said["low"], said["high"], holds_high=not found["short"])
    if "less" in said:
        return Band(label, None, said["less"])
    if "most" in said or "down" in said:
        return Band(label, None, said.get("most", said.get("down")), holds_high=True)
    if "more" in said:
        return Band(label, said["more"], None, holds_low=False)
    return Band(label, said.get("up", said.get("least")), None)


def _value(text: str) -> float:
    found = number_of(text.strip("$€£").rstrip("%").lower())
    return found if found is not None else float("nan")


def _bounded(bands: Sequence[Band]) -> tuple[Band, ...]:
    """The ranges, each up to where the next begins."""
    starts = sorted({each.low for each in bands if each.low is not None})
    shared = {each.low for each in bands if each.low is not None and each.holds_low}

    def ended(band: Band) -> Band:
        after = next((each for each in starts if band.high is not None and band.low != each and each > band.high), None)
        if band.holds_high and band.high in shared and band.low != band.high:
            return replace(band, holds_high=False)
        is_next = after is not None and band.high is not None and after - band.high <= 1 and band.holds_high
        return replace(band, high=after, holds_high=False) if is_next and after in shared else band

    return tuple(map(ended, bands))


def _follow(bands: Sequence[Band]) -> bool:
    """Whether each begins where another ends, so that they are parts of one whole and no conditions: `over 100 and
    under 200`, `under 18 or over 65`."""
    starts = [(each.low if each.low is not None else -math.inf) for each in bands]
    ends = [(each.high if each.high is not None else math.inf) for each in bands]
    ordered = sorted(zip(starts, ends, strict=True))
    return all(0 <= after[0] - before[1] <= 1 for before, after in pairwise(ordered))

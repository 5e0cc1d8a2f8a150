"""The kind of chart that a question asks for in so many words, and the cues that lean towards one."""

from __future__ import annotations

import re
from typing import Literal, get_args

Kind = Literal[
    "line", "area", "column", "bar", "stacked", "grouped", "pie", "scatter", "heatmap", "histogram", "map", "number"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
Asked = Kind | Literal["table"]

_DRAWN = r"(?:chart|graph|plot|diagram)s?\b"
_SO_ASKED: tuple[tuple[str, Asked], ...] = (
    (r"\bstacked\b", "stacked"),
    (r"\bgrouped (?:bar|column|chart)|\bclustered (?:bar|column)", "grouped"),
    (rf"\bhorizontal bar|\bbar {_DRAWN}|\bas (?:a )?bars?\b|\bin bars\b", "bar"),
    (rf"\bcolumn {_DRAWN}|\bvertical bar|\bas columns\b", "column"),
    (rf"\bline {_DRAWN}|\bas (?:a )?lines?\b", "line"),
    (rf"\barea {_DRAWN}|\bas an area\b", "area"),
    (rf"\b(?:pie|donut|doughnut) {_DRAWN}|\bas a (?:pie|donut|doughnut)\b", "pie"),
    (rf"\bscatter\s?plot|\bscatter {_DRAWN}|\ba scatter\b", "scatter"),
    (r"\bheat\s?map", "heatmap"),
    (r"\bhistogram", "histogram"),
    (r"\bon (?:a|the) map\b|\bas a map\b", "map"),
    (r"\bas (?:a )?(?:table|list)\b|\bno chart\b|\bwithout (?:a )?chart\b", "table"),
)
_ASKED = tuple((re.compile(pattern), kind) for pattern, kind in _SO_ASKED)
_NAMES = r"bar|column|line|area|pie|donut|doughnut|scatter|stacked|grouped|clustered|horizontal|vertical"
_DRAWING = rf"(?:(?:{_NAMES})\s+)*(?:{_DRAWN}|heat\s?map|histogram)"
_SAID = (
    rf"[,;]?\s*\b(?:as|in|with|using|on|by means of)\s+(?:an?|the)?\s*{_DRAWING}",
    r"[,;]?\s*\bas\s+(?:an?\s+)?(?:bars?|columns|lines?|area|pie|donut|table|list|map|scatter\s?plot|stacked bars?)\b",
    rf"\b(?:draw|plot|show|make|give)\s+(?:me\s+)?(?:an?|the)\s+(?:{_DRAWING}|scatter)\s+of\b",
    rf"^(?:an?\s+)?{_DRAWING}\s+of\b",
    r"[,;]\s*(?:stacked|grouped)(?:\s+(?:bars|columns))?\s*$|[,;]?\s*\bwithout (?:a )?chart\b|[,;]?\s*\bno chart\b",
)
_FILLERS = set(
    "show draw plot make it this that me now please the same again and but chart rather instead only can you".split()
)
_PARTS = re.compile(
    r"\bbreak(?:s|ing)?[- ]?down\b|\bcompos(?:ed|ition)\b|\bmade up\b|\bsplit\b|\bmix\b|\bshares?\b|\bparts? of\b", re.I
)
_TOGETHER = re.compile(
    r"\bversus\b|\bvs\b\.?|\bcorrelat|\brelat(?:ion|ed|es)|\bagainst\b|\bcompared? (?:with|to)\b|\bdepend", re.I
)
_SPREAD = re.compile(r"\bdistribut|\bspread\b|\bhistogram", re.I)


def kind_asked(question: str) -> Asked | None:
    """The kind named; None where none is."""
    text = question.casefold()
    return next((kind for pattern, kind in _ASKED if pattern.search(text)), None)


def without_kind(question: str) -> str:
    """The question without its words about drawing, for those who only understand data."""
    text = question
    for pattern in _SAID:
        text = re.sub(pattern, " ", text, flags=re.IGNORECASE)
    return re.sub(r"\s+([?.!,]*)\s*$", r"\1", re.sub(r"\s+", " ", text)).strip(" ,") if text != question else question


def is_only_about_kind(message: str) -> bool:
    """Whether a message says nothing but how to draw: `as a pie chart`, `now show it as bars`."""
    return kind_asked(message) is not None and not set(re.findall(r"\w+", without_kind(message).casefold())) - _FILLERS


def is_about_parts(question: str) -> bool:
    return bool(_PARTS.search(question))


def is_about_two(question: str) -> bool:
    """Whether it asks how two measures go together."""
    return bool(_TOGETHER.search(question))


def is_about_spread(question: str) -> bool:
    return bool(_SPREAD.search(question))

"""What a follow-up makes of the figures along time: "the change from one quarter to the next", "as a running total"."""

from __future__ import annotations

import re

from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.frames.courses import along
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.reading.course_words import MOVING, RUNNING, Course, spoken_size
from pluto_duck_text2sql.reading.frames import UNIT
from pluto_duck_text2sql.tree import Bucket, Query
from pluto_duck_text2sql.trees.wide import looking_back

_LEAD = Pattern(
    r"^(?:(?:and|now|then|ok(?:ay)?|also|please|add|show|give|me|us|what|is|was|are|were|the|an?|as|with|its|their|plus|in"
    r"|make|turn|it|that|them|this|into|include|how about|only|just)\b[ ,]*)+",
    re.IGNORECASE,
)
_LAST = Pattern(r"[ ,]*\b(?:instead|too|as well|please|now|next to it|beside it)$", re.IGNORECASE)
_PERCENT = r"(?:percent(?:age)?|pct|%|relative)"
_MOVE = rf"(?:(?P<percent>{_PERCENT}) ?)?(?P<what>change|growth|difference|increase|development)s?(?P<rate> rate)?"
_IN_PERCENT = r"(?P<as_percent>(?: (?:in|as) (?:a |an )?(?:%|percent\w*|pct))?)"
_ON = (
    rf"(?: (?:from (?:one |each |a )?(?P<from>{UNIT}) to (?:the )?(?:next|following|{UNIT})"
    r"|(?:from|over|on|to|vs\.?|versus|against|since|compared (?:to|with)) (?:the |its )?"
    rf"(?:(?P<year>(?:same (?:{UNIT}) (?:of |in )?(?:the )?)?(?:last|previous|prior) year"
    r"|(?:a |the )?year (?:before|ago|earlier))"
    rf"|(?:previous|last|prior|preceding) (?P<before>{UNIT}|one|period)|(?P<before2>{UNIT}|one|period) before)))"
)
_OVER = (
    rf"(?P<unit>{UNIT})[- ](?:over|on|to|by)[- ](?P=unit)|(?P<short>mom|qoq|yoy|wow|dod)"
    r"|(?P<ly>month|quarter|year|week)ly"
)
_CHANGES = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:(?:{_OVER}) )?{_MOVE}{_ON}?{_IN_PERCENT}",
        rf"(?:{_OVER})(?: {_MOVE}{_IN_PERCENT})?",
    )
)
_SHORT = {"mom": "month", "qoq": "quarter", "yoy": "year", "wow": "week", "dod": "day"}


def courses(turn: Turn, draft: Draft) -> list[Draft]:
    """The earlier figures and what is made of them; none where the follow-up says no course, or they have none."""
    course = course_said(turn.frame.text, draft.query)
    made = along(draft.query, course) if course else None
    if made is None or course is None:
        return []
    words = range(len(turn.fragment.tokens))
    return [draft.changed(looking_back(made, turn.frame.text), f"along time → {turn.frame.text}", words)]


def course_said(text: str, query: Query) -> Course | None:
    """The course that the whole of a follow-up says of a query's figures by a grain."""
    grain = next((each.grain for each in query.group if isinstance(each, Bucket)), None)
    text = _LAST.sub("", _LEAD.sub("", text))
    if grain is None or not text:
        return None
    if RUNNING.fullmatch(text):
        return Course("running", "", shows_figure=True, within="year" in text)
    if MOVING.fullmatch(text):
        return Course("moving", "", last=spoken_size(text), shows_figure=True)
    found = next((match for pattern in _CHANGES if (match := pattern.fullmatch(text))), None)
    return _change(found.groupdict(), grain) if found else None


def _change(said: dict[str, str | None], grain: str) -> Course | None:
    """A change against the bucket before, or the same of the year before; None against what is no bucket."""
    short = _SHORT.get((said.get("short") or "").lower())
    against = (
        said.get("from") or said.get("before") or said.get("before2") or said.get("unit") or short or said.get("ly")
    )
    yearly = bool(said.get("year")) or (against == "year" and grain != "year")
    if not yearly and against not in (None, "one", "period", grain):
        return None
    percent = bool(said.get("percent") or said.get("as_percent"))
    is_part = percent or bool(said.get("rate")) or said.get("what") == "growth"
    return Course(
        "growth", "", yearly=yearly, scale=100 if percent else 1, is_difference=not is_part, shows_figure=True
    )

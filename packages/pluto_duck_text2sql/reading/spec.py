"""What a question says about its columns: "Show the name and the number of orders", "First name and last name only."

A later sentence (or what follows a colon) that only lists things is no question of its own; it chooses and orders the
columns of the answer to the first. What names nothing at all (remarks.py), and the day that it counts from (today.py),
is taken out before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.language.superlatives import FIRST, WAY
from pluto_duck_text2sql.times.today import split_today

_UNIT = r"(?:[^\"]|\"[^\"]*\"|\"(?![^\"]*\"))"
"""A letter, or a text in quotes, whose points end no sentence."""
_SPLIT = Pattern(rf"^(?P<main>{_UNIT}{{8,}}?)(?:[?:;]|\.(?=\s)|\s[-–—](?=\s))\s+(?P<spec>\S.{{2,160}})$", re.DOTALL)
_ASKS = Pattern(
    r"\b(?:how many|which|what|who|whose|where|when|why|never|at least|more than|less than|only for|those|vs|versus"
    r"|compared|only (?:look|count|consider|include|take|use)|that (?:have|has|had|are|is|was|were))\b",
    re.IGNORECASE,
)
_RESTRICTS = Pattern(
    r"only (?:the )?[a-z]+(?:ed|n) (?:ones|[a-z]+s)\W*$|(?:the )?[a-z]+(?:ed|n) (?:ones|[a-z]+s) only\W*$"
    r"|(?:please )?(?:ignor(?:e|ing)|leav(?:e|ing) out|exclud(?:e|ing)|skip|omit|(?:not|do not|don't) count(?:ing)?)\b",
    re.IGNORECASE,
)
"""`Only closed ones`, `Ignore sales without a venue`: which rows count, no columns."""
_LEAD = Pattern(
    r"^(?:please )?(?:just|only|show|give|list|return|include|with|display|(?:i|we) (?:want|need)|give me|show me"
    r"|tell me|find|report|print|i(?:'d| would) like|name)?"
    r"(?: (?:only|just|both|me|their|its|the|also|a column for))*\s+",
    re.IGNORECASE,
)
_MOST_WORDS = 24
_JOIN = Pattern(r"\s*(?:,\s*and\b|,|\band\b|\bwith\b|\btogether with\b|\balong with\b|\bplus\b|&)\s*", re.IGNORECASE)
_ARTICLE = Pattern(r"^(?:the|a|an|their|its)\s+", re.IGNORECASE)
_OF_THESE = Pattern(r"\s+(?:of|for) (?:these|those) [a-z]+$", re.IGNORECASE)
"""What is listed is of what the question proper asks for."""
_TRAIL = Pattern(r"\b(?:only|please|each|in that order|as well|too)\b\W*", re.IGNORECASE)


def split_spec(question: str) -> tuple[str, list[str]]:
    """`(the question proper, the phrases its last sentence lists)`; no phrases where it lists none."""
    question = plain(question)
    found = _SPLIT.match(question.strip())
    if not found or _ASKS.search(found["spec"]) or len(found["spec"].split()) > 18 or _RESTRICTS.match(found["spec"]):
        return question, []
    text = _TRAIL.sub("", _LEAD.sub("", " " + found["spec"].strip(" .?!") + " ", count=1)).strip()
    if text.lower().startswith(_LEADS):
        text = _LEAD.sub("", text + " ", count=1).strip()
    phrases = parts_of(_OF_THESE.sub("", text))
    dated = [each for each in phrases if _DATED.match(each)]
    return ", ".join([found["main"], *dated]), [each for each in phrases if not _ORDERS.match(each)]


def parts_after(question: str) -> tuple[str, list[str]]:
    """`(the question proper, what its last sentence lists)`, whatever that asks: `how many more than before`."""
    found = _SPLIT.match(question.strip())
    if not found or len(found["spec"].split()) > _MOST_WORDS:
        return question, []
    text = " " + found["spec"].strip(" .?!") + " "
    lead = _LEAD.match(text.strip() + " ")
    text = _TRAIL.sub("", text.strip()[lead.end() :] if lead else text).strip()
    return found["main"], parts_of(text)


def split_aside(question: str) -> tuple[str, str]:
    """A question and what it says in brackets at its end: `…: type, value (quantity times price)`."""
    found = re.search(r"\s*\([^()]+\)(?=\W*$)", question)
    return (question[: found.start()], f" {found[0].strip()}") if found else (question, "")


def plain(question: str) -> str:
    """The question without what names nothing in it."""
    return split_today(without_remarks(question))[0]


_WITH = Pattern(
    r"(?P<comma>,|\s[-–—])?\s+(?:(?:along |together )?with|showing|giving|listing)"
    r"(?P<own> their| its| the|(?(comma) that|(?!)))?\s+",
    re.IGNORECASE,
)
_OWNED = ("their", "its", "that")
_DASH = Pattern(r"\s[-–—]\s+(?=[a-z])", re.IGNORECASE)
_SORTED = Pattern(
    r",?\s+(?:(?:the )?\w+ (?:\w+ )?first|(?:sorted|ordered|ranked)\b.*|from \w+ to \w+|in \w+ order)$", re.IGNORECASE
)
_DATED = Pattern(r"^(?:the )?(?:newest|latest|youngest|most recent|oldest|earliest) first$", re.IGNORECASE)
_ORDERS = Pattern(
    rf"{_DATED.pattern}|^chronologically$|^(?:the )?{WAY}(?: [a-z]+){{,2}} {FIRST}(?: please)?$", re.IGNORECASE
)
"""What is said of the order of the rows names no column; what dates them is a part of the question proper."""


@dataclass(frozen=True)
class Within:
    """What may be a list in the midst of a question: the rest, the phrases, whether set off, begun with `their`, or
    set off and begun with `with`."""

    rest: str
    phrases: list[str]
    is_apart: bool
    is_owned: bool
    is_with: bool = False


def lists_within(question: str) -> Iterator[Within]:
    """Where a question may list columns after `with` or a dash.

    `List our employees with last name and title, youngest first` is asked without the list, and sorted all the same.
    """
    text = question.strip().rstrip(" .?!")
    for found in (*_DASH.finditer(text), *_WITH.finditer(text)):
        rest = text[found.end() :]
        after = _SORTED.search(rest)
        spec = _TRAIL.sub("", (rest[: after.start()] if after else rest) + " ").strip(" ,")
        own = (found["own"] or "").strip().lower() if found.re is _WITH.compiled else ""
        is_apart = found.re is _DASH.compiled or bool(found["comma"]) or own in _OWNED
        if spec and not _ASKS.search(spec) and len(spec.split()) <= 14:
            rest = text[: found.start()] + (after[0] if after else "")
            is_with = is_apart and found.re is _WITH.compiled and "with" in found[0].lower()
            yield Within(rest, parts_of(spec), is_apart, own in _OWNED, is_with)


def parts_of(text: str) -> list[str]:
    """The phrases that a text lists: `the name, their city and phone` are three."""
    phrases = [_ARTICLE.sub("", part.strip(" .?!")) for part in _JOIN.split(text)]
    return _with_shared_heads([phrase for phrase in phrases if phrase])


_LEADS = (
    *(f"{each} " for each in "show give tell find report print list just only return include with display".split()),
    *("i want ", "i need ", "we want ", "we need ", "i'd like"),
)


def _with_shared_heads(phrases: list[str]) -> list[str]:
    """`first and last name` is first name and last name."""
    made = []
    for n, phrase in enumerate(phrases):
        after = phrases[n + 1].split() if n + 1 < len(phrases) else []
        alone = phrase.lower() in ("first", "middle", "last", "full") and len(after) > 1
        made.append(f"{phrase} {after[-1]}" if alone else phrase)
    return made

"""Turns of phrase that say the same in the words that every part of the analyst knows.

`Group customers by country and count them` is the number of customers by country. Nothing here knows a database, but
that a word for what a flag denies (`inactive`) names no column itself, and which events there are (busiest.py).
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.busiest import with_events
from pluto_duck_text2sql.catalog import Catalog
from pluto_duck_text2sql.links import NameIndex
from pluto_duck_text2sql.periods import YEAR
from pluto_duck_text2sql.remarks import tidy
from pluto_duck_text2sql.words import stem
from pluto_duck_text2sql.yes_no import is_yes_or_no

_WHEN = r"(?P<when>(?:day|hour|time|month|week|quarter|year)(?: of (?:the |a )?\w+)?|weekday)"
_SPAN = r"(?P<unit>second|minute|hour|day|week)"
_WHICH = r"(?:\b(?:what|which)(?:'s| is| was)? )?(?:\b(?:the|our) )?"
_PHRASES = tuple(
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (
            r"^(?:please )?(?:group|split|break(?: down)?|bucket|classify) (?:the |our |all )?(?P<who>.+?)(?: down)?"
            r" (?:by|into) (?P<by>.+?),? and (?:then )?count (?:them|each|the members)\b",
            r"number of \g<who> by \g<by>",
        ),
        (r"\bin (?:money|revenue|cash) terms\b|\bmoney-?wise\b|\bin terms of money\b", "by revenue"),
        (
            r"\b(?P<n>\d+)-(?P<unit>(?!day|week|month|quarter|year|hour|minute|letter|digit)[a-z]{4,})"
            r" (?P<who>[a-z]+s)\b",
            r"\g<who> with \g<n> \g<unit>s",
        ),
        (
            rf"{_WHICH}\bbusiest {_WHEN} (?:for|of|by|in terms of) (?P<what>.+)",
            r"which \g<when> had the most \g<what>",
        ),
        (
            rf"{_WHICH}\b(?:quietest|slowest) {_WHEN} (?:for|of|by|in terms of) (?P<what>.+)",
            r"which \g<when> had the fewest \g<what>",
        ),
        (
            rf"\b(?P<did>[a-z]+) in (?P<one>{YEAR}) and (?:then )?(?:came back|returned|(?:came |(?P=did) )?again)"
            rf" in (?P<two>{YEAR})",
            r"\g<did> in both \g<one> and \g<two>",
        ),
        (r"\bwhat part of\b", "what share of"),
        (rf"\b(?:an?|one) {_SPAN} and a half\b", r"1.5 \g<unit>s"),
        (rf"\b(?P<n>\w+) {_SPAN}s and a half\b", r"\g<n> and a half \g<unit>s"),
        (r"\?\s+(?=(?:by|per|(?:for|in) (?:each|every)|(?:split|grouped|broken down) by) \w)", " "),
        (
            r"\b(?:sent|sends?|brought|brings?|gave|gives?) (?P<what>(?:some|any)thing|(?:an?|any) \w+|it|them) back\b",
            r"returned \g<what>",
        ),
        (
            r"^(?:which |what |list |show (?:me )?|the |all )*(?P<what>[a-z][^?:;]{8,}?)\s*(?: -|[,;:?.])\s*(?:and )?"
            r"(?:(?:just |only |please )*count(?: them)?|how many(?: are (?:there|they)| of them)?"
            r"|(?:just |only )?(?:the |their |a )?(?:number|count)(?: only| of them)?)(?: please)?[.?! ]*$",
            r"number of \g<what>",
        ),
        (r"^(?:please )?(?:(?:in|as|all in) )?(?:just )?(?:one|a single) (?:row|line)(?: please)?\s*[:,]\s*", ""),
    )
)
_GRAIN = r"(?P<grain>(?:calendar )?(?:hour|day|week|month|quarter|year|weekday|day of the week))"
_AFTER_GRAIN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?P<by>by|per|each|every|for each|in each) {_GRAIN}(?:,? and(?: (?:by|per|each))?|,)"
        r" (?P<key>[a-z]+(?: [a-z]+)?)"
        r"(?=$|[,.;:?]| (?:in|for|during|from|since|between|with|where|over|as|until|before|after)\b)",
        rf"(?<=^)(?P<by>for each|for every|per|by) {_GRAIN} and (?P<key>[a-z]+(?: [a-z]+)?)(?=[,:])",
    )
)
_NAMED = 0.9
_WHO = re.compile(r"^who (?P<verb>[a-z]{4,}(?:s|ed))\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?P<no>in|un|non-?)(?P<word>[a-z]{4,})\b", re.IGNORECASE)


def reworded(question: str, names: NameIndex, catalog: Catalog) -> str:
    """The question in plainer words; itself where there are none."""
    text = question
    for pattern, instead in _PHRASES:
        text = pattern.sub(instead, text)
    text = with_events(text, catalog)
    for pattern in _AFTER_GRAIN:
        text = pattern.sub(lambda match: _grain_last(match, names), text)
    text = _DENIED.sub(lambda match: _said_of(match, names, catalog), text)
    text = _WHO.sub(lambda match: _by_agent(match, names), text)
    return question if text == question else tidy(text)


def _grain_last(match: re.Match[str], names: NameIndex) -> str:
    """`by month and category` as `by category and month`, where the second names something."""
    stems = tuple(stem(each) for each in match["key"].lower().split())
    named = re.fullmatch(_GRAIN, match["key"], re.IGNORECASE) is None and any(
        each.score >= _NAMED for each in names.find(stems)
    )
    return f"{match['by']} {match['key']} and {match['grain']}" if named else match[0]


def _by_agent(match: re.Match[str], names: NameIndex) -> str:
    """`who supplies` as `which suppliers supplies`, where a table is called by those who do it."""
    verb = stem(match["verb"].lower())
    agents = ((verb + ending) for ending in ("er", "or", "r"))
    for agent in dict.fromkeys((*agents, f"{verb[:-1]}ier" if verb.endswith("y") else verb)):
        if agent != verb and any(each.column is None and each.score >= _NAMED for each in names.find((stem(agent),))):
            return f"which {agent}s {match['verb']}"
    return match[0]


def _said_of(match: re.Match[str], names: NameIndex, catalog: Catalog) -> str:
    """`inactive` as `not active`, where only a flag is called so, and no stored value."""
    if names.find((stem(match[0].lower()),)) or catalog.values.lookup(match[0], 1):
        return match[0]
    flags = [each for each in names.find((stem(match["word"].lower()),)) if each.column and is_yes_or_no(each.column)]
    return f"not {match['word']}" if flags else match[0]

"""A day that a sentence before the question says: `The price went up on 3 May. How many orders were there in the week
before that date and in the week starting with it?`

Called by `analyst`. Where the question speaks of that day and says none itself, the day takes its place.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.times.calendar_days import MONTH

_SENTENCES = Pattern(r"(?<=[a-z0-9)])[.!] +(?=[A-Z])")
_DAY = Pattern(
    rf"\b(?:on )?(?:the )?(?P<day>\d{{4}}-\d\d-\d\d|\d\d?(?:st|nd|rd|th)? (?:of )?(?:{MONTH})(?:,? \d{{4}})?"
    rf"|(?:{MONTH}) \d\d?(?:st|nd|rd|th)?(?:,? \d{{4}})?)\b",
    re.IGNORECASE,
)
_THAT = Pattern(
    r"\b(?P<way>before|after|since|until|from|on|starting(?: with| on| from)?|beginning(?: with| on)?)"
    r" (?:(?:that|this) (?:date|day)|(?<!on )(?<!from )(?:it|then))\b",
    re.IGNORECASE,
)
_OPEN = Pattern(
    r"(?<!days )(?<!day )(?<!weeks )(?<!week )(?<!months )(?<!month )(?<!hours )(?<!years )(?<!year )"
    r"\b(?:before|after|since)\b",
    re.IGNORECASE,
)
_LEFT = Pattern(
    r"\b(?:it|its|she|he|they|their|his|her|him|them)\b"
    r"|\b(?:per|each|every|by|an?) (?:day|week|month|quarter|year) (?:before|after)\b",
    re.IGNORECASE,
)
_BOTH = Pattern(r"\bbefore and (?:after|since)\b|\bafter and before\b", re.IGNORECASE)
"""What speaks of more than the day that the sentence before says, or of both its sides at once."""
_BARE = Pattern(
    r"\b(?P<span>(?:hour|day|week|month|quarter|year)s? (?:before|after))"
    r"(?=,? (?:and|with|versus|vs|to|against)\b|\W*$)",
    re.IGNORECASE,
)


def of_said_day(question: str) -> str:
    """The question alone, with the day that is said before it; as it is where it speaks of none."""
    *before, asked = _SENTENCES.split(question.strip())
    days = [found["day"] for each in before for found in _DAY.finditer(each)]
    is_of_more = _LEFT.search(_THAT.sub("then", asked)) or _BOTH.search(asked) or len(_OPEN.findall(asked)) > 1
    if len(days) != 1 or not _THAT.search(asked) or _DAY.search(asked) or is_of_more:
        return question
    asked = _BARE.sub(rf"\g<span> {days[0]}", asked)
    return _THAT.sub(lambda found: f"{found['way']} {days[0]}", asked)

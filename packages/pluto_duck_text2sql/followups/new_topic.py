"""`Different question: how many bikes are there?`: what is said to be about something else leans on nothing."""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern

_ELSE = Pattern(
    r"^\W*(?:(?:ok(?:ay)?|now|right|so|and|but|fine|well|alright|great|thanks)\b[\s,.]*)*"
    r"(?:(?:(?:a|one|on a|now a|now to a) )?(?:completely |totally |entirely |quite a )?"
    r"(?:different|another|new|separate|unrelated) (?:question|thing|topic|subject|matter|note)"
    r"|something (?:completely |totally |entirely )?(?:else|different)(?: entirely)?"
    r"|(?:let['’]?s )?chang(?:e|ing) (?:the )?(?:subject|topic)|next question|moving on(?: to something else)?)"
    r"(?: now| then)?\s*[:,.;–—-]+\s*(?P<rest>\S.+)$",
    re.IGNORECASE | re.DOTALL,
)


def asked_anew(question: str) -> str:
    """What is asked after such words; nothing where there are none."""
    said = _ELSE.match(question)
    return said["rest"] if said else ""

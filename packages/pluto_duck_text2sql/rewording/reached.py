"""How people are reached: `how can I ring Ann` asks for her phone number, `how do we write to them` for where to.

Called by `rewordings`. Only where a column is called by what is put, and nothing is called by the verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem

_PHONES = ("phone", "telephone", "mobile", "cell")
_LETTERS = ("email", "mail", "address")
_BY_PHONE = r"(?:tele)?phone|call|ring(?: up)?|text|give (?:a call|a ring)"
_BY_LETTER = r"e-?mail|mail|write(?: to| an? (?:e-?mail|letter) to)?|message|send (?:an? )?(?:e-?mails?|letters?) to"
_EITHER = r"reach|contact|get (?:in touch with|hold of)|communicate with"
_MEANS = r"(?:(?:tele)?phone|e-?mail|mail|letter)(?: number| address)?"
_WAY = rf"(?: (?:by|via|on the|over the|per|through) (?P<way>{_MEANS})(?: (?:and|or) (?P<also>{_MEANS}))?)?"
_HOW = Pattern(
    r"\b(?:how|(?:at|on|under|to) (?:what|which) (?:numbers?|address(?:es)?|e-?mail(?: address)?))"
    r" (?:can|could|do|does|should|would|may|might|must|to)(?: (?:i|we|you|one|they|somebody|someone))?"
    rf" (?:(?P<phone>{_BY_PHONE})|(?P<letter>{_BY_LETTER})|(?P<either>{_EITHER}))"
    rf" (?P<whom>(?!(?:that|it)\b)[^,;:.?!]+?){_WAY}(?=\W*$|,|;| and (?:when|what|how|where|who|which)\b)",
    re.IGNORECASE,
)


def how_reached(question: str, names: NameIndex) -> str:
    """The question for the numbers or addresses at which people are reached."""
    return _HOW.sub(lambda said: _asked(said, names), question)


def _asked(said: re.Match[str], names: NameIndex) -> str:
    ways = list(dict.fromkeys(_ways(said, names)))
    return f"what are the {' and '.join(ways)} of {said['whom']}" if ways else said[0]


def _ways(said: re.Match[str], names: NameIndex) -> Iterator[str]:
    """What the verb, or the way that is told beside it, asks for, by names that columns have."""
    told = [each.lower() for each in (said["way"], said["also"]) if each]
    phone = said["phone"] or any("phone" in each for each in told)
    letter = said["letter"] or any("phone" not in each for each in told)
    any_way = said["either"] and not told
    if phone or any_way:
        yield from _kept(_PHONES, names)
    if letter or any_way:
        yield from _kept(_LETTERS[:2] if any_way else _LETTERS, names)


def _kept(words: tuple[str, ...], names: NameIndex) -> Iterator[str]:
    """The first of these words that a column is called by, as people say it."""
    for word in words:
        if any(each.column is not None for each in names.find((stem(word),))):
            yield {"address": "address", "email": "email address", "mail": "email address"}.get(word, f"{word} number")
            return

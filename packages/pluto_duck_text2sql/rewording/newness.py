"""Who is new and who comes back, as questions tell them apart: `new vs returning customers by month`, `revenue from new
and existing customers`, `share of returning customers per quarter`.

Buyers leave such questions as they are; frames/newness.py answers them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pluto_duck_text2sql.language.patterns import Pattern

_NEW = r"(?:brand[- ]?)?new|first[- ]time"
_BACK = r"returning|existing|repeat|recurring|old|previous"
_SIDE = rf"{_NEW}|{_BACK}"
_CAME = r"comes?|came|is|are|was|were|placed|made|bought|generated|brought in|ordered"
_FROM = rf"(?:(?:(?:{_CAME}) )?(?:from|by|of|for|with|to))"
_LEAD = (
    r"^(?:(?:what(?:['’]s| is| are| was| were)|show(?: me)?|give me|list|compare|split|break down) )?(?:the |our )?"
    r"(?:number of (?=(?:new|returning|existing|repeat)\b)|how many (?=(?:new|returning|existing|repeat)\b))?"
)
_VERSUS = r"(?:and|vs\.?|versus|or|compared (?:to|with)|against|/|to)"
_SHARE = r"(?:what |which )?(?P<share>share|percentage|percent|proportion|fraction) of (?:the |our )?"
_BY_TIME = Pattern(
    r"\b(?:by|per|each|every|for each|in each|for every|in every|over) (?:the )?(?:day|week|month|quarter|year)\b"
    r"|\b(?:daily|weekly|monthly|quarterly|yearly)\b",
    re.IGNORECASE,
)
_BOTH = Pattern(
    rf"{_LEAD}(?:(?P<what>[a-z][\w ]*?),? {_FROM} )?(?P<one>{_SIDE}) (?:(?P<who1>[a-z]+),? )?{_VERSUS} "
    rf"(?:(?:how many|how much|the number of)(?: [a-z]+)? )?(?:{_FROM} )?(?P<two>{_SIDE}) (?P<who>[a-z]+)(?P<rest>.*)$",
    re.IGNORECASE,
)
_ONE = Pattern(
    rf"{_LEAD}(?:{_SHARE}|(?:number of |how many )?)(?:(?P<what>[a-z][\w ]*?),? {_FROM} )?(?P<one>{_SIDE})"
    r" (?P<who>[a-z]+)(?P<rest>.*)$",
    re.IGNORECASE,
)
_AGAIN = r"(?:repeat|repurchase|re-?order(?:ing)?|re-?booking|returning)"
_BY_THE_FIRST = Pattern(
    r",? \(?(?:going|judged|judging|counted|measured|told|based|determined) (?:by|on) (?:the (?:date|day|time) of )?"
    r"(?:their|the|his|its)"
    r" (?:very )?first [a-z]+\)?$",
    re.IGNORECASE,
)
"""What makes somebody new, which is so anyway."""
_PART = r"(?:share|percentage|percent|proportion|fraction)"
_WHO = r"(?:customers|buyers|clients|ones|users|guests|shoppers|players|members)"
REPEAT_RATE = Pattern(
    r"^(?:(?:what(?:['’]s| is| was)|show(?: me)?|give me) )?(?:the |our )?"
    rf"(?:{_AGAIN}(?:[- ](?P<what>[a-z]+))? (?P<rate>rate|ratio|{_PART})"
    rf"|(?P<share>{_PART}) of (?:repeat|returning) (?P<who>[a-z]+)"
    rf"|(?:what|which) (?P<part>{_PART}) of (?:our |the )?(?P<all>[a-z]+) (?:are|were|is) (?:repeat|returning)"
    rf"(?: {_WHO})?)"
    r"(?P<when>,? (?:in|during|since|this|last) (?!each|every)[\w ]+?)?"
    r"(?P<tail>,? (?:by|per|for each|for every|in each|in every) (?!day|week|month|quarter|year)[a-z_ ]+?)?"
    r"(?P<late>,? (?:in|during|since|this|last) (?!each|every)[\w ]+)?\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Newness:
    """What is told apart: `what` of `who` (themselves where nothing is said), `sides` in the order in which they are
    said (True: the new), `share` where a part of all is asked, and what is said after that."""

    what: str
    who: str
    sides: tuple[bool, ...]
    share: str | None
    rest: str


def newness_of(question: str) -> Newness | None:
    """What a question tells apart by who is new; None where it tells no such."""
    text = _BY_THE_FIRST.sub("", " ".join(question.split()).strip(" .?!"))
    both = _BOTH.match(text)
    if both and _is_new(both["one"]) != _is_new(both["two"]):
        sides = (_is_new(both["one"]), _is_new(both["two"]))
        is_short = both["who1"] and both["who"].lower() == "ones"  # new customers and returning ones
        return Newness(both["what"] or "", both["who1" if is_short else "who"], sides, None, both["rest"])
    one = _ONE.match(text)
    if one is None or one["one"].lower() in ("old", "previous"):
        return None
    of_what = one["what"] or ""
    is_new, is_timed = _is_new(one["one"]), _BY_TIME.search(one["rest"]) is not None
    is_told_apart = bool(of_what) or (is_timed and (bool(one["share"]) or not is_new))
    return Newness(of_what, one["who"], (is_new,), one["share"], one["rest"]) if is_told_apart else None


def _is_new(side: str) -> bool:
    return re.fullmatch(_NEW, side, re.IGNORECASE) is not None

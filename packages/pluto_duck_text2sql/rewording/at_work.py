"""Who is at work: `headcount by department`, `how many people work in Sales`, `what percentage of our staff are women`.

Said of those that are there now, where no word of the question is of another time; staying.py knows which rows are so.
The headcount of another time is of those that were there then, and no number of those who came then: in_force.py.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.times.calendar_days import MONTH, YEAR

_HEADCOUNT = r"\b(?:(?:total|overall|our|the|current|present) )*head ?count\b"
_BY = r"(?P<by>(?: (?:by|per) [a-z]+(?: [a-z]+)?)?)"
_THEN = (
    (rf"{_HEADCOUNT}{_BY} (?:in|during|for) (?P<when>(?:(?:{MONTH}) )?{YEAR})\b", "in "),
    (rf"{_HEADCOUNT}{_BY} (?:on|as of|as at) (?P<when>\d\d? (?:{MONTH}) {YEAR}|(?:{MONTH}) \d\d?,? {YEAR})\b", "on "),
    (rf"{_HEADCOUNT}{_BY} (?:at|as of|by) (?:the )?(?:year[- ]end|end of) (?P<when>{YEAR})\b", "on 31 December "),
)
_PEOPLE = r"(?:people|persons|employees|staff|staff members|colleagues|workers)"
_PART = "(?:percent(?:age)?|share|proportion|fraction|part|%)"
_WORK_IN = r"(?=(?:in|at|out of) \w)"
_AT_WORK = (
    (_HEADCOUNT, "number of employees"),
    (rf"\b(?P<who>{_PEOPLE}) (?:(?:who|that) )?work(?:ing)? {_WORK_IN}", r"\g<who> "),
    (rf"\b(?P<who>{_PEOPLE}) (?:who |that )?(?:are |is )?on (?:the|our) (?:payroll|salary)\b", r"\g<who> are there"),
    (rf"\bwho works {_WORK_IN}", "who is "),
    (
        rf"\b(?P<many>(?:how many|(?:number|count|{_PART}) of)(?: of)?)"
        r" (?:our (?:staff|personnel|workforce)|the workforce)\b"
        r"(?! \w*(?:id|number|code)\b)",
        r"\g<many> employees",
    ),
)
_LOST = Pattern(
    r"\b(?:(?:has |have )?(?:lost|loses?) the (?P<most>most|fewest) (?:people|employees|staff)"
    r"|(?:has|have|had) the (?P<many>most|fewest) (?:leavers|departures))\b",
    re.IGNORECASE,
)
_EMPLOYED = Pattern(
    r"\b(?P<be>were|are) (?:still )?employed (?=(?:at|by|as of|as at) (?:the )?(?:end|close|start|beginning) of\b"
    rf"|(?:on|as of|as at) (?:\d\d? (?:{MONTH})|(?:{MONTH}) \d|\d{{4}}-\d\d))",
    re.IGNORECASE,
)
_HEADS = Pattern(
    rf"{_HEADCOUNT}(?= (?:at|as of|on|by) (?:the )?(?:end|start|beginning) of (?:the )?(?:each|every|\w+))",
    re.IGNORECASE,
)
_OTHER_TIME = Pattern(
    r"\b(?:19|20)\d\d\b|\b(?:ever|since|last|previous|before|until|former\w*|past|history|was|were|did|had|been|new"
    r"|first|years?|months?|quarters?|weeks?|monthly|quarterly|yearly|growth|trend|change[ds]?|over time|still"
    r"|currently|now|today|active|inactive|all|including|left|leav\w+|quit\w*|resign\w*|retire\w*|terminat\w*|departures?"
    r"|turnover|attrition|churn\w*|hire\w*|join\w*|start\w*)\b",
    re.IGNORECASE,
)


def at_work(question: str) -> str | None:
    """The question without the words that say so of some rows; None where it has none, or is of another time too."""
    found = ((re.search(pattern, question, re.IGNORECASE), put) for pattern, put in _AT_WORK)
    said, put = next(((match, put) for match, put in found if match), (None, ""))
    if said is None or _OTHER_TIME.search(f"{question[: said.start()]} {question[said.end() :]}"):
        return None
    return question[: said.start()] + said.expand(put) + question[said.end() :]


def headcount_then(question: str) -> str:
    """`headcount by team in 2023` as the number of employees active in 2023 by team."""
    for pattern, at in _THEN:
        question = re.sub(pattern, rf"number of employees active {at}\g<when>\g<by>", question, flags=re.IGNORECASE)
    return question


def with_us(question: str) -> str:
    """`employed on 1 March` as with us on that day, no day on which somebody was hired; `headcount at the end of each
    month` as the number of employees then."""
    return _HEADS.sub("number of employees", _EMPLOYED.sub(r"\g<be> with us ", question))


def with_leavers(question: str, left: str = "left") -> str:
    """`which team lost the most people` as which one has the most employees who left."""
    return _LOST.sub(lambda match: f"has the {match['most'] or match['many']} employees who {left}", question)

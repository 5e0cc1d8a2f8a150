"""Turns of phrase that say in which order rows come: `newest to oldest`, `the biggest spenders first`.

In the order in which they are put, after those of turns_of_phrase.py.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.superlatives import POSITIVES, WAY
from pluto_duck_text2sql.reading.cues import ADJECTIVES

SUPERLATIVES = "|".join(
    (
        "highest|lowest|largest|biggest|smallest|most [a-z]+|least [a-z]+|slowest",
        *(each for each in ADJECTIVES if each.endswith("est")),
    )
)
ENDS = rf"(?:{SUPERLATIVES}|best|worst|most|least|newest|earliest|latest|oldest|most recent|cheapest)"
_NEW = r"(?:newest|latest|most recent(?:ly)?(?: [a-z]+)?)"
_OLD = r"(?:oldest|earliest|least recent(?:ly)?(?: [a-z]+)?)"
_END = r"(?: [a-z]+)?(?=\W*$|,)"
_FIRST_OF_ALL = r"(?:biggest|largest|top|highest) [a-z]+(?:er|or|ee)s?"
_CLAUSE_END = r"(?=\W*$|[,;.!?])"
_SORT = r"(?:(?:sort|rank|order|arrange)(?:ed|ing)? (?:them )?|listed )"
_NO_ROUTE = r"(?<!\bgo )(?<!goes )(?<!going )(?<!\brun )(?<!runs )(?<!fly )(?<!flies )(?<!from )"
_GOING = rf" ?(?:[.?!;,:–-]+ |{_NO_ROUTE}\b)(?:in order,? )?(?:{_SORT}|(?<=[.?!;,:–-] )(?:go|run)(?:ing)? )?"
"""What leads to the ends of an order, with the mark before it: `. Go from Z to A`."""
_LED = r"(?:start|begin|lead|open)(?:s|ing|ning)? (?:off )?(?:with|from|at) (?:the |our )?"
_COMES = r"(?: should| must| has to| is to)? (?:comes?|goes|go|stands?) (?:at the )?(?:first|top)"
_SORTED_BY = r"(?P<what>(?!hours|days|weeks|minutes|months)[a-z]+)"
_BETWEEN = tuple(
    (
        rf"(?:{_GOING}from|[,;:.–-]) {one} to (?:{'|'.join(each for each in POSITIVES if each != one)}){_CLAUSE_END}",
        f", {most} first",
    )
    for one, most in POSITIVES.items()
)
ORDERS = tuple(
    (Pattern(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (r"\b(?:from|since) when,? (?:and )?(?:un?til|till|through|up to) when\b", "from when to when"),
        (rf"{_GOING}(?:from )?z(?: to |-)a{_CLAUSE_END}", " in descending alphabetical order"),
        *_BETWEEN,
        (rf"[.;,]? ?\b(?:and )?{_LED}(?P<one>{ENDS})(?: ones?)?{_CLAUSE_END}", r", \g<one> first"),
        (rf"[.;,]? ?\b(?:and )?put (?:the |our )?(?P<one>{ENDS})(?: ones?)? first{_CLAUSE_END}", r", \g<one> first"),
        (rf"[.;,] (?:and )?the (?P<one>{ENDS})(?: ones?)?{_COMES}{_CLAUSE_END}", r", \g<one> first"),
        (rf"{_GOING}(?:from )?(?:the )?(?P<one>{ENDS}) to (?:the )?{ENDS}{_CLAUSE_END}", r", \g<one> first"),
        (
            rf"(?<!\bspent the )(?<!\bspend the )\b(?P<way>{WAY}(?: [a-z]+)?)"
            r" (?:on top|(?:at|to) the top|at the head(?: of the list)?|leading|in front)(?=\W*$|[.,;])",
            r"\g<way> first",
        ),
        (rf"(?<=[,;–-] )(?:the )?{_FIRST_OF_ALL} first(?=\W*$)", "highest first"),
        (
            rf"(?<=[,;–-] )(?:the )?(?:biggest|largest|highest|greatest|most) {_SORTED_BY} first(?=\W*$)",
            r"sorted by \g<what> descending",
        ),
        (
            rf"(?<=[,;–-] )(?:the )?(?:smallest|lowest|fewest|least) {_SORTED_BY} first(?=\W*$)",
            r"sorted by \g<what> ascending",
        ),
        (r"(?<=[,;–-] )(?:the )?(?:most|highest) (?:hours|days|weeks|minutes|months) first(?=\W*$)", "highest first"),
        (r"(?<=[,;–-] )(?:the )?(?:fewest|least) (?:hours|days|weeks|minutes|months) first(?=\W*$)", "lowest first"),
        (rf"\bfrom (?:the )?{_NEW} to (?:the )?{_OLD}{_END}", "newest first"),
        (rf"\bfrom (?:the )?{_OLD} to (?:the )?{_NEW}{_END}", "oldest first"),
        (r"\bfrom (?:the )?best to (?:the )?worst\b", "highest first"),
        (r"\bfrom (?:the )?worst to (?:the )?best\b", "lowest first"),
        (
            r"\bfrom (?:the )?(?P<end>most|least) to (?:the )?(?:most|least) (?P<how>[a-z]+)(?=\W*$|,)",
            r"\g<end> \g<how> first",
        ),
        (r"(?<=[,;–-] )(?:the )?(?:most expensive|priciest|dearest|costliest) first(?=\W*$|[,;])", "highest first"),
        (
            r"(?<=[,;–-] )(?:the )?(?:biggest|largest|top|highest) (?:[a-z]+(?:er|or|ee)s?) first(?=\W*$)",
            "highest first",
        ),
        (rf"(?<=[,;] )(?P<one>{ENDS})(?: ones?)? (?:on|at the) top(?=\W*$|,)", r"\g<one> first"),
        (
            r",? from (?:the )?(?P<first>earliest|oldest|newest|latest)(?: [a-z]+){0,2} to (?:the )?"
            r"(?:latest|newest|oldest|earliest|most recent)(?: (?:one|date))?(?=[.?! ]*$)",
            r", \g<first> first",
        ),
        (
            r"\b(?:in reverse (?:alphabetical|lexicographical|alphabetic) order|reverse alphabetically"
            r"|in (?:alphabetical|lexicographical) order reversed)\b",
            "in descending order",
        ),
        (r"\blexicographically\b", "alphabetically"),
        (
            r"^(?P<rows>[a-z]+s) by (?P<what>[a-z]+),?"
            r" (?P<way>cheapest|dearest|priciest|most expensive|least expensive) first(?=\W*$)",
            r"\g<rows> sorted by \g<what>, \g<way> first",
        ),
        (r"^(?:an? |the )?alphabetical list of (?P<what>[^,;:?]+?)\W*$", r"list \g<what> alphabetically"),
    )
)

"""How questions say a span of days: `average time to ship`, `took longer than two weeks to arrive`.

A span is a figure of its rows (`average days from order to shipping by country`) or what they are looked for by. What
is left of the question without it is a question of its own (spans.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, cast

from pluto_duck_text2sql.corrections.bounds import OPERATORS
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import NUMBER_WORDS, spoken
from pluto_duck_text2sql.reading.frames import UNIT, same
from pluto_duck_text2sql.reading.spec import parts_of
from pluto_duck_text2sql.tree import Function, Grain, Operator, Unit

Kind = Literal[
    "between", "until", "before", "same day", "lead", "lasting", "first to last", "to first", "one to the next"
]
_FUNCTION = r"(?:average|mean|avg|median|typical|maximum|minimum|max|min|longest|shortest|total)"
_FUNCTIONS: dict[str, Function] = {
    **dict.fromkeys(("median",), "median"),
    **dict.fromkeys(("maximum", "max", "longest"), "max"),
    **dict.fromkeys(("minimum", "min", "shortest"), "min"),
    "total": "sum",
}
_TIME = r"(?:(?:calendar )?days?|gap in (?:calendar )?days|time|delay|lag|gap|wait|waiting time|turnaround time|lead time|time span|span|interval)"
_PASSES = (
    r"(?: (?:pass|passes|passed|go|goes|went|by|elapse|elapses|elapsed|lie|lies|lay|are|is|were|was|there|it|took|takes"
    r"|taken|needed|on average|usually|typically|in days|that))*"
)
_ENDS = (
    r"(?=$|,? (?:by|per|for|in|of|across|during|among|on average|over|within|split|broken|grouped|since|before|after"
    r"|from|where|with|and what|each|every|at)\b|[,;:(]| -)"
)
_PARTICLE = r"(?: (?:in|out|off|up|back)(?=$|,? (?:by|per|for|of|across|on average|each|every)\b|[,;:(]| -))?"
"""What a verb ends in, not what a place or time begins with: `between signing and moving in, per year`."""
_SIDE = rf"(?:[a-z][\w'-]*)(?: [a-z][\w'-]*){{0,3}}?{_PARTICLE}"
_HOW = r"(?:how (?:long|many days|much time)|what(?:'s| is| was) (?:the )?)"
_LONG = r"how (?:long|many days|much time)"
_TAKES = r"(?:does it take|did it take|do we (?:take|need)|did we (?:take|need)|(?:does|do|did) (?:the |an? |our )?(?P<rows>[a-z]+) (?:take|need)|it takes|is needed|it took)"
_GOES_BY = rf"(?:{_TAKES}|(?:pass|passes|passed|go by|goes by|went by|elapse|elapses|elapsed))"
_IS_DONE = r"(?:is|are|was|were|gets|get|got|has been|have been)(?: finally| actually)?"
_DO = r"(?:be |get |being |getting |having |they are |they were |it is |it was |it gets )?"
_FIRST_OF = r"(?:(?:their|the|his|its|a|an) )?(?:very )?first"
_LAST_OF = r"(?:(?:their|the|his|its) )?(?:very )?(?:last|latest|most recent)"
_BEGAN = (
    r"(?:signing up|sign-?up|signup|the sign-?up|registering|registration|joining|being created|creation|becoming an? \w+"
    r"|they sign(?:ed)? up|they join(?:ed)?|they register(?:ed)?"
    r"|(?:the )?(?:date|day) (?:of (?:sign-?up|signing up|registration|joining)"
    r"|(?:on which |that )?(?:an?|the|each) [a-z]+ (?:signed up|registered|joined|was created)))"
)
_N = rf"(?P<n>\d+|an?|{'|'.join(NUMBER_WORDS)}) (?P<unit>{UNIT}|hour|minute)s?"
_OP = r"(?P<op>longer than|more than|less than|fewer than|over|under|at least|at most|no more than|up to|within)"
_LASTS = r"(?:last|lasts|lasted|run|runs|ran|stay|stays|stayed|go on|went on)"
_KEPT = r"(?:kept|out|held|rented|rented out|lent|lent out|borrowed|on loan|open|away)"

_PARTS = r"(?: (?:up|in|out|off|back))?"

NAMED_TIME = (
    r"(?P<verb>(?:first )?(?:response|reply|answer|resolution|delivery|shipping|processing|fulfil?ment|closing|approval"
    r"|payment|repair|completion)) time"
)
"""`average response time`: the time until then, where nothing stored is called so."""
_TO_THE_END = (
    r"(?: (?:with us )?(?:before|until|till) (?:they|he or she|it|being|they are|it is)"
    r" (?:cancel|leave|quit|churn|end|stop|expire|go|close|terminat)[a-z]*\b)?"
)

_FIGURES: tuple[tuple[Kind, Pattern], ...] = tuple(
    (cast(Kind, kind), Pattern(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            "to first",
            rf"\b(?:(?P<fn>{_FUNCTION}) )?(?:number of )?(?:{_LONG}|{_TIME})(?: does it take (?:an?|the|our) (?P<whom>[a-z]+))?"
            rf"{_PASSES} (?:after|from|between|since) {_BEGAN}"
            rf"(?: (?:and|to|until|till)(?: the (?:date|day|start|beginning) of)?| (?:do|does|did|have|had) (?:the |our )?(?P<who>[a-z]+))?"
            rf"(?: (?!the\b|their\b|his\b|its\b|an?\b)[a-z]+)? {_FIRST_OF} (?P<deed>[a-z]+){_ENDS}",
        ),
        (
            "one to the next",
            rf"\b(?:(?P<fn>{_FUNCTION}) )?(?:number of )?(?:{_LONG}|{_TIME}){_PASSES} (?:between|from)"
            rf" (?:(?:two|their|its|the|any two) )?(?:(?:consecutive|successive|subsequent) (?P<deed>[a-z]+)"
            r"|two (?P<deed3>[a-z]+)(?= (?:of|by) (?:the same|an?|one|each|every) )|(?P<deed4>[a-z]{3,}s)(?! (?:and|to|until) )"
            r"|(?:one|1|an?|each) (?P<deed2>[a-z]+) (?:and|to|until) (?:the|its|their) next(?: (?:one|(?P=deed2)))?)"
            rf"(?: (?!on average\b)(?P<each>of|by|for|per|on) (?P<any>an?|one|the same|a single|each|every|the|all|our)?"
            rf" ?(?P<who>[a-z]+))?{_ENDS}",
        ),
        (
            "first to last",
            rf"\b(?:(?P<fn>{_FUNCTION}) )?(?:number of )?(?:{_LONG}|{_TIME}){_PASSES} (?:between|from) {_FIRST_OF}"
            rf"(?: (?P<deed0>[a-z]+))? (?:and|to|until|till) {_LAST_OF} (?P<deed>[a-z]+)"
            rf"(?: (?:of|by|for|per) (?:an?|the|each|every|all|our)? ?(?P<who>[a-z]+))?{_ENDS}",
        ),
        (
            "between",
            rf"\b(?:(?P<fn>{_FUNCTION}) )?(?:number of )?(?:{_LONG}|{_TIME}){_PASSES} (?:between (?P<a>{_SIDE}) and|from (?P<a2>{_SIDE})"
            rf" (?:to|until|till)) (?P<b>{_SIDE}){_ENDS}",
        ),
        (
            "until",
            rf"\b{_LONG}(?: on average)? {_TAKES}(?: us)?(?: on average)? (?:to|until|till|before) {_DO}"
            rf"(?P<verb>[a-z]+)(?: (?:an?|the|our|its|their|them|it)(?: (?P<of>[a-z]+))?)?{_ENDS}",
        ),
        (
            "until",
            rf"\b{_LONG}(?: on average)? (?:after|from|since) (?:the |an? |their |its )?(?P<a>[a-z]+)"
            rf" (?:is|are|was|were|does|do|did) (?:the |an? |our )?(?P<of>[a-z]+) (?P<verb>[a-z]+){_ENDS}",
        ),
        (
            "lead",
            rf"\b(?:(?P<fn>{_FUNCTION}) )?(?:(?:order|booking|reservation|delivery|purchase) )?lead times?(?: in days)?"
            rf"(?! (?:between|from|to|until)\b){_ENDS}",
        ),
        (
            "until",
            rf"\b{_LONG}(?: on average)? {_GOES_BY}(?: on average)? (?:until|till|before)"
            rf" (?:an?|the|our|each|every|one) (?P<of>[a-z]+) {_IS_DONE} (?P<verb>[a-z]+){_ENDS}",
        ),
        (
            "until",
            rf"\b(?:(?P<fn>{_FUNCTION}) )?(?:number of )?{_TIME}(?: (?:it takes|it took|taken|needed))? (?:to|until|till)"
            rf" {_DO}(?P<verb>(?:first )?[a-z]+)(?: (?:an?|the|our|its|their)? ?(?P<of>[a-z]+))?{_ENDS}",
        ),
        ("until", rf"\b(?P<fn>{_FUNCTION}) {NAMED_TIME}(?: (?:of|for) (?:an?|the|our|all)? ?(?P<of>[a-z]+))?{_ENDS}"),
        (
            "lasting",
            rf"\b{_LONG}(?: on average)? (?:is|are|was|were) (?:an?|the|our)? ?(?P<of>[a-z]+)(?: (?:being|usually|typically))? {_KEPT}\b",
        ),
        (
            "lasting",
            rf"\b{_LONG}(?: on average)? (?:do|does|did) (?:an?|the|our)? ?(?P<rows>[a-z]+)(?: (?:usually|typically|on average))?"
            rf" (?:last|run|(?:stay|remain|are kept)(?: open| active| unpaid)?|go on|take)\b{_TO_THE_END}",
        ),
        (
            "lasting",
            rf"\b(?P<fn>{_FUNCTION}) (?:length|duration|lifetime|life ?span|life)(?: \(?in days\)?)? of (?:an?|the|our)? ?"
            rf"(?P<such>(?:[a-z]+ed|past|former) )?(?P<rows>[a-z]+){_ENDS}",
        ),
        ("lasting", rf"\b(?P<fn>{_FUNCTION}) (?P<rows>[a-z]+) (?:length|duration){_ENDS}"),
        ("lasting", rf"\b(?P<fn>{_FUNCTION}) (?P<rows>stays?){_ENDS}"),
        (
            "lasting",
            rf"\b(?P<fn>average|mean|avg|median|typical) (?:number of )?(?P<rows>nights)"
            rf"(?: (?:booked|stayed))?(?: (?:per|a|each|for a) (?:booking|stay|reservation|visit))?{_ENDS}",
        ),
        (
            "lasting",
            r"\b(?P<sum>how many |(?:total )?number of |total )(?P<rows>nights)(?: (?:were|was|are|have been|did guests))?"
            rf"(?: (?:booked|sold|stayed|spent|stay|book))?{_ENDS}",
        ),
    )
)
_IN_UNIT: tuple[Kind, Pattern] = (
    "lasting",
    Pattern(
        rf"\b(?:(?P<fn>{_FUNCTION}) |(?P<sum>how many )(?=days of ))(?:(?:days|time|duration|length) of )?(?P<rows>[a-z]+)(?: time| duration| length)?{_ENDS}",
        re.IGNORECASE,
    ),
)
"""What is a span only where its unit is said: `total downtime in hours`."""
_OF_EACH = frozenset("per by for each every".split())
"""Of whom there is a row each, and not one figure for all."""
_UNITS = Pattern(
    r"(?P<how>\b(?:how many|number of|average|mean|median|total|maximum|minimum|the) )(?P<unit>hours|minutes|seconds)\b"
    r"|,? ?\(?\bin (?P<in>hours|minutes|seconds)\b\)?",
    re.IGNORECASE,
)
_FILTERS: tuple[tuple[Kind, Pattern], ...] = tuple(
    (cast(Kind, kind), Pattern(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            "until",
            rf",? ?\b(?:(?:that|which|who) )?(?:took|take|takes|taking|needed|need|needing|waited|wait) {_OP} {_N}"
            rf" (?:to|until|till|before) {_DO}(?P<verb>[a-z]+){_ENDS}",
        ),
        (
            "until",
            rf",? ?\b(?:(?:that|which|who) )?(?:(?:was|were|been|got|came|come|have|has) )*(?P<verb>[a-z]+)(?: back)? {_OP} {_N}"
            rf" (?:later|after(?: (?:being|it was|they were))?(?: (?:the |an? |their |its )?(?P<a>[a-z]+)(?: date)?)?"
            rf"|of (?:being |the |an? |their |its )?(?P<a2>[a-z]+)(?: date)?){_ENDS}",
        ),
        (
            "until",
            rf",? ?\b(?:(?:that|which|who) )?(?:(?:was|were|been|got|are|is) )*(?P<verb>[a-z]+)(?: back)?"
            rf" (?P<op>within|in less than|in under|less than|fewer than|under) {_N} (?:of|after|from|since)"
            rf" (?!the last|the past)(?:being |the |an? |their |its )?(?P<a>[a-z]+)(?: date)?{_ENDS}",
        ),
        (
            "before",
            rf",? ?\b(?:(?:that|which|who) )?(?:(?:was|were|been|got|are|is) )*(?P<verb>[a-z]+{_PARTS}) {_OP} {_N}"
            rf" (?:before|ahead of|prior to) (?:the |an? |their |its )?(?P<a>[a-z]+)(?: date)?{_ENDS}",
        ),
        (
            "same day",
            rf",? ?\b(?:(?:that|which|who) )?(?:(?:was|were|been|got|are|is) )*(?P<verb>[a-z]+{_PARTS}) on the"
            r" (?:very )?(?:same )?(?:day (?:of|as|(?:that |on which )?(?:they|it) (?:were |was |had been )?)|date of) ?(?:the |an? |their |its )?"
            rf"(?P<a>[a-z]+{_PARTS})(?: date)?"
            rf"{_ENDS}",
        ),
        (
            "until",
            rf",? ?\b(?:(?:that|which|who) )?(?:(?:was|were|been|got|are|is) )*(?P<verb>[a-z]+)(?: back)? (?P<op>within|in less than|in under) {_N}{_ENDS}",
        ),
        (
            "between",
            rf",? ?\b(?:with|having|that have|where there (?:are|were)) {_OP} {_N} (?:between (?P<a>{_SIDE}) and"
            rf"|from (?P<a2>{_SIDE}) (?:to|until|till)) (?P<b>{_SIDE}){_ENDS}",
        ),
        (
            "lasting",
            rf",? ?\b(?:(?:that|which|who) )?(?:{_LASTS}|(?:(?:was|were|are|is) )?{_KEPT}) (?:for )?{_OP} {_N}{_ENDS}",
        ),
    )
)
_AVERAGE = Pattern(rf"\b(?:on average|average|mean|usually|typically|{_FUNCTION})\b", re.IGNORECASE)
_LISTED = Pattern(
    r", (?P<columns>[a-z][\w ,]*?),? (?:and|with) (?:the )?(?:number of )?(?:days|time|average|mean|median)$",
    re.IGNORECASE,
)
"""Columns that are listed after a comma, the span last."""
_NOISE = Pattern(
    rf"\b(?:on average|usually|typically|in days|{_FUNCTION})\b|^(?:please )?(?:{_HOW}|show|give|list|tell|report|find|get)"
    r"(?: me| us)?(?: the)?\b|\bwhat(?:'s| is| was)(?: the)?\b|^the\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Span:
    """A span of days that a question says, and the question without it.

    `first` and `last` are the words for its two ends, `rows` those for what has it. A figure has a `function` and is
    `counted_in` a unit, what rows are looked for by has an `operator`, a number and its unit.
    """

    kind: Kind
    rest: str
    first: str = ""
    last: str = ""
    rows: str = ""
    listed: tuple[str, ...] = ()
    function: Function | None = None
    operator: Operator = ">"
    number: float = 0
    unit: Grain | Unit = "day"
    counted_in: Unit = "day"
    says_unit: bool = False


def figure_of(text: str) -> Span | None:
    """The span that a question asks a figure of, in the unit that it says; None where it asks none."""
    text = same(text)
    said = _UNITS.search(text)
    if said is None:
        return _figure(text, _FIGURES)
    unit = cast(Unit, (said["unit"] or said["in"]).lower().removesuffix("s"))
    plain = tidy(f"{text[: said.start()]}{said['how'] + 'days' if said['how'] else ''}{text[said.end() :]}")
    found = _figure(plain, (*_FIGURES, _IN_UNIT))
    return replace(found, counted_in=unit, says_unit=True) if found else None


def _figure(text: str, patterns: Iterable[tuple[Kind, Pattern]]) -> Span | None:
    for kind, pattern in patterns:
        found = pattern.search(text)
        if found:
            parts = _parts(found)
            rest, listed = _listed(tidy(_NOISE.sub(" ", f"{text[: found.start()]} {text[found.end() :]}")))
            said = "total" if parts.get("sum") else (parts.get("fn") or "").lower()
            function = _FUNCTIONS.get(said, "avg")
            is_figure = bool(said or _AVERAGE.search(text) or re.match(_LONG, found[0], re.IGNORECASE))
            is_figure = is_figure or kind in ("one to the next", "lead")
            if parts.get("such") and not parts["such"].startswith(("past", "former")):
                rest = tidy(f"that were {parts['such']} {rest.removeprefix('the')}")
            if _OF_EACH & {parts.get("each", "").lower(), parts.get("any", "").lower()}:
                rest = tidy(f"{rest} for each {parts['who']}")
            return Span(kind, rest, *_ends(parts), listed, function) if is_figure else None
    return None


def filter_of(text: str) -> Span | None:
    """The span that rows are looked for by; None where there is none."""
    text = same(text)
    for kind, pattern in _FILTERS:
        found = pattern.search(text)
        bound = _bound(kind, found.groupdict()) if found else None
        if found and bound:
            rest = tidy(f"{text[: found.start()]} {text[found.end() :]}").strip(" ,")
            ends = _ends(_parts(found))
            ends = (ends[1], ends[0], ends[2]) if kind == "before" else ends
            return Span("between" if kind == "before" else kind, rest, *ends, (), None, *bound)
    return None


def _bound(kind: Kind, said: dict[str, str]) -> tuple[Operator, float, Grain] | None:
    """How long a span is to be; None where its number is none."""
    if kind == "same day":
        return "=", 0.0, "day"
    text = said["n"].lower()
    number = 1 if text in ("a", "an") else spoken(text)
    operator = OPERATORS.get(said["op"].lower(), ">")
    return None if number is None else (operator, float(number), cast(Grain, said["unit"].lower()))


def _listed(text: str) -> tuple[str, tuple[str, ...]]:
    """`by employee, last name and days`: the text, and the columns that it lists, the span's as well."""
    found = _LISTED.search(text)
    if found is None:
        return text.strip(" ,"), ()
    return text[: found.start()].strip(" ,"), (*parts_of(found["columns"]), "days")


def _parts(found: re.Match[str]) -> dict[str, str]:
    return {name: said or "" for name, said in found.groupdict().items()}


def _ends(parts: dict[str, str]) -> tuple[str, str, str]:
    """The words for the first end, the last end, and what has the span."""

    def said(*names: str) -> str:
        return next((parts[name] for name in names if parts.get(name)), "")

    return said("a", "a2"), said("b", "verb", "deed", "deed2", "deed3", "deed4"), said("who", "whom", "rows", "of")

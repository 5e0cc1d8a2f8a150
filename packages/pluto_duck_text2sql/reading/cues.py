"""Words that say what to do with what is named: aggregate, group, sort, compare, negate.

Each cue is a pattern over the lower-case question; it takes its words, so that a later, weaker pattern does not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.words import NUMBER_WORDS, SCALES, spoken


@dataclass(frozen=True)
class Cue:
    """A cue at words `start` to before `end`; what `data` holds depends on `kind`."""

    start: int
    end: int
    kind: str
    data: dict[str, Any] = field(default_factory=dict)


_SCALE = "|".join(SCALES)
_PART_OF = r"(?:(?:a|one|two|three|\d+) )?(?:quarters?|thirds?|half) (?:of )?an?(?= (?:hour|minute|day|week|second))"
_DONE = r"[a-z]{3,}(?:ed|en) (?:•|(?:in|before|since|after|on|during|more|less|over|at|by)\b)"
"""What comes after `last inspected` where it is no last of anything: a time, which may be taken already."""
_N = rf"(?P<n>{_PART_OF}|an?(?= (?:hour|minute|day|week|second)\b)|(?:\d+(?:\.\d+)?(?:k|m|bn)?|{'|'.join(NUMBER_WORDS)}|(?:half )?an?(?= (?:{_SCALE})))(?: (?:{_SCALE}))*(?: and a half)?)"
_CURRENCY = "dollars?|euros?|pounds?|usd|eur|gbp|chf|bucks|francs?"
_OF = f"(?P<distinct> (?:different|distinct|unique|separate))?(?P<money> (?:{_CURRENCY}))?(?: degrees(?: celsius| fahrenheit)?)?(?: (?:each|apiece)(?= |$))?"
"""What may follow a number that is compared."""
_OFTEN = r"once\b|twice\b|one time\b|\w+ times\b"
_TIMES = r"(?:(?P<times>twice|double|triple|half|(?:\d+(?:\.\d+)?|one and a half|two|three|four|five|ten) times) )?"
_FOLDS = {"twice": 2.0, "double": 2.0, "triple": 3.0, "half": 0.5, "one and a half times": 1.5}
_MORE = "more|greater|higher|larger|older|longer|bigger|heavier|taller|warmer|hotter|later|faster|better|above|over|exceeding|exceeds?|exceeded"
_LESS = "less|fewer|lower|smaller|younger|shorter|cheaper|lighter|colder|earlier|slower|below|under|beneath"
# An adjective that stands for a column: what it measures, and whether its superlative is the largest.
ADJECTIVES: dict[str, tuple[tuple[str, ...], bool]] = {
    **dict.fromkeys(
        ("older", "oldest"),
        (("age", "old", "birth", "founded", "established", "opened", "built", "date", "year"), True),
    ),
    **dict.fromkeys(("younger", "youngest"), (("age", "old", "birth", "date", "year"), False)),
    **dict.fromkeys(
        ("longer", "longest"),
        (("length", "duration", "millisecond", "time", "minute", "distance", "hour", "day"), True),
    ),
    **dict.fromkeys(
        ("shorter", "shortest"),
        (("length", "duration", "millisecond", "height", "time", "minute", "hour", "day"), False),
    ),
    **dict.fromkeys(("heavier", "heaviest"), (("weight", "mass", "tonnage"), True)),
    **dict.fromkeys(("lighter", "lightest"), (("weight", "mass", "tonnage"), False)),
    **dict.fromkeys(("taller", "tallest"), (("height", "stature", "elevation"), True)),
    **dict.fromkeys(("warmer", "warmest", "hotter", "hottest"), (("temperature", "temp"), True)),
    **dict.fromkeys(("colder", "coldest"), (("temperature", "temp"), False)),
    **dict.fromkeys(("wetter", "wettest", "rainiest"), (("rain", "rainfall", "precipitation"), True)),
    **dict.fromkeys(("drier", "driest"), (("rain", "rainfall", "precipitation"), False)),
    **dict.fromkeys(("windier", "windiest"), (("wind", "gust"), True)),
    **dict.fromkeys(("sunnier", "sunniest"), (("sunshine", "sun"), True)),
    **dict.fromkeys(("wetter", "wettest", "rainiest"), (("rain", "rainfall", "precipitation"), True)),
    **dict.fromkeys(("drier", "driest"), (("rain", "rainfall", "precipitation"), False)),
    **dict.fromkeys(("windier", "windiest"), (("wind", "gust"), True)),
    **dict.fromkeys(("sunnier", "sunniest"), (("sunshine", "sun"), True)),
    **dict.fromkeys(("cheaper", "cheapest", "least expensive"), (("price", "cost", "fare"), False)),
    **dict.fromkeys(
        ("priciest", "most expensive", "costliest", "more expensive", "dearest"), (("price", "cost", "fare"), True)
    ),
    **dict.fromkeys(("newest", "latest", "most recent", "last"), (("date", "time", "year", "created"), True)),
    **dict.fromkeys(("earliest", "first"), (("date", "time", "year", "created"), False)),
    **dict.fromkeys(("deadliest",), (("death", "fatality", "killed", "casualty"), True)),
    **dict.fromkeys(("fastest",), (("speed", "velocity"), True)),
    **dict.fromkeys(("longest serving",), (("hire", "join", "start", "employed", "since"), False)),
    **dict.fromkeys(("best paid", "highest paid", "top paid"), (("salary", "wage", "pay", "income"), True)),
    **dict.fromkeys(("worst paid", "lowest paid", "least paid"), (("salary", "wage", "pay", "income"), False)),
    **dict.fromkeys(("richest",), (("income", "wealth", "networth", "salary"), True)),
}
_SUPER_COLUMN = "|".join(
    sorted((each for each in ADJECTIVES if each.split()[-1].endswith("st") or " " in each), key=len, reverse=True)
)
HIGH = "most|highest|largest|biggest|greatest|best|maximum|max|top|strongest"
LOW = "least|fewest|lowest|smallest|worst|minimum|min|bottom|weakest"

_CUES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (
        r"(?:last|lasts|lasted|lasting|run|runs|take|takes|taking)(?= (?:over|more|longer|under|less|at|between|for|up))",
        "verb",
        {},
    ),
    (r"(?<!the )(?<!our )(?<!was )(?<!were )(?:last|lasts|lasted)$", "verb", {}),
    (r"by (?:what|how much)(?: percentage| percent)?(?: did| has| have)?", "growth", {}),
    (r"(?:after|net of|less|including|with|minus) (?:the |any )?discounts?", "net", {}),
    (rf"(?:the )?(?P<adj>{_SUPER_COLUMN}) first", "sort_adj", {}),
    (r"(?:the )?(?:best|top)[ -]?sell(?:ers?|ing)(?: ones?)? first", "direction", {"desc": True}),
    (r"(?:the )?(?:highest|largest|biggest|most|greatest|best) first", "direction", {"desc": True}),
    (r"(?:the )?(?:lowest|smallest|fewest|least|worst) first", "direction", {"desc": False}),
    (
        r"(?:that |which |who )?(?:(?:have|has|had|were|was|is|are|did|do|does) )?(?:never|not ever|not (?:even )?once|not a single time)(?: been| had)?",
        "never",
        {},
    ),
    (
        r"(?:that |which |who )?(?:(?:do|does|did|have|has|had) not|don.t|doesn.t|didn.t|haven.t|hasn.t|hadn.t|(?:were|was|are|is) not|weren.t|wasn.t|aren.t|isn.t)(?: been| have| had| had any| have any)?(?: any| a| an)?",
        "never",
        {},
    ),
    (r"(?:nobody|no[ -]one|none of (?:them|which|whom))(?: (?:has|have|had|did))?(?: ever)?", "never", {}),
    (r"(?:with|have|has|had|having) (?:no|zero|0)|without(?: any| a| an)?|lacking|missing", "never", {}),
    (
        r"(?:(?:(?:for|from|to|in|on|at|of|by|with) )?(?:which|whom)|where) no(?! (?:more|less|fewer|later|earlier|longer|matter))",
        "never",
        {},
    ),
    (
        r"(?:what|which) (?:share|proportion|fraction)(?: of)?|(?:the )?(?:share|proportion|fraction) of(?: the)?(?: total| overall)?",
        "share",
        {"scale": 1},
    ),
    (
        r"(?:what|which) (?:percentage|percent)(?: of)?|(?:the )?(?:percentage|percent) of(?: the)?(?: total| overall)?|percentage share(?: of)?",
        "share",
        {"scale": 100},
    ),
    (r"as (?:a )?(?:share|fraction|proportion) of(?: the)? total", "share", {"scale": 1}),
    (r"as (?:a )?(?:percentage|percent) of(?: the)? total", "share", {"scale": 100}),
    (r"share", "share", {"scale": 1}),
    (r"(?:running|cumulative)(?: total| sum)?(?: of)?|cumulatively", "running", {}),
    (rf"(?:{_N}[ -](?:day|week|month|quarter|year)[ -])?(?:moving|rolling) (?:average|mean)(?: of)?", "moving", {}),
    (
        r"growth(?: rate)?(?: of| in)?|(?:percentage |percent |relative )?(?:change|increase|decrease)(?: in| of)?|(?:grew|grow|grown|changed|increased|decreased|declined)(?: by)?",
        "growth",
        {},
    ),
    (r"versus|vs|compared? (?:to|with)|compare|against|comparison of", "versus", {}),
    (
        rf"(?:is |are |was |were )?(?P<adj>{_MORE})(?: than| to)? {_TIMES}(?:(?:the|their|its) )?(?:average|mean)(?: of)?",
        "cmp_avg",
        {"op": ">"},
    ),
    (
        rf"(?:is |are |was |were )?(?P<adj>{_LESS})(?: than| to)? {_TIMES}(?:(?:the|their|its) )?(?:average|mean)(?: of)?",
        "cmp_avg",
        {"op": "<"},
    ),
    (r"between (?P<a>\d[\d.]*) and (?P<b>\d[\d.]*)|from (?P<a2>\d[\d.]*) to (?P<b2>\d[\d.]*)", "between", {}),
    (
        rf"(?:at least|no (?:less|fewer) than|not (?:less|fewer) than|a minimum of|minimum of) {_N}{_OF}",
        "cmp",
        {"op": ">="},
    ),
    (rf"(?:at most|no more than|not more than|up to|a maximum of|maximum of) {_N}{_OF}", "cmp", {"op": "<="}),
    (rf"{_N} (?:or|and) (?:more|above|greater|over|higher|older)(?! than)", "cmp", {"op": ">="}),
    (rf"{_N} (?:or|and) (?:less|fewer|below|lower|under|younger)(?! than)", "cmp", {"op": "<="}),
    (rf"(?:is |are |was |were )?(?P<adj>{_MORE})(?: than)? {_N}{_OF}", "cmp", {"op": ">"}),
    (rf"(?:is |are |was |were )?(?P<adj>{_LESS})(?: than)? {_N}{_OF}", "cmp", {"op": "<"}),
    (rf"(?:exactly|equal to|equals|equal|precisely) {_N}{_OF}", "cmp", {"op": "="}),
    (rf"(?:only|just) (?={_OFTEN}){_N}", "cmp", {"op": "="}),
    (r"(?:with|having|have|has|had|placed|made) (?:only|just) (?:one|1|a single)", "cmp", {"op": "=", "n": 1}),
    (r"more than one|multiple|several", "cmp", {"op": ">", "n": 1}),
    (
        r"(?:from )?(?:the )?(?:most|highest|largest|oldest|newest) to (?:the )?(?:least|lowest|smallest|youngest|oldest|fewest)",
        "direction",
        {"desc": True},
    ),
    (
        r"(?:from )?(?:the )?(?:least|lowest|smallest|youngest|oldest|fewest) to (?:the )?(?:most|highest|largest|oldest|newest)",
        "direction",
        {"desc": False},
    ),
    (
        rf"(?:the )?(?:{_N} )?(?P<adj>{_SUPER_COLUMN})(?! (?:and last )?names?\b)(?! day| and last)(?! {_DONE})(?: {_N.replace('?P<n>', '?P<n2>')})?",
        "super_adj",
        {},
    ),
    (
        r"(?:the )?(?P<nth>second|third|fourth|fifth|2nd|3rd|4th|5th)[- ](?:best|highest|largest|biggest|greatest|most)",
        "super",
        {"desc": True},
    ),
    (
        r"(?:(?:came|comes|come|ranked|ranks|rank|placed|finished|was|is) (?:in |at )?(?:the )?"
        r"(?P<nth>second|third|fourth|fifth|2nd|3rd|4th|5th)(?: place)?)(?= (?:by|in|for|on|with|going|per)\b|$)",
        "super",
        {"desc": True, "top": True},
    ),
    (rf"(?:the )?(?:top|first) {_N}|{_N.replace('?P<n>', '?P<n2>')} (?:{HIGH})", "super", {"desc": True, "top": True}),
    (
        rf"(?:the )?(?:bottom|last) {_N}|{_N.replace('?P<n>', '?P<n2>')} (?:{LOW})",
        "super",
        {"desc": False, "top": True},
    ),
    (
        r"(?:the )?(?:most )(?:common|popular|frequent|frequently|often|used|commonly)(?: used)?",
        "popular",
        {"desc": True},
    ),
    (
        r"(?:the )?(?:least )(?:common|popular|frequent|frequently|often|used|commonly)(?: used)?",
        "popular",
        {"desc": False},
    ),
    (r"best[ -]selling|top[ -]selling|most sold|sold (?:the )?most", "bestselling", {"desc": True}),
    (r"worst[ -]selling|least sold|sold (?:the )?least", "bestselling", {"desc": False}),
    (
        r"in (?P<dir>ascending|descending|alphabetical|increasing|decreasing|lexicographical)(?: lexicographical| alphabetical)? order(?: of| by)?(?: the)?",
        "sort",
        {},
    ),
    (
        r"(?:sorted|ordered|(?<!per )(?<!an )(?<!each )(?<!every )(?<!ed )order|sort|ranked|rank|arranged|listed)(?: them)?(?: in)?(?: (?P<dir>ascending|descending|alphabetical|increasing|decreasing|lexicographical))?(?: order)?(?: of| by| according to)(?: the)?",
        "sort",
        {},
    ),
    (r"(?:sorted )?alphabetically", "sort", {"dir": "alphabetical"}),
    (r"(?:in )?(?:descending|decreasing)(?: order)?|desc", "direction", {"desc": True}),
    (r"(?:in )?(?:ascending|increasing)(?: order)?|asc", "direction", {"desc": False}),
    (
        r"how many (?:different|distinct|unique|kinds of|types of)|(?:the )?(?:total )?(?:number|count) of(?: the)? (?:different|distinct|unique)|number of (?:types|kinds) of",
        "count",
        {"distinct": True},
    ),
    (
        r"how many(?: of)?|(?:the )?(?:total )?(?:number|count|#|(?<!average )(?<!mean )(?<!median )amount) of(?: the| all)?(?= )|how often|count(?: of| the| all| how many)*|(?:find|show|give|tell|list) (?:me )?the (?:number|count) of",
        "count",
        {},
    ),
    (r"in total|in all|all told|altogether|all together|in aggregate", "total", {}),
    (
        r"(?:whatever|regardless of|irrespective of|no matter(?: what)?)(?: (?:the|their|its|became|of))* \S+(?: (?:is|was|are))?"
        r"|(?:of|with|in|at) any(?: kind of)? (?:status|state|kind|type|sort)",
        "idle",
        {},
    ),
    (r"at (?:some|any) point|in (?:one|a single) row", "idle", {}),
    (r"number(?= )", "count", {}),
    (r"how much(?: money| revenue)?", "howmuch", {}),
    (
        r"what (?:did|do|does|have|has)(?= .*\b(?:pay|paid|spend|spent|bring in|earn|earned|take in|come to|amount to)\b)",
        "howmuch",
        {},
    ),
    (rf"(?:the )?(?:{HIGH})", "super", {"desc": True}),
    (rf"(?:the )?(?:{LOW})", "super", {"desc": False}),
    (r"(?:the )?(?:average|mean|avg|typical)(?: value)?(?: of)?(?: the)?|on average", "agg", {"fn": "avg"}),
    (r"(?:the )?median(?: value)?(?: of)?(?: the)?", "agg", {"fn": "median"}),
    (r"(?:the )?(?:interpolated )?(?P<n>\d+)(?:st|nd|rd|th) percentile(?: of)?(?: the)?", "agg", {"fn": "median"}),
    (
        r"(?<!average )(?<!median )(?<!highest )(?<!lowest )(?<!mean )(?:the )?(?:total|sum|combined|overall)(?: value| amount| sum)?(?: of)?(?: the)?|add up",
        "agg",
        {"fn": "sum"},
    ),
    (
        r"(?:for|in|of|from|within|at|to|by|per) (?:each|every)(?: of the)?|per|each|every|broken down by|grouped by|split by|across(?: all| the)?(?: different)?|in terms of|for (?:the )?(?:different|various)",
        "group",
        {"each": True},
    ),
    (
        r"(?:(?:as )?(?:going|measured|judged|judging|rated|counted|weighed) (?:by|on)|based on|when it comes to)"
        r"(?: the| their| its)?",
        "basis",
        {},
    ),
    (r"by(?: the| each)?", "group", {}),
    (r"different|distinct|unique|various", "distinct", {}),
    (
        r"(?:start|begin|starting|beginning|starts|begins)s? with(?: the)?(?: letter| letters| word)?|prefix",
        "like",
        {"like": "{}%"},
    ),
    (r"(?:end|ending|ends)s? (?:with|in)(?: the)?(?: letter| letters| word)?", "like", {"like": "%{}"}),
    (
        r"(?:contain|contains|containing|including|includes|include)(?: the)?(?: word| letter| string| letters| substring)?",
        "like",
        {"like": "%{}%"},
    ),
    (
        r"(?:other than|except(?: for)?|excluding|exclude|besides|not (?:in|from|by|equal to)|not|outside(?: of)?|different from|neither|nor)",
        "not",
        {},
    ),
    (r"both", "both", {}),
    (r"or", "or", {}),
)


_CUE_WORDS = tuple(each[0] for each in _CUES)
_NTH = {"second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5}


def find_cues(words: Words) -> list[Cue]:
    """The cues of a question, in its order."""
    found = []
    for place, (start, end, match) in words.find_each(_CUE_WORDS):
        _, kind, data = _CUES[place]
        found.append(Cue(start, end, kind, {**data, **_captured(match)}))
    return sorted(found, key=lambda cue: cue.start)


def _captured(match: re.Match[str]) -> dict[str, Any]:
    parts = {name: text for name, text in match.groupdict().items() if text is not None}
    numbers = {"n": ("n", "n2"), "a": ("a", "a2"), "b": ("b", "b2")}
    read = {name: spoken(parts[each]) for name, names in numbers.items() for each in names if each in parts}
    said: dict[str, Any] = {name: True for name in ("distinct", "money") if name in parts}
    if "times" in parts:
        said["times"] = _FOLDS.get(parts["times"]) or spoken(parts["times"].removesuffix(" times"))
    if "nth" in parts:
        read["nth"] = float(_NTH[parts["nth"]])
    return {**{name: parts[name] for name in ("adj", "dir") if name in parts}, **read, **said}

"""Remarks: what a question says about how its answer looks or reads, which names nothing that a table holds.

"January stays empty", "weeks starting on Monday", "in one row", "year as a number". spec.py takes them out before
anything else reads the question: they neither become conditions nor stand as unexplained words. Only what every answer
meets anyhow is a remark; what would change one must stay in the question.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pluto_duck_text2sql.language.patterns import Pattern

_UNIT = r"(?:hour|day|week|month|quarter|year)"
_MONTH = (
    r"(?:january|february|march|april|(?-i:May)|june|july|august|september|october|november|december"
    r"|(?-i:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec))"
)
_ENDS = r"(?= ?[,.;:?!()]| and\b|$)"
_FIRST = (
    rf"(?:(?:for |in )?(?:the |its |their )?(?:very )?(?:first|earliest|opening)(?: (?:{_UNIT}|one|row|period|bucket)(?:'s \w+)?)?"
    rf"|(?:the )?{_MONTH}(?: \d{{4}})?|q1(?: \d{{4}})?)"
)
_NOTHING = r"(?:empty|blank|null|none|nothing|undefined|no (?:value|figure|number|change|growth|percentage)|without (?:a )?(?:value|figure|change|growth))"
_STAYS = (
    r"(?:is|are|be|being|stays?|staying|remains?|remaining|left|kept|has|have|having|gets?|shows?|may|can|should|will"
    r"|must|would|to|as|therefore|naturally)"
)
_WHY = r"(?:,? (?:as|since|because) [^,.;:?()]*)?"
_JOINED = r"(?:(?:so|and|but|with|where|while) )?"

_WEEKS = (
    rf"{_JOINED}(?:a |the )?weeks? (?:that )?(?:start|begin|run|count)(?:s|ing|ning|ed)?(?: on| from| with)?(?: a)?"
    r" mondays?(?: (?:to|through) sundays?)?",
    r"(?<=, )(?:(?:starting|beginning) (?:on|with|from) )?(?:a )?monday(?: first|(?=$|[.?!]))|monday first",
    r"(?:that is|which (?:is|are)|being) (?:always )?an? monday|(?:always|each) an? monday",
    r"(?:iso|monday[- ](?:based|start|to[- ]sunday))(?= weeks?\b)",
)
"""Weeks begin on Monday here in any case."""

_GAPS = (
    rf"{_JOINED}{_FIRST}(?: {_STAYS})+ {_NOTHING}{_WHY}",
    rf"{_JOINED}(?:leave|leaving|keep|keeping) {_FIRST} {_NOTHING}{_WHY}",
    rf"{_JOINED}{_FIRST} (?:empty|blank|null){_WHY}{_ENDS}",
    rf"{_JOINED}(?:empty|blank|null|none|nothing|no (?:value|figure|change|growth)) (?:for|in) {_FIRST}{_WHY}{_ENDS}",
    rf"{_JOINED}(?:over |from |on )?(?:fewer|less)(?: {_UNIT}s?)? (?:at|in|near|towards) the (?:very )?(?:start|beginning|first|edges?)",
    rf"(?<!in )(?<!for )(?<!of )(?<!during ){_JOINED}{_FIRST}(?: is| being| are)? (?:then )?compared (?:with|to|against) [^,.;:?()]*",
    rf"\({_JOINED}{_FIRST} (?:against|vs\.?|versus|over|with|minus) [^()]*\)",
    rf"\(?{_JOINED}(?:each|every) {_UNIT} with (?:the |its )?up to \w+(?: {_UNIT}s?)? before it\)?",
    rf"{_JOINED}(?:over |from |on )?as many {_UNIT}s? as there (?:are|were)(?: so far| before it| at the start)?",
)
"""The first bucket has nothing before it, and the first windows are short."""

_SHAPE = (
    rf"(?:all |both |everything |shown |put )*(?:in|on|as|into) (?:one|a|just one)(?: single)? (?:row|line){_ENDS}",
    rf"(?<=[,;:.?(] )(?:just |only )?(?:one|a single) (?:row|line){_ENDS}",
    rf",? one (?:line|row) (?:each|for each|apiece){_ENDS}",
    *(
        rf"(?<={unit} )(?:shown |given |written )?as (?:a |an |its |the )?(?:\w+ )?(?:number|integer|date|first day){_ENDS}"
        for unit in ("day", "week", "month", "quarter", "year")
    ),
    r"(?:just |only |please )?(?:list|show|name|give)(?:ing)? (?:each|every)(?: one| name| of them)?"
    rf" (?:only |just )?once{_ENDS}",
)
"""One total is one row; a year is a number, and a longer bucket its first day."""

_RANGES = (
    r"(?:with |and )?(?:that|this|the last|the latest|the final|the first|each|both|either) (?:day|date|end|month|one)s?"
    rf" (?:is |are |being |itself )?(?:counted|included|counting|inclusive|counts)(?: as (?:one|part) of (?:the|those|these|them)(?: \w+)?)?{_ENDS}",
    rf"(?:(?<=\d),? )?\binclusive of both (?:ends|days|dates)|(?<=\d),? inclusive{_ENDS}|both (?:ends|days|dates) inclusive",
    r"(?:and |but |only )?(?:looking at|counting|considering|using|taking|from|within) \d{4}(?:'?s (?:days|weeks|months))? (?:only|alone)"
    rf"{_ENDS}",
    rf"(?:and |but )?(?:using|taking|counting|looking at) {_MONTH}'?s (?:days|weeks) (?:only|alone){_ENDS}",
    r"(?:and |but |only )?(?:looking|look|counting|considering|using|taking|from|within)(?: only)?(?: at)?"
    rf" (?:those|these|that|this|the said)(?: \w+)? {_UNIT}s?(?: only| alone){_ENDS}",
)
"""Both ends of a range count, and what a range was said to be holds throughout."""

_KEPT = (
    rf",? (?:over|for|in|across|within) the (?:whole|entire|full) (?:period|time|time span|data|data set)(?: of the data)?{_ENDS}",
    r"on (?:our|the) files(?= (?:are|is|who|that|which|still|have)\b)",
    rf"(?:(?<=we have )|(?<=are )|(?<=there ))on (?:file|record){_ENDS}",
    rf"on (?:our|the|your) books{_ENDS}",
    r"on (?:its|their|our|the) (?:roster|payroll)(?= (?:and|or)\b|[,.;?!]|$)",
)
"""What is asked is kept in any case; a cabin on record is one that is known."""

_STRESSED = (
    rf",? not even (?:an?|one|the) [\w-]+(?: ones?)?{_ENDS}",
    rf"(?<=running total )(?:since|from) (?:january|the (?:start|beginning) of (?:the|each|that) year){_ENDS}",
    rf",? ?(?:shown |put )?in (?:two|three|separate) columns{_ENDS}",
    rf",? (?:the )?(?!tax|vat)\w+ ones (?:are )?(?:included|counted(?: too| as well)?){_ENDS}",
    rf",? (?:the )?(?!tax|vat)\w+ ones (?:too|as well|count (?:too|as well|also)){_ENDS}",
    rf"(?<=[.?!;:] )(?:the )?[a-z]+ [a-z]+s count (?:too|as well|also){_ENDS}",
    rf"(?<=[.?!;:] )(?:please )?(?:use|take|count) all [a-z]+s{_ENDS}",
    rf"(?:,? )?including (?:the |all |any )?\w+ ones{_ENDS}",
    r",? (?:and )?(?:whatever|regardless of|irrespective of|no matter(?: what)?) (?:the |their |its )?stat(?:us|e)"
    r"(?: (?:is|was|are|were))?(?=[,.;:?!)]|$)",
    rf",? (?:and )?(?:counting|including|also counting)(?: also)? (?:the ones|those|people|everyone|everybody)"
    rf" (?:who|that|which) (?:have |has |had )?(?:already |since )?"
    rf"(?:left|gone|retired|resigned|quit|departed|moved out|moved away|ended|finished|expired|closed)(?: since| already)?{_ENDS}",
    r",? (?:counting|including|considering|taking)(?: the| all)? [a-z]+(?: [a-z]+)? (?:of|with|in|whatever)"
    rf" (?:every|any|all|each|whatever|their|the)(?: [a-z]+)? (?:status|statuses|state|states){_ENDS}",
    r"(?<=^)(?:counting|including|considering) (?:all |both )?"
    r"(?:past (?:and|or) present|present (?:and|or) past|current (?:and|or) former|former (?:and|or) current) [a-z]+,",
    r",? (?:whether )?(?:past (?:and|or) present|present (?:and|or) past|current (?:and|or) former|former (?:and|or) current)"
    r"(?= ?[,.;:?!])",
)
"""What is said again of what holds anyhow."""

_NONE = r"(?:nobody|no one|none|nothing)"
_WITHOUT_ANY = (
    rf"(?<=[.?!;:] )only {_UNIT}s with (?:any )?[a-z]+{_ENDS}",
    rf"(?<=[.?!;:] ){_UNIT}s without (?:an? |any )?[a-z]+ (?:can|may|should|need not|are) (?:be )?(?:left out|omitted|skipped"
    rf"|dropped|ignored|missing|appear){_ENDS}",
    rf"(?<=[.?!;:] )[a-z]+ (?:that )?{_NONE} [a-z]+(?: (?:in|at|for|on))? (?:don['’]t|do not|does not|need not) (?:count|appear)"
    rf"{_ENDS}",
    rf",? ?(?:and |but )?(?:skip|omit)(?:ping|ting)? (?:the )?[a-z]+ without any(?: [a-z]+)?{_ENDS}",
    rf"(?<=[.?!;:] )(?:if|where|when) (?:several|more than one|two or more) share (?:it|that|the [a-z]+),? (?:please )?"
    rf"(?:show|list|name|give)(?: me)?(?: them)? all(?: of them)?{_ENDS}",
)
"""Groups without any row are in no answer anyhow, and those that share a place are all in it."""

_GAP = r"\s*(?:[,.:;!–—]|\s-)\s*"
_ROLE = r"(?!(?:number|average|share|total|who|that|which)\b)[a-z][\w-]*"
_SOMEBODY = (
    rf"(?:somebody|someone|marketing|sales|finance|accounting|(?:the |our )?[\w-]+ team|(?:my|our|the|an?) {_ROLE}(?: {_ROLE})?)"
    r"(?: (?:from|in|at|of) (?:the |our )?[\w-]+| upstairs| downstairs| here)?"
)
_QUESTION = r"(?:(?:in|on|at|for|of|by|to|from) )?(?:which|what|who|whose|how|when|where)\b"
_THINGS = r"(?:the|our|all|every|each|names?)\b"
_ASKS = (
    rf"(?:(?:just |now |still |also )?(?:asks|wonders|is asking)(?: me| us)?(?::|(?= {_QUESTION})| for(?= {_THINGS}))"
    r"|(?:just |now |also )?(?:wants?|needs?|(?:would|['’]d) (?:like|love)) to (?:know|see|hear|find out|understand)"
    rf"(?::|(?= (?:{_QUESTION}|{_THINGS}))))"
)
_OPENINGS = (
    rf"^(?:hi|hello|hey|good (?:morning|afternoon|evening|day))(?: there| all| team| everyone| everybody)?{_GAP}",
    rf"^(?:i['’]m )?sorry (?:to (?:bother|disturb|trouble)|for (?:bothering|disturbing|troubling)) you(?: again| once more)?{_GAP}",
    rf"^(?:thanks|thank you|cheers)(?: very much| a lot| so much)?{_GAP}(?:\s*(?:and )?now\b,?)?(?= \w+ \w)",
    rf"^{_SOMEBODY} {_ASKS}",
    rf"^(?:(?:i['’]m|i am) (?:still )?new (?:here|to this|in the team|to the (?:team|company))|sorry|out of curiosity){_GAP}",
    rf"^(?:a |one |just a )?(?:quick|small|silly|basic|simple) (?:question|one){_GAP}",
    r"^(?:for|as part of) (?:the|my|our|a|this) (?:\w+ )?(?:report|board(?: meeting)?|meeting|presentation|slides?|deck"
    rf"|newsletter|audit|budget|review|tax return|records){_GAP}(?=\w+ )",
)
"""What a question begins with and asks nothing."""

_COURTESY = (
    rf",? (?:obviously|of course|needless to say|if (?:you can|possible|that['’]s (?:possible|ok|okay|alright))|thank you|thanks|cheers)(?: very much| a lot| so much)?{_ENDS}",
    r"(?<=\w )(?:will do|will suffice|would do|would be (?:enough|fine|great|nice|lovely|perfect))(?: nicely| just fine)?(?= ?[.!;]|$)",
    r"(?<=\w )(?:is|are) all (?:i|we) (?:need|want)(?= ?[.!;]|$)",
)
"""What is said to be polite, or that what is listed is enough."""

UNKNOWN_LAST = (
    r"(?:(?:the )?(?:unknown|missing|blank|empty)|(?:the |those |the ones )?(?:without|with no)(?: an?)?)(?: \w+){0,2}"
    r" (?:come |comes |go |goes |shown )?(?:last|at the (?:very )?(?:end|bottom))"
)
_ORDER = (
    rf"{_JOINED}(?:the )?\d{{4}} (?:is |comes |goes |shown |as the )?first(?:,? (?:and )?(?:then )?\d{{4}}(?: second| next| after)?)?{_ENDS}",
    rf"{_JOINED}{UNKNOWN_LAST}{_ENDS}",
)
"""Which of two years comes first is read of the whole question (pairs.py), and where what is unknown comes (ties.py)."""

_REMARK = Pattern(
    rf"(?<!\w)(?:{'|'.join(f'(?:{each})' for each in (*_WEEKS, *_GAPS, *_SHAPE, *_RANGES, *_KEPT, *_STRESSED, *_WITHOUT_ANY, *_OPENINGS, *_COURTESY, *_ORDER))})(?!\w)",
    re.IGNORECASE,
)
_AROUND = Pattern(
    r"\(\s*[,;]?\s*\)|[,;:]\s*(?=[,.;:?!)])|(?<=[.?!])\s*[,;]+|\s+(?=[,.;:?!)])|(?<=[.?!])\s*[.?!]+|^[\s,;:.]+|[\s,;:]+$"
)


_SENTENCE = Pattern(r"^(?P<told>(?:[^.!?:]|(?<=\d)\.(?=\d)){8,}?)[.!] +(?P<asked>\S.+)$", re.DOTALL)
_TALK = Pattern(
    r"\b(?:complain(?:s|ing|ed)?|thought|thinks?|believes?|wonders?|wondering|suspects?|heard|hears?)\b", re.IGNORECASE
)
_NAME = Pattern(r"(?<=\S )[A-Z][a-z]")
"""What is written as a name within a sentence may be stored."""
_SAYS_WHICH = Pattern(
    r"^(?:only|just|please|use|take|count|consider|ignore|exclude|include|leave|list|show|give|find|get|compare|for each"
    r"|how|what|which|who|when|where|is|are|do|does|did|can|could)\b|\b(?:means?|meaning|counts?|defined|if|only|today|yesterday|last|next|month|quarter|year|week"
    r"|names?|\d{4}|january|february|march|april|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
_LEANS = Pattern(
    r"\b(?:this|that|these|those|it(?! takes?\b| took\b)|its|them|they|their|he|she|his|her|him|two|both|then|there|such|same)\b"
    r"|\b(?:before|after)(?=[,.?!]|$)",
    re.IGNORECASE,
)
_BEGINS = Pattern(
    r"^(?:how|what|which|who|whose|when|where|is|are|was|were|do|does|did|show|list|give|find|count|compare|for each"
    r"|per|please|can|could|average|total|number)\b",
    re.IGNORECASE,
)


def _without_talk(question: str) -> str:
    """A question less the sentence of talk before it, which says nothing of what is asked: `GPs are complaining again.`

    What names somebody, a time, a rule or what the question leans on is no talk.
    """
    found = _SENTENCE.match(question.strip())
    told = found["told"].strip() if found else ""
    is_talk = _TALK.search(told) and not _SAYS_WHICH.search(told) and not _NAME.search(told)
    if not found or not is_talk or not _BEGINS.match(found["asked"]) or _LEANS.search(found["asked"]):
        return question
    return found["asked"]


@lru_cache(maxsize=1_024)
def without_remarks(question: str) -> str:
    """The question less its remarks; itself where it has none, or nothing else. Kept for the last texts, which many
    rules look at."""
    kept = _REMARK.sub(" ", _without_talk(question))
    return question if kept == question or not re.search(r"\w", kept) else without_remarks(tidy(kept))


def tidy(text: str) -> str:
    """A text out of which parts were taken, without the commas and brackets that stood around them."""
    text = re.sub(r"[ \t]+", " ", text)
    while (less := _AROUND.sub("", text)) != text:
        text = less
    return text

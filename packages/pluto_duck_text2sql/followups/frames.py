"""The words that frame a follow-up: "and", "only", "instead", "as a share", "all years", "the first one".

They are taken out of the text, each noted under its kind; what is left names things and is read as a fragment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_IT = r"(?:it|that|this|them|those|these|they|everything|the (?:list|results?|rows?|table|answers?|numbers?|figures?))"
_BE = r"(?:is|are|was|were|do|does|did|has|have|had|would|be|come|make|makes)"
_PART = r"(?P<unit>shares?|proportions?|fractions?|percentages?|percents?|per cent|parts?|%)"
_STOP = r"(?=\s*(?:$|[,.;:?!]))"
_ROW = r"first|second|third|fourth|fifth|last|top|best|1st|2nd|3rd|4th|5th|highest|biggest|largest|lowest|smallest"
_DAY = r"years?|quarters?|months?|weeks?|days?|dates?|periods?|times?|time"
_SHOW = r"(?:show|list|give|get|display|print|see|name|tell|return|open|fetch)(?: (?:me|us))?(?! (?:it|that|this) (?:by|per|as|in)\b)"

PEELS: tuple[tuple[str, str], ...] = (
    (
        "undo",
        r"^(?:please )?(?:undo(?: (?:that|this|it|the last(?: \w+)?))?|(?:go|step|take me) back(?: (?:one|a) (?:step|question))?"
        r"|(?:go )?back to (?:the )?(?:one |result |question |answer )?(?:previous|before|last|earlier)(?: \w+)?|revert(?: \w+){0,3}"
        r"|never ?mind(?: that)?|scratch that|forget (?:that|it|the last \w+)|(?:take|leave) that back|as before)\W*$",
    ),
    ("polite", r"\b(?:please|thanks|thank you|for me)\b"),
    (
        "lead",
        r"^(?:(?:and|but|or|so|ok(?:ay)?|now|then|well|right|alright|great|good|hmm?|yes|yeah|next|actually)\b[\s,.!]*)+",
    ),
    ("also", r"^(?:also|additionally|in addition)\b,?"),
    (
        "polite",
        r"^(?:can|could|would) (?:you|i|we)(?: also| please)?(?: see| have| get)?|^i(?:'d| would)? (?:like|want|need)(?: to (?:see|know|have))?\b",
    ),
    ("polite", r"^(?:let'?s|let me|let us)\b(?: (?:see|have|look at|take|do|try))?"),
    ("about", r"^(?:what|how) (?:about|of)\b|^i meant?\b|^and\b"),
    (
        "same",
        r"^(?:do |show |give |run |repeat )?(?:me )?(?:exactly )?(?:the )?same(?: (?:thing|question|query|figures?|numbers?|results?|breakdown|report|list|table|analysis))?(?: again)?,?(?: but)?(?: just)?(?: (?:with|using))?\b",
    ),
    ("same", r"^(?:do|repeat|run) (?:that|it|this)(?: again)?\b,?(?: but)?"),
    (
        "change",
        r"^(?:change|set|switch|update|move) (?:the )?(?:period|time ?frame|time|date range|dates?|range|limit|filter|grouping|measure|metric|year|month|quarter|sort order|order)(?: from [\w ]+?)? to\b",
    ),
    ("change", r"^(?:make|change|switch|turn|set)(?: (?:it|that|this|them))?(?: (?:to|into))?\b(?=\s)"),
    (
        "undropped",
        r"^(?:drop|remove|clear|delete|lift|ignore|take (?:off|out|away)|leave out|without|no)(?: (?:the|that|this|any|all|those|these))*(?: last| previous)? ?(?P<noun>[\w#' -]*?) ?(?:filters?|restrictions?|conditions?|constraints?|limitations?)\b",
    ),
    (
        "unlimited",
        r"^(?:(?:drop|remove|clear|lift|without|no)(?: (?:the|that|any))* (?:limit|cut|cut-?off)|"
        + _SHOW
        + r" (?:all|everything|the whole list|the full list|the complete list|the rest)(?: of (?:them|it|those))?(?: rows)?|(?:all|every one) of (?:them|those|these)|not (?:just|only) the (?:top|first|best) ?\w*)\W*$",
    ),
    (
        "share",
        rf"(?:what|which|how big an?|how large an?|what's the|what is the) {_PART}(?: of (?P<whole>[\w' ]+?))? {_BE} (?:that|this|it|those|they|these|them)\b(?: (?:make up|represent|account for|of (?P<of>(?:the |all )?[\w ]+)))?",
    ),
    (
        "share",
        rf"(?:(?:(?:show|give|express|see) {_IT} )?(?:expressed )?(?:as|in|into) (?:an? |the |their |its )?|\b(?:the |their |its )?|^)(?:relative )?{_PART}(?: (?:shares?|values?|terms?|form|points?))?(?: (?:of|to|in|from) (?:the |all |its |their )*(?:grand |overall )?(?:total|whole|sum|all|overall)s?(?: [\w ]+)?)?{_STOP}",
    ),
    (
        "share",
        r"(?:relative|in relation|in proportion|compared|proportional) to (?:the |all |their )*(?:grand |overall )?(?:total|whole|sum)s?|normali[sz]ed?(?: (?:it|them|that))?|out of the (?:total|whole)|proportionally",
    ),
    (
        "more",
        rf"(?:by )?how (?:many|much) (?P<sign>more|less|fewer|higher|lower|greater|bigger|better|worse|larger|smaller)\b(?: {_BE} (?:that|this|it|those|they|there)(?: now)?\b)?(?: {_BE}\b)?(?: (?:now|more))?",
    ),
    (
        "difference",
        r"(?:what(?:'s| is| was| are)|show(?: me)?|give(?: me)?|and)? ?(?:the )?(?:differences?|gap|delta|margin)(?: (?:between|of) (?:the two|them|both|these(?: two)?|those(?: two)?|these numbers|the two \w+))?\b",
    ),
    ("difference", r"subtract (?:the two|them|one from the other)"),
    (
        "growth",
        r"(?:by )?(?:how much|what percent(?:age)?|how) (?:did|has|have|does) (?:it|that|this|they|those)(?: (?:been|be))? (?:grow|grown|increase|increased|change|changed|rise|risen|fall|fallen|drop|dropped|decrease|decreased|decline|declined|improve|improved)\b(?: (?:from|since|compared (?:to|with)|over|against|on|versus|vs))?",
    ),
    (
        "growth",
        r"(?:what(?:'s| is| was) )?(?:the )?(?P<percent>percent(?:age)? |relative )?(?:change|growth|increase|decrease)(?: rate)? (?:from|since|compared (?:to|with)|over|against|on|versus|vs)\b",
    ),
    (
        "versus",
        r"(?:and )?how (?:does|do|did) (?:that|it|this|they|those) compare(?:d)? (?:to|with|against)\b|(?:compared?|comparing|compare (?:it|that|this|them|those)|put (?:it|that) next to|side by side)(?: (?:it|that|this|them))? ?(?:to|with|against)\b|^(?:in comparison (?:to|with)|versus|vs\.?|against|next to|alongside)\b",
    ),
    (
        "sumup",
        r"what (?:do|does|did|would|is|are|was) (?:they|those|these|that|it|them|this)(?: all)? (?:add up to|sum(?: up)? to|total(?: up)?|come to|amount to|make|cost|add up)\b(?: (?:in total|altogether|all together|in all|overall|together))?",
    ),
    (
        "sumup",
        r"^(?:add|sum|total|count) (?:them|those|it|these|that)(?: all)?(?: up| together)?\W*$|^how (?:much|many) (?:is|are|was|were) (?:that|it|those|they|this|there)(?: (?:in total|altogether|all together|in all|overall))?\W*$|^(?:what(?:'s| is| was) (?:the|their) (?:sum|grand total|total|sum total))\W*$",
    ),
    (
        "count",
        r"^(?:and )?how many (?:of|among) (?:them|those|these)\b(?: (?:are|is|were|do|did|have|has)(?: there)?)?",
    ),
    (
        "count",
        r"^how many(?: (?:are there|are they|is that|of (?:them|those|these)(?: are there)?|rows(?: are there)?|results?))?\W*$",
    ),
    (
        "ungroup",
        r"(?:as (?:one|a single) (?:number|figure|total)|\ball together\b|\baltogether\b|\bin total\b|\bin all\b|\boverall\b|\bcombined\b|\bnot (?:broken down|split|grouped)\b(?: by \w+)?|(?:without|drop|remove|no) (?:the )?(?:breakdown|grouping|split)\b(?: by \w+)?|^just the total\b|^(?:the )?(?:grand )?total\W*$)",
    ),
    (
        "breakdown",
        rf"(?:(?:break|split|divide|drill|slice|segment|separate)(?: (?:{_IT}|each))?(?: (?:down|up|out|further|into))*|further broken down|broken(?: (?:down|out|up))?|(?:with )?a? ?breakdown|grouped|aggregated?|group(?: {_IT})?|show {_IT}|give (?:me |us )?{_IT}|{_IT})(?= (?:by|per|for each|for every|in each|across|monthly|weekly|daily|yearly|quarterly|annually|over time)\b)",
    ),
    (
        "each",
        r"\b(?:(?:do|does|did|has|have|had|is|are|was|were) each(?: (?:of them|of those|one))?|for each(?: (?:of (?:them|those|these)|one))?|each (?:of (?:them|those|these)|one)|per (?:row|line)|each"
        + _STOP
        + r")(?= (?:have|has|had|make|place|get|cost|hold|own|contain)\b|\W*$|,)",
    ),
    (
        "instead_of",
        r",?\s*\b(?:instead of|rather than|in place of|, not(?= by| per| the))\s+(?:by |per )?(?P<old>[^,.;?]+?)(?=$|[,.;?]|\s(?:show|give|use|take|by|per)\s)[,.;]?",
    ),
    ("instead", r",?\s*\b(?:instead|rather|this time|in its place)\b"),
    (
        "also",
        r"\b(?:too|as well|in addition|additionally|also)\b|^(?:add|include|append|plus|along with|together with)\b(?: in)?(?: an?)?(?: (?:the )?columns? (?:for|of|with))?|^with(?= (?:their|its|the)\b)",
    ),
    ("again", r"\bagain\b"),
    (
        "reverse",
        rf"(?:reverse|flip|invert|turn around)(?: (?:the )?(?:sort(?:ing)?|order(?:ing)?|{_IT})(?: order)?)?|(?:in )?(?:the )?(?:other way (?:a)?round|opposite (?:order|direction)|reversed?(?: order)?)",
    ),
    (
        "sort_that",
        rf"(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?|arrange[d]?)(?: (?:{_IT}))?(?: (?:by|on|according to|in) (?:that|this|it|the (?:result|number|value|measure|figure|last column)s?|those numbers))?(?=\s*(?:$|[,.;?]|from|in (?:de|a)scending|ascending|descending|highest|lowest|largest|smallest|best|worst))",
    ),
    ("of_that", r"(?<=order) (?:of|by) (?:that|this|it|those numbers)\b"),
    ("all", r"^(?:restore|bring back|put back) (?:all )?(?:the )?(?P<noun>[\w' -]+)$"),
    (
        "all",
        r"\b(?:for|over|across|in|to|of|from|on|by|at|with|including|include|through|throughout)? ?(?:all|any|whatever|whichever|regardless of|irrespective of|no matter (?:which|what|the)|independent of|not (?:just|only)(?: (?:in|for|from))?)(?: of)?(?: (?:the|our|other|possible))? (?P<noun>(?:[\w']+ ){0,2}?[\w']+)(?: (?:together|combined|taken together|there are|this time))?(?=\s*(?:$|[,.;:?!]| but\b| and\b))",
    ),
    (
        "all",
        rf"\b(?:(?:for|of|over|across) )?all[- ](?P<noun>time)\b|\b(?:the )?(?P<noun2>ever|worldwide|globally|everywhere|everyone|everybody)\b|\b(?:over|for) the (?:whole|entire|full) (?P<noun3>{_DAY})\b",
    ),
    (
        "restrict",
        rf"^(?:filter|restrict|limit|narrow|reduce|focus|cut|keep|trim)(?:ed)?(?: {_IT}| only)?(?: down)?(?: (?:to|by|on|for|at))?(?: only)?\b(?: (?:those|the ones))?",
    ),
    ("only", r"\b(?:only|just|solely|exclusively|nothing but)\b"),
    (
        "row",
        rf"\b(?:of|for|by|from|behind|in|on|about|with)? ?(?:only )?(?:the )?(?P<which>{_ROW}) (?:one|row|entry|result|line)(?!s)\b(?: (?:there|listed|shown))?",
    ),
    ("row", r"\b(?:of|for|by|from|behind|in|on|about) (?:that|this) one\b"),
    (
        "behind",
        rf"\b(?:behind|underlying|that make up|which make up|making up|that went into|which went into|contributing to|included in|counted in|counted(?: there)?|there)\b(?: {_IT}\b(?: \w+)?)?|\b(?:of|for|in) (?:that|this) (?:number|figure|total|count|sum)\b|\bunderlying\b",
    ),
    (
        "which",
        r"^(?:which|what|who)(?: ones?)?(?: of (?:them|those|these)| among (?:them|those|these))\b|^(?:which|what|who) (?:ones?|are they|were they|are those|were those|is (?:it|that))\b|^(?:which|who)\W*$",
    ),
    ("which", rf"^(?:drill|zoom) (?:down|in|through)(?: (?:into|to|on))?(?: {_IT})?"),
    ("show", rf"^{_SHOW}(?: also)?\b"),
    (
        "spec",
        r"(?:,|:|;|\.|\bbut|\bwith) *(?:only |just )?(?:the |their )?(?P<columns>[^,:;][^:;]*?(?:,[^:;]*)?) *(?:only)?$",
    ),
)
"""Kinds of framing words and their patterns, in the order in which they are taken out."""

_LIMITS = frozenset(("spec",))
_ANAPHOR = re.compile(
    r"\b(?:them|they|those|these|their|theirs|its|it|ones?|the (?:two|three|same|former|latter)|both|thereof|that|this|each)\b",
    re.IGNORECASE,
)
_OWNED = re.compile(r"\b(?:their|its|his|her)\b", re.IGNORECASE)
_OF_THEM = re.compile(r"\b(?:of|among) (?:them|those|these)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Frame:
    """What the framing words say, by kind with the parts of their match, and the text that is left."""

    text: str
    said: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    rest: str = ""
    drops: tuple[str, ...] = ()

    def has(self, *kinds: str) -> bool:
        return any(kind in self.said for kind in kinds)

    @property
    def of_them(self) -> bool:
        """Whether it speaks of the rows just shown, as those."""
        return bool(_OF_THEM.search(self.text))

    @property
    def owned(self) -> bool:
        """Whether it speaks of what belongs to the rows just shown: their, its."""
        return bool(_OWNED.search(self.text))

    @property
    def without_lead(self) -> str:
        """The text without "and" or "what about" before it."""
        lead = re.compile("|".join(pattern for kind, pattern in PEELS if kind in ("lead", "about")), re.IGNORECASE)
        return lead.sub("", self.text).strip() or self.text

    def part(self, kind: str, name: str) -> str:
        """What a part of the pattern of a kind matched; nothing where it is not there."""
        return self.said.get(kind, {}).get(name, "") or ""


def framed(question: str) -> Frame:
    """The frame of a question."""
    text = re.sub(r"\s+", " ", question).strip(" ?!.")
    said: dict[str, Mapping[str, str]] = {}
    drops: list[str] = []
    rest = text
    for kind, pattern in PEELS:
        if kind in _LIMITS and "show" not in said:
            continue
        rest = _peeled(rest, kind, pattern, said, drops)
    return Frame(text, said, rest.strip(" ,;:.?!"), tuple(drops))


def _peeled(rest: str, kind: str, pattern: str, said: dict[str, Mapping[str, str]], drops: list[str]) -> str:
    found = re.search(pattern, rest, re.IGNORECASE)
    if found is None or not found[0].strip():
        return rest
    said.setdefault(kind, {"": found[0].strip(), **{key: text for key, text in found.groupdict().items() if text}})
    if kind == "all":
        drops += [text for text in found.groupdict().values() if text]
    left = f"{rest[: found.start()]} {rest[found.end() :]}"
    again = re.sub(r"\s+", " ", left).strip(" ,;")
    return _peeled(again, kind, pattern, said, drops) if kind == "all" else again


def has_anaphor(text: str) -> bool:
    """Whether words of it stand for something said before."""
    return bool(_ANAPHOR.search(text))

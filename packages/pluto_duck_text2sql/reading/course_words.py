"""What a question says of a figure's course along time, taken apart: the figure itself, and what is made of it.

`orders by month with the change on the month before: month, orders, change` is `orders by month` and a change. Pure
texts; `courses.py` asks for the figure and computes the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy, without_remarks
from pluto_duck_text2sql.language.words import NUMBER_WORDS, spoken
from pluto_duck_text2sql.reading.frames import UNIT, same
from pluto_duck_text2sql.reading.spec import parts_after, parts_of, split_aside

Kind = Literal["growth", "running", "moving"]
_N = rf"(?:\d+|{'|'.join(NUMBER_WORDS)})"
_EARLIER = (
    rf"(?:(?:previous|preceding|prior|last) (?:{UNIT}|period|one)|(?:{UNIT}|period|one) (?:before|earlier|prior))"
)
_A_YEAR_AGO = rf"same (?:{UNIT}) (?:of |in )?(?:the |a |one )?(?:(?:last|previous|prior|preceding) year|year (?:before|earlier|ago))"
_SAME_OF_YEAR = Pattern(rf"(?P<same>\bsame (?:{UNIT})) (?:of|in) (?P<year>(?:19|20)\d\d)\b", re.IGNORECASE)
_AGAINST = (
    r"(?:(?:as )?(?:compared|relative) (?:to|with)|from|over|against|versus|vs\.?|on|than|to|since|with)"
    rf"(?: its| that of| those of| the one of)?(?: in| for)?(?: the| a| one)? (?:(?P<yearly>{_A_YEAR_AGO})|{_EARLIER})"
    r"(?: it| that)?"
)
_MOVES = Pattern(
    r"\b(?:chang\w*|gr[eo]w\w*|increas\w*|decreas\w*|ris\w*|rose|f[ea]ll\w*|drop\w*|percent\w*|pct|declin\w*|differ\w*|compar\w*"
    r"|diff|delta|up or down|more or (?:fewer|less)|\w+ more|\w+ fewer)(?!\w)|%",
    re.IGNORECASE,
)
_OVER = rf"(?:(?P<unit>{UNIT})(?:,? (?:by|after|to|over|on|upon|for) |-(?:over|on|by|to)-)(?P=unit))"
_SHORT = {"mom": "month", "qoq": "quarter", "yoy": "year", "wow": "week", "dod": "day"}
MOVING = Pattern(
    rf"(?:(?P<n>{_N})[ -](?P<unit>{UNIT})s?[ -])?(?:moving|rolling|trailing|sliding)(?:[ -](?P<n2>{_N})[ -](?P<unit2>{UNIT})s?)?"
    rf"[ -](?:average|avg|mean)s?(?: (?:over|of|across) (?P<n3>{_N}) (?P<unit3>{UNIT})s?)?"
    rf"|smooth(?:ed|ing)?(?: out)?(?: (?:over|by|across|with|using) (?:a window of )?(?P<n4>{_N}) (?P<unit4>{UNIT})s?)?"
    rf"|averaged over (?:the last )?(?P<n5>{_N}) (?P<unit5>{UNIT})s?",
    re.IGNORECASE,
)
_FROM_START = r"since (?:the )?(?:start|beginning|first day) of (?:the|each|every|that) year|since january|(?<!this )(?<!last )(?<!current )year[- ]to[- ]date"
_YEAR_TO_DATE = Pattern(r"year[- ]to[- ]date", re.IGNORECASE)
"""By month, the sum so far of each; else a period."""
_SINCE = Pattern(rf"(?:{_FROM_START})$", re.IGNORECASE)
_RESTARTS = (
    r",? ?\b(?:(?:with)?in (?:each|every|the same|its) (?:calendar )?year(?! to)"
    r"|(?:and |that |which )?(?:(?:re)?start|begin|reset)(?:s|ing)?(?: again| over| anew| afresh| (?:from|at) zero)*"
    r" (?:with |in |at the (?:start|beginning) of )?(?:each|every) (?:new )?(?:calendar )?(?:year|january)"
    r"|since january (?:of|in) (?:each|every|the same|that) year)"
)
"""Where a running total begins again."""
RUNNING = Pattern(
    r"(?:running|cumulative|cumulated|accumulated)(?: (?:total|sum|count|number)s?)?|cumulatively"
    r"|(?:piled|adding|added|add|adds|built|building|summed|stacked|stacking) up(?= since| so far| to| until| over| in| by| week| month| day| quarter| year|[,.;:]|$)"
    rf"|so far(?! this)|to date|(?:up )?(?:to|until) (?:then|that (?:point|{UNIT}))|since (?:the )?(?:very )?(?:first day|start|beginning)(?! of)"
    rf"|accumulat\w+|{_FROM_START}",
    re.IGNORECASE,
)
_PART = Pattern(r"%|\b(?:percent\w*|pct|fraction|rate|growth|gr[eo]w\w*)(?!\w)", re.IGNORECASE)
IN_PERCENT = Pattern(r"%|\b(?:percent\w*|pct)\b", re.IGNORECASE)
_JOIN = r"(?:,|;|\band\b|\bwith\b|\bplus\b|\btogether with\b|\balong with\b|\bincluding\b|\s[-–—]\s)"
_DEVELOPS = Pattern(
    r"^(?:so,? )?(?:how|tell me how|show (?:me )?how) (?:did|do|does|have|has) (?:the )?(?P<what>.+?)"
    r" (?:develop(?:ed)?|changed?|evolved?|gr[eo]wn?|moved?|progress(?:ed)?|add up|accumulated?|pile up|build up|go|gone"
    r"|fared?)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
_BY_HOW = Pattern(
    r"^by (?P<how>how (?:many percent|much)|(?:what|which) (?:percent\w*|rate)) (?:did|do|does|have|has) (?:the )?(?P<what>.+?)"
    r" (?:changed?|gr[eo]wn?|ris\w+|increased?|decreased?|fall\w*|dropp?\w*|declined?)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
_HOW_MANY_MORE = Pattern(
    rf"\bhow (?P<many>many|much) (?:more|fewer|less)(?: (?:or|and) (?:more|fewer|less))? (?P<what>(?!(?:or|and|than|that|it|this|is|are|were|was)\b).+?),? than (?:(?:in|on|for) )?"
    rf"(?:the |a |one )?(?:(?P<yearly>{_A_YEAR_AGO})|{_EARLIER})",
    re.IGNORECASE,
)
"""`how many more orders did we get each month than the month before`: only the change is asked for."""
_SINGLES = r"(?:\((?:each|every|a|the|that|one) (?:day|week|month|quarter|year) (?:itself |together )?(?:with|and|plus)[^)]*\))"
_LED = Pattern(
    rf"^(?:what (?:is|was|were|are) )?(?:the )?(?:(?:{'|'.join(_SHORT)}) )?(?:%|percent(?:age)?)? ?(?:change|growth|difference)(?: rate)?s? (?:of|in) (?:the )?",
    re.IGNORECASE,
)
_SAID = Pattern(rf"{_AGAINST}(?:,? (?:in|as) (?:a |an )?(?:%|percent\w*|pct|fraction))?", re.IGNORECASE)
_LIGHT = (
    r"(?:the|a|an|its|their|what|is|was|are|were|how|much|many|it|they|that|which|this|comes?|came|to|makes?|made"
    r"|running|total|sum|count|number|together|with|in|and|also|of|all|them|had|has|have)"
)
_SUM = rf",? ?{_JOIN}(?: ?{_LIGHT}\b)* ?(?:{RUNNING.pattern})(?: (?:{_FROM_START}))?"
_OF_CLAUSE = Pattern(
    rf"{_LIGHT}|by|or|did|does|do|each|went|goes|up|down|in|as|many|plus|percentage|points?|{UNIT}|{UNIT}ly|daily",
    re.IGNORECASE,
)
_GRAIN = Pattern(rf"^(?:the |each |every )?(?P<unit>{UNIT})s?(?: as an? \w+)?$", re.IGNORECASE)
_LATE_FIRST = Pattern(r"^(?:the )?(?:newest|latest|most recent)(?: \w+)? first$", re.IGNORECASE)
_ORDER = Pattern(
    r"^(?:nothing|none|empty|blank|no \w+) (?:for|in) .+$|^(?:the )?(?:\w+ (?:\w+ )?first|in (?:\w+ )?order(?: of .+)?|chronologically|sorted .+|ordered .+|(?:ascending|descending)(?: by .+)?)$",
    re.IGNORECASE,
)


_YEARLY = Pattern(r"\b(?:yoy|year[- ](?:over|on|to|by)[- ]year)\b,?", re.IGNORECASE)
_FINER = Pattern(
    r"\b(?:(?:by|per|each|every) (?:the )?(?:calendar )?(?P<unit>week|month|quarter)|(?P<ly>week|month|quarter)ly)\b",
    re.IGNORECASE,
)
_IN_PERCENT_OF = Pattern(
    r"\b(?P<move>changes?|growth|increases?|differences?),? (?:in|as an?) (?:%|percent(?:age)?) (?P<of>of|in)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Course:
    """A figure (`of`, a question of its own) and what is made of it along time.

    `phrases` are the columns listed, `last` how many buckets a moving average spans, `within` a year at which a sum
    starts anew, `yearly` a change against the same bucket a year before.
    """

    kind: Kind
    of: str
    phrases: tuple[str, ...] = ()
    unit: str = ""
    last: int = 3
    within: bool = False
    yearly: bool = False
    scale: int = 1
    is_difference: bool = False
    shows_figure: bool = False
    descending: bool = False


_FIRST_ONE = Pattern(
    r" ?(?:\(|(?<=[.;:,?])|,? with| for) ?(?:for |with )?(?:the )?(?:january|first (?:day|week|month|quarter|year))"
    r"(?: (?:19|20)\d\d)?,? (?:is |being )?(?:compare[sd]?|against|versus|vs|has no|(?:may|can|should) (?:stay|be))\b[^.;)]*[.)]?",
    re.IGNORECASE,
)
"""What the first of the periods is compared with, which `wide` knows."""
_AS_DIFFERENCE = Pattern(
    r" ?\((?:as )?(?:an? )?(?:absolute )?differences?[^)]*\)|,? in absolute (?:terms|numbers|figures)", re.IGNORECASE
)
_COMPARE_WITH_BEFORE = Pattern(
    rf"^(?:please )?compare (?P<what>.+?) (?:with|to) (?:that of |those of )?the (?:(?:previous|preceding|prior) (?:{UNIT})"
    rf"|(?:{UNIT}) before)(?=[:;.])",
    re.IGNORECASE,
)


def course_of(question: str) -> Course | None:
    """What a question says of a course; None where it says none."""
    text = _SAME_OF_YEAR.sub(_of_the_year_before, without_remarks(_AS_DIFFERENCE.sub("", _FIRST_ONE.sub("", question))))
    text = _year_before(_COMPARE_WITH_BEFORE.sub(r"\g<what>", text))
    rest, aside = split_aside(re.sub(_SINGLES, " ", text, flags=re.IGNORECASE))
    rest, only = _without_only(rest)
    main, phrases = _listed(rest)
    by_how = _BY_HOW.match(same(main))
    text = _grained(f"{by_how['what']}{by_how['rest']}" if by_how else same(main))
    orders = [each for each in phrases if _ORDER.match(each)]
    kept = tuple(each for each in phrases if each not in orders)
    whole = " ".join((text, *kept))
    for make in (_more, _moving, _growth, _running):
        found = make(text, kept, whole)
        of = f"{_by_unit(found)}{only}{aside}" if found else ""
        if found and _says_grain(of):
            late = any(_LATE_FIRST.match(each) for each in orders)
            found = replace(found, of=of, phrases=kept, descending=late)
            in_percent = by_how is not None and bool(IN_PERCENT.search(by_how["how"]))
            return replace(found, scale=100, is_difference=False) if in_percent and found.kind == "growth" else found
    return _by_how_much(by_how, f"{text}{only}{aside}", kept) if by_how else None


def _by_how_much(said: re.Match[str], of: str, phrases: tuple[str, ...]) -> Course | None:
    """`by how much did MRR change month over month`: the change alone, from each to the next."""
    if not re.search(_OVER, said["rest"], re.IGNORECASE) or len(re.findall(rf"\bby (?:{UNIT})\b", of)) != 1:
        return None
    is_part = bool(IN_PERCENT.search(said["how"]))
    return Course("growth", of, phrases, scale=100 if is_part else 1, is_difference=not is_part)


def _of_the_year_before(found: re.Match[str]) -> str:
    """`the same quarter of 2023`, where 2024 is asked for, as that of the year before."""
    next_year = rf"(?<!\d){int(found['year']) + 1}(?!\d)"
    return f"{found['same']} of the year before" if re.search(next_year, found.string) else found[0]


def _year_before(text: str) -> str:
    """`year-over-year growth of sales by month` as that against the same month of the year before."""
    over, unit = _YEARLY.search(text), _FINER.search(text)
    if over is None or unit is None:
        return text
    rest = f"{text[: over.start()]} {text[over.end() :]}"
    rest = _IN_PERCENT_OF.sub(r"percent \g<move> \g<of>", tidy(rest.rstrip(" .?!")))
    change = ", with the change" if _DEVELOPS.match(rest) else ""
    return f"{rest}{change} against the same {(unit['unit'] or unit['ly']).lower()} of the year before"


def _without_only(question: str) -> tuple[str, str]:
    """`…: day and trips, members only` without its last words, and these."""
    found = re.search(r", [\w' ]+? only(?=\W*$)", question)
    return (question[: found.start()], found[0]) if found else (question, "")


def _listed(question: str) -> tuple[str, list[str]]:
    """The question proper and the columns listed after it, also after a comma: `…, month and total`."""
    main, phrases = parts_after(question)
    found = (
        None if phrases else re.match(rf"^(?P<main>.+?), (?P<spec>(?:the )?(?:{UNIT})(?:,| and| with) .+)$", question)
    )
    return (found["main"], parts_of(found["spec"])) if found else (main, phrases)


def unit_of(phrase: str) -> str:
    """The grain that a phrase is the name of."""
    found = _GRAIN.match(phrase)
    return found["unit"].lower() if found else ""


def is_made(phrase: str, course: Course) -> bool:
    """Whether a phrase means what is made of the figure, not the figure."""
    words = {
        "growth": _MOVES,
        "running": Pattern(rf"{RUNNING.pattern}|\btotal\b", re.IGNORECASE),
        "moving": Pattern(rf"{MOVING.pattern}|\b(?:average|avg|mean|smoothed)\b", re.IGNORECASE),
    }
    return bool(words[course.kind].search(phrase))


def _by_unit(course: Course) -> str:
    """The figure's question, by a grain where it says none itself."""
    text = tidy(course.of)
    listed = next((unit for each in course.phrases if (unit := unit_of(each))), "")
    unit = course.unit or listed
    return text if not unit or _says_grain(text) else f"{text} by {unit}"


def _says_grain(text: str) -> bool:
    return bool(
        re.search(
            rf"\b(?:by|per|each|every|for each|in each) (?:the )?(?:calendar )?(?:{UNIT})\b|\b(?:dai|week|month|quarter|year)ly\b|\bannual",
            text,
            re.IGNORECASE,
        )
    )


def _grained(text: str) -> str:
    """`month after month`, `from year to year` as `by month`, `by year`, said last; `How did sales develop` as `sales`."""
    develops = _DEVELOPS.match(text)
    text = (
        f"{develops['what']}{re.sub(r'^ ?over (?=the year|(?:19|20))', ' in ', develops['rest'])}" if develops else text
    )
    for pattern in (rf"\bfrom (?:one )?(?:{UNIT}) to (?:the )?(?:next|following|{UNIT})\b", _OVER):
        found = re.search(pattern, text, re.IGNORECASE)
        if found:
            unit = re.search(UNIT, found[0], re.IGNORECASE)
            rest = f"{text[: found.start()]} {text[found.end() :]}"
            text = tidy(re.sub(r"^[ ,]+|[ ,]+$", "", rest)) + (f" by {unit[0].lower()}" if unit else "")
    return text


def _more(text: str, phrases: tuple[str, ...], whole: str) -> Course | None:
    found = _HOW_MANY_MORE.search(text)
    if found is None:
        return None
    of = f"{text[: found.start()]}how {found['many']} {found['what']}{text[found.end() :]}"
    return Course("growth", of, phrases, yearly=bool(found["yearly"]), is_difference=True)


def _growth(text: str, phrases: tuple[str, ...], whole: str) -> Course | None:
    said = re.search(_AGAINST, whole, re.IGNORECASE)
    short = re.search(rf"\b(?:{'|'.join(_SHORT)})\b", whole, re.IGNORECASE)
    listed = next((each for each in phrases if _MOVES.search(each)), "")
    of = _without_change(text) if said or short or listed else None
    if of is None or not _MOVES.search(whole) or _MOVES.search(of):
        return None
    is_part = bool(_PART.search(f"{text} {listed}"))
    scale = 100 if IN_PERCENT.search(f"{text} {listed}") else 1
    unit = _SHORT[short[0].lower()] if short else ""
    yearly = bool(said and (said["yearly"] or re.search(r"\byear\b", said[0], re.IGNORECASE)))
    return Course("growth", of, phrases, unit, yearly=yearly, scale=scale, is_difference=not is_part, shows_figure=True)


def _without_change(text: str) -> str | None:
    """The text without its clause about the change; None where what changes cannot be told from it."""
    led = _LED.match(text)
    if led:
        return _SAID.sub(" ", text[led.end() :])
    said = _SAID.search(text)
    if said is None:
        return text
    joins = list(re.finditer(_JOIN, text[: said.start()], re.IGNORECASE))
    clauses = [each for each in joins if _is_clause(text[each.end() : said.start()])]
    if not clauses:
        return None
    first = next(each for each in joins if each is clauses[-1] or not text[each.end() : clauses[-1].start()].strip())
    return f"{text[: first.start()]} {text[said.end() :]}"


def _is_clause(words: str) -> bool:
    """Whether these words say no more than that something changed."""
    left = re.sub(r"[^\w ]", " ", _MOVES.sub(" ", words)).split()
    return bool(_MOVES.search(words)) and all(_OF_CLAUSE.fullmatch(each) for each in left)


def _running(text: str, phrases: tuple[str, ...], whole: str) -> Course | None:
    found = [each for each in RUNNING.finditer(whole) if not _YEAR_TO_DATE.search(each[0]) or _says_grain(whole)]
    if not any(_is_sum(each, text) for each in found):
        return None
    within = bool(re.search(rf"{_FROM_START}|{_RESTARTS}", whole, re.IGNORECASE))
    text = re.sub(_RESTARTS, "", text, flags=re.IGNORECASE)
    clause = next((each for each in re.finditer(_SUM, text, re.IGNORECASE)), None)
    of = f"{text[: clause.start()]} {text[clause.end() :]}" if clause else text
    of = re.sub(rf"\b(?:(?:have|has|had) )?(?:{RUNNING.pattern})(?: of(?: the)?)?", " ", of, flags=re.IGNORECASE)
    unit = "month" if within and not _says_grain(text) else ""
    return Course("running", same(of), phrases, unit, within=within, shows_figure=bool(clause))


def _is_sum(found: re.Match[str], text: str) -> bool:
    """Whether words say what has piled up, and not only a period: `payments per month since the start of the year`."""
    said = found[0].lower()
    is_added = any(said in each[0].lower() for each in re.finditer(_SUM, text, re.IGNORECASE))
    return is_added or not _SINCE.match(said) or said not in text.lower()


def _moving(text: str, phrases: tuple[str, ...], whole: str) -> Course | None:
    found = list(MOVING.finditer(whole))
    if not found:
        return None
    sizes = _sizes(found)
    of = re.sub(
        rf"{_JOIN}?,? ?(?:with )?(?:an? |the |its )?(?:{MOVING.pattern})(?: of)?(?: the)?",
        " ",
        text,
        flags=re.IGNORECASE,
    )
    of = re.sub(
        rf"\b(?P<ly>daily|weekly|monthly|quarterly|yearly)\b(?P<rest>.*?) for (?:each|every) (?:{UNIT})\b",
        r"\g<ly>\g<rest>",
        of,
        flags=re.IGNORECASE,
    )
    shows = not MOVING.match(re.sub(r"^(?:\w+ )?(?:the|a|an) ", "", text))
    unit = sizes[0][1].lower() if sizes else ""
    return Course("moving", same(of), phrases, unit, spoken_size(whole), shows_figure=shows)


_AND_BEFORE = Pattern(
    rf"\b(?:each|every) {UNIT} and the (?P<n>{_N} )?(?:one |ones |{UNIT}s? )?before(?: it)?\b", re.IGNORECASE
)


def spoken_size(text: str) -> int:
    """How many buckets the moving average that a text says spans; three where it does not say."""
    sizes = _sizes(MOVING.finditer(text))
    before = _AND_BEFORE.search(text)
    number = spoken(sizes[0][0]) if sizes else None
    if not sizes and before:
        return int(spoken(before["n"] or "one") or 1) + 1
    return int(number) if number else 3


def _sizes(found: Iterable[re.Match[str]]) -> list[tuple[str, str]]:
    """The numbers and units of moving averages."""
    return [(each[f"n{n}"], each[f"unit{n}"]) for each in found for n in ("", "2", "3", "4", "5") if each[f"n{n}"]]

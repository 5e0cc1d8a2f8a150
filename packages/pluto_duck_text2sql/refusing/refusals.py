"""Questions that no query answers: orders to change data, causes, predictions, opinions, advice, talk about other things.

Each pattern was held against the Spider training questions, all of which a query answers.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern

_ORDERS = (
    "delete drop update insert remove truncate alter create rename set write send email book move transfer cancel"
    " reserve schedule assign hire fire dismiss promote pay refund charge notify remind invite approve reject increase"
    " decrease raise lower replace merge swap enrol enroll register unregister subscribe mark publish upload buy"
    " sell deploy restart install translate correct fix clean archive block unblock grant revoke"
).split()
_OBJECT = r"(?:(?i:table|view|schema|database|index)|the|a|an|all|every|each|any|my|our|this|that|these|those|new|another|it|them|\d+|[A-Z][\w'.-]*)\b"
_DEGREES = "high low large small big expensive cheap much many few old young long short slow fast late early hard easy"
_VERDICTS = (
    "good bad fair unfair reasonable acceptable worth worthwhile sensible wise okay ok enough healthy normal nice"
)

_NOT_BESIDE = r"(?!(?i:set)\b.*\b(?:beside|next to|side by side)\b)"
_IN_ONE_CLAUSE = r"\b(?:is|are|was|were|be|been|do|does|did|have|has|had|which|who|what|how)\b[^.?!:]*\b"

_NO_CAUSE = "A query can show what happened, not why. Ask how a number differs between groups or periods."
_LEADING = r"^\W*(?:(?:and|but|so|ok|then)\b\W*)*"
_WHY = Pattern(rf"{_LEADING}(?:why|how come|what for)\b", re.IGNORECASE)
_NO_FORECAST = "The data ends in the past; it holds no forecast. Ask for the trend so far, by month or by year."
_WILL = Pattern(
    rf"{_LEADING}(?:(?:what|who|when|where|how(?: [a-z]+)?|which(?: [a-z]+)?) )?"
    r"will (?:it|that|this|they|those|these|there|we|the|our|\d{4})\b(?! look\b)",
    re.IGNORECASE,
)
_NOTHING_TOLD = "No table answers that. Ask for names, numbers, dates or amounts that the tables hold."
_GREETS = Pattern(
    rf"{_LEADING}(?:hello|hi|hey|good (?:morning|afternoon|evening))\b(?:\W*$|\W+(?:how |who )?(?:are|is) (?:you|there|anybody|anyone)\b)"
    rf"|{_LEADING}(?:(?:how|who|what|where) )?are you\b"
    rf"|{_LEADING}(?:(?:great|perfect|super|cool|nice|good|fine)\b\W*)*(?:thanks|thank you|thx|cheers)\W*$",
    re.IGNORECASE,
)

_REFUSALS = (
    (
        rf"^\W*(?:(?i:please|can you|could you|would you|will you|i want you to)[ ,]+)*{_NOT_BESIDE}(?i:{'|'.join(_ORDERS)})\s+{_OBJECT}"
        rf"|^\s*(?i:please )?(?i:book|reserve|buy|order|schedule)\s+(?i:me|us)\s+{_OBJECT}"
        r"|^\s*(?i:please )?(?i:add)\s+(?:(?i:a|an|another)? ?(?i:new)\b|[A-Z])",
        "This would change or send something; questions here only read. Data comes in by `pluto-duck ingest`.",
    ),
    (
        r"(?i)^\s*why\b|\bwhat (?:caused|explains)|\bhow come\b"
        r"|\bwhat (?:led|drove|made|makes)\b.*\b(?:to|up|down|drop|fall|rise|grow|so)\b",
        _NO_CAUSE,
    ),
    (
        r"(?i)\b(?:predict|forecast|(?:is|are|am) (?:\w+ )?going to|next (?:year|month|quarter|week)|expected to|(?:can|should|could|may|might|do) (?:i|we|you|one|they) expect|in the"
        r" future|tomorrow)\b|(?-i:\bwill\b(?! [A-Z][a-z]+ [A-Z]))|^will\b",
        _NO_FORECAST,
    ),
    (
        rf"(?i)(?:^should|\bshould (?:we|i|they|you|one|he|she|the|it)|\brecommend|suggest|what do you think|your opinion|advice"
        rf"|^(?:who|what|which)\b.* would (?:make|be) (?:a|an|the|our)\b|^what if\b|what would happen"
        rf"|is it (?:a )?(?:{_VERDICTS.replace(' ', '|')})|{_IN_ONE_CLAUSE}too (?:{_DEGREES.replace(' ', '|')})\b(?! to be))\b|\bdeserves?\b"
        rf"|^(?:is|are|was|were|do|does|did)\b.*(?<! or)\b (?:{_VERDICTS.replace(' ', '|')})\s*\?*$"
        r"|\bdo (?:you|they|customers|people|we) (?:like|love|enjoy|prefer|trust|hate)\b",
        "That is a judgement, not a figure. Ask for the figures that would inform it.",
    ),
    (
        r"(?i)\b(?:bought|purchased|ordered|sold|go|goes|come|comes) (?:most |more )?(?:often |frequently |commonly )?together"
        r"(?: most often| most frequently)?(?: with [a-z ]+)?(?=\W*$)",
        "Which things come together in one order is a matter of pairs, which cannot be counted here. Ask how often each"
        " of them is bought, or which orders hold one of them.",
    ),
    (
        r"(?i)\bcagr\b|\bcompound(?:ed)? (?:annual |yearly |monthly )?(?:growth|rate of growth)\b",
        "A compound growth rate is not computed here. Ask for the growth from one year to the next, in percent.",
    ),
    (
        r"(?i)\bstreaks? of (?:[a-z]+ )?(?:days|weeks|months)\b"
        r"|\b(?:longest|shortest|biggest|largest) (?:streak|run) of\b.*\b(?:days|weeks|months)\b"
        r"|\b(?:days|weeks|months|quarters) in a row\b|\bconsecutive (?:days|weeks|months|quarters)\b"
        r"|\b(?:longest|shortest|biggest|largest) (?:gap|break|pause|interval)s?(?: in [a-z]+)?,? (?:[a-z]+ )*between (?:two|any two)\b"
        r"|\bafter the (?:longest|shortest|biggest) (?:gap|break|pause|absence)\b",
        "Which days or rows follow one another cannot be told here. Ask how many there were in each day, week or month,"
        " or for the average time from one to the next.",
    ),
    (
        r"(?i)\bevery (?:other|second|third|fourth) (?:day|week|weekday|month|quarter|year|row|record)\b",
        "Every second one cannot be picked out here. Ask for all of them, or name those that are wanted.",
    ),
    (
        r"(?i)\bhow (?:do|can|could|would|should) (?:i|we|you|one)\b|^how to\b|^what(?:'s| is) (?:a|an) (?:good|nice|great)\b"
        r"|\b(?:tell|write|sing) (?:me |us )?a (?:joke|story|poem|song)\b|^(?:hello|hi|hey|thanks|thank you)\b[^?]*$"
        r"|^(?:who|what|how) are you\b|\bwhat(?:'s| is) the (?:weather|meaning of)\b|\bwhat can you do\b",
        _NOTHING_TOLD,
    ),
)
REASONS = ("reason", "caus")
"""The stems of words for why something is so: what is called by one may be asked for."""
_ASKS_REASON = Pattern(
    r"\breasons? (?:for|why)\b|\bwhat is the cause\b|\bwhat (?:is|was|were|are) (?:the )?(?:causes?|reasons?)\b",
    re.IGNORECASE,
)


_NEXT = Pattern(r"(?i)\bnext (?:year|month|quarter|week)\b")
_COMING = Pattern(
    r"(?i)(?=.*\b(?:arriv\w+|depart\w+|check(?:ing)?[- ]?(?:ins?|outs?)|stays?|appointments?|deliver\w+|due|booked|scheduled)\b)"
    r".*\b(?:(?:next|coming) (?:[a-z]+ |\d+ )?(?:day|week|month)s?|tomorrow|this (?:week|month|weekend))\b"
)
_EXPECTED = Pattern(r"(?i)\b(?:tomorrow|expected to|(?:can|should|may|do) (?:we|i|you|they) expect)\b")
_PLANNED = Pattern(
    r"(?i)\b(?:end(?:s|ing)?|expir(?:e|es|ing|y)|due|renew\w*|start(?:s|ing)?|scheduled|planned|booked|matur\w+"
    r"|run(?:s|ning)? out|deadlines?)\b"
)


def refusal(question: str, keeps_reasons: bool = False, keeps_plans: bool = False) -> str | None:
    """Why the question is none for a database, or None; `keeps_reasons`: something in this one is called a reason;
    `keeps_plans`: it keeps days to come, so that what ends, is due or is planned next month is known."""
    question = _NEXT.sub(" ", question) if keeps_plans and _PLANNED.search(question) else question
    question = _EXPECTED.sub(" ", question) if keeps_plans and _COMING.search(question) else question
    if _ASKS_REASON.search(question) and not keeps_reasons:
        return _NO_CAUSE
    for pattern, message in _REFUSALS:
        if re.search(pattern, question):
            return message
    return None


def without_answer(question: str, keeps_plans: bool = False) -> str | None:
    """Why what is said after an answer has none, where it asks for the cause of it, for what will be, or greets; else
    None."""
    said = ((_WHY, _NO_CAUSE), (_GREETS, _NOTHING_TOLD), *(() if keeps_plans else ((_WILL, _NO_FORECAST),)))
    return next((message for pattern, message in said if pattern.search(question)), None)

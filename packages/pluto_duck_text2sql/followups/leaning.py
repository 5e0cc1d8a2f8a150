"""Whether a question leans on the one before: by framing words, by words that stand for others, by what it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pluto_duck_text2sql.followups.all_told import asks_of_all
from pluto_duck_text2sql.followups.along import course_said
from pluto_duck_text2sql.followups.contrasts import part_said
from pluto_duck_text2sql.followups.fragment import Fragment
from pluto_duck_text2sql.followups.frames import Frame
from pluto_duck_text2sql.followups.next_places import asks_next
from pluto_duck_text2sql.followups.others import asks_others
from pluto_duck_text2sql.followups.own_columns import own_column
from pluto_duck_text2sql.followups.ranked_figures import asks_figure
from pluto_duck_text2sql.followups.regrouped import is_of_figures, tells_figure_of
from pluto_duck_text2sql.followups.there import THERE
from pluto_duck_text2sql.followups.whose import whose
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, tokenise
from pluto_duck_text2sql.tree import Col, columns_in
from pluto_duck_text2sql.trees.parts import is_aggregate, subject

_ALWAYS = tuple(
    """undo same about undropped unlimited sumup count breakdown reverse of_that row instead instead_of difference
    growth versus more sort_that behind which restrict absolute best_time when_they where_they others""".split()
)
_LEADING = ("lead", "also", "only", "all", "again", "change", "ungroup", "share")
_ASKS = Pattern(
    r"^(?:how (?:many|much|often|long|old|big)|what|which|who|whose|whom|where|when|is|are|was|were|do|does|did|has"
    r"|have|show|list|give|find|display|tell|count|name|get|return|calculate|compute)\b",
    re.IGNORECASE,
)
_STANDS = Pattern(
    r"\b(?:them|they|theirs|those(?! (?:who|that|which|with|whose))|these)\b"
    r"|\b(?:is|are|was|were|do|does|did|than|by|of|for|to|behind|in) (?:that|this|it)\b(?! \w+ (?:who|that))"
    r"|\b(?:above|below|over|under) (?:that|this|it|(?:the )?average)$"
    r"|^(?:show|give|express|put|make)(?: me)? (?:that|this|it|them|those|these)\b"
    r"|^(?:that|this|it)\b|\b(?:that|this|same|first|second|last|other) one\b|\bones\b"
    r"|\bthe (?:two|three|former|latter)\b\W*$"
    r"|\b(?:of|for|at|in|from) each(?: one)? (?:is|are|was|were|has|have|had|went|goes|came|did|do)\b"
    rf"|\b(?:in|of|among|from) (?:there|here)\b|{THERE}"
    r"|^(?:and )?as an? (?:percentage|percent|share|proportion|fraction|%)"
    r"|\beach\W*$|\b(?:do|does|did|has|have|had|is|are) each\b|\bit$",
    re.IGNORECASE,
)
_EACH = Pattern(r"(?:.* )?each\b", re.IGNORECASE)
"""What may be each of those that the question itself names: `what reasons were given, and how often each?`"""
_PERSON = Pattern(r"\b(?:he|she|him)\b", re.IGNORECASE)
_THE_ONE = Pattern(
    r"\b(?:has|have|had) it\b|\bthe (?:[a-z]+est|worst|best|first|second|third|fourth|fifth|last|top|number) one\b",
    re.IGNORECASE,
)
"""What stands for one of those shown: `how many caravans has it got?`, `how many reviews does the worst one have?`"""
_THAT_NOUN = Pattern(
    r"\b(?:in|on|at|of|for|from|by|with|to|has|have|had|is|was|did|does|do) (?:that|this|the same) (?P<noun>[a-z]+)\b",
    re.IGNORECASE,
)
_CLAUSE = Pattern(r",|\b(?:and|but|when|while|since|after|before|because|if|that|who|whom|whose)\b", re.IGNORECASE)
_SPAN = "(?:year|quarter|month|week|day)"
_MAY_STAND = Pattern(
    rf"\b(?:what else|(?:what|which) other|that {_SPAN}|the same|back to"
    r"|(?<!is )(?<!are )(?<!was )(?<!were )there(?! (?:is|are|was|were|have|has|been?)\b)"
    rf"|the {A_NUMBER}(?! (?:most|least|best|worst|[a-z]+est)\b)(?! [a-z]+ [a-z]+est\b))\b|\b(?:else|of each|that)\W*$",
    re.IGNORECASE,
)
"""What a question of its own hardly has either, besides what surely stands for rows shown."""
_THAT_TIME = Pattern(rf"\b(?:that|the same) {_SPAN}\b", re.IGNORECASE)
_OPENS = Pattern(
    r"^(?:by|per|for|from|as|with|without|since|before|after|until|during|between|exclud(?:e|ing)|except|not|leave"
    r"|leaving|drop|ignor(?:e|ing)|omit(?:ting)?|skip(?:ping)?|(?:do not|don['’]t) (?:count|include)|remove|sort|sorted"
    r"|order by|rank|top|bottom|add|include|plus|together with|along with|grouped?|break|split)\b",
    re.IGNORECASE,
)
_NAMED = 0.9
"""How well a word must name what was shown."""
_TOPS = Pattern(r"^the (?:.*\b)?(?:most|least|fewest|highest|lowest|best|worst)$", re.IGNORECASE)
_THEIRS = Pattern(r"\b(?:their|its|his|her)\b", re.IGNORECASE)


def leans(frame: Frame, fragment: Fragment) -> bool:
    """Whether the question is to be read with the one before."""
    if _points_back(frame, fragment):
        return True
    if frame.has("ranks"):  # who did the most is one of those whose figures were just told
        return bool(fragment.earlier.group) and is_aggregate(fragment.earlier)
    return _goes_on(frame, fragment) or (not is_whole(frame, fragment) and _is_framed(frame, fragment))


def _points_back(frame: Frame, fragment: Fragment) -> bool:
    """Whether a word stands for what was shown before: `them`, `she`, `their`, or takes it back."""
    if frame.has("undo") or _STANDS.search(frame.text) or stands_for_one(frame.text, fragment):
        return True
    if asks_figure(frame.text):
        return True
    return bool(_THEIRS.search(frame.text)) and not _owner_before(frame, fragment)


def _goes_on(frame: Frame, fragment: Fragment) -> bool:
    """Whether it asks more of the answer before: of that time, those figures, their own columns, rows or course."""
    text, earlier = frame.text, fragment.earlier
    if _THAT_TIME.search(text) and not fragment.periods:
        return True
    if is_aggregate(earlier) and (tells_figure_of(text) or asks_others(text) or asks_of_all(text)):
        return True
    if is_of_figures(text, earlier, fragment.reader) or (earlier.order and asks_next(text)):
        return True
    if (part_said(text) and _names_group(fragment)) or whose(text, fragment) is not None:
        return True
    own = own_column(text, fragment) is not None or fragment.measures_its_rows
    return own or bool(course_said(text, earlier))


def _is_framed(frame: Frame, fragment: Fragment) -> bool:
    """Whether the words that frame it change an answer, or it names neither rows nor a measure and asks for none."""
    if frame.has("lead") and not frame.has("about", *_ALWAYS) and _is_elsewhere(fragment):
        return False
    if frame.has(*_ALWAYS, *_LEADING) or frame.drops or _OPENS.search(frame.text) or _TOPS.search(frame.text):
        return True
    if frame.has("show") and _is_behind(frame, fragment):
        return True
    return not _ASKS.search(frame.rest) and is_fragment(fragment)


def _is_elsewhere(fragment: Fragment) -> bool:
    """Whether it names rows that no key leads to from those of the answer before: it cannot change that answer."""
    item, before = fragment.slots.entity, subject(fragment.earlier)
    keys = [each.table.key for each in item.targets if each.column is None] if item else []
    return bool(keys) and all(fragment.reader.joins.tree(before, [key]) is None for key in keys)


def stands_for_one(text: str, fragment: Fragment) -> bool:
    """Whether `she`, `it` or `the first one` stands for one that no clause before it in the question names."""
    person, one = _PERSON.search(text), _THE_ONE.search(text)
    found = person or one or _that_shown(text, fragment)
    clauses = list(_CLAUSE.compiled.finditer(text, 0, found.start())) if found else []
    if found is None or not clauses:
        return found is not None
    before = text[: clauses[-1].start()].lower()
    named = [each for each in fragment.mentions if each.text.lower() in before]
    return not any(fragment.names_rows(each) or each.hits for each in named)


def person_said(text: str, fragment: Fragment) -> str:
    """`she` or `him`, where it stands for one that was shown; else nothing."""
    said = _PERSON.search(text)
    return said[0] if said and stands_for_one(text, fragment) else ""


def _that_shown(text: str, fragment: Fragment) -> re.Match[str] | None:
    """`that comment` where comments were shown."""
    columns = [each for each in columns_in(fragment.earlier.select) if isinstance(each, Col)]
    shown = {(each.table, each.name) for each in columns}
    return next(
        (
            said
            for said in _THAT_NOUN.finditer(text)
            for item in fragment.reader.named(said["noun"])
            for each in item.targets
            if each.score >= _NAMED and each.column and (each.table.key, each.column.name) in shown
        ),
        None,
    )


def said_of_nothing(text: str) -> str:
    """The word that stands for what was answered before, where that is nothing; empty where there is none."""
    found = next(_standing(text), None)
    found = found or _PERSON.search(text) or _THE_ONE.search(text)
    return found[0].strip() if found and not _CLAUSE.compiled.search(text, 0, found.start()) else ""


def stands(text: str, fragment: Fragment) -> bool:
    """Whether a word of it stands for what was shown before."""
    return any(_standing(text)) or stands_for_one(text, fragment)


def may_lean(question: str) -> bool:
    """Whether a question that was read alone has words that stand, or may stand, for something said before."""
    return any(_standing(question.strip(" ?!."))) or bool(_MAY_STAND.search(question))


def _standing(text: str) -> Iterator[re.Match[str]]:
    """The words that stand for what was shown, but for `each` of those that the question itself names."""
    return (found for found in _STANDS.finditer(text) if not _EACH.match(found[0]))


def _names_group(fragment: Fragment) -> bool:
    """Whether it names one of the groups whose figures were just told."""
    grouped = {(each.table, each.name) for each in columns_in(fragment.earlier.group) if isinstance(each, Col)}
    shown = {(each.table, each.name) for each in columns_in(fragment.earlier.select) if isinstance(each, Col)}
    hits = [hit for item in fragment.mentions for hit in item.hits]
    told = {((hit.schema, hit.table), hit.column) for hit in hits}
    return bool(fragment.earlier.group) and not told.isdisjoint(grouped | shown)


def _owner_before(frame: Frame, fragment: Fragment) -> bool:
    """Whether what `their` stands for is named in the question itself."""
    words = [token.lower for token in tokenise(frame.text)]
    place = next((n for n, word in enumerate(words) if word in ("their", "its", "his", "her")), 0)
    before = " ".join(words[:place])
    tables = [each for each in fragment.mentions if fragment.names_rows(each) and each.text.lower() in before]
    return bool(tables)


def is_whole(frame: Frame, fragment: Fragment) -> bool:
    """Whether it asks, and names what it asks about: a question that stands alone."""
    if frame.has("also", "each") or _TOPS.search(frame.text):
        return False
    asks = _ASKS.search(frame.rest) or _ASKS.search(frame.text) or frame.has("show")
    if not asks or frame.has("about", "same", "row", "behind", "each", "more", "instead", "instead_of"):
        return False
    if re.match(r"which \d+ |which \w+ \w+$|which \w+$", frame.rest, re.IGNORECASE) and frame.has("lead"):
        return False
    if frame.has("show") and _is_behind(frame, fragment):
        return False
    if frame.has("lead") and fragment.is_bare_measure:
        return False
    return fragment.slots.entity is not None or bool(fragment.slots.measures and _names_measure(fragment))


def _is_behind(frame: Frame, fragment: Fragment) -> bool:
    """`show the customers` after a count of customers: the ones just counted."""
    slots = fragment.slots
    bare = not (slots.values or slots.groups or slots.measures or slots.compares or slots.best or fragment.periods)
    about = slots.entity is None or fragment.table == subject(fragment.earlier)
    return bare and about and frame.rest.lower().startswith("the ") and is_aggregate(fragment.earlier)


def _names_measure(fragment: Fragment) -> bool:
    return any(item is not None for _, item, _ in fragment.slots.measures)


def is_fragment(fragment: Fragment) -> bool:
    """Whether it names neither rows nor a measure: a period, a value, a group, an order, a cut."""
    slots = fragment.slots
    return slots.entity is None and not slots.measures and not slots.shown

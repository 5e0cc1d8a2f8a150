"""One figure in two periods, however they are said: `what did we take in the third quarter, and in the same quarter a
year ago`, `sales per store from January to October: this year against last year`.

The figure in the first period is a question of its own, with the words that lead to the second taken out; the same
figure of the second then stands beside it, or their change where that is asked. `beside.py` knows the shorter wordings.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.beside import WHEN, change_of, periods_of
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy, without_remarks
from pluto_duck_text2sql.language.words import A_NUMBER, Token, tokenise
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.course_words import IN_PERCENT
from pluto_duck_text2sql.reading.frames import UNIT, same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.times.calendar_days import Range, shift
from pluto_duck_text2sql.times.periods import Period
from pluto_duck_text2sql.times.recurring import periods_in
from pluto_duck_text2sql.times.seasons import by_part_of_year, is_by_date
from pluto_duck_text2sql.tree import Agg, Col, Cond, During, Either, Expr, Grain, Nested, Query, is_total, nodes_in
from pluto_duck_text2sql.trees.parts import once

_OPPOSED = Pattern(
    r"\b(?:compar\w+|versus|vs|against|next to|beside|alongside|side by side|same (?:\w+ )?(?:days?|periods?|weeks?"
    r"|months?|quarter|half|time))\b|\band (?:how many|how much|what|in|for)\b",
    re.IGNORECASE,
)
_LINK = Pattern(
    r"[,;:]? ?\b(?:and(?: (?:how many|how much|what|that|those|it|for|in))?|(?:as )?compared? (?:with|to)|versus|vs"
    r"|against|than|over|next to|beside|alongside|with|to)(?: (?!by\b|per\b)[a-z]+){0,5}[ ,:]*$",
    re.IGNORECASE,
)
_TALK = Pattern(
    r"^(?:please )?(?:compare|put|show|list|give me|set)(?: me)?(?: the)? "
    r"|\b(?:next to each other|side by side|compared?)\b",
    re.IGNORECASE,
)
_HOW_DID = Pattern(
    r"^how (?:did|do|does|have|has) (?:the |our )?(?P<what>.+?)(?: (?:do|go|develop|look))?$", re.IGNORECASE
)
_GREW = Pattern(
    r"^(?:by )?(?P<how>how many (?:percent|%)|what percentage|how much percent|how much|how many)"
    r" (?:did|has|have) (?:the |our )?(?P<what>.+?)"
    r" (?:gr[eo]wn?|increased?|risen?|rose|changed?|f[ae]ll(?:en)?|decreased?|drop(?:ped)?|declined?"
    r"|go(?:ne)? (?:up|down))"
    r"(?P<rest>\b.*)$",
    re.IGNORECASE,
)
_FROM_TO = Pattern(
    r"^(?:(?:what|how much) (?:is|was) )?(?:the |our )?(?P<how>(?:percent(?:age)? |% )?"
    r"(?:growth|change|increase|decrease|decline|drop|difference)(?: rate)?)(?:,? in (?:%|percent))?"
    r" (?:of|in) (?:the |our )?(?P<what>.+?)(?:,? (?:in|as) (?:a )?(?:%|percent\w*))?"
    rf" (?:from|between) (?P<one>{WHEN}) (?:to|and) (?P<other>{WHEN})(?:,? (?:in|as) (?:a )?(?:%|percent\w*))?"
    r"(?P<rest>(?: (?:by|per|for each) .+)?)$",
    re.IGNORECASE,
)
_OF_DATA = Pattern(r"(?<=[a-z]) (?:of|in) (?:the|our) data(?: we have)?(?=[ ,]|$)", re.IGNORECASE)
_AROUND = Pattern(
    rf"\b(?:(?:in|during|within) )?the (?P<span>{A_NUMBER} (?:{UNIT})s?) before and"
    r" (?:(?:in|during) )?(?:the )?(?:(?P=span) )?after"
    r" (?P<day>[\w ]*\d{4}(?:-\d\d-\d\d)?)",
    re.IGNORECASE,
)
"""So many days on either side of one."""
_GROWTH = Pattern(r"\b(?:growth|rate|percent\w*)|%", re.IGNORECASE)
_RELATIVE = Pattern(
    rf"(?<=[ ,])(?:(?:in|during|of) )?(?:the (?P<unit>{UNIT}) before"
    rf"|the (?:(?P<n>\d+) (?:{UNIT})s (?:before(?: (?:that|then|those|them))?|prior)"
    rf"|(?:previous|prior|preceding) (?P<n2>\d+) (?:{UNIT})s)"
    rf"|the (?:previous|prior|preceding) (?P<unit2>{UNIT})"
    rf"|(?:(?:in )?(?:the )?same (?:{UNIT}|period|time|days) )?(?:(?:of|in) )?"
    r"(?:an? year (?:ago|earlier|before)|the year before|the (?:previous|prior) year))(?=$|[ ,?.;:])",
    re.IGNORECASE,
)
"""The second period, told by the first: the one before it, or the same days a year before."""
_CHANGES = Pattern(
    r"%|\b(?:differ\w*|chang\w*|growth|gr[eo]w\w*|percent\w*|increas\w*|decreas\w*|drop\w*|more|fewer|less|gain\w*)\b",
    re.IGNORECASE,
)
"""Words that ask for what lies between the two, where the question does not begin so."""
_LEADS = frozenset(
    "and or the a in on of for to with from by as at how many much what was were is are did do does have has had been"
    " we it that those these there this same number figure compare compared comparing versus vs against over than next"
    " beside alongside each other month quarter year please then".split()
)
_PAIR, _MOST_PARTS = 2, 3


@dataclass(frozen=True)
class _Spans:
    """The question of the first period, in its own words and by its days, the second period, or by which unit it lies
    before the first, by its own length where none is said, and the scale of their change: 0 where none is asked."""

    asked: tuple[str, ...]
    first: Period
    other: Period | Grain | Literal[""]
    scale: int


class TwoSpans(Compounds):
    """Answers questions about one figure in two periods."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The two figures or their change; None where the question asks no such, or `plain` shows them."""
        main, phrases = split_spec(question)
        said = self._said(same(without_remarks(main)).rstrip("?. "))
        asked = said.asked if said and not phrases else ()
        ways = (way for each in asked for way in (each, f"number of {each}"))
        parts = (part for each in ways if (part := self._part(each, run)))
        made_of = ((each, self._both(each.tree, said)) for each in parts if said)
        part, query = next((pair for pair in made_of if pair[1]), (None, None))
        best = plain.candidates[0] if plain.status == "answered" and plain.candidates else None
        if query is None or part is None or (best and best.tree == query):
            return None
        made = self.candidate(query, [part], (), run)
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _said(self, text: str) -> _Spans | None:
        """What a question says of two periods; None where it says no such."""
        around = _AROUND.search(text)
        text = _OF_DATA.sub("", _AROUND.sub(_before_and_after, text))
        from_to = _FROM_TO.match(text)
        if from_to:
            return self._from_to(from_to)
        grew = _GREW.match(text)
        scale = 0 if grew is None else 100 if IN_PERCENT.search(text) else -1
        if not grew and (_CHANGES.search(text) or not (around or _OPPOSED.search(text))):
            return None
        text = f"{grew['what']} {grew['rest']}" if grew else text
        day = self.reader.catalog.latest_day(self.reader.today)
        if not around and (before := _RELATIVE.search(text)):
            return _told_by_first(text, before, day, scale)
        spans = self._of_pair(text, day, scale)
        return replace(spans, asked=spans.asked[-1:]) if around and spans else spans

    def _from_to(self, said: re.Match[str]) -> _Spans | None:
        """The change from one period to another."""
        periods = periods_of(said["one"], said["other"])
        if periods is None:
            return None
        scale = 100 if IN_PERCENT.search(said.string) else 1 if _GROWTH.search(said["how"]) else -1
        text = f"{said['what']}{said['rest']} in {periods[0]} and in {periods[1]}"
        return self._of_pair(text, self.reader.catalog.latest_day(self.reader.today), scale)

    def _of_pair(self, text: str, day: dt.date, scale: int) -> _Spans | None:
        """What a text says of the two periods that it names."""
        tokens = tokenise(text)
        found = periods_in(Words(tokens))
        pair = _pair(found, day)
        if pair is None or not _is_of_one_figure(tokens, found):
            return None
        days = _asked(tokens, found, _days(pair[0].resolve(day)))
        said = " ".join(token.text for token in tokens[found[0].start : found[0].end])
        asked = (_asked(tokens, found, said), days) if pair[0] is found[0] else (days,)
        return _Spans(asked, *pair, scale) if days else None

    def _both(self, tree: Query, said: _Spans) -> Query | None:
        """The tree of the first period with the figure of both; None where it shows more than a figure by groups."""
        tree = replace(tree, where=once(tree.where))
        found = _figure_and_period(tree)
        if found is None:
            return None
        figure, own = found
        other = self._other(own, said)
        of_any_year = by_part_of_year(tree) if _years_apart(own, other) else tree
        if other is None or is_by_date(of_any_year):
            return None
        both = [replace(figure, where=(*figure.where, each)) for each in (own, other)]
        keys = tuple(each for each in of_any_year.select if not is_total(each))
        first, last = both if own.start < other.start else both[::-1]
        shown: list[Expr] = [change_of(first, last, said.scale)] if said.scale else [*both]
        where = tuple(each for each in tree.where if each != own)
        where = where if of_any_year == tree else (*where, Either((own, other)))
        order = tuple(each for each in of_any_year.order if not is_total(each.by))
        return replace(of_any_year, select=(*keys, *shown), where=where, order=order)

    def _other(self, own: During, said: _Spans) -> During | None:
        """The second period of the first one's date: so many years from that, where the two are the same days."""
        assert isinstance(own.left, Col)
        if said.other == "":
            return replace(own, start=own.start - (own.end - own.start), end=own.start, said=None)
        if isinstance(said.other, str):
            unit = said.other
            return replace(own, start=shift(own.start, unit, -1), end=shift(own.end, unit, -1), said=None)
        day = self.reader.catalog.last_day(*own.left.table, own.left.name, self.reader.today)
        (start, end), (first, _) = said.other.resolve(day), said.first.resolve(day)
        if start is None or end is None or first is None:
            return None
        years = start.year - first.year
        if years and (start.month, start.day) == (first.month, first.day):
            return replace(own, start=shift(own.start, "year", years), end=shift(own.end, "year", years), said=None)
        return replace(own, start=start, end=end, said=None)


def _before_and_after(said: re.Match[str]) -> str:
    span, day = said["span"], said["day"]
    return f"in the {span} before {day} and in the {span} after {day}"


def _told_by_first(text: str, before: re.Match[str], day: dt.date, scale: int) -> _Spans | None:
    """`last month and the month before`: the second period lies before the first, whichever day that counts from."""
    head = text[: before.start()]
    tokens = tokenise(head)
    found = periods_in(Words(tokens))
    if len({each.resolve(day) for each in found}) != 1 or not all(found[0].resolve(day)):
        return None
    said = {token.stem for token in tokens[: found[0].start]}
    if not all(token.lower in _LEADS or token.stem in said for token in tokens[found[-1].end :]):
        return None
    rest = tidy(_TALK.sub(" ", tidy(f"{_LINK.sub('', head)} {text[before.end() :]}"))).strip(" ,:;")
    whole = _HOW_DID.match(rest)
    unit = cast(Grain, (before["unit"] or before["unit2"] or "year").lower())
    length = before["n"] or before["n2"]
    if length:
        if not any(token.text == length for token in tokens[found[0].start : found[0].end]):
            return None
        return _Spans((whole["what"] if whole else rest,), found[0], "", scale) if rest else None
    return _Spans((whole["what"] if whole else rest,), found[0], unit, scale) if rest else None


def _pair(found: Sequence[Period], day: dt.date) -> tuple[Period, Period] | None:
    """The two periods that are said, a part of both years said once; None where there are others, or one without an
    end."""
    spans: dict[Range, Period] = {}
    for each in found:
        spans.setdefault(each.resolve(day), each)
    is_whole = all(start and end for start, end in spans)
    if len(spans) != _PAIR or len(found) > _MOST_PARTS or not is_whole:
        return None
    first, other = spans.values()
    return first, other


def _is_of_one_figure(tokens: Sequence[Token], found: Sequence[Period]) -> bool:
    """Whether nothing is said between the periods but what leads from one to the other, or was said before."""
    first, *_, last = sorted(found, key=lambda period: period.start)
    said = {token.stem for token in tokens[: first.start]}
    within = {place for each in found for place in range(each.start, each.end)}
    between = (tokens[place] for place in range(first.end, last.start) if place not in within)
    return all(token.lower in _LEADS or token.stem in said for token in between)


def _days(period: Range) -> str:
    start, end = period
    return f"between {start} and {end - dt.timedelta(days=1)}" if start and end else ""


def _asked(tokens: Sequence[Token], found: Sequence[Period], first: str) -> str:
    """The question of the first period alone: without the second, what leads to it, and what opposes the two."""
    kept, place = [], 0
    for each in sorted(found, key=lambda period: period.start):
        before = " ".join(token.text for token in tokens[place : each.start])
        kept.append(_LINK.sub("", before) if each is not found[0] else before)
        place = each.end
    kept.append(" ".join(token.text for token in tokens[place:]))
    rest = tidy(_TALK.sub(" ", tidy(" ".join(kept)))).strip(" ,:;")
    whole = _HOW_DID.match(rest)
    return f"{whole['what'] if whole else rest} {first}" if rest and first else ""


def _tells_days(condition: Cond) -> bool:
    """Whether it compares with days, as the condition of a period does."""
    within = nodes_in(condition)
    return any(isinstance(each, During) or isinstance(getattr(each, "right", None), dt.date) for each in within)


def _years_apart(own: During, other: During | None) -> bool:
    """Whether two periods are the same days of different years."""
    return other is not None and own.start.year != other.start.year and own.start.month == other.start.month


def _figure_and_period(tree: Query) -> tuple[Agg, During] | None:
    """The one figure and the one period of a tree that shows no more and tells no other day."""
    figures = [each for each in tree.select if is_total(each)]
    own = [each for each in tree.where if isinstance(each, During)]
    if not tree.is_plain or len(figures) != 1 or len(own) != 1:
        return None
    figure, left = figures[0], own[0].left
    if not isinstance(figure, Agg) or isinstance(figure.of, Nested) or not isinstance(left, Col):
        return None
    if any(_tells_days(each) for each in tree.where if each != own[0]):
        return None
    return figure, own[0]

"""One figure in two periods, side by side: `orders per channel in 2024 and 2025: channel, 2024, 2025, change`.

The first period is a question of its own (`orders per channel in 2024`), answered as any other; the same figure of the
other then stands beside it, with the change between them where one is asked. `pairs.py` reads the plainer wordings.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy, without_remarks
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.course_words import IN_PERCENT
from pluto_duck_text2sql.reading.frames import UNIT, same
from pluto_duck_text2sql.reading.pairs import is_side_by_side
from pluto_duck_text2sql.reading.spec import parts_after, split_aside
from pluto_duck_text2sql.times.calendar_days import MONTH, TOLD_YEAR, YEAR, shift
from pluto_duck_text2sql.times.periods import period_of
from pluto_duck_text2sql.times.seasons import by_part_of_year, is_by_date
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    During,
    Expr,
    Minus,
    Nested,
    Query,
    Ratio,
    is_total,
)

_SOME_DAY = dt.date(2021, 5, 12)
_NTH = r"(?:first|second|third|fourth|last|1st|2nd|3rd|4th)"
_YEAR = rf"(?:{YEAR}|{TOLD_YEAR})"
WHEN = (
    rf"(?:(?:this|last|the previous|the last|the current) (?:{UNIT})|the {UNIT} before|(?:h[12]|q[1-4])(?:(?: of| in)? {_YEAR})?"
    rf"|(?:the )?week of (?:the )?(?:\d\d?(?:st|nd|rd|th)? (?:of )?(?:{MONTH})|(?:{MONTH}) \d\d?(?:st|nd|rd|th)?,?) {YEAR}"
    rf"|(?:the )?{_NTH}(?: (?:half|quarter))?(?: (?:of|in) (?:the year )?{_YEAR})?|(?:{MONTH})(?: (?:of )?{_YEAR})?|{YEAR})"
)
_IN = r"(?:in|for|of|during|from|that of|those of|the)"
_BETWEEN = r"(?:,? ?(?:\band\b|\bversus\b|\bvs\b\.?|\bagainst\b|\bcompared (?:to|with)\b|\bnext to\b|\bbeside\b|\balongside\b|\bwith\b|/))"
_SO_FAR = (
    rf"(?:so far this (?:{UNIT})|this (?:{UNIT}) (?:so far|to date)|(?:year|quarter|month)[- ]to[- ]date|ytd|qtd|mtd)"
)
_A_YEAR_BEFORE = (
    r"(?:same (?:days?|dates?|periods?|months?|quarter|half|weeks?|time|point)(?: (?:of|in|from))?"
    r" (?:last year|the year before|(?:the )?(?:previous|prior) year|a year (?:ago|before|earlier)))"
)
_PAIR = Pattern(
    rf"(?P<lead>(?:\b(?:between|from) )?)(?:\b{_IN} )*(?<!\w)(?P<one>{_SO_FAR}|{WHEN}){_BETWEEN} (?:{_IN} )*(?P<other>{_A_YEAR_BEFORE}|{WHEN})(?!\w)",
    re.IGNORECASE,
)
_MARK = Pattern(
    r",? ?(?:\bside by side\b|\bnext to each other\b|\bbeside each other\b|\bin (?:two|separate) columns\b|\bcompared\b(?! to| with)"
    r"|\bcolumn by column\b)",
    re.IGNORECASE,
)
_OPPOSED = Pattern(r"\b(?:versus|vs|against|compared|next to|beside|alongside)\b", re.IGNORECASE)
_CHANGE_WORDS = r"(?:change|growth|difference|increase|decrease|percentage|percent|diff|delta|gap|development)"
_CHANGE = Pattern(
    rf",? ?(?:\band\b|\bwith\b|\bplus\b|\btogether with\b|\balong with\b|,)(?: (?:also|with|and))?(?: (?:the|its|their|a))?"
    rf" (?:\w+ )?{_CHANGE_WORDS}\b(?: (?:between (?:them|the two|both|the years)|from (?:the )?(?:one|first) to (?:the )?(?:other|second)))?"
    r"(?: (?:in|as) (?:a |an )?(?:%|percent\w*|pct|fraction))?",
    re.IGNORECASE,
)
_CHANGES = Pattern(rf"\b{_CHANGE_WORDS}\b|%", re.IGNORECASE)
_BY_HOW_MUCH = Pattern(r"^by (?:how (?:much|many)|what (?:percentage|percent|%))\b", re.IGNORECASE)
"""What asks for a change alone, which two figures beside each other are not."""
_PART = Pattern(r"%|\b(?:percent\w*|pct|fraction|rate|growth)(?!\w)", re.IGNORECASE)
_TAIL = Pattern(r"^,? ?(?:by|per|for each|in each|for every) ", re.IGNORECASE)
_PART_OF = Pattern(rf"\b(?:{UNIT}|half|{MONTH})s?$", re.IGNORECASE)
_LABEL = Pattern(rf"\b(?:{WHEN})(?!\w)", re.IGNORECASE)


@dataclass(frozen=True)
class Beside:
    """A figure in two periods; `scale` of the change between them: 0 none, 1 a fraction, 100 percent, -1 a difference.

    `aside` is what the question says of the figure in brackets at its end.
    """

    of: str
    periods: tuple[str, str]
    phrases: tuple[str, ...]
    scale: int
    aside: str = ""

    def asked(self) -> str:
        """The question of the first period."""
        first = self.periods[0]
        is_told = re.match(rf"this |last |{_SO_FAR}", first, re.IGNORECASE)
        return f"{self.of} {'' if is_told else 'in '}{first}{self.aside}"


def beside_of(question: str) -> Beside | None:
    """What a question says of two periods side by side; None where it says no such."""
    rest, aside = split_aside(without_remarks(question))
    main, phrases = parts_after(rest)
    text = same(main)
    found = _PAIR.search(text)
    is_whole = found is not None and not found["lead"] and not _PART_OF.search(text[: found.start()])
    periods = _periods(found) if found and is_whole else None
    if found is None or periods is None or _BY_HOW_MUCH.search(text) or not _is_opposed(text, found, phrases):
        return None
    change = _CHANGE.search(text)
    said = next((each for each in phrases if _CHANGES.search(each)), change[0] if change else "")
    said = f"{said} {change[0]}" if change else said
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    of = tidy(same(_CHANGE.sub(" ", _MARK.sub(" ", rest)))).lstrip(", ")
    if not of or _TAIL.match(of):
        of = f"{_measure(phrases)} {of}"
    scale = 0 if not said else 100 if IN_PERCENT.search(said) else 1 if _PART.search(said) else -1
    return Beside(of, periods, tuple(phrases), scale, aside)


def _is_opposed(text: str, found: re.Match[str], phrases: Sequence[str]) -> bool:
    """Whether the periods are columns, and not both of them what rows are looked for in."""
    labelled = sum(bool(_LABEL.search(each)) for each in phrases)
    return labelled > 1 or bool(_MARK.search(text) or _OPPOSED.search(found[0]) or _CHANGE.search(text))


def _periods(found: re.Match[str]) -> tuple[str, str] | None:
    """Both periods in full: `the first and the second half of 2024`, `Q3 vs Q4 2024`; None where one is none."""
    return periods_of(found["one"], found["other"])


def periods_of(one: str, other: str) -> tuple[str, str] | None:
    """The same of what is said of each."""
    one, other = (re.sub(r"^the (?!year before|previous)", "", each, flags=re.IGNORECASE) for each in (one, other))
    year = re.search(rf" (?:(?:of|in) )?(?:the year )?{_YEAR}$", other)
    size = re.search(r" (?:half|quarter)\b", other)
    if size and re.fullmatch(_NTH, one, re.IGNORECASE):
        one = f"{one}{size[0]}"
    if year and not leans(other) and not re.search(_YEAR, one) and f"{one}{year[0]}" != other:
        one = f"{one}{year[0]}"
    part = re.search(rf"(?<=\w) (?:(?:of|in) )?(?:the )?{_YEAR}$", one)
    if part and re.fullmatch(_YEAR, other):
        other = f"{one[: part.start()]} of {other}"
    one, other = (_before(each) for each in (one, other))
    if leans(other):
        return (one, other) if period_of(one) else None
    return (one, other) if one != other and period_of(one) and period_of(other) else None


def leans(period: str) -> bool:
    """Whether a period is the same as the other, a year before."""
    return bool(re.fullmatch(_A_YEAR_BEFORE, period, re.IGNORECASE))


def _before(period: str) -> str:
    """`the year before`, said beside this year, as `last year`."""
    found = re.fullmatch(rf"the (?P<unit>{UNIT}) before|(?:the )?previous (?P<unit2>{UNIT})", period, re.IGNORECASE)
    return f"last {found['unit'] or found['unit2']}" if found else re.sub(r"\bin (?=\d)", "of ", period)


def _measure(phrases: Sequence[str]) -> str:
    """What is measured, where the periods' columns alone say it: `q3 orders`."""
    labelled = (each for each in phrases if _LABEL.search(each))
    return tidy(_LABEL.sub(" ", next(labelled, ""))).strip()


class TwoPeriods(Compounds):
    """Answers questions about one figure in two periods."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The two figures and their change; None where the question asks no such."""
        said = beside_of(question)
        if said is None or _shows(plain, said):
            return None
        part = self._part(said.asked(), run)
        query = self._columns(said, part.tree) if part else None
        made = self.candidate(query, [part], (), run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _columns(self, said: Beside, tree: Query) -> Query | None:
        """The query of the first period with the figure of both, its columns those that are listed."""
        tree = _of_any_year(tree, said)
        figures = [each for each in tree.select if is_total(each)]
        if is_by_date(tree) or tree.having or tree.limit or tree.then or tree.per or tree.distinct or len(figures) != 1:
            return None
        spans = self._spans(said, tree)
        if spans is None or not isinstance(figures[0], Agg) or isinstance(figures[0].of, Nested):
            return None
        both = [replace(figures[0], where=(*figures[0].where, each)) for each in spans]
        keys = [each for each in tree.select if not is_total(each)]
        change = _change(both, said)
        query = replace(tree, where=tuple(each for each in tree.where if each != spans[0]), order=())
        if not said.phrases:
            return replace(query, select=(*keys, *both, *([change] if change else [])))
        chosen = self._chosen(said, query, both, change)
        return replace(query, select=chosen) if chosen else None

    def _spans(self, said: Beside, tree: Query) -> tuple[During, During] | None:
        """The condition of the first period, and the same of the other."""
        found = [each for each in tree.where if isinstance(each, During)]
        if len(found) != 1 or not isinstance(found[0].left, Col):
            return None
        other = _year_before(found[0]) if leans(said.periods[1]) else self.within(found[0].left, said.periods[1])
        return (found[0], other) if other else None

    def _chosen(
        self, said: Beside, query: Query, figures: Sequence[Expr], change: Expr | None
    ) -> tuple[Expr, ...] | None:
        """The columns that the phrases mean, in their order; None where one means none or another's."""
        left = list(figures)
        found: list[Expr] = []
        for phrase in said.phrases:
            place = _place(phrase, said.periods)
            made = (
                figures[place]
                if place is not None
                else change
                if _CHANGES.search(phrase)
                else self.key_named(query, phrase)
            )
            made = made or (left[0] if left else None)
            if made is None or made in found:
                return None
            left = [each for each in left if each != made]
            found.append(made)
        return tuple(found) if set(figures) <= set(found) or change in found else None


def _year_before(period: During) -> During:
    start, end = (shift(each, "year", -1) for each in (period.start, period.end))
    return During(period.left, start, end)


def _of_any_year(tree: Query, said: Beside) -> Query:
    """`monthly revenue 2012 vs 2011`: a row for each month of a year, or quarter."""
    years = all(re.fullmatch(rf"{YEAR}|(?:this|last) year", each, re.IGNORECASE) for each in said.periods)
    return by_part_of_year(tree) if years else tree


def _shows(plain: Analysis, said: Beside) -> bool:
    """Whether an answer shows both already, in as many columns as are listed."""
    tree = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
    if tree is None or not is_side_by_side(tree) or len(tree.select) != len(said.phrases):
        return False
    return _of_any_year(tree, said) == tree


def _place(phrase: str, periods: tuple[str, str]) -> int | None:
    """Which of the two periods a phrase names."""
    for label in (each[0].lower() for each in _LABEL.finditer(phrase)):
        label = re.sub(r"^the ", "", label)
        places = [n for n, each in enumerate(periods) if label in (each.lower(), *_labels(each))]
        if len(places) == 1:
            return places[0]
    return None


def _labels(period: str) -> list[str]:
    """The shorter names of a period: `h1`, `first half`, its month, its year."""
    words = period.lower().split()
    short = {"first": "1", "1st": "1", "second": "2", "2nd": "2", "third": "3", "3rd": "3", "fourth": "4", "4th": "4"}
    made = [words[0], " ".join(words[:2]), words[-1]]
    if len(words) > 1 and words[1] in ("half", "quarter") and words[0] in short:
        made.append(f"{words[1][0]}{short[words[0]]}")
    return made


def _change(figures: Sequence[Expr], said: Beside) -> Expr | None:
    """The later less the earlier, as a part of the earlier where that is asked."""
    if not said.scale or not all(isinstance(each, Agg) for each in figures):
        return None
    first, last = figures if _is_earlier(*said.periods) else reversed(figures)
    return change_of(first, last, said.scale)


def change_of(first: Expr, last: Expr, scale: int) -> Expr:
    """A later figure less the earlier one, as a part of that where the scale is none of a difference (-1)."""
    moved = Minus(last, first)
    return moved if scale < 0 else Ratio(moved, first, scale)


def _is_earlier(one: str, other: str) -> bool:
    """Whether the first period is before the second, seen from any one day."""
    if leans(other):
        return False
    starts = [found.resolve(_SOME_DAY)[0] if (found := period_of(each)) else None for each in (one, other)]
    return starts[0] is not None and starts[1] is not None and starts[0] < starts[1]

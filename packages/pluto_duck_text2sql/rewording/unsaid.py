"""What a question leaves unsaid that leans on none before it: whose growth `YoY growth` is, by what `is revenue
growing` shows, what `did sales go up in October` is compared with, and what grew where it is said of regions.

Called by `analyst`; a follow-up is left as it is, since what came before tells more. Where nothing is said of what
grows, it is revenue.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, stem, tokenise
from pluto_duck_text2sql.reading.frames import UNIT, Parts
from pluto_duck_text2sql.rewording.business_figures import LONGEST
from pluto_duck_text2sql.times.recurring import periods_in
from pluto_duck_text2sql.tree import columns_in

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Reader

_TREND = Pattern(
    r"^(?:(?:is|are|was|were) (?:the |our )?(?P<what>[a-z ]+?) (?:growing|going up|going down|rising|falling|declining"
    r"|increasing|decreasing|improving|trending(?: up| down)?|shrinking)(?: or (?:[a-z]+(?: down| up)?))?"
    r"|how (?:is|are) (?:the |our )?(?P<what2>[a-z ]+?) (?:trending|developing|evolving|changing)(?: over time)?"
    r"|(?:what(?:['’]s| is) the )?trend (?:of|in|for) (?:the |our )?(?P<what3>[a-z ]+?)"
    r"|(?P<what4>[a-z ]+?) (?:trend|over time|evolution))(?P<when> (?:in|since|during|this|last|over the) [\w ]+)?\W*$",
    re.IGNORECASE,
)
_BARE_GROWTH = Pattern(
    r"^(?:(?:what(?:['’]s| is) |show (?:me )?)?(?:the |our )?)?"
    r"(?P<over>(?:yoy|mom|qoq|wow|year[- ]over[- ]year|month[- ]over[- ]month|quarter[- ]over[- ]quarter"
    r"|week[- ]over[- ]week|annual|yearly|monthly|quarterly|weekly)) growth(?: rate)?"
    r"(?P<rest>(?: (?:by|per|for each|of each) .+| (?:in|since|for) (?:\d{4}|this|last).*)?)\W*$",
    re.IGNORECASE,
)
_UP_OR_DOWN = r"(?:up|down|higher|lower|better|worse|increasing|decreasing|growing|falling)"
_AGAINST = r"(?:compared (?:to|with)|vs\.?|versus|on|over|than|against|since|from)"
_SINCE_LAST = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:are|is) (?:the |our )?(?P<what>[a-z ]+?) {_UP_OR_DOWN}(?: or {_UP_OR_DOWN})? {_AGAINST}"
        rf" last (?P<unit>{UNIT})\W*$",
        rf"^what(?: has|['’]s)? changed in (?:the |our )?(?P<what>[a-z ]+?) {_AGAINST} last (?P<unit>{UNIT})\W*$",
        rf"^how (?:have|has|did) (?:the |our )?(?P<what>[a-z ]+?) changed? {_AGAINST} last (?P<unit>{UNIT})\W*$",
        rf"^(?:year[- ]to[- ]date|ytd) (?P<what>[a-z ]+?) {_AGAINST} (?:the same (?:period|time|days) )?"
        r"last (?P<unit>year)\W*$",
        rf"^are we (?P<sell>selling|earning|making) (?:more|less)(?: money)? than last (?P<unit>{UNIT})\W*$",
    )
)
_MOVED = Pattern(
    r"^(?:did|have|has) (?:the |our )?(?P<what>[a-z ]+?) (?:(?:go|gone) (?:up|down)|increased?|decreased?|gr[eo]wn?"
    r"|risen?|fall(?:en)?|changed?|declined?|dropp?(?:ed)?)(?: or (?:(?:go |gone )?(?:up|down)|[a-z]+))?"
    r" (?P<when>(?:in|during|this|last) [\w ]+?)\W*$",
    re.IGNORECASE,
)
_ASK = r"^(?:which|what) (?:of our |of the )?"
_WHO = r"(?P<who>[a-z]+(?: [a-z]+)?)"
_IN_YEAR = r" (?:in (?P<year>\d{4})|(?P<rel>this|last) year)\W*$"
_DID = r"(?P<grew>grew|gained|increased|rose|declined|fell|dropped|shrank|lost)"
_GREW_MOST = Pattern(rf"{_ASK}{_WHO} {_DID}(?: the)? (?P<most>most|fastest|least){_IN_YEAR}", re.IGNORECASE)
_GREW = Pattern(rf"{_ASK}{_WHO} {_DID}{_IN_YEAR}", re.IGNORECASE)
_FELL = ("declined", "fell", "dropped", "shrank", "lost")
_YEAR_END = (12, 24)
_MONEY = frozenset(map(stem, "revenue sales turnover income profit".split()))


class Unsaid:
    """Says what questions leave unsaid, over one catalog."""

    def __init__(self, reader: Reader) -> None:
        self._reader, self._parts = reader, Parts(reader)

    def said(self, question: str) -> str:
        """The question with it; itself where it leaves nothing of this unsaid."""
        if len(question) > LONGEST:
            return question
        if not self._reader.resolver.money():
            return _MOVED.sub(self._moved, _TREND.sub(self._trend, question))
        for pattern in _SINCE_LAST:
            question = pattern.sub(self._since_last, question)
        question = _GREW.sub(self._grew, _GREW_MOST.sub(self._grew_most, _BARE_GROWTH.sub(_growth, question)))
        return _MOVED.sub(self._moved, _TREND.sub(self._trend, question))

    def _is_known(self, what: str) -> bool:
        said = [token.stem for token in tokenise(what) if token.lower not in STOP]
        return all(self._reader.names.find((each,)) or each in _MONEY for each in said)

    def _trend(self, match: re.Match[str]) -> str:
        """By month."""
        what = next(each for each in (match["what"], match["what2"], match["what3"], match["what4"]) if each)
        return f"{what} by month{match['when'] or ''}" if self._is_added_up(what) else match[0]

    def _since_last(self, match: re.Match[str]) -> str:
        """So far, beside as much of the unit before."""
        what, unit = match.groupdict().get("what") or "revenue", match["unit"].lower()
        if not self._is_known(what):
            return match[0]
        return f"{what} {_so_far(unit)}"

    def _moved(self, match: re.Match[str]) -> str:
        """Beside the unit before."""
        tokens = tokenise(match["when"])
        periods = periods_in(Words(tokens))
        is_whole = len(periods) == 1 and periods[0].end == len(tokens) and periods[0].start <= 1
        unit = periods[0].grain if is_whole else ""
        if unit not in UNIT.split("|") or not self._is_added_up(match["what"]):
            return match[0]
        if match["when"].lower().startswith("this ") or self._is_not_over(match["when"]):
            return f"{match['what']} {_so_far(unit)}"
        return f"{match['what']} {match['when']} compared to the {unit} before"

    def _is_added_up(self, what: str) -> bool:
        """Whether a figure is a sum or a number of rows: rents and scores are neither."""
        said = [token.stem for token in tokenise(what) if token.lower not in STOP]
        counts = what.lower().startswith("number of ")
        return self._is_known(what) and (counts or bool(_MONEY & set(said)) or self._parts.table(what) is not None)

    def _is_not_over(self, when: str) -> bool:
        """Whether it is the year that goes on."""
        day = self._reader.catalog.latest_day(self._reader.today)
        return re.search(rf"\b{day.year}$", when.strip()) is not None and (day.month, day.day) < _YEAR_END

    @cached_property
    def _sells_one_way(self) -> bool:
        """Whether money comes in on the days of one kind of row alone: lines are of the days of their orders."""
        homes = {next(columns_in(each)).table for each in self._reader.resolver.income()}
        tables = [table for key in homes if (table := self._reader.catalog.table(*key))]
        dated = [each for each in tables if any(column.is_time for column in each.columns)]
        return len(dated or tables) == 1

    def _year(self, match: re.Match[str]) -> int:
        day = self._reader.catalog.latest_day(self._reader.today)
        return int(match["year"]) if match["year"] else day.year - (match["rel"].lower() == "last")

    def _is_told(self, match: re.Match[str]) -> bool:
        """Whether the revenue of whole years tells it."""
        day = self._reader.catalog.latest_day(self._reader.today)
        is_over = self._year(match) < day.year or (day.month, day.day) >= _YEAR_END
        return self._is_known(match["who"]) and self._sells_one_way and is_over

    def _grew_most(self, match: re.Match[str]) -> str:
        """The change of revenue over the year before."""
        if not self._is_told(match):
            return match[0]
        fell, year = match["grew"].lower() in _FELL, self._year(match)
        percent = "percentage " if match["most"].lower() == "fastest" else ""
        change = f"the biggest {percent}{'drop' if fell else 'growth'} in revenue"
        return f"which {match['who']} had {change} from {year - 1} to {year}"

    def _grew(self, match: re.Match[str]) -> str:
        if not self._is_told(match):
            return match[0]
        way, year = "fell" if match["grew"].lower() in _FELL else "grew", self._year(match)
        return f"{match['who']} whose revenue {way} from {year - 1} to {year}"


def _so_far(unit: str) -> str:
    """What goes on beside the one before it."""
    same = "so far this year compared to the same period last year"
    return same if unit == "year" else f"this {unit} compared to last {unit}"


def _growth(match: re.Match[str]) -> str:
    return f"{match['over']} growth of revenue{match['rest']}"

"""Averages over periods: `how many orders does a customer place per month`, `average monthly sales by country`.

The figure by thing and period is a question of its own. Where one thing's figure is asked, all of these are averaged;
where each group has its own, its total is divided by the periods in which it had any. So is that of what comes round
every year, week or day: `average monthly revenue by calendar month`, `average number of orders per weekday`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import cast

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import MONEY, stem, table_stems, tokenise
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import UNIT, same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Expr, Grain, Nested, Order, Query, Ratio, in_each_group, is_total
from pluto_duck_text2sql.trees.parts import home

_AVERAGE = r"(?:average|mean|avg|typical)"
_LEAD = r"^(?:please )?(?:(?:show|give|list|tell|what(?:'s| is| are| was| were)|calculate|compute|find)(?: me| us)? )?(?:the |our |my )?"
_A = r"(?:an?|one|each|every|per|of an?|of each|for an?|for each|the average|the typical|an average|a typical)"
_PER = r"(?:per|each|every|an?|in an?|in each|by)"
_EACH = r"(?:by|per|for each|for every|of each|in each|across|of every)"
_WHO = r"(?P<who>[a-z]+)"
_TAIL = r"(?P<tail>,? (?:in|during|for|since|from|of|on|at|with|between|before|after|over) .+)?$"
_OF_ONE = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_LEAD}{_AVERAGE} (?:number of )?(?P<what>.+?) {_A} {_WHO}(?: (?!per|each|every|by)[a-z]+){{0,2}} {_PER} (?P<unit>{UNIT}){_TAIL}",
        rf"^(?=.*\bon average\b)(?:on average,? )?how (?P<many>many|much) (?P<what>.+?) per {_WHO}(?: and)? per (?P<unit>{UNIT})"
        rf"(?: on average)?{_TAIL}",
        rf"^(?:on average,? )?how (?P<many>many|much) (?P<what>(?:[a-z]+ )*?)(?:does|do|did) {_A} {_WHO} (?P<did>[a-z]+)"
        rf"(?P<avg> on average)? {_PER} (?P<unit>{UNIT})(?: on average)?{_TAIL}",
    )
)
_OF_GROUPS = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_LEAD}{_AVERAGE} (?P<ly>hourly|daily|weekly|monthly|quarterly|yearly|annual) (?P<what>.+?) (?P<each>{_EACH}) (?P<by>.+)$",
        rf"{_LEAD}{_AVERAGE} (?:number of )?(?P<what>.+?) (?:per|a|each) (?P<unit>{UNIT}),? (?P<each>{_EACH}) (?P<by>.+)$",
        rf"^(?=.*\bon average\b)(?:on average,? )?how (?:many|much) (?P<what>.+?) (?:per|an?|each|every) (?P<unit>{UNIT})"
        r"(?: on average)?,? (?:does|do|did) (?:each|every) (?P<by>[a-z]+)(?: [a-z]+)?(?: on average)?$",
    )
)
_OF_ALL = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_LEAD}{_AVERAGE} (?:number of )?(?P<what>[a-z]+(?: [a-z]+)?) (?:per|an?|each|every) (?P<unit>{UNIT}){_TAIL}",
        rf"{_LEAD}{_AVERAGE} (?P<ly>hourly|daily|weekly|monthly|quarterly|yearly|annual) (?:number of )?(?P<what>[a-z]+(?: [a-z]+)?){_TAIL}",
        rf"^(?=.*\bon average\b)(?:on average,? )?how (?:many|much) (?P<what>[a-z]+(?: [a-z]+)?)(?: (?:do|did|are|were) (?:we|there) [a-z]+)?"
        rf" (?:per|an?|each|every) (?P<unit>{UNIT})(?: on average)?{_TAIL}",
    )
)
_LY = {"daily": "day", "annual": "year"}
_ADJECTIVE = Pattern("hourly|daily|weekly|monthly|quarterly|yearly|annual")
_CYCLES: dict[Grain, tuple[str, Grain]] = {
    "month_of_year": (r"calendar month|month of (?:the |a )?year", "month"),
    "weekday": (r"weekday|day of (?:the |a )?week", "day"),
    "hour_of_day": (r"(?:hour|time) of (?:the |a )?day", "day"),
}
_CYCLE = "|".join(f"(?P<{grain}>{words})" for grain, (words, _) in _CYCLES.items())
_COMES = (
    r"(?:do we (?:get|have|receive|make|see|take)|are (?:there|placed|made)|come in|arrive|happen|take place|start)"
)
_OVER_ALL = r"(?:,? (?:over|across|for|in) (?:all|the) (?:the )?(?:years|weeks|days|months))?"
_ON_CYCLES = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_LEAD}{_AVERAGE} (?:daily|monthly|hourly) (?P<what>.+?) {_EACH} (?:the )?(?:{_CYCLE}){_OVER_ALL}{_TAIL}",
        rf"{_LEAD}{_AVERAGE} (?:number of )?(?P<what>.+?) per (?:day|month|hour),? {_EACH} (?:the )?(?:{_CYCLE}){_OVER_ALL}{_TAIL}",
        rf"{_LEAD}{_AVERAGE} (?P<what>number of .+?) {_EACH} (?:the )?(?:{_CYCLE}){_OVER_ALL}{_TAIL}",
        rf"^(?=.*\bon average\b)(?:on average,? )?how (?P<many>many) (?P<what>[a-z]+(?: [a-z]+)??)(?: {_COMES})?"
        rf"(?: on average)? (?:on|in|at|{_EACH})(?: each| every| an?)? (?:the )?(?:{_CYCLE})(?: on average)?{_OVER_ALL}{_TAIL}",
        rf"{_LEAD}seasonality (?:of|in) (?:the |our )?(?P<what>.+?)(?:,? {_EACH} (?:the )?(?:{_CYCLE}))?{_OVER_ALL}{_TAIL}",
    )
)
_SEASONS = Pattern(r"^seasonality: ", re.IGNORECASE)
_BEST_CYCLE = Pattern(
    rf"^(?:in |on |at )?(?:which|what) (?P<said>{_CYCLE}) (?:has|had|have|is there|shows) (?:on average )?(?:the )?"
    rf"(?P<way>highest|lowest|most|fewest|largest|smallest) (?:{_AVERAGE} )?(?:daily |monthly |hourly )?(?P<what>[a-z]+(?: [a-z]+)?)"
    rf"(?: on average)?{_OVER_ALL}$",
    re.IGNORECASE,
)
_MEANT = Pattern(rf"\b(?:{_AVERAGE}|on average)\b", re.IGNORECASE)
_IN_PERIODS = Pattern(rf"\b(?:{_ADJECTIVE.pattern}|on average)\b", re.IGNORECASE)
"""What says that each period's figure is averaged, not that of each row by periods."""
_LONGER = Pattern(r"(?:the )?(?:week|month|quarter|year)\b(?! of\b)", re.IGNORECASE)
_PERIODS = ("hour", "day", "week", "month", "quarter", "year")
_LEAST = ("lowest", "fewest", "smallest")
_KEPT = frozenset(map(stem, "fee wage pay rent premium budget target quota limit allowance capacity".split()))
"""What is so much a period whoever adds it up."""
_OWN_NAMES = 0.9


@dataclass(frozen=True)
class Averaged:
    """A question by thing or group and by period; `of` is the thing, where all of its figures are averaged.

    `cycle` is what comes round, where the question is by that alone; `is_of_all`: there is no thing or group;
    `is_of_longer`: the groups are longer periods, days of each month. `best`: the way in which the one that is asked for is
    the first.
    """

    asked: str
    unit: str
    of: Table | None = None
    cycle: Grain | None = None
    is_of_all: bool = False
    is_of_longer: bool = False
    best: str = ""


class Averages(Compounds):
    """Answers questions for averages over periods."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The average; None where the question asks no such."""
        main, phrases = split_spec(_SEASONS.sub("", question))
        asked = (
            None
            if self._is_of_rate(main)
            else self._of_one(same(main)) or self._of_cycle(same(main)) or _of_groups(same(main))
        )
        asked = asked or (None if _is_told(plain) else self._of_all(same(main)))
        part = self._part(asked.asked, run) if asked else None
        if asked is None or part is None:
            return None
        query = _averaged(part.tree, asked) if asked.of is None or home(part.tree) != asked.of.key else None
        query = _first(query, asked) if query and asked.best else query
        made = self.candidate(query, [part], phrases, run) if query else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _is_of_rate(self, text: str) -> bool:
        """`average monthly fee by plan` where a column is called so: its average, and no month's."""
        pairs = ((one, other) for one, other in pairwise(tokenise(text)) if _ADJECTIVE.fullmatch(one.lower))
        named = (each for one, other in pairs for each in self.reader.names.find((one.stem, other.stem)))
        return any(each.column and each.score == 1.0 for each in named)

    def _of_one(self, text: str) -> Averaged | None:
        """What one thing has or does in a period on average."""
        found = next((match for pattern in _OF_ONE if (match := pattern.match(text))), None)
        said = found.groupdict() if found else {}
        who = self.table(found["who"]) if found else None
        if found is None or who is None or not re.search(rf"\b{_AVERAGE}\b", text, re.IGNORECASE):
            return None
        what = (said["what"] or "").strip() or said.get("did") or ""
        counted = what if (said.get("many") or "").lower() == "much" else f"number of {what}"
        if self._is_amount(what):
            counted = what
        return Averaged(
            tidy(f"{counted} by {found['who']} and {found['unit']}{said['tail'] or ''}"), found["unit"], who
        )

    def _of_cycle(self, text: str) -> Averaged | None:
        """What a month of the year, a day of the week or an hour of the day has on average, or which has the most."""
        best = _BEST_CYCLE.match(text) if _MEANT.search(text) else None
        found = best or next((match for pattern in _ON_CYCLES if (match := pattern.match(text))), None)
        if found is None:
            return None
        said = found.groupdict()
        cycle: Grain = next((each for each in _CYCLES if found[each]), "month_of_year")
        counts = said.get("many") or (best and self.table(found["what"]) and not self._is_figure(found["what"]))
        what = f"number of {found['what']}" if counts else found["what"]
        by = found[cycle] or "calendar month"
        asked = f"{what} by {by}{said.get('tail') or ''}"
        return Averaged(asked, _CYCLES[cycle][1], cycle=cycle, best=best["way"].lower() if best else "")

    def _of_all(self, text: str) -> Averaged | None:
        """How many rows there are in a period on average, or what money they bring in, of all together."""
        found = next((match for pattern in _OF_ALL if (match := pattern.match(text))), None)
        rows = self.table(found["what"]) if found and not self._is_figure(found["what"]) else None
        if found is None or not (rows or self._adds_up(found["what"])):
            return None
        if not (rows or self._is_money(found["what"]) or _IN_PERIODS.search(text)):
            return None
        counted = f"number of {found['what']}" if rows else found["what"]
        return Averaged(f"{counted} by {_unit(found)}{found['tail'] or ''}", _unit(found), is_of_all=True)

    def _is_figure(self, words: str) -> bool:
        """Whether words name a table and one of its numbers: `invoice total`, which is no number of invoices."""
        *of, figure = (token.stem for token in tokenise(words))
        numbers = (each for each in self.reader.names.called((figure,)) if each.column and each.column.kind == "number")
        return bool(of) and any(table_stems(each.table.name) == tuple(of) for each in numbers)

    def _is_money(self, words: str) -> bool:
        return tokenise(words)[-1].stem in MONEY

    def _adds_up(self, words: str) -> bool:
        """Whether it is money, or what rows of a measured time or deed hold so much of: consumption, no salary."""
        *_, last = tokenise(words)
        if self._is_money(words) or self._is_figure(words):
            return self._is_money(words)
        named = [
            each for each in self.reader.names.called((last.stem,)) if each.column and each.column.kind == "number"
        ]
        return bool(named) and all(self._is_of_deed(each.table, each.column) for each in named if each.column)

    def _is_of_deed(self, table: Table, column: Column) -> bool:
        """Whether a column is added up, of rows that are told apart by a time and have no name."""
        is_added = self.reader.resolver.default_aggregate(Col(table.key, column.name)).function == "sum"
        is_kept = not _KEPT.isdisjoint(table.stems(column.name)) or any(map(_tells_apart(table), table.columns))
        return is_added and not is_kept and any(each.is_time for each in table.columns)

    def _is_amount(self, words: str) -> bool:
        """Whether words name no table, so that it is no number of them."""
        return self.table(words) is None


def _tells_apart(table: Table) -> Callable[[Column], bool]:
    """Whether a text tells nearly every row from the others, as a name does."""
    least = _OWN_NAMES * (table.row_count or 0)
    return lambda column: column.kind == "text" and (column.n_distinct or 0) > least


def _of_groups(text: str) -> Averaged | None:
    """What each group has in a period on average."""
    found = next((match for pattern in _OF_GROUPS if (match := pattern.match(text))), None)
    if found is None:
        return None
    if _LONGER.match(found["by"]):
        return Averaged(f"{found['what']} by {found['by']}", _unit(found), is_of_longer=True)
    return Averaged(f"{found['what']} by {_unit(found)} and {found['by']}", _unit(found))


def _unit(found: re.Match[str]) -> str:
    """The period that is said, as a noun or as an adjective."""
    said = found.groupdict()
    ly = (said.get("ly") or "").lower()
    return (said.get("unit") or _LY.get(ly) or ly.removesuffix("ly")).lower()


def _is_told(plain: Analysis) -> bool:
    """Whether an answer is a mean of figures of periods already."""
    tree = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
    means = [each.of for each in tree.select if isinstance(each, Agg) and isinstance(each.of, Nested)] if tree else []
    return any(isinstance(key, Bucket) for each in means for key in each.query.group)


def _first(query: Query, asked: Averaged) -> Query:
    """The one whose average is the first."""
    figure = next(each for each in query.select if is_total(each))
    return replace(query, order=(Order(figure, descending=asked.best not in _LEAST),), limit=1)


def _is_meant(key: Bucket, asked: Averaged) -> bool:
    """Whether a key is of the periods that are averaged over, or of the longer ones that these lie in."""
    if asked.is_of_longer:
        return _PERIODS.index(key.grain) > _PERIODS.index(asked.unit) if key.grain in _PERIODS else False
    return key.grain == (asked.cycle or asked.unit)


def _averaged(tree: Query, asked: Averaged) -> Query | None:
    """The average of a tree's one figure over its periods; None where it has no other key, or no such figure."""
    figures = [each for each in tree.select if is_total(each)]
    times = [each for each in tree.group if isinstance(each, Bucket) and _is_meant(each, asked)]
    keys = [each for each in tree.group if asked.cycle or asked.is_of_longer or each not in times]
    is_plain = not (tree.having or tree.limit or tree.then or tree.per or tree.distinct)
    is_fit = is_plain and len(times) == 1 and bool(keys) is not asked.is_of_all and len(figures) == 1
    figure = figures[0] if is_fit else None
    if not isinstance(figure, Agg):
        return None
    if asked.of or asked.is_of_all:
        return Query(tree.anchor, (Agg("avg", in_each_group(tree, figure)),))
    if figure.function not in ("sum", "count") or figure.distinct:
        return None
    made = Ratio(figure, Agg("count", Bucket(cast(Grain, asked.unit), times[0].of), distinct=True))
    kept = [each for each in tree.select if asked.cycle or asked.is_of_longer or each not in times]
    shown: tuple[Expr, ...] = tuple(made if each == figure else each for each in kept)
    order = tuple(each for each in tree.order if each.by in keys)
    return replace(tree, select=shown, group=tuple(keys), order=order)

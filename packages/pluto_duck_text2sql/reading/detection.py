"""What the words of a question are: times, cues, and mentions of names and stored values.

The first thing that is done to a question; what says the most takes its words before what says less. `yearly fee` is a
column where one is called so, and asks for no years.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from pluto_duck_text2sql.data.links import Mention, find_mentions
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.data.presence import find_presences
from pluto_duck_text2sql.data.qualifiers import FLAG
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.words import Token, stem
from pluto_duck_text2sql.reading.cues import HIGH, LOW, Cue, find_cues
from pluto_duck_text2sql.reading.series import find_series, grains_along
from pluto_duck_text2sql.times.cycles import find_cycles
from pluto_duck_text2sql.times.grains import GrainMention, find_grains
from pluto_duck_text2sql.times.recurring import grains_of, periods_in
from pluto_duck_text2sql.times.today import Today
from pluto_duck_text2sql.tree import columns_in
from pluto_duck_text2sql.trees.phrases import AMOUNT_WORDS
from pluto_duck_text2sql.trees.units import unit_said

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Reader

_TOTALS = frozenset("total combined overall sum".split())
_COMPUTES = frozenset("agg count super super_adj popular bestselling sort sort_adj cmp between cmp_avg".split())
_RATE_WORDS = 3
OFTEN = frozenset("hourly daily weekly monthly quarterly yearly annual".split())
_IN_NAMES = OFTEN | {"number"}
_LONGEST_NAME = 5
"""How many words of a question may be one name that tells how much or which one."""
_LINKING = frozenset("of the in on".split())
_BESTS = frozenset((*HIGH.split("|"), *LOW.split("|"), *"latest newest earliest oldest last first".split()))
_EXTREMES = frozenset(f"{HIGH}|{LOW}".split("|"))
_CALLED = 0.75
_FEW_COLUMNS = 3
NEAR_WORDS = 3
_WORTH = frozenset("value values worth amount amounts".split())
_ITS = frozenset("the their its our a an".split())
_MONEY_NOUNS = frozenset(stem(each) for each in ["revenue", "sales", "turnover", "income", "earnings", "takings"])


class Detection:
    """What the words of a question are, before anything is known of what they are for."""

    def __init__(
        self, reader: Reader, tokens: list[Token], forced: str | None, counted_from: Today | None = None
    ) -> None:
        self.reader, self.tokens, self.forced, self.counted_from = reader, tokens, forced, counted_from
        self.words = Words(tokens)
        self.claimed: set[int] = set()
        self.terms = reader.terms.find(tokens)
        for said in self.terms:
            self.words.take(said.start, said.end)
        whole = self._whole_names()
        self._find_cues()
        self._units_said()
        self._find_mentions(whole | self._names_in_totals())
        self._sums_that_are_names()
        self._totals_that_are_names()

    def _find_cues(self) -> None:
        """The times, cycles and cues, in an order in which the more specific take their words first."""
        series = find_series(self.words)
        self.periods = periods_in(self.words)
        every = [*grains_of(self.words, self.periods), *find_grains(self.words)]
        self.cycles = find_cycles(self.words, self._is_stored, self._is_within_value)
        self.presences = find_presences(self.words, self.tokens, self.reader.names)
        self.cues = sorted([*series, *find_cues(self.words)], key=lambda cue: cue.start)
        self.grains = grains_along(self.cues, every)
        self.lags_year = len(self.grains) < len(every)

    def _find_mentions(self, named: set[int]) -> None:
        """The names and values, of words that are left or in `named`, and what they make of grains and money words."""
        taken = [self.words.taken(n) and n not in named for n in range(len(self.tokens))]
        self.mentions = find_mentions(self.tokens, taken, self.reader.names, self.reader.catalog)
        self._terms_said()
        self._grains_that_are_columns()
        self.dated = dict(self._grains_of_dates())
        self._money_words()

    def _whole_names(self) -> set[int]:
        """The places of `monthly fee`, `tracking number`, `net total`, `price per player`, `highest degree` and `weeks
        on top` where columns are called so: these ask for no months, no numbers, no sums, no groups, no best. No
        pattern finds their words from now on."""
        found = set[int]()
        for length in range(2, _LONGEST_NAME + 1):
            for start in range(len(self.tokens) - length + 1):
                some = self.tokens[start : start + length]
                asks = any(each.lower in _IN_NAMES for each in some) or some[-1].lower in _TOTALS
                asks = asks or (length >= _RATE_WORDS and some[1].lower == "per")
                is_best = self._is_of_best(some) or self._says_best_within(some)
                if (asks and (self._is_name(some) or self._is_stored_whole(some))) or is_best:
                    found.update(range(start, start + length))
        found.update(place for place in range(len(self.tokens)) if self._tells_kind(place))
        for place in found:
            self.words.take(place, place + 1)
        return found

    def _tells_kind(self, place: int) -> bool:
        """Whether `yearly` is stored of what the next word names: `the yearly plan`, `how many yearly members`."""
        if self.tokens[place].lower not in _IN_NAMES or place + 1 == len(self.tokens):
            return False
        before = [token.lower for token in self.tokens[max(place - 2, 0) : place]]
        hits = self.reader.catalog.values.lookup(self.tokens[place].lower, _FEW_COLUMNS)
        own = {(each.schema, each.table): each.column for each in hits if each.score == 1.0}
        named = self.reader.names.find((self.tokens[place + 1].stem,)) if own else []
        is_counted = before == ["how", "many"]
        kinds = (each for each in named if each.table.key in own and each.score >= _CALLED)
        return any(own[each.table.key] == each.column.name if each.column else is_counted for each in kinds)

    def _is_stored_whole(self, tokens: list[Token]) -> bool:
        """`annual leave`, where that is the name of a kind: no leave by year."""
        hits = self.reader.catalog.values.lookup(" ".join(each.text for each in tokens), 1)
        return tokens[0].lower in _IN_NAMES and any(each.score == 1.0 for each in hits)

    def _is_name(self, tokens: list[Token]) -> bool:
        said = tuple(token.stem for token in tokens)
        named = ((each, each.column) for each in self.reader.names.find(said))
        return any(col and (each.score == 1.0 or {*said} <= {*each.table.stems(col.name)}) for each, col in named)

    def _is_of_best(self, tokens: list[Token]) -> bool:
        """Whether a column of no amounts is called so, with its superlative: `highest degree`, `best time of day`."""
        if tokens[0].lower not in _EXTREMES:
            return False
        said = tuple(token.stem for token in tokens)
        named = ((each.table, each.column) for each in self.reader.names.find(said) if each.score == 1.0)
        return any(col and col.kind == "text" and table.stems(col.name) == said for table, col in named)

    def _says_best_within(self, tokens: list[Token]) -> bool:
        """Whether a column is called so, its superlative after another word: `weeks on top`, `date of the latest
        visit`."""
        if tokens[0].lower in _LINKING or _BESTS.isdisjoint(token.lower for token in tokens[1:]):
            return False
        return tuple(token.stem for token in tokens if token.lower not in _LINKING) in self._called_whole

    @cached_property
    def _called_whole(self) -> set[tuple[str, ...]]:
        """What columns are called, without words that only link others."""
        tables = self.reader.catalog.tables
        names = (table.stems(column.name) for table in tables for column in table.columns)
        return {tuple(each for each in stems if each not in _LINKING) for stems in names}

    def _is_stored(self, word: str) -> bool:
        return bool(self.reader.catalog.values.lookup(word, 1))

    def _is_within_value(self, start: int, end: int) -> bool:
        """Whether words are part of a longer stored value of two words or three: `Black Friday`."""
        spans = ((at, at + size) for size in (2, 3) for at in range(max(start + 1 - size, 0), start + 1))
        longer = (self.tokens[at:to] for at, to in spans if at <= start and end <= to and to - at > end - start)
        texts = (" ".join(token.text for token in some) for some in longer)
        return any(each.score == 1.0 for text in texts for each in self.reader.catalog.values.lookup(text, 1))

    def _units_said(self) -> None:
        """`over 90 seconds`: the unit after a number that is compared names nothing, unless a column is called so."""
        for cue in self.cues:
            if cue.kind in ("cmp", "between") and cue.end < len(self.tokens):
                unit = unit_said(self.tokens[cue.end].lower)
                named = self.reader.names.find((self.tokens[cue.end].stem,)) if unit else []
                if unit and not any(each.column and each.score >= 0.6 for each in named):
                    self.words.take(cue.end, cue.end + 1)
                    self.claimed.add(cue.end)

    def _terms_said(self) -> None:
        """The terms of the user's glossary are mentions; a restriction beside its table's name is that alone."""
        tables = {n: each.targets for each in self.mentions for n in (each.start - 1, each.end)}
        for said in self.terms:
            beside = [target.table for n in (said.start, said.end - 1) for target in tables.get(n, ())]
            named = () if any(each.table in beside for each in said.term.targets) else said.term.targets
            targets = named if said.term.options else said.term.targets
            self.mentions.append(Mention(said.start, said.end, targets, text=said.text, term=said.term))
        self.mentions.sort(key=lambda each: each.start)

    def _grains_of_dates(self) -> Iterator[tuple[int, Target]]:
        """`by month of signup`, `by year of the first visit`: where each such grain starts, and the date it is of."""
        for place, grain in enumerate(self.grains):
            after = (each for each in self.mentions if 0 < each.start - grain.end <= NEAR_WORDS)
            named = next((each for each in after if self._dates(grain, each)), None)
            if named:
                self.mentions.remove(named)
                self.claimed.update(range(grain.end, named.end))
                self.grains[place] = replace(grain, end=named.end)
                yield grain.start, self.reader.resolver.best(named.targets, (), None)[0][1]

    def _dates(self, grain: GrainMention, item: Mention) -> bool:
        between = [token.lower for token in self.tokens[grain.end : item.start]]
        of_it = between[:1] == ["of"] and set(between[1:]) <= _ITS
        return of_it and bool(item.targets) and all(each.column and each.column.is_time for each in item.targets)

    def _money_words(self) -> None:
        """`revenue` is a mention also where no column is called so."""
        self.mentions = [replace(each, targets=()) if self._is_worth(each) else each for each in self.mentions]
        starts = {each.start for each in self.mentions if each.targets and not self._is_amount(each)}
        idle = [each for each in self.mentions if each.end in starts and self._only_says_sales(each)]
        self.mentions = [each for each in self.mentions if each not in idle]
        self.qualifying = {each.start for each in idle}
        self.claimed |= self.qualifying
        named = {n for each in self.mentions for n in range(each.start, each.end)}
        for n, token in enumerate(self.tokens):
            if n + 1 in starts and token.lower == "sales" and n not in named:
                self.qualifying.add(n)
                self.claimed.add(n)
            elif n not in named and not self.words.taken(n) and token.stem in _MONEY_NOUNS:
                self.mentions.append(Mention(n, n + 1, text=token.text))
        self.mentions.sort(key=lambda each: each.start)

    def _is_worth(self, item: Mention) -> bool:
        """`order value`: the money of the rows named right before, where no column is called so."""
        is_word = item.end == item.start + 1 and self.tokens[item.start].lower in _WORTH
        before = (t for each in self.mentions if each.end == item.start for t in each.targets if t.column is None)
        tables = {each.table.key for each in before if each.score >= _CALLED}
        own = [each for each in item.targets if each.score > _CALLED or each.table.key in tables]
        return (
            is_word
            and not own
            and any(column.table in tables for each in self.reader.resolver.money() for column in columns_in(each))
        )

    def _only_says_sales(self, item: Mention) -> bool:
        """`sales channel`, `sales region`: no sum, unless a table is called so."""
        is_table = any(each.column is None and each.score >= FLAG for each in item.targets)
        return item.end == item.start + 1 and self.tokens[item.start].lower == "sales" and not is_table

    def _is_amount(self, item: Mention) -> bool:
        return any(each.column is not None and each.column.kind == "number" for each in item.targets)

    def _sums_that_are_names(self) -> None:
        """`average invoice total`: after an aggregate and a table, `total` names the table's amount."""
        aggregates = [cue for cue in self.cues if cue.kind == "agg"]
        for cue, later in pairwise(aggregates):
            between = [each for each in self.mentions if cue.end <= each.start and each.end == later.start]
            if between and later.data["fn"] == "sum" and later.end == later.start + 1:
                self.cues.remove(later)

    def _names_in_totals(self) -> set[int]:
        """The places of `amount` in `total amount` and the like, where a column of amounts is called so."""
        found = set[int]()
        for place, cue in enumerate(self.cues):
            last = cue.end - 1
            if cue.kind == "agg" and last > cue.start and self.tokens[last].lower in AMOUNT_WORDS:
                named = self.reader.names.find((self.tokens[last].stem,))
                if any(each.column and each.column.kind == "number" and each.score >= FLAG for each in named):
                    self.cues[place] = replace(cue, end=last)
                    found.add(last)
        return found

    def _totals_that_are_names(self) -> None:
        """`What was the total price of the orders …`: a name that begins with `total` asks for the sum too."""
        first = next((each for each in self.terms if each.term.is_of_question and each.term.is_name), None)
        if first is None or self.tokens[first.start].lower not in _TOTALS:
            return
        computes = any(cue.kind in _COMPUTES for cue in self.cues)
        before = any(each.start < first.start for each in self.mentions)
        follows = self.text(first.end, first.end + 2).lower()
        if not computes and not before and follows not in ("of a", "of an", "of each", "of every"):
            self.cues.append(Cue(first.start, first.start, "agg", {"fn": "sum"}))
            self.cues.sort(key=lambda each: each.start)

    def _grains_that_are_columns(self) -> None:
        """`by year` means the column where there is one called so, and no time column."""
        kept = []
        for grain in self.grains:
            targets = self._called_as(grain)
            if targets:
                self.mentions.append(Mention(grain.end - 1, grain.end, tuple(targets), text=grain.grain))
                if not grain.asked:
                    self.cues.append(Cue(grain.start, grain.end - 1, "group"))
            else:
                kept.append(grain)
        self.grains = kept
        self.mentions.sort(key=lambda each: each.start)
        self.cues.sort(key=lambda each: each.start)

    def _called_as(self, grain: GrainMention) -> list[Target]:
        """The columns called as a grain, where nothing has a time, or nothing of the table named that has one."""
        found = self.reader.names.find((stem(grain.grain),))
        targets = [each for each in found if each.column and each.score >= FLAG]
        if not targets or not any(table.has_times for table in self.reader.catalog.tables):
            return targets
        named = [each.table for item in self.mentions for each in item.targets if each.column is None]
        return [each for each in targets if each.table in named and not any(table.has_times for table in named)]

    def text(self, start: int, end: int) -> str:
        return " ".join(token.text for token in self.tokens[start:end])

    def _plain_grains(self) -> list[GrainMention]:
        return [grain for grain in self.grains if not grain.asked]

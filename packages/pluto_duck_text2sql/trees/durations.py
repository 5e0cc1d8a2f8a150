"""Days from one date of a row to another: `days between an order and its shipping`, `from order to delivery`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.date_names import MEANT, is_broken_off, is_meant
from pluto_duck_text2sql.data.date_names import ends as is_over
from pluto_duck_text2sql.data.event_dates import dates_that_came
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, Token, name_stems, stem, table_stems
from pluto_duck_text2sql.tree import Col, Days
from pluto_duck_text2sql.trees.resolve import Resolver

_BETWEEN = Pattern(
    r"(?:how many |number of |the )?(?:days|time|delay|lag|gap)(?: \w+){0,4}? "
    r"(?:between (?P<a>(?:\w+ ){1,4}?)and|from (?P<b>(?:\w+ ){1,4}?)(?:to|until|till)) (?P<end>(?:\w+ ?){1,4})"
)
_AFTER = Pattern(
    r"(?:how many |number of |the )?days (?:after|from|since) (?P<a>(?:an? |the |its |their )?\w+)"
    r" (?:does|do|did|is|are|was|were) (?P<end>(?:an? |the |its |their )?\w+)"
    r"(?: (?:come|comes|came|get|got) (?:in|back)| (?:arrive|happen|follow|occur|take place|made|sent|received))?"
)
_STOP = Pattern(
    r" (?:by|per|for|in(?!$| by| per| for| each)|of each|across|during|among|on average|over|split|grouped|since|where)"
    r"(?: .*)?$"
)
"""Where the words for a span's end are over."""
_COUNTED = Pattern(r"\b(?:days|delay|lag|time)\b")
_DATES = frozenset(map(stem, "date time day moment at on timestamp ts dt".split()))
_ADMISSION = Pattern(r"ission$")
_NOUN = Pattern(r"(?<=[a-z]{3})(?:ment|al|y)$")
_BEGINS = frozenset(
    map(
        stem,
        "start begin from open check-in checkin arrival admission issue lent loan borrow hire acquire join enter entry"
        " effective subscribe subscribed".split(),
    )
)
_ENDS = frozenset(
    map(
        stem,
        "end finish to until close check-out checkout departure discharge return leave dispose expire stop term"
        " termination cancel cancelled cancellation exit expiry restore resolve resolution left unsubscribe"
        " unsubscribed".split(),
    )
)
_BEGINS |= {"".join(name_stems("move_in"))}
_ENDS |= {"".join(name_stems("move_out"))}
_COMES = frozenset(map(stem, "arrival arrive check-in checkin check admission enter entry".split()))
_STAYS = (("admission", "discharge"), ("arrival", "departure"))
_TURNS = (
    frozenset(map(stem, "arrival arrive arriving check-in checkin".split())),
    frozenset(map(stem, "departure depart leave left leaving check-out checkout".split())),
)
_TWO = 2
_STARTS, _STOPS = frozenset(map(stem, ("start", "begin"))), frozenset(map(stem, ("end", "finish", "stop")))
_PARTICLES = frozenset("in out off up back".split())
_LENGTHS = frozenset(map(stem, ("duration", "runtime")))
_EVENTS = frozenset(map(stem, "order invoice sale purchase create request book place open start".split()))
_COMES_ABOUT = frozenset(map(stem, "placed made ordered created issued received booked opened".split()))
_NOTED = frozenset(map(stem, "report file log submit raise register lodge notify receive".split()))
"""A row comes about when it is, whatever had happened before."""
_NO_EVENTS = frozenset(map(stem, "due require required expect promise commit birth update modify last since".split()))


_OVER = frozenset("close closur solv settl pay paid return back deliver complet finish end resolv fix".split())
_ASKED_FOR = frozenset("order book request reserv purchas".split())
_CAME = tuple(
    frozenset(each.split())
    for each in ("deliver receiv", "arriv check-in checkin admit", "start begin", "ship dispatch")
)
"""What is waited for from the day on which it was ordered or booked, the likeliest first."""


class Durations:
    """Reads spans of days over one catalog."""

    def __init__(self, catalog: Catalog, resolver: Resolver) -> None:
        self._catalog, self._resolver = catalog, resolver

    def read(self, tokens: Sequence[Token], start: int) -> tuple[int, Days] | None:
        """The span of days whose words begin here, with where it ends."""
        if not _COUNTED.fullmatch(tokens[start].lower):
            return None
        text = " ".join(token.lower for token in tokens[start:])
        after = _AFTER.match(text)
        days = next(self._days(_named(after["a"].split()), _named(after["end"].split())), None) if after else None
        if after and days:
            return start + len(after[0].split()), days
        found = _BETWEEN.match(text)
        if not found:
            return None
        first, last = (found["a"] or found["b"]).split(), _STOP.sub("", found["end"]).split()
        for length in range(len(last), 0, -1):
            days = next(self._days(_named(first), _named(last[:length])), None)
            if days:
                words = len(found[0][: found.start("end")].split())
                return start + words + length, days
        return None

    def between(self, first: str, last: str) -> Days | None:
        """The span between what two texts name."""
        return next(self._days(_named(first.split()), _named(last.split())), None)

    def named(self, table: Table, text: str) -> Col | None:
        """The date of a table's rows that a text names."""
        found = self._date(table, _named(text.split()))
        return found[1] if found else None

    def same_day(self, first: str, verb: str, rows: Table | None) -> Days | None:
        """Between what a text names and what a verb says, or when a row came about: `made on the day of arrival`."""
        return self.between(first, verb) or (self.until("", first, rows) if _COMES_ABOUT & _named([verb]) else None)

    def until(self, first: str, verb: str, rows: Table | None) -> Days | None:
        """From what a text names, else from what happens to a row first, to what a verb says: `shipped`."""
        between = self.between(first, verb) if first else None
        if between or (first and not _COMES_ABOUT & _named([first])):
            return between
        found = [(end, table) for table in self._catalog.tables if (end := self._date(table, _named(verb.split())))]
        for (_, last), table in sorted(found, key=lambda pair: (pair[1] != rows, -pair[0][0], -pair[1].preference)):
            start = self.begun(table, last)
            if start:
                return Days(start, last)
        return self._to_the_end(verb, rows)

    def lead(self, rows: Table | None) -> Days | None:
        """From when something was ordered or booked to when it came or began; None where no one table keeps both."""
        tables = [each for each in self._catalog.tables if rows is None or self._resolver.is_of(each.key, rows.key)]
        found = [days for each in tables if (days := self._lead_of(each))]
        return found[0] if len(found) == 1 else None

    def _lead_of(self, table: Table) -> Days | None:
        times = [(rooted(stems), column) for stems, column in _times(table)]
        asked = [column for stems, column in times if stems & _ASKED_FOR and not stems & _NO_EVENTS]
        for came in _CAME:
            found = [column for stems, column in times if stems & came and not stems & _NO_EVENTS]
            if len(found) == len(asked) == 1 and found != asked:
                return Days(asked[0], found[0])
        return None

    def _to_the_end(self, verb: str, rows: Table | None) -> Days | None:
        """`time to resolution`: to the day on which the rows of a table end, whatever the word for that is; a word
        that no date of theirs is called by, too, where they have two dates alone: `until an incident is fixed`."""
        is_alone = rows is not None and len(dates_that_came(rows)) == _TWO
        return self.pair(rows) or self._from_note(rows) if rows and (stem(verb) in _ENDS or is_alone) else None

    def lasting(self, rows: Table | None) -> Days | None:
        """From the begin to the end of a row that has both; of the table named, else of the one nearest to it.

        None where the table says itself how long its rows last.
        """
        if rows is None or any(_LENGTHS.intersection(rows.stems(each.name)) for each in rows.columns):
            return None
        near = [each for each in self._catalog.tables if self._resolver.is_of(each.key, rows.key)]
        own = self.length(rows)
        found = [own] if own else [pair for each in near if (pair := self.pair(each))]
        return found[0] if len(found) == 1 else None

    def stay(self, place: Table | None, by_day: bool = False) -> Days | None:
        """From when somebody came to when they left: the moments of the one table whose rows do that there, of all
        where no place is named; `by_day`: or the days, else from an admission to its discharge, each a row of its own.
        None where several do."""
        near = [each for each in self._catalog.tables if place is None or self._resolver.is_of(each.key, place.key)]
        found = [pair for each in near if (pair := self.pair(each, by_day)) and self._is_stay(pair, by_day)]
        if found or not by_day:
            return found[0] if len(found) == 1 else None
        return next((days for come, gone in _STAYS if (days := self.between(come, gone))), None)

    def _is_stay(self, days: Days, by_day: bool) -> bool:
        """Whether a span is from coming to going, by the moment or by the day."""
        ends = [each for each in (days.start, days.end) if isinstance(each, Col)]
        stored = [self._catalog.column(*each.table, each.name) for each in ends]
        begins = _turns(name_stems(ends[0].name)) if ends else set()
        are_moments = all(each is not None and each.is_moment for each in stored)
        return not _COMES.isdisjoint(begins) and (by_day or are_moments)

    def pair(self, table: Table, is_stay: bool = False) -> Days | None:
        """The one date at which a row begins, by its name or the table's, and the one at which it ends; a stay begins
        with coming, whenever it was booked. What is only broken off begins on a day that is called so."""
        times = _times(table)
        ends = [column for stems, column in times if stems & _ENDS]
        whole = [column for column in ends if not is_broken_off(name_stems(column.name))]
        ends = whole or ends
        named = _BEGINS | (set(table_stems(table.name)) if whole else set())
        begins = [column for stems, column in times if stems & named and column not in ends]
        comes = [column for stems, column in times if stems & _COMES and column in begins] if is_stay else []
        begins = comes if len(comes) == 1 else begins
        return Days(begins[0], ends[0]) if len(begins) == len(ends) == 1 else None

    def until_over(self, table: Table, start: Col) -> Days | None:
        """From a date of a table's rows to the one date with gaps by which they are over: closed, paid, returned."""
        gaps = {each.name for each in table.columns if each.is_time and each.null_fraction}
        times = ((rooted(table.stems(name)), Col(table.key, name)) for name in gaps if name != start.name)
        ends = [column for stems, column in times if stems & (_ENDS | _OVER) and not stems & _NO_EVENTS]
        return Days(start, ends[0]) if len(ends) == 1 else None

    def _from_note(self, table: Table) -> Days | None:
        """From the one date at which a row was reported or filed to the one at which it ends."""
        noted, ends = ([c for stems, c in _times(table) if stems & own] for own in (_NOTED, _ENDS))
        return Days(noted[0], ends[0]) if len(noted) == len(ends) == 1 and noted != ends else None

    def length(self, table: Table) -> Days | None:
        """`pair`, else from what is called a row's start to what is called its end, whatever else comes about."""
        begins, ends = ([c for stems, c in _times(table) if stems & own] for own in (_STARTS, _STOPS))
        both = Days(begins[0], ends[0]) if len(begins) == len(ends) == 1 else None
        return self.pair(table) or both

    def begun(self, table: Table, end: Col) -> Col | None:
        """The date at which a row came about: its own, or that of what it belongs to."""
        owners = [each for each in self._catalog.tables if self._resolver.belongs(table.key, each.key)]
        for each in (table, *owners):
            names = _EVENTS | set(name_stems(each.name))
            times = [column for column in dates_that_came(each) if column.name != end.name]
            stems = [(set(each.stems(column.name)), column) for column in times]
            events = [(own, column) for own, column in stems if not own & _NO_EVENTS]
            found = [column for own, column in events if own & names]
            found = found or [column for own, column in events if each is table and own & _NOTED]
            others = [column for _, column in events if not is_over(each.stems(column.name))]
            found = found or (others if each is table else [])  # whatever its one other date is called
            if len(found) == 1:
                return Col(each.key, found[0].name)
        return None

    def _days(self, first: frozenset[str], last: frozenset[str]) -> Iterator[Days]:
        """The two dates, of the table that has both, else of two of which one's rows belong to the other's; what was
        only planned comes last, unless a plan is said."""
        found = list(self._spans(first, last))
        is_planned = MEANT.isdisjoint(first | last)
        return iter(sorted(found, key=_is_planned) if is_planned else found)

    def _spans(self, first: frozenset[str], last: frozenset[str]) -> Iterator[Days]:
        scored = []
        for table in self._catalog.tables:
            start, end = self._date(table, first), self._date(table, last)
            if start and end and start[1] != end[1]:
                scored.append((start[0] + end[0] + table.preference, Days(start[1], end[1])))
        yield from (days for _, days in sorted(scored, key=lambda pair: -pair[0]))
        tables = self._catalog.tables
        events = [(self._named_event(table, first) or self._event(table, first), table) for table in tables]
        dated = [(self._dated(table, first), table) for table in tables]
        events += [pair for pair in dated if pair not in events]
        ends = [(self._dated(table, last) or self._event(table, last), table) for table in tables]
        for start_col, one in events:
            for end_col, other in ends:
                if start_col and end_col and one != other and self._resolver.belongs(other.key, one.key):
                    yield Days(start_col, end_col)

    def _dated(self, table: Table, said: frozenset[str]) -> Col | None:
        """The column whose name says all the words: `shipment` and `l_shipdate`."""
        found = self._date(table, said)
        return found[1] if found and said and said <= with_turns(rooted(table.stems(found[1].name))) else None

    def _named_event(self, table: Table, said: frozenset[str]) -> Col | None:
        """Of rows that are called so, the date that is: admitted_at of admissions."""
        return self._dated(table, said) if said and rooted(table_stems(table.name)) <= said else None

    def _event(self, table: Table, said: frozenset[str]) -> Col | None:
        """The date of what a table's rows are called."""
        named = said and rooted(table_stems(table.name)) <= said
        events = self._resolver.time_column([table.key], frozenset()) if named else []
        return next((column for _, column in events if column.table == table.key), None)

    def _date(self, table: Table, said: frozenset[str]) -> tuple[float, Col] | None:
        """The date whose name says the same; every word of its name that is not said counts against it."""
        best: tuple[float, Col] | None = None
        if said and said <= rooted(table_stems(table.name)):
            events = [col for _, col in self._resolver.time_column([table.key], frozenset()) if col.table == table.key]
            best = (0.9, events[0]) if events else None
        for column in table.columns:
            own = rooted(_with_particles(table.stems(column.name))) - _DATES if column.is_time else frozenset[str]()
            own = own or (frozenset(table.stems(column.name)) & _PARTICLES if column.is_time else own)
            met = with_turns(own) & said
            if own and met:
                score = len(met) - 0.2 * max(len(own) - len(met), 0)
                best = max((score, Col(table.key, column.name)), best or (0.0, Col(table.key, "")), key=_score)
        return best


def _times(table: Table) -> list[tuple[set[str], Col]]:
    """The dates of a table's rows, each with the words of its name."""
    return [(_turns(table.stems(each.name)), Col(table.key, each.name)) for each in dates_that_came(table)]


def runs(days: Days) -> bool:
    """Whether a span is from what is called a start to what is called an end."""
    ends = [set(name_stems(each.name)) for each in (days.start, days.end) if isinstance(each, Col)]
    are_columns = isinstance(days.start, Col) and isinstance(days.end, Col)
    return are_columns and not ends[0].isdisjoint(_STARTS) and not ends[1].isdisjoint(_STOPS)


def _turns(stems: tuple[str, ...]) -> set[str]:
    """The words of a date's name; `check in` is one."""
    return {*stems, *(f"{one}{other}" for one, other in pairwise(stems))}


def _score(pair: tuple[float, Col]) -> float:
    return pair[0]


def _named(words: Sequence[str]) -> frozenset[str]:
    apart = [part for word in words for part in word.split("-")]
    alone = {stem(word) for word in apart if word not in STOP}
    return rooted(alone | _glued(list(map(stem, apart)))) - _DATES


def _with_particles(words: Sequence[str]) -> set[str]:
    """The words, and each with its particle as one: a check in is no check out."""
    return {*words, *_glued(words)} - _PARTICLES


def _glued(stems: Sequence[str]) -> set[str]:
    """Each with its particle as one, whatever its form: `moving in` as the date `move_in`."""
    return {f"{one}{other}" for one, other in pairwise(stems) if other in _PARTICLES}


def rooted(stems: Iterable[str]) -> frozenset[str]:
    """`shipment` and `ship`, `delivery` and `deliver`, `arrival` and `arrive`, `admission` and `admit` are the same."""
    return frozenset(_NOUN.sub("", _ADMISSION.sub("it", each)) for each in stems)


def with_turns(roots: frozenset[str]) -> frozenset[str]:
    """The words of a date's name, and what else coming and leaving are called."""
    return roots.union(*(rooted(turn) for turn in _TURNS if roots & rooted(turn)))


def _is_planned(days: Days) -> bool:
    """Whether either end is a day for which something was only planned."""
    return any(isinstance(each, Col) and is_meant(name_stems(each.name)) for each in (days.start, days.end))

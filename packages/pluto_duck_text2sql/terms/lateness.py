"""What is late and what is on time: `overdue invoices`, `orders that went out late`, `share delivered on time`.

Rows are late by a date on which something is due (`required_date`, `deadline`) and one on which it was done (`shipped`,
`paid_on`), which may be kept by what belongs to them: goods received later than promised for their order. What is not
done yet, nor called off, is late once it was due before the day that is counted from. Tokens in, terms out
(computed.py); where no row has two such dates nothing is, and the words are left as unknown ones are.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.data.states import is_shift, standing
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, Token, name_stems, name_words, stem
from pluto_duck_text2sql.terms.homes import Homes
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    Cond,
    Days,
    Either,
    Every,
    Later,
    Missing,
    Related,
    TableKey,
)
from pluto_duck_text2sql.trees.durations import rooted
from pluto_duck_text2sql.trees.term import BY_ITS_COLUMNS, Said, Term

_DUE = frozenset(
    map(
        stem, "due required require promised expected planned scheduled deadline estimated target commit agreed".split()
    )
)
_DONE = (
    ("deliver", "arrive", "receive", "receipt"),
    tuple("return pay settle complete completion finish close closure resolve fulfil end done".split()),
    ("ship", "dispatch", "send", "sent"),
)
"""What is done, the last that happens to a row first: what was shipped is on its way to be delivered."""
_RANKS = {root: -rank for rank, deeds in enumerate(_DONE) for root in rooted(map(stem, deeds))}
_HANDED_OVER = rooted(map(stem, "deliver arrive receive receipt return pay settle ship dispatch send sent".split()))
"""What may be done to rows by others that belong to them: an order by its deliveries, an invoice by its payments."""
_ACTUAL = stem("actual")
_ANY_DATE = rooted(map(stem, "date day time on at by dt ts start begin".split()))
_THE = r"(?:(?:the|their|its|his|her|our|a) )?"
_PLAN = r"(?:planned|promised|expected|scheduled|agreed|required|due)"
_SAID_SO = r"(?:(?:it|they) (?:was|were) |(?:we|they) (?:(?:had|have) )?)?"
_OVERDUE = r"overdue|past due"
_LATE = (
    rf"(?:{_OVERDUE}|late|delayed|behind schedule|later than {_SAID_SO}{_PLAN}(?: (?:the (?:customer|client)s?|them))?"
    rf"|(?:miss(?:es|ed)?|overran|exceeded|passed|past|beyond) {_THE}(?:deadlines?|due dates?))"
)
_ON_TIME = (
    rf"(?:on time|on-time|on schedule|punctual(?:ly)?|as (?:promised|planned|agreed|scheduled)"
    rf"|(?:met|meets?|within|before|by) {_THE}(?:deadlines?|due dates?))"
)
_HOW_LATE = (
    r"(?:(?:how many |number of )?days (?:late|overdue)|how (?:many days )?late|(?:delay|lateness)(?: in days)?)"
)
_ANY = Pattern(r"\b(?:late|overdue|due|delay(?:ed)?|lateness|schedule|later|deadlines?|time|on-time|punctual|as)\b")
_HELPERS = frozenset(
    """is are was were be been being has have had having get got gets go goes went going gone come comes came coming in
    out back do did does we they it you too so very running ran run ready not never
    always arrived""".split()
)
_MOVED = frozenset("went gone goes came come comes arrived".split())
"""What tells that something was done, whatever it was."""
_NOT = Pattern(r"not|never|\w+n['’]t")
_WHO = frozenset("that which who".split())


@dataclass(frozen=True)
class Dates:
    """The date on which something of a row is due, and the one on which it was done; `day` is counted from."""

    due: Col
    done: Col
    day: dt.date
    is_open: bool
    """Whether it is not done yet in some rows."""
    by_day: bool
    """Whether it is due at any time of a day, and done at a moment of one."""
    rows: TableKey
    """What is late, whichever of the dates it keeps itself."""
    standing: tuple[Cond, ...] = ()
    """That it was not called off."""

    @property
    def done_late(self) -> Cond:
        return Compare(self.done, ">=" if self.by_day else ">", self._bound)

    @property
    def in_time(self) -> Cond:
        return Compare(self.done, "<" if self.by_day else "<=", self._bound)

    @property
    def overdue(self) -> Cond:
        """What is not done, and was due before the day; where all is done, what was done late."""
        apart = self.rows != self.done.table
        undone = Related(self.done.table, negated=True) if apart else Missing(self.done)
        open_ = Every((undone, Compare(self.due, "<", self.day), *self.standing))
        return open_ if self.is_open else self.done_late

    @property
    def late(self) -> Cond:
        return Either((self.done_late, self.overdue)) if self.is_open else self.done_late

    @property
    def never_late(self) -> Cond:
        """What has such rows, and none that was late: `suppliers that never delivered late`."""
        rows = self.done.table
        return Every((Related(rows), Related(rows, (self.done_late,), negated=True)))

    @property
    def _bound(self) -> Col | Later:
        return Later(self.due, 1, "day") if self.by_day else self.due


class Lateness:
    """Reads what is late over one catalog."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, homes: Homes, today: dt.date) -> None:
        self._catalog, self._homes, self._today = catalog, homes, today
        self._due = {each.key: (each, each) for each in catalog.tables if _is_dated(each)} | kept_apart(catalog, joins)

    def find(self, tokens: Sequence[Token]) -> Iterator[Said]:
        """What a question says of it."""
        words = Words(tokens)
        if not self._due or not _ANY.search(words.text):
            return
        for pattern, read in ((_HOW_LATE, self._how_late), (_LATE, self._late), (_ON_TIME, self._on_time)):
            for match in words.peek(pattern):
                phrase = self._phrase(tokens, *words.span(match))
                tables = self._tables([*tokens[: phrase.start], *tokens[phrase.core :]], phrase.deed)
                pairs = [made for key in tables if (made := self._dates(key, phrase.deed))]
                if pairs and not self._is_stored(tokens, phrase.core - 1, tables):
                    words.take(phrase.start, phrase.end)
                    yield read(tokens, phrase, pairs)

    def _tables(self, tokens: Sequence[Token], deed: str) -> list[TableKey]:
        """Whose rows are late: what is named, else the one of which the deed is told."""
        group = next((set(rooted(map(stem, deeds))) for deeds in _DONE if deed in rooted(map(stem, deeds))), set())
        told = [key for key, (_, done) in self._due.items() if key == done.key and group & _done_roots(done)]
        return self._homes.of(tokens, self._due) or (self._homes.of(tokens, told) if told else [])

    def _late(self, tokens: Sequence[Token], phrase: _Phrase, pairs: Sequence[Dates]) -> Said:
        """Done late where a deed is told, `overdue` where it says that it still is."""
        is_overdue = re.search(_OVERDUE, " ".join(token.lower for token in tokens[phrase.start : phrase.end]))
        made = [e.overdue if is_overdue else e.done_late if phrase.deed else e.late for e in pairs]
        if self._is_of_owner(tokens, phrase, pairs[0], "never"):
            return self._said(tokens, phrase, [each.never_late for each in pairs], pairs)
        return self._said(tokens, phrase, [e.in_time for e in pairs] if phrase.negated else made, pairs)

    def _on_time(self, tokens: Sequence[Token], phrase: _Phrase, pairs: Sequence[Dates]) -> Said:
        made = [each.late if phrase.negated else each.in_time for each in pairs]
        if self._is_of_owner(tokens, phrase, pairs[0], "always"):
            made = [each.never_late for each in pairs]
        return self._said(tokens, phrase, made, pairs)

    def _is_of_owner(self, tokens: Sequence[Token], phrase: _Phrase, dates: Dates, word: str) -> bool:
        """Whether it is said of all rows that belong to what is named: `never late`, `always on time`."""
        said = {token.lower for token in tokens[max(phrase.start - 1, 0) : phrase.core]}
        named = self._homes.named([*tokens[: phrase.start], *tokens[phrase.core :]])
        own = {dates.rows, dates.due.table, dates.done.table}
        return word in said and bool(named) and own.isdisjoint(named)

    def _how_late(self, tokens: Sequence[Token], phrase: _Phrase, pairs: Sequence[Dates]) -> Said:
        """The days from when it was due to when it was done, of what was late."""
        said = self._said(tokens, phrase, [pairs[0].done_late], pairs)
        measure = Agg("avg", Days(pairs[0].due, pairs[0].done), where=(pairs[0].done_late,))
        meaning = f"the days from {pairs[0].due.name} to {pairs[0].done.name} of what was late"
        term = Term(said.term.stems, meaning, BY_ITS_COLUMNS, said.text, said.term.targets, measure)
        return Said(said.start, said.end, said.text, term)

    def _said(self, tokens: Sequence[Token], phrase: _Phrase, made: Sequence[Cond], pairs: Sequence[Dates]) -> Said:
        some = tokens[phrase.start : phrase.end]
        named = self._homes.named([*tokens[: phrase.start], *tokens[phrase.end :]])
        table = self._catalog.table(*pairs[0].rows)
        targets = (Target(table, None, 1.0),) if table and (phrase.names_rows or not named) else ()
        text = " ".join(token.text for token in some)
        options = tuple((each,) for each in made)
        stems = tuple(token.stem for token in some)
        return Said(
            phrase.start,
            phrase.end,
            text,
            Term(stems, _told(made[0], pairs[0]), BY_ITS_COLUMNS, text, targets, None, options),
        )

    def _phrase(self, tokens: Sequence[Token], start: int, end: int) -> _Phrase:
        """The words found with the verb before them, or the deed that they are said of: `late deliveries`."""
        core, deed, negated = end, "", False
        while start and (root := self._before(tokens, start)) is not None:
            start, deed = start - 1, deed or root
            negated = negated or bool(_NOT.fullmatch(tokens[start].lower))
        start -= bool(start < core - 1 and start and tokens[start - 1].lower in _WHO)
        follows = self._deed(tokens[end]) if end < len(tokens) and not deed else ""
        return _Phrase(start, end + bool(follows), core, deed or follows, negated, bool(follows))

    def _before(self, tokens: Sequence[Token], start: int) -> str | None:
        """What the word before says was done, nothing where it only helps a verb; None where it is none of these."""
        token = tokens[start - 1]
        if token.lower in _HELPERS or _NOT.fullmatch(token.lower):
            return token.lower if token.lower in _MOVED else next(iter(rooted([token.stem]) & {*_RANKS}), "")
        return self._deed(token) or None

    def _deed(self, token: Token) -> str:
        """What a word says was done, unless a table is called by it."""
        root = next(iter(rooted([token.stem]) & {*_RANKS}), "")
        return "" if token.lower in STOP or (root and self._homes.called([token])) else root

    def _is_stored(self, tokens: Sequence[Token], place: int, tables: Sequence[TableKey]) -> bool:
        """Whether the rows say themselves that they are late, and not in which shift they were done."""
        token, said = tokens[place], {each.stem for each in tokens}
        hits = (hit for hit in self._catalog.values.lookup(token.lower, 50) if (hit.schema, hit.table) in tables)
        if any(said & set(name_stems(hit.column)) or not is_shift(hit, self._catalog) for hit in hits):
            return True
        flags = (
            token.stem in part.stems(each.name) for key in tables for part in self._due[key] for each in part.columns
        )
        return token.stem in _SAYS_LATE and any(flags)

    def _dates(self, key: TableKey, deed: str) -> Dates | None:
        """The two dates of a table's rows; of several that are done the one of the deed, or that which ends them."""
        owner, below = self._due[key]
        due = [(each, own) for each, own in _times(owner) if own & _DUE]
        promised = _promised(owner)
        done = [(each, own) for each, own in _times(below) if _is_done(own, promised)]
        pairs = [(_fit(d, e, deed), a, b) for a, d in due for b, e in done]
        if not pairs:
            return None
        _, first, last = max(pairs, key=lambda each: each[0])
        one, other = Col(owner.key, first.name), Col(below.key, last.name)
        by_day = first.is_day and last.is_moment
        is_open = bool(last.null_fraction) if owner is below else key == owner.key
        day = self._day(owner) if owner is below else self._catalog.latest_day(self._today)
        return Dates(one, other, day, is_open, by_day, key, standing(owner, self._catalog))

    def _day(self, table: Table) -> dt.date:
        """Today, or the last day on which something happened where the data ends earlier."""
        days = [
            self._catalog.last_day(*table.key, each.name, self._today)
            for each in table.columns
            if each.is_time and not rooted(table.stems(each.name)) & _DUE
        ]
        return max(days, default=self._today)


_SAYS_LATE = frozenset(map(stem, ("late", "delayed", "overdue")))


@dataclass(frozen=True)
class _Phrase:
    """Words `start` to before `end`, `core` the end of those for being late; the deed told, whether it is denied, and
    whether the deed stands for the rows."""

    start: int
    end: int
    core: int
    deed: str
    negated: bool
    names_rows: bool


def _times(table: Table) -> list[tuple[Column, frozenset[str]]]:
    """The dates of a table, and what each is called."""
    return [(each, rooted(table.stems(each.name))) for each in table.columns if each.is_time]


def _is_done(own: frozenset[str], promised: frozenset[str] = frozenset()) -> bool:
    return not own & _DUE and bool(own & {*_RANKS, *promised} or _ACTUAL in own)


def _promised(table: Table) -> frozenset[str]:
    """The deeds that the dates on which something is due are called by: a target_fill_date awaits `filled_on`."""
    return frozenset(root for _, own in _times(table) if own & _DUE for root in own - _DUE - _ANY_DATE)


def _done_roots(table: Table) -> frozenset[str]:
    return frozenset(root for _, own in _times(table) if _is_done(own) for root in own)


def _is_due(table: Table) -> bool:
    return any(own & _DUE for _, own in _times(table))


def _is_dated(table: Table) -> bool:
    return _is_due(table) and any(_is_done(own, _promised(table)) for _, own in _times(table))


def done_in_time(table: Table) -> str:
    """The deed that a table's rows are due and done by: `delivered` of `promised_on` and `delivered_at`; nothing where
    they keep no two such dates."""
    words = (name_words(name)[0] for name in what_is_done(table)) if _is_dated(table) else iter(())
    return next((word for word in words if word.endswith(("ed", "id", "t", "n"))), "")


def kept_apart(catalog: Catalog, joins: JoinGraph) -> dict[TableKey, tuple[Table, Table]]:
    """Tables whose rows are due on a day, and the one kind of rows of theirs that tells when it was done: either is
    late by both."""
    due = [each for each in catalog.tables if _is_due(each) and not _done_roots(each)]
    done = [each for each in catalog.tables if _done_roots(each) & _HANDED_OVER and not _is_due(each)]
    pairs = [(one, other) for one in due for other in done if joins.is_of(other.key, one.key)]
    single = [(one, other) for one, other in pairs if len(joins.path(other.key, one.key) or ()) == 1]
    owners, parts = ([pair[at].key for pair in single] for at in (0, 1))
    clear = [pair for pair in single if owners.count(pair[0].key) == 1 and parts.count(pair[1].key) == 1]
    return {each.key: pair for pair in clear for each in pair}


def what_is_done(table: Table) -> list[str]:
    """The dates on which something of a row is done, what ends it first."""
    dates = ((each.name, rooted(table.stems(each.name))) for each in table.columns if each.is_time)
    done = [
        (max(_RANKS[root] for root in own & {*_RANKS}), name)
        for name, own in dates
        if own & {*_RANKS} and not own & _DUE
    ]
    return [name for _, name in sorted(done, key=lambda pair: -pair[0])]


def _fit(due: frozenset[str], done: frozenset[str], deed: str) -> tuple[bool, int, int]:
    """How well two dates are a pair: by the deed told, by what both are of, by how late in a row's life it is."""
    ranks = [_RANKS[each] for each in done & {*_RANKS}]
    return deed in done, len(due & done - _ANY_DATE) + (_ACTUAL in done), max(ranks, default=0)


def _told(condition: Cond, dates: Dates) -> str:
    done, due = dates.done.name, dates.due.name
    if condition == dates.in_time:
        return f"{done} not after {due}"
    if condition == dates.done_late:
        return f"{done} after {due}"
    still = f"{due} before {dates.day.isoformat()} and no {done}"
    if condition == dates.never_late:
        return f"none with {done} after {due}"
    return still if condition == dates.overdue else f"{done} after {due}, or {still}"

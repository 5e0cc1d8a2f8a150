"""What is not done yet: `orders still open`, `bills that have not been paid yet`, `waiting to be fulfilled`.

Rows are open by a date of the deed that is missing, else by a status that stores the deed: other than that, and than
what nothing follows (`cancelled`); or its contrary, where that is stored (`unfulfilled`). Tokens in, terms out
(computed.py). What the rows say in the question's own word is left to be found as any stored value is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.event_dates import is_last, only_tells_when
from pluto_duck_text2sql.data.name_index import NameIndex, Target
from pluto_duck_text2sql.data.presence import LEFT_OUT
from pluto_duck_text2sql.data.states import is_state
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.abbreviations import short_for
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.otherwise import otherwise
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import Token, stem
from pluto_duck_text2sql.terms.homes import Homes
from pluto_duck_text2sql.tree import Among, Col, Compare, Cond, Either, Missing, TableKey
from pluto_duck_text2sql.trees.durations import rooted
from pluto_duck_text2sql.trees.term import Said, told_by_columns

_DEED = r"(?P<deed>[a-z]{3,}(?: (?:out|back|off|in)(?![^ ]))?)"
_HAVE = r"(?:have|has|had)"
_BY = r"(?:(?:we|they|you|i) )?"
_IS = r"(?:(?:(?:that|which|who) )?(?:(?:are|is|was|were|be|remain|remains|have|has|had|been) )+)?"
_STILL = r"(?:(?:still|yet|currently|now) )*"
_NOT = r"(?:not|never|(?:have|has|had|is|are|was|were|did|do|does)n['’]t)"
_NOT_DONE = (
    rf"(?:(?:that|which|who) )?(?:{_HAVE} {_BY}(?:not|never|yet to)|{_HAVE}n['’]t(?: (?:we|they|you|i))?)"
    rf" (?:yet )?(?:be |been |got |gotten )?{_DEED}(?: yet)?",
    rf"{_IS}(?:{_NOT} {_BY}(?:yet )?(?:been |being |got )?{_DEED} yet|{_NOT} yet (?:been )?(?P<deed2>[a-z]{{3,}}))",
    rf"{_IS}{_STILL}(?:(?:waiting|left|due|yet|remaining|still|awaiting) to (?:be |get )?{_DEED})",
    rf"{_IS}{_STILL}(?:(?:awaiting|waiting for|pending) (?:the |a |their |its )?{_DEED})",
    rf"{_IS}{_STILL}(?:un|not-yet-)(?P<deed>[a-z]{{3,}}ed|paid|sent|met|done)",
)
_OPEN = (
    rf"{_IS}{_STILL}(?P<word>open|outstanding|unfinished|incomplete|uncompleted|pending|in progress|ongoing)",
    rf"{_IS}{_STILL}not (?:yet )?(?P<word>done|finished|complete|completed|over)(?: yet)?",
    rf"{_IS}(?:still|currently) (?P<word>out)(?! of)",
)
_ANY = Pattern(
    r"n['’]t|\b(?:not|never|yet|still|waiting|await(?:ing)?|pending|due|left|remaining|open|outstanding|incomplete|ongoing"
    r"|progress|currently|un[a-z]+)\b"
)
_ENDS = (
    "close closure complete completion done finish finalise finalize resolve settle solve fix conclude end deliver"
    " arrive receive pay payed return fulfil ship dispatch"
).split()
"""What ends the life of a row."""
_ENDED = rooted(map(stem, _ENDS))
_DONE = [
    *"closed completed complete done finished finalised finalized resolved settled solved fixed concluded".split(),
    *"ended delivered paid returned fulfilled shipped".split(),
]
_OVER = (
    "cancelled canceled cancel refunded returned void voided rejected declined failed failure abandoned expired"
    " withdrawn denied aborted revoked"
).split()
"""Ends of another kind: of what has come to one nothing is waited for."""
_OBJECT = frozenset("a an any anything something one single their his her its the all".split())
"""What begins what somebody does, who is said not to have done it: `mechanics who have not done a repair`."""
_SPANS = frozenset("since after in during within for over".split())
_OPENED = Pattern(
    r"\b(?:did|do|does|to|will|would|can|we|they|you) (?:(?:we|they|you|it|he|she|i) )?$"
    r"|\b(?:did|do|does) (?:(?!(?:have|keep|leave|get|see|count) )[\w'-]+ ){1,6}$"
)
"""Before `open` where it is what somebody did: `how many accounts did we open`."""
_CALLED = 0.9
_BESIDE = 2
_OF_MONEY = frozenset(map(stem, "money dollar euro pound balance".split()))


@dataclass(frozen=True)
class _Open:
    """The condition that rows of a table are open, and how that is told."""

    condition: Cond
    told: str


class Openness:
    """Reads what is not done yet over one catalog."""

    def __init__(self, catalog: Catalog, names: NameIndex, homes: Homes) -> None:
        self._catalog, self._names, self._homes = catalog, names, homes

    def find(self, tokens: Sequence[Token]) -> Iterator[Said]:
        """What a question says of it."""
        words = Words(tokens)
        if not _ANY.search(words.text):
            return
        for pattern in (*_NOT_DONE, *_OPEN):
            for match in words.peek(pattern):
                start, end = words.span(match)
                said = self._said(tokens, start, end, match.groupdict())
                if said:
                    words.take(start, end)
                    yield said

    def _is_of_amount(self, tokens: Sequence[Token], start: int, end: int, word: str) -> bool:
        """Whether it is money, or a column of numbers is called by the word and one beside it: outstanding amounts."""
        near = (*tokens[max(start - _BESIDE, 0) : start], *tokens[end : end + 1])
        if any(token.stem in _OF_MONEY for token in near):
            return True
        beside = {token.stem for token in near}
        numbers = (
            {*table.stems(column.name)}
            for table in self._catalog.tables
            for column in table.columns
            if column.kind == "number"
        )
        return any(stem(word) in stems and not beside.isdisjoint(stems - {stem(word)}) for stems in numbers)

    def _said(self, tokens: Sequence[Token], start: int, end: int, parts: dict[str, str | None]) -> Said | None:
        deed, word = parts.get("deed") or parts.get("deed2") or "", parts.get("word") or ""
        found = self._unfinished(word) if word else self._undone(deed)
        after = tokens[end].lower if end < len(tokens) else ""
        if after in _OBJECT or (after in _SPANS and any(self._is_last(each.condition) for each in found.values())):
            return None
        before = "".join(f"{token.lower} " for token in tokens[:start])
        if LEFT_OUT.search(before) or (word == "open" and _OPENED.search(before)):
            return None
        if word and self._is_of_amount(tokens, start, end, word):
            return None
        if word and any(self._says_itself(each, word) for each in self._rows_named(tokens[end : end + 1])):
            return None
        rest = [*tokens[:start], *tokens[end:]]
        named = self._homes.named(rest)
        able = [key for key in self._homes.of(rest, found) if not self._says_itself(self._table(key), word or deed)]
        able = [key for key in able if key in named or not self._is_a_row(found[key].condition, deed)]
        if not able or (word and self._is_state_of_others(word, able, named)):
            return None
        targets = () if named else (Target(self._table(able[0]), None, 1.0),)
        options = tuple((found[key].condition,) for key in able)
        return told_by_columns(tokens, start, end, found[able[0]].told, options=options, targets=targets)

    def _rows_named(self, after: Sequence[Token]) -> list[Table]:
        """The tables whose rows the word after is called by: `open invoices` say so themselves, whoever owes them."""
        called = self._names.called(tuple(each.stem for each in after))
        return [each.table for each in called if each.column is None and each.score >= _CALLED]

    def _is_last(self, condition: Cond) -> bool:
        """Whether it is told by the day on which it was last done: `not inspected since May` (lapses.py)."""
        date = condition.left if isinstance(condition, Missing) else None
        return isinstance(date, Col) and is_last(date, self._catalog)

    def _is_a_row(self, condition: Cond, deed: str) -> bool:
        """Whether the deed is a row of its own, whose date is called after it: films without a rating lack no date."""
        date = condition.left if isinstance(condition, Missing) else None
        return isinstance(date, Col) and only_tells_when(self._table(date.table), date.name, stem(deed))

    def _table(self, key: TableKey) -> Table:
        found = self._catalog.table(*key)
        assert found is not None
        return found

    def _says_itself(self, table: Table, word: str) -> bool:
        """Whether a status of the rows is the word itself or short for it, or a flag or an amount is called so."""
        hits = self._catalog.values.lookup_all([word, *short_for(word)], 50)
        stored = any((hit.schema, hit.table) == table.key for some in hits for hit in some)
        named = [each for each in self._names.called((stem(word),)) if each.table.key == table.key and each.column]
        called = any(each.score >= _CALLED - 0.3 and each.column and not each.column.is_time for each in named)
        is_open = word in ("open", "outstanding", "pending", "incomplete", "ongoing", "in progress", "unfinished")
        return called or (is_open and stored)

    def _is_state_of_others(self, word: str, able: Sequence[TableKey], named: Sequence[TableKey]) -> bool:
        """Whether rows of other tables say so in the very word, and nothing names the `able` ones: `open positions`."""
        stored = {_at(hit).table for hit in self._hits([word])}
        return bool(stored.difference(able)) and set(named).isdisjoint(able)

    def _undone(self, deed: str) -> dict[TableKey, _Open]:
        """The tables whose rows may lack a deed."""
        others = [text for each in otherwise(deed) for text in each.texts]
        roots = rooted(stem(each) for each in (deed, *others) if " " not in each)
        dated = {table.key: made for table in self._catalog.tables if (made := _undated(table, roots))}
        return {**self._not_stored([deed, *others]), **dated} if roots else {}

    def _unfinished(self, word: str) -> dict[TableKey, _Open]:
        """The tables whose rows may lack what ends them."""
        roots = rooted(map(stem, ("return", "back", "checkin"))) if word == "out" else _ENDED
        dated = {table.key: made for table in self._catalog.tables if (made := _undated(table, roots))}
        said = [word, *(text for each in otherwise(word) for text in each.texts)]
        return {**({} if word == "out" else self._not_stored(_DONE, said)), **dated}

    def _not_stored(self, words: Sequence[str], contrary: Sequence[str] = ()) -> dict[TableKey, _Open]:
        """The tables with the one status that stores one of the words; other than that, or its contrary, which may be
        stored in other words than its own."""
        columns = list(dict.fromkeys((_at(hit)) for hit in self._hits(words)))
        keys = [each.table for each in columns]
        denied = [f"{no}{each}" for each in words for no in ("un", "not ", "not yet ", "in")]
        some = [each for each in columns if keys.count(each.table) == 1]
        return {each.table: self._other_than(each, words, [*denied, *contrary]) for each in some}

    def _other_than(self, column: Col, words: Sequence[str], denied: Sequence[str]) -> _Open:
        contrary = self._stored(column, denied)
        if contrary:
            return _Open(_among(column, contrary), f"{column.name} {' or '.join(contrary)}")
        done = self._stored(column, words)
        over = [each for each in self._stored(column, _OVER) if each not in done]
        held = self._table(column.table).column(column.name)
        other = _among(column, (*done, *over), negated=True)
        gaps = held is not None and bool(held.null_fraction)
        return _Open(
            Either((Missing(column), other)) if gaps else other, f"{column.name} not {' or '.join((*done, *over))}"
        )

    def _stored(self, column: Col, words: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(hit.value for hit in self._hits(words) if _at(hit) == column))

    def _hits(self, words: Sequence[str]) -> list[ValueHit]:
        """The states that words are stored as: whole values of columns that hold few."""
        found = (
            hit for hits in self._catalog.values.lookup_all(list(words), 50) for hit in hits if hit.score >= _CALLED
        )
        return [hit for hit in found if is_state(hit, self._catalog)]


def _undated(table: Table, roots: frozenset[str]) -> _Open | None:
    """The one date of such a deed that rows may lack."""
    dates = [
        each for each in table.columns if each.is_time and each.null_fraction and roots & rooted(table.stems(each.name))
    ]
    return _Open(Missing(Col(table.key, dates[0].name)), f"no {dates[0].name}") if len(dates) == 1 else None


def _at(hit: ValueHit) -> Col:
    return Col((hit.schema, hit.table), hit.column)


def _among(column: Col, values: Sequence[str], negated: bool = False) -> Cond:
    if len(values) == 1:
        return Compare(column, "!=" if negated else "=", values[0])
    return Among(column, tuple(values), negated)

"""What is late, early and on time where rows keep a delay as a number: `flights that left more than an hour late` by
`dep_delay`, `trains on time` by `delay_min`.

A delay below 0 is early, one of 0 on time. Where rows keep a delay of leaving and one of arriving and no deed is said,
it is that of arriving. Tokens in, terms out (computed.py); what is late by two dates is lateness.py's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import Token, name_words, spoken
from pluto_duck_text2sql.terms.homes import Homes
from pluto_duck_text2sql.tree import Col, Compare, Operator, TableKey
from pluto_duck_text2sql.trees.term import Said, told_by_columns

_LEFT = r"left|leaves?|leaving|departed|departs?|departing|took off|takes? off|taking off"
_CAME = r"arrived|arrives?|arriving|landed|lands?|landing|came in|comes? in|got in|delivered"
_NO = r"(?:(?P<no>(?:(?:did|do|does|were|was|are|is|have|had|has)(?: not|n['’]t)|not|never)) )?(?:been )?"
_LEAD = (
    r"(?:(?:that|which|who) )?(?:(?:were|was|are|is|have|had|has|still|but|been) )*"
    rf"{_NO}(?:(?P<deed>{_LEFT}|{_CAME}|leave|arrive|depart|land|come in) )?(?:still )?"
)
_OF_DAYS = (
    r"(?! (?:in the )?(?:(?:19|20)\d\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|morning|afternoon|evening|night"
    r"|spring|summer|autumn|fall|winter|week|month|quarter|year|last|this|fee|charge))"
)
_N = r"(?:half an?|an?|\d+|one|two|three|four|five|ten|fifteen|twenty|thirty)"
_SAID = (
    rf"{_LEAD}(?:by )?(?P<op>more than|over|at least|less than|under) (?P<n>{_N}) (?P<unit>minutes?|mins?|hours?|days?)"
    r" (?:too )?(?P<how>late|early|behind schedule|delayed|ahead of schedule)",
    rf"{_LEAD}(?P<how>late|early|delayed) (?:by )?(?P<op>more than|over|at least|less than|under) (?P<n>{_N})"
    r" (?P<unit>minutes?|mins?|hours?|days?)",
    rf"{_LEAD}(?:either )?(?P<how>early or on time|on time or early|on time|on-time|punctual(?:ly)?|late|early"
    rf"|delayed){_OF_DAYS}",
)
_ANY = Pattern(r"\b(?:late|early|delayed|time|on-time|punctual(?:ly)?|schedule)\b")
_MINUTES = {"min": 1.0, "hour": 60.0, "day": 1440.0}
_NAMED_UNITS = {"hour": 60.0, "hours": 60.0, "hrs": 60.0, "day": 1440.0, "days": 1440.0}
_DELAY = frozenset(("delay", "delays", "lateness"))
_GOING, _COMING = ("dep", "out", "leav", "start"), ("arr", "in", "land", "deliver", "end")
_DENIED: dict[Operator, Operator] = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}
_EARLY = frozenset(("early", "ahead of schedule"))
_LATE = frozenset(("late", "delayed", "behind schedule"))


@dataclass(frozen=True)
class _Delay:
    """A column of delays, how many minutes one of its units is, and whether it is of leaving or of arriving."""

    column: Col
    minutes: float
    is_going: bool
    is_coming: bool


class Delays:
    """Reads delays over one catalog."""

    def __init__(self, catalog: Catalog, homes: Homes) -> None:
        self._catalog, self._homes = catalog, homes
        self._kept = {table.key: found for table in catalog.tables if (found := list(_delays(table)))}

    def find(self, tokens: Sequence[Token]) -> Iterator[Said]:
        """What a question says of them."""
        words = Words(tokens)
        if not self._kept or not _ANY.search(words.text):
            return
        for pattern in _SAID:
            for match in words.peek(pattern):
                start, end = words.span(match)
                said = self._said(tokens, start, end, match)
                if said:
                    words.take(start, end)
                    yield said

    def _said(self, tokens: Sequence[Token], start: int, end: int, match: re.Match[str]) -> Said | None:
        rest = [*tokens[:start], *tokens[end:]]
        able = self._homes.of(rest, self._kept)
        delay = _meant(self._kept[able[0]], match["deed"] or "") if len(able) == 1 else None
        if delay is None or self._stores(able[0], match["how"]):
            return None
        condition = _condition(delay, match)
        table = self._table(able[0])
        targets = () if self._homes.named(rest) else (Target(table, None, 1.0),)
        told = f"{delay.column.name} {condition.operator} {condition.right:g}"
        return told_by_columns(tokens, start, end, told, options=((condition,),), targets=targets)

    def _stores(self, key: TableKey, word: str) -> bool:
        """Whether the rows say it in the question's own word, as trains have the status `late`."""
        hits = (hit for each in (word, word.replace("-", " ")) for hit in self._catalog.values.lookup(each, 20))
        return any((hit.schema, hit.table) == key for hit in hits)

    def _table(self, key: TableKey) -> Table:
        found = self._catalog.table(*key)
        assert found is not None
        return found


def _delays(table: Table) -> Iterator[_Delay]:
    for column in table.columns:
        words = name_words(column.name)
        if column.kind == "number" and not _DELAY.isdisjoint(words) and "average" not in words:
            minutes = next((_NAMED_UNITS[each] for each in words if each in _NAMED_UNITS), 1.0)
            going, coming = (any(word.startswith(some) for word in words) for some in (_GOING, _COMING))
            yield _Delay(Col(table.key, column.name), minutes, going, coming)


def _meant(delays: Sequence[_Delay], deed: str) -> _Delay | None:
    """The delay of a deed; of none the only one, or that of arriving."""
    if len(delays) == 1:
        return delays[0]
    is_going = bool(deed and re.fullmatch(rf"{_LEFT}|leave|depart", deed))
    found = [each for each in delays if (each.is_going if is_going else each.is_coming)]
    return found[0] if len(found) == 1 else None


def _condition(delay: _Delay, match: re.Match[str]) -> Compare:
    said = _affirmed(delay, match)
    return replace(said, operator=_DENIED[said.operator]) if match["no"] else said


def _affirmed(delay: _Delay, match: re.Match[str]) -> Compare:
    how, parts = match["how"], match.groupdict()
    if parts.get("n"):
        number = (
            _number(match["n"]) * _MINUTES[match["unit"][:3] if match["unit"][0] == "m" else match["unit"].rstrip("s")]
        )
        bound = number / delay.minutes
        is_more = match["op"] in ("more than", "over", "at least")
        sign: Operator = (">=" if match["op"] == "at least" else ">") if is_more else "<"
        return Compare(delay.column, "<" if how in _EARLY else sign, -bound if how in _EARLY else bound)
    return Compare(delay.column, ">" if how in _LATE else "<" if how in _EARLY else "<=", 0)


def _number(text: str) -> float:
    return 0.5 if text.startswith("half") else 1.0 if text in ("a", "an") else spoken(text) or 0.0

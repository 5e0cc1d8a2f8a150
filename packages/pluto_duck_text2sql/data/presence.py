"""Conditions that a thing is there, or is not: `with a known reason`, `leaving out unknown cities`, `not shipped yet`.

Roles takes these phrases out of the question before anything else is read of it; Conditions asks what they mean once
it is known what the query is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, Token, stem

if TYPE_CHECKING:
    from pluto_duck_text2sql.data.catalog import Column, Table
    from pluto_duck_text2sql.data.name_index import NameIndex, Target

_LONGEST_NAME = 3
_NAMED = 0.6
OUT = (
    "(?:leaving out|leave out|leaves out|excluding|exclude|excludes|except(?: for)?|ignoring|ignore|omitting|omit"
    "|disregarding|disregard|skipping|skip|not counting|without counting|not including|dropping|removing|apart from)"
)
LEFT_OUT = Pattern(rf"(?:^| ){OUT} (?:[^\W\d_]+ ){{0,3}}$")
"""What leaves out the rows that are told next."""
_ROWS = r"(?:(?:the|all|any|those|ones|rows|records|entries|[^\W\d_]+s|people|anyone|anybody|everyone|everybody) ){0,3}"
_LACKING = (
    "(?:without|with no|with missing|lacking|missing|(?:that|which|who) (?:have|has|had) no"
    "|(?:that|which|who) (?:lack|lacks|miss)|(?:that|which|who) (?:do|does|did) not have|(?:that|which|who) don.t have"
    "|having no|for which there is no|where there is no|where there isn.t)"
)
_UNKNOWN = "(?:unknown|missing|empty|blank|null|unspecified|undefined|unset|absent|unrecorded)"
_KNOWN = "(?:known|given|recorded|stated|specified|documented|filled in|filled|set|available|noted|non-empty|present)"
_THE = "(?:(?:a|an|any|the|some|its|their|such) )?"
_NOT = "(?:not|never|n.t|no)"
_IS = "(?:is|are|was|were|has been|have been|being)"
_NAME = r"(?P<name>[^\W\d_]+(?: [^\W\d_]+){0,2}?)"
_AFTER = r"(?P<after>[^\W\d_]+(?: [^\W\d_]+){0,2})"
_ONE = "(?:one|any|it|them|values?|an entry|nulls?)"
_DID = r"[^\W\d_]+ed|sent|paid|sold|returned|met|begun|left"
_DONE = rf"(?P<done>{_DID})"
_UNDONE = rf"not (?:yet )?{_DONE}(?: yet)?|un(?P<undone>{_DID})"
_TO_BE_DONE = rf"{_NOT} (?:been )?(?P<yet>{_DID}) yet|(?:yet|still|have yet|has yet) to be (?P<to_be>{_DID})"


@dataclass(frozen=True)
class Presence:
    """Words `start` to before `end` that ask for a thing to be there (`known`) or not to be.

    `targets` are the columns they may name, none where it is what the rows are grouped by or show; `counted` where a
    number above zero is meant by it.
    """

    start: int
    end: int
    known: bool
    targets: tuple[Target, ...] = ()
    counted: bool = False


_PHRASES: tuple[tuple[str, bool, bool], ...] = (
    # pattern, whether the thing must be there, whether a date or flag of that verb is meant
    (rf"{OUT} {_ROWS}{_LACKING} {_ONE}", True, False),
    (rf"{OUT} (?:the |all |any )?(?:nulls?|blanks|empties|unknowns|(?:unknown|missing|empty|null) ones)", True, False),
    (rf"{OUT} {_ROWS}(?:(?:that|which) (?:are|were) )?(?:{_UNDONE})", True, True),
    (rf"{OUT} {_ROWS}(?:where|whose|for which) {_THE}{_NAME} {_IS} (?:{_UNKNOWN}|{_NOT} {_KNOWN})", True, False),
    (rf"{OUT} {_ROWS}(?:with (?:an? )?)?{_UNKNOWN} {_AFTER}", True, False),
    (rf"{OUT} {_ROWS}{_LACKING} {_THE}(?:{_KNOWN} )?{_AFTER}", True, False),
    (rf"(?:with|have|has|having|where there is) (?:(?:a|an|some|any) )?{_KNOWN} {_AFTER}", True, False),
    (rf"(?:where|whose|for which|if|when) {_THE}{_NAME} {_IS} {_KNOWN}", True, False),
    (rf"where there (?:is|was) (?:a|an|some) {_AFTER}", True, False),
    (rf"(?:where|whose|for which) {_THE}{_NAME} {_IS} (?:{_UNKNOWN}|{_NOT} {_KNOWN})", False, False),
    (rf"(?:with|of) (?:(?:a|an|any) )?(?:{_UNKNOWN}|no known) {_AFTER}", False, False),
    (rf"(?:without (?:(?:a|an|any) )?{_KNOWN}|where there (?:is|was) no) {_AFTER}", False, False),
    (rf"(?:(?:that|which|who) )?{_IS} (?:already |actually |ever |since )?{_DONE}(?= and| but|$)", True, True),
    (rf"(?:{_IS} |has |have )?(?:not yet (?:been )?{_DONE}|{_TO_BE_DONE})", False, True),
)
_HELD = (
    rf"(?:(?:that|which|who) )?(?:have|has|had|having|with) (?:an?|any|some) {_NAME}(?=$|,| (?:and|but|by|per|or)\b)"
)
"""What rows have of which some lack it: `customers who have a phone`, which no order by phone is."""
_CALLED = 0.9
_STILL = rf"(?:(?:that|which) {_IS} )?(?:still |currently |now |already )*"
_STOCKED = (
    (rf"{_STILL}(?:in stock|on hand|available in stock)", True),
    (rf"{_STILL}(?:out of stock|sold out|not in stock|no longer in stock)", False),
)
_OF_STOCK = frozenset(map(stem, "in on hand stock inventory".split()))
_MEASURED = frozenset("units unit number quantity value amount pieces items level count".split())


def find_presences(words: Words, tokens: Sequence[Token], names: NameIndex) -> list[Presence]:
    """The phrases of a question; those that name no column are left to others."""
    found: list[Presence] = []
    for pattern, known, done in _PHRASES:
        for match in words.peek(pattern):
            read = _read(words, tokens, names, match, known, done)
            if read:
                words.take(read.start, read.end)
                found.append(read)
    return [*found, *_held(words, tokens, names), *_stocked(words, tokens, names)]


def _held(words: Words, tokens: Sequence[Token], names: NameIndex) -> Iterator[Presence]:
    """What is said to be there, where a column that may be empty is called so and no rows are."""
    for match in words.peek(_HELD):
        read = _read(words, tokens, names, match, known=True, done=False)
        is_meant = len(read.targets) == 1 or all(each.score >= _CALLED for each in read.targets) if read else False
        if read and is_meant and all(map(_may_lack, read.targets)):
            words.take(read.start, read.end)
            yield read


def _may_lack(target: Target) -> bool:
    column = target.column
    return column is not None and bool(column.null_fraction) and not column.is_time


def _read(
    words: Words, tokens: Sequence[Token], names: NameIndex, match: re.Match[str], known: bool, done: bool
) -> Presence | None:
    start, end = words.span(match)
    group = next((name for name, text in match.groupdict().items() if text is not None), None)
    if group is None:
        return Presence(start, end, known)
    first, last = words.span(match, group)
    if done:
        targets = tuple(t for t in _columns(names, (stem(match[group]),)) if t.column and t.column.is_time)
        targets = _of_rows(targets, tokens[start - 1], names) if known and group == "done" and start else targets
        return Presence(start, end, known, targets) if targets else None
    for length in range(min(_LONGEST_NAME, last - first), 0, -1):
        named = tokens[first : first + length]
        targets = tuple(_columns(names, tuple(token.stem for token in named)))
        if targets and named[-1].lower not in STOP and (group == "after" or length == last - first):
            return Presence(start, first + length if group == "after" else end, known, targets)
    return None


def _of_rows(targets: tuple[Target, ...], before: Token, names: NameIndex) -> tuple[Target, ...]:
    """`orders that were shipped`: the dates that the rows named right before may lack."""
    tables = {each.table.key for each in names.find((before.stem,)) if each.column is None and each.score >= _NAMED}
    return tuple(each for each in targets if each.table.key in tables and each.column and each.column.null_fraction)


def _columns(names: NameIndex, stems: tuple[str, ...]) -> Iterator[Target]:
    """The columns so named; nothing where a table's name fits better."""
    found = names.find(stems)
    tables = max((each.score for each in found if each.column is None), default=0.0)
    yield from (each for each in found if each.column and each.score >= _NAMED and each.score >= tables)


def _is_named_by(said: set[str], table: Table, column: Column, names: NameIndex) -> bool:
    """`bottles in stock` of a column called so is how many there are, not that there are some."""
    stems = {*table.stems(column.name)}
    own = said & stems
    is_whole = stems <= said | _OF_STOCK
    return bool(own) and (is_whole or not any(each.column is None for word in own for each in names.called((word,))))


def _stocked(words: Words, tokens: Sequence[Token], names: NameIndex) -> Iterator[Presence]:
    """`in stock`: more than none of what the column of the stock counts."""
    targets = [t for name in (("stock",), ("inventory",)) for t in names.find(tuple(map(stem, name)))]
    said = {token.stem for token in tokens} - _OF_STOCK
    counted = tuple(each for each in targets if each.column and each.column.kind == "number")
    counted = tuple(each for each in counted if each.column and not _is_named_by(said, each.table, each.column, names))
    for pattern, known in _STOCKED if counted else ():
        for match in words.peek(pattern):
            start, end = words.span(match)
            if not start or tokens[start - 1].lower not in _MEASURED:
                words.take(start, end)
                yield Presence(start, end, known, counted, counted=True)

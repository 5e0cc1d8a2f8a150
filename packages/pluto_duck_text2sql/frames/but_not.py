"""Who did the one and not the other: `customers who bought in 2024 but not in 2025`, `owners with a dog but no cat`.

Each is a question of its own: those of the first are meant, but for those of the second.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.times.periods import find_periods
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Cond,
    During,
    Inside,
    Query,
    Related,
    TableKey,
    all_nodes_in,
    columns_in,
    mapped,
)

_DID = r"(?:(?:did|do|does|have|has|had) not|(?:did|do|does|have|has|had|is|are|was|were)n['’]?t|not|never)"
_NONE = r"(?:not )?(?:nothing|none|not (?:even )?(?:once|one|a single one)|no (?:longer|more))"
_BUT = Pattern(
    r"^(?P<main>.+?)(?: (?P<first>(?:in|during|before|until) [^,]+?))?,?"
    r" (?:but|and|yet)(?: (?:who|that|which|they|it))?"
    rf" (?:{_NONE}|{_DID}(?: [a-z]+)??(?: (?:anything|any|again|a single one|one|[a-z]+))??|no [a-z]+)"
    r"(?: any ?more| again)?"
    r" (?P<second>(?:in|during|since|after) [^,:;]+|since|after(?:wards| that)?)$",
    re.IGNORECASE,
)
_DOES = (
    r"(?:with|having|(?:(?:who|that|which) )?(?:(?:have|has|had) )?"
    r"(?:have|has|had|own|owns|owned|took|bought|made|wrote|[a-z]{3,}ed))"
)
_BUT_NO = Pattern(
    rf"^(?P<main>.+?) (?P<did>{_DOES}) (?P<first>[^,]+?)(?: at (?:some|any|one) point)?,? but"
    r" (?:(?:who|that|which|they) )?(?:(?:have|has|had|did|do|does) )?"
    r"(?:no|not|never|without|(?:have|has|had|did)n['’]?t)"
    rf"(?: {_DOES})?(?: (?:any|an?|ever))? (?P<second>(?!in \d|since|during)[^,:;]+)$",
    re.IGNORECASE,
)


_BEFORE = Pattern(r"^before (?P<day>.+)$", re.IGNORECASE)
_SINCE_THEN = Pattern(r"since|after(?:wards| that)?", re.IGNORECASE)
_LAST = Pattern(r"\blast (?=[a-z]+(?:ed|t|ve)\b)", re.IGNORECASE)
"""`who last gave before May, and not since`: who gave."""
_SOMETHING = Pattern(r" (?:something|anything)\b", re.IGNORECASE)
_ANYTHING = Pattern(r"\b(?:nothing|anything|of any (?:sort|kind)|at all|whatsoever)\b", re.IGNORECASE)
"""What says that none at all is meant, whatever was said of the first."""


class ButNot(Compounds):
    """Answers questions for those of the one but not of the other."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those of the first alone; None where the question says no two, or names what is not told apart so."""
        main, phrases = split_spec(question)
        parts = _parts(main.strip(" .?!")) or _parts(same(question))
        found = self._answers(parts, run) if parts else []
        if not found:
            return None
        did, again = found
        query = _but_for(did.tree, again.tree, not _ANYTHING.search(main)) or _but_then(did.tree, again.tree)
        made = self.candidate(query, [did, again], phrases, run) if query else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None


def _parts(question: str) -> tuple[str, str] | None:
    """The questions for those that did the one, and for those that did the other."""
    said = _BUT.match(question)
    if said and (second := _later(said["first"] or "", said["second"])):
        main = _SOMETHING.sub("", _LAST.sub("", said["main"]))
        return f"{main} {said['first'] or ''}".strip(), f"{main} {second}"
    said = _BUT_NO.match(question)
    return said and tuple(f"{said['main']} {said['did']} {said[each]}" for each in ("first", "second"))  # type: ignore[return-value]


def _later(first: str, second: str) -> str:
    """The period of the second; nothing where one of the two is none. Bare `since` is from the end of the first."""
    if first and not _is_period(first):
        return ""
    if _is_period(second):
        return second
    when = _BEFORE.match(first)
    return f"since {when['day']}" if when and _SINCE_THEN.fullmatch(second) else ""


def _is_period(text: str) -> bool:
    return bool(find_periods(Words(tokenise(text))))


def _but_for(did: Query, again: Query, of_all: bool) -> Query | None:
    """The first query without what the second finds; None where they differ in more than what was done. `of_all`: what
    is said of the deeds of the one is said of those of the other."""
    if did.anchor != again.anchor or did.select != again.select or did.group or did.limit or did.having or did.then:
        return None
    deeds = [each for each in again.where if each not in did.where]
    tables = {column.table for each in deeds for column in columns_in(each)}
    if not deeds or len(tables) != 1 or did.anchor in tables:
        return None
    if of_all:
        deeds = [each for each in again.where if {column.table for column in columns_in(each)} == tables]
    return replace(did, where=(*did.where, _nothing_of(tables.pop(), deeds)))


def _but_then(did: Query, again: Query) -> Query | None:
    """The first query without those that did the same in the second's period; None where either tells no one period."""
    first, other = ({each for each in all_nodes_in(tree) if isinstance(each, During)} for tree in (did, again))
    if len(first) != 1 or len(other) != 1 or did.group or did.limit or did.having or did.then:
        return None
    when, then = first.pop(), other.pop()
    deeds = [each for each in did.where if isinstance(each, Inside | Related) and when in set(all_nodes_in(each))]
    counted = did.select[0] if len(did.select) == 1 else None
    if when in did.where and isinstance(counted, Agg) and counted.distinct and isinstance(counted.of, Col):
        deeds = [Inside(counted.of, Query(did.anchor, (counted.of,), did.where, flat=did.flat, also=did.also))]
    if len(deeds) != 1 or deeds[0].negated or (when.start, when.end) == (then.start, then.end):
        return None
    moved = replace(when, start=then.start, end=then.end, said=None)
    nothing = replace(mapped(deeds[0], lambda node: moved if node == when else node), negated=True)
    return replace(did, where=(*did.where, nothing))


def _nothing_of(table: TableKey, deeds: Sequence[Cond]) -> Cond:
    """That there is no such row. What is asked of one that is there already is turned round."""
    if len(deeds) == 1 and isinstance(deeds[0], Related):
        return replace(deeds[0], negated=not deeds[0].negated)
    return Related(table, tuple(deeds), negated=True)

"""What those did afterwards: `of the customers set up in 2025, how many had a prescription filled within 60 days`, `how
many players made a purchase within 48 hours of signing up`.

Who they are is a question of its own, and what they did is another; the second's rows are then those that came after
the first's date. `reading/cohorts.py` reads the plainer wordings of one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.event_dates import event_date, happened
from pluto_duck_text2sql.data.starting import says_start, started
from pluto_duck_text2sql.data.states import standing
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy, without_remarks
from pluto_duck_text2sql.language.words import NUMBER_WORDS, name_stems, spoken_stems, tokenise
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.cohorts import part_of
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.rewording.deed_verbs import rows_of
from pluto_duck_text2sql.times.calendar_days import units_said
from pluto_duck_text2sql.times.periods import periods_said
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    Cond,
    During,
    First,
    Grain,
    Inside,
    Later,
    Missing,
    Query,
    Related,
    Rows,
    columns_in,
    nodes_in,
)
from pluto_duck_text2sql.trees.durations import rooted
from pluto_duck_text2sql.trees.semi_joins import with_semi_joins
from pluto_duck_text2sql.trees.titles import words

_N = r"\d+|an?|" + "|".join(NUMBER_WORDS)
_SPAN = rf"(?P<n>{_N}) (?P<unit>hour|day|week|month|year)s?"
_SHARE = r"(?P<share>(?:what|which)(?: is the)? (?:share|percentage|percent|proportion|fraction))"
_OF = Pattern(
    r"^(?:of|among|out of) (?:all )?(?:the |our |those )?(?P<cohort>[a-z].+?),? "
    rf"(?:how many|{_SHARE})(?: of (?:them|these|those))? (?P<did>(?!of\b).+)$",
    re.IGNORECASE,
)
_HOW_MANY = Pattern(
    r"^how many (?:of (?:the |our )?)?(?P<cohort>[a-z]+(?: [a-z]+)??)"
    rf" (?P<did>(?:have |had |has |made |placed |bought |took |booked |[a-z]+ed ).+? within {_SPAN} (?:of|after) .+)$",
    re.IGNORECASE,
)
_WITHIN = Pattern(
    rf",? (?:with)?in (?:the (?:first |next )?)?{_SPAN}"
    r"(?:,? (?:of|after|from) (?P<start>.+)|,? (?:afterwards|later))?$",
    re.IGNORECASE,
)
_SINCE = Pattern(r",? (?:ever )?(?:since(?: then)?|afterwards|after (?:that|it)|later(?: on)?)$", re.IGNORECASE)
_AGAIN = Pattern(
    r"\b(?:again|once more|a second time|another(?: one)?|a (?:second|further)(?: one)?|one more|more|back)\b",
    re.IGNORECASE,
)
_TALK = Pattern(
    r"\b(?:at some (?:point|time)|at least once|also|then|ever|actually|(?:have|has|had) (?:gone|been)"
    r"|(?:went|go) on to)\b",
    re.IGNORECASE,
)
_WHOSE = Pattern(
    r"\bwhose (?:very )?(?:first|earliest) (?P<what>[a-z]+(?: [a-z]+)?) (?:was|were|came|happened|fell|took place)\b",
    re.IGNORECASE,
)
_WHO = Pattern(r"\b(?:who|that|which) (?=(?:have|has|had|were|was|first|[a-z]+)\b)", re.IGNORECASE)
_HEAD = Pattern(
    r"^(?P<who>[a-z]+"
    r"(?: (?!(?:who|that|which|whose|we|with|set|signed|first|had|made|bought|in)\b)(?![a-z]+ed\b)[a-z]+)?)",
    re.IGNORECASE,
)
_FIRST = Pattern(r"\b(?:(?:their|his|her|its|the) )?(?:very )?first (?=[a-z])", re.IGNORECASE)
_SET_UP = Pattern(r"\bset up\b|\bcreat\w+\b|\bopen\w*\b", re.IGNORECASE)
_MORE_SAID = Pattern(
    r"\b(?:each|every|per|by|no|not|never|none|without|neither|more than|at least|at most|fewer|less|over|only|twice"
    rf"|times|(?:{'|'.join(NUMBER_WORDS)}|\d+))\b|n['’]t\b",
    re.IGNORECASE,
)
"""Groups, denials and numbers of deeds, which one comparison of dates does not tell."""
_OF_EACH = Pattern(r"\b(?:each|every)\b", re.IGNORECASE)
_PERIOD_OF = Pattern(r"\b(?:in|during|since|before|after|until|between|on) .*\d.*$", re.IGNORECASE)
_MADE = Pattern(r"^(?P<who>[a-z]+(?: [a-z]+)?) (?P<made>set up|created|added|opened|taken on)\b", re.IGNORECASE)
_SURE = 0.85


@dataclass(frozen=True)
class _Said:
    """Who, what they did, and when; `share` are the words for what part of them is asked."""

    who: str
    did: str
    within: re.Match[str] | None
    is_since: bool
    share: str | None

    @property
    def again(self) -> bool:
        return _AGAIN.search(self.did) is not None

    @property
    def start(self) -> str:
        """What the span counts from, where that is said."""
        return self.within["start"] or "" if self.within else ""


@dataclass(frozen=True)
class _Cohort:
    """Those of `owner` that `where` tells, who began with the date `begun`."""

    owner: Table
    begun: Col | First
    where: tuple[Cond, ...]
    part: Candidate


@dataclass(frozen=True)
class _Deeds:
    """Rows that belong to an owner by `pointer`, of those that `where` tells, with their date."""

    pointer: Col
    date: Col
    where: tuple[Cond, ...]
    part: Candidate | None = None


class Followed(Compounds):
    """Answers questions about what some did after they began."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those who did; None where the question asks no such, a part of it has no answer, or `plain` knows it."""
        main, phrases = split_spec(question)
        said = _said(same(without_remarks(main)).rstrip("?. "))
        cohort = self._cohort(said, run) if said and not _knows(plain) else None
        deeds = self._deeds(cohort, said, run) if said and cohort else None
        if said is None or cohort is None or deeds is None or not self._fits(cohort, deeds, said):
            return None
        times = _times(cohort, deeds, said)
        if times is None:
            return None
        parts = [each for each in (cohort.part, deeds.part) if each]
        made = self.candidate(_those(cohort, deeds, times, said.share), parts, phrases, run)
        made = made and replace(made, reading=tuple(dict.fromkeys((*made.reading, *_told(times)))))
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _fits(self, cohort: _Cohort, deeds: _Deeds, said: _Said) -> bool:
        """Whether the beginning is of those who did, not of the deeds themselves, and what is done again was done."""
        begun, table = cohort.begun, self.reader.catalog.table(*deeds.pointer.table)
        if isinstance(begun, First):
            return begun.of.table == deeds.pointer.table
        roots = rooted(spoken_stems(tokenise(said.start)))
        dates = [each for each in table.columns if each.is_time] if table else []
        return not said.again and not any(roots & rooted(name_stems(each.name)) for each in dates)

    def _cohort(self, said: _Said, run: Run | None) -> _Cohort | None:
        """Who is meant, by the period in which they began; without any, those that there are."""
        part = self._part(f"how many {_plainly(said.who)}", run)
        owner = self._owner(part.tree) if part else None
        if part is None or owner is None:
            return None
        dated = [each for each in part.tree.where if isinstance(each, During)]
        if len(dated) == 1 and _is_of(dated[0].left, owner):
            return _Cohort(owner, dated[0].left, part.tree.where, part)
        begun = self._begun(owner, said.start) if said.start and not dated else None
        return _Cohort(owner, begun, part.tree.where, part) if begun else None

    def _owner(self, tree: Query) -> Table | None:
        """Whom a tree counts; None where it shows anything else."""
        counted = tree.select[0] if len(tree.select) == 1 and tree.is_plain and not tree.group else None
        if not isinstance(counted, Agg) or counted.function != "count" or counted.where:
            return None
        of = self.reader.joins.pointed(counted.of) if isinstance(counted.of, Col) and counted.distinct else counted.of
        return self.reader.catalog.table(*of.table) if isinstance(of, Col | Rows) else None

    def _begun(self, owner: Table, start: str) -> Col | First | None:
        """The date that `of signing up`, `of their first visit` tells."""
        if _FIRST.search(start):
            deeds = self.deeds(owner, _FIRST.sub("", start))
            return self.first(deeds) if deeds else None
        told = says_start(spoken_stems(tokenise(start))) or _SET_UP.search(start)
        return started(owner) if told else None

    def _deeds(self, cohort: _Cohort, said: _Said, run: Run | None) -> _Deeds | None:
        """What they did: the same again where the words name nothing else."""
        plain = tidy(_TALK.sub(" ", _AGAIN.sub("a" if "another" in said.did else " ", said.did)))
        same_deeds = _same(cohort) if said.again else None
        if same_deeds and len(plain.split()) <= 1:
            return same_deeds
        head = _HEAD.match(said.who)
        part = self._part(f"how many {head['who'] if head else said.who} {_FIRST.sub('a ', plain)}", run)
        found = self._of_tree(part.tree, cohort, plain) if part else None
        if found or periods_said(plain) or (part and _is_nested(part.tree)):
            return replace(found, part=part) if found else None
        return self._of_verb(cohort, plain) or same_deeds

    def _of_tree(self, tree: Query, cohort: _Cohort, did: str) -> _Deeds | None:
        """The rows of others that a tree counts owners by, or that they must have."""
        owner = self._owner(tree)
        if owner is None or owner.key != cohort.owner.key:
            return None
        tree = tree if tree.flat else with_semi_joins(tree, self.reader.joins)
        counted = tree.select[0]
        if isinstance(counted, Agg) and isinstance(counted.of, Col) and counted.of.table != owner.key:
            if {*tree.also, tree.anchor} - {counted.of.table, owner.key}:
                return None
            return self._dated_deeds(counted.of, tree.where, cohort, did)
        related = [each for each in tree.where if isinstance(each, Related) and not each.negated and not each.count]
        inside = [each for each in tree.where if isinstance(each, Inside) and not each.negated]
        if len(related) == 1:
            pointer = self.reader.joins.pointer(related[0].table, owner.key)
            is_own = pointer is not None and pointer.table == related[0].table
            return self._dated_deeds(pointer, related[0].where, cohort, did) if pointer and is_own else None
        shown = inside[0].query.select if len(inside) == 1 else ()
        is_pointer = len(shown) == 1 and isinstance(shown[0], Col) and inside[0].query.is_plain
        is_pointer = is_pointer and {inside[0].query.anchor, *inside[0].query.also} == {cast(Col, shown[0]).table}
        return self._dated_deeds(cast(Col, shown[0]), inside[0].query.where, cohort, did) if is_pointer else None

    def _of_verb(self, cohort: _Cohort, did: str) -> _Deeds | None:
        """The one table that a verb said calls its rows by: what was sold has sales."""
        for word in did.lower().split():
            table = self.reader.names.rows(rows_of(word, self.reader.catalog))
            pointer = self.reader.joins.pointer(table.key, cohort.owner.key) if table else None
            if table and pointer and pointer.table == table.key:
                return self._dated_deeds(pointer, standing(table, self.reader.catalog), cohort, did)
        return None

    def _dated_deeds(self, pointer: Col, where: Sequence[Cond], cohort: _Cohort, did: str) -> _Deeds | None:
        """The rows with the date that their conditions or the words speak of, else that on which they happen."""
        table = self.reader.catalog.table(*pointer.table)
        others = {each.table for each in columns_in(tuple(where))} - {pointer.table, cohort.owner.key}
        if table is None or table.key == cohort.owner.key or others:
            return None
        told = [each.left for each in where if isinstance(each, During | Missing) and isinstance(each.left, Col)]
        told = [each for each in told if (kept := table.column(each.name)) and kept.is_time and each.table == table.key]
        roots = rooted(spoken_stems(tokenise(did)))
        named = [each.name for each in table.columns if each.is_time and roots & rooted(table.stems(each.name))]
        name = told[0].name if told else named[0] if len(named) == 1 else event_date(table)
        name = name or happened(table, next((each.name for each in table.columns if each.is_time), ""), roots)
        return _Deeds(pointer, Col(table.key, name), tuple(where)) if table.column(name) else None


def _said(text: str) -> _Said | None:
    """What a question says of some and what they did; None where it says no such, or more than that."""
    found = _OF.match(text) or _HOW_MANY.match(text)
    if found is None:
        return None
    within, did = _cut(_WITHIN, found["did"])
    since, did = _cut(_SINCE, did)
    if _MORE_SAID.search(_PERIOD_OF.sub("", did)) or _OF_EACH.search(did):
        return None
    return _Said(found["cohort"], did, within, since is not None, found.groupdict().get("share"))


def _is_nested(tree: Query) -> bool:
    """Whether a tree looks for rows of others, which are no deeds of one table."""
    return bool(tree.also) or any(isinstance(each, Related | Inside) for each in tree.where)


def _knows(plain: Analysis) -> bool:
    """Whether an answer that is sure is by when something was done first, or by what came so long after."""
    best = plain.candidates[0] if plain.status == "answered" and plain.candidates else None
    is_sure = best is not None and best.confidence >= _SURE
    return best is not None and is_sure and any(isinstance(each, First | Later) for each in nodes_in(best.tree))


def _cut(pattern: Pattern, text: str) -> tuple[re.Match[str] | None, str]:
    """What a pattern finds at the end of a text, and the text before it."""
    found = pattern.search(text)
    return found, text[: found.start()].strip(" ,") if found else text


def _plainly(said: str) -> str:
    """`patients whose first admission was in May` as `patients had their first admission in May`, `customers set up` as
    `customers were set up`."""
    said = _MADE.sub(r"\g<who> were \g<made>", said)
    return _WHO.sub("", _WHOSE.sub(r"had their first \g<what>", said), count=1)


def _is_of(date: Col | First, owner: Table) -> bool:
    return isinstance(date, First) or date.table == owner.key


def _same(cohort: _Cohort) -> _Deeds | None:
    """What they began with, done again."""
    begun = cohort.begun
    if not isinstance(begun, First):
        return None
    own = (each for each in cohort.where if not isinstance(each, During))
    return _Deeds(begun.by, begun.of, tuple(each for each in own if _is_about(each, begun.of)))


def _is_about(condition: Cond, date: Col) -> bool:
    return {each.table for each in columns_in(condition)} == {date.table}


def _times(cohort: _Cohort, deeds: _Deeds, said: _Said) -> tuple[Compare, ...] | None:
    """When the deeds were, seen from the beginning; None where nothing tells it."""
    is_same = isinstance(cohort.begun, First) and cohort.begun.of == deeds.date
    after = Compare(deeds.date, ">" if (said.again or said.is_since) and is_same else ">=", cohort.begun)
    if said.within is not None:
        unit = said.within["unit"].lower()
        count = units_said(said.within["n"], "day" if unit == "hour" else unit)
        return after, Compare(deeds.date, "<=", Later(cohort.begun, count, cast(Grain, unit)))
    if any(isinstance(each, During) and each.left == deeds.date for each in deeds.where):
        return ()
    return (after,) if said.again or said.is_since else None


def _told(times: Sequence[Compare]) -> list[str]:
    """How the dates compare, as a reading tells it."""
    return [f"{words(each.left)} {each.operator} {words(each.right)}" for each in times]


def _those(cohort: _Cohort, deeds: _Deeds, times: Sequence[Compare], share: str | None) -> Query:
    """How many of them, or what part of them, did."""
    counted = Agg("count", deeds.pointer, distinct=True)
    where = tuple(dict.fromkeys((*cohort.where, *deeds.where, *times)))
    query = Query(deeds.pointer.table, (counted,), where, flat=True)
    return part_of(query, cohort.part.tree, share) if share else query

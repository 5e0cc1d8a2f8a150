"""Cohorts: things by when they first did something, and what became of them.

`how many customers placed their first order in each quarter`, `new customers by month`, `of those who first bought in
2022, how many came back within 90 days`. The reader asks here before its passes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.date_names import begins
from pluto_duck_text2sql.data.event_dates import event_date
from pluto_duck_text2sql.data.starting import started
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import NUMBER_WORDS, SYNONYMS, number_of, stem, tokenise
from pluto_duck_text2sql.reading.frames import TRADED, UNIT, Deeds, Parts, same
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    Cond,
    First,
    Grain,
    Later,
    Missing,
    Nested,
    Order,
    Query,
    Ratio,
    Rows,
)

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Reader, Reading

_FIRST = "(?:very )?(?:first|earliest|initial)(?:[- ]ever)?"
_DID = (
    "(?:place|placed|make|made|do|did|have|had|give|gave|book|booked|receive|received|get|got|put in|file|filed|open"
    "|opened|issue|issued|take|took|pay|paid|send|sent|start|started|submit|submitted)"
)
_WAS = "(?:was|is|were|fell|falls|came|took place|happened|occurred|dates?|dated|had been)(?: placed| made| issued)?"
_ANY = Pattern(
    r",? ?\b(?:of|with|in|at) any (?:status|state|kind|type|sort)\b,?|\bwhatever (?:their|its|the) status\b,?"
)
_EACH = "(?:by|per|each|every|for each|for every|in each|in every|in a|during each|within each|for a given)"
_WHO = r"(?P<who>[a-z][\w-]*(?: [a-z][\w-]*)?)"
_DEED = r"(?P<deed>[a-z][\w-]*(?: [a-z][\w-]*)?)"
_GRAIN = rf"(?P<grain>{UNIT})s?"
_COUNT = r"(?:how many|(?:the |show (?:me )?the )?(?:number|count) of|count (?:of )?(?:the )?)"

_N = r"\d+|" + "|".join(NUMBER_WORDS)

_BY_GRAIN = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_COUNT} {_WHO} {_DID} (?:their|a|the|his|its) {_FIRST} {_DEED} {_EACH} {_GRAIN}",
        rf"(?:for|in|by|per|during) (?:each|every) {_GRAIN},? {_COUNT} {_WHO} {_DID} (?:their|a|the) {_FIRST} {_DEED}"
        r"(?: (?:in it|then|there|during it|in that \w+))?",
        rf"{_COUNT} {_WHO} (?:first )?(?P<verb>\w+ed|bought|came)(?: for the first time)? {_EACH} {_GRAIN}"
        r"(?: for the first time)?",
        rf"(?:for|in) (?:each|every) {_GRAIN},? {_COUNT} {_WHO} (?:first )?(?P<verb>\w+ed|bought)"
        r"(?: for the first time)?",
        rf"(?:{_COUNT} )?{_WHO} (?:by|per|for each|grouped by|split by) (?:the )?{_GRAIN}"
        r" (?:of|in which|when|they|that)"
        rf"(?: they)?(?: {_DID})? ?(?:their|the|its)? ?{_FIRST} {_DEED}(?: {_WAS})?",
        rf"{_COUNT} {_WHO}(?:'s?)? {_FIRST} {_DEED}s? (?:{_WAS} )?{_EACH} {_GRAIN}",
        rf"(?:{_COUNT} )?(?:new|newly acquired|first[- ]time) {_WHO}(?: (?:did|do) we (?:get|win|gain|acquire|have))?"
        rf"(?: (?:acquired|gained|won))? {_EACH} {_GRAIN}(?P<period> .+)?",
        rf"(?:{_COUNT} )?{_WHO} (?:acquired|gained|won) {_EACH} {_GRAIN}(?P<period> .+)?",
        rf"(?:for|in) (?:each|every) {_GRAIN},? (?:{_COUNT} )?(?:new|first[- ]time) {_WHO}(?P<period> .+)?",
    )
)
_UNIT_FIRST = Pattern(rf"^(?P<unit>{UNIT}) by (?P=unit),? (?P<rest>.+)$", re.IGNORECASE)
_FIRST_TIME = Pattern(r"\bfirst\b|\bfor the first time\b", re.IGNORECASE)
_STARTS = Pattern(
    r"(?:signed[- ]up|joined|registered|enrolled|subscribed|were (?:created|added|registered|acquired)"
    r"|opened an account|became (?:a )?\w+|came on board)",
    re.IGNORECASE,
)
_CLAUSE = (
    rf"(?:(?:whose|with (?:a|their|the)|having (?:a|their)) {_FIRST} {_DEED}(?: (?:ever|of all))?(?: {_WAS})?"
    rf"|(?:who|that|which) {_DID} (?:their|a|the) {_FIRST} (?P<placed>[a-z][\w-]*)"
    rf"|(?:who|that|which) (?:first|initially) (?P<verb>\w+)|(?:who|that|which) (?P<verb2>\w+) for the first time"
    rf"|(?:who|that|which) (?P<starts>{_STARTS.pattern}))"
)
_SHARE = r"(?P<share>(?:what|which) (?:share|percentage|percent|proportion|fraction)"
_OF = Pattern(
    r"(?:of|among|amongst|from|out of|for|take|considering|looking at) (?:all |only )?(?:the |our |those |these )?"
    rf"(?:{_WHO} )?{_CLAUSE} (?P<rest>.+?),? (?:{_SHARE}(?: of them| of those)?)"
    r"|how many(?: of (?:them|those|these))?) (?P<then>.+)",
    re.IGNORECASE,
)
_WHICH = Pattern(
    rf"(?:{_SHARE} of)|{_COUNT}|how many of)(?: the| our| those)? {_WHO} {_CLAUSE} (?P<rest>.+)", re.IGNORECASE
)
_MORE = "(?:another|a second|a further|at least one more|more|one more|a repeat|further|a new)"
_AGAIN = (
    "(?:(?:also|then|later|ever|again|still|have|had|has|actually|did|went on to|go on to|subsequently) )*"
    "(?:(?:came|come)(?: back)?|returned|return|repeated|repeat|(?:were|remained) (?:still )?active"
    "|were retained|stayed"
    rf"|(?P<again>(?:{_DID} )?{_MORE} (?P<more>[\w-]+))"
    r"|(?:placed|made|had|have|place|make|put in) (?:an?|any|their) (?P<made>[\w-]+)"
    r"|(?:were|was|be|been) (?P<passive>\w+ed|seen|back|there)"
    r"|(?P<did>\w+))(?: (?:something|anything|an? (?P<what>[\w-]+)))?"
)
_THEN = Pattern(
    rf"(?:and )?{_AGAIN}(?P<second> (?:again|a second time|once more|another time))?"
    r"(?: to (?:buy|order|shop|purchase)(?: again)?)?"
    r"(?: (?:in |during )?(?:each|every)(?: of the)? (?P<later>later |following |subsequent |next )?"
    rf"{_GRAIN}(?: (?:after that|since|afterwards))?)?"
    rf"(?: (?:with)?in (?:the (?:first |next )?)?(?P<n>{_N}) (?P<unit>{UNIT})s?"
    r"(?: (?:of|after|from) .+| afterwards| later)?)?"
    r"(?:,? ?(?P<period>.+))?",
    re.IGNORECASE,
)
_ANYTHING = TRADED | frozenset(map(stem, "seen treated served active back there visited".split()))
"""What says no more than that they did again what makes them what they are."""


@dataclass(frozen=True)
class Cohort:
    """Who: owners of deeds, by the date at which they count as begun, and the condition on it."""

    owner: Table
    deeds: Deeds
    begun: Col | First
    where: Cond


class Cohorts(Parts):
    """Reads cohorts over one catalog."""

    def read(self, question: str) -> Reading | None:
        """The reading of a question about cohorts; None where it is none."""
        text = same(re.sub(r"\s+", " ", _ANY.sub(" ", question)))
        return self._by_grain(text) or self._followed(text)

    def _by_grain(self, text: str) -> Reading | None:
        """How many began in each period."""
        text = _UNIT_FIRST.sub(r"\g<rest> by \g<unit>", text)
        for pattern in _BY_GRAIN:
            found = pattern.fullmatch(text)
            made = self._began(found, text) if found else None
            if made:
                return made
        return None

    def _began(self, found: re.Match[str], text: str) -> Reading | None:
        parts = found.groupdict()
        owner, grain = self.table(parts["who"]), cast(Grain, parts["grain"].lower())
        words = parts.get("deed") or parts.get("verb")
        is_first = bool(_FIRST_TIME.search(text))
        if owner is None or (words and not is_first):
            return None
        since = None if words or is_first else started(owner) or _begun(owner)
        deeds = None if since else self.deeds(owner, words or "")
        if since is None and deeds is None:
            return None
        date = since or self.first(cast(Deeds, deeds))
        where = self._restricted(parts.get("period"), date)
        if where is None:
            return None
        self._tell(owner, date)
        return self.reading(self._counted(owner, deeds, Bucket(grain, date), where))

    def _counted(self, owner: Table, deeds: Deeds | None, bucket: Bucket, where: tuple[Cond, ...]) -> Query:
        """How many began in each period; of deeds, how many different ones did."""
        anchor = deeds.table if deeds else owner.key
        counted = Agg("count", deeds.owner, distinct=True) if deeds else Agg("count", Rows(anchor))
        known = (Missing(deeds.owner, negated=True),) if deeds and self.has_gaps(deeds.owner) else ()
        return Query(anchor, (bucket, counted), (*known, *where), (bucket,), order=(Order(bucket),))

    def _restricted(self, period: str | None, date: Col | First) -> tuple[Cond, ...] | None:
        """The condition of a period said after all else; None where there are other words."""
        if not period or not period.strip():
            return ()
        found = self.during(period.strip(), date)
        return (found[0],) if found and not found[1] else None

    def _tell(self, owner: Table, date: Col | First) -> None:
        column = date.of if isinstance(date, First) else date
        first = "first " if isinstance(date, First) else ""
        self.lines.append(f"a {owner.name} begins → {first}{column.table[1]}.{column.name}")

    def _followed(self, text: str) -> Reading | None:
        """What those who began then did after."""
        for pattern in (_OF, _WHICH):
            found = pattern.fullmatch(text)
            cohort = self._cohort(found) if found else None
            if found and cohort:
                made = self._what_followed(found, *cohort)
                if made:
                    return made
        return None

    def _cohort(self, found: re.Match[str]) -> tuple[Cohort, str] | None:
        """Those who began in the period that follows, and what is said after it."""
        parts = found.groupdict()
        owner = self.table(parts["who"]) if parts.get("who") else self._buyers()
        words = next((parts[each] for each in ("deed", "placed", "verb", "verb2") if parts[each]), "")
        deeds = self.deeds(owner, words) if owner else None
        since = started(owner) if owner and parts.get("starts") else None
        if owner is None or deeds is None or (parts.get("starts") and since is None):
            return None
        begun = since or self.first(deeds)
        within = self.during(parts["rest"], begun)
        if within is None or (parts.get("then") and within[1]):
            return None
        self._tell(owner, begun)
        return Cohort(owner, deeds, begun, within[0]), parts.get("then") or within[1]

    def _buyers(self) -> Table | None:
        """Whom `of those who first bought` means."""
        return self.table("customers")

    def _what_followed(self, found: re.Match[str], cohort: Cohort, then: str) -> Reading | None:
        said = _THEN.fullmatch(re.sub(r"^(?:,|and|also|then) ", "", then.strip(" ,")))
        deeds = self._later_deeds(said, cohort) if said else None
        if said is None or deeds is None:
            return None
        where = self._after(said, cohort, deeds)
        if where is None:
            return None
        bucket = (Bucket(cast(Grain, said["grain"].lower()), deeds.date),) if said["grain"] else ()
        counted = Agg("count", deeds.owner, distinct=True)
        query = Query(deeds.table, (*bucket, counted), (cohort.where, *where), bucket, order=tuple(map(Order, bucket)))
        if found["share"]:
            return self._share(found["share"], cohort, query) if not bucket else None
        return self.reading(query)

    def _share(self, said: str, cohort: Cohort, query: Query) -> Reading:
        of_deeds = isinstance(cohort.begun, First)
        all_counted = (
            Agg("count", cohort.deeds.owner, distinct=True) if of_deeds else Agg("count", Rows(cohort.owner.key))
        )
        whole = Query(cohort.deeds.table if of_deeds else cohort.owner.key, (all_counted,), (cohort.where,))
        return self.reading(part_of(query, whole, said))

    def _later_deeds(self, said: re.Match[str], cohort: Cohort) -> Deeds | None:
        """What they did then: the same, unless another table or verb is named."""
        words = [said[name] for name in ("more", "made", "passive", "did", "what") if said[name]]
        for word in words:
            named = self._named_or_traded(word, cohort)
            if named is None:
                return None
        last = words[-1] if words else ""
        return (self.deeds(cohort.owner, last) if last else None) or cohort.deeds

    def _named_or_traded(self, word: str, cohort: Cohort) -> Deeds | None:
        stems = {token.stem for token in tokenise(word)}
        alike = {each for one in stems for each in SYNONYMS.get(one, ())} | stems
        return self.deeds(cohort.owner, word) or (cohort.deeds if alike & _ANYTHING else None)

    def _after(self, said: re.Match[str], cohort: Cohort, deeds: Deeds) -> tuple[Cond, ...] | None:
        """The conditions on what they did later; None where words are left."""
        period = said["period"]
        found = self.during(period.strip(" ,"), deeds.date) if period else None
        within = _so_soon(said, cohort, deeds) if said["n"] else ()
        if within is None or (period and (found is None or found[1])):
            return None
        made = [*([found[0]] if found else []), *within]
        came = re.match(r"(?:came|come|return|repeat)", said[0])
        again = bool(said["second"] or said["again"] or said["later"] or came)
        if said["later"]:
            end = getattr(cohort.where, "end", None)
            made += [Compare(deeds.date, ">=", end)] if end and not period else []
        elif (said["n"] or again) and isinstance(cohort.begun, First) and not period:
            made.append(Compare(deeds.date, ">", cohort.begun))
        return tuple(made)


def _begun(owner: Table) -> Col | None:
    """The date at which rows begin, where that comes first of what happens to them: policies are new on that day."""
    name = event_date(owner)
    return Col(owner.key, name) if name and begins(owner.stems(name)) else None


def part_of(query: Query, whole: Query, said: str) -> Query:
    """What part one number is of another, a fraction or what `said` says; each is found by a query of its own."""
    scale = 100 if "percent" in said.lower() else 1
    ratio = Ratio(Agg("max", Nested(query)), Agg("max", Nested(whole)), scale)
    return Query(query.anchor, (ratio,))


def cohort_of(reader: Reader, question: str) -> Reading | None:
    """The reading of a question about cohorts; None where it is none."""
    return Cohorts(reader).read(question)


def _so_soon(said: re.Match[str], cohort: Cohort, deeds: Deeds) -> list[Cond] | None:
    """That they did it within so many units of their beginning; None where the number is none."""
    count = number_of(said["n"].lower())
    if count is None:
        return None
    unit = cast(Grain, said["unit"].lower())
    until = Compare(deeds.date, "<=", Later(cohort.begun, int(count), unit))
    return [until] if isinstance(cohort.begun, First) else [until, Compare(deeds.date, ">=", cohort.begun)]

"""What is said of buyers, as every part of the analyst knows it: that they come back, and that they spend.

`repeat customers` are those with at least two orders. What customers spend is the revenue they bring, where the data
calls another spending so: that on advertising. Called by `analyst` after `rewordings`.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.language.lexicon import alike
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import A_NUMBER, name_stems, stem, table_stems, table_words
from pluto_duck_text2sql.reading.frames import Parts
from pluto_duck_text2sql.rewording.newness import REPEAT_RATE, newness_of
from pluto_duck_text2sql.tree import columns_in
from pluto_duck_text2sql.trees.durations import rooted

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Reader

_BUYER = stem("customer")
_BUYERS = frozenset((_BUYER, *(each[0] for each in alike()[(_BUYER,)] if len(each) == 1)))
_BACK = (
    r"(?:came|come|comes|coming) back(?: again)?(?: for (?:a |an )?(?:second|another|more|further)(?: [a-z]+)?)?"
    r"|(?:ordered|bought|purchased|booked|shopped) (?:again|a second time|repeatedly|more than once)"
    r"|(?:placed|made) (?:a second|another|a repeat|repeat) (?:order|purchase|booking)s?"
)
_AGAIN = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:repeat|returning|recurring) (?P<who>[a-z]+)\b",
        rf"\b(?P<who>[a-z]+)(?: (?:who|that))?(?: (?:have|had|has))? (?:{_BACK})\b",
    )
)
_ONCE = Pattern(
    r"\b(?:one-?time|one-?off|single-(?:order|purchase)) (?P<who>[a-z]+)\b"
    r"|\b(?P<whom>[a-z]+)(?: (?:who|that))?"
    r" (?:never came back|did(?: not|n't) come back|never (?:ordered|bought) again)\b",
    re.IGNORECASE,
)
_SPENDERS = Pattern(
    rf"\b(?:(?:who|what) (?:are|were) )?(?:our |the )?(?P<before>{A_NUMBER} )?(?:biggest|highest|largest|top|best)"
    r"(?P<n> \w+)? spenders\b",
    re.IGNORECASE,
)
_WHO = r"\b(?P<who>who|[a-z]+)(?: (?:who|that|which))?(?: (?:has|have|had))?"
_WHO_SPENT = Pattern(r"^who(?=(?: (?:has|have|had))? spen(?:t|ds?)\b)", re.IGNORECASE)
_SPENT_MOST = Pattern(rf"{_WHO} spen(?:t|ds?) (?:the )?(?P<most>most|least)(?: money)?\b(?! on\b)", re.IGNORECASE)
_SPENT = Pattern(
    rf"{_WHO} spen(?:t|ds?) (?P<bound>more|over|at least|less|under|between|upwards|above|below)\b", re.IGNORECASE
)
_HOW_MUCH = Pattern(
    r"\bhow much (?:money )?(?:did|do|does|have|has) (?P<who>(?!we\b|you\b|i\b|it\b).+?) spen[dt]\b(?: with us)?"
    r"(?! on\b)",
    re.IGNORECASE,
)


_PEOPLE = Pattern(
    r"\b(?P<many>how many|number of|which|what) (?:different |distinct )?(?:people|persons|individuals)"
    r"(?: who| that)?(?: have| has| had)?(?: (?:actually|ever|already))? "
    r"(?P<did>[a-z]{3,}(?:ed|ught|t)|took|taken|made|gave|sold)\b"
    r"(?: (?:an?|any|the|our) (?P<what>[a-z]+(?: [a-z]+)?))?",
    re.IGNORECASE,
)
_CUSTOMERS = Pattern(
    r"\b(?P<who>customers?|clients?|buyers?|shoppers?)\b(?! (?:success|service|support|satisfaction|care))",
    re.IGNORECASE,
)
_OWN_VERB = Pattern(
    r"\b(?P<who>[a-z]+s)(?: (?:who|that))?(?: (?:have|had|has))? (?P<did>[a-z]+ed)"
    r"(?= (?:in|on|during|last|this|yesterday|today|since|between|before|after)\b|\W*$)",
    re.IGNORECASE,
)
_DOER = Pattern(r"(?P<root>[a-z]{3,}?)[eo]?rs?$", re.IGNORECASE)
"""What people are called by who do something: players, renters."""
_PAYING = frozenset(
    map(
        stem,
        "owner account member subscriber patient guest passenger tenant donor household holder student player"
        " user".split(),
    )
)
"""What those are called who pay, where nobody is called a customer."""
_WHO_BOUGHT = ("buyer", "shopper")
_ANYONE = ("people", "persons")
_CALLED = 0.9
_NEXT = Pattern(r" (\w+)")


class Buyers:
    """Puts what is said of buyers into plainer words, over one catalog."""

    def __init__(self, reader: Reader) -> None:
        self._reader, self._parts = reader, Parts(reader)

    def said(self, question: str) -> str:
        """The question in plainer words; itself where it says no such thing, or nobody here buys."""
        text = _OWN_VERB.sub(self._were_there, _PEOPLE.sub(self._doers, self._called(question)))
        for pattern in () if newness_of(text) or REPEAT_RATE.match(text) else _AGAIN:
            text = pattern.sub(lambda match: self._with(match, match["who"], "at least two"), text)
        text = _ONCE.sub(lambda match: self._with(match, match["who"] or match["whom"], "exactly one"), text)
        text = _SPENDERS.sub(self._spenders, text)
        text = _WHO_SPENT.sub(f"Which {_one(self._buyers)}", text) if self._buyers else text
        text = self._of_spending(text) if "spen" in text.lower() and self._is_other_spending else text
        return question if text == question else tidy(text)

    def _called(self, question: str) -> str:
        """The question with what the buyers are called here, where nothing is called customers: the owners of pets."""
        is_said = _CUSTOMERS.search(question) and not newness_of(question)
        return _CUSTOMERS.sub(self._as_called, question) if is_said else question

    def _as_called(self, match: re.Match[str]) -> str:
        named = self._reader.names.find((stem(match["who"].lower()),))
        after = _NEXT.compiled.match(match.string, match.end())
        if after:
            named += self._reader.names.find((stem(match["who"].lower()), stem(after[1].lower())))
        payers = [] if any(each.column is None or each.score >= _CALLED for each in named) else self._payers
        return self._who_pay(match["who"], payers[0]) if len(payers) == 1 else match[0]

    def _who_pay(self, said: str, payers: Table) -> str:
        """Those who pay, as they are called here; those who bought, where they are there without buying: players."""
        called = _in_number(said, payers)
        deeds = self._parts.deeds(payers) if said.lower().startswith(_WHO_BOUGHT) else None
        done = self._reader.catalog.table(*deeds.table) if deeds else None
        return f"{called} with {_plural(done)}" if done else called

    def _were_there(self, match: re.Match[str]) -> str:
        """`players who played in May` as those with sessions then, where nothing else is called so: when they came to
        be is no day on which they played."""
        owner = self._parts.table(match["who"])
        deeds = self._parts.presence(owner) if owner and _is_own_verb(match["did"], owner) else None
        done = self._reader.catalog.table(*deeds.table) if deeds and not self._is_named(match["did"], owner) else None
        return f"{match['who']} with {_plural(done)}" if done else match[0]

    def _is_named(self, did: str, owner: Table | None) -> bool:
        """Whether other rows are called by what was done, or a day is on which it was done."""
        said = rooted([stem(did.lower())])
        rows = (each.table for each in self._reader.names.find((stem(did.lower()),)) if each.table is not owner)
        days = (each for table in self._reader.catalog.tables for each in table.columns if each.is_time)
        return any(rows) or any(not said.isdisjoint(rooted(name_stems(each.name))) for each in days)

    def _doers(self, match: re.Match[str]) -> str:
        """`how many people booked` as how many members did, whom the bookings point to; `took a test drive` as how many
        customers, though those who drive with them are people too."""
        done = self._parts.table(match["did"]) or (self._parts.table(match["what"]) if match["what"] else None)
        pointed = (
            [self._reader.catalog.table(key.ref_schema, key.ref_table) for key in done.foreign_keys] if done else []
        )
        people = [each for each in pointed if each and is_of_people(each, self._reader.resolver.label(each))]
        people = people if len(people) == 1 else [each for each in people if each is self.whom]
        did = match[0][match.start("did") - match.start() :]
        return f"{match['many']} {_plural(people[0])} {did}" if len(people) == 1 else match[0]

    @property
    def whom(self) -> Table | None:
        """Those whom money comes from, whatever they are called; None where nobody is, or several are."""
        return self._buyers or (self._payers[0] if len(self._payers) == 1 else None)

    @cached_property
    def _payers(self) -> list[Table]:
        """Those of a name for buyers of some kind whom money comes from; of several the one that others belong to."""
        found = [
            each
            for each in self._reader.catalog.tables
            if _PAYING.intersection(table_stems(each.name)[-1:]) and any(self._is_of(home, each) for home in self._paid)
        ]
        return [each for each in found if not any(self._is_of(each.key, other) for other in found)]

    def _with(self, match: re.Match[str], who: str, many: str) -> str:
        """`customers with at least two orders`."""
        is_anyone = who.lower() in _ANYONE and self._buyers is not None
        who = _plural(self._buyers) if is_anyone else who
        table = self._parts.table(who)
        deeds = self._parts.deeds(table) if table and set(table_stems(table.name)) & _BUYERS else None
        done = self._reader.catalog.table(*deeds.table) if deeds else None
        return f"{who} with {many} {' '.join(table_words(done.name))}" if done else match[0]

    def _spenders(self, match: re.Match[str]) -> str:
        buyers = self.whom
        number = match["n"] or (f" {match['before'].strip()}" if match["before"] else "")
        return f"top{number} {_plural(buyers)} by revenue" if buyers else match[0]

    def _of_spending(self, text: str) -> str:
        """The verb, said as the revenue that buyers, or what tells buyers apart, have."""
        text = _SPENT_MOST.sub(self._most, text)
        text = _SPENT.sub(lambda match: f"{match['who']} with revenue of {match['bound']}", text)
        return _HOW_MUCH.sub(r"what is the revenue of \g<who>", text)

    def _most(self, match: re.Match[str]) -> str:
        who = f"which {_plural(self._buyers)}" if match["who"].lower() == "who" and self._buyers else match["who"]
        return f"{who} had the {'highest' if match['most'].lower() == 'most' else 'lowest'} revenue"

    @cached_property
    def _buyers(self) -> Table | None:
        """Those whom money comes from."""
        people = (each for each in self._reader.catalog.tables if _BUYERS.intersection(table_stems(each.name)[-1:]))
        return next((each for each in people if any(self._is_of(home, each) for home in self._paid)), None)

    @cached_property
    def _paid(self) -> list[tuple[str, str]]:
        return [next(columns_in(each)).table for each in self._reader.resolver.money()]

    def _is_of(self, home: tuple[str, str], owner: Table) -> bool:
        return home != owner.key and self._reader.joins.belongs(home, owner.key)

    @cached_property
    def _is_other_spending(self) -> bool:
        """Whether the data calls a spending so that no buyer does."""
        named = self._reader.names.find((stem("spend"),)) if self._buyers else []
        called = [each.table for each in named if stem("spend") in _stems(each)]
        return any(self._buyers and not self._is_of(each.key, self._buyers) for each in called)


def _is_own_verb(did: str, owner: Table) -> bool:
    """Whether a table's rows are called by who does this: players play."""
    doer = _DOER.match(table_words(owner.name)[-1])
    return doer is not None and did.lower() == f"{doer['root'].lower()}ed"


def _stems(target: Target) -> tuple[str, ...]:
    return target.table.stems(target.column.name) if target.column else table_stems(target.table.name)


def _in_number(said: str, table: Table) -> str:
    return _plural(table) if said.lower().endswith("s") else _one(table)


def _one(table: Table) -> str:
    return _plural(table).removesuffix("s")


def _plural(table: Table | None) -> str:
    words = " ".join(table_words(table.name)) if table else ""
    return words if words.endswith("s") else f"{words}s"

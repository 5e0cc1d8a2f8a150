"""What personnel and help desks say shortly: `who earns the most`, `gender pay gap`, `staff turnover by department`,
`median resolution time`, `reopen rate`, `share of women in engineering`, `users who logged in`.

Put into plain words where one table of the catalog holds what they are about, and nothing is called so.
"""

from __future__ import annotations

import re
from functools import cached_property

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, name_words, stem, table_words, tokenise
from pluto_duck_text2sql.rewording.churn import ends_of
from pluto_duck_text2sql.trees.durations import rooted

_EARNS = Pattern(
    r"^who (?:earns|makes|gets|is paid|gets paid) (?:the )?(?P<way>most|least)(?: money)?"
    r"(?=\W*$| (?:in|at|of|among)\b)",
    re.IGNORECASE,
)
_GAP = Pattern(r"\b(?:the |our )?gender (?:pay|wage|salary) gap\b", re.IGNORECASE)
_TURNOVER = Pattern(
    r"\b(?:staff |employee |personnel )?(?:turnover|attrition)(?: rate)?(?=\W*$| (?:by|per|in each|for each)\b)",
    re.IGNORECASE,
)
_SPAN = Pattern(r"\b(?P<noun>resolution|closure) times?\b", re.IGNORECASE)
_VERBS = {"resolution": "resolve", "closure": "close"}
_RATE = Pattern(r"\b(?P<noun>[a-z]{4,}?)(?:ed|ing)? rates?\b", re.IGNORECASE)
_SHARE = Pattern(
    r"^(?:what(?:['’]s| is| are)? )?(?:the )?(?P<share>share|percentage|percent|proportion) of (?P<some>[a-z]+)"
    r" (?:in|at|among|within) (?P<all>[a-z]+(?: [a-z]+)?)\W*$",
    re.IGNORECASE,
)
_TREND = Pattern(r" (?:trend|development|evolution)(?= (?:by|per|over)\b)", re.IGNORECASE)
_LOGGED = Pattern(r"\b(?:(?:who|that) )?(?:has |have )?(?:logged|signed) in\b(?= |\W*$)", re.IGNORECASE)
_PAY = (("salary",), ("wage",), ("pay",), ("base", "salary"), ("annual", "salary"))
_GENDER = frozenset(map(stem, ("gender", "sex")))
_NAMED = 0.6


class PeopleAndTickets:
    """Rewords questions over one catalog."""

    def __init__(self, catalog: Catalog, names: NameIndex) -> None:
        self._catalog, self._names = catalog, names

    def said(self, question: str) -> str:
        """The question in plain words."""
        if self._people:
            question = self._of_people(question, self._people)
        question = _SPAN.sub(self._span, question)
        question = _RATE.sub(self._rate, question)
        question = _SHARE.sub(self._share, question)
        question = _LOGGED.sub(self._login, question)
        return _TREND.sub("", question)

    def _login(self, match: re.Match[str]) -> str:
        """`with a login`, where that is stored of what was done."""
        hits = self._catalog.values.lookup("login", 3)
        is_stored = any(each.score == 1 for each in hits) and not self._is_called("login")
        return "with a login" if is_stored else match[0]

    def _of_people(self, question: str, people: Table) -> str:
        who = _singular(people)
        question = _EARNS.sub(rf"which {who} earns the \g<way>", question)
        if any(_GENDER & set(people.stems(each.name)) for each in people.columns):
            question = _GAP.sub("difference in average salary between men and women", question)
        if ends_of(people) and not self._is_called("turnover") and not self._is_called("attrition"):
            question = _TURNOVER.sub(f"percentage of {who}s who left", question)
        return question

    @cached_property
    def _people(self) -> Table | None:
        """The only table of people that are paid."""
        paid = [each for each in self._catalog.tables if _is_paid(each) and is_of_people(each, ())]
        return paid[0] if len(paid) == 1 else None

    def _span(self, match: re.Match[str]) -> str:
        """`time to resolve`, where a time is called so."""
        verb = _VERBS[match["noun"].lower()]
        if self._is_called(match["noun"]):
            return match[0]
        times = (each for table in self._catalog.tables for each in table.columns if each.is_time)
        return f"time to {verb}" if any(_is_of(each, verb) for each in times) else match[0]

    def _rate(self, match: re.Match[str]) -> str:
        """`percentage of reopened tickets`, where a flag of one table is called so."""
        noun = match["noun"]
        if self._names.called((stem(noun), stem("rate"))) or self._catalog.values.lookup(noun, 1):
            return match[0]
        flags = [
            (table, each)
            for table in self._catalog.tables
            for each in table.columns
            if is_yes_or_no(each) and _is_participle(each) and _is_of(each, noun)
        ]
        if len(flags) != 1:
            return match[0]
        table, flag = flags[0]
        return f"percentage of {name_words(flag.name)[0]} {_singular(table)}s"

    def _share(self, match: re.Match[str]) -> str:
        """`what share of engineering are women`: of those of a stored value, where the others are no rows."""
        is_stored = any(each.score == 1 for each in self._catalog.values.lookup(match["all"], 3))
        named = self._names.find((stem(match["some"].lower()),))
        is_rows = any(each.score >= _NAMED for each in named) or match["some"].lower() in STOP
        if not is_stored or is_rows or len(tokenise(match["some"])) != 1:
            return match[0]
        return f"what {match['share']} of {match['all']} are {match['some']}"

    def _is_called(self, word: str) -> bool:
        return bool(self._names.called((stem(word.lower()),)))


def _singular(table: Table) -> str:
    return table_words(table.name)[-1].removesuffix("s")


def _is_paid(table: Table) -> bool:
    return any(each.kind == "number" and tuple(name_words(each.name)) in _PAY for each in table.columns)


def _is_participle(column: Column) -> bool:
    """Whether it is called by what was done alone: `Reopened`."""
    words = name_words(column.name)
    return len(words) == 1 and words[0].endswith("ed")


def _is_of(column: Column, verb: str) -> bool:
    """Whether a column is called after a deed: `Resolved`, `resolved_at`."""
    return bool(rooted([stem(verb)]) & rooted([stem(each) for each in name_words(column.name)]))

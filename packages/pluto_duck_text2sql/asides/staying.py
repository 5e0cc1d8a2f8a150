"""What is still so: `treatments we still offer`, `current staff`, `tariffs no longer on sale`, `agents who have left`.

Of rows with one flag of it (`is_active`, `discontinued`), else with one date at which they end and that some lack
(`left_on`, `withdrawn_on`). Taken out of the question by asides.py, and put into the tree of the rest. What ends by a
deed that the question itself names is read by openness.py, what is active within a period by in_force.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.asides.aside import Aside
from pluto_duck_text2sql.asides.held_now import HeldNow
from pluto_duck_text2sql.corrections.when_done import when_done
from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.data.people import PERSONS
from pluto_duck_text2sql.data.presence import LEFT_OUT
from pluto_duck_text2sql.data.yes_no import denied, is_yes_or_no, yes_of
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import stem, table_stems, table_words, tokenise
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.rewording.at_work import at_work, with_leavers
from pluto_duck_text2sql.terms.homes import Homes
from pluto_duck_text2sql.tree import Col, Compare, Cond, Missing, Query, TableKey, columns_in
from pluto_duck_text2sql.trees.durations import rooted

_HERE = (
    r"(?:(?:on|for|up for) (?:sale|offer)|(?:being )?(?:offer(?:ed|ing)?|sold|sell(?:ing)?|stock(?:ed|ing)?)"
    r"|(?:being )?employ(?:ed|ing)?|(?:at )?work(?:ing|s)?(?: (?:here|for us|with us|for the company))?|here|with us"
    r"|in (?:service|use|business|operation)|on (?:the |our )?(?:team|staff|payroll|books)"
    r"|in (?:the |our )(?:range|catalogue|catalog|assortment|fleet)|alive|living(?! (?:in|at|with|on|near)\b))"
)
_IS = r"(?:(?:that|which|who) )?(?:(?:we|they) )?(?:(?:is|are|was|were|do|does|have|has|to|be) )*"
_STILL = rf"{_IS}(?:(?:still|currently|presently) {_HERE}|work(?:ing|s)? (?:here|for us|with us) (?:right )?now)"
_WHEN = r"(?! (?:in|on|at|by|before|after|since|during|within|between|this|last|early|late|\d))"
"""A time of leaving is asked for by its date."""
_LEFT = (
    rf"(?:(?:that|which|who) )?(?:(?:have|has|had|already) )+(?:left|quit|resigned|gone|died|passed away)\b"
    rf"(?: (?:us|the (?:company|firm|business|organi[sz]ation|team)|already|since|for good))?{_WHEN}"
)
_GONE = rf"{_IS}(?:no longer {_HERE}|(?:not|n.t) {_HERE} any ?more)|{_LEFT}"
_SAID = Pattern(rf" ?\b(?:(?P<gone>{_GONE})|{_STILL})(?![\w-])", re.IGNORECASE)
_SUCH = Pattern(
    r"(?: ?\bonly| ?\bjust)? ?\b(?:(?P<gone>former|ex|past)|current|present|serving)[ -](?P<named>\w+(?: \w+){0,2})",
    re.IGNORECASE,
)
_SHARE_OF = Pattern(r"\b(?:percentage|percent|share|proportion|fraction|part) of\b|%", re.IGNORECASE)
_PREDICATE = Pattern(r" ?(?:is|are|was|were|has|have|had|do|does)\b", re.IGNORECASE)
"""What a share says of some of its rows restricts its upper part alone (frames/shares_of_some.py)."""
_ONLY = Pattern(r"^ only\b", re.IGNORECASE)
_PEOPLE = Pattern(r"\b(?:people|persons|anybody|anyone|everybody|everyone)\b", re.IGNORECASE)
_AT_WORK = Pattern(r"\b(?:work(?:ing|s)?|employ(?:ed|ing)?|payroll|staff|team)\b", re.IGNORECASE)
_WHO = Pattern(
    r"\b(?P<which>which|what|how many) (?:of )?(?:(?:our|the) )?(?:people|persons)\b|^who\b(?! else)",
    re.IGNORECASE,
)
_ALL_THE_SAME = Pattern(
    r"\b(?:counting|including)(?: also)? (?:those|the ones|people|everyone|everybody)(?: who| that| which)? $"
)
"""Before what rows are counted besides, which leaves none out."""
_OF_KIND = Pattern(
    r"^(?P<many>(?:how many|number of) )(?P<kind>[a-z]+(?: [a-z]+)?)"
    r" (?:(?:do|have) we (?:currently )?(?:have|got|employ)|are (?:there|on staff|employed)"
    r"|work (?:here|for us|with us))"
    r"(?=\W*$| (?:at|in) (?!all\b|total\b|(?:19|20)\d\d))",
    re.IGNORECASE,
)
_ENDS_PART = Pattern(r" ?(?:[,;.)?!–—-]|$)")
_APART = Pattern(r"[,;(–—-] *$")
_ACTIVE = frozenset(map(stem, "active current enabled live employed".split()))
_OVER = frozenset(map(stem, "discontinued retired inactive withdrawn archived obsolete deactivated terminated".split()))
_ENDS = (
    "left leave withdrawn withdraw terminate resign discontinue retire deactivate quit remove delist end drop decease"
    " died die death termination resignation separation exit departure"
)
_ENDED = rooted(map(stem, _ENDS.split()))
_KIND = 0.9
"""How well a word must be a stored value to be a kind of its rows."""
_TOLD_OF_HISTORY = "Still there is what has a row that has no end yet."
_State = tuple[Cond, Cond]
"""That rows are still so, and that they are no longer."""


class Staying:
    """Reads what is still so over one catalog."""

    def __init__(self, reader: Reader, held: HeldNow) -> None:
        self._reader, self._catalog, self._homes = reader, reader.catalog, Homes(reader.joins, reader.names)
        self._held = held
        self._states = {table.key: state for table in reader.catalog.tables if (state := _state(table))}
        self._owners = [each for each in held.owners() if each not in self._states]
        people = (each for each in reader.catalog.tables if each.key in self._owners)
        self._people = [each.key for each in people if PERSONS.intersection(table_stems(each.name)[-1:])]
        self._told_of = frozenset((*self._states, *self._owners, *held.ended))

    def aside(self, question: str) -> Aside | None:
        """What a question says of it; None where it says nothing, or no rows tell it, or by a word they store."""
        question = with_leavers(question, "have left")
        found = _SAID.search(question) if self._told_of else None
        if found is None:
            ways = (self._such, self._of_kind, self._at_work) if self._told_of else ()
            return next((told for way in ways if (told := way(question))), None)
        before = question[: found.start()].lower() + " "
        if LEFT_OUT.search(before) or _ALL_THE_SAME.search(before) or self._are_others(before):
            return None
        if _SHARE_OF.search(before) and _PREDICATE.match(found[0]):
            return None
        text = tidy(f"{question[: found.start()]} {question[found.end() :]}").strip()
        able = self._homes.of(tokenise(text), self._states) or self._holding(text) or self._owning(text)
        text = self._with_people_named(text, able)
        able, text = self._workers(text, found[0]) or (able, text)
        if len(able) != 1 or self._is_stored(found[0], able[0]):
            return None
        return self._aside(text, able[0], found["gone"] is not None)

    def _are_others(self, before: str) -> bool:
        """Whether it is said of rows of which nothing tells it: customers, whoever looks after them."""
        rows = self._reader.names.rows(before.split()[-1]) if before.split() else None
        owners = {*self._states, *self._owners, *self._held.ended}
        return (
            rows is not None
            and rows.key not in owners
            and not any(self._reader.joins.belongs(each, rows.key) for each in owners)
        )

    def _owning(self, text: str) -> list[TableKey]:
        """The tables named of whose rows a history tells whether they are still there: of the employees their posts."""
        named = self._homes.named(tokenise(text))
        people = self._people if _PEOPLE.search(text) and not named else []
        return people or [key for key in named if key in self._owners]

    def _with_people_named(self, text: str, able: Sequence[TableKey]) -> str:
        """`how many people` as how many employees, where it is these who are or were there."""
        is_of_them = bool(able) and list(able) == self._people and not self._homes.named(tokenise(text))
        return _PEOPLE.sub(" ".join(table_words(able[0][1])), text, count=1) if is_of_them else text

    def _workers(self, text: str, said: str) -> tuple[list[TableKey], str] | None:
        """`which of our people no longer work here`: the staff, where one table keeps it and nothing else is named."""
        text = text or ("who" if said.lower().startswith("who ") else "")
        is_alone = _AT_WORK.search(said) and not self._homes.named(tokenise(text))
        words = ("employees", "people") if is_alone and _WHO.search(text) else ()
        called = next((keys for word in words if (keys := self._homes.called(tokenise(word)))), [])
        able = [key for key in called if key in self._states]
        if len(able) != 1:
            return None
        rows = " ".join(table_words(able[0][1]))
        return able, _WHO.sub(lambda match: f"{match['which'] or 'which'} {rows}", text, count=1)

    def _holding(self, text: str) -> list[TableKey]:
        """The tables that hold a value the text names: cats are pets."""
        held = ((hit.schema, hit.table) for item in self._reader.named(text) for hit in item.hits)
        return [key for key in dict.fromkeys(held) if key in self._states]

    def _such(self, question: str) -> Aside | None:
        """`current staff`, `former members`: of rows that are named right after it; `, current staff only` is all
        that its part of the question says."""
        found = _SUCH.search(question)
        named, key = self._rows_named(found["named"]) if found else ("", None)
        if found is None or key is None or LEFT_OUT.search(question[: found.start()].lower() + " "):
            return None
        before, after = question[: found.start()], _ONLY.sub("", question[found.start("named") + len(named) :])
        says_more = _APART.search(before) is None or not _ENDS_PART.match(after)
        text = tidy(f"{before} {named}{after}" if says_more else f"{_APART.sub('', before)}{after}").strip()
        stored = self._is_stored(found["gone"] or "current", key)
        return None if stored else self._aside(text, key, found["gone"] is not None)

    def _rows_named(self, text: str) -> tuple[str, TableKey | None]:
        """The rows that a text begins with, by as many of its words as name some that tell it of themselves."""
        words = text.split(" ")
        for count in range(len(words), 0, -1):
            said = " ".join(words[:count])
            keys = [key for key in self._homes.called(tokenise(said)) if key in self._told_of]
            if keys:
                return said, keys[0] if len(keys) == 1 else None
        return "", None

    def _of_kind(self, question: str) -> Aside | None:
        """`how many waiters do we have`: those of that kind who are still there, whatever rows of others call so."""
        found = _OF_KIND.search(question.strip())
        if found is None or self._reader.names.rows(found["kind"]):
            return None
        hits = [each for each in self._catalog.values.lookup(found["kind"].lower(), 10) if each.score >= _KIND]
        keys = {(each.schema, each.table) for each in hits}
        key = next(iter(keys)) if len(keys) == 1 else None
        if key is None or key not in self._states:
            return None
        rows = " ".join(table_words(key[1]))
        return self._aside(f"{found['many']}{rows} are {found['kind']}{question.strip()[found.end() :]}", key, False)

    def _at_work(self, question: str) -> Aside | None:
        """`headcount by department`: of those that have not left, unless a column is called so."""
        text = None if self._reader.names.called((stem("headcount"),)) else at_work(question)
        called = self._homes.called(tokenise("employees")) if text else []
        keys = [key for key in called if key in self._states] or [key for key in called if key in self._people]
        return self._aside(text, keys[0], False) if text and len(keys) == 1 else None

    def _aside(self, text: str, key: TableKey, is_gone: bool) -> Aside:
        ended = self._held.ended.get(key)
        if key not in self._states and (ended is None or not is_gone):
            return Aside(text, self._held.gone if is_gone else self._held.now, (_TOLD_OF_HISTORY,))
        condition = self._states[key][is_gone] if key in self._states else ended
        assert condition is not None

        def put(query: Query) -> Query | None:
            made = _restricted(query, key, condition)
            return when_done(made, text, self._catalog) if made and is_gone else made

        return Aside(text, put, (_told(condition),))

    def _is_stored(self, said: str, key: TableKey) -> bool:
        """Whether the rows say it in the question's own word: `currently employed` where a status is so."""
        hits = self._catalog.values.lookup(said.split()[-1].lower(), 50)
        return any((hit.schema, hit.table) == key for hit in hits)


def _restricted(query: Query, key: TableKey, condition: Cond) -> Query | None:
    """The query of rows that are still so; None where these are not its own, or it restricts their state otherwise."""
    if condition in query.where:
        return query
    used = list(columns_in(query))
    tables = {query.anchor, *query.also, *(each.table for each in used)}
    is_told = bool(set(columns_in(condition)) & set(columns_in((query.where, query.having))))
    return None if key not in tables or is_told or query.then else replace(query, where=(*query.where, condition))


def _state(table: Table) -> _State | None:
    """How the rows of a table tell that they are still so, if they do it in one way."""
    flags = [(each, made) for each in table.columns if is_yes_or_no(each) and (made := _flagged(table, each))]
    if flags:
        return flags[0][1] if len(flags) == 1 else None
    ends = [
        each
        for each in table.columns
        if each.is_time and each.null_fraction and _ENDED & rooted(table.stems(each.name))
    ]
    at = Col(table.key, ends[0].name) if len(ends) == 1 else None
    return (Missing(at), Missing(at, negated=True)) if at else None


def _flagged(table: Table, flag: Column) -> _State | None:
    stems, at = set(table.stems(flag.name)), Col(table.key, flag.name)
    yes, no = Compare(at, "=", yes_of(flag)), denied(at, flag)
    if stems & _OVER:
        return no, yes
    return (yes, no) if stems & _ACTIVE else None


def _told(condition: Cond) -> str:
    assert isinstance(condition, Compare | Missing)
    assert isinstance(condition.left, Col)
    name = condition.left.name
    if isinstance(condition, Missing):
        return f"No longer so is what has a {name}." if condition.negated else f"Still so is what has no {name}."
    return f"It is told by {name} {condition.operator} {condition.right}."

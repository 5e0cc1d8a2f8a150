"""Whom `it`, `them` and `that vet` stand for: a question said whole, with what its pronoun stands for in its place.

`Who leads it?` after the best team is `Who leads Ember?`; `how many calls did each of them answer?` after some agents
is asked of each agent, of those agents. What no edit of the earlier tree explains is read so (saying_whole.py).
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from pluto_duck_text2sql.followups.draft import Turn
from pluto_duck_text2sql.followups.filters import rivals
from pluto_duck_text2sql.followups.there import THERE
from pluto_duck_text2sql.followups.trees import (
    RANKS,
    is_ranked,
    nth_row,
    place_of,
    restrictions,
    row_key,
    shown_rows,
    times,
)
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.words import A_NUMBER, table_words, tokenise
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.times.calendar_days import floor, shift
from pluto_duck_text2sql.times.periods import find_periods
from pluto_duck_text2sql.tree import (
    Bucket,
    Col,
    Compare,
    Cond,
    During,
    Expr,
    Inside,
    Query,
    TableKey,
    all_nodes_in,
    columns_in,
    is_total,
    mapped,
)
from pluto_duck_text2sql.trees.parts import conditions, is_aggregate, keys, subject

_SUCH = r"(?:that|this|those|these|the same)"
_NUMBER = rf"(?!one\b){A_NUMBER}"
_MANY = rf"(?: {_NUMBER})?"
_ONES = rf"(?:them|those{_MANY}|these{_MANY}|the {_NUMBER})"
_SOME = "each|every one|any|all|how many|which|most|none|some"


_SUBJECT = "|".join(f"(?<=\\b{each} )" for each in "does did do has have had at in from".split())
"""What is asked of the best one, where `which is the best one?` asks for it."""


def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_OF_EACH = _compiled(
    r"\b(?:of|for|at|in|from) (?P<every>each)(?: one)?"
    r"(?=\W*$| (?:is|are|was|were|has|have|had|went|goes|came|did|do)\b)"
)
_THEY_DID = re.compile(
    r"\bhow (?:many|much|often)\b.*\b(?:do|does|did|have|has) (?:they|each(?: of (?:them|those|these))?) [a-z]+",
    re.IGNORECASE,
)
_OF_SOME = _compiled(
    rf"\b(?P<each>{_SOME}) of {_ONES}(?! [a-z]+s\b)",
    rf"\b(?P<each>{_SOME}) of (?:those|these|the){_MANY} (?P<noun>[a-z]+s)\b",
    r"\b(?P<each>each) one\b(?! of)",
    r"\bthe (?P<nth>first|second|third|fourth|fifth|last|top) one\b(?! of)"
    r"|\b(?:the )?number (?P<number>one|two|three)\b",
    rf"(?:{_SUBJECT})\bthe (?P<ranked>{'|'.join(RANKS)}) one\b(?! of)",
    rf"\b{_SUCH}{_MANY} (?P<noun>[a-z]+(?:[ -][a-z]+)?)\b(?P<s>['’]s?)?",
)
_OF_ALL = _compiled(
    rf"\b(?P<of>in|of|among|from|across) (?:{_ONES}|there)(?! [a-z]+s\b)",
    rf"(?P<there>{THERE})",
    r"\bthe (?P<such>[\w-]+) (?P<ones>ones)\b",
    r"\b(?P<of>of) (?:that|it)(?= (?:is|are|was|were|has|have|had|did|does|came|comes|went|goes)\b|\W*$)",
    r"\b(?P<one>(?:that|this|the same) one)\b|\b(?P<whose>his|her|its|their)\b(?! own\b)|\b(?P<he>he|she|him)\b",
    rf"\b(?:them|(?:those|these){_MANY}(?! [a-z]+s\b)|they)\b",
    r"\b(?P<it>it)\b",
)
_NTH = [each for each in _OF_SOME if not {"nth", "ranked"}.isdisjoint(each.groupindex)]
_PRONOUNS = (*_OF_EACH, *_OF_SOME, *_OF_ALL)
"""What stands for rows shown before, what says most of them first: `it` alone may stand for nothing."""
_PARTS = dict.fromkeys(
    (
        "every",
        "each",
        "of",
        "noun",
        "nth",
        "number",
        "ranked",
        "s",
        "whose",
        "one",
        "he",
        "it",
        "such",
        "ones",
        "there",
    ),
    "",
)
_UNIT = "year|quarter|month|week|day"
_THEN = re.compile(
    rf"\b(?:(?:in|during|for|over) {_SUCH}|that|the same) (?:(?P<unit>{_UNIT})|period|time)s?\b"
    r"|\b(?:back )?then(?=[?.!,]|$)",
    re.IGNORECASE,
)
_SHAPES = {"year": "in %Y", "month": "in %B %Y", "day": "on %Y-%m-%d"}
_HOW = r"how (?:many|much|often|long|old|big|large|far|high|tall|heavy|expensive)"
_THEY_DID = re.compile(
    rf"\b{_HOW}\b.* (?:did|do|does|has|have|had|is|are|was|were)"
    r" (?:they|he|she|each|(?:that|this) [a-z]+)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(rf"\b(?:{_HOW}|number|average|total|sum|median|count)\b", re.IGNORECASE)
_THAN_THAT = re.compile(
    r"\b(than|above|below|over|under|exceeds?|exceeded) (?:that|this|it)"
    r"(?=\W*$|, | (?:in|for|by|on|at|from|during|and|or|but|then)\b)",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r" (?:between them|(?:al|all )together|put together|combined)(?=\W*$)", re.IGNORECASE)
"""What asks for one figure of several: `how many animals do they have between them?`"""
_AND = re.compile(r"^(?:and|but|so|ok(?:ay)?|now|then)\b[, ]*(?:what about )?", re.IGNORECASE)
_OF_NAME = 0.6
"""How well a word must name a table to be what its rows are called."""


@dataclass(frozen=True)
class Whole:
    """A question that stands alone, and the conditions that hold what it asks of to the rows shown before.

    `by`, of the `group`, are the groups before where it asks of each of them; `as_asked` has nothing put in place of
    its words; `than` is the figure before and its query, where something is held against it: `more than that`;
    `together` asks for one figure of all of them: `across those`.
    """

    text: str
    of: TableKey
    among: tuple[Cond, ...] = ()
    by: tuple[Expr, ...] = ()
    group: tuple[Expr, ...] = ()
    as_asked: bool = False
    than: tuple[float, Query] | None = None
    together: bool = False

    def held(self, query: Query) -> Query:
        """A tree of it, of those rows alone: within the query that looks for them, else as a whole."""
        query = mapped(query, self._against, (Compare,)) if self.than else query
        within = (each for each in all_nodes_in(query) if isinstance(each, Inside) and not each.negated)
        inner = next((each.query for each in within if self._has(each.query)), None)
        if self.among and inner is not None and not self._has(query):
            held: Query = mapped(query, lambda node: self._with(node) if node == inner else node)
            return held
        return self._with(query)

    def _against(self, node: Any) -> Any:
        """A comparison with the figure of the answer before, with the query of it."""
        is_number = (
            isinstance(node, Compare) and isinstance(node.right, int | float) and not isinstance(node.right, bool)
        )
        return replace(node, right=self.than[1]) if is_number and self.than and node.right == self.than[0] else node

    def _has(self, query: Query) -> bool:
        return query.anchor == self.of or any(each.table == self.of for each in columns_in(query))

    def _with(self, query: Query) -> Query:
        """The tree of those rows; what it says itself of a column stands in the place of what was said before."""
        query = self._put_together(query) if self.together else query
        own = list(conditions(query))
        among = tuple(each for each in self.among if not any(each == one or rivals(each, one) for one in own))
        held = replace(query, where=(*query.where, *among))
        if not self.by or query.group or not all(map(is_total, query.select)):
            return held
        return replace(held, select=(*self.by, *held.select), group=self.group)

    def _put_together(self, query: Query) -> Query:
        """A figure of each of those rows as one of all of them."""
        totals = tuple(each for each in query.select if is_total(each))
        is_of_each = bool(query.group) and all(each.table == self.of for each in columns_in(query.group))
        return replace(query, select=totals, group=(), order=(), limit=None) if totals and is_of_each else query


def wholes(
    question: str, asked: Sequence[str], earlier: Query, reader: Reader, shown: Sequence[tuple[Any, ...]]
) -> Iterator[Whole]:
    """The question said whole, the likeliest first; nothing where it has no word that stands for another.

    `asked` are the questions before, the last one last; `shown` the rows of the last answer, as far as they are known.
    """
    asked_anew = _AND.sub("", question.strip())
    text = _THEN.sub(lambda found: _when(found, earlier, reader, shown), asked_anew)
    figure = _figure(earlier, shown)
    text = _THAN_THAT.sub(rf"\1 {figure}", text) if figure else text
    yield from _of_named(text, earlier, reader)
    of = rows_meant(earlier, reader)
    place = _first(text, {of}, reader)
    if place is None and text != asked_anew:
        yield Whole(text, of, as_asked=True)
    if place:
        yield from _of_rows(text, place, _Meant(of, _noun(of, asked, reader), earlier, reader, shown))


def _figure(earlier: Query, shown: Sequence[tuple[Any, ...]]) -> str:
    """The one figure that was told, as digits; nothing where there were others, or names."""
    is_one = not earlier.group and is_aggregate(earlier) and len(earlier.select) == 1 and len(shown) == 1
    told = shown[0][0] if is_one else None
    is_figure = isinstance(told, int | float | Decimal) and not isinstance(told, bool)
    return f"{Decimal(str(told)).normalize():f}" if is_figure else ""


@dataclass(frozen=True)
class _Meant:
    """The rows that a word stands for: their table, what they are called, the answer that shows them."""

    of: TableKey
    noun: str
    earlier: Query
    reader: Reader
    shown: Sequence[tuple[Any, ...]]

    @property
    def among(self) -> tuple[Cond, ...]:
        return _among(self.earlier, self.of, self.reader)

    def among_at(self, text: str) -> tuple[Cond, ...]:
        """What holds to them; of rows that were counted at a time, those of the time that the question names."""
        is_count = is_aggregate(self.earlier) and not self.earlier.group and self.of == subject(self.earlier)
        if not is_count or not find_periods(Words(tokenise(text))):
            return self.among
        before = times(self.earlier, self.reader)
        return tuple(each for each in self.among if each not in before)

    @property
    def are_groups(self) -> bool:
        """Whether they were counted in groups that are no rows of a table: orders by channel."""
        return bool(self.earlier.group) and self.of == subject(self.earlier)


def _of_named(text: str, earlier: Query, reader: Reader) -> Iterator[Whole]:
    """The question of the one row that a figure before was of."""
    told = named_row(earlier, reader)
    place = _first(text, {told[0]}, reader) if told else None
    if told and place and _is_of_one(place):
        yield Whole(_put(text, place, told[1]), told[0])


def _of_rows(text: str, place: _Place, meant: _Meant) -> Iterator[Whole]:
    """The question of the rows shown: of the only one by its name, of each, or of all of them."""
    among, earlier = meant.among_at(text), meant.earlier
    if which := (place["nth"] or place["number"] or place["ranked"]).lower():
        yield from _of_nth(text, place, which, meant)
        return
    name = _name(earlier, meant.of, meant.reader, meant.shown)
    if name and not (place["each"] or place["of"] or place["every"]):
        yield Whole(_put(text, place, name), meant.of)
    together = place["of"].lower() == "across" or bool(_TOGETHER.search(text))
    text = _TOGETHER.sub("", text)
    if earlier.limit is not None and len(meant.shown) > 1 and _of_several(text, place) and not together:
        place = place.saying(each="each")
    elif place["every"] and meant.are_groups:
        yield _of_each_group(text, place, meant)
        return
    figure = _figure(earlier, meant.shown)
    than = (float(figure), earlier) if figure and figure in text else None
    whole = Whole(_put(text, place, meant.noun), meant.of, among, than=than, together=together)
    yield whole
    yield replace(whole, text=text, as_asked=True)


def _of_nth(text: str, place: _Place, which: str, meant: _Meant) -> Iterator[Whole]:
    """The question of the first or the second row shown, by its name or by its place."""
    if meant.are_groups:
        return  # the top channel of orders is no order
    n = len(meant.shown) - 1 if which == "last" else place_of(which) - 1
    shown = meant.shown[n : n + 1] if n >= 0 and not is_ranked(meant.earlier, which) else ()
    if name := _name(meant.earlier, meant.of, meant.reader, shown):
        yield Whole(_put(text, place, name), meant.of)
    inside = nth_row(meant.earlier, which, meant.reader)
    if inside is not None and inside.left.table == meant.of:
        yield Whole(_put(text, place, _one_of(meant.noun)), meant.of, (inside,))


def asks_of_nth(question: str) -> bool:
    """Whether it asks of one of several rows by its place: `the first one`, `number two`."""
    return any(each.search(question) for each in _NTH)


def _of_each_group(text: str, place: _Place, meant: _Meant) -> Whole:
    """The question of all the rows before, in the groups that were shown."""
    plain = place.saying(every="", of=text[place.start :].split(maxsplit=1)[0])
    own = tuple(each for each in meant.earlier.where if each not in meant.among)
    groups = (tuple(keys(meant.earlier)), meant.earlier.group)
    return Whole(_put(text, plain, meant.noun), meant.of, (*own, *meant.among), *groups)


def named_row(earlier: Query, reader: Reader) -> tuple[TableKey, str] | None:
    """The one row that a figure is of, by its name: `sales at Harbourside`."""
    if earlier.group or not is_aggregate(earlier):
        return None
    told = [each for each in earlier.where if isinstance(each, Compare) and each.operator == "="]
    named = [(each.left, each.right) for each in told if isinstance(each.left, Col) and isinstance(each.right, str)]
    labels = [(left.table, name) for left, name in named if _is_label(left, reader)]
    return labels[0] if len(labels) == 1 else None


def _is_label(column: Col, reader: Reader) -> bool:
    table = reader.catalog.table(*column.table)
    return table is not None and reader.resolver.label(table) == [column]


def tells_of_one(earlier: Query, shown: Sequence[tuple[Any, ...]], reader: Reader) -> bool:
    """Whether an answer is of a single row, which `she` can stand for: the only one shown, or one that is named."""
    named = [each.left for each in all_nodes_in(earlier) if isinstance(each, Compare) and each.operator == "="]
    tables = [(each, reader.catalog.table(*each.table)) for each in named if isinstance(each, Col)]
    if any(table and each in reader.resolver.label(table) for each, table in tables):
        return True
    return len(shown) == 1 and (bool(earlier.group) or not is_aggregate(earlier))


@dataclass(frozen=True)
class _Place:
    """Where a word stands for rows, and how."""

    start: int
    end: int
    said: dict[str, str]

    def __getitem__(self, part: str) -> str:
        return self.said[part]

    def saying(self, **parts: str) -> _Place:
        """The same place, said otherwise."""
        return replace(self, said=self.said | parts)


def _is_of_one(place: _Place) -> bool:
    """Whether the word stands for a single one."""
    return not (place["each"] or place["of"] or place["every"]) and any(
        place[each] for each in ("noun", "one", "whose", "he", "it")
    )


def tells_of(question: str) -> bool:
    """Whether it asks what those shown did or are: `how much did they spend`."""
    return bool(_THEY_DID.search(question))


def _of_several(text: str, place: _Place) -> bool:
    """Whether a figure is asked of several that are shown: one for each."""
    return text[place.start : place.end].lower() == "they" and bool(_FIGURE.search(text))


def asks_of_each(question: str) -> bool:
    """Whether it asks for a figure of each of those shown: `the average rating of each`."""
    return any(each.search(question) for each in _OF_EACH) and bool(_FIGURE.search(question))


def asks_what_they_did(question: str) -> bool:
    """Whether it asks how much those shown did in a period: it is of what they did, not of when they came."""
    return bool(_THEY_DID.search(question)) and bool(find_periods(Words(tokenise(question))))


def than_figure(question: str, shown: Query) -> bool:
    """Whether something of those is held against the one figure before: `which of them cost more than that`."""
    stands = any(each.search(question) for each in _OF_SOME)
    return stands and bool(_THAN_THAT.search(question)) and not shown.group and len(shown.select) == 1


def asks_of_other_time(question: str, shown: Query, reader: Reader) -> bool:
    """Whether it asks of a time that the answer before is not held to as it is: `in that year` after a month of it."""
    said = next((each["unit"].lower() for each in _THEN.finditer(question) if each["unit"]), None)
    if said is None:
        return False
    held = _asked_for(shown, reader)
    is_held = held is not None and held == _whole(held[0], said)
    return not is_held or any(isinstance(each, Bucket) for each in shown.group)


def _first(text: str, of: set[TableKey], reader: Reader) -> _Place | None:
    """The word that says most clearly that it stands for rows of a table."""
    for pattern in _PRONOUNS:
        for found in pattern.finditer(text):
            if found[0] == "IT" and (not text.isupper() or text.strip(" ?!.") == "IT"):
                continue  # a department, not a pronoun
            said = _PARTS | {name: part or "" for name, part in found.groupdict().items()}
            if not said["noun"] or any(_is_called(said["noun"], each, reader) for each in of):
                return _Place(found.start(), found.end(), said)
    return None


def rows_meant(earlier: Query, reader: Reader) -> TableKey:
    """The table whose rows the last answer speaks of: those that it groups by, lists or counts."""
    if not is_aggregate(earlier):
        return earlier.anchor
    key = row_key(earlier, reader) if earlier.group else None
    table = reader.catalog.table(*key.table) if key else None
    if key and table and (reader.resolver.is_key(table, key.name) or key in reader.resolver.label(table)):
        return key.table
    return subject(earlier)


def are_rows(turn: Turn, query: Query) -> bool:
    """Whether what is shown are rows of a table, or groups that a bound tells apart; of others what they count is
    meant: `animals of each species` and `how many of those are chipped?`"""
    if query.limit is not None or not query.group:
        return query.limit is not None
    of = rows_meant(query, turn.reader)
    told = {t.table.key for item in turn.fragment.mentions for t in item.targets if t.score >= _OF_NAME}
    told |= {(hit.schema, hit.table) for item in turn.fragment.mentions for hit in item.hits if hit.score >= 1.0}
    of_counted = subject(query) in told and of not in told
    return bool(turn.fragment.slots.compares) or (of != subject(query) and not of_counted)


def _among(earlier: Query, of: TableKey, reader: Reader) -> tuple[Cond, ...]:
    """That a row is one of those: by their own conditions, else among the rows that were found."""
    conditions = restrictions(earlier, of, reader)
    grouped = bool(earlier.group) and of != subject(earlier)
    own = all(column.table == of for each in conditions for column in columns_in(each))
    inside = None if own and not grouped else shown_rows(earlier, reader)
    table = reader.catalog.table(*of)
    is_row = inside is not None and table is not None and reader.resolver.is_key(table, inside.left.name)
    return (inside,) if inside and is_row and inside.left.table == of else conditions


def _is_called(noun: str, of: TableKey, reader: Reader) -> bool:
    """Whether a noun, its first word or its last one, names the rows of a table, or what they are called by."""
    return any(
        t.table.key == of and t.score >= _OF_NAME and (t.column is None or _is_label(Col(of, t.column.name), reader))
        for item in reader.named(noun)
        for t in item.targets
    )


def _noun(of: TableKey, asked: Sequence[str], reader: Reader) -> str:
    """What the rows of a table were called in the last question that named them, else what the table is called."""
    for question in reversed(asked):
        for item in reader.named(question):
            if any(t.table.key == of and t.column is None and t.score >= _OF_NAME for t in item.targets):
                return item.text
    return " ".join(table_words(of[1]))


def _name(earlier: Query, of: TableKey, reader: Reader, shown: Sequence[tuple[Any, ...]]) -> str:
    """What the only row shown is called; nothing where there are others, or its name is not shown."""
    table = reader.catalog.table(*of)
    if len(shown) != 1 or table is None:
        return ""
    places = [earlier.select.index(each) for each in reader.resolver.label(table) if each in earlier.select]
    values = [shown[0][place] for place in places if place < len(shown[0])]
    return " ".join(values) if values and all(isinstance(each, str) for each in values) else ""


def _put(text: str, place: _Place, name: str) -> str:
    """The text with a name, or a noun, where the word stood that stands for it."""
    is_name = not name.islower()
    the = name if is_name else f"the {name}"
    if place["ones"]:
        the = f"the {place['such']} {name}"
    elif place["every"]:
        before = text[place.start :].split(maxsplit=1)[0]
        the = f"{before} each {_one_of(name)}"
    elif place["each"]:
        of_each = place["each"].lower() in ("each", "every one")
        the = f"each {_one_of(name)}" if of_each else f"{place['each']} {name}"
    elif place["of"] or place["there"]:
        the = f"{place['of'] or 'at'} {the}"
    elif place["whose"] or place["s"]:
        the += "'" if the.endswith("s") and not is_name else "'s"
    rest = place["noun"].split()[1:] if place["noun"] else []
    said = " ".join(filter(None, [text[: place.start].strip(), the, *rest]))
    return said + text[place.end :]


def _one_of(noun: str) -> str:
    """A noun of several in the singular: `each teacher`."""
    for many, one in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", "")):
        if noun.endswith(many) and not noun.endswith("ss"):
            return noun.removesuffix(many) + one
    return noun


def _when(said: re.Match[str], earlier: Query, reader: Reader, shown: Sequence[tuple[Any, ...]]) -> str:
    """`in that year` as the time that the answer before speaks of: that of the only row shown, or of all of them."""
    meant = _told_by(earlier, shown) or _asked_for(earlier, reader)
    if meant is None:
        return said[0]
    first, end = meant
    wider = _whole(first, said["unit"].lower()) if said["unit"] else meant
    return _in_words(*(wider if wider[1] >= end else meant))


def _whole(day: dt.date, unit: str) -> tuple[dt.date, dt.date]:
    """The unit of time that holds a day, its end excluded."""
    start = floor(day, unit)
    return start, shift(start, unit, 1)


def _told_by(earlier: Query, shown: Sequence[tuple[Any, ...]]) -> tuple[dt.date, dt.date] | None:
    """The time that the only row shown tells, its end excluded; None where there are others."""
    buckets = [(n, each) for n, each in enumerate(earlier.select) if isinstance(each, Bucket)]
    day = shown[0][buckets[0][0]] if len(buckets) == 1 and len(shown) == 1 else None
    if not isinstance(day, dt.date) or buckets[0][1].grain not in _UNIT.split("|"):
        return None
    return _whole(dt.date(day.year, day.month, day.day), buckets[0][1].grain)


def _asked_for(earlier: Query, reader: Reader) -> tuple[dt.date, dt.date] | None:
    """The time that the answer before is held to, its end excluded."""
    found = next((each for each in times(earlier, reader) if isinstance(each, During)), None)
    return (found.start, found.end) if found else None


def _in_words(start: dt.date, end: dt.date) -> str:
    """The time from the one day to before the other, as a question says it."""
    for unit, shape in _SHAPES.items():
        if (start, end) == _whole(start, unit):
            return start.strftime(shape)
    return f"from {start.isoformat()} to {(end - dt.timedelta(days=1)).isoformat()}"

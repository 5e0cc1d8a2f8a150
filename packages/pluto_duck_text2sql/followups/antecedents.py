"""Whom `it`, `them` and `that vet` stand for: a question said whole, with what its pronoun stands for in its place.

`Who leads it?` after the best team is `Who leads Ember?`; `how many calls did each of them answer?` after some agents
is asked of each agent, of those agents. What no edit of the earlier tree explains is read so (saying_whole.py).

    question ─▶ `in that year` as the time before (that_time.py) ─▶ `more than that` as the figure before
             ─▶ the word that stands for rows (pronouns.py) ─▶ whom it stands for (referents.py)
             ─▶ by name, by place, of each, of all: a question that stands alone (whole_questions.py)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from pluto_duck_text2sql.followups.asked_of_them import asks_of_several, with_figure
from pluto_duck_text2sql.followups.pronouns import Place, is_of_one, pronoun_of, put_in_place, singular
from pluto_duck_text2sql.followups.referents import (
    among_namesakes,
    among_shown,
    name_shown,
    named_row,
    noun_for,
    rows_meant,
)
from pluto_duck_text2sql.followups.that_time import with_that_time
from pluto_duck_text2sql.followups.trees import is_ranked, nth_row, place_of, times
from pluto_duck_text2sql.followups.whole_questions import Whole
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.times.periods import find_periods
from pluto_duck_text2sql.tree import Cond, Query, TableKey
from pluto_duck_text2sql.trees.parts import is_aggregate, keys, subject

_TOGETHER = Pattern(r" (?:between them|(?:al|all )together|put together|combined)(?=\W*$)", re.IGNORECASE)
"""What asks for one figure of several: `how many animals do they have between them?`"""
_AND = Pattern(r"^(?:and|but|so|ok(?:ay)?|now|then)\b[, ]*(?:what about )?", re.IGNORECASE)


def wholes(
    question: str, asked: Sequence[str], earlier: Query, reader: Reader, shown: Sequence[tuple[Any, ...]]
) -> Iterator[Whole]:
    """The question said whole, the likeliest first; nothing where it has no word that stands for another.

    `asked` are the questions before, the last one last; `shown` the rows of the last answer, as far as they are known.
    """
    asked_anew = _AND.sub("", question.strip())
    text = with_figure(with_that_time(asked_anew, earlier, reader, shown), _figure(earlier, shown))
    yield from _of_named(text, earlier, reader)
    of = rows_meant(earlier, reader)
    place = pronoun_of(text, {of}, reader)
    if place is None and text != asked_anew:
        yield Whole(text, of, as_asked=True)
    if place:
        yield from _of_rows(text, place, _Meant(of, noun_for(of, asked, reader), earlier, reader, shown))


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
        return among_shown(self.earlier, self.of, self.reader)

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
    place = pronoun_of(text, {told[0]}, reader) if told else None
    if told and place and is_of_one(place):
        yield Whole(put_in_place(text, place, told[1]), told[0])


def _of_rows(text: str, place: Place, meant: _Meant) -> Iterator[Whole]:
    """The question of the rows shown: of the only one by its name, of each, or of all of them."""
    among, earlier = meant.among_at(text), meant.earlier
    if which := (place["nth"] or place["number"] or place["ranked"]).lower():
        yield from _of_nth(text, place, which, meant)
        return
    name = name_shown(earlier, meant.of, meant.reader, meant.shown)
    if name and not (place["each"] or place["of"] or place["every"]):
        yield Whole(put_in_place(text, place, name), meant.of, among_namesakes(earlier, meant.of, meant.reader))
    together = place["of"].lower() == "across" or bool(_TOGETHER.search(text))
    text = _TOGETHER.sub("", text)
    if earlier.limit is not None and len(meant.shown) > 1 and asks_of_several(text, place) and not together:
        place = place.saying(each="each")
    elif place["every"] and meant.are_groups:
        yield _of_each_group(text, place, meant)
        return
    figure = _figure(earlier, meant.shown)
    than = (float(figure), earlier) if figure and figure in text else None
    whole = Whole(put_in_place(text, place, meant.noun), meant.of, among, than=than, together=together, noun=meant.noun)
    yield whole
    yield replace(whole, text=text, as_asked=True)


def _of_nth(text: str, place: Place, which: str, meant: _Meant) -> Iterator[Whole]:
    """The question of the first or the second row shown, by its name or by its place."""
    if meant.are_groups:
        return  # the top channel of orders is no order
    n = len(meant.shown) - 1 if which == "last" else place_of(which) - 1
    shown = meant.shown[n : n + 1] if n >= 0 and not is_ranked(meant.earlier, which) else ()
    if name := name_shown(meant.earlier, meant.of, meant.reader, shown):
        yield Whole(put_in_place(text, place, name), meant.of)
    inside = nth_row(meant.earlier, which, meant.reader)
    if inside is not None and inside.left.table == meant.of:
        yield Whole(put_in_place(text, place, singular(meant.noun)), meant.of, (inside,))


def _of_each_group(text: str, place: Place, meant: _Meant) -> Whole:
    """The question of all the rows before, in the groups that were shown."""
    plain = place.saying(every="", of=text[place.start :].split(maxsplit=1)[0])
    own = tuple(each for each in meant.earlier.where if each not in meant.among)
    groups = (tuple(keys(meant.earlier)), meant.earlier.group)
    return Whole(put_in_place(text, plain, meant.noun), meant.of, (*own, *meant.among), *groups)

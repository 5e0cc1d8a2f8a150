"""Words for the names of tables and columns: `bicycles` of bikes, `airports` of arpt, `busineses` misspelt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.abbreviations import other_meanings, shortens
from pluto_duck_text2sql.language.abbreviations import spelt_out as in_full
from pluto_duck_text2sql.language.edits import Spellings
from pluto_duck_text2sql.language.lexicon import is_of_deed, known_words, narrower, others_for, spelling, spellings
from pluto_duck_text2sql.language.slips import meant, spelt_out
from pluto_duck_text2sql.language.words import (
    FILLER,
    MONEY,
    STOP,
    name_parts,
    name_stems,
    name_words,
    number_of,
    stem,
    table_parts,
    table_words,
)
from pluto_duck_text2sql.learned.model import load
from pluto_duck_text2sql.rewording.composed_names import ComposedNames, words_of
from pluto_duck_text2sql.rewording.misspelt import is_strange
from pluto_duck_text2sql.rewording.question_words import QuestionWords
from pluto_duck_text2sql.tree import TableKey

_KEPT = 512
LEAST_CODE = 3
_LONGEST_SHORT = 5
_LONG_WORD = 8
_LIKE = 0.8
"""How like a name a word must be that misspells it."""
_MISSPELT = 0.86
"""How like a word of the list one must be written that nobody knows: a homeowner is no hometown."""
_FORMS = ("ing", "ness", "ation", "ion", "ment", "ed", "es", "s", "e", "al", "")
_EVENTS = ("ion", "ment", "al", "ing")
"""How words end for what came about on a day: registration, enrolment, arrival, booking; pay is none."""
LEAST_PART = 4
"""How many letters a word has that stands for more than itself."""
NAMED = 0.6
"""How well a word must name something to be left."""
CALLED = 0.9
"""How well another word must name something to be put for it."""
_TAILS = ((), ("id",), ("number",), ("code",))
"""What the name of another word may end in: the advisor of a pupil is told by a `mentor_no`."""
_MEMBERS = frozenset(("member", "members"))
SPANS = frozenset(
    "second minute hour day week month quarter year first third fourth fifth last next previous most least".split()
)
"""What spans are told in and what comes when stands for no code: hours are no HR."""
_NAME = stem("name")
_SPANS = frozenset(map(stem, SPANS))
_COUNTED_IN = frozenset(
    map(
        stem,
        "bn billion billions mn million millions thousand usd eur gbp dollar dollars musd meur mgbp kusd keur".split(),
    )
) | {"in"}
"""What the names of amounts end in."""
_WHEN = frozenset(("on", "at", stem("date"), stem("day"), stem("time")))
"""What the names of times end in: `joined_on` is when they joined."""


class NameWords:
    """The names of one catalog that a word is another word for, misspells, or is written short as."""

    def __init__(self, catalog: Catalog, names: NameIndex) -> None:
        self._catalog, self._names = catalog, names
        self._composed = ComposedNames(catalog, names)
        self._short_for = lru_cache(maxsize=_KEPT)(self._written_short)

    def names_something(self, stems: tuple[str, ...]) -> bool:
        """Whether a table or a column is called so."""
        return any(each.score >= NAMED for each in self._names.called(stems))

    def in_short(self, texts: Sequence[str]) -> str:
        """`customer success manager`, where a table or column is called by the first letters: csm; letters that are a
        word are short for nothing, monthly active players are no maps."""
        letters = "".join(each[0] for each in texts).casefold()
        name = next((each for each in (letters, f"{letters}s") if each in self._short), "")
        ends = (texts[0].casefold(), texts[-1].casefold())
        is_plain = not any(each.casefold() in STOP - {"of"} for each in texts) and "of" not in ends
        is_plain = is_plain and not ends[-1].endswith("ed")  # names ordered by
        is_known = len(letters) >= LEAST_CODE and is_plain and not load().network.pieces.knows(letters)
        is_known = is_known and not shortens(letters, texts[0].casefold())  # the pos of the position of striker
        return _in_number_of(texts[-1], letters) if name and is_known else ""

    def shortened(self, text: str) -> str:
        """The one word of the names here that a word may be written as: arpt for airports, drv for the driver."""
        word = text.casefold()
        singular = word.removesuffix("s")
        is_word = singular.isalpha() and len(singular) >= LEAST_PART and not is_plain_word(text) and word not in SPANS
        short = self._short_for(singular) if is_word else ""
        return _in_number_of(text, short) if short else ""

    def _written_short(self, word: str) -> str:
        """The one word of the names here that is short for a word, in lower case; nothing where none or several are."""
        knows = load().network.pieces.knows
        shorts = (each for each in self._short if shortens(each, word) and not knows(each))
        meant = [each for each in shorts if (full := in_full(each)) == each or self.names_something(stems_of(full))]
        return meant[0] if len(meant) == 1 else ""

    def is_short_rows(self, text: str) -> bool:
        """Whether a table's name is written short for a word: donors are the rows of `dnr`, and no DON."""
        short = self.shortened(text).removesuffix("s")
        return bool(short) and any(short in name_parts(table.name) for table in self._catalog.tables)

    @cached_property
    def _short(self) -> frozenset[str]:
        """The words of names that may be the first letters of others."""
        names = [name for table in self._catalog.tables for name in (table.name, *(col.name for col in table.columns))]
        return frozenset(part for name in names for part in name_parts(name) if len(part) <= _LONGEST_SHORT)

    def spelt(self, word: str) -> str:
        """A word of a name that is misspelt, else an everyday word that is misspelt or written short."""
        short = spelt_out(word) or self._full(word)
        return short or ((self._name_meant(word) or meant(word)) if is_strange(word) else "")

    def _full(self, word: str) -> str:
        """What a word is short for, where names here are called so in full: `support rep`. A word that people know is
        short for nothing that is one of several things: an act is none that is active."""
        folded = word.casefold()
        meant = in_full(folded)
        is_word = folded in STOP or (bool(other_meanings(folded)[:-1]) and load().network.pieces.knows(folded))
        return meant if meant != folded and not is_word and self.names_something(stems_of(meant)) else ""

    def _name_meant(self, word: str) -> str:
        """The one word of the names here that `word` misspells."""
        targets = self._names.find_misspelt(stem(word.casefold()))
        names = (name_words(each.column.name) if each.column else table_words(each.table.name) for each in targets)
        found = Spellings(each for some in names for each in some).close(word.casefold(), 2, _LIKE)
        return _in_number_of(word, found[0]) if found else ""

    def other_name(self, text: str) -> str:
        """Another word for `text` that a table or column is called by, in the same number; else one that has an id."""
        others = _others_for(text) if not _is_other_form(text) else ()
        if others and (near := self._name_meant(text)) and stems_of(near) in others:
            return near
        if composed := self._composed.of(text):
            return _in_number_of(text, composed)
        if rows := self._rows_meant(text, others):
            return rows
        for tail in _TAILS:
            for other in others:
                if any(each.score >= CALLED for each in self._names.called((*other, *tail))):
                    return _in_number_of(text, " ".join((self._spelt_here(other), *tail)))
            if head := next((each for each in others if not tail and self._heads_table(each)), None):
                return _in_number_of(text, self._spelt_here(head))
        are_rows = text.endswith("s") and not is_of_deed(text.casefold())
        if dated := next((each for each in others if are_rows and self._dates_rows(each)), None):
            return _in_number_of(text, self._spelt_here(dated))
        within = [each for each in others if {*each} <= self._within_names and not self.names_something(each)]
        return self._spelt_here(within[0]) if len(within) == 1 else self._deed_done(text) or self._narrower(text)

    def _spelt_here(self, stems: tuple[str, ...]) -> str:
        """A name of the list in the form that names here have: a document is a `file`, where nothing is filed."""
        forms = (each for each in spellings(stems) if {*each.split()} <= self._words_here)
        return next(forms, spelling()[stems])

    @cached_property
    def _words_here(self) -> frozenset[str]:
        """The words of all names, those of several things also as of one."""
        return frozenset(form for word in words_of(self._catalog) for form in (word, word.removesuffix("s")))

    def _rows_meant(self, text: str, others: Sequence[tuple[str, ...]]) -> str:
        """Another word for several things that a number or else a table's rows are called by: stars are points before
        scores, lessons are sessions before a class."""
        is_several = text.endswith("s") and not text.endswith("ss")
        kinds = (self._is_number, self._rows_called, self._heads_table) if is_several else ()
        rows = next((each for kind in kinds for each in others if kind(each)), None)
        return _in_number_of(text, self._spelt_here(rows)) if rows else ""

    def _is_number(self, stems: tuple[str, ...]) -> bool:
        """Whether a column of numbers is called so and nothing else."""
        named = ((each.table, each.column) for each in self._names.called(stems) if each.column is not None)
        return any(column.kind == "number" and table.stems(column.name) == stems for table, column in named)

    def _narrower(self, text: str) -> str:
        """The one kind of things here that a word for many kinds may stand for."""
        kinds = {each: self._rows_called(each) for each in narrower(text.casefold())}
        tables = {table for found in kinds.values() for table in found}
        kind = next((each for each, found in kinds.items() if found), None)
        return _in_number_of(text, self._spelt_here(kind)) if kind and len(tables) == 1 else ""

    def _rows_called(self, stems: tuple[str, ...]) -> set[TableKey]:
        """The tables whose rows are called so."""
        return {each.table.key for each in self._names.called(stems) if each.column is None and each.score >= CALLED}

    def part_meant(self, text: str) -> str:
        """The one other word for `text` that columns' names end in, or that they hold the names of: a fee, where
        `standard_fee` is kept. Money is no fund for prizes."""
        others = others_for(text.casefold()) if not _is_other_form(text) else ()
        is_deed = any(map(is_of_deed, text.casefold().split()))
        of_deed = is_deed and not self._catalog.values.lookup_all([text], limit=1)[0]
        own = {*stems_of(text)}
        alike = [each for each in others if (is_of_deed(spelling()[each]) or not is_deed) and not own & {*each, *MONEY}]
        ends = [each for each in alike if self._ends_name(each, of_deed)]
        parts = ends or [each for each in alike if self._has_name(each)]
        return _in_number_of(text, self._spelt_here(parts[0])) if len(parts) == 1 else ""

    def _ends_name(self, stems: tuple[str, ...], of_deed: bool) -> bool:
        """Whether a column's name ends in the words, but for what it is counted in, and a time's for that it is one;
        years alone are no age, a salary is no day on which somebody paid."""
        named = [each.column for each in self._names.called(stems) if each.column is not None and each.score >= NAMED]
        named = [each for each in named if of_deed or not each.is_time]
        left_out = ((_WHEN if each.is_time else _COUNTED_IN, name_stems(each.name)) for each in named)
        ends = (tuple(part for part in name if part not in out) for out, name in left_out)
        return _SPANS.isdisjoint(stems) and any(each[-len(stems) :] == stems for each in ends)

    def _has_name(self, stems: tuple[str, ...]) -> bool:
        """Whether a column holds the names of those who are called so: managers are heads, by a `head_name`."""
        named = self._names.called((*stems, _NAME))
        return any(each.column is not None and each.score >= CALLED for each in named)

    def _dates_rows(self, stems: tuple[str, ...]) -> bool:
        """Whether the day of a deed is called so and nothing else is: enrolments are registrations, by `reg_date`."""
        named = [each for each in self._names.called(stems) if each.score >= NAMED]
        is_event = spelling().get(stems, "").endswith(_EVENTS)
        return is_event and len(named) == 1 and named[0].column is not None and named[0].column.is_time

    @cached_property
    def _within_names(self) -> frozenset[str]:
        """The stems of the words that stand within tables' names: `taxi` of yellow_taxi_trips."""
        return frozenset(stem(each) for table in self._catalog.tables for each in table_parts(table.name)[1:-1])

    def _deed_done(self, text: str) -> str:
        """The participle that names call a deed by: `inspected` of an inspection, where `last_inspected_on` is kept."""
        word = text.casefold()
        is_deed = word.isalpha() and word.endswith("ion") and not is_plain_word(word)
        done = [each for each in forms_of(word) if each.endswith("ed")] if is_deed else []
        return next((each for each in done if self.names_something(stems_of(each))), "")

    def heads_rows(self, words: QuestionWords, place: int, end: int) -> bool:
        """Whether a span of several words ends in what rows are called: the number of units is none of quantities."""
        last = self._names.called(stems_of(words.text(end - 1, end))) if end - place > 1 else ()
        return any(each.column is None and each.score >= CALLED for each in last)

    def are_of_it(self, words: QuestionWords, place: int, end: int) -> bool:
        """Whether a span is members of what the word before names: staff members are no customers."""
        if words.text(place, end).casefold() not in _MEMBERS or not words.is_run(place - 1, end):
            return False
        before = self._names.called(stems_of(words.text(place - 1, place))) if place else ()
        return any(each.column is None and each.score >= CALLED for each in before)

    def follows_column(self, words: QuestionWords, place: int, end: int) -> bool:
        """Whether a word only says what the column before it is: an office location is an office, and no address."""
        if not place or not words.is_run(place - 1, end):
            return False
        before = [each for each in self._names.called(stems_of(words.text(place - 1, place))) if each.score >= CALLED]
        return bool(before) and all(each.column is not None and each.column.kind == "text" for each in before)

    def _heads_table(self, stems: tuple[str, ...]) -> bool:
        """Whether a table's name ends in the word: department stores are stores."""
        return any(each.column is None and each.score >= NAMED for each in self._names.called(stems))

    def rows_after(self, words: QuestionWords, end: int) -> set[TableKey]:
        """The tables that the word after a span names: `camping bookings` are told of bookings."""
        found = self._names.find(stems_of(words.text(end, end + 1))) if words.is_run(end - 1, end + 1) else ()
        return {each.table.key for each in found if each.column is None}


def _others_for(text: str) -> tuple[tuple[str, ...], ...]:
    """The other words for one; where nobody knows it, those for the word that it misspells."""
    word = text.casefold()
    if (others := others_for(word)) or len(word) < _LONG_WORD or not word.isalpha() or not is_strange(word):
        return others
    close = known_words().close(word, 1, _MISSPELT) or known_words().close(word.removesuffix("s"), 1, _MISSPELT)
    return others_for(close[0]) if close else ()


def stems_of(text: str) -> tuple[str, ...]:
    return tuple(stem(each.casefold()) for each in text.split())


def _is_other_form(text: str) -> bool:
    """Whether a word is a form of a listed one, and another sort of word: a title is a heading, who titled is none."""
    word, listed = text.casefold(), spellings(stems_of(text))
    return is_of_deed(word) and bool(listed) and not any(map(is_of_deed, listed))


def is_plain_word(word: str) -> bool:
    """Whether a single word is one that links others, or a number; a code in capitals is neither."""
    folded = word.casefold()
    return word in (folded, folded.capitalize()) and (
        folded in STOP or stem(folded) in FILLER or number_of(folded) is not None
    )


def _in_number_of(like: str, name: str) -> str:
    """A name in the number of what it is put for."""
    if not like.endswith("s") or like.endswith("ss") or name.endswith("s"):
        return name
    return f"{name[:-1]}ies" if name.endswith("y") and name[-2] not in "aeiou" else f"{name}s"


def forms_of(word: str) -> list[str]:
    """Other forms of a word: `relocation` of relocating, `transferred` of a transfer."""
    base = next((word.removesuffix(each) for each in _FORMS if each and word.endswith(each)), word)
    return [base + each for each in _FORMS if len(base) >= LEAST_PART and base + each != word]

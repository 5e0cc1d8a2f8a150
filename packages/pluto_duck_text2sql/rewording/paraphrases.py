"""Words of a question that name nothing here, said as the data says them: `Germans` as Germany, `bicycles` as bikes.

Called by `analyst` before anything else reads the question, so that the rules and the network meet the data's own
words. In this order a span is looked up: as other words for a stored value (stored_words.py, otherwise.py), as a
misspelling of one (misspelt.py), as other words for a table or column (name_words.py, lexicon.py). What names something
itself is never touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.qualifiers import coded_values, numbered_words
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.otherwise import longest
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.rewording.misspelt import Misspelt
from pluto_duck_text2sql.rewording.name_words import NameWords, is_plain_word, stems_of
from pluto_duck_text2sql.rewording.question_words import QuestionWords, Span
from pluto_duck_text2sql.rewording.stored_words import MOST_GLUED, StoredWords, written
from pluto_duck_text2sql.rewording.written_names import WrittenNames
from pluto_duck_text2sql.rewording.written_short import written_short
from pluto_duck_text2sql.terms.terms import Terms
from pluto_duck_text2sql.times.calendar_days import MONTHS
from pluto_duck_text2sql.times.named_days import WEEKDAYS

_KEPT = 512
_MONTHS_IN_CAPITALS = frozenset(("may", "march"))
"""Months that are another word where they are no name."""
_LONGEST_VALUE = 6
_NAMED = (2, 3)
"""How many words a name has that is known as a whole."""
_WHERE = ("from", "in")
_SO_FAR = "to date"
"""What columns of last days are called, too: sales year to date have no end date."""


@dataclass(frozen=True)
class Paraphrase:
    """The question in the data's words, and what was put for what, as a reading shows it."""

    question: str
    told: tuple[str, ...] = ()


class Paraphrases:
    """Puts questions into the words of one catalog."""

    def __init__(self, catalog: Catalog, names: NameIndex, terms: Terms) -> None:
        self._catalog, self._terms, self._misspelt = catalog, terms, Misspelt(catalog, names)
        self._written, self._called = WrittenNames(catalog, names), NameWords(catalog, names)
        self._stored = StoredWords(catalog, names, self._called)
        self.of = lru_cache(maxsize=_KEPT)(self._of)

    def _of(self, question: str) -> Paraphrase:
        """The question in the data's words; itself where all of its words are, or nothing is known of them."""
        question = self._written.put(question)
        words = QuestionWords(question)
        known = self._known(words)
        self._stored.look_up_glued(words.runs(MOST_GLUED))  # all at once; each is asked for below
        text, told, place, done = "", list[str](), 0, 0
        while place < len(words.spans):
            end, instead = self._instead(words, known, place)
            source = "general lexicon"
            if not instead and not known[place]:
                instead, source = self._alone(words, known, place)
            if instead and not _is_whole(instead, question):
                start, stop = words.between(place, end)
                text, done = text + question[done:start] + instead, stop
                told.append(f'"{question[start:stop]}" is {instead} ({source})')
            place = end
        return Paraphrase(text + question[done:], tuple(told))

    def states(self, word: str) -> list[ValueHit]:
        """The values of columns of few that a word for a state, or another for the same, is stored as."""
        return self._stored.states(word)

    def _alone(self, words: QuestionWords, known: Sequence[bool], place: int) -> tuple[str, str]:
        """What a word that names nothing is put for by what is stored, or by its letters, and how."""
        word = words.text(place, place + 1)
        if label := self._stored.label(word, words, known, place):
            return label, "a state that is stored"
        short = self._called.shortened(word)
        return (short, "written short here") if short else (self._called.spelt(word), "spelling")

    def _known(self, words: QuestionWords) -> list[bool]:
        """Which words name something, alone or with those beside them."""
        known = self._known_alone(words)
        spans = [(s, e) for s in range(len(known)) for e in range(s + 1, s + 1 + _LONGEST_VALUE) if words.is_run(s, e)]
        texts = [words.text(*each) for each in spans]
        numbered = numbered_words((each.text.casefold() for each in words.spans), self._catalog)
        for (start, end), text, hits in zip(spans, texts, self._catalog.values.lookup_all(texts), strict=True):
            word, long = text.casefold(), end - start
            hits = [] if hits and self._is_place(words, start, text, hits) else hits
            is_coded = long == 1 and (word in numbered or coded_values(word, self._catalog))
            if hits or is_coded or (long in _NAMED and self._called.names_something(stems_of(text))):
                known[start:end] = [True] * (end - start)
        return known

    def _is_place(self, words: QuestionWords, start: int, text: str, hits: list[ValueHit]) -> bool:
        """Whether it is said where somebody or something is from: `customers from Brasil`."""
        place = start - 1 if start > 1 and words.text(start - 1, start).casefold() == "the" else start
        is_where = place > 0 and words.text(place - 1, place).casefold() in _WHERE
        return is_where and self._stored.is_meant_elsewhere(text, hits)

    def _known_alone(self, words: QuestionWords) -> list[bool]:
        """Which words name something by themselves, tell when, or say how the question asks."""
        of_trade, names_something = self._of_trade(words), self._called.names_something
        known = [each.is_fixed or each in of_trade or names_something(stems_of(each.text)) for each in words.spans]
        known[:1] = [True] if words.orders() else known[:1]
        known = [each or words.is_of_names(n) for n, each in enumerate(known)]
        known = [each or _is_of_calendar(word.text) for each, word in zip(known, words.spans, strict=True)]
        return [each or words.is_group_made(n) or words.is_end_of_order(n) for n, each in enumerate(known)]

    def _of_trade(self, words: QuestionWords) -> list[Span]:
        """The words that mean something of what is stored as they stand: `unfinished` of jobs without an end, and what
        a glossary, dbt or a code table says."""
        tokens = tokenise(words.text(0, len(words.spans))) if words.spans else []
        said = [each for each in self._terms.find(tokens) if each.term.is_of_trade] + self._terms.defined_in(tokens)
        texts = {word for each in said for word in each.text.casefold().split()}
        return [each for each in words.spans if each.text.casefold() in texts]

    def _instead(self, words: QuestionWords, known: Sequence[bool], place: int) -> tuple[int, str]:
        """What is put for the longest span from `place` that something is known of, and where that ends."""
        for end in range(place + max(longest(), _LONGEST_VALUE), place, -1):
            is_open = words.is_run(place, end) and not all(known[place:end])
            if is_open and (found := self._put_for(words, known, place, end)):
                return end, found
        return place + 1, ""

    def _put_for(self, words: QuestionWords, known: Sequence[bool], place: int, end: int) -> str:
        """What is put for a span: a kind, a name written short, a value, however it is written, then other words."""
        text, is_word = words.text(place, end), end - place == 1
        if text.casefold() == _SO_FAR:
            return ""
        if is_word and not known[place] and (kind := self._stored.kind(text, words)):
            return kind
        if is_word and is_plain_word(text):
            return self._stored.state_said(text, words, known, place)
        found = self._called.in_short(words.texts(place, end)) or self._stored.glued(text)
        found = found or written(written_short(words.texts(place, end), self._catalog))
        found = found or self._stored.value(text, words, known, place, end)
        found = found or written(self._misspelt.value(words.texts(place, end), known[place:end]))
        return found or self._otherwise(words, known, place, end)

    def _otherwise(self, words: QuestionWords, known: Sequence[bool], place: int, end: int) -> str:
        """Another word for a span as a name, the value that it is some words of, or the name that it is a part of."""
        text, is_told = words.text(place, end), any(known[place:end])
        is_free = not known[place] and not self._called.heads_rows(words, place, end)
        is_free = is_free and not self._called.are_of_it(words, place, end) and not words.tells_ones(end)
        is_free = is_free and not words.ends_a_name(place) and not words.counts_some(place, end)
        is_free = is_free and not self._called.follows_column(words, place, end)
        name = self._called.other_name(text) if is_free else ""
        if is_free and not name and not words.is_done_by_them(place):
            name = self._called.part_meant(text)
        if name:
            return name
        is_short = is_told or bool(self._called.shortened(text))
        if not is_short and (whole := self._stored.whole(text, self._called.rows_after(words, end))):
            return whole
        return "" if is_told or not place else self._stored.called_so(text)


def _is_of_calendar(word: str) -> bool:
    """Whether a word is a month, which stands for no code, or a day of the week, which stands for no name that it is a
    part of: September is no SE, Fridays are no Black Friday."""
    if word.casefold().removesuffix("s") in WEEKDAYS:
        return True
    return word.casefold() in MONTHS and (word.casefold() not in _MONTHS_IN_CAPITALS or word.istitle())


def _is_whole(value: str, question: str) -> bool:
    """Whether a question says all words of a value, whatever marks stand between: `admins` of `Sys. Admins`."""
    return value.startswith('"') and " " in value and value.strip('"').casefold() in question.casefold()

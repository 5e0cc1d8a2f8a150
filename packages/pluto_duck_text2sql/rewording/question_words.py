"""The words of a question with their places, and what their places tell."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from pluto_duck_text2sql.data.qualifiers import IS
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.superlatives import POSITIVES
from pluto_duck_text2sql.language.words import stem

_WORD = Pattern(
    r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|(?:[A-Z]\.){2,}|[A-Z][a-z]{,2}(?:\.[A-Z][a-z]{,2})+\b\.?"
    r"|[^\W\d_]+n['’]t(?!\w)|[^\W_]+(?:-[^\W_]+)*"
)
_GAP = Pattern(r"[ \t]+")
_SELLING = Pattern(r"\b(?:best|top|worst)[- ]sell(?:er|ing)s?\b", re.IGNORECASE)
"""What sells best sells, whoever the sellers are."""
_BEFORE = "still yet not currently as by via with to in for of from the a an all only and or many that".split()
_ARTICLES = frozenset("a an the me us".split())
_ASKING = frozenset("show list give find get display group split break bucket sort rank compare".split())
_GROUPS = ("group", "groups")
_TELL_AFTER = IS | frozenset(_BEFORE) | frozenset("have has had been got get gets getting since".split())
_DOERS = frozenset("i we you they he she".split())
_RELATIVES = ("who", "that", "which", "whose", "with", "without")
_ONES = ("ones", "one")
_LETTERS = ("letter", "letters")
_AFTER_DEED = frozenset("and in during per for since last this each between".split())
"""What follows a deed and tells nothing of how it was done."""
_SIDES = frozenset("of after before from since until".split())
_UNITS = frozenset("hour hours day days week weeks month months year years".split())
"""`within a week of delivery`: a day, and no state."""
_GRAINS = frozenset("day week month quarter year weekday".split())
_WHEN = frozenset("in during since last this between before after within on".split())
"""What expired in May did so by its day of ending, whatever became of it."""


@dataclass(frozen=True)
class Span:
    start: int
    end: int
    text: str

    @property
    def is_fixed(self) -> bool:
        """Whether it is a quoted text."""
        return self.text[:1] in ("'", '"')


class QuestionWords:
    """The words of a question with their places; what sells best is one word."""

    def __init__(self, question: str) -> None:
        self._question = question
        sold = [each.span() for each in _SELLING.finditer(question)]
        found = (Span(each.start(), each.end(), each[0]) for each in _WORD.finditer(question))
        self.spans = [each for each in found if not any(start <= each.start < end for start, end in sold)]

    def tells_ones(self, end: int) -> bool:
        """Whether what ends here tells some rows from others, and names none: `the open ones`."""
        return self.is_run(end - 1, end + 1) and self.spans[end].text.casefold() == "ones"

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(stem(each.text.casefold()) for each in self.spans)

    def between(self, start: int, end: int) -> tuple[int, int]:
        """Where the words `start` to before `end` begin and end."""
        return self.spans[start].start, self.spans[end - 1].end

    def texts(self, start: int, end: int) -> list[str]:
        return [each.text for each in self.spans[start:end]]

    def text(self, start: int, end: int) -> str:
        return " ".join(self.texts(start, end))

    def runs(self, longest: int) -> list[str]:
        """Every so many words that stand side by side, or fewer, and every single one."""
        places = range(len(self.spans))
        ends = ((one, end) for one in places for end in range(one + 1, one + longest + 1) if self.is_run(one, end))
        return [self.text(*each) for each in ends]

    def counts_some(self, start: int, end: int) -> bool:
        """Whether a number is of some alone: the students who play are no column of enrollments."""
        after = self.spans[end].text.casefold() if self.is_run(end - 1, end + 1) else ""
        is_number = self.text(start, end).casefold().startswith("number of ")
        return is_number and (after in _RELATIVES or after.endswith("ing"))

    def ends_a_name(self, place: int) -> bool:
        """Whether a word in capitals follows others in a question that is not all in capitals: `at San Jose State`."""
        one, other = self.spans[place - 1].text, self.spans[place].text
        is_name = place > 1 and one.istitle() and other.istitle() and self.is_run(place - 1, place + 1)
        return is_name and any(each.text.islower() for each in self.spans[1:])

    def is_done_by_them(self, place: int) -> bool:
        """Whether a word says what somebody does: what `we charge` is no charge."""
        return place > 0 and self.text(place - 1, place).casefold() in _DOERS

    def is_run(self, start: int, end: int) -> bool:
        """Whether there are so many words, with nothing but blanks between them."""
        if end > len(self.spans):
            return False
        pairs = zip(self.spans[start : end - 1], self.spans[start + 1 : end], strict=True)
        return all(_GAP.fullmatch(self._question[one.end : other.start]) for one, other in pairs)

    def orders(self) -> bool:
        """Whether it begins with a verb of which an object follows, `Book an appointment`, or one that only asks."""
        first, second = (*(each.text.casefold() for each in self.spans[:2]), "", "")[:2]
        return bool(second) and (second in _ARTICLES or first in _ASKING)

    def is_group_made(self, place: int) -> bool:
        """Whether a word is one of the groups that the question makes itself: `grouped by year, … in each group`."""
        others = (each.text.casefold() for n, each in enumerate(self.spans) if n != place)
        return self.spans[place].text.casefold() in _GROUPS and any(each in ("group", "grouped") for each in others)

    def is_end_of_order(self, place: int) -> bool:
        """Whether a word is one of the two that an order runs between: `from tall to short`."""
        texts = [each.text.casefold() for each in self.spans]
        pairs = (texts[start : start + 3] for start in (place, place - 2) if start >= 0)
        return any(len(each) == 3 and each[1] == "to" and POSITIVES.keys() >= {each[0], each[2]} for each in pairs)

    def is_of_names(self, place: int) -> bool:
        """Whether a word is the end of `what it is called`, which is no call, or that of `the letter d`, no mail."""
        texts = [each.text.casefold() for each in self.spans[: place + 2]]
        if texts[place] in _LETTERS:
            return len(texts[place + 1 :]) == 1 and len(texts[-1].strip("\"'")) == 1
        return texts[place] == "called" and place > 1 and texts[place - 1] in IS and "what" in texts[place - 4 : place]

    def tell(self, known: Sequence[bool], start: int, end: int, after: Collection[str] = ()) -> bool:
        """Whether words stand where they tell something of a name: before it, after `is` and the like or one of
        `after`, or, of a deed of which nothing more is told, right after it: `flights scrapped`, `parcels came back`.
        """
        before = self.spans[start - 1].text.casefold() if start else ""
        if before in _SIDES and start > 1 and self.spans[start - 2].text.casefold() in _UNITS:
            return False
        is_one = self.is_run(end - 1, end + 1) and self.spans[end].text.casefold() in _ONES
        is_deed = end - start > 1 or self.spans[end - 1].text.endswith("ed")
        follows = start > 0 and known[start - 1] and is_deed and self._ends(end)
        return any(known[end : end + 1]) or is_one or not before or before in _TELL_AFTER or before in after or follows

    def is_dated(self, place: int) -> bool:
        """Whether what follows tells when."""
        return self.is_run(place - 1, place + 1) and self.spans[place].text.casefold() in _WHEN

    def _ends(self, place: int) -> bool:
        """Whether nothing follows before a mark, or only what restricts the whole."""
        ends = not self.is_run(place - 1, place + 1)
        if ends or self.spans[place].text.casefold() in _AFTER_DEED:
            return True
        by_what = self.spans[place + 1].text.casefold() if self.is_run(place, place + 2) else ""
        return self.spans[place].text.casefold() == "by" and by_what in _GRAINS

"""What goes back to the user: the readings that fit a question as well as the best one, each as an option.

Called by `analyst` with its readings. Doubts come from the rules' own choices (naming.py), from a rank of which nothing
says by what (merits.py), from an average number of which nothing says in what (bare_averages.py), from two keys between
the same tables (ways.py), from the two days that a booking has (made_or_held.py), from other readings (ambiguity.py),
other tables (homonyms.py) and other columns (rivals.py).
What else people leave out has rooms of its own (left_open). What bare `sales` are (bare_sales.py) is told.
Each option is told in words (in_words.py) with the name behind it by which it was found.
Each option stands for one reading that ran: picking it gives that one, since the same question has the same doubts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter

from pluto_duck_text2sql.asking_back.ambiguity import Doubt, doubt, may_be_meant, named_tables, reach
from pluto_duck_text2sql.asking_back.bare_averages import averaged, averages
from pluto_duck_text2sql.asking_back.bare_sales import summed_sales
from pluto_duck_text2sql.asking_back.homonyms import homonym
from pluto_duck_text2sql.asking_back.in_words import InWords, means, name_in
from pluto_duck_text2sql.asking_back.left_open import (
    FINDERS,
    NEWNESS,
    TELLERS,
    Data,
    Finder,
    Opening,
    full_name,
    is_asked,
    says_day,
)
from pluto_duck_text2sql.asking_back.made_or_held import other_day
from pluto_duck_text2sql.asking_back.merits import Merits, ranked_barely
from pluto_duck_text2sql.asking_back.rivals import Rivals
from pluto_duck_text2sql.corrections.corrections import Corrections
from pluto_duck_text2sql.corrections.ways import Ways
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.told_apart import roots_said
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.learned.network import Memory
from pluto_duck_text2sql.pool import Entry, Run, entries, tried
from pluto_duck_text2sql.reading.reader import Reader, Reading, Unreadable
from pluto_duck_text2sql.reading.slots import Choice
from pluto_duck_text2sql.tree import Col, Query, TableKey, columns_in
from pluto_duck_text2sql.trees.phrases import said_as, shown_name
from pluto_duck_text2sql.trees.titles import words

_WHICH = "Which one do you mean by {!r}?"
_WHOSE = "Which {} of {} do you mean?"
_OVER_WHAT = "The average number of {} in what?"
_SALES_TOLD = "'sales' are read as {}, not as a number of them"
_BY_WHAT = "By what should {!r} be ranked?"
_MOST_OPTIONS = 4
_DATE = "date"
_DEED = Pattern(r"\b[^\W\d_]+ed\b", re.IGNORECASE)


@dataclass(frozen=True)
class Back:
    """What is asked back, and the reading behind each option, the best one first; `is_bare`: because the question says
    too little, so that the rest of one that it is a part of may say it."""

    question: str
    options: tuple[tuple[str, Entry], ...]
    is_bare: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """What the user picks from."""
        return tuple(label for label, _ in self.options)

    def picked(self, said: str) -> Entry | None:
        """The reading that an option stands for; None where it is none of these."""
        found = (entry for label, entry in self.options if means(said, label) or means(name_in(said), label))
        return next(found, None)

    def in_words(self, words: InWords) -> Back:
        """The same, each option told in words."""
        told = words.told([(label, entry.query) for label, entry in self.options])
        return replace(self, options=tuple(zip(told, (entry for _, entry in self.options), strict=True)))


@dataclass(frozen=True)
class Doubts:
    """Looks for what one catalog's questions may mean besides."""

    catalog: Catalog
    joins: JoinGraph
    names: NameIndex
    reader: Reader

    def of(
        self,
        question: str,
        first: Reading | Unreadable,
        memory: Memory,
        scored: Sequence[tuple[Entry, float]],
        run: Run | None,
    ) -> tuple[Back | None, str]:
        """What to ask back, and what to tell where one reading is likelier than another that would fit too."""
        back, remark = self._found(question, first, memory, scored, run)
        return back and back.in_words(self._words), remark

    @cached_property
    def _words(self) -> InWords:
        return InWords(self.catalog)

    def _found(
        self,
        question: str,
        first: Reading | Unreadable,
        memory: Memory,
        scored: Sequence[tuple[Entry, float]],
        run: Run | None,
    ) -> tuple[Back | None, str]:
        best = scored[0][0]
        back = self._of_openings(question, best, run, NEWNESS)
        back = back or self._of_choices(question, best, run) or self._of_rank(question, scored, run)
        if back := back or self._said_too_little(question, best, run):
            return back, ""
        others = self._others(question, first, memory, scored, run)
        equal = next((each for each in others if each.is_equal and not _names_table(first, each.meant)), None)
        if equal:
            return _either(equal, best), ""
        back = self._of_rivals(question, first, best, run)
        if others or back:
            return back, others[0].told() if others else ""
        dates = self._of_dates(question, first, best, run)
        return (replace(dates, is_bare=True), "") if dates else (None, self._told(question, best))

    def _said_too_little(self, question: str, best: Entry, run: Run | None) -> Back | None:
        """What is asked back because the question leaves it open: in what, by which key, on which day, who or what."""
        bare = self._of_average(question, best, run) or self._of_ways(question, best, run)
        bare = bare or self._of_days(question, best, run) or self._of_openings(question, best, run)
        return replace(bare, is_bare=True) if bare else None

    def _others(
        self,
        question: str,
        first: Reading | Unreadable,
        memory: Memory,
        scored: Sequence[tuple[Entry, float]],
        run: Run | None,
    ) -> list[Doubt]:
        """Other tables and columns that words may mean as well as what the best reading made of them."""
        best = scored[0][0]
        named = _named(first, best, memory)
        found = [
            doubt(memory.graph, scored, self.joins, roots_said(question)),
            homonym(memory.graph, best, self.catalog, self.joins, run, named),
        ]
        others = [
            each for each in found if each and (may_be_meant(memory, each.other) or _is_unnamed(each, best, named))
        ]
        others = [each for each in others if not is_asked(question, each.meant.name, each.other.name)]
        return [each for each in others if not says_day(question, (each.meant.name, each.other.name))]

    def _of_choices(self, question: str, best: Entry, run: Run | None) -> Back | None:
        """The ways not taken at the first choice of the rules' reading."""
        if best.reading is None or not best.reading.choices:
            return None
        choice = best.reading.choices[0]
        if choice.about == _DATE and _says_one(question, choice):
            return None
        others = ((label, self._forced(question, label, run)) for label in choice.labels[1:])
        return self._back(_WHICH.format(choice.about), best, [(choice.labels[0], best), *others])

    def _of_dates(self, question: str, first: Reading | Unreadable, best: Entry, run: Run | None) -> Back | None:
        """The dates where the rules explain every word but choose between them, and the best took one of these."""
        if run is None or best.reading or not isinstance(first, Reading) or not _is_whole(first) or not first.choices:
            return None
        choice = first.choices[0]
        if choice.about != _DATE or _DEED.search(question) or _says_one(question, choice):
            return None  # what was done may tell which date is meant, though no rule knows it
        ways = [(label, self._forced(question, label, run)) for label in choice.labels]
        taken = [label for label, entry in ways if entry and entry.finds_as(best)]
        return self._back(_WHICH.format(_DATE), best, [(taken[0], best), *ways]) if taken else None

    def _forced(self, question: str, label: str, run: Run | None) -> Entry | None:
        """The rules' reading with an option taken, put right as any other."""
        try:
            reading = self.reader.read(question, label)
        except Unreadable:
            return None
        reading = replace(reading, query=self._corrections.applied(reading.query, question))
        return next(iter(entries((), [reading], self.catalog, self.joins, run)), None)

    @cached_property
    def _corrections(self) -> Corrections:
        return Corrections(self.catalog, self.joins, self.reader.today)

    def _of_rank(self, question: str, scored: Sequence[tuple[Entry, float]], run: Run | None) -> Back | None:
        """The measures by which something is the best, where the question says none; by the first reading that shows
        the things that are ranked."""
        ranked = ranked_barely(question, self.names, self.catalog) if run else None
        best = scored[0][0]
        if ranked is None or run is None or not best.rows:
            return None
        merits = Merits(self.catalog, self.joins, self.reader.resolver)
        best = next((each for each, _ in scored if merits.shows_several(ranked, each.query)), best)
        ranks = [(label, self._tried(query, run)) for label, query in merits.rankings(ranked, best.query)]
        is_rank = best.query.order and merits.is_measured(best.query.order[0].by, best.query)
        if ranks and is_rank and not any(entry and entry.finds_as(best) for _, entry in ranks):
            own = f"by {words(best.query.order[0].by)}"
            ranks = [(own, best), *(each for each in ranks if each[0] != own)]
        ranks.sort(key=lambda rank: rank[1] is None or not rank[1].finds_as(best))
        return self._back(_BY_WHAT.format(ranked.item.text), best, ranks, is_nearest=False)

    def _of_average(self, question: str, best: Entry, run: Run | None) -> Back | None:
        """What a number may be averaged over, where the question says nothing of it."""
        table = averaged(question, self.names) if run else None
        if table is None or run is None:
            return None
        found = ((label, self._tried(query, run)) for label, query in averages(table, self.catalog, self.joins))
        return self._back(_OVER_WHAT.format(shown_name(table.key)), best, found, is_nearest=False)

    def _told(self, question: str, best: Entry) -> str:
        """What an answer says of another reading, where everybody means the one it takes."""
        is_open = bool(best.rows) and not self._is_defined(question)
        lines = (tell(question, best.query, self._data) for tell in TELLERS if is_open)
        return self._sales_told(question, best) or next(filter(None, lines), "")

    def _sales_told(self, question: str, best: Entry) -> str:
        """What bare `sales` are taken for."""
        total = summed_sales(question, best.query, self.reader.resolver.money(), self.catalog)
        is_defined = total is not None and self.reader.terms.find(tokenise(question))
        return _SALES_TOLD.format(said_as(total.of)) if total and not is_defined else ""

    def _of_days(self, question: str, best: Entry, run: Run | None) -> Back | None:
        """The day on which something was agreed, and the one for which it was."""
        found = other_day(best.query, question, self.catalog) if run and best.rows else None
        if found is None or run is None:
            return None
        day, other, query = found
        return self._back(
            _WHICH.format(_DATE), best, [(full_name(day), best), (full_name(other), self._tried(query, run))]
        )

    def _of_openings(
        self, question: str, best: Entry, run: Run | None, finders: Sequence[Finder] = FINDERS
    ) -> Back | None:
        """The ways to read what the question leaves open."""
        if run is None or not best.rows or self._is_defined(question):
            return None
        found = (opening for find in finders if (opening := find(question, best.query, self._data)))
        return next((back for each in found if (back := self._asked(each, best, run))), None)

    def _is_defined(self, question: str) -> bool:
        """Whether the user's glossary says what is meant by some of it."""
        said = (each.term for each in self.reader.terms.find(tokenise(question)))
        return any(term.must_be_in and not term.is_of_question for term in said)

    def _asked(self, opening: Opening, best: Entry, run: Run) -> Back | None:
        """An opening as a question back; the way that is the best reading comes first."""
        ways = [(label, best if tree == best.query else self._tried(tree, run)) for label, tree in opening.ways]
        ways.sort(key=lambda way: way[1] is None or not way[1].finds_as(best))
        return self._back(opening.asked, best, ways, is_nearest=False)

    @cached_property
    def _data(self) -> Data:
        return Data(self.catalog, self.joins, self.names, self.reader.resolver)

    def _of_ways(self, question: str, best: Entry, run: Run | None) -> Back | None:
        """The keys that lead as well from one of its tables to another."""
        fork = self._ways.left_open(best.query, question) if run and best.rows else None
        if fork is None or run is None:
            return None
        first, *others = fork.pointers
        tried = ((full_name(Col(*each)), self._tried(replace(best.query, through=(each,)), run)) for each in others)
        asked = _WHOSE.format(shown_name(fork.to), shown_name(first[0]))
        return self._back(asked, best, [(full_name(Col(*first)), best), *tried])

    @cached_property
    def _ways(self) -> Ways:
        return Ways(self.catalog, self.joins)

    def _of_rivals(self, question: str, first: Reading | Unreadable, best: Entry, run: Run | None) -> Back | None:
        """The columns that words name as well as those of the best reading."""
        if run is None or not isinstance(first, Reading):
            return None
        found = self._rivals.of(first.mentions, question, first.unclaimed, best.query)
        found = [each for each in found if not is_asked(question, each.meant.name, each.other.name)]
        mine = [each for each in found if each.meant == found[0].meant]
        others = ((full_name(each.other), self._tried(each.query, run)) for each in mine)
        return (
            self._back(_WHICH.format(mine[0].words), best, [(full_name(mine[0].meant), best), *others])
            if mine
            else None
        )

    @cached_property
    def _rivals(self) -> Rivals:
        return Rivals(self.catalog, self.reader.resolver)

    def _tried(self, query: Query, run: Run) -> Entry | None:
        return tried(query, self.catalog, self.joins, run)

    def _back(
        self, asked: str, best: Entry, found: Iterable[tuple[str, Entry | None]], is_nearest: bool = True
    ) -> Back | None:
        """A question back of the readings that find other rows than all before them; `is_nearest`: with no more joins
        than the best. None where there is but one."""
        options = list[tuple[str, Entry]]()
        for name, entry in found:
            near = entry is not None and (not is_nearest or reach(entry, self.joins) <= reach(best, self.joins))
            if entry and near and entry.rows and not any(entry.finds_as(each) for _, each in options):
                options.append((name, replace(entry, ranked=best.ranked, unsaid=best.unsaid)))
        return Back(asked, tuple(options[:_MOST_OPTIONS])) if len(options) > 1 else None


def _either(other: Doubt, best: Entry) -> Back:
    alike = replace(other.entry, ranked=best.ranked, unsaid=best.unsaid)
    options = zip(other.labels, (best, alike), strict=True)
    return Back(_WHICH.format(other.words), tuple(sorted(options, key=itemgetter(0))))


def _says_one(question: str, choice: Choice) -> bool:
    """Whether a word says which of the dates is meant."""
    return says_day(question, [label.rpartition(".")[2] for label in choice.labels])


def _is_whole(reading: Reading) -> bool:
    """Whether the rules explain every word."""
    return not reading.unclaimed and not reading.lost


def _is_unnamed(other: Doubt, best: Entry, named: Collection[TableKey]) -> bool:
    """Whether no word names a table, and the rows of the tree may be those of another: which is anybody's guess."""
    return not named and other.meant.table == best.query.anchor != other.other.table


def _named(first: Reading | Unreadable, best: Entry, memory: Memory) -> set[TableKey]:
    """The tables that words name: those that the rules found, where they explain every word and the best is their
    reading or of one table alone."""
    is_plain = best.explains or {each.table for each in columns_in(best.query)} <= {best.query.anchor}
    if isinstance(first, Reading) and _is_whole(first) and first.mentions and is_plain:
        return {each.table.key for item in first.mentions for each in item.targets if each.column is None}
    return named_tables(memory.graph)


def _names_table(first: Reading | Unreadable, column: Col) -> bool:
    """Whether the question names the column's table, in words that only the rules may know, as misspelt ones."""
    mentions = first.mentions if isinstance(first, Reading) and not first.unclaimed else []
    return any(each.column is None and each.table.key == column.table for item in mentions for each in item.targets)

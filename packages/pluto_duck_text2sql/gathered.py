"""Every reading of one question in order: the network's and the rules', as the user defined things, the best first.

    question ─▶ network ─▶ sketches ─┐
    the rules' own reading ──────────┴▶ as defined, with the listed columns, put right ─▶ written and run (pool.py)
             ─▶ what they leave unsaid ─▶ ranker: order ─▶ first what the rules know better

Called by `decision` for a question that is read as a whole. Deterministic.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from pluto_duck_text2sql.asking_back.ambiguity import better_named
from pluto_duck_text2sql.confidence import probability
from pluto_duck_text2sql.corrections.corrections import Corrections
from pluto_duck_text2sql.corrections.keys_said import keys_of, says_two
from pluto_duck_text2sql.corrections.said_values import with_said_values
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.language.words import stem, table_stems, tokenise
from pluto_duck_text2sql.learned.model import load
from pluto_duck_text2sql.learned.network import Memory
from pluto_duck_text2sql.learned.sketcher import Sketch, Sketcher, Sketches
from pluto_duck_text2sql.pool import (
    WORTH_A_LOOK,
    WORTH_TRYING,
    Entry,
    Found,
    Run,
    Scored,
    entries,
    ordered,
    restricts,
    tells_nothing,
    tried,
    worth_trying,
)
from pluto_duck_text2sql.reading.by_definition import ByDefinition
from pluto_duck_text2sql.reading.columns import Columns
from pluto_duck_text2sql.reading.lists import Listed, split_lists
from pluto_duck_text2sql.reading.reader import Reader, Reading, Unreadable
from pluto_duck_text2sql.reading.spec import plain, split_spec
from pluto_duck_text2sql.refusing.unnamed import of_another_deed, unnamed, uses
from pluto_duck_text2sql.terms.terms import is_as_defined
from pluto_duck_text2sql.times.today import split_today
from pluto_duck_text2sql.tree import Col, Compare, Cond, Query, all_nodes_in, is_total
from pluto_duck_text2sql.trees.term import Said, Term
from pluto_duck_text2sql.trees.vacuous import idle_parts

_WORTH_A_WORD = 0.5
"""What part of the best one's confidence a reading has at least that may go before it, for each word it says more."""
_MOST_LISTED = 3
"""So many of the likeliest are tried with the columns that a sentence of its own lists."""


@dataclass(frozen=True)
class _Asked:
    """A question without its remarks, what it lists, the user's terms in it, and those of them that the question
    itself sets."""

    text: str
    listed: Listed
    kept: Sequence[Said]
    own: Sequence[Said]

    @property
    def defines(self) -> bool:
        """Whether a reading must hold what some term says."""
        return bool(self.kept or self.own)

    def without_own(self) -> _Asked:
        """Without what the question itself sets, which what a trade means by a word is not."""
        return self if any(each.term.is_of_trade for each in self.own) else replace(self, own=())


class Gatherer:
    """Gathers the readings of questions over one catalog."""

    def __init__(self, reader: Reader, aliases: Sequence[Term]) -> None:
        self._reader, self._aliases = reader, aliases
        self._catalog, self._joins = reader.catalog, reader.joins
        self._corrections = Corrections(reader.catalog, reader.joins, reader.today)
        self._by_definition = ByDefinition(reader.terms.metrics, reader.joins)
        self._sketcher: Sketcher | None = None

    def gathered(self, question: str, first: Reading | Unreadable, run: Run | None) -> tuple[Memory, Scored]:
        """Every reading that runs with its confidence, the best first; `first` is the rules' own."""
        found = self.found(question, first, run)
        scored = ordered(found, load().ranker)
        named = better_named(found.sketches.graph, scored.entries)
        asked = self._asked(question)
        every = _explained_of_equals(_rules_first(question, named, asked.kept))
        every = self._grouped_first(_listed_first(_fuller_first(every), asked.listed), question)
        every = self._valued_first(every, first, question, run)
        return found.sketches.memory, replace(scored, entries=every)

    def _grouped_first(self, scored: list[tuple[Entry, float]], question: str) -> list[tuple[Entry, float]]:
        """Where the question groups by two things and the first reading by one, the first that has two leads."""
        if not scored or not says_two(question) or keys_of(scored[0][0].query, self._catalog) != 1:
            return scored
        whole = next((each for each in scored if keys_of(each[0].query, self._catalog) > 1), None)
        return [whole, *(each for each in scored if each is not whole)] if whole else scored

    def _valued_first(
        self, scored: list[tuple[Entry, float]], first: Reading | Unreadable, question: str, run: Run | None
    ) -> list[tuple[Entry, float]]:
        """Where the first reading leaves out a value that the question says, the same with it leads."""
        best, sure = scored[0] if scored else (None, 0.0)
        whole = self._with_values(best, first, question, run) if best and best.unsaid else None
        if whole is None or best is None:
            return scored
        known = next((each for each, _ in scored if each.sql == whole.sql), whole)
        return [(replace(known, ranked=best.ranked), sure), *(each for each in scored if each[0].sql != whole.sql)]

    def found(self, question: str, first: Reading | Unreadable, run: Run | None) -> Found:
        """Every reading that runs, and what the ranker knows of it."""
        asked = self._asked(question)
        sketches = self._sketches(question, asked, WORTH_TRYING)
        every = self._tried(question, asked, worth_trying(sketches.found), first, run)
        if not any(each.sketch for each in every):
            sketches = self._sketches(question, asked, -math.inf if asked.defines else WORTH_A_LOOK)
            every = self._further(question, asked, sketches, first, run)
        every = [self._accounted(each, first, question) for each in every]
        left = len(first.unclaimed) + (len(first.lost) if isinstance(first, Reading) else 0)
        return Found(asked.text, sketches, every, left, isinstance(first, Reading))

    def _further(
        self, question: str, asked: _Asked, sketches: Sketches, first: Reading | Unreadable, run: Run | None
    ) -> list[Entry]:
        """The readings where none of the likeliest sketches can be told: of what a question defines any that holds it,
        else any at all."""
        if not asked.defines:
            found = worth_trying(sketches.found, WORTH_A_LOOK)
            return self._tried(question, asked, found, first, run, WORTH_A_LOOK)
        every = self._tried(question, asked, iter(sketches.found), first, run)
        return every or self._tried(question, asked.without_own(), iter(sketches.found), first, run)

    def _with_values(self, entry: Entry, first: Reading | Unreadable, question: str, run: Run | None) -> Entry | None:
        """An entry with the values that it leaves out; None where that says no more, or finds nothing."""
        mentions = first.mentions if isinstance(first, Reading) else ()
        query = with_said_values(entry.query, mentions, tokenise(question), self._joins) if run else None
        query = self._corrections.applied(query, question) if query else None
        whole = tried(query, self._catalog, self._joins, run) if query and run else None
        made = self._accounted(replace(whole, sketch=entry.sketch), first, question) if whole else None
        return made if made and made.rows and made.unsaid < entry.unsaid else None

    def _accounted(self, entry: Entry, first: Reading | Unreadable, question: str) -> Entry:
        """An entry with what it leaves of the question's words."""
        query, catalog = entry.query, self._catalog
        mentions = first.mentions if isinstance(first, Reading) else ()
        return replace(
            entry,
            unsaid=_left_unsaid(query, first, catalog),
            asks_else=bool(first.asked) and not uses(first.asked, query, catalog),
            tells_else=bool(first.told) and not restricts(query),
            figure_else=bool(unnamed(tokenise(question), query, mentions, catalog, self._reader.resolver)),
            deed_else=bool(of_another_deed(first.unclaimed, question, query, catalog)),
        )

    def _asked(self, question: str) -> _Asked:
        listed = split_lists(question, self._reader.names)
        said = self._reader.terms.find(tokenise(question))
        own = [each for each in said if each.term.is_of_question]
        kept = [each for each in said if each not in own and not (listed.phrases and each.term.measure)]
        return _Asked(plain(question), listed, kept, own)

    def _sketches(self, question: str, asked: _Asked, behind: float) -> Sketches:
        """What the network writes, without what is further `behind` the likeliest than this."""
        return self._opened().sketches(asked.text, behind=behind, today=_day_said(question))

    def _opened(self) -> Sketcher:
        if self._sketcher is None:
            known = (self._catalog, self._joins, load().network, self._reader.today)
            self._sketcher = Sketcher(*known, aliases=self._aliases)
        return self._sketcher

    def _tried(
        self,
        question: str,
        asked: _Asked,
        sketches: Iterator[Sketch],
        first: Reading | Unreadable,
        run: Run | None,
        behind: float = WORTH_TRYING,
    ) -> list[Entry]:
        """The readings that can be written and run: of what the question computes itself, those that hold it."""
        shaped = (each for each in self._shaped(sketches, asked.listed) if self._is_as_defined(each.query, asked.kept))
        written = (replace(each, query=self._written(each.query, question)) for each in shaped)
        readings, known = self._readings(question, asked, first), (self._catalog, self._joins, run)
        if not asked.own:
            return entries(written, readings, *known, partial(self._says_all, first), behind)
        said = (each for each in written if self._is_as_defined(each.query, asked.own))
        read = [each for each in readings if self._is_as_defined(each.query, asked.own)]
        return entries(said, read, *known, behind=behind)

    def _says_all(self, first: Reading | Unreadable, query: Query) -> bool:
        """Whether a tree leaves nothing of the question unsaid."""
        return not _left_unsaid(query, first, self._catalog)

    def _readings(self, question: str, asked: _Asked, first: Reading | Unreadable) -> list[Reading]:
        """The rules' own, as defined and put right."""
        if not isinstance(first, Reading) or not self._is_as_defined(first.query, asked.kept):
            return []
        defined = self._by_definition.reading(first, question)
        return [replace(defined, query=self._corrections.applied(defined.query, question))]

    def _is_as_defined(self, query: Query, said: Sequence[Said]) -> bool:
        return is_as_defined(query, said, self._joins)

    def _written(self, query: Query, question: str) -> Query:
        """A tree of the network's with what is defined in place of columns, and put right."""
        return self._corrections.applied(self._by_definition.applied(query, question), question)

    def _shaped(self, sketches: Iterator[Sketch], listed: Listed) -> Iterator[Sketch]:
        """The sketches with the columns that the question lists; where a sentence of its own lists them, the likeliest
        beside them as they are, as is any that computes more than they do."""
        for place, each in enumerate(sketches):
            is_shaped = listed.phrases and (place < _MOST_LISTED or not listed.is_apart)
            made = self._listed(each, listed) if is_shaped else None
            if made is None or listed.is_apart:
                yield each
            if made is not None:
                yield made

    def _listed(self, sketch: Sketch, listed: Listed) -> Sketch | None:
        """A sketch with the columns listed; None where these are apart and not all of them are understood, or not all
        of what the sketch computes is among them."""
        columns = Columns(self._reader, sketch.query)
        query = columns.choose(listed.phrases, adds=listed.adds)
        before, after = (sum(map(is_total, each.select)) for each in (sketch.query, query))
        if listed.is_apart:  # such a list is all that is wanted, but for a figure where it names none
            is_missed = bool(columns.missed or query == sketch.query) or (before > 0 and after == 0)
        else:
            is_missed = before > after
        return None if is_missed else replace(sketch, query=query)


def _day_said(question: str) -> dt.date | None:
    """The day that a question counts from, where it says one."""
    said = split_today(without_remarks(question))[1]
    return said.day if said else None


def _rules_first(question: str, scored: list[tuple[Entry, float]], said: Sequence[Said]) -> list[tuple[Entry, float]]:
    """What the rules know better goes first, if it leaves no more unsaid: what the user's glossary defines, and
    readings that explain every word where the glossary names something in it, where they are of a frame, where the
    ranker had no rows to judge by, or where they leave less unsaid and are about as likely. A frame that only shows
    more of the same leaves it to the ranker.
    """
    best = scored[0][0] if scored else None
    defined = any(not each.term.is_name for each in said)
    for entry, likely in scored:
        if entry.reading is None or entry.unsaid > scored[0][0].unsaid or tells_nothing(entry.query):
            continue
        more = scored[0][0].unsaid - entry.unsaid
        says_more = more > 0 and likely >= _WORTH_A_WORD**more * scored[0][1]
        is_framed = entry.reading.is_framed and not (best and _shows_more(entry, best))
        if defined or (entry.explains and (said or says_more or is_framed or scored[0][0].rows is None)):
            sure = probability(split_spec(question)[0], entry.fit, entry.sql)
            return [(entry, sure), *(each for each in scored if each[0] is not entry)]
    return scored


def _shows_more(entry: Entry, best: Entry) -> bool:
    """Whether an entry finds the rows of the best one with further columns: which months, and how many in each."""
    width = len(best.query.select)
    shown = [row[:width] for row in entry.rows or ()]
    return (
        len(entry.query.select) > width and bool(shown) and sorted(shown, key=str) == sorted(best.rows or (), key=str)
    )


def _fuller_first(scored: list[tuple[Entry, float]]) -> list[tuple[Entry, float]]:
    """Where another reading is the first with conditions more, such as a period, and leaves less unsaid, it leads; as
    does the first without conditions that only repeat what its table is called."""
    best, sure = scored[0] if scored else (None, 0.0)
    if best is None or not best.unsaid:
        return scored
    fuller = (each for each, _ in scored if each.unsaid < best.unsaid)
    whole = next(
        (each for each in fuller if _says_more(each.query, best.query) or _is_part(each.query, best.query)), None
    )
    if whole is None:
        return scored
    return [(replace(whole, ranked=best.ranked), sure), *(each for each in scored if each[0] is not whole)]


def _says_more(query: Query, other: Query) -> bool:
    """Whether a tree is another with further conditions, of which none denies what the other says."""
    further = set(query.where) - set(other.where)
    is_more = bool(further) and set(query.where) > set(other.where) and replace(query, where=other.where) == other
    return is_more and not any(_denies(each, other) for each in further)


def _is_part(query: Query, other: Query) -> bool:
    """Whether a tree is another without conditions that only repeat what their table's rows are called."""
    left_out = set(other.where) - set(query.where)
    is_part = set(query.where) < set(other.where) and replace(other, where=query.where, flat=query.flat) == query
    return is_part and all(map(_repeats_its_table, left_out))


def _repeats_its_table(condition: Cond) -> bool:
    """Whether rows are restricted to those called as their table is: rangers whose grade is `Ranger`."""
    if not isinstance(condition, Compare) or not isinstance(condition.left, Col):
        return False
    return isinstance(condition.right, str) and stem(condition.right.lower()) in table_stems(condition.left.table[1])


def _denies(condition: Cond, query: Query) -> bool:
    """Whether a condition rules a value out by which the query tells its rows apart."""
    if not isinstance(condition, Compare) or condition.operator != "!=":
        return False
    said = (condition.left, condition.right)
    return any(isinstance(each, Compare) and (each.left, each.right) == said for each in all_nodes_in(query))


def _listed_first(scored: list[tuple[Entry, float]], listed: Listed) -> list[tuple[Entry, float]]:
    """Where the first reading shows fewer columns than a list has phrases, the first that shows so many leads."""
    if not scored or len(scored[0][0].query.select) >= listed.least_shown:
        return scored
    whole = next((each for each in scored if len(each[0].query.select) >= listed.least_shown), None)
    return [(whole[0], scored[0][1]), *(each for each in scored if each is not whole)] if whole else scored


def _explained_of_equals(scored: list[tuple[Entry, float]]) -> list[tuple[Entry, float]]:
    """Where the first reading finds its rows in other tables than one by which the rules explain every word, and no
    others, that one leads: `how many rides` counts the rides, it adds up no days' rides."""
    if not scored or scored[0][0].rows is None or scored[0][0].explains:
        return scored
    first, sure = scored[0]
    explaining = (entry for entry, _ in scored if entry.explains and entry.unsaid <= first.unsaid)
    same = next((each for each in explaining if not each.tables & first.tables and each.finds_as(first)), None)
    if same is None:
        return scored
    return [(replace(same, ranked=first.ranked), sure), *(each for each in scored if each[0] is not same)]


def _left_unsaid(query: Query, first: Reading | Unreadable, catalog: Catalog) -> int:
    """How much a tree leaves unsaid: words that leave no mark in it, and what it shows or looks for in vain."""
    return len(first.lost_by(query)) + tells_nothing(query) + idle_parts(query, catalog)

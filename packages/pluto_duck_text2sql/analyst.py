"""The embedded analyst: a catalog and a question in, ranked SQL and its reading out. No model, no network, no database.

    question ─▶ tokens ─▶ periods, grains, cues (words.py, periods.py, cues.py)
             ─▶ links: names, stored values (links.py, values.py)
             ─▶ reader: roles, names, measures or ranks, conditions: a query tree, with the choices met (reader.py)
    question ─▶ graph ─▶ network ─▶ the likeliest sketches, each a query tree (learned/)
    trees    ─▶ render: joins and SQL from the tree (joins.py, render.py)
             ─▶ self-check: run them, drop what fails (pool.py) ─▶ ranker: order, confidence (learned/ranking.py)
             ─▶ the best first (gathered.py) ─▶ answer | ask | refuse (decision.py)

Usable alone: `Analyst(catalog).ask("revenue by month")`. Deterministic.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis, Links
from pluto_duck_text2sql.asides.asides import Asides
from pluto_duck_text2sql.asking_back.doubts import Doubts
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.open_ends import as_gaps
from pluto_duck_text2sql.data.spines import without_spines
from pluto_duck_text2sql.data.twins import named_in, one_of_each, without_schemas
from pluto_duck_text2sql.decision import Decision
from pluto_duck_text2sql.earlier import Earlier
from pluto_duck_text2sql.followups import Dialogue
from pluto_duck_text2sql.frames.every_frame import KINDS
from pluto_duck_text2sql.frames.in_full import InFull
from pluto_duck_text2sql.gathered import Gatherer
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.language.words import stem, tokenise
from pluto_duck_text2sql.lately import Lately
from pluto_duck_text2sql.plans.planner import Planner
from pluto_duck_text2sql.pool import Found, Run, once
from pluto_duck_text2sql.reading.reader import Reader, Reading, Unreadable
from pluto_duck_text2sql.reading.spec import plain
from pluto_duck_text2sql.refusing.offers import Offers
from pluto_duck_text2sql.refusing.refusals import REASONS, refusal
from pluto_duck_text2sql.rewording.accounts_said import AccountsSaid
from pluto_duck_text2sql.rewording.at_work import with_us
from pluto_duck_text2sql.rewording.business_figures import BusinessFigures
from pluto_duck_text2sql.rewording.buyers import Buyers
from pluto_duck_text2sql.rewording.by_numbers import by_counted
from pluto_duck_text2sql.rewording.by_rows import by_rows
from pluto_duck_text2sql.rewording.come_again import ComeAgain
from pluto_duck_text2sql.rewording.either_period import of_both
from pluto_duck_text2sql.rewording.flag_outcomes import FlagOutcomes
from pluto_duck_text2sql.rewording.flags_said import FlagsSaid
from pluto_duck_text2sql.rewording.kinds_by import by_kinds
from pluto_duck_text2sql.rewording.losses import with_losses
from pluto_duck_text2sql.rewording.money_ways import MoneyWays
from pluto_duck_text2sql.rewording.months_as_columns import MonthsAsColumns
from pluto_duck_text2sql.rewording.nothing_but import as_only
from pluto_duck_text2sql.rewording.of_some import Returning
from pluto_duck_text2sql.rewording.outcome_rates import with_outcomes
from pluto_duck_text2sql.rewording.paraphrases import Paraphrase, Paraphrases
from pluto_duck_text2sql.rewording.people_and_tickets import PeopleAndTickets
from pluto_duck_text2sql.rewording.records import with_record
from pluto_duck_text2sql.rewording.regions import Regions
from pluto_duck_text2sql.rewording.rewordings import reworded
from pluto_duck_text2sql.rewording.rows_of_kinds import RowsOfKinds
from pluto_duck_text2sql.rewording.signs import by_sign
from pluto_duck_text2sql.rewording.that_day import of_said_day
from pluto_duck_text2sql.rewording.took_place import TookPlace
from pluto_duck_text2sql.rewording.unsaid import Unsaid
from pluto_duck_text2sql.rewording.waits import as_waits
from pluto_duck_text2sql.shown.gaps import without_gaps
from pluto_duck_text2sql.shown.meanings import in_words
from pluto_duck_text2sql.shown.numbered_periods import as_numbered
from pluto_duck_text2sql.shown.shown_days import as_dates
from pluto_duck_text2sql.shown.side_by_side import side_by_side
from pluto_duck_text2sql.terms.column_nouns import column_nouns
from pluto_duck_text2sql.terms.described import described
from pluto_duck_text2sql.terms.generic import whoever
from pluto_duck_text2sql.terms.key_names import key_names
from pluto_duck_text2sql.terms.measured import measured
from pluto_duck_text2sql.terms.other_parts import other_parts
from pluto_duck_text2sql.terms.row_names import row_names
from pluto_duck_text2sql.terms.row_nouns import row_nouns
from pluto_duck_text2sql.terms.short_names import short_names
from pluto_duck_text2sql.terms.terms import Terms
from pluto_duck_text2sql.trees.resolve import Resolver
from pluto_duck_text2sql.trees.selves import name_ladders

_WITHIN: ContextVar[tuple[str, ...]] = ContextVar("within", default=())
"""The parts that are being read, each a part of the one before it."""
_DEEPEST = 6
_PARTS_KEPT = 32
"""Several frames ask the same part of a question, and the question after it often asks it again."""
_FORECAST = Pattern(r"\bforecasts?\b", re.IGNORECASE)
_ASKS_WHETHER = Pattern(r"^\W*(?:is|are|was|were|do|does|did|should|why)\b", re.IGNORECASE)
_NO_TABLES = "There are no tables yet. Load some first: pluto-duck ingest FILE; or try pluto-duck demo."
_AT_FIRST = (as_only, of_both, with_record, as_waits, of_said_day, with_us)
"""Turns of phrase that say the same whatever the data holds, in this order."""
_CALLED = (described, short_names, key_names, other_parts, measured, whoever, row_nouns, column_nouns)
"""What else tables and columns are called."""


class Analyst:
    """Answers questions over one catalog."""

    def __init__(
        self, catalog: Catalog, *, today: dt.date | None = None, schemas: frozenset[str] = frozenset()
    ) -> None:
        """`schemas`, or tables by name, are read though others hold the same facts and are preferred (twins.py)."""
        self._whole, self._today, self._schemas = catalog, today, schemas
        self._over: dict[frozenset[str], Analyst] = {}
        catalog = self._catalog = as_gaps(without_spines(one_of_each(catalog, schemas), schemas))
        self._joins = JoinGraph(catalog)
        self._names = NameIndex(catalog)
        self.terms = Terms(catalog, self._joins, self._names, self.today)
        self.aliases = [*self.terms.names, *(term for each in _CALLED for term in each(catalog))]
        self.aliases += row_names(catalog, Resolver(catalog, self._joins))
        for term in self.aliases:
            self._names.add(term.stems, term.targets)
        name_ladders(catalog, self._names)
        self._reader = Reader(catalog, self._joins, self._names, self.today, self.terms)
        self._open_rewordings(catalog)
        self._open_answers(catalog)

    def _open_rewordings(self, catalog: Catalog) -> None:
        """What puts questions into the data's words."""
        kinds = RowsOfKinds(catalog, self._names)
        self._told_by_columns = (
            AccountsSaid(catalog, self._names),
            FlagOutcomes(catalog),
            FlagsSaid(catalog),
            Regions(catalog),
            MoneyWays(catalog),
            PeopleAndTickets(catalog, self._names),
            Returning(catalog),
            ComeAgain(catalog, self._names),
            kinds,
        )
        self._paraphrases, self._buyers = Paraphrases(catalog, self._names, self.terms), Buyers(self._reader)
        self._months = MonthsAsColumns(catalog)
        self._took_place = TookPlace(self._names, self._paraphrases.states)
        self._figures = BusinessFigures(self._reader, self._buyers)
        self._unsaid = Unsaid(self._reader)

    def _open_answers(self, catalog: Catalog) -> None:
        """What answers them: whole, in parts, by plans and after others."""
        self._offers = Offers(catalog, self._names, self._reader)
        doubts = Doubts(catalog, self._joins, self._names, self._reader)
        self._gatherer = Gatherer(self._reader, self.aliases)
        self._decision = Decision(self._reader, self._gatherer, doubts, self._offers)
        self._asides = Asides(self._reader, self._part)
        self._in_full = InFull(self._reader, self._part)
        self._parts = Lately[Analysis](_PARTS_KEPT)
        self._made = (self._in_full, *(kind(self._reader, self._part) for kind in KINDS))
        self._planner = Planner(self._reader, self._figures, self._alone)
        self._dialogue = Dialogue(catalog, self._joins, self._reader, self._alone)

    @property
    def catalog(self) -> Catalog:
        """All that is there, also what tells the same facts twice."""
        return self._whole

    @property
    def today(self) -> dt.date:
        """The day that relative periods count from, where the data is kept up to date."""
        return self._today or dt.date.today()

    def link(self, question: str) -> Links:
        """The tables, columns and values the question names."""
        return Links.of(self._reader.named(question))

    def ask(
        self,
        question: str,
        *,
        history: Sequence[Earlier | str] = (),
        run: Run | None = None,
        choice: str | None = None,
        max_candidates: int = 20,
    ) -> Analysis:
        """The readings of `question`, best first, or a question back, or why it cannot be answered.

        `run` executes a candidate and returns rows, raising where it fails; it is asked once for each SQL. `choice` is
        the option picked from an earlier clarification of the same question, or from its `others`. `history` are the
        questions answered before, the last one last, each with the option picked of it. Raises ValueError for an empty
        question.
        """
        if not question.strip():
            raise ValueError("The question is empty.")
        named = frozenset() if self._schemas else named_in(question, self._whole, self._catalog)
        if named:
            over, question = self._over_schemas(named), without_schemas(question, named, self._whole)
            return over.ask(question, history=history, run=run, choice=choice, max_candidates=max_candidates)
        plain, run = self._plain(question), run and once(run)
        earlier = tuple(self._in_its_words(Earlier.of(each)) for each in history)
        followed = _without_others(self._dialogue.analysis(plain.question, earlier, run, choice))
        found = followed or self._read_alone(plain.question, run, choice, max_candidates)
        known = (plain.question, self._catalog, self._joins)
        meant = tuple(side_by_side(in_words(each, *known), *known) for each in found.candidates[:max_candidates])
        return _told(replace(found, candidates=meant), plain)

    def _read_alone(self, question: str, run: Run | None, choice: str | None, max_candidates: int) -> Analysis:
        """A question that leans on none; the next one may lean on it."""
        found = self._alone(question, run, choice, max_candidates)
        return self._dialogue.answered(question, run, choice, found)

    def _in_its_words(self, earlier: Earlier) -> Earlier:
        """An earlier question in the data's words, as it was read when it was asked."""
        return replace(earlier, question=self._plain(earlier.question).question)

    def _plain(self, question: str) -> Paraphrase:
        """A question in the data's words."""
        for turn in _AT_FIRST:
            question = turn(question)
        question, made_of = self._figures.said(question)
        question, seen = by_rows(self._months.said(question), self._catalog, self._names)
        held, told = self._took_place.said(question)
        for each in self._told_by_columns:
            held = each.said(held)
        held = by_sign(with_losses(held, self._names, self._catalog), self._catalog, self._names)
        held = by_kinds(by_counted(held, self._names), self._names)
        plain = self._paraphrases.of(with_outcomes(held, self._names, self._catalog))
        told = (*made_of, *seen, *told)
        return replace(plain, told=(*told, *plain.told)) if told else plain

    def _over_schemas(self, named: frozenset[str]) -> Analyst:
        """An analyst that reads the tables of the schemas that a question names."""
        if named not in self._over:
            self._over[named] = Analyst(self._whole, today=self._today, schemas=named)
        return self._over[named]

    def _alone(self, question: str, run: Run | None, choice: str | None = None, max_candidates: int = 20) -> Analysis:
        """The question read without those before it, its periods shown as it says."""
        found = self._read(question, run, choice, max_candidates)
        known = (self._catalog, self._joins)
        shown = (as_dates(as_numbered(each, question, *known), question, *known) for each in found.candidates)
        return replace(found, candidates=tuple(shown))

    def _read(self, question: str, run: Run | None, choice: str | None, max_candidates: int) -> Analysis:
        question = self._timed(self._unsaid.said(question))
        told = None if choice else self._asides.of_rows(question, run)
        question = self._heard(question)
        told = told or (None if choice else self._asides.analysis(question, run))
        if told:
            return replace(told, candidates=told.candidates[:max_candidates])
        if planned := self._planner.analysis(question, run):
            return planned
        if declined := self._declined(question, run):
            return declined
        plain = self._plainly(question, run, choice, max_candidates)
        made = None if choice else next((m for each in self._made if (m := each.analysis(question, run, plain))), None)
        return made or plain

    def _declined(self, question: str, run: Run | None) -> Analysis | None:
        """Why a question has no answer whatever is read of it; what is asked in full may have one all the same."""
        kept = (any(self._names.find((each,)) for each in REASONS), self._catalog.looks_ahead(self._reader.today))
        refused = refusal(without_remarks(question), *kept)
        if refused and not _ASKS_WHETHER.match(question):
            refused = refusal(self._without_stored(self._without_forecasts(question)), *kept)
        if refused:
            declined = Analysis("cannot_answer", message=refused + self._offers.known(question))
            return self._in_full.analysis(question, run, declined) or declined
        if not self._catalog.tables:
            return Analysis("cannot_answer", message=_NO_TABLES)
        return None if tokenise(question) else Analysis("cannot_answer", message=self._offers.declined(question, ()))

    def _without_forecasts(self, question: str) -> str:
        """The question without its word for forecasts, where some are kept."""
        is_kept = self._names.begins((stem("forecast"),))
        return _FORECAST.sub(" ", question) if is_kept else question

    def _without_stored(self, question: str) -> str:
        """The question without what is stored in several words: the reason `too expensive` is no judgement."""
        said = (item.text for item in self._reader.named(question) if any(hit.score == 1 for hit in item.hits))
        stored = [each for each in said if " " in each]
        text = without_remarks(question)
        return re.sub("|".join(map(re.escape, stored)), "…", text, flags=re.IGNORECASE) if stored else text

    def _timed(self, question: str) -> str:
        return self._plain(self.terms.by_time_taken(question)).question

    def _heard(self, question: str) -> str:
        """A question in the data's words in those that every reading starts from."""
        return self._buyers.said(reworded(question, self._names, self._catalog))

    def found(self, question: str, run: Run | None) -> Found:
        """The readings that are ranked where a question is read as a whole; the ranker learns from these."""
        heard = self._wholly_heard(question)
        return self._gatherer.found(self.terms.defined(heard), self._first(heard), run)

    def as_read(self, question: str) -> str:
        """The question in the words that the network reads; it learns from these."""
        return plain(self.terms.defined(self._wholly_heard(question)))

    def _wholly_heard(self, question: str) -> str:
        return self._heard(self._timed(self._plain(question).question))

    def _part(self, question: str, run: Run | None) -> Analysis:
        """A part of a question: what it leaves open because it is so short is read as the likeliest.

        A part that is no shorter than what it is a part of ends nowhere: it is not asked while it is being read.
        """
        within = _WITHIN.get()
        if question in within or len(within) >= _DEEPEST:
            return Analysis("cannot_answer")
        place = (question, within, run is not None)
        return self._parts.of(place, lambda: self._part_read(question, within, run))

    def _part_read(self, question: str, within: tuple[str, ...], run: Run | None) -> Analysis:
        held = _WITHIN.set((*within, question))
        try:
            found = replace(self._alone(question, run), others=())
        finally:
            _WITHIN.reset(held)
        if found.clarification and found.clarification.is_bare:
            return replace(found, status="answered", clarification=None)
        return found

    def _plainly(self, question: str, run: Run | None, choice: str | None, max_candidates: int) -> Analysis:
        """The question read as a whole."""
        first = self._first(question)
        question = self.terms.defined(question)
        found = self._decision.analysis(question, first, run, choice, max_candidates)
        whole = (without_gaps(each, question, self._catalog, self._joins) for each in found.candidates)
        return replace(found, candidates=tuple(whole))

    def _first(self, question: str) -> Reading | Unreadable:
        try:
            return self._reader.read(question)
        except Unreadable as error:
            return error


def _without_others(followed: Analysis | None) -> Analysis | None:
    """What leans on an earlier question is read by edits, which a choice does not tell apart."""
    return followed and replace(followed, others=())


def _told(found: Analysis, plain: Paraphrase) -> Analysis:
    """What was found of a question in the data's words, with what was put for its own."""
    if not plain.told:
        return found
    told = (replace(each, reading=(*each.reading, *plain.told)) for each in found.candidates)
    return replace(found, candidates=tuple(told))

"""The embedded analyst: a catalog and a question in, ranked SQL and its reading out. No model, no network, no database.

    question ─▶ tokens ─▶ periods, grains, cues (words.py, periods.py, cues.py)
             ─▶ links: names, stored values (links.py, values.py)
             ─▶ reader: roles, names, measures or ranks, conditions: a query tree, with the choices met (reader.py)
    question ─▶ graph ─▶ network ─▶ the likeliest sketches, each a query tree (learned/)
    trees    ─▶ render: joins and SQL from the tree (joins.py, render.py)
             ─▶ self-check: run them, drop what fails (pool.py) ─▶ ranker: order, confidence (learned/ranking.py)
             ─▶ answer | ask | refuse

Usable alone: `Analyst(catalog).ask("revenue by month")`. Deterministic.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.alongside import Alongside
from pluto_duck_text2sql.ambiguity import better_named, chosen
from pluto_duck_text2sql.amounts import lacks_amount, lacks_time
from pluto_duck_text2sql.analysis import Analysis, Candidate, Clarification, ColumnLink, Links
from pluto_duck_text2sql.asides import Asides
from pluto_duck_text2sql.asked_for import listed_in_vain
from pluto_duck_text2sql.averages import Averages
from pluto_duck_text2sql.beside import TwoPeriods
from pluto_duck_text2sql.bests import Bests
from pluto_duck_text2sql.bookends import Bookends
from pluto_duck_text2sql.by_definition import ByDefinition
from pluto_duck_text2sql.catalog import Catalog
from pluto_duck_text2sql.certainty import certainty, grounds
from pluto_duck_text2sql.columns import Columns
from pluto_duck_text2sql.compounds import Compounds
from pluto_duck_text2sql.confidence import probability
from pluto_duck_text2sql.contests import Contests
from pluto_duck_text2sql.corrections import Corrections
from pluto_duck_text2sql.courses import Courses
from pluto_duck_text2sql.described import described
from pluto_duck_text2sql.doubts import Doubts
from pluto_duck_text2sql.earlier import Earlier
from pluto_duck_text2sql.followups import Dialogue
from pluto_duck_text2sql.gaps import without_gaps
from pluto_duck_text2sql.joins import JoinGraph
from pluto_duck_text2sql.learned.explain import explained
from pluto_duck_text2sql.learned.graph import Graph
from pluto_duck_text2sql.learned.model import load
from pluto_duck_text2sql.learned.sketcher import Sketch, Sketcher
from pluto_duck_text2sql.links import Mention, NameIndex
from pluto_duck_text2sql.lists import Listed, split_lists
from pluto_duck_text2sql.offers import Offers
from pluto_duck_text2sql.origins import as_its_own, misread, not_its_own
from pluto_duck_text2sql.paraphrases import Paraphrase, Paraphrases
from pluto_duck_text2sql.plans.planner import Planner
from pluto_duck_text2sql.pool import (
    WORTH_TRYING,
    Entry,
    Run,
    Scored,
    entries,
    looks_in_vain,
    once,
    ordered,
    restricts,
    tells_nothing,
    worth_trying,
)
from pluto_duck_text2sql.rates import Rates
from pluto_duck_text2sql.reader import Reader, Reading, Unreadable
from pluto_duck_text2sql.refusals import refusal
from pluto_duck_text2sql.rewordings import reworded
from pluto_duck_text2sql.same_periods import SamePeriods
from pluto_duck_text2sql.selves import name_ladders
from pluto_duck_text2sql.short_names import short_names
from pluto_duck_text2sql.spans import Spans
from pluto_duck_text2sql.spec import split_spec
from pluto_duck_text2sql.steady import Steady
from pluto_duck_text2sql.tallies import Tallies
from pluto_duck_text2sql.term import Said
from pluto_duck_text2sql.terms import Terms, is_as_defined, restrictions, told, unheld
from pluto_duck_text2sql.titles import assumptions, title
from pluto_duck_text2sql.tree import Query, columns_in
from pluto_duck_text2sql.twins import named_in, one_of_each, without_schemas
from pluto_duck_text2sql.unstored import missing
from pluto_duck_text2sql.week_parts import WeekParts
from pluto_duck_text2sql.words import tokenise

_NO_READING = (
    "No reading of this question runs: the tables it names are not connected by any key, or a column does not hold what"
    " is asked of it. Ask in other words, or name the table and column."
)
_NO_TABLES = "There are no tables yet. Load some first: pluto-duck ingest FILE; or try pluto-duck demo."
_NOT_OF_IT = "Nothing says of what is asked that it is from {!r}."
_NO_AMOUNT = "{!r} asks for an amount, and no column that the words name holds one."
_NO_TIME = "The question asks when, and no column that the words name holds a time."
_SAID_ALREADY = "All that could be shown of it is what the question says already."
_KINDS = (
    *(Spans, Averages, Steady, Contests, Alongside, Bookends, WeekParts, TwoPeriods, Courses),
    *(Tallies, Bests, Compounds, Rates, SamePeriods),
)
"""What is made of several answers or of a part of one, in the order in which it is tried."""
_SURE = 0.7
_SURE_OF_OTHER_WORDS = 0.95
"""How sure a reading must be where the word for what is asked names nothing."""
_SURE_OF_FEW_WORDS = 0.6
_NOTHING = 0.5
"""How likely the network must find it that there is no answer, where one would say nothing new."""
_MANY_UNKNOWN = 3
"""How sure it must be where this many words name nothing."""


class Analyst:
    """Answers questions over one catalog."""

    def __init__(
        self, catalog: Catalog, *, today: dt.date | None = None, schemas: frozenset[str] = frozenset()
    ) -> None:
        """`schemas`, or tables by name, are read though others hold the same facts and are preferred (twins.py)."""
        self._whole, self._today, self._schemas = catalog, today, schemas
        self._over: dict[frozenset[str], Analyst] = {}
        catalog = self._catalog = one_of_each(catalog, schemas)
        self._joins = JoinGraph(catalog)
        self._names = NameIndex(catalog)
        self.terms = Terms(catalog, self._joins, self._names, today)
        self._by_definition = ByDefinition(self.terms.metrics, self._joins)
        self._aliases = [*self.terms.names, *described(catalog), *short_names(catalog)]
        for term in self._aliases:
            self._names.add(term.stems, term.targets)
        name_ladders(catalog, self._names)
        self._reader = Reader(catalog, self._joins, self._names, today or dt.date.today(), self.terms)
        self._doubts = Doubts(catalog, self._joins, self._names, self._reader)
        self._offers = Offers(catalog, self._names, self._reader)
        self._sketcher: Sketcher | None = None
        self._corrections = Corrections(catalog, self._joins)
        self._planner = Planner(catalog, self._joins, self._alone)
        self._asides = Asides(self._reader, self._alone)
        self._made = tuple(kind(self._reader, self._alone) for kind in _KINDS)
        self._paraphrases = Paraphrases(catalog, self._names)
        self._dialogue = Dialogue(catalog, self._joins, self._reader, self._alone)

    @property
    def catalog(self) -> Catalog:
        """All that is there, also what tells the same facts twice."""
        return self._whole

    def link(self, question: str) -> Links:
        """The tables, columns and values the question names."""
        return _links(self._reader.named(question))

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
        the option picked from an earlier clarification of the same question. `history` are the questions answered
        before, the last one last, each with the option picked of it. Raises ValueError for an empty question.
        """
        if not question.strip():
            raise ValueError("The question is empty.")
        named = frozenset() if self._schemas else named_in(question, self._whole, self._catalog)
        if named:
            over, question = self._over_schemas(named), without_schemas(question, named, self._whole)
            return over.ask(question, history=history, run=run, choice=choice, max_candidates=max_candidates)
        plain, run = self._paraphrases.of(question), run and once(run)
        followed = self._dialogue.analysis(plain.question, tuple(map(Earlier.of, history)), run, choice)
        found = followed or self._alone(plain.question, run, choice, max_candidates)
        return _told(replace(found, candidates=found.candidates[:max_candidates]), plain)

    def _over_schemas(self, named: frozenset[str]) -> Analyst:
        """An analyst that reads the tables of the schemas that a question names."""
        if named not in self._over:
            self._over[named] = Analyst(self._whole, today=self._today, schemas=named)
        return self._over[named]

    def _alone(self, question: str, run: Run | None, choice: str | None = None, max_candidates: int = 20) -> Analysis:
        """The question read without those before it."""
        question = reworded(self._paraphrases.of(question).question, self._names, self._catalog)
        told = None if choice else self._asides.analysis(question, run)
        if told:
            return replace(told, candidates=told.candidates[:max_candidates])
        planned = self._planner.analysis(question, run)
        if planned:
            return planned
        refused = refusal(question)
        if refused:
            return Analysis("cannot_answer", message=refused + self._offers.known(question))
        if not self._catalog.tables or not tokenise(question):
            return self._cannot(question, Links(), [])
        plain = self._plainly(question, run, choice, max_candidates)
        made = None if choice else next((m for each in self._made if (m := each.analysis(question, run, plain))), None)
        return made or plain

    def _plainly(self, question: str, run: Run | None, choice: str | None, max_candidates: int) -> Analysis:
        """The question read as a whole."""
        first = self._first(question)
        question = self.terms.defined(question)
        found = self._decide(question, first, run, choice, max_candidates)
        whole = (without_gaps(each, question, self._catalog, self._joins) for each in found.candidates)
        return replace(found, candidates=tuple(whole))

    def _first(self, question: str) -> Reading | Unreadable:
        try:
            return self._reader.read(question)
        except Unreadable as error:
            return error

    def _pool(self, question: str, first: Reading | Unreadable, run: Run | None) -> tuple[Graph, Scored]:
        """Every reading that runs with its confidence, the best first."""
        model = load()
        if self._sketcher is None:
            self._sketcher = Sketcher(self._catalog, self._joins, model.network, aliases=self._aliases)
        listed = split_lists(question, self._names)
        said = self.terms.find(tokenise(question))
        own = [each for each in said if each.term.is_of_question]
        kept = [each for each in said if each not in own and not (listed.phrases and each.term.measure)]
        sketches = self._sketcher.sketches(listed.main, behind=-math.inf if kept or own else WORTH_TRYING)
        readings = [first] if isinstance(first, Reading) and is_as_defined(first.query, kept, self._joins) else []
        tried = sketches.found if kept or own else worth_trying(sketches.found)
        shaped = [each for each in self._shaped(tried, listed) if is_as_defined(each.query, kept, self._joins)]
        readings = [self._by_definition.reading(each, question) for each in readings]
        shaped = [replace(each, query=self._by_definition.applied(each.query, question)) for each in shaped]
        shaped = [replace(each, query=self._corrections.applied(each.query, question)) for each in shaped]
        readings = [replace(each, query=self._corrections.applied(each.query, question)) for each in readings]
        found = self._as_said(shaped, readings, own, run) or entries(shaped, readings, self._catalog, self._joins, run)
        scored = ordered(listed.main, sketches, found, model.ranker)
        named = (
            (replace(each, unsaid=_left_unsaid(each.query, first, self._catalog)), sure)
            for each, sure in better_named(sketches.graph, scored.entries)
        )
        accounted = sorted(named, key=lambda pair: pair[0].unsaid)
        whole = [pair for pair in accounted if pair[0].unsaid == accounted[0][0].unsaid]
        best = _rules_first(question, whole, kept)
        left = len(first.unclaimed) + (len(first.lost) if isinstance(first, Reading) else 0)
        every = [*best, *accounted[len(whole) :]]
        return sketches.graph, replace(scored, entries=every, left=left, is_read=isinstance(first, Reading))

    def _as_said(
        self, sketches: Sequence[Sketch], readings: Sequence[Reading], own: Sequence[Said], run: Run | None
    ) -> list[Entry]:
        """Those that run of the readings that hold what the question computes in its own words."""
        if not own:
            return []
        said = [each for each in sketches if is_as_defined(each.query, own, self._joins)]
        read = [each for each in readings if is_as_defined(each.query, own, self._joins)]
        return entries(said, read, self._catalog, self._joins, run)

    def _shaped(self, sketches: Sequence[Sketch], listed: Listed) -> Sequence[Sketch]:
        """The sketches with the columns that the question lists after what it asks."""
        if not listed.phrases:
            return sketches
        return [
            replace(each, query=Columns(self._reader, each.query).choose(listed.phrases, adds=listed.adds))
            for each in sketches
        ]

    def _decide(
        self, question: str, first: Reading | Unreadable, run: Run | None, choice: str | None, most: int
    ) -> Analysis:
        graph, scored = self._pool(question, first, run)
        links = _links(first.mentions) if isinstance(first, Reading) else Links()
        said = self.terms.find(tokenise(question))
        glossary = [each for each in said if not each.term.is_of_question]
        reason = unheld(glossary, first.query if isinstance(first, Reading) else None, self._joins)
        if not scored.entries:
            return Analysis("cannot_answer", message=reason or _NO_READING, links=links)
        if scored.answerable < load().ranker.least_answerable:
            scored = replace(scored, entries=_explained_first(scored.entries))
        best, confidence = scored.entries[0]
        in_vain = _unknown(first, best.query, confidence)
        if not best.explains and (in_vain or scored.answerable < load().ranker.least_answerable):
            if reason:
                return Analysis("cannot_answer", message=reason, links=links)
            return self._cannot(question, links, in_vain or first.unclaimed)
        if scored.nothing > _NOTHING and tells_nothing(best.query):
            return self._declined(_SAID_ALREADY, question, links)
        if isinstance(first, Reading) and (listed := listed_in_vain(split_spec(question)[1], first.mentions)):
            return self._cannot(question, links, [listed])
        mentions = first.mentions if isinstance(first, Reading) else ()
        place = mentions and not_its_own(question, best.query, mentions, self._joins)
        if place := place or misread(question, best.query):
            return self._declined(_NOT_OF_IT.format(place), question, links)
        own = as_its_own(best.query, mentions, self._catalog, self._joins)
        if run and own and (lacking := missing(own, self._catalog, self._joins, run)):
            return Analysis("cannot_answer", message=lacking, links=links)
        if amount := lacks_amount(question, best.query, best.rows, self._catalog, self._joins):
            return self._declined(_NO_AMOUNT.format(amount), question, links)
        if lacks_time(question, best.query, best.rows, self._catalog):
            return self._declined(_NO_TIME, question, links)
        if run and (lacking := missing(best.query, self._catalog, self._joins, run, restrictions(said))):
            held = [pair for pair in scored.entries if pair[0].explains and not self._lacks(pair[0], run, said)]
            if not held:
                return Analysis("cannot_answer", message=lacking, links=links)
            scored = replace(scored, entries=[held[0], *(each for each in scored.entries if each is not held[0])])
            best, confidence = held[0]
        back, remark = self._doubts.of(question, first, graph, scored.entries, run)
        picked = back.picked(choice) if back else None
        if picked:
            scored = replace(scored, entries=_first_of_all(picked, confidence, scored.entries))
        elif choice:
            scored = replace(scored, entries=chosen(scored.entries, choice))
        ahead = [entry for _, entry in back.options] if back and not choice else []
        shown = [*ahead, *(entry for entry, _ in scored.entries if entry not in ahead)][:most]
        candidates = tuple(self._candidate(each, graph, said, scored) for each in shown)
        if back and not choice:
            return Analysis("needs_input", candidates, Clarification(back.question, back.labels), links=links)
        if remark and not choice:
            assumed = (*candidates[0].assumptions, remark)
            candidates = (replace(candidates[0], assumptions=assumed), *candidates[1:])
        return Analysis("answered", candidates, links=links)

    def _lacks(self, entry: Entry, run: Run, said: Sequence[Said]) -> bool:
        """Whether an entry asks for what is not stored."""
        return bool(missing(entry.query, self._catalog, self._joins, run, restrictions(said)))

    def _candidate(self, entry: Entry, graph: Graph, said: Sequence[Said], scored: Scored) -> Candidate:
        """The entry for people: the rules explain what the network wrote where both wrote the same."""
        rests = grounds(entry, scored)
        alike = (each.reading for each, _ in scored.entries if each.reading and each.sql == entry.sql)
        reading = entry.reading or next(alike, None)
        lines = reading.lines if reading else explained(graph, entry.sketch) if entry.sketch else []
        tables = tuple(sorted({f"{each.table[0]}.{each.table[1]}" for each in columns_in(entry.query)}))
        return Candidate(
            entry.sql,
            round(certainty(rests), 3),
            title(entry.query),
            tuple(told(said, entry.query, lines, self.terms.metrics)),
            tuple(dict.fromkeys(reading.assumptions if reading else assumptions(entry.query))),
            entry.query,
            tables,
            grounds=rests,
        )

    def _declined(self, reason: str, question: str, links: Links) -> Analysis:
        return Analysis("cannot_answer", message=reason + self._offers.nearest(question), links=links)

    def _cannot(self, question: str, links: Links, unclaimed: Sequence[str]) -> Analysis:
        if not self._catalog.tables:
            return Analysis("cannot_answer", message=_NO_TABLES, links=links)
        return Analysis("cannot_answer", message=self._offers.declined(question, unclaimed), links=links)


def _told(found: Analysis, plain: Paraphrase) -> Analysis:
    """What was found of a question in the data's words, with what was put for its own."""
    if not plain.told:
        return found
    told = (replace(each, reading=(*each.reading, *plain.told)) for each in found.candidates)
    return replace(found, candidates=tuple(told))


def _unknown(first: Reading | Unreadable, query: Query, confidence: float) -> list[str]:
    """The words that forbid a reading of this confidence: what is asked names nothing, what tells the rows apart does
    and nothing restricts them, or much of the question does."""
    if first.asked and confidence < _SURE_OF_OTHER_WORDS:
        return [first.asked]
    if first.told and confidence < _SURE_OF_OTHER_WORDS and not restricts(query):
        return [first.told]
    is_much = len(first.unclaimed) >= _MANY_UNKNOWN and confidence < _SURE_OF_FEW_WORDS
    return list(first.unclaimed) if is_much else []


def _first_of_all(entry: Entry, confidence: float, scored: Sequence[tuple[Entry, float]]) -> list[tuple[Entry, float]]:
    """The readings, the one that was picked first."""
    return [(entry, confidence), *(each for each in scored if each[0].sql != entry.sql)]


def _rules_first(question: str, scored: list[tuple[Entry, float]], said: Sequence[Said]) -> list[tuple[Entry, float]]:
    """What the rules know better goes first: what the user's glossary defines, and readings that explain every word.

    The latter where the glossary names something in it, where they rest on what the network has hardly seen, or where
    the ranker is unsure of its best or had no rows to judge by.
    """
    defined = any(not each.term.is_name for each in said)
    doubts = bool(scored) and (scored[0][1] < _SURE or scored[0][0].rows is None)
    for entry, _ in scored:
        if entry.reading is None or tells_nothing(entry.query):
            continue
        if defined or (entry.explains and (doubts or said or entry.reading.knows)):
            sure = probability(split_spec(question)[0], entry.fit, entry.sql)
            return [(entry, sure), *(each for each in scored if each[0] is not entry)]
    return scored


def _left_unsaid(query: Query, first: Reading | Unreadable, catalog: Catalog) -> int:
    """How much a tree leaves unsaid: words that leave no mark in it, and what it shows or looks for in vain."""
    return len(first.lost_by(query)) + tells_nothing(query) + looks_in_vain(query, catalog)


def _explained_first(scored: list[tuple[Entry, float]]) -> list[tuple[Entry, float]]:
    """Where the data seems to lack an answer, a reading that explains every word speaks against it."""
    return sorted(scored, key=lambda pair: not pair[0].explains)


def _links(mentions: Sequence[Mention]) -> Links:
    tables: dict[Any, tuple[Any, float]] = {}
    columns: dict[tuple[str, str, str], ColumnLink] = {}
    for mention in mentions:
        for target in mention.targets[:6]:
            key = target.table.key
            weight = target.score * (1.0 if target.column is None else 0.8)
            tables[key] = (target.table, max(weight, tables.get(key, (None, 0.0))[1]))
            if target.column:
                link = ColumnLink(*key, target.column.name, target.score)
                columns.setdefault((*key, target.column.name), link)
    values = tuple(hit for mention in mentions for hit in mention.hits[:3])
    best = sorted(tables.values(), key=lambda pair: -pair[1])[:8]
    return Links(tuple(best), tuple(sorted(columns.values(), key=lambda each: -each.score))[:20], values)

"""What a whole question of a few words of a follow-up says, put into the tree of the answer before."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.asides.clock import Clocks, without_clock
from pluto_duck_text2sql.asides.in_units import ALONE, InUnits, mean_length
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.followups.counted_too import as_many, others_said
from pluto_duck_text2sql.followups.extremes import extremes_said, of_extreme
from pluto_duck_text2sql.followups.grouped_by import by_said, grouped_as
from pluto_duck_text2sql.followups.ones import asks_for_such, of_such, restricts_alone
from pluto_duck_text2sql.followups.rates_instead import rate_asked, with_rate
from pluto_duck_text2sql.followups.readings import CERTAIN, Ask, Edited, FollowUp, Run, Shown, Writer, rows_of
from pluto_duck_text2sql.followups.same_value import with_same_value
from pluto_duck_text2sql.followups.telling import kept, told
from pluto_duck_text2sql.followups.what_else import without_else
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import (
    Query,
)
from pluto_duck_text2sql.trees.parts import is_aggregate

_SURE_ALONE, _SURE_OF_THEM = 0.5, 0.4
_SAYS_NO_MORE = Pattern(
    r"^\W*(?:(?:and|but|only|just|now|then|what about|how about|those|the ones|ones)\b\W*)*$", re.IGNORECASE
)


class PutIn:
    """Asks whole questions for what edits of a tree cannot tell by themselves, over one catalog."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, reader: Reader, ask: Ask) -> None:
        self._reader, self._ask = reader, ask
        self._writer, self._units = Writer(catalog, joins), InUnits(catalog)
        self._clocks = Clocks(reader)

    def in_unit(self, question: str, before: Shown, run: Run | None) -> FollowUp | None:
        """The figures before in the unit that `in weeks` says; None where it says more, or they are in none."""
        said = ALONE.match(question)
        query = self._units.changed(before.query, said["unit"].lower()) if said else None
        sql = self._writer.write(query) if query else None
        if said is None or query is None or sql is None or rows_of(sql, run) is None:
            return None
        lines = (*kept(before.query, query), f"in → {said['unit'].lower()}", *mean_length(said["unit"].lower()))
        return FollowUp((Edited(query, sql, lines, before.confidence * CERTAIN),))

    def at_time(self, question: str, before: Shown, run: Run | None) -> FollowUp | None:
        """The rows before at the time of day that `only before noon` says, in the place of an earlier one; None where
        it says more, or they keep no times of day."""
        aside = self._clocks.aside(question)
        query = aside.change(without_clock(before.query)) if aside and _SAYS_NO_MORE.match(aside.text) else None
        edited = self._edited(query, before, f"when → {question.strip(' ?!.')}", run) if query else None
        return FollowUp((edited,)) if edited else None

    def _such(self, question: str, before: Shown, found: FollowUp | None, run: Run | None) -> FollowUp | None:
        """The rows before that are as `the open ones` says, where no edit tells that by what they hold themselves."""
        asked = asks_for_such(question, before.query)
        is_told = found is not None and found.explains and restricts_alone(before.query, found.readings[0].query)
        alone = self._ask(asked, run, None) if asked and not is_told else None
        best = alone.candidates[0] if alone and alone.status == "answered" and alone.candidates else None
        query = of_such(before.query, best.tree) if best and best.confidence >= _SURE_ALONE else None
        sql = self._writer.write(query) if query else None
        if query is None or best is None or sql is None or rows_of(sql, run) is None:
            return None
        lines = (*kept(before.query, query), f"only → {told(best.tree.where)}")
        return FollowUp((Edited(query, sql, lines, before.confidence * CERTAIN * best.confidence),))

    def of_same(self, question: str, before: Shown, run: Run | None) -> Analysis | None:
        """A question of others that have what the only row shown has; None where it asks for none, or finds none."""

        def rows(query: Query) -> list[tuple[Any, ...]]:
            sql = self._writer.write(query)
            return (rows_of(sql, run) or []) if sql else []

        asked = with_same_value(without_else(question), before.query, self._reader, rows)
        best = self.surest(asked, run) if asked else None
        return Analysis("answered", (replace(best, confidence=best.confidence * CERTAIN),)) if best else None

    def told(self, question: str, before: Shown, found: FollowUp | None, run: Run | None) -> FollowUp | None:
        """What a whole question of a few of its words says, put into the tree before."""
        return (
            self._such(question, before, found, run)
            or self._extreme(question, before, found, run)
            or self._rate(question, before, run)
            or self._deeds(question, before, run)
            or self._by(question, before, found, run)
        )

    def _rate(self, question: str, before: Shown, run: Run | None) -> FollowUp | None:
        """A rate of the rows before in the place of their figure: `cancellation rate instead`."""
        asked = rate_asked(question, before.query)
        best = self.surest(asked, run) if asked else None
        query = with_rate(question, before.query, best.tree) if best else None
        edited = self._edited(query, before, f"measured → {asked}", run) if query else None
        return FollowUp((edited,)) if edited else None

    def _by(self, question: str, before: Shown, found: FollowUp | None, run: Run | None) -> FollowUp | None:
        """The figures before in the groups of a whole question, where no edit groups them: `per operator`."""
        made = [set(each.query.group) - set(before.query.group) for each in found.readings] if found else []
        asked = "" if any(made) else by_said(question, before.query)
        best = self.surest(asked, run) if asked else None
        query = grouped_as(before.query, best.tree, self._reader) if best else None
        edited = self._edited(query, before, f"grouped → {asked}", run) if query else None
        return FollowUp((edited,)) if edited else None

    def _deeds(self, question: str, before: Shown, run: Run | None) -> FollowUp | None:
        """As many of others as were counted before: `and cancellations?` after new members per month."""
        asked = others_said(question, before.query, self._reader)
        best = self.surest(asked, run) if asked else None
        query = as_many(before.query, best.tree, self._reader) if best else None
        edited = self._edited(query, before, f"counted → {asked}", run) if query else None
        return FollowUp((edited,)) if edited else None

    def surest(self, question: str, run: Run | None) -> Candidate | None:
        """The best reading of a whole question, where it is sure enough to build on."""
        alone = self._ask(question, run, None)
        best = alone.candidates[0] if alone.status == "answered" and alone.candidates else None
        return best if best is not None and best.confidence >= _SURE_OF_THEM else None

    def _extreme(self, question: str, before: Shown, found: FollowUp | None, run: Run | None) -> FollowUp | None:
        """The longest or cheapest of what was counted, by what a whole question for it ranks; of what is listed, where
        no edit tells."""
        is_told = found is not None and found.explains and not is_aggregate(before.query)
        for said in () if is_told else extremes_said(question, before.query, self._reader):
            best = self.surest(said.text, run)
            query = of_extreme(before.query, best.tree, said, self._reader) if best else None
            if query and (edited := self._edited(query, before, f"measured → {said.text}", run)):
                return FollowUp((edited,))
        return None

    def _edited(self, query: Query, before: Shown, line: str, run: Run | None) -> Edited | None:
        """A query as a reading of a follow-up; None where it cannot be written, or does not run."""
        sql = self._writer.write(query)
        if sql is None or rows_of(sql, run) is None:
            return None
        return Edited(query, sql, (*kept(before.query, query), line), before.confidence * CERTAIN)

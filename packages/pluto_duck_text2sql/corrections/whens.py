"""When: each period and each grain of the date that the question speaks of. Called by `corrections` for every tree.

    by the day of what is measured (measured_days.py), of the deed that is told (days_of_deeds.py)
    ─▶ else of when rows came to be (days_of_coming.py) ─▶ where it fits (fitting_periods.py) ─▶ of the whole

`top campuses by degrees in 2004` is of the degrees' year where no campus was founded that late.
"""

from __future__ import annotations

from pluto_duck_text2sql.corrections.date_columns import DateColumns
from pluto_duck_text2sql.corrections.days_of_coming import as_happened, of_coming_about, of_own_year
from pluto_duck_text2sql.corrections.days_of_deeds import (
    by_asked_deed,
    of_active_deed,
    of_day_done,
    of_due_day,
    of_said_date,
    of_their_deed,
)
from pluto_duck_text2sql.corrections.fitting_periods import of_kept_day, where_they_fit
from pluto_duck_text2sql.corrections.measured_days import (
    of_link,
    of_making,
    of_measured,
    of_rows_period,
    of_what_happened,
)
from pluto_duck_text2sql.corrections.named_grains import NamedGrains
from pluto_duck_text2sql.corrections.whole_spans import since_joining, within_whole
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.language.words import spoken_stems, tokenise
from pluto_duck_text2sql.tree import Query


class Whens:
    """Puts right over one catalog what trees say of times."""

    def __init__(self, catalog: Catalog, joins: JoinGraph) -> None:
        self._known = DateColumns(catalog, joins)
        self._named = NamedGrains(catalog, joins)

    def applied(self, query: Query, question: str) -> Query:
        """The tree with each period and each grain of the date that the question speaks of."""
        question = without_remarks(question)
        if self._known.tells_time(query):
            query = self._as_rows_came(self._of_what_was_done(query, question), question)
        query = where_they_fit(query, question, self._known)
        query = of_said_date(query, spoken_stems(tokenise(question)), self._known)
        query = of_due_day(query, question, spoken_stems(tokenise(question)), self._known)
        query = of_rows_period(of_making(query, question, self._known), question, self._known)
        query = since_joining(query, question, self._known)
        return of_kept_day(within_whole(query, question), self._known)

    def _of_what_was_done(self, query: Query, question: str) -> Query:
        """By the day of what is measured, of what links it, and of the deed that is told."""
        known, stems = self._known, spoken_stems(tokenise(question))
        query = of_what_happened(of_link(of_measured(query, known), stems, known), stems, known)
        query = of_day_done(of_active_deed(query, question, stems, known), question, stems, known)
        query = self._named.applied(query, question)
        return of_their_deed(by_asked_deed(query, question, known), question, known)

    def _as_rows_came(self, query: Query, question: str) -> Query:
        """By the day on which rows came to be or took place, where no word tells another."""
        query = of_coming_about(of_own_year(query, question, self._known), question, self._known)
        return as_happened(query, question, self._known)

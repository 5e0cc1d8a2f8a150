"""Birthdays, which come round every year: `who has a birthday this month`, `how many members' birthday is in May`; and
the day on which somebody reaches an age: `which customers turn 65 this December`.

What is left of the question is a question of its own, whose rows are restricted to those born in that month of any
year, or so many years before that period; `this month` is that of the last day of the data, or today.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import table_words
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.terms.ages import birth
from pluto_duck_text2sql.times.calendar_days import MONTH, YEAR, floor, month_number, shift
from pluto_duck_text2sql.times.periods import period_of
from pluto_duck_text2sql.tree import Bucket, Col, Compare, Cond, During, Query
from pluto_duck_text2sql.trees.parts import home

_SAID = Pattern(
    r",? ?(?:['’]s?|\b(?:who |that |which )?(?:has|have|had|having|with|whose|celebrat(?:e|es|ed|ing)))"
    r"(?: (?:a|an|their|his|her))? (?:birthdays?|date birth|birth date)(?: (?:is|are|was|were|falls?|comes?))?"
    r"(?: (?:in|during))?"
    rf" (?:(?P<which>this|next|last) month|(?P<month>{MONTH}))\b",
    re.IGNORECASE,
)
_TURNS = Pattern(
    r",? ?\b(?:(?:who|that|which|whose) )?"
    r"(?:(?:are |is )?turn(?:s|ed|ing)?|will (?:turn|be|become)|become[s]?|reach(?:es)?)"
    r" (?:the age of )?(?P<age>\d{1,3})(?: years old)?"
    rf" (?P<when>(?:(?:in|during) )?(?:this|next|last) (?:week|month|quarter|year|{MONTH})"
    rf"|in (?:{MONTH})(?: {YEAR})?|in {YEAR})\b",
    re.IGNORECASE,
)
_WHO_OF = Pattern(r"^(?:who|which)(?: (?:of|among) (?:our|the|all))? ?", re.IGNORECASE)
_WHO = Pattern(r"^(?:who|which (?:people|ones)|(?:list |show )?(?:everyone|those|people))?\W*$", re.IGNORECASE)
"""A birthday is also said as the general lexicon puts it."""
_MOVED = {"this": 0, "next": 1, "last": -1}


class Birthdays(Compounds):
    """Answers questions about those born in a month of any year."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those; None where the question asks no such, or not one table keeps dates of birth."""
        main, phrases = split_spec(question)
        said = _SAID.search(main) or _TURNS.search(main)
        born = self._born() if said else None
        if said is None or born is None:
            return None
        rest = tidy(f"{main[: said.start()]} {main[said.end() :]}")
        table, column = born
        asked = f"list {' '.join(table_words(table.name))}" if _WHO.match(rest) else _WHO_OF.sub("list ", rest)
        part = self._part(asked, run)
        born_in = self._turning(said, column) if "age" in said.groupdict() else self._of_month(said, column)
        query = self._those(part.tree, column, born_in) if part and born_in else None
        made = self.candidate(query, [part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _born(self) -> tuple[Table, Col] | None:
        """The one table that keeps dates of birth, and its column."""
        found = [(each, Col(each.key, name)) for each in self.reader.catalog.tables if (name := birth(each))]
        return found[0] if len(found) == 1 else None

    def _of_month(self, said: re.Match[str], column: Col) -> Cond:
        """Born in that month of any year."""
        return Compare(Bucket("month_of_year", column), "=", self._month(said))

    def _month(self, said: re.Match[str]) -> int:
        if said["month"]:
            return month_number(said["month"].lower())
        day: dt.date = floor(self.reader.catalog.latest_day(self.reader.today), "month")
        return shift(day, "month", _MOVED[said["which"].lower()]).month

    def _turning(self, said: re.Match[str], column: Col) -> Cond | None:
        """Born so many years before the period in which the age is reached."""
        period = period_of(said["when"])
        start, end = period.resolve(self.reader.catalog.latest_day(self.reader.today)) if period else (None, None)
        if start is None or end is None or start.year <= int(said["age"]):
            return None
        return During(column, *(shift(each, "year", -int(said["age"])) for each in (start, end)))

    def _those(self, tree: Query, column: Col, born_in: Cond) -> Query | None:
        if (home(tree) or tree.anchor) != column.table or tree.then or tree.limit:
            return None
        return replace(tree, where=(*tree.where, born_in))

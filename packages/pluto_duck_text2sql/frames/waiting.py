"""What has been so for how long: `claims that have been open for more than 30 days`, `invoices still unpaid two weeks
after the due date`, `average age of open tickets`, `how old are our active subscriptions on average`.

What is left of the question, its state and no time, is a question of its own. Its rows are those whose day is so long
before today, or the data's last day: the day that is said, else that on which they came about; or the days since then
stand in the place of their number.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.data.event_dates import event_date
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import NUMBER_WORDS
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.times.calendar_days import shift, units_said
from pluto_duck_text2sql.tree import Agg, Ago, Col, Compare, Function, Operator, Query, is_total
from pluto_duck_text2sql.trees.durations import Durations
from pluto_duck_text2sql.trees.parts import home
from pluto_duck_text2sql.trees.phrases import counted_from

_OP = r"(?P<op>more than|longer than|over|at least|less than|under|fewer than)"
_N = rf"(?P<n>\d+|an?|{'|'.join(NUMBER_WORDS)}) (?:(?:calendar )?(?P<unit>day|week|month|year))s?"
_ON_THE_WAY = r"(?:on the road|in transit|under way|on (?:its|their|the) way)"
_STATE = (
    r"(?P<state>(?:(?:still|currently) )?(?:open|outstanding|pending|active|unfinished|incomplete|ongoing|overdue"
    r"|(?:un|non-)[a-z]+ed|unpaid|undone|not (?:yet )?(?:been )?[a-z]{3,}(?: yet)?"
    rf"|{_ON_THE_WAY})|still [a-z]+)"
)
_AFTER = (
    r"(?: (?:old|already|now))?"
    r"(?: (?:after|past|since|from|beyond) (?P<since>(?!the last |last |this )[a-z][a-z -]{2,30}?))?"
)
_ENDS = r"(?=$|[,;:?]| (?:by|per|for each|in each|of each)\b)"
_WAITS = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_STATE} (?:for |after )?(?:{_OP} )?{_N}{_AFTER}{_ENDS}",
        rf"\b{_OP} {_N} (?P<state>overdue|past due)(?P<since>){_ENDS}",
        rf"\b(?P<state>overdue) (?:by|for) {_OP} {_N}(?P<since>){_ENDS}",
    )
)
_SO = "open|outstanding|pending|active|running|unfinished|current|ongoing|unpaid|un[a-z]+ed"
_IS_SO = rf"(?:(?:still |currently )?(?:{_SO}))"
_OLD = r"(?:how old (?:are|is)|how long have)"
_AGES = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:what(?:['’]s| is| was) )?(?:the )?(?P<fn>average|mean|median|maximum) age"
        r"(?: in days)?"
        rf" of (?:the |all |our )*"
        rf"(?P<rows>{_IS_SO} [a-z].*?)(?:,? in days)?$",
        rf"^{_OLD} (?:the |all |our )*(?P<rows>{_IS_SO} [a-z]+)(?: been (?:[a-z]+))?(?:,? (?:on average|in days))*"
        r"(?P<tail>(?:,? (?:by|per) .+)?)(?:,? (?:on average|in days))*$",
    )
)
_FUNCTIONS: dict[str, Function] = {"median": "median", "maximum": "max"}
_OPERATORS: dict[str, Operator] = {**dict.fromkeys(("less than", "under", "fewer than"), ">"), "at least": "<="}


class Waiting(Compounds):
    """Answers questions about what has been so for long."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The rows, or for how long they have been so; None where the question asks no such."""
        main, phrases = split_spec(question)
        text = same(main).rstrip("?. ")
        age = next((found for each in _AGES if (found := each.match(text))), None)
        made = self._aged(age, run) if age else self._waiting(text, run)
        query, part = made or (None, None)
        shown = self.candidate(query, [part], phrases, run) if query and part else None
        if shown is None:
            return None
        told = (*shown.assumptions, counted_from(self._day()))
        shown = replace(shown, assumptions=tuple(dict.fromkeys(told)))
        return Analysis("answered", (shown, *plain.candidates), links=plain.links)

    def _day(self) -> dt.date:
        return self.reader.catalog.latest_day(self.reader.today)

    def _waiting(self, text: str, run: Run | None) -> tuple[Query, Candidate] | None:
        """The rows that are so, and whose day is so long ago."""
        said = next((found for each in _WAITS if (found := each.search(text))), None)
        rest = tidy(f"{text[: said.start()]}{said['state']}{text[said.end() :]}") if said else ""
        part = self._part(rest, run) if said else None
        if said and (part is None or not part.tree.where) and re.search(_ON_THE_WAY, said["state"], re.IGNORECASE):
            part = self._part(re.sub(_ON_THE_WAY, "not delivered", rest, flags=re.IGNORECASE), run)
        day = (
            self._begun(part.tree, said["since"] or ("due" if "due" in said["state"] else ""))
            if part and said
            else None
        )
        if said is None or part is None or day is None or part.tree.limit or part.tree.then:
            return None
        unit = said["unit"].lower()
        ago = shift(self._day(), unit, -units_said(said["n"], unit))
        operator = _OPERATORS.get((said["op"] or "at least").lower(), "<")
        return replace(part.tree, where=(*part.tree.where, Compare(day, operator, ago))), part

    def _aged(self, said: re.Match[str], run: Run | None) -> tuple[Query, Candidate] | None:
        """The days since then in the place of the number of those that are so."""
        parts = said.groupdict()
        part = self._part(f"number of {said['rows']}{parts.get('tail') or ''}", run)
        day = self._begun(part.tree, "") if part else None
        counts = [each for each in part.tree.select if is_total(each)] if part else []
        if part is None or day is None or len(counts) != 1 or not part.tree.is_plain:
            return None
        figure = Agg(_FUNCTIONS.get((parts.get("fn") or "").lower(), "avg"), Ago(day, self._day()))
        shown = tuple(figure if each == counts[0] else each for each in part.tree.select)
        return replace(part.tree, select=shown, order=()), part

    def _begun(self, tree: Query, since: str) -> Col | None:
        """The date from which the rows of a tree wait; None where nothing restricts them to what is so."""
        table = self.reader.catalog.table(*(home(tree) or tree.anchor))
        if table is None or not tree.where:
            return None
        if since:
            return Durations(self.reader.catalog, self.reader.resolver).named(table, since)
        name = event_date(table)
        return Col(table.key, name) if name else None

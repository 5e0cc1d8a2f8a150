"""How old people were when something happened to them: `how old were employees when hired`, `average age at hire`,
`employees who were over 60 when hired`, `who was the youngest when hired`.

Where rows keep a date of birth and the date of what is said, it is the full years between them: of each row, their
mean, or what rows are chosen by.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.analysis import Analysis, sure
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.terms.ages import birth
from pluto_duck_text2sql.tree import Age, Agg, Col, Compare, Expr, Missing, Operator, Order, Query, Rows, columns_in

_WHO = r"(?:(?P<each>each|every|all|all of)? ?(?:the |our |these )?(?P<who>[a-z]+))"
_THEN = (
    r"(?:when|the day|by the time) (?:(?:they|he|she|it) )?(?:(?:was|were|got|first) )?(?P<did>[a-z]+)"
    r"|at (?:the time of )?(?:the |their )?(?P<at>[a-z]+)(?: date| day)?"
)
_MEAN = r"(?:on average|in the mean)"
_ASKED = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"^how old (?:was|were|is|are) {_WHO}(?P<avg> {_MEAN})? (?:{_THEN})(?P<avg2>,? {_MEAN})?$",
        rf"^(?:what (?:is|was|were) )?(?:the )?(?P<avg>average |mean )?age of {_WHO} (?:{_THEN})$",
        rf"^(?:what (?:is|was) )?(?:the )?(?P<avg>average|mean) age (?:{_THEN})(?: (?:of|for) {_WHO})?$",
    )
)
_BOUND = Pattern(
    r"^(?:(?P<count>how many|number of) |(?:(?:list|show|which|the|all|our)(?: me)? )*)(?P<who>[a-z]+)"
    r"(?: (?:who|that))?(?: (?:was|were|are|is))? (?:aged )?"
    r"(?P<op>over|under|above|below|older than|younger than|at least|at most)"
    rf" (?P<n>\d+)(?: years?)?(?: old| of age)? (?:{_THEN})$",
    re.IGNORECASE,
)
_END = Pattern(
    rf"^(?:who|which (?P<who>[a-z]+)) (?:was|were|is) (?:the )?(?P<end>youngest|oldest) (?:{_THEN})$", re.IGNORECASE
)
_SIGNS: dict[str, Operator] = {
    **dict.fromkeys(("over", "above", "older than"), ">"),
    **dict.fromkeys(("under", "below", "younger than"), "<"),
    "at least": ">=",
    "at most": "<=",
}
_BEGAN = frozenset(map(stem, "hired hire hiring joined joining started start employed employment began".split()))
"""What people say for one another of the day on which somebody came."""


class AgesThen(Compounds):
    """Answers questions for ages at what happened."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The ages then, or whom they choose; None where the question asks none, or no rows keep both dates."""
        main, phrases = split_spec(question)
        text = same(main)
        found = next((match for each in (*_ASKED, _BOUND, _END) if (match := each.match(text))), None)
        table = self._people(found["who"]) if found else None
        age = _age(table, stem((found["did"] or found["at"]).lower())) if found and table else None
        if found is None or table is None or age is None:
            return None
        query = self._query(found.groupdict(), table, age)
        made = self.candidate(query, [sure(query, _told(age))], phrases, run)
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _query(self, said: dict[str, str | None], table: Table, age: Age) -> Query:
        """The ages of all, their mean, those who were older or younger than a number, the first or last of them."""
        label: tuple[Expr, ...] = tuple(self.reader.resolver.label(table))
        if number := said.get("n"):
            shown = (Agg("count", Rows(table.key)),) if said["count"] else label
            return Query(table.key, shown, (Compare(age, _SIGNS[str(said["op"]).lower()], int(number)),))
        if end := said.get("end"):
            known = tuple(Missing(each, negated=True) for each in columns_in(age) if isinstance(each, Col))
            return Query(table.key, label, known, order=(Order(age, end.lower() == "oldest"),), limit=1)
        mean = any(said.get(each) for each in ("avg", "avg2"))
        return Query(table.key, (Agg("avg", age),) if mean else (*label, age))

    def _people(self, word: str | None) -> Table | None:
        """The table that a word names; without one that which alone keeps dates of birth."""
        if word:
            return self.table(word)
        born = [each for each in self.reader.catalog.tables if birth(each)]
        return born[0] if len(born) == 1 else None


def _age(table: Table, said: str) -> Age | None:
    """From the date of birth to that of what is said."""
    born = birth(table)
    dates = [each.name for each in table.columns if each.is_time and each.name != born]
    named = [each for each in dates if said in table.stems(each)]
    alike = [each for each in dates if said in _BEGAN and _BEGAN & set(table.stems(each))]
    then = (named or alike)[:1]
    return Age(Col(table.key, born), Col(table.key, then[0])) if born and then else None


def _told(age: Age) -> str:
    """The two dates, as a reading tells them."""
    return "age → full years between " + " and ".join(
        f"{each.table[1]}.{each.name}" for each in columns_in(age) if isinstance(each, Col)
    )

"""Who is slow and who is quick: `which shipper is the slowest`, `who takes longest to return a film`.

The time from when a row begins to when it ends, on average over the rows that belong to each. A question is put so that
it ranks by that (`by_time_taken`); what the time taken is, is a term as any other (computed.py). Where anything is
called speed or pace, the slow are slow by that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import Token, stem, tokenise
from pluto_duck_text2sql.terms.homes import Homes
from pluto_duck_text2sql.terms.lateness import what_is_done
from pluto_duck_text2sql.tree import Agg, Col, Days
from pluto_duck_text2sql.trees.durations import Durations, rooted
from pluto_duck_text2sql.trees.term import BY_ITS_COLUMNS, Said, Term
from pluto_duck_text2sql.trees.titles import words as in_words

_WHAT = r"(?: (?:an?|the|our|its|their|his|her) (?!average)[a-z]+| (?!days|hours|minutes|times)[a-z]+s\b)?"
_VERB = rf"(?P<verb> to (?:be )?[a-z]+)?{_WHAT}"
_SLOWEST = Pattern(
    rf"\b(?:is|are|was|were) (?:on average )?(?:the |our )?(?P<how>slowest|quickest|fastest|speediest){_VERB}"
    r"(?: on average)?(?=[?.!]*$| (?:in|during|since) )",
    re.IGNORECASE,
)
_DOES_SO = Pattern(
    rf"\b(?P<verb>[a-z]{{3,}})s{_WHAT} (?:the )?(?P<how>slowest|quickest|fastest)(?: on average)?"
    r"(?=[?.!]*$| (?:in|during|since) )",
    re.IGNORECASE,
)
"""`which handler settles claims fastest`."""
_LONGEST = Pattern(
    rf"\b(?:takes?|took|needs?|needed|waits?|waited) (?:the )?(?P<how>longest|shortest|most time|least time){_VERB}"
    r"(?P<of> for (?:the|our|its|their) [a-z]+)?(?: on average)?(?=[?.!]*$| (?:in|during|since) )",
    re.IGNORECASE,
)
_QUICK = frozenset("quickest fastest speediest shortest".split())
_TAKEN = r"time taken(?: to (?:be )?(?P<verb>[a-z]+))?"
_PACE = frozenset(map(stem, "speed velocity pace tempo lap".split()))


class Speed:
    """Reads the time that rows take over one catalog."""

    def __init__(self, catalog: Catalog, durations: Durations, homes: Homes) -> None:
        self._durations, self._homes = durations, homes
        self._tables = {each.key: each for each in catalog.tables if any(column.is_time for column in each.columns)}
        self._is_paced = any(_PACE & {*t.stems(column.name)} for t in catalog.tables for column in t.columns)

    def by_time_taken(self, question: str) -> str:
        """The question so that it ranks by the time taken; itself where nothing takes any."""
        found = _LONGEST.search(question) or _SLOWEST.search(question) or _DOES_SO.search(question)
        if found is None or self._is_paced:
            return question
        how = "lowest" if found["how"].lower() in _QUICK or found["how"].lower().startswith("least") else "highest"
        of = (found.groupdict().get("of") or "").replace(" for ", " of ", 1)
        deed = (found["verb"] or "").strip().removeprefix("to ")
        ranked = f"has the {how} average time taken{deed and f' to {deed}'}{of}"
        text = tidy(question[: found.start()] + ranked + question[found.end() :])
        return text if any(self.find(tokenise(text))) else question

    def find(self, tokens: Sequence[Token]) -> Iterator[Said]:
        """What a question says of it."""
        words = Words(tokens)
        if " time taken" not in words.text:
            return
        for match in words.peek(_TAKEN):
            start, end = words.span(match)
            spans = {key: days for key, table in self._tables.items() if (days := self._taken(table, match["verb"]))}
            meant = self._homes.of([*tokens[:start], *tokens[end:]], spans)
            if meant:
                measure = Agg("avg", spans[meant[0]])
                text, stems = " ".join(t.text for t in tokens[start:end]), tuple(t.stem for t in tokens[start:end])
                yield Said(start, end, text, Term(stems, in_words(measure), BY_ITS_COLUMNS, text, (), measure))

    def _taken(self, table: Table, verb: str | None) -> Days | None:
        """From the begin of a row to its end, or to the deed that is told."""
        deed = next(iter(rooted([stem(verb)])), "") if verb else ""
        ends = what_is_done(table)
        told = [each for each in ends if deed in rooted(table.stems(each))]
        if not ends or (deed and not told):
            return None if deed and ends else self._durations.pair(table)
        end = Col(table.key, (told or ends)[0])
        begun = self._durations.begun(table, end)
        earlier = Col(table.key, ends[-1]) if ends[-1] != end.name else None
        start = begun if begun and (begun.table == table.key or not earlier) else earlier
        return Days(start, end) if start else None

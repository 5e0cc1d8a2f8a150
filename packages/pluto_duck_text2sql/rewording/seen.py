"""People that were there: `how many patients did we see in August`, `members who came in last week`, as those who had
an appointment that took place, of the one kind of event that belongs to them.

Called by `by_rows`; what took place is told by took_place.py.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import number_of, stem, table_stems
from pluto_duck_text2sql.rewording.busiest import belongs, event_of, one_of
from pluto_duck_text2sql.trees.durations import rooted

_WHOM = (
    r"(?P<ask>\bhow many|\bnumber of|\bwhich|\bwhat) (?:(?:of our|of the|different|distinct|unique) )?(?P<who>[a-z]+)"
)
_SAW = r"(?P<did>see|seen|saw|serve|served|treat|treated|look(?:ed)? after|attend(?:ed)? to)"
_CAME = (
    r"(?P<did>came(?: in| by| along| to us)?|visited(?: us)?|turned up|showed up|dropped (?:in|by)|stopped by|were in)"
)
_END = r"(?=\W*$| (?:in|on|during|since|last|this|between|from|per|each|every|by|over|for|within|today|yesterday)\b)"
_SEEN = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_WHOM} (?:did|do|have|has|had) (?:we|you|they|i) {_SAW}{_END}",
        rf"{_WHOM} (?:were|was|have been|has been|got) {_SAW}{_END}",
        rf"{_WHOM} (?:that |who )?{_CAME}{_END}",
    )
)
_BACK = r"(?P<did>been (?:back|in|here|seen|to see us)|come (?:back|in|by)|visited(?: us)?|shown up|returned)"
_NOT_SEEN = Pattern(
    rf"\b(?P<who>[a-z]+) (?P<that>(?:who|that|which) )?(?:have|has)(?:n['’]t| not) {_BACK}"
    r"(?= (?:since|for|in|during|within)\b)",
    re.IGNORECASE,
)
_FOR_SO_LONG = Pattern(
    r"(?<= took place) for (?:more than |over |at least )?(?P<n>an?|[\w-]+) (?P<unit>day|week|month|year)s?\b",
    re.IGNORECASE,
)
_MONTHS = 12


def with_visits(question: str, catalog: Catalog, names: NameIndex) -> str:
    """The question about those who had one, or had none; as it is where no such is asked, or several kinds of event
    belong to them."""
    seen = next((match for each in _SEEN if (match := each.search(question))), None)
    found = seen or _NOT_SEEN.search(question)
    people = names.rows(found["who"]) if found else None
    event = _event(found["did"], people, catalog) if found and people and is_of_people(people, ()) else None
    if found is None or event is None:
        return question
    had = f"{found['ask']} {found['who']} had" if seen else f"{found['who']} {found['that'] or ''}have not had"
    text = f"{question[: found.start()]}{had} {one_of(event)} that took place{question[found.end() :]}"
    return text if seen else _FOR_SO_LONG.sub(_until_now, text)


def _event(deed: str, people: Table, catalog: Catalog) -> Table | None:
    """Of the events that belong to people, the one called by what is said that they did, `visited` in visits; else the
    one that most else belongs to."""
    deeds = rooted(stem(word) for word in deed.lower().split())
    own = [each for each in catalog.tables if belongs(each, people)]
    called = [each for each in own if deeds & rooted(table_stems(each.name)[-1:])]
    return called[0] if called else event_of(people.name, catalog)


def _until_now(said: re.Match[str]) -> str:
    """`for a year` as in the last 12 months."""
    unit, n = said["unit"].lower(), said["n"].lower()
    number = 1.0 if n in ("a", "an") else number_of(n)
    if number is None:
        return said[0]
    count, unit = (number * _MONTHS, "month") if unit == "year" else (number, unit)
    return f" in the last {count:.15g} {unit}s"

"""What a bare `busiest weekday` is the busiest for, where the data leaves no choice: the rows of its one kind of event.

Called by `rewordings`. Events are rows that have a date of what happened and belong to rows of other tables. Of several
kinds that one is meant which the others belong to: orders, where there are returns of orders.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.people import PERSONS
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem, table_stems, table_words, with_article
from pluto_duck_text2sql.times.calendar_days import YEAR

_WHEN = r"(?P<when>(?:day|hour|time|month|week|quarter|year)(?: of (?:the |a )?(?:day|week|month|year))?|weekday)"
_HOW = r"(?P<how>busiest|quietest|slowest)"
_END = rf"(?P<rest>(?: (?:in|of|during) (?:[a-z]+ )?{YEAR})?\W*)$"
_BARE = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"^\W*(?:(?:what|which)(?:'s| is| was| were)? )?(?:(?:the|our|my) )?{_HOW} {_WHEN}{_END}",
        rf"^\W*(?:what|which) {_WHEN} (?:is|was|were) (?:(?:the|our|my) )?{_HOW}{_END}",
    )
)
_OF_DAY = Pattern(r"hour|time", re.IGNORECASE)
_CROWDED = r"(?P<how>busiest|quietest)"
_THING = r"(?P<when>(?:(?:\d+|two|three|four|five|ten) )?(?!day|hour|time|month|week|quarter|year)[a-z]+(?: [a-z]+)?)"
_RESTRICTED = r"(?P<rest>(?: (?:on|in|at|during|this|last|since|between|for) .+)?\W*)$"
_THINGS = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"^\W*(?:what|which) {_THING} (?:is|was|are|were) (?:(?:the|our|my) )?{_CROWDED}{_RESTRICTED}",
        rf"^\W*(?:(?:what|which|who)(?:'s| is| was| are| were)? )?(?:(?:the|our|my) )?{_CROWDED} {_THING}{_RESTRICTED}",
    )
)
_GREW = Pattern(
    r"^\W*(?:what|which) (?P<when>[a-z]+(?: [a-z]+)?) (?:got|became|were|was) (?P<how>busier|quieter)"
    rf" in (?P<year>{YEAR})\W*$",
    re.IGNORECASE,
)
_NO_EVENTS = frozenset(
    name_stems(
        "updated modified birth born hired left registered registration reg joined signed signup enrolled expires"
        " expiry valid due required planned until"
    )
)


def with_events(question: str, catalog: Catalog) -> str:
    """`which weekday had the most orders`, for a question that says no more than that it was the busiest; and so of
    shops, or whatever else events belong to."""
    if grew := _GREW.match(question):
        return _since_the_year_before(grew, catalog)
    said = next((found for each in (*_BARE, *_THINGS) if (found := each.match(question))), None)
    event = (_event(catalog, said["when"]) or event_of(said["when"], catalog) or _only(catalog)) if said else None
    if said is None or event is None:
        return question
    most = "most" if said["how"].lower() == "busiest" else "fewest"
    return f"which {said['when']} had the {most} {' '.join(table_words(event.name))}{said['rest']}"


def _only(catalog: Catalog) -> Table | None:
    """The only table, where its rows happen and are no people."""
    table = catalog.tables[0] if len(catalog.tables) == 1 else None
    return table if table and table.has_times and PERSONS.isdisjoint(table_stems(table.name)) else None


def _since_the_year_before(said: re.Match[str], catalog: Catalog) -> str:
    """`which stations got busier in 2024` as those that had more rides then than in 2023."""
    event = _event(catalog, said["when"]) or event_of(said["when"], catalog)
    if event is None:
        return said[0]
    more, year = "more" if said["how"].lower() == "busier" else "fewer", int(said["year"])
    return f"which {said['when']} had {more} {' '.join(table_words(event.name))} in {year} than in {year - 1}"


def _event(catalog: Catalog, when: str) -> Table | None:
    """The one kind of event, or that which all others belong to; for times of day those that keep such alone."""
    is_fine = bool(_OF_DAY.match(when))
    events = [each for each in catalog.tables if is_event(each) and (not is_fine or _keeps_hours(each))]
    whole = [each for each in events if all(other is each or belongs(other, each) for other in events)]
    return whole[0] if len(whole) == 1 else None


def _keeps_hours(table: Table) -> bool:
    return any(each.is_moment for each in table.columns)


def event_of(words: str, catalog: Catalog) -> Table | None:
    """Of the events that belong to what words name, that which most else belongs to: appointments, no leases."""
    called = {stem(each) for each in words.lower().split()}
    owners = [each for each in catalog.tables if called & set(table_stems(each.name)[-1:])]
    events = [each for each in catalog.tables if owners and is_event(each) and belongs(each, owners[0])]
    most = max((len(each.foreign_keys) for each in events), default=0)
    found = [each for each in events if len(each.foreign_keys) == most]
    return found[0] if len(owners) == len(found) == 1 else None


def is_event(table: Table) -> bool:
    """Whether its rows happened at a time, to something."""
    return happens(table) and any((key.ref_schema, key.ref_table) != table.key for key in table.foreign_keys)


def happens(table: Table) -> bool:
    """Whether its rows have a time at which they happened."""
    return any(column.is_time and _NO_EVENTS.isdisjoint(table.stems(column.name)) for column in table.columns)


def belongs(table: Table, owner: Table) -> bool:
    """Whether rows of a table point at those of the other."""
    return any((key.ref_schema, key.ref_table) == owner.key for key in table.foreign_keys)


def one_of(table: Table) -> str:
    """`an appointment`, by a table's name."""
    return with_article(" ".join(table_words(table.name)).removesuffix("s"))

"""Which of a table's dates tells when its rows happen: stays by the day they begin, not by the day they were booked.

A date may tell when something was booked, when it begins, when it ends, or when it ought to be done. What is booked
for a later day happens on that day; nothing happens on the day for which it was only promised. `resolve` asks here
for every period and grain, `whens` for trees that others wrote.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.date_names import COME, MEANT, begins, ends, is_broken_off, is_meant, stems_of
from pluto_duck_text2sql.language.words import STOP, name_parts, name_stems, root, stem, table_stems
from pluto_duck_text2sql.tree import Col

BOOKED = stems_of("booked booking reserved reservation requested")
"""Words for when it was agreed that something would happen."""
_SAID_BEGINS = frozenset("start starts started begin begins began begun commenced".split())
_SAID_ENDS = frozenset(
    "ended left quit cancelled canceled churned terminated expired lapsed stopped resigned retired dismissed".split()
)
_RUNS_OUT = frozenset("ended expired lapsed".split())
"""What is said of rows, as a verb: `the end of March` is said of none; what runs out is ended by nobody's deed."""
_CALLED_OFF = frozenset("cancelled canceled".split())
_ACTUAL = stem("actual")
"""What was called off has no actual end."""
_SAID_DONE = frozenset("finished finish completed complete produced produce output manufactured".split())
"""What is said of rows that came to their end as they ought to: by the day when they did, not by that of their plan."""
_CONCLUDES = stems_of("closed closing decided concluded settled")
_SAID_OUTCOME = frozenset("won win wins lost lose loses".split())
"""What became of it in the end, on the day on which it was closed: `deals won in May`."""
_COMES_ABOUT = stems_of(
    "opened created creation submitted raised placed ordered issued filed logged reported hired hire joined"
)
_ROOTS_OF_COMING = frozenset(
    """placed made created opened submitted raised ordered purchased bought posted asked written wrote joined filed
    logged reported issued received requested registered entered added uploaded published came come arrived started
    signed there happened took taken""".split()
)
"""What is said of rows that came to be, whatever the date of it is called; `were there`."""
_COME_ABOUT = frozenset("place make create open submit order buy post ask write join file log get have receive".split())
"""The same behind `did we`."""
_IRREGULAR = frozenset(
    """sold paid sent left lost won went gone met held kept taught built fixed shut cut hit read seen saw given gave
    drawn driven drove flown flew grown known shown broken chosen spoken stolen worn due done over""".split()
)
_BORN = stems_of("birth born")

SAID = 1.5
_HAPPENS, _ONLYMEANT = 0.3, 0.5
_COMES_FIRST = 0.3
_SHORTEST_ROOT = 4
_SHORTEST_DEED = 4
_DONE = ("ed", "en")
"""What a word for something done ends in."""


def deeds_of(stems: Collection[str]) -> frozenset[str]:
    """The words for what a date tells: its own, and all for coming about where it tells that."""
    return frozenset(stems) | (frozenset() if _COMES_ABOUT.isdisjoint(stems) else _COMES_ABOUT)


def only_tells_when(table: Table, name: str, deed: str) -> bool:
    """Whether a date is called as its rows are, by the stem of a deed that is done once there is such a row:
    `rating_date` of ratings; `delivered_at` of deliveries is no such."""
    rows = table_stems(table.name)
    parts = (each for each in name_parts(name) if stem(each) in rows)
    return deed in rows and any(not each.endswith(_DONE) for each in parts)


def happening(table: Table, name: str, said: Collection[str]) -> float:
    """How much likelier than other dates of its table one is, by the words said: these, and their stems."""
    stems = table.stems(name)
    if is_only_planned(table, name, said) and as_it_came(table, name):
        return -_ONLYMEANT
    by_name = not STOP.issuperset(set(stems) & set(said))
    if begins(stems):
        is_told = not by_name and not _SAID_BEGINS.isdisjoint(said)
        is_first = stems[:2] == COME or _is_booked_before(table)
        is_first = (is_first and BOOKED.isdisjoint(said)) or comes_first(table, name)
        return SAID * is_told + _HAPPENS * is_first
    if ends(stems):
        return SAID * (not by_name and _is_told_over(table, stems, said))
    if _CONCLUDES.intersection(stems) and not _SAID_OUTCOME.isdisjoint(said):
        return SAID
    if MEANT.intersection(stems):
        return -_ONLYMEANT * MEANT.isdisjoint(said)
    return _COMES_FIRST * comes_first(table, name)


def happened(table: Table, name: str, said: Collection[str]) -> str:
    """The date that is meant where one that nothing names is taken: the one told of, or where the booked begins."""
    is_booking = not BOOKED.isdisjoint(table.stems(name))
    least = _HAPPENS if is_booking else SAID
    times = [each.name for each in table.columns if each.is_time and each.name != name]
    if happening(table, name, said) >= SAID:
        return name
    if is_only_planned(table, name, said):
        done = [each for each in times if not is_meant(table.stems(each))]
        told = [each for each in done if happening(table, each, said) >= SAID]
        return _single(as_it_came(table, name) if _says_own(table, name, said) else told or done, name)
    fits = [each for each in times if happening(table, each, said) >= least]
    is_named = not STOP.issuperset(set(table.stems(name)) & set(said))
    own = [] if is_named else own_dates(table)
    return _single(fits or ([] if name in own else own), name)


def own_dates(table: Table) -> list[str]:
    """The dates that are called as the rows are: `discharged_at` of discharges, but not when they were only booked."""
    rows = table_stems(table.name)[-1]
    times = ((each.name, table.stems(each.name)) for each in table.columns if each.is_time)
    done = ((name, stems) for name, stems in times if not is_meant(stems) and BOOKED.isdisjoint(stems))
    return [name for name, stems in done if any(_are_of_one_origin(rows, each) for each in stems)]


def _are_of_one_origin(one: str, other: str) -> bool:
    """Whether two words share their root: `admission` and `admitted`, `rental` and `rented`."""
    short, long = sorted((one, other), key=len)
    return root(one) == root(other) or (len(short) >= _SHORTEST_ROOT and long.startswith(short))


def is_only_planned(table: Table, name: str, said: Collection[str]) -> bool:
    """Whether a date is one that something was only meant for, where no plan is spoken of."""
    return is_meant(table.stems(name)) and MEANT.isdisjoint(said)


def _says_own(table: Table, name: str, said: Collection[str]) -> bool:
    """Whether the words for a plan are not all that a date's name has of the words said."""
    return not STOP.issuperset((set(table.stems(name)) - MEANT) & set(said))


def _single(names: Sequence[str], other: str) -> str:
    return names[0] if len(names) == 1 else other


def as_it_came(table: Table, name: str) -> list[str]:
    """The dates on which that which one is only planned for came about: `actual_end` of `planned_end`."""
    own = set(table.stems(name)) - MEANT
    others = [each.name for each in table.columns if each.is_time and not is_meant(table.stems(each.name))]
    return [each for each in others if own and own <= set(table.stems(each))]


def dates_that_came(table: Table) -> list[Column]:
    """A table's dates, but those of a plan beside which it keeps when that came about."""
    times = [each for each in table.columns if each.is_time]
    return [each for each in times if not (is_meant(table.stems(each.name)) and as_it_came(table, each.name))]


def event_date(table: Table) -> str | None:
    """The one date that tells when a table's rows happen: its only one, or the one that all rows have and that comes
    first, or the day on which what was planned began; None where none is. A moment that is kept beside its day is no
    other."""
    times = [each for each in table.columns if each.is_time and not is_meant(table.stems(each.name))]
    if len({(str(each.minimum)[:10], str(each.maximum)[:10]) for each in times}) == 1:
        times = [each for each in times if not each.is_moment][:1] or times
    first = times if len(times) == 1 else [each for each in times if comes_first(table, each.name)]
    first = first or [each for each in times if begins(table.stems(each.name)) and _is_of_plan(table, each.name)]
    return first[0].name if len(first) == 1 else None


def came_about(table: Table) -> str | None:
    """The date by which a table's rows came to be: of several the one that all rows have and that comes first."""
    first = [each.name for each in table.columns if each.is_time and comes_first(table, each.name)]
    return first[0] if len(first) == 1 else None


def is_later_stage(table: Table, name: str) -> bool:
    """Whether a date tells what was done with rows that were there, not yet with all; or their last change."""
    column, stems = table.column(name), table.stems(name)
    if column is None or not column.is_time or begins(stems) or is_meant(stems):
        return False
    is_done_to_some = bool(column.null_fraction) and not _DONE_LATER.isdisjoint(stems)
    return is_done_to_some or not _EDITED.isdisjoint(stems)


def says_coming(words: Sequence[str]) -> bool:
    """Whether what is said to have been done with rows is nothing but that they came to be, if anything."""
    deeds = [each for each in words if (len(each) > _SHORTEST_DEED and each.endswith("ed")) or each in _IRREGULAR]
    asked = [deed for asks, _, deed in zip(words, words[1:], words[2:], strict=False) if asks in ("did", "do", "does")]
    return all(each in _ROOTS_OF_COMING for each in deeds) and all(each in _COME_ABOUT for each in asked)


def is_coming(word: str) -> bool:
    """Whether a word says that rows came to be."""
    return word in _ROOTS_OF_COMING


def _is_of_plan(table: Table, name: str) -> bool:
    """Whether a date is also kept as it was planned: what has not begun has none yet."""
    times = [each.name for each in table.columns if each.is_time and each.name != name]
    return any(is_meant(table.stems(each)) and name in as_it_came(table, each) for each in times)


def comes_first(table: Table, name: str) -> bool:
    """Whether a date is the one that all rows have, and the earliest: a ticket is opened before it is solved. Where it
    says that the row came about, others that all rows have are later at both ends, but that of a birth; where it says
    that the row begins, its end may be one that all rows have."""
    own, stems = table.column(name), table.stems(name)
    comes_about = not _COMES_ABOUT.isdisjoint(stems)
    others = [each for each in table.columns if each.is_time and each.name != name]
    others = [each for each in others if not is_meant(table.stems(each.name))]
    others = [each for each in others if not (comes_about and _BORN.intersection(table.stems(each.name)))]
    if own is None or own.null_fraction != 0 or own.minimum is None or not others:
        return False
    return all(
        _is_later(each.minimum, own.minimum)
        and bool(
            each.null_fraction
            or (comes_about and _is_later(each.maximum, own.maximum))
            or (begins(stems) and ends(table.stems(each.name)))
        )
        for each in others
    )


def _is_later(one: Any, other: Any) -> bool:
    """Whether a time is no earlier than another, as far as both tell their day."""
    return one is not None and str(one)[:10] >= str(other)[:10]


def _is_told_over(table: Table, stems: tuple[str, ...], said: Collection[str]) -> bool:
    """Whether what is said of rows is that they are over, by the date of these words."""
    words = _SAID_ENDS - _CALLED_OFF if _ACTUAL in stems else _SAID_ENDS
    is_done = stem("end") in stems and not _SAID_DONE.isdisjoint(said)
    return is_done or (not words.isdisjoint(said) and not _is_of_other_end(table, stems, said))


def _is_of_other_end(table: Table, stems: tuple[str, ...], said: Collection[str]) -> bool:
    """Whether a date tells when rows were broken off, those said run out, and the table keeps the day of that too."""
    times = (table.stems(each.name) for each in table.columns if each.is_time)
    runs_out = any(ends(each) and not is_broken_off(each) for each in times)
    return runs_out and is_broken_off(stems) and not _RUNS_OUT.isdisjoint(said)


def _is_booked_before(table: Table) -> bool:
    """Whether a table's rows keep when they were booked besides when they begin."""
    return any(each.is_time and not BOOKED.isdisjoint(table.stems(each.name)) for each in table.columns)


_LAST = frozenset(map(stem, ("last", "latest", "recent")))
_EDITED = _LAST | stems_of("edited edit modified modification updated update changed")
_DONE_LATER = stems_of(
    "approved approval replied reply answered answer responded response solved resolved shipped shipping dispatched"
    " delivered delivery carrier received acknowledged confirmed confirmation verified reviewed processed closed"
    " completed finished archived owned accessed seen"
)
"""What is done with what came to be: nobody's `orders per month` are those that were shipped in it."""


def is_last(column: Col, catalog: Catalog) -> bool:
    """Whether a date is that of the latest of several deeds, by its name."""
    stored = catalog.column(*column.table, column.name)
    return stored is not None and stored.is_time and not _LAST.isdisjoint(name_stems(column.name))

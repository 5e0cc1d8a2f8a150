"""Columns called after a part that somebody plays, and what they point at: `coach_id` at staff, `reports_to` at itself.

A name of a table suggests nothing here. `coach_id` may point at people of whom some are coaches, `sold_by` at the staff
of a house, `manager_id`, `referred_by` and `parent_id` at rows of the table that they stand in, `adopter_id` at the
only people that there are. What is suggested is a key only where the data bears it out (keys.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.execution.key_names import NUMBERING, SAYING_NOTHING
from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.language.abbreviations import spelt_out
from pluto_duck_text2sql.language.words import name_parts, stem, table_stems

_KEYS = SAYING_NOTHING | NUMBERING
_DOING = frozenset(("by", "to"))
_STAFF = frozenset(map(stem, "employee staff personnel worker colleague user".split()))
_ANYBODY = frozenset(map(stem, "person people team crew".split()))
"""Whoever works where nobody is called staff."""
_PEOPLE = _STAFF | frozenset(
    map(
        stem,
        """person people member customer client patient student pupil player athlete subscriber guest volunteer driver
        musician artist resident""".split(),
    )
)
_OF_PEOPLE = frozenset(
    map(stem, "first last full surname forename birth born hired hire gender email salary firstname lastname".split())
)
_ABOVE = frozenset("manager boss supervisor superior lead leader mentor coach head reports referrer sponsor".split())
_BROUGHT = frozenset("referred invited introduced recommended recruited sponsored mentored brought".split())
_PARENT = frozenset("parent previous prior original predecessor replaces superseded replaced mother".split())
_WORKERS = frozenset(
    """manager supervisor lead leader agent rep representative owner assignee seller salesperson cashier clerk server
    waiter technician engineer mechanic inspector driver courier rider coach trainer instructor teacher tutor lecturer
    doctor physician vet dentist therapist nurse surgeon author editor reviewer approver recruiter adjuster handler
    operator host planner officer consultant advisor adviser stylist groomer guide pilot captain chef receptionist
    creator""".split()
)
_PERSONS = frozenset(
    """adopter donor holder buyer payer sender receiver recipient renter tenant speaker winner loser borrower lender
    guarantor applicant bidder giver visitor attendee participant organizer organiser guardian spouse partner requester
    requestor reporter examiner assessor judge referee umpire producer director composer conductor soloist foreman
    helper assistant trainee apprentice moderator breeder keeper builder designer caller beneficiary contact""".split()
)
_CALLED_SO = _PEOPLE | frozenset(map(stem, _WORKERS | _PERSONS))
_MOST_KINDS = 50


@dataclass(frozen=True)
class RoleKey:
    """A column by the words of its name: `head_coach_id` is of a head coach, `sold_by` of what was done."""

    role: tuple[str, ...]
    does: bool

    @classmethod
    def of(cls, column: Column) -> RoleKey | None:
        """None where its name is no pointer's."""
        parts = tuple(word for part in name_parts(column.name) for word in spelt_out(part).split())
        role = tuple(each for each in parts if stem(each) not in _KEYS)
        if not role or column.kind not in ("number", "text"):
            return None
        does, is_key = role[-1] in _DOING, role != parts
        known = _ABOVE | _PARENT | _WORKERS
        return cls(role, does) if len(role) > does and (is_key or does or role[-1] in known) else None

    @property
    def is_above(self) -> bool:
        """Whether it is called after who stands above, or brought somebody in."""
        return bool((_ABOVE | _BROUGHT).intersection(self.role))

    @property
    def is_of_somebody(self) -> bool:
        """Whether it is called after what only a person can be, at work or not."""
        return self.role[-1] in _PERSONS | _WORKERS

    @property
    def is_of_work(self) -> bool:
        return self.does or self.role[-1] in _WORKERS


def suggested(session: Session, column: Column, own: Table, tables: Sequence[Table]) -> Iterator[Table]:
    """The tables that a column of `own` may point at, the likeliest first."""
    key = RoleKey.of(column)
    if key is None:
        return
    fitting = [each for each in tables if each.schema == own.schema and _fits(column, each)]
    if not key.does:
        yield from (each for each in fitting if is_of_people(each) and _plays(session, each, key.role))
    is_own = own in fitting
    if is_own and (_PARENT.intersection(key.role) or (key.is_above and is_of_people(own))):
        yield own
    if key.is_of_work:
        staff = [each for each in fitting if _STAFF.intersection(table_stems(each.name)[-1:])]
        staff = staff or [each for each in fitting if _ANYBODY.intersection(table_stems(each.name)[-1:])]
        yield from sorted(staff, key=lambda each: each.key != own.key)
    if key.is_of_somebody:
        people = [each for each in fitting if is_of_people(each)]
        others = [each for each in people if each is not own]
        told = others if key.is_of_work and len(people) > 1 else people  # a student's advisor is no student
        yield from told if len(told) == 1 else ()


def is_of_people(table: Table) -> bool:
    """Whether its rows are people: by its name, or by what only people have."""
    if _CALLED_SO.intersection(table_stems(table.name)[-1:]):
        return True
    words = [each for column in table.columns for each in table.stems(column.name)]
    return len(_OF_PEOPLE.intersection(words)) > 1


def _fits(column: Column, parent: Table) -> bool:
    key = parent.column(parent.primary_key[0]) if len(parent.primary_key) == 1 else None
    return key is not None and key.kind == column.kind and key.name != column.name


def _plays(session: Session, table: Table, role: tuple[str, ...]) -> bool:
    """Whether some of its people are called so in a column that sorts them: `coach`, `Senior coach`."""
    kinds = [c for c in table.columns if c.kind == "text" and 1 < (c.n_distinct or 0) <= _MOST_KINDS]
    said = " ".join(role)
    return any(_holds(session, table, column, said) for column in kinds)


def _holds(session: Session, table: Table, column: Column, said: str) -> bool:
    name = f"lower(replace({quote(column.name)}, '_', ' '))"
    source = f"{quote(table.schema)}.{quote(table.name)}"
    ends = f"ends_with({name}, {literal(' ' + said)})"
    return session.row(f"SELECT 1 FROM {source} WHERE {name} = {literal(said)} OR {ends} LIMIT 1") is not None

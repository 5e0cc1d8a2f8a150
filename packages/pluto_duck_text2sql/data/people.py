"""Which tables' rows are people."""

from __future__ import annotations

from collections.abc import Sequence

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.tree import Col

PERSONS = frozenset(
    map(
        stem,
        """
        person people customer client user member subscriber patient guest visitor passenger student pupil
        teacher employee worker staff manager driver player artist author buyer seller owner tenant doctor
        physician nurse learner instructor tutor trainer coach lecturer professor translator interpreter
        ranger host donor volunteer vendor contractor supplier broker dentist vet veterinarian therapist
        mechanic technician engineer attendant rider runner skater swimmer athlete referee umpire judge
        arbiter pilot captain waiter chef cook stylist hairdresser groomer cleaner carer caregiver guide
        photographer designer painter singer musician composer director actor writer editor reviewer
        borrower renter landlord lawyer attorney accountant consultant freelancer applicant candidate
        recruiter participant competitor contestant consignor bidder specialist surveyor inspector installer
        electrician plumber courier agent shopper resident
        """.split(),
    )
)
_IN_FULL = (stem("full"), stem("name"))


def is_of_people(table: Table, label: Sequence[Col]) -> bool:
    """Whether the rows of a table are people: called by two names or a full one, or by a word for them."""
    named_in_full = any(table.stems(each.name) == _IN_FULL for each in label)
    return len(label) > 1 or named_in_full or bool(PERSONS.intersection(table_stems(table.name)[-1:]))

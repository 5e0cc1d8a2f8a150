"""What is owed, as bills that are outstanding: `which customers owe us money`, `how much do tenants still owe`.

Called by `by_rows`, where a table is called by bills; which of them are is others' to tell (openness.py).
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.links import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern

_BILLS = ("invoices", "bills", "dues", "premiums", "instalments")
_DEBTORS = ("customers", "clients", "members", "tenants", "patients", "guests", "students", "buyers")
_STILL = r"(?:still |currently )?"
_TO_US = r"(?: (?:to )?us)?"
_WHO = Pattern(
    rf"\b(?P<who>who|(?:which|what) [a-z]+(?: [a-z]+)?) {_STILL}owe[sd]?{_TO_US}"
    r"(?: (?:any )?(?:money|something|anything)|(?P<most> the most(?: money)?))?"
    r"(?=\W*$| (?:for|in|since|at|from|by)\b)",
    re.IGNORECASE,
)
_HOW_MUCH = Pattern(
    r"\bhow much (?:money )?"
    rf"(?:(?:do|does) [a-z]+(?: [a-z]+)? {_STILL}owe|(?:is|are we) {_STILL}owed){_TO_US}"
    r"(?=\W*$| (?:for|in|since|at|from|by)\b)",
    re.IGNORECASE,
)


def with_unpaid(question: str, names: NameIndex) -> str:
    """The question about outstanding bills, since what is void is not owed; as it is where no such is asked, or no
    table is called so."""
    bills = next((each for each in _BILLS if names.rows(each)), "")
    if not bills:
        return question

    def who(said: re.Match[str]) -> str:
        debtors = next((f"which {each}" for each in _DEBTORS if names.rows(each)), "")
        whom = debtors if said["who"].lower() == "who" else said["who"]
        have = "has the highest total amount of" if said["most"] else "have"
        return f"{whom} {have} outstanding {bills}" if whom else said[0]

    return _HOW_MUCH.sub(f"what is the total amount of outstanding {bills}", _WHO.sub(who, question))

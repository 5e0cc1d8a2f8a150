"""What is owed, as bills that are outstanding: `which customers owe us money`, `how much do tenants still owe`.

Called by `by_rows`, where a table is called by bills; which of them are is others' to tell (openness.py).
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_words, stem, table_words

_BILLS = ("invoices", "bills", "dues", "premiums", "instalments")
_DEBTORS = ("customers", "clients", "members", "tenants", "patients", "guests", "students", "buyers")
_PAID, _SO_FAR = stem("paid"), frozenset(map(stem, "paid amount sum total so far".split()))
_WHOLES = tuple(map(stem, ("total", "price", "amount", "due")))
_VOID = ("cancelled", "canceled")
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


def with_unpaid(question: str, names: NameIndex, catalog: Catalog) -> str:
    """The question about outstanding bills, since what is void is not owed; as it is where no such is asked, or no
    table is called so. Where one table alone keeps what was paid beside a total, what lacks of that is owed."""
    if "owe" not in question.lower():
        return question
    bills = next((each for each in _BILLS if names.rows(each)), "")
    if not bills:
        lacking = _lacking(catalog)
        return _HOW_MUCH.sub(lambda _: lacking, question) if lacking else question

    def who(said: re.Match[str]) -> str:
        debtors = next((f"which {each}" for each in _DEBTORS if names.rows(each)), "")
        whom = debtors if said["who"].lower() == "who" else said["who"]
        have = "has the highest total amount of" if said["most"] else "have"
        return f"{whom} {have} outstanding {bills}" if whom else said[0]

    return _HOW_MUCH.sub(f"what is the total amount of outstanding {bills}", _WHO.sub(who, question))


def _lacking(catalog: Catalog) -> str:
    """What is yet to be paid, by the names of the columns; nothing where no table or several tell it."""
    found = [(table, *columns) for table in catalog.tables if (columns := _paid_of(table))]
    if len(found) != 1:
        return ""
    table, whole, paid = found[0]
    amounts = " minus ".join(" ".join(name_words(each.name)) for each in (whole, paid))
    void = next((each for each in _VOID if any(hit.table == table.name for hit in catalog.values.lookup(each))), "")
    rows = " ".join(table_words(table.name))
    return f"{amounts} of {rows}{f' that are not {void}' if void else ''}"


def _paid_of(table: Table) -> tuple[Column, Column] | None:
    """The total of each row and what was paid of it."""
    numbers = [(each, {*table.stems(each.name)}) for each in table.columns if each.kind == "number"]
    paid = [each for each, stems in numbers if _PAID in stems and stems <= _SO_FAR]
    wholes = [[each for each, stems in numbers if word in stems and _PAID not in stems] for word in _WHOLES]
    whole = next((each for each in wholes if each), [])
    return (whole[0], paid[0]) if len(paid) == len(whole) == 1 else None

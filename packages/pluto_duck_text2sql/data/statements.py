"""Statements of accounts: rows with what went out, what came in, and often the balance after each.

`Paid Out`, `Debit`, `Withdrawals` beside `Paid In`, `Credit`, `Deposits`. What is spent is what went out; a balance is
that of a moment, which no sum of rows is.
"""

from __future__ import annotations

from dataclasses import dataclass

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.words import name_stems
from pluto_duck_text2sql.tree import Col

_OUT = ("paid out", "money out", "debit", "debit amount", "withdrawal", "withdrawn", "outflow", "amount out", "spent")
_IN = ("paid in", "money in", "credit", "credit amount", "deposit", "inflow", "amount in", "received")
_BALANCE = ("balance", "running balance", "account balance", "closing balance")


@dataclass(frozen=True)
class Statement:
    """The columns of a statement; `balance` and `date` where it has one of each."""

    went_out: Col
    came_in: Col
    balance: Col | None
    date: Col | None


def statements(catalog: Catalog) -> list[Statement]:
    """The statements among the tables."""
    return [found for table in catalog.tables if (found := statement_of(table))]


def statement_of(table: Table) -> Statement | None:
    """A table as a statement; None where it is none."""
    out, came, balance = (_called(table, names) for names in (_OUT, _IN, _BALANCE))
    dates = [Col(table.key, each.name) for each in table.columns if each.is_time]
    if out is None or came is None:
        return None
    return Statement(out, came, balance, dates[0] if len(dates) == 1 else None)


def _called(table: Table, names: tuple[str, ...]) -> Col | None:
    known = {name_stems(each) for each in names}
    numbers = [each.name for each in table.columns if each.kind == "number" and name_stems(each.name) in known]
    return Col(table.key, numbers[0]) if len(numbers) == 1 else None

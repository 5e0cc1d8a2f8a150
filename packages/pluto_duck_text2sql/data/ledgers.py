"""Ledgers: rows with a day, the name of an account and an amount, or one for each way that money goes."""

from __future__ import annotations

from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.data.statements import statement_of
from pluto_duck_text2sql.language.words import stem, table_stems

_ACCOUNT = stem("account")
_KIND = frozenset(map(stem, "account category".split()))
_LEDGERS = frozenset(
    map(stem, "ledger journal booking posting expense spending cashbook transaction expenditure".split())
)
_AMOUNTS = frozenset(map(stem, "amount value net gross sum total cost".split()))
_LEAST, _MOST_ACCOUNTS = 2, 200


def accounts_of(table: Table) -> Column | None:
    """The names of a ledger's accounts; None where it is none."""
    is_booked = any(each.is_time for each in table.columns) and (_has_amount(table) or statement_of(table) is not None)
    is_ledger = not _LEDGERS.isdisjoint(table_stems(table.name))
    texts = [
        each for each in table.columns if each.kind == "text" and _LEAST <= (each.n_distinct or 0) <= _MOST_ACCOUNTS
    ]
    called = [each for each in texts if _ACCOUNT in table.stems(each.name)]
    kinds = [each for each in texts if is_ledger and not _KIND.isdisjoint(table.stems(each.name))]
    found = called or kinds
    return found[0] if is_booked and len(found) == 1 else None


def _has_amount(table: Table) -> bool:
    """Whether one column alone holds an amount."""
    numbers = [each for each in table.columns if each.kind == "number"]
    return sum(not _AMOUNTS.isdisjoint(table.stems(each.name)) for each in numbers) == 1

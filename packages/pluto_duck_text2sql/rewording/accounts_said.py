"""What was booked on an account: `total wages per year`, `fuel costs by month`, `repairs vs rent` are what was spent on it.

A ledger has rows with a day, an account's name and an amount. Its accounts are called after what money is spent on, which
is told by no column; nobody asks how many bookings there were by saying `wages`. Called by `analyst` before anything
else reads the question. An account of income says so itself, and what another table keeps too is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.links import NameIndex
from pluto_duck_text2sql.data.statements import statement_of
from pluto_duck_text2sql.language.words import STOP, name_stems, stem, table_stems, tokenise

_ACCOUNT = stem("account")
_KIND = frozenset(map(stem, "account category".split()))
_LEDGERS = frozenset(
    map(stem, "ledger journal booking posting expense spending cashbook transaction expenditure".split())
)
_AMOUNTS = frozenset(map(stem, "amount value net gross sum total cost".split()))
_INCOME = frozenset(map(stem, "income revenue sale sales fee takings earnings turnover interest donation grant profit".split()))
_TIMES = frozenset(map(stem, "day week month quarter year".split()))
_LEAD = r"(?:what (?:are|were|is|was)|show(?: me)?|give me|list|compare|how (?:high|much) (?:are|were|is|was)|and)"
_AND = r"(?: ?, ?| and | & | or | vs\.? | versus | against | with | compared (?:to|with) )"
_COSTS = r"(?: (?:costs?|expenses?|spending|spend|expenditures?|bills?))?"
_REST = r"(?: (?:by|per|in|at|for|during|over|since|each|every|last|this|from|between|until|before|after|so far|so|ytd)\b.*)?"
_NAMED, _LEAST, _MOST_ACCOUNTS = 0.9, 2, 200


class AccountsSaid:
    """Rewords questions over one catalog."""

    def __init__(self, catalog: Catalog, names: NameIndex) -> None:
        self._catalog, self._names = catalog, names

    def said(self, question: str) -> str:
        """The question with `spend on` before the accounts that it is about."""
        question = self._with_signs(question) if self._pattern else question
        found = self._pattern.match(question.strip()) if self._pattern else None
        if found is None or not self._is_of_ledger(found["rest"] or ""):
            return question
        return f"{found['total'] or ''}spend on {found['what']}{found['rest'] or ''}"

    def _with_signs(self, question: str) -> str:
        """The question with `&` in an account's name as it is stored: `jars and lids` are one."""
        for name in self._with_sign:
            question = re.sub(rf"\b{_as_said(name)}\b", lambda _, name=name: name, question, flags=re.IGNORECASE)
        return question

    @cached_property
    def _with_sign(self) -> list[str]:
        return [name for name in self._accounts() if "&" in name]

    @cached_property
    def _ledger(self) -> tuple[Table, Column] | None:
        """The only ledger, and the column of its accounts."""
        found = [(table, column) for table in self._catalog.tables if (column := _accounts_of(table))]
        return found[0] if len(found) == 1 else None

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        """A question that is about accounts and nothing else, the longest name first; None where there are none."""
        names = sorted(map(_as_said, self._accounts()), key=len, reverse=True)
        if not names:
            return None
        account = rf"(?:{'|'.join(names)})"
        said = rf"(?:{_LEAD} )?(?:the |our |my )?(?P<total>(?:total|overall) )?(?P<what>{account}(?:{_AND}{account})*)"
        return re.compile(rf"{said}{_COSTS}(?P<rest>{_REST})[ ?.!]*$", re.IGNORECASE)

    def _accounts(self) -> Iterator[str]:
        """The accounts whose names say neither that they are of income nor what else is kept."""
        if self._ledger is None:
            return
        table, column = self._ledger
        for name in self._catalog.values.held_in(table.schema, table.name, column.name):
            stems = name_stems(name)
            if stems and _INCOME.isdisjoint(stems) and not self._is_kept_elsewhere(stems, table):
                yield name

    def _is_kept_elsewhere(self, stems: tuple[str, ...], ledger: Table) -> bool:
        named = self._names.find(stems)
        return any(each.score >= _NAMED and each.table.key != ledger.key for each in named)

    def _is_of_ledger(self, rest: str) -> bool:
        """Whether what follows names nothing that only other tables keep."""
        assert self._ledger is not None
        key = self._ledger[0].key
        for token in tokenise(rest):
            named = [] if token.lower in STOP or token.stem in _TIMES else self._names.find((token.stem,))
            if named and not any(each.table.key == key for each in named):
                return False
        return True


def _as_said(name: str) -> str:
    """A name as a pattern, `&` being `and` too."""
    words = re.split(r"\s*&\s*|\s+and\s+", name.strip())
    return r" (?:&|and) ".join(re.escape(each) for each in words)


def _accounts_of(table: Table) -> Column | None:
    """The names of a ledger's accounts; None where it is none."""
    is_booked = any(each.is_time for each in table.columns) and (_has_amount(table) or statement_of(table) is not None)
    is_ledger = not _LEDGERS.isdisjoint(table_stems(table.name))
    texts = [each for each in table.columns if each.kind == "text" and _LEAST <= (each.n_distinct or 0) <= _MOST_ACCOUNTS]
    called = [each for each in texts if _ACCOUNT in table.stems(each.name)]
    kinds = [each for each in texts if is_ledger and not _KIND.isdisjoint(table.stems(each.name))]
    found = called or kinds
    return found[0] if is_booked and len(found) == 1 else None


def _has_amount(table: Table) -> bool:
    """Whether one column alone holds an amount."""
    numbers = [each for each in table.columns if each.kind == "number"]
    return sum(not _AMOUNTS.isdisjoint(table.stems(each.name)) for each in numbers) == 1

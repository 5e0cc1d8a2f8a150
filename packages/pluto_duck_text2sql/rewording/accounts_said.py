"""What was booked on an account: `total wages per year`, `fuel costs by month`, `repairs vs rent` are what it cost.

A ledger has rows with a day, an account's name and an amount. Its accounts are called after what money is spent on,
which is told by no column; nobody asks how many bookings there were by saying `wages`. Called by `analyst` before
anything else reads the question. An account of income says so itself, and what another table keeps too is left as it
is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.ledgers import accounts_of
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, name_stems, stem, tokenise

_INCOME = frozenset(
    map(stem, "income revenue sale sales fee takings earnings turnover interest donation grant profit".split())
)
_TIMES = frozenset(map(stem, "day week month quarter year".split()))
_LEAD = r"(?:what (?:are|were|is|was)|show(?: me)?|give me|list|compare|how (?:high|much) (?:are|were|is|was)|and)"
_AND = r"(?: ?, ?| and | & | or | vs\.? | versus | against | with | compared (?:to|with) )"
_COST = Pattern(r" (?:costs?|expenses?|spending|spend|expenditures?|bills?)\b", re.IGNORECASE)
_COSTS = rf"(?:{_COST.pattern})?"
_REST = (
    r"(?: (?:by|per|in|at|for|during|over|since|each|every|last|this|from|between|until|before|after|so far|ytd)\b.*)?"
)
_NAMED = 0.9


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
        accounts = _COST.sub("", found["what"] or found["costs"])
        return f"{found['total'] or ''}spend on {accounts}{found['rest'] or ''}"

    def _with_signs(self, question: str) -> str:
        """The question with `&` in an account's name as it is stored: `jars and lids` are one."""
        for name in self._with_sign:
            stored = name.replace("\\", r"\\")
            question = re.sub(rf"\b{_as_said(name)}\b", stored, question, flags=re.IGNORECASE)
        return question

    @cached_property
    def _with_sign(self) -> list[str]:
        return [name for name in self._accounts() if "&" in name]

    @cached_property
    def _ledger(self) -> tuple[Table, Column] | None:
        """The only ledger, and the column of its accounts."""
        found = [(table, column) for table in self._catalog.tables if (column := accounts_of(table))]
        return found[0] if len(found) == 1 else None

    @cached_property
    def _pattern(self) -> Pattern | None:
        """A question that is about accounts and nothing else, the longest name first; None where there are none."""
        names = sorted(map(_as_said, self._accounts()), key=len, reverse=True)
        if not names:
            return None
        account = rf"(?:{'|'.join(names)})"
        what = rf"{account}(?:{_COSTS}{_AND}{account})*"
        said = rf"(?:{_LEAD} )?(?:the |our |my )?(?P<total>(?:total|overall) )?(?P<what>{what}){_COSTS}"
        asked = rf"(?:what|how much) (?:did|does|do|has|have) (?:the |our |my )?(?P<costs>{what}) cost(?:ed)?(?: us)?"
        return Pattern(rf"(?:{said}|{asked})(?P<rest>{_REST})[ ?.!]*$", re.IGNORECASE)

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

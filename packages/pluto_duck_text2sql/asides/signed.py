"""Amounts whose sign says where money goes: `spending by category`, `income per month`, `the balance of each account`.

Where one column alone holds amounts below and above zero and nothing is called what the question says, spending is what
lies below zero, told as a positive amount, income what lies above, and a balance both. Where a column beside the one
amount of a ledger says so (`direction`: in, out), they are the rows that it calls so. Taken out of the question by
asides.py, and put into the tree of the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from pluto_duck_text2sql.asides.aside import Aside
from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.ledgers import accounts_of
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import name_words, stem
from pluto_duck_text2sql.tree import Agg, Col, Compare, Cond, Minus, Number, Query, columns_in, mapped, nodes_in

_SPEND = r"(?<!\bwe )(?<!\byou )(?<!\bthey )(?<!\bi )(?<!\bto )spend(?= (?:on|by|per|in|for|at)\b)"
_OUT = rf"spendings?|{_SPEND}|expenses?|expenditures?|outgoings?|outflows?"
_IN = r"incomes?|inflows?"
_BOTH = r"balances?|net (?:cash ?)?flow|cash ?flow|net (?:amount|total|income)"
_WHO = r"(?:i|we|you|they|the [a-z]+)"
_OUT_DEED = (
    rf"how much (?:money )?(?:(?:did|do|does|have|has) {_WHO} (?:spend|spent|pay|paid)"
    r"|(?:was|is|has been) (?:spent|paid out)"
    rf"|went out)|(?:amounts?|money) (?:(?:that )?{_WHO} )?(?:spent|spend|paid out)"
)
_IN_DEED = (
    rf"how much (?:money )?(?:(?:did|do|does|have|has) {_WHO} (?:earn|earned|receive|received|get)"
    rf"|(?:was|is|has been) (?:earned|received)|came in|comes in)"
    rf"|(?:amounts?|money) (?:(?:that )?{_WHO} )?(?:earned|received)"
)
_SAID = Pattern(rf"\b(?:(?P<net>{_BOTH})|(?P<out>{_OUT}|{_OUT_DEED})|(?P<into>{_IN}|{_IN_DEED}))\b", re.IGNORECASE)
_PAIR = Pattern(
    rf"\b(?:(?P<first>{_IN}) (?:and|versus|vs\.?|against|compared (?:to|with)) (?:the )?(?:{_OUT})"
    rf"|(?:{_OUT}) (?:and|versus|vs\.?|against|compared (?:to|with)) (?:the )?(?:{_IN}))\b",
    re.IGNORECASE,
)
_FIGURE = Pattern(
    r"\b(?:total|sum|average|mean|median|biggest|highest|largest|smallest|lowest|most|maximum|minimum|how many|number"
    r"|share|percentage|part)\b",
    re.IGNORECASE,
)
_AMOUNTS = frozenset(map(stem, "amount value sum total transaction turnover movement booking".split()))
_WAYS = {"out": ("spend", "expense"), "into": ("income", "earning"), "net": ("balance",)}
_PLAIN = frozenset(map(stem, "how much money did do does was is the that we i you they total net by and".split()))
_CLEARLY, _CALLED = 0.6, 0.9
"""How well a name fits that takes the words for itself, and where a ledger tells the ways by words."""
_PAIR_OF_WAYS = 2
_WENT_OUT = frozenset(
    map(stem, "out expense expenses outgoing outflow debit spending expenditure cost payment".split())
)
_CAME_IN = frozenset(map(stem, "in income incoming inflow credit revenue receipt".split()))
_BY_SIGN = "In {}.{} amounts below zero are money spent, those above it income."


@dataclass(frozen=True)
class _Flow:
    """An amount, and how its rows say that money went out or came in: by its sign, or by another column's words."""

    amount: Col
    told_by: Col | None = None
    out: str = ""
    into: str = ""

    def side(self, is_out: bool) -> Cond:
        if self.told_by is None:
            return Compare(self.amount, "<" if is_out else ">", 0)
        return Compare(self.told_by, "=", self.out if is_out else self.into)

    @property
    def told(self) -> str:
        if self.told_by is None:
            return _BY_SIGN.format(self.amount.table[1], self.amount.name)
        return f"{self.told_by.name} says what is money spent ({self.out}) and what is income ({self.into})."


class Signed:
    """Finds what a question says of money's way, over one catalog."""

    def __init__(self, catalog: Catalog, names: NameIndex) -> None:
        self._catalog, self._names = catalog, names
        found = [
            _Flow(Col(table.key, column.name))
            for table in catalog.tables
            for column in table.columns
            if _is_signed(table, column)
        ]
        found = found or [flow for table in catalog.tables if (flow := _directed(table, catalog))]
        self._flow = found[0] if len(found) == 1 else None
        self._called = " ".join(name_words(self._flow.amount.name)) if self._flow else ""

    def aside(self, question: str) -> Aside | None:
        """What the question says of it; None where it says nothing, or something is called so."""
        if self._flow is None:
            return None
        flow, called = self._flow, self._called
        pair = _PAIR.search(question)
        found = pair or _SAID.search(question)
        if found is None or not self._is_free(found) or (flow.told_by and found.groupdict().get("net")):
            return None
        before, after = question[: found.start()], question[found.end() :]
        amount = called if _FIGURE.search(f"{before} {after}") else f"total {called}"
        text = tidy(f"{before}{amount}{after}")
        if pair:
            return Aside(text, lambda query: _apart(query, flow, bool(pair["first"])), (flow.told,))
        return Aside(text, _change(flow, found), (flow.told,))

    def _is_free(self, said: re.Match[str]) -> bool:
        """Whether nothing is called, and no value is, what the words say or others for it."""
        groups = said.groupdict()
        words = {
            *_WAYS["out" if groups.get("out") else "into" if groups.get("into") else "net"],
            *said[0].lower().split(),
        }
        stems = {stem(each) for each in words} - {stem(each) for each in name_words(self._called)} - _PLAIN
        least = _CLEARLY if self._flow is None or self._flow.told_by is None else _CALLED
        named = any(each.column and each.score >= least for one in stems for each in self._names.called((one,)))
        return not named and not self._catalog.values.lookup(said[0], 1)


def _is_signed(table: Table, column: Column) -> bool:
    low, high = column.minimum, column.maximum
    if column.kind != "number" or low is None or high is None or _AMOUNTS.isdisjoint(table.stems(column.name)):
        return False
    return float(low) < 0 < float(high)


def _directed(table: Table, catalog: Catalog) -> _Flow | None:
    """A ledger with one amount and a column that says which way it went."""
    amounts = [
        each for each in table.columns if each.kind == "number" and not _AMOUNTS.isdisjoint(table.stems(each.name))
    ]
    if accounts_of(table) is None or len(amounts) != 1:
        return None
    for column in (each for each in table.columns if each.kind == "text" and each.n_distinct == _PAIR_OF_WAYS):
        values = catalog.values.held_in(table.schema, table.name, column.name)
        out = [each for each in values if stem(each.lower()) in _WENT_OUT]
        into = [each for each in values if stem(each.lower()) in _CAME_IN]
        if len(out) == len(into) == 1:
            return _Flow(Col(table.key, amounts[0].name), Col(table.key, column.name), out[0], into[0])
    return None


def _change(flow: _Flow, said: re.Match[str]) -> Any:
    groups = said.groupdict()
    if groups.get("net"):
        return lambda query: query if flow.amount in set(columns_in(query.select)) else None
    return lambda query: _one_way(query, flow, bool(groups["out"]))


def _one_way(query: Query, flow: _Flow, is_out: bool) -> Query | None:
    """The query over the amounts that went out, as positive ones, or over those that came in."""
    column, told = flow.amount, flow.side(is_out)
    if column.table not in {each.table for each in columns_in(query)} | {query.anchor} or told in query.where:
        return None
    if column not in set(columns_in(query)):
        return None
    turned = _turned(query, column) if is_out and flow.told_by is None else query
    return replace(turned, where=(*turned.where, told))


def _apart(query: Query, flow: _Flow, income_first: bool) -> Query | None:
    """Both ways side by side in the place of what they add up to."""
    total = next((each for each in query.select if isinstance(each, Agg) and each.of == flow.amount), None)
    if total is None:
        return None
    into = replace(total, where=(*total.where, flow.side(False)))
    turned = _turned(total, flow.amount) if flow.told_by is None else total
    out = replace(turned, where=(*total.where, flow.side(True)))
    both = (into, out) if income_first else (out, into)
    place = query.select.index(total)
    order = tuple(each for each in query.order if total not in set(nodes_in(each)))
    return replace(query, select=(*query.select[:place], *both, *query.select[place + 1 :]), order=order)


def _turned(part: Any, column: Col) -> Any:
    return mapped(part, lambda each: Minus(Number(0), column) if each == column else each)

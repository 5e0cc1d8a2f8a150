"""Amounts whose sign says where money goes: `spending by category`, `income per month`, `the balance of each account`.

Where one column alone holds amounts below and above zero and nothing is called what the question says, spending is what
lies below zero, told as a positive amount, income what lies above, and a balance both. Taken out of the question by
asides.py, and put into the tree of the rest.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.asides.aside import Aside
from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.links import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import name_words, stem
from pluto_duck_text2sql.tree import Agg, Col, Compare, Cond, Minus, Number, Query, columns_in, mapped, nodes_in

_OUT = r"spendings?|expenses?|expenditures?|outgoings?|outflows?"
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
_CLEARLY = 0.6


class Signed:
    """Finds what a question says of money's way, over one catalog."""

    def __init__(self, catalog: Catalog, names: NameIndex) -> None:
        self._catalog, self._names = catalog, names
        found = [(table, column) for table in catalog.tables for column in table.columns if _is_signed(table, column)]
        self._column = Col(found[0][0].key, found[0][1].name) if len(found) == 1 else None
        self._called = " ".join(name_words(self._column.name)) if self._column else ""

    def aside(self, question: str) -> Aside | None:
        """What the question says of it; None where it says nothing, or something is called so."""
        if self._column is None:
            return None
        column, called = self._column, self._called
        pair = _PAIR.search(question)
        found = pair or _SAID.search(question)
        if found is None or not self._is_free(found):
            return None
        before, after = question[: found.start()], question[found.end() :]
        amount = called if _FIGURE.search(f"{before} {after}") else f"total {called}"
        text = tidy(f"{before}{amount}{after}")
        if pair:
            return Aside(text, lambda query: _apart(query, column, bool(pair["first"])), (_told(column),))
        return Aside(text, _change(column, found), (_told(column),))

    def _is_free(self, said: re.Match[str]) -> bool:
        """Whether nothing is called, and no value is, what the words say or others for it."""
        groups = said.groupdict()
        words = {
            *_WAYS["out" if groups.get("out") else "into" if groups.get("into") else "net"],
            *said[0].lower().split(),
        }
        stems = {stem(each) for each in words} - {stem(each) for each in name_words(self._called)} - _PLAIN
        named = any(each.column and each.score >= _CLEARLY for one in stems for each in self._names.called((one,)))
        return not named and not self._catalog.values.lookup(said[0], 1)


def _is_signed(table: Table, column: Column) -> bool:
    low, high = column.minimum, column.maximum
    if column.kind != "number" or low is None or high is None or _AMOUNTS.isdisjoint(table.stems(column.name)):
        return False
    return float(low) < 0 < float(high)


def _told(column: Col) -> str:
    return f"In {column.table[1]}.{column.name} amounts below zero are money spent, those above it income."


def _change(column: Col, said: re.Match[str]) -> Any:
    groups = said.groupdict()
    if groups.get("net"):
        return lambda query: query if column in set(columns_in(query.select)) else None
    return lambda query: _one_way(query, column, bool(groups["out"]))


def _one_way(query: Query, column: Col, is_out: bool) -> Query | None:
    """The query over the amounts below zero, as positive ones, or over those above."""
    told = _side(column, is_out)
    if column.table not in {each.table for each in columns_in(query)} | {query.anchor} or told in query.where:
        return None
    if column not in set(columns_in(query)):
        return None
    turned = _turned(query, column) if is_out else query
    return replace(turned, where=(*turned.where, told))


def _apart(query: Query, column: Col, income_first: bool) -> Query | None:
    """Both ways side by side in the place of what they add up to."""
    total = next((each for each in query.select if isinstance(each, Agg) and each.of == column), None)
    if total is None:
        return None
    into = replace(total, where=(*total.where, _side(column, False)))
    out = replace(_turned(total, column), where=(*total.where, _side(column, True)))
    both = (into, out) if income_first else (out, into)
    place = query.select.index(total)
    order = tuple(each for each in query.order if total not in set(nodes_in(each)))
    return replace(query, select=(*query.select[:place], *both, *query.select[place + 1 :]), order=order)


def _side(column: Col, is_out: bool) -> Cond:
    return Compare(column, "<" if is_out else ">", 0)


def _turned(part: Any, column: Col) -> Any:
    return mapped(part, lambda each: Minus(Number(0), column) if each == column else each)

"""Which of two amounts: `the average invoice` is what it comes to net, or gross.

Of one thing the same rows may keep two amounts: without and with tax, asked for and paid, of the list and charged, paid
once and worth now. Where no word of the question says a side, each may be meant. What was only planned or quoted is not
what people mean where it is kept what came of it, nor is what is net where there is a total: that is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, full_name, only_total
from pluto_duck_text2sql.language.words import stem, tokenise
from pluto_duck_text2sql.tree import Col, Query, columns_in
from pluto_duck_text2sql.trees.parts import swapped

_ASKED = "Which amount do you mean?"
_TOLD = "the amount is {}; {} would fit too"


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


_AMOUNTS = _stems("amount amt value val total sum price cost fee charge")
"""What names call an amount, whichever of two it is."""
_TAX = _stems("tax taxes vat taxed")


@dataclass(frozen=True)
class _Sides:
    """What names call one amount and another of the same thing; `closes`: words that say one of them without its name,
    `is_plain`: the other one is meant where nothing is said."""

    one: frozenset[str]
    other: frozenset[str]
    closes: frozenset[str] = frozenset()
    is_plain: bool = False

    @property
    def both(self) -> frozenset[str]:
        return self.one | self.other

    def of(self, name: frozenset[str]) -> tuple[bool, bool]:
        """Of which side a name is."""
        return not self.one.isdisjoint(name), not self.other.isdisjoint(name)


_KINDS = (
    _Sides(_stems("net"), _stems("gross"), _TAX),
    _Sides(_stems("net"), _stems("total"), _TAX, is_plain=True),
    _Sides(_stems("due owed claimed asked requested"), _stems("paid settled"), _stems("owe outstanding spend")),
    _Sides(_stems("list listed standard regular"), _stems("sale selling charged"), _stems("sell revenue spend earn")),
    _Sides(_stems("buy bought purchase original"), _stems("current market"), _stems("spend pay now today")),
    _Sides(_stems("quote quoted estimate estimated"), _stems("final actual billed charged invoiced"), is_plain=True),
)


def which_amount(question: str, query: Query, data: Data) -> Opening | None:
    """The amount that a tree adds up or averages, and the other that the same rows keep of the same thing."""
    found = next(_others(question, query, data), None)
    if found is None or found[2]:
        return None
    meant, other, _ = found
    return Opening(_ASKED, ((full_name(meant), query), (full_name(other), swapped(query, meant, other))))


def amount_told(question: str, query: Query, data: Data) -> str:
    """What an answer says of the amount that it does not take, where the one it takes is the likelier."""
    found = next(_others(question, query, data), None)
    return _TOLD.format(*map(full_name, found[:2])) if found else ""


def _others(question: str, query: Query, data: Data) -> Iterator[tuple[Col, Col, bool]]:
    """The amount of a tree, another of the same thing, and whether the first is meant as a matter of course."""
    total = only_total(query)
    amount = total.of if total and total.function != "count" else None
    if not isinstance(amount, Col) or data.column(amount).kind != "number":
        return
    table, used = data.table(amount.table), set(columns_in(query))
    said = {token.stem for token in tokenise(question)}
    for column in table.columns:
        other = Col(table.key, column.name)
        if column.kind == "number" and other not in used and not data.resolver.is_key(table, column.name):
            names = frozenset(table.stems(amount.name)), frozenset(table.stems(other.name))
            yield from ((amount, other, each) for each in _apart(*names, said))


def _apart(meant: frozenset[str], other: frozenset[str], said: set[str]) -> Iterator[bool]:
    """Whether the one is meant as a matter of course, for each way in which two names are sides of one amount of which
    the question says neither."""
    for kind in _KINDS:
        sides = kind.of(meant), kind.of(other)
        are_apart = sides in (((True, False), (False, True)), ((False, True), (True, False)))
        is_same = meant - kind.both - _AMOUNTS == other - kind.both - _AMOUNTS
        if are_apart and is_same and said.isdisjoint(kind.both - _AMOUNTS | kind.closes):
            yield kind.is_plain and sides[0] == (False, True)

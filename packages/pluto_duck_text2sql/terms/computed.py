"""What a question says of its own measures, as terms (term.py): arithmetic, `sales after discount`, the days from one
date to another, ages, and columns whose names begin like an aggregate (`total price` where there is a `total_price`).

Like a term of the user's glossary, such a phrase is one mention, and a reading that lacks what it says is none.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.name_index import NameIndex, Target
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import MONEY, Token
from pluto_duck_text2sql.terms.ages import Ages
from pluto_duck_text2sql.terms.arithmetic import Arithmetic
from pluto_duck_text2sql.terms.comparisons import Comparisons
from pluto_duck_text2sql.terms.delays import Delays
from pluto_duck_text2sql.terms.homes import Homes
from pluto_duck_text2sql.terms.lasting import Lasting
from pluto_duck_text2sql.terms.lateness import Lateness
from pluto_duck_text2sql.terms.net_flows import NetFlows
from pluto_duck_text2sql.terms.openness import Openness
from pluto_duck_text2sql.terms.outcomes import Outcomes
from pluto_duck_text2sql.terms.pipeline import Pipeline
from pluto_duck_text2sql.terms.profits import Profits
from pluto_duck_text2sql.terms.promoters import Promoters
from pluto_duck_text2sql.terms.speed import Speed
from pluto_duck_text2sql.terms.stock import Stock
from pluto_duck_text2sql.tree import Agg, Col, Compare, Expr, Product, Ratio, TableKey, columns_in
from pluto_duck_text2sql.trees.durations import Durations
from pluto_duck_text2sql.trees.phrases import label_of
from pluto_duck_text2sql.trees.resolve import Resolver
from pluto_duck_text2sql.trees.term import BY_THE_QUESTION, Said, Term
from pluto_duck_text2sql.trees.titles import words as in_words

_AGGREGATES = frozenset(
    "total average avg mean sum median number count maximum minimum max min highest lowest combined overall".split()
)
_COMPARING = frozenset("share growth change increase percentage".split())
_OFF = r"(?:off|deducted|subtracted|applied|taken off|taken into account)"
_AFTER = Pattern(
    rf"(?:(?:after|net of|less|minus|excluding|without|with) (?:the |any |all )?discounts?(?: {_OFF})?"
    rf"|(?:the |any |all )?discounts? {_OFF})(?![^ ])"
)
_VALUE = frozenset("value worth amount".split())
_NET = Pattern(r"(?:net|discounted)")
_LONGEST = 4
_NAMED = 0.9


class Computed:
    """Finds what questions over one catalog compute."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, names: NameIndex, today: dt.date) -> None:
        self._names = names
        self._resolver = Resolver(catalog, joins)
        self._arithmetic = Arithmetic(joins, names, self._resolver)
        self._comparisons = Comparisons(names, self._arithmetic)
        self._durations = Durations(catalog, self._resolver)
        self._ages = Ages(catalog, today)
        homes = Homes(joins, names)
        self.speed = Speed(catalog, self._durations, homes)
        self.lasting = Lasting(catalog, self._durations, homes)
        self._of_trade = (
            Pipeline(catalog, names),
            Promoters(catalog, names),
            self.speed,
            Delays(catalog, homes),
            Lateness(catalog, joins, homes, today),
            Openness(catalog, names, homes),
            Outcomes(catalog, homes),
            NetFlows(catalog, names),
            Stock(catalog, homes),
            self.lasting,
        )
        self._profits = Profits(catalog, joins, names, self._resolver)

    def find(self, tokens: Sequence[Token]) -> list[Said]:
        """What is said, in the question's order, none over another."""
        own = self._own(tokens)
        return sorted([*own, *self._of_columns(tokens, own)], key=lambda each: each.start)

    def _own(self, tokens: Sequence[Token]) -> list[Said]:
        """What the question computes in its own words."""
        found, place = list[Said](), 0
        while place < len(tokens):
            said = next(self._at(tokens, place), None)
            found += [said] if said else []
            place = said.end if said else place + 1
        return found

    def _of_columns(self, tokens: Sequence[Token], own: Sequence[Said]) -> Iterator[Said]:
        """What words of trade mean, beside that; a figure that the question defines itself is left to it."""
        taken = {n for each in own for n in range(each.start, each.end)}
        defines = any(each.term.measure for each in own)
        for said in (said for each in self._of_trade for said in each.find(tokens)):
            places = {*range(said.start, said.end)}
            if not places & taken and not (said.term.measure and defines):
                taken |= places
                yield said

    def _at(self, tokens: Sequence[Token], start: int) -> Iterator[Said]:
        reads = (self._comparison, self._after_discount, self._computation, self._value_of, self._days, self._name)
        for read in (*reads, self._older, self._age, self._at_a_loss, self._profit):
            said = read(tokens, start)
            if said:
                yield self._less_discount(tokens, said)

    def _value_of(self, tokens: Sequence[Token], start: int) -> Said | None:
        """`value of the order lines`: price times quantity of each, where a row has both and no amount."""
        words = [token.lower for token in tokens[start : start + 3]]
        if words[0] not in _VALUE or words[1:2] != ["of"]:
            return None
        first = start + 2 + (words[2:] in (["the"], ["all"], ["our"]))
        for end in range(min(first + _LONGEST, len(tokens)), first, -1):
            named = self._names.find(tuple(token.stem for token in tokens[first:end]))
            tables = {each.table.key for each in named if each.column is None and each.score >= _NAMED}
            product = self._product_in(tables)
            if product:
                return _said(tokens, start, end, Agg("sum", replace(product, discount=None, off=None)))
        return None

    def _product_in(self, tables: set[TableKey]) -> Product | None:
        """The product of the rows of a table, where these hold no amount of their own."""
        money = [each for each in self._resolver.money() if next(columns_in(each)).table in tables]
        return money[0] if money and isinstance(money[0], Product) else None

    def _less_discount(self, tokens: Sequence[Token], said: Said) -> Said:
        """`price times quantity, discounts off`."""
        measure = said.term.measure
        after = _AFTER.match(" ".join(token.lower for token in tokens[said.end : said.end + 5]))
        if not after or not isinstance(measure, Agg) or not isinstance(measure.of, Product) or not measure.of.is_whole:
            return said
        whole = self._product_in({measure.of.price.table})
        if whole is None or whole.is_whole or (whole.price, whole.quantity) != _factors(measure.of):
            return said
        return _said(tokens, said.start, said.end + len(after[0].split()), replace(measure, of=whole))

    def _comparison(self, tokens: Sequence[Token], start: int) -> Said | None:
        found = self._comparisons.read(tokens, start)
        return _said(tokens, start, found[0], condition=found[1]) if found else None

    def _computation(self, tokens: Sequence[Token], start: int) -> Said | None:
        found = self._arithmetic.read(tokens, start)
        return _said(tokens, start, found[0], _total(found[1])) if found else None

    def _after_discount(self, tokens: Sequence[Token], start: int) -> Said | None:
        """`turnover net of discounts`, `discounted sales`: where lines have a price, a quantity and a discount."""
        words = [token.lower for token in tokens[start : start + 6]]
        if tokens[start].stem in MONEY:
            after = _AFTER.match(" ".join(words[1:]))
            length = 1 + len(after[0].split()) if after else 0
        else:
            length = 2 if _NET.fullmatch(words[0]) and len(words) > 1 and tokens[start + 1].stem in MONEY else 0
        if not length:
            return None
        whole = (each for each in self._resolver.money() if isinstance(each, Product) and not each.is_whole)
        measure = next(whole, None)
        return _said(tokens, start, start + length, Agg("sum", measure)) if measure else None

    def _days(self, tokens: Sequence[Token], start: int) -> Said | None:
        found = self._durations.read(tokens, start)
        return _said(tokens, start, found[0], Agg("avg", found[1])) if found else None

    def _older(self, tokens: Sequence[Token], start: int) -> Said | None:
        found = self._ages.compare(tokens, start)
        return _said(tokens, start, found[0], condition=found[1]) if found else None

    def _age(self, tokens: Sequence[Token], start: int) -> Said | None:
        found = self._ages.read(tokens, start)
        return _said(tokens, start, found[0], Agg("avg", found[1])) if found else None

    def _at_a_loss(self, tokens: Sequence[Token], start: int) -> Said | None:
        found = self._profits.compare(tokens, start)
        return _said(tokens, start, found[0], condition=found[1]) if found else None

    def _profit(self, tokens: Sequence[Token], start: int) -> Said | None:
        found = self._profits.read(tokens, start)
        return _said(tokens, start, found[0], found[1]) if found else None

    def _name(self, tokens: Sequence[Token], start: int) -> Said | None:
        """The whole name of a column that begins like an aggregate, or ends like a comparison (`market share`)."""
        if tokens[start].quoted:
            return None
        for end in range(min(start + _LONGEST, len(tokens)), start + 1, -1):
            if tokens[start].lower not in _AGGREGATES and tokens[end - 1].lower not in _COMPARING:
                continue
            stems = tuple(token.stem for token in tokens[start:end])
            named = [each for each in self._names.find(stems) if each.column and each.score >= 1.0]
            numbers = tuple(each for each in named if each.column and each.column.kind == "number")
            if numbers:
                return _said(tokens, start, end, targets=numbers)
        return None


def _factors(product: Product) -> tuple[Col, Col]:
    return product.price, product.quantity


def _total(made: Expr) -> Expr:
    """Rows' values are added up; what one is by the other is that of the sums."""
    if isinstance(made, Ratio):
        return replace(made, top=_total(made.top), bottom=_total(made.bottom))
    return Agg("sum", made)


def _said(
    tokens: Sequence[Token],
    start: int,
    end: int,
    measure: Expr | None = None,
    targets: tuple[Target, ...] = (),
    condition: Compare | None = None,
) -> Said:
    text = " ".join(token.text for token in tokens[start:end])
    meaning = in_words(measure) if measure else " or ".join(map(label_of, targets))
    if condition:
        meaning = f"{in_words(condition.left)} {condition.operator} {in_words(condition.right)}"
    stems = tuple(token.stem for token in tokens[start:end])
    options = ((condition,),) if condition else ()
    return Said(start, end, text, Term(stems, meaning, BY_THE_QUESTION, text, targets, measure, options))

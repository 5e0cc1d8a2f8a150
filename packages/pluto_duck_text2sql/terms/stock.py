"""What is in store: `which products ran out`, `what do we need to reorder`, `how much is our stock worth`.

Of rows that keep how many there are of a thing (`units_in_stock`, `on_hand`, `inventory_quantity`); to be reordered is
what is at or below the level kept beside that, its worth the cost of each, else its price, times how many there are.
Tokens in, terms out (computed.py). `In stock` and `sold out` after a name are read by presence.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import Token, stem
from pluto_duck_text2sql.terms.homes import Homes
from pluto_duck_text2sql.tree import Agg, Col, Compare, Cond, Expr, Times
from pluto_duck_text2sql.trees.term import Said, told_by_columns

_HELD = tuple(frozenset(map(stem, each.split())) for each in ("stock", "inventory", "on hand"))
_LEVEL = frozenset(map(stem, "reorder minimum min maximum max safety threshold level target capacity".split()))
_AGAIN = frozenset(map(stem, "reorder minimum min safety threshold".split()))
_STOCK = r"(?:stock|inventory|warehouse|stockroom|shelves)"
_OUR = r"(?:(?:the|our|all|all the|all our) )?"
_BE = r"(?:(?:that|which) )?(?:(?:is|are|was|were|has|have|had|we|did|do|now|currently|already|completely) )*"
_EMPTY = rf"{_BE}(?:out of stock|sold out|run out|ran out|not in stock|no longer in stock)(?: of)?(?: stock)?"
_AGAIN_SAID = (
    r"(?:re-?order(?:ed|ing)?|re-?stock(?:ed|ing)?|ordering again|order(?:ed)? again|replenish(?:ed|ing)?)(?: again)?"
)
_MUST = r"(?:do|does|did|should|must|have|has|need|needs|to|we|be|i|are|is|due|now)"
_LOW = (
    rf"(?:(?:that|which) )?(?:{_MUST} )+{_AGAIN_SAID}"
    rf"|{_BE}(?:(?:running|getting|run) low(?: on stock)?|low (?:on|in) stock|understocked)"
)
_WORTH = (
    rf"(?:(?:how much|what) (?:is|are) {_OUR}{_STOCK} worth|(?:total )?(?:value|worth) of {_OUR}{_STOCK}"
    rf"|how much money (?:is|do we have)(?: tied up)? in {_OUR}{_STOCK}"
    rf"|what (?:is|are) (?:everything|all|the things) (?:in|on) {_OUR}{_STOCK} worth"
    r"|(?:total )?(?:stock|inventory) (?:value|worth))"
)
_ANY = Pattern(r"\b(?:stock|inventory|warehouse|shelves|out|low|re-?order|re-?stock|again|replenish|understocked)")
_MONEY = ("cost", "price")
"""What one of a thing is worth: what it was bought for, before what it is sold for."""
_Meaning = tuple[Expr | None, Cond | None, str]
"""A measure or a condition, and how it is told."""
Meaning = Callable[[Table, Column], _Meaning | None]


class Stock:
    """Reads what is in store over one catalog."""

    def __init__(self, catalog: Catalog, homes: Homes) -> None:
        self._homes = homes
        self._kept = {each.key: (each, held) for each in catalog.tables if (held := self._held(each))}

    def find(self, tokens: Sequence[Token]) -> Iterator[Said]:
        """What a question says of it."""
        words = Words(tokens)
        if not self._kept or not _ANY.search(words.text):
            return
        for pattern, of in ((_WORTH, self._worth), (_LOW, self._low), (_EMPTY, self._empty)):
            for match in words.peek(pattern):
                start, end = words.span(match)
                said = self._said(tokens, start, end, of)
                if said:
                    words.take(start, end)
                    yield said

    def _said(self, tokens: Sequence[Token], start: int, end: int, of: Meaning) -> Said | None:
        rest = [*tokens[:start], *tokens[end:]]
        found = [(key, made) for key in self._homes.of(rest, self._kept) if (made := of(*self._kept[key]))]
        if not found:
            return None
        key, (measure, condition, told) = found[0]
        targets = (Target(self._kept[key][0], None, 1.0),) if condition and not self._homes.named(rest) else ()
        options = tuple((each,) for _, (_, each, _) in found if each)
        return told_by_columns(tokens, start, end, told, measure=measure, options=options, targets=targets)

    def _empty(self, table: Table, held: Column) -> _Meaning:
        """None is left; there may be less than none where more was sold than there was."""
        is_below = isinstance(held.minimum, int | float) and held.minimum < 0
        return None, Compare(Col(table.key, held.name), "<=" if is_below else "=", 0), f"no {held.name} left"

    def _low(self, table: Table, held: Column) -> _Meaning | None:
        level = next((each for each in self._amounts(table) if _AGAIN & {*table.stems(each.name)}), None)
        if level is None:
            return None
        condition = Compare(Col(table.key, held.name), "<=", Col(table.key, level.name))
        return None, condition, f"{held.name} at or below {level.name}"

    def _worth(self, table: Table, held: Column) -> _Meaning | None:
        priced = (each for money in _MONEY for each in self._amounts(table) if stem(money) in table.stems(each.name))
        price = next(priced, None)
        if price is None:
            return None
        worth = Times(Col(table.key, price.name), Col(table.key, held.name))
        return Agg("sum", worth), None, f"{price.name} × {held.name}"

    def _held(self, table: Table) -> Column | None:
        """The column of how many there are."""
        named = ((each, {*table.stems(each.name)}) for each in self._amounts(table))
        found = [each for each, own in named if any(part <= own for part in _HELD) and not own & _LEVEL]
        return found[0] if len(found) == 1 else None

    def _amounts(self, table: Table) -> list[Column]:
        keys = {*table.primary_key, *(name for each in table.foreign_keys for name in each.columns)}
        numbers = (each for each in table.columns if each.kind == "number" or each.of_numbers)
        return [each for each in numbers if each.name not in keys and not _ID & {*table.stems(each.name)}]


_ID = frozenset(map(stem, ("id", "number", "no", "code")))

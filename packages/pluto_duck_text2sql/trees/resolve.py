"""Which column, measure or label is meant, given the tables that are already in play.

Pure look-ups over the catalog and the join graph; every rule here is about databases in general, none about one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.event_dates import comes_first, happening
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.levels import is_level
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.language.words import STOP, explained, name_stems, stem, table_stems
from pluto_duck_text2sql.tree import Agg, Col, Expr, Minus, Number, Product, TableKey, Times
from pluto_duck_text2sql.trees.phrases import OF_ONE, counts_pieces


def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in text.split())


AVERAGED = frozenset(
    _stems(
        """age price rate score rating percent temperature weight height ratio year salary grade gpa speed cost
        latitude star satisfaction csat nps average avg mean"""
    )
)
_ADDED = frozenset(_stems("total subtotal sum amount"))
_EXTENDED = _stems("extended price")
_MAIL = stem("email")
_HOUR, _HOURLY = _stems("hour hourly")
_CHARGED_TO = frozenset(_stems("billable chargeable client"))
_REVENUE = _stems("revenue sale turnover amount total subtotal payment")
_SALE, _SALES = stem("sale"), stem("sales")
_WHOLES, _BEFORE_PARTS = frozenset(_stems("global overall worldwide")), 0.5
_LABEL = (stem("label"),)
_FEW_APART = 20
"""A column with less than one value for so many rows names none of them."""
_CONVERTED = (stem("conversion"), stem("value"))
"""What advertising calls the money that it brought in."""
_CHARGED = _stems("fare")
"""What is taken for each row of what happens, where nothing is called revenue."""
_MOSTLY_MISSING = 0.5
"""What fewer rows have is no name of them: the company of customers, most of whom are persons."""
_DONE = {stem("sale"): stem("sold"), stem("purchase"): stem("bought"), stem("order"): stem("placed")}
"""What was done on the day of such rows, where that is another word."""
_NOT_TAKEN = frozenset(
    _stems(
        "discount refund return tax vat tip cost spend spent expense deposit credit commission payout penalty fine"
        " budget adjustment reimbursement rebate salary wage payroll claim complaint marketing advertising"
    )
)
"""What is given, kept for others or paid out is no revenue."""
_BOUGHT = frozenset(_stems("purchase acquisition buying"))
"""What we paid for a thing ourselves, but of rows that are called so."""
_NO_MONEY = frozenset(_stems("percent percentage pct rate ratio share day week month term count"))
"""A share of revenue or the days that a payment may take are no money."""
_CURRENCIES = frozenset(
    _stems("usd eur euro gbp chf cad aud nzd jpy sek nok dkk pln czk inr brl mxn dollar pound cent")
)
_TOTALLED = frozenset(
    _stems(
        "order invoice bill receipt booking ticket basket cart transaction grand net gross line item amount price fee"
        " charge value sum paid due payable sub final overall fare rent premium"
    )
)
"""What a total of money may be of; `xp_total` and `total_seats` are of something else."""
_OFFERED = frozenset(_stems("unit list asking market catalog standard base minimum maximum min max avg estimate quote"))
"""Prices that nobody has paid yet, or for one of several."""
_EVENT_DATES = _stems("order invoice sale transaction purchase payment created occurred event visit")
_OTHER_DATES = _stems("birth update modified hire ship deliver expire end signup return close")


_TOTAL, _AMOUNT, _BEST_AMOUNT, _LEAST_AMOUNT = stem("total"), stem("amount"), 2.9, 5.0
_KEPT = _stems("stock inventory storage shelf warehouse")
"""Tables of these words tell what is there, not what was sold."""
_PRICE = stem("price")
_NAME = stem("name")
_FIRST_NAMES = (
    *("first name", "f name", "firstname", "fname", "forename"),
    *("given name", "personal name", "christian name"),
)
_LAST_NAMES = ("last name", "l name", "lastname", "lname", "surname", "family name")


_HAPPENED = 0.06
"""What happened points to what it happened to: an order's date rather than that of a product's first listing."""


_OWN_TIME = 0.3
"""What happened to several things at once has a time of its own, rather than that of what came of it."""


def _is_event(table: Table) -> bool:
    return len({(key.ref_schema, key.ref_table) for key in table.foreign_keys} - {table.key}) > 1


def happens(table: Table) -> bool:
    """Whether its rows are of what happens: of several things, at a time."""
    return _is_event(table) and any(each.is_time for each in table.columns)


def _repeats(column: Column, table: Table) -> bool:
    """Whether most of its values stand in several rows: `ship_name` tells no orders apart."""
    return bool(column.n_distinct and table.row_count) and 2 * (column.n_distinct or 0) < (table.row_count or 0)


_CODES = frozenset(_stems("code number no num nr serial sign plate registration reference ref tag label barcode sku"))
_KEYS = _CODES | {"id", stem("key"), stem("uuid")}
_PLACED = frozenset(_stems("zip zipcode postal postcode postalcode phone telephone fax mobile city town state county"))
"""Places and numbers of telephones are no name of what has a key."""
_LOOKED_AT, _MOSTLY, _LONGEST_NAME = 20, 0.8, 50
_NEARLY = 0.95
"""So many of a column's values must differ, which statistics only estimate, for what is called a code to tell rows."""


def tells_rows(table: Table, name: str) -> bool:
    """Whether a column's values tell the rows apart: all differ, or nearly all of what is called a code."""
    column, rows = table.column(name), table.row_count
    if column is None or not rows or not column.n_distinct:
        return column is not None and column.n_distinct == rows
    return column.n_distinct == rows or (is_code(table, name) and column.n_distinct >= _NEARLY * rows)


def is_code(table: Table, name: str) -> bool:
    """Whether a column is called as codes and numbers of rows are."""
    return not _CODES.isdisjoint(table.stems(name))


def _is_readable(text: str) -> bool:
    """Whether a text is made of words: `Vintage Cars`, and no code as `S10` or `9f2b`."""
    return any(map(str.islower, text)) and (" " in text or not any(map(str.isdigit, text)))


def _is_price(table: Table, column: Column) -> bool:
    """Whether it holds what one of the table's rows is sold for."""
    return column.kind == "number" and _PRICE in table.stems(column.name)


class Resolver:
    """Answers "which column?" for one catalog."""

    def __init__(self, catalog: Catalog, joins: JoinGraph) -> None:
        self._catalog = catalog
        self._joins = joins
        self._labels: dict[TableKey, list[Col]] = {}

    def column_score(self, target: Target, near: Sequence[TableKey], adjacent: TableKey | None) -> float:
        """How well a column fits the tables in play: adjacent to it, the first of them, near by keys."""
        score = target.score + 0.02 * target.table.preference
        key = target.table.key
        if key == adjacent:
            score += 0.4
        if near and key == near[0]:
            score += 0.3
        elif key in near:
            score += 0.2
        elif near:
            score -= 0.08 * min(self._joins.distance(near[0], key), 12)
        if target.column and self.is_key(target.table, target.column.name):
            score -= 0.15
        return score

    def belongs(self, key: TableKey, owner: TableKey) -> bool:
        """Whether an owner has many rows of `key`."""
        return self._joins.belongs(key, owner)

    def is_of(self, key: TableKey, owner: TableKey) -> bool:
        """Whether each row of `key` is of one of the owner's."""
        return self._joins.is_of(key, owner)

    def is_key(self, table: Table, name: str) -> bool:
        """Whether a column identifies rows rather than describing them. A day that points at a calendar tells when."""
        folded = name.casefold()
        keys = {each.casefold() for each in table.primary_key}
        column = table.column(name)
        if column is not None and column.is_numbered and folded not in keys:
            return False
        keys |= {each.casefold() for key in table.foreign_keys for each in key.columns}
        stems = table.stems(name)
        return folded in keys or stems[-1:] == ("id",) or (len(stems) == 1 and stems[0].endswith("key"))

    def best(
        self, targets: Iterable[Target], near: Sequence[TableKey], adjacent: TableKey | None
    ) -> list[tuple[float, Target]]:
        """The targets with their scores in this context, the best first."""
        scored = [(self.column_score(each, near, adjacent), each) for each in targets]
        return sorted(
            scored, key=lambda pair: (-pair[0], pair[1].table.key, pair[1].column.name if pair[1].column else "")
        )

    def label(self, table: Table) -> list[Col]:
        """The columns people call a row of `table` by: its name, its title, first and last name, else its key."""
        if table.key not in self._labels:
            self._labels[table.key] = self._label(table)
        return list(self._labels[table.key])

    def _label(self, table: Table) -> list[Col]:
        """What rows are called by: a name, a given one and that of the family, what is called as the table is, a key
        that people read, else the text that tells most of them apart."""
        mostly = [column for column in table.columns if (column.null_fraction or 0) < _MOSTLY_MISSING]
        by_stems = {table.stems(column.name): column.name for column in mostly}
        if names := _full_name(table, by_stems) or _given_and_family(by_stems):
            return [Col(table.key, each) for each in names]
        named = self._titled(table, by_stems) or self._readable_key(table)
        named = named or by_stems.get((*table_stems(table.name)[-1:], stem("description"))) or _named_within(table)
        if named:
            return [Col(table.key, named)]
        texts = [c.name for c in table.columns if c.kind == "text" and not self.is_key(table, c.name)]
        unique = [c for c in texts if tells_rows(table, c)]
        short = [c for c in unique if not self._is_prose(table, c) and _PLACED.isdisjoint(table.stems(c))]
        mail = [c for c in unique if _MAIL in table.stems(c) and is_of_people(table, ())]
        return [Col(table.key, name) for name in (short or mail or self.key(table) or unique or texts)[:1]]

    def _titled(self, table: Table, by_stems: Mapping[tuple[str, ...], str]) -> str | None:
        """A title, or what is called as the table is: `genre` of genres."""
        own = table_stems(table.name)[-1:]
        for wanted in (_stems("title"), (*own, stem("title")), own, table_stems(table.name), _LABEL):
            column = table.column(by_stems[wanted]) if wanted in by_stems else None
            if column and column.kind != "number" and not self._names_none(wanted, column, table):
                return column.name
        return None

    def _names_none(self, called: tuple[str, ...], column: Column, table: Table) -> bool:
        """Whether a column is no name of rows: it holds few different values, or some twice where the key is read."""
        repeats = self._readable_key(table) is not None and _repeats(column, table)
        return repeats or (called == _LABEL and _tells_few_apart(column, table))

    def _readable_key(self, table: Table) -> str | None:
        """The key where that is what people call the rows: the words of a product line, no code."""
        (name,) = table.primary_key if len(table.primary_key) == 1 else ("",)
        column = table.column(name)
        if column is None or column.kind != "text" or not _KEYS.isdisjoint(table.stems(name)[-1:]):
            return None
        held = self._held(table, column)
        return name if held and sum(map(_is_readable, held)) >= _MOSTLY * len(held) else None

    def _is_prose(self, table: Table, name: str) -> bool:
        """Whether a column's texts are long: they tell of a thing, and are no name of it."""
        column = table.column(name)
        held = self._held(table, column) if column else []
        return sum(map(len, held)) > _LONGEST_NAME * len(held)

    def _held(self, table: Table, column: Column) -> list[str]:
        """Some of a column's texts."""
        held = column.samples or self._catalog.values.held_in(*table.key, column.name)
        return [str(each) for each in held[:_LOOKED_AT] if each is not None]

    def key(self, table: Table) -> list[str]:
        """The columns that identify a row, [] where none are known."""
        if table.primary_key:
            return list(table.primary_key)
        ids = [c.name for c in table.columns if name_stems(c.name) in (("id",), (*table_stems(table.name)[-1:], "id"))]
        return ids[:1]

    def time_column(self, near: Sequence[TableKey], words: frozenset[str]) -> list[tuple[float, Col]]:
        """Time columns by how likely a period or grain means them: said, near the anchor, of the event itself."""
        scored = []
        for table in self._catalog.tables:
            distance = min((self._joins.distance(key, table.key) + 0.2 * n for n, key in enumerate(near)), default=0.0)
            for column in table.columns if distance < 90 else ():
                if column.is_time:
                    score = self._time_score(table, column, words) - distance
                    score += _OWN_TIME if [table.key] == [*near[:1]] and _is_event(table) else 0.0
                    scored.append((score, Col(table.key, column.name)))
        return sorted(scored, key=lambda pair: -pair[0])

    def _time_score(self, table: Table, column: Column, words: frozenset[str]) -> float:
        stems = set(table.stems(column.name))
        said = (stems & words) - STOP
        score = 1.5 * len(said.difference(_stems("date time"))) + 0.1 * table.preference
        own = table_stems(table.name)
        score += 0.5 * bool(stems & {*own, *(_DONE.get(each, "") for each in own)}) + 0.4 * bool(
            stems & set(_EVENT_DATES)
        )
        score -= 0.5 * (bool(stems & set(_OTHER_DATES)) and not said and not comes_first(table, column.name))
        score += _HAPPENED * bool(table.foreign_keys) + happening(table, column.name, words)
        return score + (0.05 if column.is_day and stem("date") in stems else 0.0)

    def money(self) -> list[Expr]:
        """What "revenue" or "sales" may be, as row-level expressions: stored amounts first, then price × quantity."""
        return list(self._money)

    def income(self) -> list[Expr]:
        """Of `money` what came in, not what is in stock."""
        return [each for each in self._money if not (isinstance(each, Product) and self._is_kept(each.quantity))]

    def _is_kept(self, quantity: Col) -> bool:
        return not {*_KEPT}.isdisjoint(name_stems(quantity.name))

    @cached_property
    def _money(self) -> list[Expr]:
        """Found once for a catalog: every word of a question asks for it."""
        found: list[tuple[float, Expr]] = []
        for table in self._catalog.tables:
            for column in table.columns:
                place = self._revenue_rank(table, column)
                if place is not None:
                    found.append((place - 0.1 * table.preference, Col(table.key, column.name)))
            product = self._of_line(table) or self._product(table) or self._at_list_price(table)
            if product:
                found.append((3.5 - 0.1 * table.preference, product))
            elif price := self._paid_price(table):
                found.append((_LEAST_AMOUNT - 0.1 * table.preference, price))
        return [expression for _, expression in sorted(found, key=lambda pair: pair[0])]

    def _revenue_rank(self, table: Table, column: Column) -> float | None:
        stems = table.stems(column.name)
        if column.kind != "number" or self.is_key(table, column.name):
            return None
        if not _NOT_TAKEN.isdisjoint((*stems, *table_stems(table.name))) or not _NO_MONEY.isdisjoint(stems):
            return None
        words = (*_REVENUE, *_CHARGED) if any(each.is_time for each in table.columns) else _REVENUE
        stems = tuple(_SALE if each == _SALES else each for each in stems if each not in _CURRENCIES) or stems
        if stems[-2:] == _CONVERTED:
            return float(len(words))
        ranks = [rank for rank, word in enumerate(words) if word in stems]
        if ranks and words[ranks[0]] == _TOTAL and not self._is_of_money(table, column):
            return None
        if ranks and _TOTAL in stems and self._has_parts(table):
            return _BEST_AMOUNT
        if ranks and not _WHOLES.isdisjoint(stems):
            return ranks[0] - _BEFORE_PARTS
        return ranks[0] + 0.2 * len(stems) if ranks and len(stems) <= 3 else None

    def _is_of_money(self, table: Table, column: Column) -> bool:
        """Whether a total is of money by its name: its currency, or what else is said of it."""
        stems = {*table.stems(column.name)} - {_TOTAL, *table_stems(table.name)}
        return not _CURRENCIES.isdisjoint(stems) or stems <= _TOTALLED

    def _paid_price(self, table: Table) -> Col | None:
        """The one price of what happens, where nothing of it is called revenue: lessons, enrolments."""
        ranks = any(self._revenue_rank(table, each) is not None for each in table.columns)
        if ranks or not _is_event(table) or not _NOT_TAKEN.isdisjoint(table_stems(table.name)):
            return None
        prices = [each.name for each in table.columns if _is_price(table, each) and self._is_paid(table, each)]
        return Col(table.key, prices[0]) if len(prices) == 1 else None

    def _is_paid(self, table: Table, column: Column) -> bool:
        stems = table.stems(column.name)
        is_ours = not _BOUGHT.isdisjoint(stems) and _BOUGHT.isdisjoint(table_stems(table.name))
        return not is_ours and (_OFFERED | _NO_MONEY | {*_NOT_TAKEN}).isdisjoint(stems)

    def _has_parts(self, table: Table) -> bool:
        """Whether it keeps amounts beside their total: fees and meals of what is due."""
        names = [table.stems(each.name) for each in table.columns if each.kind == "number"]
        totals = sum(_TOTAL in stems for stems in names)
        return totals == 1 and any(_AMOUNT in stems for stems in names if _TOTAL not in stems)

    def extended(self, price: Col) -> Expr | None:
        """What a line came to of which this is the extended price; None for any other price."""
        table = self._catalog.table(*price.table)
        return self._of_line(table) if table and table.stems(price.name)[-2:] == _EXTENDED else None

    def _of_line(self, table: Table) -> Expr | None:
        """What a line came to where it keeps its extended price, which is that of all its pieces: less a discount."""
        numbers = {table.stems(each.name)[-2:]: each for each in table.columns if each.kind == "number"}
        price = numbers.get(_EXTENDED)
        of_line = Col(table.key, price.name) if price else None
        discount = next((each for stems, each in numbers.items() if stems[-1:] == (stem("discount"),)), None)
        if of_line is None or discount is None or discount.maximum is None or float(discount.maximum) > 1:
            return of_line
        return Times(of_line, Minus(Number(1), Col(table.key, discount.name)))

    def line_product(self, table: Table) -> Product | None:
        """Price times quantity of the rows of a table; None where it has not one of each."""
        return self._product(table)

    def _product(self, table: Table) -> Product | None:
        by_word: dict[str, Col] = {}
        for column in table.columns:
            is_number = column.kind == "number" and not self.is_key(table, column.name)
            is_of_all = _TOTAL in table.stems(column.name)
            for word in table.stems(column.name) if is_number and not is_of_all else ():
                is_of_one = word == "unit" and not OF_ONE.isdisjoint(table.stems(column.name))
                by_word.setdefault("" if is_of_one else word, Col(table.key, column.name))
        price = by_word.get(stem("price"))
        quantity = by_word.get("quantity") or by_word.get("unit") or self.pieces(table)
        if not price and _is_charged(table):
            price, quantity = by_word.get(_HOURLY), by_word.get(_HOUR)
        if not price or not quantity or price == quantity:
            return None
        discount = by_word.get(stem("discount"))
        stored = table.column(discount.name) if discount else None
        is_fraction = stored is not None and stored.maximum is not None and float(stored.maximum) <= 1
        is_amount = discount is not None and not _ADDED.isdisjoint(table.stems(discount.name))
        return Product(price, quantity, discount if is_fraction else None, discount if is_amount else None)

    def _at_list_price(self, table: Table) -> Product | None:
        """Lines that tell how many were sold, while what one costs is kept with the thing that they point to.

        The pieces come first, since the lines are what no join repeats.
        """
        pieces = self.pieces(table)
        if pieces is None or not {*_KEPT}.isdisjoint(table_stems(table.name)):
            return None
        if any(self._revenue_rank(table, each) is not None for each in table.columns):
            return None
        steps = (step for step in self._joins.neighbours(table.key) if not step.multiplies)
        owners = [owner for step in steps if (owner := self._catalog.table(*step.target))]
        prices = [Col(each.key, column.name) for each in owners for column in each.columns if _is_price(each, column)]
        happens = any(column.is_time for each in (table, *owners) for column in each.columns)
        return Product(pieces, prices[0]) if len(prices) == 1 and happens else None

    def pieces(self, table: Table) -> Col | None:
        """The one column that tells how many pieces a row of the table is of."""
        numbers = (each for each in table.columns if each.kind == "number" and not self.is_key(table, each.name))
        own = [each for each in numbers if counts_pieces(table.stems(each.name))]
        return Col(table.key, own[0].name) if len(own) == 1 else None

    def default_aggregate(self, expression: Expr) -> Agg:
        """Sums for amounts and totals, averages for prices, ages, rates and scores."""
        name = expression.name if isinstance(expression, Col) else ""
        stems = {*name_stems(name), *(each for text in explained(name) for each in name_stems(text))}
        averaged = (bool(stems & AVERAGED) or is_level(name)) and not stems & _ADDED
        return Agg("avg" if averaged else "sum", expression)

    def targets_of(self, mention: Mention, *, tables: bool) -> list[Target]:
        return [each for each in mention.targets if (each.column is None) == tables]


def _is_charged(table: Table) -> bool:
    """Whether the hours of its rows are charged to somebody."""
    return any(not _CHARGED_TO.isdisjoint(table.stems(each.name)) for each in table.columns)


def _tells_few_apart(column: Column, table: Table) -> bool:
    """Whether a column holds so few different values that it is no name of rows: `Labels` of issues."""
    return table.row_count is not None and (column.n_distinct or 0) * _FEW_APART < table.row_count


def is_its_name(one: Col, other: Col) -> bool:
    """Whether `one` is the name of a thing of which `other` is something else: supplier_name and supplier_country."""
    *thing, called = name_stems(one.name)
    *same, else_ = name_stems(other.name)
    return one.table == other.table and bool(thing) and thing == same and called == _NAME != else_


def _full_name(table: Table, by_stems: Mapping[tuple[str, ...], str]) -> list[str]:
    """The column that is called a name, with the family's beside a bare one."""
    for wanted in ((_NAME,), (*table_stems(table.name)[-1:], _NAME), _stems("company name"), _stems("full name")):
        if wanted in by_stems:
            also = by_stems.get(_stems("last name")) if wanted == (_NAME,) else None
            return [each for each in (by_stems[wanted], also) if each]
    return []


def _given_and_family(by_stems: Mapping[tuple[str, ...], str]) -> list[str]:
    """The columns of a given name and of the family's, called alike."""
    for first, last in product(map(_stems, _FIRST_NAMES), map(_stems, _LAST_NAMES)):
        for given in [stems for stems in by_stems if stems[-len(first) :] == first]:
            family = (*given[: -len(first)], *last)
            if family in by_stems:
                return [by_stems[given], by_stems[family]]
    return []


def _named_within(table: Table) -> str | None:
    """The first text that has a name or a title in its own name and tells rows apart."""
    naming = {_NAME, stem("title")}
    texts = [c for c in table.columns if c.kind == "text" and naming & set(table.stems(c.name))]
    named = [c.name for c in texts if not _tells_few_apart(c, table) and not _repeats(c, table)]
    return named[0] if named else None

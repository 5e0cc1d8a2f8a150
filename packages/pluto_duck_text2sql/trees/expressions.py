"""What a person writes about the data, as parts of a query tree: measures and conditions in SQL, or nearly so.

`sum of order_items.quantity * order_items.unit_price` and `status = 'active' and country in Germany, Austria` are read;
what the tree has no part for raises Unsayable with the reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any, cast

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.words import name_stems
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Col,
    Compare,
    Cond,
    Days,
    Either,
    Every,
    Expr,
    Function,
    Inside,
    Minus,
    Missing,
    Operator,
    Product,
    Ratio,
    Related,
    Rows,
    is_total,
)
from pluto_duck_text2sql.trees.written import Unsayable, constant, day, in_sql, parsed, shown, with_quotes


@dataclass
class Expressions:
    """Reads expressions over one catalog; bare columns are `home`'s, where there is one.

    `stored` tells of each text compared with, whether a column has it.
    """

    catalog: Catalog
    home: Table | None = None
    stored: dict[str, bool] = field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        """What is odd, though it can be asked."""
        return [f"no stored value is {text!r}" for text, is_stored in self.stored.items() if not is_stored]

    def measure(self, text: str) -> Expr:
        """An aggregate, or a computation of aggregates; a row's value is summed. Raises Unsayable."""
        made = self._value(parsed(in_sql(text)))
        if isinstance(made, Rows):
            return Agg("count", made)
        return made if is_total(made) else Agg("sum", made)

    def conditions(self, text: str) -> tuple[Cond, ...]:
        """What must hold, all of it. Raises Unsayable."""
        made = self._condition(parsed(with_quotes(text.strip())))
        return made.all_of if isinstance(made, Every) else (made,)

    def table(self, name: str) -> Table | None:
        """The table called `name` or `schema.name`; of several the preferred one, of one left out that in its place."""
        schema, _, last = name.strip().strip('"').replace('"', "").rpartition(".")
        found = [each for each in self.catalog.tables if not schema or each.schema.casefold() == schema.casefold()]
        same = [each for each in found if each.name.casefold() == last.casefold()]
        like = same or self._instead(schema, last) or [e for e in found if name_stems(e.name) == name_stems(last)]
        return max(like, key=lambda each: each.preference, default=None)

    def _instead(self, schema: str, name: str) -> list[Table]:
        """What is read in the place of a table that is left out."""
        wanted = name.casefold(), schema.casefold()
        read = [
            self.catalog.table(*best)
            for left_out, best in self.catalog.instead.items()
            if left_out[1].casefold() == wanted[0] and wanted[1] in ("", left_out[0].casefold())
        ]
        return [each for each in read if each]

    def columns(self, name: str) -> list[tuple[Table, Column]]:
        """The columns called `name`, `table.name` or `schema.table.name`."""
        parts = [each.strip('" ') for each in name.split(".")]
        table = self.table(".".join(parts[:-1])) if len(parts) > 1 else None
        tables = ([table] if table else []) if len(parts) > 1 else list(self.catalog.tables)
        staged = re.sub(r"\W+", "_", parts[-1]).strip("_")  # `Height (m)` is height_m there
        same = [(e, column) for e in tables if (column := e.column(parts[-1]) or e.column(staged))]
        stems = name_stems(parts[-1])
        return same or [(e, column) for e in tables for column in e.columns if stems and e.stems(column.name) == stems]

    def _column(self, node: Any) -> Col:
        name = ".".join(part.name for part in node.parts)
        found = self.columns(name)
        own = [pair for pair in found if self.home and pair[0].key == self.home.key]
        if found and not own and self.home and len(node.parts) == 1:
            raise Unsayable(f"{self.home.name} has no column {name!r}; there is {found[0][0].name}.{found[0][1].name}")
        own = own or found
        best = max((table.preference for table, _ in own), default=0.0)
        kept = [pair for pair in own if pair[0].preference == best]
        if not kept:
            raise Unsayable(f"there is no column {name!r}", name.split(".")[-1])
        if len(kept) > 1:
            raise Unsayable(
                f"{name!r} is a column of {' and of '.join(table.name for table, _ in kept[:4])}: say whose"
            )
        return Col(kept[0][0].key, kept[0][1].name)

    def _value(self, node: Any) -> Expr:
        from sqlglot import exp

        match node:
            case exp.Paren():
                return self._value(node.this)
            case exp.Column():
                table = self.table(".".join(part.name for part in node.parts))
                own = self.columns(".".join(part.name for part in node.parts))
                return Rows(table.key) if table and not own else self._column(node)
            case exp.Filter():
                return self._filtered(node)
            case exp.Count() | exp.Sum() | exp.Avg() | exp.Min() | exp.Max() | exp.Median():
                return self._aggregate(node)
            case exp.Sub():
                return Minus(self._value(node.this), self._value(node.expression))
            case exp.Div():
                return self._ratio(node)
            case exp.Mul():
                return self._scaled(node) or self._product(node)
            case exp.Nullif():
                return self._value(node.this)
            case exp.DateDiff():
                return self._days(node)
        raise Unsayable(f"the analyst's queries have no part for {shown(node)}")

    def _filtered(self, node: Any) -> Expr:
        made = self._value(node.this)
        if not isinstance(made, Agg):
            raise Unsayable(f"{shown(node.this)} cannot be filtered")
        condition = self._condition(node.expression.this)
        return replace(made, where=condition.all_of if isinstance(condition, Every) else (condition,))

    def _aggregate(self, node: Any) -> Agg:
        from sqlglot import exp

        function = cast(Function, type(node).__name__.lower())
        distinct = isinstance(node.this, exp.Distinct)
        if isinstance(node.this, exp.Star):
            raise Unsayable("count(*) does not say of what: write count of a table")
        of = self._value(node.this.expressions[0] if distinct else node.this)
        if is_total(of) or (isinstance(of, Rows) and function != "count"):
            raise Unsayable(f"{shown(node)} is not an aggregate of a column")
        return Agg(function, of, distinct)

    def _ratio(self, node: Any) -> Expr:
        scale, top = self._hundredfold(node.this)
        made = Ratio(self._value(top), self._value(node.expression), scale)
        if is_total(made.top) != is_total(made.bottom):
            raise Unsayable(f"{shown(node)} divides a total by a single row's value, or the other way round")
        return made

    def _scaled(self, node: Any) -> Expr | None:
        """`100 * a / b`: a percentage."""
        from sqlglot import exp

        scale, rest = self._hundredfold(node)
        inner = rest.unnest() if scale == 100 else None
        return replace(cast(Ratio, self._ratio(inner)), scale=scale) if isinstance(inner, exp.Div) else None

    def _hundredfold(self, node: Any) -> tuple[int, Any]:
        from sqlglot import exp

        node = node.unnest()
        if isinstance(node, exp.Mul):
            for number, rest in ((node.this, node.expression), (node.expression, node.this)):
                if isinstance(number, exp.Literal) and not number.is_string and float(number.this) == 100:
                    return 100, rest
        return 1, node

    def _product(self, node: Any) -> Expr:
        """Two columns multiplied, less a discount, or a difference of two that is multiplied by a third."""
        factors = list(node.flatten())
        discounts = [each for each in factors if (self._discount(each))]
        values = [self._value(each) for each in factors if each not in discounts]
        discount = self._discount(discounts[0]) if discounts else None
        match values, len(discounts):
            case [Col() as one, Col() as two], 0 | 1:
                return Product(one, two, discount)
            case [Col() as one], 1 if discount:
                return Minus(one, Product(one, discount))
            case [Minus(Col() as left, Col() as right), Col() as by], 0:
                return Minus(Product(left, by), Product(right, by))
            case [Col() as by, Minus(Col() as left, Col() as right)], 0:
                return Minus(Product(by, left), Product(by, right))
        raise Unsayable(f"{shown(node)}: two columns can be multiplied, less one discount, and nothing else")

    def _discount(self, node: Any) -> Col | None:
        """The column d of `(1 - d)`."""
        from sqlglot import exp

        inner = node.unnest()
        is_rest = isinstance(inner, exp.Sub) and isinstance(inner.this, exp.Literal) and inner.this.this in ("1", "1.0")
        return self._column(inner.expression) if is_rest and isinstance(inner.expression, exp.Column) else None

    def _days(self, node: Any) -> Days:
        later, earlier = self._value(node.this), self._value(node.expression)
        unit = node.args.get("unit")
        if not (isinstance(later, Col) and isinstance(earlier, Col)) or (unit and unit.name.casefold() != "day"):
            raise Unsayable(f"{shown(node)} is not the days between two columns")
        return Days(earlier, later)

    def _condition(self, node: Any) -> Cond:
        from sqlglot import exp

        match node:
            case exp.Paren():
                return self._condition(node.this)
            case exp.And():
                return Every(tuple(self._condition(each) for each in node.flatten()))
            case exp.Or():
                return Either(tuple(self._condition(each) for each in node.flatten()))
            case exp.Not():
                return contrary(self._condition(node.this))
            case exp.In() if node.expressions:
                column = self._compared(node.this)
                return Among(column, tuple(self._stored(column, each) for each in node.expressions))
            case exp.Between():
                column = self._compared(node.this)
                low, high = (self._stored(column, node.args[each]) for each in ("low", "high"))
                return Every((Compare(column, ">=", low), Compare(column, "<=", high)))
            case exp.Is() if isinstance(node.expression, exp.Null):
                return Missing(self._compared(node.this))
            case exp.Column():
                return Compare(self._column(node), "=", True)
        return self._comparison(node)

    def _comparison(self, node: Any) -> Cond:
        from sqlglot import exp

        signs: dict[Any, Operator] = {exp.EQ: "=", exp.NEQ: "!=", exp.LT: "<", exp.LTE: "<=", exp.GT: ">"}
        signs |= {exp.GTE: ">=", exp.Like: "like", exp.ILike: "like", exp.Is: "="}
        if type(node) not in signs:
            raise Unsayable(f"{shown(node)} is not a condition that the analyst's queries have")
        column = self._compared(node.this)
        return Compare(column, signs[type(node)], self._stored(column, node.expression, signs[type(node)]))

    def _compared(self, node: Any) -> Col:
        from sqlglot import exp

        if not isinstance(node, exp.Column):
            raise Unsayable(f"{shown(node)} is not a column")
        return self._column(node)

    def _stored(self, column: Col, node: Any, sign: str = "=") -> Any:
        """A constant as its column keeps it, or another column."""
        from sqlglot import exp

        if isinstance(node, exp.Column):
            if self.columns(".".join(part.name for part in node.parts)):
                return self._column(node)
            return self._spelt(column, node.name)
        value = constant(node)
        stored = self.catalog.column(*column.table, column.name)
        if isinstance(value, str) and stored and stored.kind == "time":
            return day(value)
        return self._spelt(column, value) if isinstance(value, str) and sign in ("=", "!=") else value

    def _spelt(self, column: Col, text: str) -> str:
        """A text as it is stored, where it is."""
        hits = self.catalog.values.lookup(text, 200)
        own = [each.value for each in hits if ((each.schema, each.table), each.column) == (column.table, column.name)]
        if self.catalog.values.count(*column.table):
            self.stored[text] = self.stored.get(text, False) or bool(own)
        return text if text in own or not own else own[0]


def contrary(condition: Cond) -> Cond:
    """Its contrary."""
    turned: dict[str, Operator] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "like": "not like"}
    match condition:
        case Compare(left, sign, right):
            return Compare(left, turned.get(sign, "like"), right)
        case Every(all_of):
            return Either(tuple(contrary(each) for each in all_of))
        case Either(any_of):
            return Every(tuple(contrary(each) for each in any_of))
        case Among() | Missing() | Related() | Inside():
            return replace(condition, negated=not condition.negated)
    raise Unsayable("its contrary cannot be said")

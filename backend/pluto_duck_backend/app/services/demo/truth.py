"""What is true of the demo shop, computed from the clean records before any dirt.

Called by generator; read by `pluto-duck demo` and tests. Revenue is the amount of the lines of completed
orders, refunds not deducted, dated by the order. Money is Decimal euros with two digits, rates are floats
between 0 and 1.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple, TypeVar

from pluto_duck_backend.app.services.demo.shop import Customer, Order, OrderLine, Product, Shop

K = TypeVar("K", bound=Hashable)
_LAST_QUARTER = date(2025, 10, 1)


class Sale(NamedTuple):
    """A line of a completed order with all it hangs on."""

    line: OrderLine
    order: Order
    product: Product
    customer: Customer


@dataclass(frozen=True, slots=True)
class DemoTruth:
    """Answers by name; every mapping is sorted by key, every ranking by value, highest first."""

    rows: dict[str, int]
    revenue: Decimal
    revenue_by_year: dict[int, Decimal]
    revenue_by_month: dict[str, Decimal]
    revenue_by_country: dict[str, Decimal]
    revenue_by_category: dict[str, Decimal]
    revenue_by_channel: dict[str, Decimal]
    top_products: tuple[tuple[str, Decimal], ...]
    top_customers: tuple[tuple[int, Decimal], ...]
    orders_by_status: dict[str, int]
    orders_by_channel: dict[str, int]
    completed_orders_by_channel: dict[str, int]
    customers_by_country: dict[str, int]
    customers_never_ordered: int
    units_by_category: dict[str, int]
    return_rate_by_category: dict[str, float]
    returns_by_reason: dict[str, int]
    refunds: Decimal
    spend: Decimal
    spend_by_channel: dict[str, Decimal]
    spend_by_year: dict[int, Decimal]
    spend_last_quarter_by_channel: dict[str, Decimal]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: decimals as floats, keys as text."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    def average_order_value(self, channel: str) -> Decimal:
        """Revenue of `channel` per completed order, not rounded."""
        return self.revenue_by_channel[channel] / self.completed_orders_by_channel[channel]


def tell(shop: Shop) -> DemoTruth:
    """All the truths of `shop`."""
    sales = list(_sales(shop))
    return DemoTruth(**_sizes(shop), **_revenue(sales), **_orders(shop), **_returns(shop, sales), **_spend(shop))


def _sales(shop: Shop) -> Iterator[Sale]:
    customers = {one.customer_id: one for one in shop.customers}
    products = {one.product_id: one for one in shop.products}
    orders = {one.order_id: one for one in shop.orders if one.status == "completed"}
    for line in shop.lines:
        if order := orders.get(line.order_id):
            yield Sale(line, order, products[line.product_id], customers[order.customer_id])


def _sizes(shop: Shop) -> dict[str, Any]:
    return {
        "rows": {
            "customers": len(shop.customers),
            "products": len(shop.products),
            "orders": len(shop.orders),
            "order_lines": len(shop.lines),
            "returns": len(shop.returns),
            "marketing_spend": len(shop.spend),
        }
    }


def _revenue(sales: list[Sale]) -> dict[str, Any]:
    def by(key: Callable[[Sale], K]) -> dict[K, Decimal]:
        return _money((key(sale), sale.line.amount) for sale in sales)

    return {
        "revenue": _euros(sum(sale.line.amount for sale in sales)),
        "revenue_by_year": by(lambda sale: sale.order.ordered_at.year),
        "revenue_by_month": by(lambda sale: sale.order.ordered_at.strftime("%Y-%m")),
        "revenue_by_country": by(lambda sale: sale.customer.country),
        "revenue_by_category": by(lambda sale: sale.product.category),
        "revenue_by_channel": by(lambda sale: sale.order.channel),
        "top_products": _ranked(by(lambda sale: sale.product.name)),
        "top_customers": _ranked(by(lambda sale: sale.customer.customer_id)),
        "units_by_category": _sums((sale.product.category, sale.line.quantity) for sale in sales),
    }


def _orders(shop: Shop) -> dict[str, Any]:
    buyers = {one.customer_id for one in shop.orders}
    completed = (one for one in shop.orders if one.status == "completed")
    return {
        "orders_by_status": _count(one.status for one in shop.orders),
        "orders_by_channel": _count(one.channel for one in shop.orders),
        "completed_orders_by_channel": _count(one.channel for one in completed),
        "customers_by_country": _count(one.country for one in shop.customers),
        "customers_never_ordered": sum(one.customer_id not in buyers for one in shop.customers),
    }


def _returns(shop: Shop, sales: list[Sale]) -> dict[str, Any]:
    back = {one.order_line_id for one in shop.returns}
    sold = _count(sale.product.category for sale in sales)
    returned = _count(sale.product.category for sale in sales if sale.line.order_line_id in back)
    return {
        "return_rate_by_category": {name: returned.get(name, 0) / count for name, count in sold.items()},
        "returns_by_reason": _count(one.reason for one in shop.returns if one.reason),
        "refunds": _euros(sum(one.refund for one in shop.returns)),
    }


def _spend(shop: Shop) -> dict[str, Any]:
    late = (one for one in shop.spend if one.day >= _LAST_QUARTER)
    return {
        "spend": _euros(sum(one.spend for one in shop.spend)),
        "spend_by_channel": _money((one.channel, one.spend) for one in shop.spend),
        "spend_by_year": _money((one.day.year, one.spend) for one in shop.spend),
        "spend_last_quarter_by_channel": _money((one.channel, one.spend) for one in late),
    }


def _sums(pairs: Iterable[tuple[K, int]]) -> dict[K, int]:
    totals: dict[K, int] = defaultdict(int)
    for key, value in pairs:
        totals[key] += value
    return {key: totals[key] for key in sorted(totals)}  # type: ignore[type-var]


def _money(pairs: Iterable[tuple[K, int]]) -> dict[K, Decimal]:
    return {key: _euros(cents) for key, cents in _sums(pairs).items()}


def _count(keys: Iterable[K]) -> dict[K, int]:
    return _sums(Counter(keys).items())


def _ranked(totals: dict[K, Decimal]) -> tuple[tuple[K, Decimal], ...]:
    return tuple(sorted(totals.items(), key=lambda pair: -pair[1])[:10])


def _euros(cents: int) -> Decimal:
    return Decimal(cents).scaleb(-2)


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value

"""The clean shop: one frozen record per row, before any dirt.

Built by people, goods, sales and campaigns; read by truth (answers) and dirt (file rows).
Money is whole cents everywhere here, so sums are exact; a discount is whole percent.
"""

from dataclasses import dataclass
from datetime import date, datetime

FIRST_DAY = date(2023, 1, 1)
LAST_DAY = date(2025, 12, 31)


@dataclass(frozen=True, slots=True)
class Customer:
    """A registered customer, with or without orders."""

    customer_id: int
    name: str
    email: str | None
    country: str
    city: str | None
    segment: str
    signup_date: date


@dataclass(frozen=True, slots=True)
class Product:
    """A product; `price` and `cost` are today's, in cents."""

    product_id: int
    name: str
    category: str
    brand: str
    price: int
    cost: int


@dataclass(frozen=True, slots=True)
class Order:
    """An order; `status` is completed, cancelled or pending."""

    order_id: int
    customer_id: int
    ordered_at: datetime
    status: str
    channel: str


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One product in one order; `unit_price` in cents, `discount` in percent."""

    order_line_id: int
    order_id: int
    product_id: int
    quantity: int
    unit_price: int
    discount: int

    @property
    def amount(self) -> int:
        """Cents to pay, halves rounded up."""
        return (self.quantity * self.unit_price * (100 - self.discount) + 50) // 100


@dataclass(frozen=True, slots=True)
class Return:
    """A returned order line; at most one per line, only for completed orders."""

    return_id: int
    order_line_id: int
    return_date: date
    reason: str | None
    refund: int


@dataclass(frozen=True, slots=True)
class Spend:
    """Marketing money of one day, channel and campaign, in cents."""

    day: date
    channel: str
    campaign: str
    spend: int


@dataclass(frozen=True, slots=True)
class Shop:
    """Everything the shop knows, in the order it happened."""

    customers: tuple[Customer, ...]
    products: tuple[Product, ...]
    orders: tuple[Order, ...]
    lines: tuple[OrderLine, ...]
    returns: tuple[Return, ...]
    spend: tuple[Spend, ...]

"""Orders, their lines and what came back.

Called by generator. Orders come in time order with rising ids; a customer never orders before signing up;
only lines of completed orders are returned, each at most once, within the three years.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from random import Random

from pluto_duck_backend.app.services.demo import vocabulary as words
from pluto_duck_backend.app.services.demo.draw import Wheel, chance
from pluto_duck_backend.app.services.demo.shop import (
    FIRST_DAY,
    LAST_DAY,
    Customer,
    Order,
    OrderLine,
    Product,
    Return,
)

_MONTHS = (82, 78, 90, 94, 100, 98, 92, 88, 100, 108, 150, 170)
_WEEKDAYS = (100, 96, 95, 98, 108, 118, 112)
_HOURS = (2, 1, 1, 1, 1, 2, 5, 10, 16, 20, 22, 24, 26, 24, 22, 21, 22, 25, 30, 36, 38, 30, 16, 6)
_YEARLY_GROWTH = 22
_PRICE_LEVEL = {2023: 94, 2024: 97, 2025: 100}
_STILL_OPEN = date(2025, 12, 17)
_FIRST_ORDER_ID = 100_001


def build_orders(rng: Random, customers: Sequence[Customer], count: int) -> tuple[Order, ...]:
    """`count` orders: growth over the years, a strong year's end, few customers who order very often."""
    moments = sorted(_moments(rng, count))
    signups = [customer.signup_date for customer in customers]
    buyers = Wheel([customer.customer_id for customer in customers], _eagerness(rng, len(customers)))
    channels = Wheel.of({name: weight for name, (weight, _) in words.CHANNELS.items()})
    return tuple(
        Order(
            order_id=_FIRST_ORDER_ID + number,
            customer_id=buyers.spin(rng, bisect_right(signups, moment.date())),
            ordered_at=moment,
            status=_status(rng, moment.date()),
            channel=channels.spin(rng),
        )
        for number, moment in enumerate(moments)
    )


def build_lines(rng: Random, orders: Sequence[Order], products: Sequence[Product]) -> tuple[OrderLine, ...]:
    """One to six lines for every order, seasonal by category, no product twice in an order."""
    wheels = _demand(rng, products)
    lines: list[OrderLine] = []
    for order in orders:
        wheel, wanted = wheels[order.ordered_at.month], rng.choice((1, 1, 1, 2, 2, 2, 3, 3, 4, 6))
        basket = {product.product_id: product for product in (wheel.spin(rng) for _ in range(wanted))}
        for product in basket.values():
            lines.append(_line(rng, len(lines) + 1, order, product))
    return tuple(lines)


def build_returns(
    rng: Random, orders: Sequence[Order], lines: Sequence[OrderLine], products: Sequence[Product]
) -> tuple[Return, ...]:
    """Returns in the order of their lines; the share depends on the category of the product."""
    completed = {order.order_id: order.ordered_at.date() for order in orders if order.status == "completed"}
    percent = {product.product_id: words.CATEGORIES[product.category].return_percent for product in products}
    reasons = Wheel.of(words.REASONS)
    returns: list[Return] = []
    for line in lines:
        if line.order_id not in completed or not chance(rng, percent[line.product_id]):
            continue
        day = completed[line.order_id] + timedelta(days=rng.randint(3, 30))
        if day <= LAST_DAY:
            returns.append(_return(rng, len(returns) + 1, line, day, reasons.spin(rng)))
    return tuple(returns)


def _moments(rng: Random, count: int) -> Iterator[datetime]:
    days = [FIRST_DAY + timedelta(days=number) for number in range((LAST_DAY - FIRST_DAY).days + 1)]
    calendar = Wheel(days, [_busyness(day) for day in days])
    hours = Wheel(range(24), _HOURS)
    for _ in range(count):
        clock = time(hours.spin(rng), rng.randrange(60), rng.randrange(60))
        yield datetime.combine(calendar.spin(rng), clock)


def _busyness(day: date) -> int:
    growth = 36_500 + _YEARLY_GROWTH * (day - FIRST_DAY).days
    sale = 2 if day.month == 11 and 23 <= day.day <= 30 else 1
    return growth * _MONTHS[day.month - 1] * _WEEKDAYS[day.weekday()] * sale


def _eagerness(rng: Random, count: int) -> list[int]:
    """Weights falling like one over the rank, in random order; one customer in twelve never buys."""
    ranks = list(range(count))
    rng.shuffle(ranks)
    weights = [0 if rank % 12 == 11 else 100_000_000 // (rank + count // 20 + 1) for rank in ranks]
    weights[0] = max(weights[0], 1)
    return weights


def _status(rng: Random, day: date) -> str:
    if day >= _STILL_OPEN and chance(rng, 35):
        return "pending"
    return "cancelled" if chance(rng, 6) else "completed"


def _demand(rng: Random, products: Sequence[Product]) -> dict[int, Wheel[Product]]:
    ranks = list(range(len(products)))
    rng.shuffle(ranks)
    base = [10_000_000 // (rank + 12) for rank in ranks]
    return {
        month: Wheel(
            products,
            [_seasonal(product, weight, month) for product, weight in zip(products, base, strict=True)],
        )
        for month in range(1, 13)
    }


def _seasonal(product: Product, weight: int, month: int) -> int:
    return weight * 2 if month in words.CATEGORIES[product.category].peak else weight


def _line(rng: Random, number: int, order: Order, product: Product) -> OrderLine:
    return OrderLine(
        order_line_id=number,
        order_id=order.order_id,
        product_id=product.product_id,
        quantity=rng.choice((1, 1, 1, 1, 1, 1, 2, 2, 3, 4)),
        unit_price=product.price * _PRICE_LEVEL[order.ordered_at.year] // 100,
        discount=rng.choice((0, 0, 0, 0, 0, 0, 5, 10, 15, 20)),
    )


def _return(rng: Random, number: int, line: OrderLine, day: date, reason: str) -> Return:
    refund = line.amount // 2 if chance(rng, 15) else line.amount
    return Return(number, line.order_line_id, day, None if chance(rng, 5) else reason, refund)

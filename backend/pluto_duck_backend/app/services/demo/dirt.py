"""The dirt of everyday files: other spellings, gaps, late rows, rows delivered twice.

Called by files with the clean shop; gives file rows. Nothing here loses a fact: every mess can be undone
from the files alone, which the staging models of the starter project do. Facts that are unknown in the clean
shop (a missing city, a missing reason) stay unknown.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from random import Random

from pluto_duck_backend.app.services.demo import vocabulary as words
from pluto_duck_backend.app.services.demo.draw import chance
from pluto_duck_backend.app.services.demo.shop import Order, OrderLine, Return, Shop

Row = tuple[str | int | float | date | None, ...]

_MISSPELT_PERCENT = 12
_LATE_PERCENT = 2
_DOUBLE_PERCENT = 1
_BATCH = 25


def customer_rows(rng: Random, shop: Shop) -> Iterator[Row]:
    """(customer_id, name, email, country, city, segment, signup_date as text)."""
    for one in shop.customers:
        country = _misspell(rng, one.country, words.COUNTRIES[one.country].spellings)
        city = f"{one.city} " if one.city and chance(rng, 5) else one.city
        email = one.email.upper() if one.email and chance(rng, 4) else one.email or rng.choice((None, ""))
        yield one.customer_id, one.name, email, country, city, one.segment, one.signup_date.isoformat()


def product_rows(rng: Random, shop: Shop) -> Iterator[Row]:
    """(product_id, name, category, brand, price, cost); money in euros."""
    for one in shop.products:
        category = _misspell(rng, one.category, (one.category.lower(), one.category.upper()))
        yield one.product_id, one.name, category, one.brand, one.price / 100, one.cost / 100


def order_rows(rng: Random, shop: Shop) -> list[Row]:
    """(order_id, customer_id, ordered_at, status, channel), single orders doubled."""
    return _deliver(rng, (row for one in shop.orders for row in _doubled(rng, _order_row(rng, one))))


def line_rows(rng: Random, shop: Shop) -> list[Row]:
    """(order_line_id, order_id, product_id, quantity, unit_price, discount, amount), whole batches doubled.

    `discount` is a share of one, sometimes empty for none; an empty `amount` follows from the rest.
    """
    return _deliver(rng, _rebatched(rng, [_line_row(rng, one) for one in shop.lines]))


def return_rows(rng: Random, shop: Shop) -> list[Row]:
    """(return_id, order_line_id, return_date, reason, refund_amount)."""
    return _deliver(rng, (row for one in shop.returns for row in _doubled(rng, _return_row(rng, one))))


def spend_rows(rng: Random, shop: Shop) -> list[Row]:
    """(spend_date, channel, campaign, spend)."""
    clean = (
        (
            one.day,
            _misspell(rng, one.channel, words.AD_CHANNELS[one.channel][1]),
            one.campaign,
            one.spend / 100,
        )
        for one in shop.spend
    )
    return _deliver(rng, (row for one in clean for row in _doubled(rng, one)))


def _order_row(rng: Random, one: Order) -> Row:
    status = _misspell(rng, one.status, words.STATUSES[one.status])
    channel = _misspell(rng, one.channel, words.CHANNELS[one.channel][1])
    return one.order_id, one.customer_id, one.ordered_at.isoformat(sep=" "), status, channel


def _line_row(rng: Random, one: OrderLine) -> Row:
    discount = one.discount / 100 if one.discount or chance(rng, 50) else None
    amount = None if chance(rng, 2) else one.amount / 100
    return (
        one.order_line_id,
        one.order_id,
        one.product_id,
        one.quantity,
        one.unit_price / 100,
        discount,
        amount,
    )


def _return_row(rng: Random, one: Return) -> Row:
    reason = one.reason and _misspell(rng, one.reason, words.REASON_SPELLINGS[one.reason])
    return one.return_id, one.order_line_id, one.return_date.isoformat(), reason, one.refund / 100


def _misspell(rng: Random, text: str, spellings: Sequence[str]) -> str:
    return rng.choice(spellings) if chance(rng, _MISSPELT_PERCENT) else text


def _doubled(rng: Random, row: Row) -> tuple[Row, ...]:
    return (row, row) if chance(rng, _DOUBLE_PERCENT) else (row,)


def _rebatched(rng: Random, rows: Sequence[Row]) -> Iterator[Row]:
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        yield from batch
        if chance(rng, _DOUBLE_PERCENT):
            yield from batch


def _deliver(rng: Random, rows: Iterable[Row]) -> list[Row]:
    """The rows with the late ones behind all others."""
    late: list[Row] = []
    on_time: list[Row] = []
    for row in rows:
        (late if chance(rng, _LATE_PERCENT) else on_time).append(row)
    return on_time + late

"""The customers of the demo shop.

Called by generator. Customers come sorted by signup date, so the ones known on a day are a prefix.
"""

from datetime import date, timedelta
from random import Random

from pluto_duck_backend.app.services.demo import vocabulary as words
from pluto_duck_backend.app.services.demo.draw import Wheel, chance
from pluto_duck_backend.app.services.demo.shop import FIRST_DAY, LAST_DAY, Customer

_EARLIEST_SIGNUP = date(2022, 1, 1)


def build_customers(rng: Random, count: int) -> tuple[Customer, ...]:
    """`count` customers with ids 1 … count; about a quarter signed up before the first day of sales."""
    countries = Wheel.of({name: country.weight for name, country in words.COUNTRIES.items()})
    segments = Wheel.of(words.SEGMENTS)
    signups = sorted(_signup(rng) for _ in range(count))
    return tuple(
        _customer(rng, number, day, countries.spin(rng), segments.spin(rng))
        for number, day in enumerate(signups, start=1)
    )


def _signup(rng: Random) -> date:
    start, end = (_EARLIEST_SIGNUP, FIRST_DAY) if chance(rng, 25) else (FIRST_DAY, LAST_DAY)
    return start + timedelta(days=rng.randrange((end - start).days))


def _customer(rng: Random, number: int, day: date, country: str, segment: str) -> Customer:
    first, last = rng.choice(words.FIRST_NAMES), rng.choice(words.LAST_NAMES)
    email = f"{first}.{last}{number}@example.com".lower()
    return Customer(
        customer_id=number,
        name=f"{first} {last}",
        email=None if chance(rng, 4) else email,
        country=country,
        city=None if chance(rng, 6) else rng.choice(words.COUNTRIES[country].cities),
        segment=segment,
        signup_date=day,
    )

"""Marketing spend: one row for every day and channel.

Called by generator. The campaign follows the calendar, the money follows channel, season and growth.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

from pluto_duck_backend.app.services.demo import vocabulary as words
from pluto_duck_backend.app.services.demo.shop import FIRST_DAY, LAST_DAY, Spend

_BOOST = {
    "Always On": 100,
    "Spring Sale": 130,
    "Summer Sale": 125,
    "Black Friday": 220,
    "Holiday Season": 170,
}


def build_spend(rng: Random) -> tuple[Spend, ...]:
    """All days of the three years, times the advertising channels."""
    return tuple(
        Spend(day, channel, _campaign(day), _cents(rng, day, base))
        for day in _days()
        for channel, (base, _) in words.AD_CHANNELS.items()
    )


def _days() -> Iterator[date]:
    day = FIRST_DAY
    while day <= LAST_DAY:
        yield day
        day += timedelta(days=1)


def _campaign(day: date) -> str:
    if day.month == 11 and day.day >= 17:
        return "Black Friday"
    return {4: "Spring Sale", 7: "Summer Sale", 12: "Holiday Season"}.get(day.month, "Always On")


def _cents(rng: Random, day: date, base: int) -> int:
    growth = 100 + 12 * (day.year - FIRST_DAY.year)
    return base * growth * _BOOST[_campaign(day)] * rng.randint(75, 125) // 1_000_000

"""Makes the values of a made-up column: names, places, choices, dates, numbers, and keys of other tables."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Sequence
from typing import Any

from pluto_duck_training.synthetic.domains import Field, pools

Row = dict[str, Any]
_DAYS = 365.25
_PATTERNS = ("{adjective} {noun}", "{noun} {adjective}", "The {adjective} {noun}", "{noun} of {city}")


class Makers:
    """Makes values one after the other; names come only once in a column."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._given: set[tuple[int, str]] = set()

    def column(self, field: Field, rows: Sequence[Row], parents: Sequence[Any]) -> list[Any]:
        """A value for each row, of which the columns before are there already."""
        make: Callable[[Field, Row, Sequence[Any]], Any] = getattr(self, f"_{_NAMES.get(field.maker, field.maker)}")
        return [None if self._rng.random() < field.missing else make(field, row, parents) for row in rows]

    def _pool(self, field: Field, row: Row, parents: Sequence[Any]) -> str:
        return self._rng.choice(pools()[field.maker])

    def _company(self, field: Field, row: Row, parents: Sequence[Any]) -> str:
        return self._once(field, lambda: self._rng.choice(pools()["company"]) + self._rng.choice(_ENDINGS))

    def _person(self, field: Field, row: Row, parents: Sequence[Any]) -> str:
        return self._once(field, lambda: f"{self._rng.choice(pools()['first'])} {self._rng.choice(pools()['last'])}")

    def _named(self, field: Field, row: Row, parents: Sequence[Any]) -> str:
        return self._once(field, self._title)

    def _title(self) -> str:
        words = {name: self._rng.choice(pools()[name]) for name in ("adjective", "noun", "city")}
        return self._rng.choice(_PATTERNS).format(**words)

    def _word(self, field: Field, row: Row, parents: Sequence[Any]) -> str:
        made = self._once(field, lambda: self._rng.choice(pools()["adjective"]) + self._rng.choice(pools()["noun"]))
        return made.lower()

    def _once(self, field: Field, make: Callable[[], str]) -> str:
        made = make()
        for _ in range(30):
            if (id(field), made) not in self._given:
                break
            made = make()
        self._given.add((id(field), made))
        return made

    def _email(self, field: Field, row: Row, parents: Sequence[Any]) -> str:
        return f"{self._rng.choice(pools()['first'])}{self._rng.randint(1, 999)}@mail.example".lower()

    def _phone(self, field: Field, row: Row, parents: Sequence[Any]) -> str:
        return f"+49 {self._rng.randint(100, 999)} {self._rng.randint(10000, 99999)}"

    def _code(self, field: Field, row: Row, parents: Sequence[Any]) -> str:
        return f"{field.arguments[0]}-{self._rng.randint(1000, 9999)}"

    def _of(self, field: Field, row: Row, parents: Sequence[Any]) -> str:
        weights = [1 / (place + 1.5) for place in range(len(field.arguments))]
        return self._rng.choices(field.arguments, weights)[0]

    def _flag(self, field: Field, row: Row, parents: Sequence[Any]) -> bool:
        return self._rng.random() < float(field.arguments[0])

    def _int(self, field: Field, row: Row, parents: Sequence[Any]) -> int:
        low, high = (int(each) for each in field.arguments)
        return min(high, int(low + (high - low + 1) * self._rng.random() ** 1.4))

    def _year(self, field: Field, row: Row, parents: Sequence[Any]) -> int:
        return self._rng.randint(int(field.arguments[0]), int(field.arguments[1]))

    def _money(self, field: Field, row: Row, parents: Sequence[Any]) -> float:
        low, high = (float(each) for each in field.arguments)
        return round(low + (high - low) * self._rng.random() ** 2, 2)

    def _score(self, field: Field, row: Row, parents: Sequence[Any]) -> float:
        low, high = (float(each) for each in field.arguments)
        return round(self._rng.uniform(low, high), 1)

    def _part(self, field: Field, row: Row, parents: Sequence[Any]) -> float:
        low, high = (float(each) for each in field.arguments)
        return round(low + (high - low) * self._rng.choice((0, 0, 0.25, 0.5, 1)), 2)

    def _day(self, field: Field, row: Row, parents: Sequence[Any]) -> dt.date:
        """A day, rather a late one: business grows."""
        first, last = int(field.arguments[0]), int(field.arguments[1])
        length = int((last - first + 1) * _DAYS)
        return dt.date(first, 1, 1) + dt.timedelta(days=min(length - 1, int(length * self._rng.random() ** 0.8)))

    def _time(self, field: Field, row: Row, parents: Sequence[Any]) -> dt.datetime:
        hour = min(23, max(0, int(self._rng.gauss(13, 4))))
        day = self._day(field, row, parents)
        return dt.datetime(day.year, day.month, day.day, hour, self._rng.randint(0, 59))

    def _later(self, field: Field, row: Row, parents: Sequence[Any]) -> Any:
        before = row[field.arguments[0]]
        return before and before + dt.timedelta(
            days=self._rng.randint(int(field.arguments[1]), int(field.arguments[2]))
        )

    def _key(self, field: Field, row: Row, parents: Sequence[Any]) -> Any:
        """A parent, of whom a tenth have no children and some have many."""
        kept = parents[: max(1, int(len(parents) * 0.9))]
        return kept[int(len(kept) * self._rng.random() ** 1.5)]


_ENDINGS = ("", "", " Inc", " Ltd", " Group", " & Sons")
_NAMES = {">": "key"} | dict.fromkeys(("first", "last", "city", "country", "region", "street"), "pool")

"""A source as people write them for dlt; test_dlt loads it."""

import datetime as dt
import decimal
import uuid

import dlt
import polars as pl

MANY = 120_000


@dlt.resource(primary_key="id")
def orders(count: int = 3):
    for n in range(count):
        yield {"id": n, "at": dt.datetime(2024, 1, 1, tzinfo=dt.UTC), "amount": decimal.Decimal("1.50"), "tags": ["a"]}


@dlt.resource
def late():
    yield [{"a": n, "b": None} for n in range(MANY)]
    yield [{"a": 2.5, "b": {"x": 1}, "new": "z"}, {"a": None, "b": "text"}]


@dlt.resource
def mixed():
    yield {"v": 1, "w": 2**70, "u": uuid.UUID(int=5), "n": None}
    yield {"v": "one", "w": 1, "u": None, "n": None}


@dlt.resource
def frames():
    yield pl.DataFrame({"id": [1, 2]})
    yield pl.DataFrame({"id": [3]})


@dlt.resource
def nothing():
    yield []


@dlt.resource
def breaks():
    yield {"id": 1}
    raise ValueError("the far end hung up")


@dlt.source
def shop(count: int = 3):
    return orders(count), frames, nothing

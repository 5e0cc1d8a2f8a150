"""The grammar of sketches: whatever it allows ends in a query or is Malformed, and every word can be reached."""

import datetime as dt
import random

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pluto_duck_text2sql import Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.learned.grammar import START, WORDS, State, allowed, step
from pluto_duck_text2sql.learned.sketch import Malformed, Val, to_query
from pluto_duck_text2sql.times.periods import period_of
from pluto_duck_text2sql.tree import Col, Query, Rows
from pluto_duck_text2sql.trees.facts import Facts
from pluto_duck_text2sql.trees.render import render
from pluto_duck_text2sql.trees.titles import title

_COLUMNS = {
    "shops": {"shop_id": "INTEGER", "name": "VARCHAR", "opened": "DATE", "is_open": "BOOLEAN"},
    "sales": {"sale_id": "INTEGER", "shop_id": "INTEGER", "sold": "TIMESTAMP", "price": "DOUBLE", "pieces": "INTEGER"},
}
_VALUES = [3.0, 0.5, 0.0, -1.0, 1e308, float("inf"), float("nan"), "pen", "2019-03-01", "", 2019.0, True, None]
_VALUES += [period_of(each) for each in ("2019", "last 3 months", "since 2012", "before March", "yesterday")]
_NODES = ("<column>", "<table>", "<value>")


@pytest.fixture(scope="module")
def catalog():
    keys = (ForeignKey(("shop_id",), "main", "shops", ("shop_id",)),)
    return Catalog(
        tuple(
            Table(name, "main", tuple(Column(*each) for each in columns.items()), (f"{name[:-1]}_id",), foreign)
            for (name, columns), foreign in zip(_COLUMNS.items(), ((), keys), strict=True)
        )
    )


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as opened:
        for name, columns in _COLUMNS.items():
            opened.execute(f"CREATE TABLE {name} ({', '.join(f'{each} {kind}' for each, kind in columns.items())})")
        yield opened


def _walk(rng, values=_VALUES, short=25):
    """A line of words, each one of those allowed; after `short` words those that lead to the end."""
    columns = [Col(("main", table), name) for table, names in _COLUMNS.items() for name in names]
    tables = [Rows(("main", table)) for table in _COLUMNS]
    state, line = START, []
    for _ in range(1500):
        words = sorted(allowed(state))
        if len(line) > short:
            words = [min(words, key=lambda word: (len(step(state, word).expects), word not in (*_NODES, "end")))]
        word = rng.choice(words)
        if word == "end":
            return line
        state = step(state, word)
        nodes = {"<column>": columns, "<table>": tables, "<value>": [Val(each) for each in values]}
        line.append(rng.choice(nodes[word]) if word in nodes else word)
    raise AssertionError(f"no end: {line}")


@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=300)
def test_what_is_allowed_is_a_query_or_malformed(catalog, seed):
    line = _walk(random.Random(seed))
    try:
        query = to_query(line, catalog, dt.date(2026, 3, 10))
    except Malformed:
        return
    assert isinstance(query, Query)
    assert render(query, catalog, JoinGraph(catalog))
    assert title(query)
    assert Facts.of(query).clauses["queries"] >= 1


def test_what_is_allowed_can_be_parsed(catalog, connection):
    """Random columns are often of the wrong type or group, which only DuckDB says; but all of it is SQL."""
    joins, ran = JoinGraph(catalog), 0
    for seed in range(600):
        try:
            query = to_query(_walk(random.Random(seed), [3.0], 6), catalog, dt.date(2026, 3, 10))
        except Malformed:
            continue
        try:
            connection.execute(render(query, catalog, joins))
            ran += 1
        except duckdb.BinderException:
            continue
    assert ran > 10


def test_every_word_can_be_reached():
    seen, states = set(), {START}
    queue = [START]
    for _ in range(20_000):
        if not queue:
            break
        state = queue.pop(0)
        for word in sorted(allowed(state)):
            seen.add(word)
            after = step(state, word)
            if after not in states:
                states.add(after)
                queue.append(after)
    assert seen == {*WORDS, *_NODES}


def test_the_old_words_come_first():
    assert WORDS[0] == "end"
    assert WORDS[38] == "join"
    assert len(WORDS) == len(set(WORDS))


def test_a_word_that_is_not_allowed_changes_nothing():
    assert step(START, "where") == START


def test_queries_nest_two_deep():
    state = START
    nested = ["in", "(", "<column>", "where", "<column>"]
    for word in ["<column>", "where", "<column>", *nested, *nested]:
        assert word in allowed(state)
        state = step(state, word)
    assert {"=", "null"} <= allowed(state)
    assert not {"in", "notin", "("} & allowed(state)
    assert "(" not in allowed(step(state, "="))


def test_the_end_ends():
    state = State(("end",))
    assert allowed(state) == {"end"}
    assert allowed(step(state, "end")) == frozenset()

"""Which columns of a catalog that has more than a network can look at are nodes of a question's graph."""

import pytest

from pluto_duck_text2sql import Catalog, Column, Table, ValueIndex
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.learned.graph import MOST_COLUMNS, Grapher

_FILLING = tuple(Column(f"measure{n}", "DOUBLE") for n in range(12))


def _table(name, *columns):
    return Table(name, "main", (Column("id", "INTEGER"), *_FILLING, *columns), ("id",))


CATALOG = Catalog(
    (
        *(_table(f"other{n}", Column("kind", "VARCHAR")) for n in range(4)),
        _table("teams", Column("label", "VARCHAR"), Column("name", "VARCHAR")),
        _table("races", Column("held", "DATE")),
    ),
    ValueIndex.build([("main", "teams", "label", "Ferrari")]),
)


def _columns(question):
    graph = Grapher(CATALOG, JoinGraph(CATALOG)).graph(question)
    return {f"{table.name}.{column.name}" for table, column in graph.columns}


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("who drove for Ferrari", "teams.label"),
        ("what happened in May 2013", "races.held"),
        ("who drove best", "teams.name"),
        ("the greatest measure11", "other3.measure11"),
    ],
)
def test_what_a_question_speaks_of_is_a_node_of_a_large_catalog(question, column):
    found = _columns(question)
    assert len(found) == MOST_COLUMNS
    assert column in found

"""Comments as names: what tables and columns are called in them is found by the rules, and by the network's graph."""

from dataclasses import replace

import pytest

from pluto_duck_text2sql import Analyst, Catalog, Column, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.learned.graph import Grapher
from pluto_duck_text2sql.learned.model import load
from pluto_duck_text2sql.learned.names import WHOLE
from pluto_duck_text2sql.learned.sketcher import Sketcher
from pluto_duck_text2sql.terms.described import described

TABLES = (
    Table(
        "kna1",
        "main",
        (
            Column("kunnr", "VARCHAR", "Key of the patron"),
            Column("ort01", "VARCHAR", "Town of the patron; empty where unknown"),
            Column("uz17", "DOUBLE", "What was billed, before tax. Also called takings or net billing."),
            Column("kz", "VARCHAR", "In euros"),
        ),
        primary_key=("kunnr",),
        comment="Patrons, one row each",
    ),
    Table("mara", "main", (Column("matnr", "VARCHAR"),), comment="All that was ever sold or is still in stock"),
)
CATALOG = Catalog(TABLES)


def _columns(question):
    links = Analyst(CATALOG).link(question)
    return [each.column for each in links.columns], [table.name for table, _ in links.tables]


@pytest.mark.parametrize(
    ("question", "column"),
    [("takings by town", "uz17"), ("total net billing", "uz17"), ("patrons by town", "ort01")],
)
def test_the_rules_know_a_column_by_its_comment(question, column):
    assert column in _columns(question)[0]


def test_the_rules_know_a_table_by_its_comment():
    assert _columns("how many patrons")[1][0] == "kna1"
    assert "FROM kna1" in Analyst(CATALOG).ask("how many patrons are there").candidates[0].sql


def test_a_sentence_is_no_name():
    texts = {term.said for term in described(CATALOG)}
    assert not texts & {"In euros", "What was billed", "All that was ever sold or is still in stock"}


def test_the_graph_links_words_to_what_a_comment_calls_so():
    plain = Grapher(CATALOG, JoinGraph(CATALOG)).graph("total takings by town")
    graph = Grapher(CATALOG, JoinGraph(CATALOG), aliases=described(CATALOG)).graph("total takings by town")
    place = graph.sizes[0] + next(n for n, (_, column) in enumerate(graph.columns) if column.name == "uz17")
    assert plain.relations[1, place] == 0
    assert graph.relations[1, place] > 0
    assert graph.features[place, 3 + WHOLE] == 1


def test_the_network_reads_the_comment_with_the_name():
    def likeliest(catalog):
        return Sketcher(catalog, JoinGraph(catalog), load().network).sketches("patrons by town").found[0].score

    without = Catalog(tuple(replace(table, comment="", columns=_plain(table)) for table in TABLES))
    assert likeliest(CATALOG) != likeliest(without)


def _plain(table):
    return tuple(replace(column, comment="") for column in table.columns)

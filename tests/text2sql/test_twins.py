"""Of tables that tell one fact in several schemas only the preferred one is read, unless a question names another."""

from dataclasses import replace

import pytest

from pluto_duck_text2sql import Analyst, Catalog, Column, ForeignKey, Table, ValueIndex
from pluto_duck_text2sql.data.twins import one_of_each
from pluto_duck_text2sql.language.glossary import read_glossary

ORDER = (Column("order_id", "INTEGER"), Column("status", "VARCHAR", n_distinct=2), Column("buyer_id", "INTEGER"))
BUYER = (Column("buyer_id", "INTEGER"), Column("city", "VARCHAR"))
SPEND = (Column("day", "DATE"), Column("campaign", "VARCHAR"))
VALUES = [("raw", "orders", "status", "OPEN"), ("marts", "orders", "status", "open")]


def _table(schema, name, columns, preference, points_at=None):
    foreign = (ForeignKey(("buyer_id",), schema, points_at, ("buyer_id",)),) if points_at else ()
    return Table(name, schema, columns, (columns[0].name,), foreign, row_count=4, preference=preference)


LAYERS = Catalog(
    (
        _table("raw", "orders", ORDER, -1, "buyers"),
        _table("raw", "buyers", BUYER, -1),
        _table("raw", "spend", SPEND, -1),
        _table("staging", "stg_orders", ORDER, -0.5),
        _table("marts", "orders", (*ORDER, Column("revenue", "DOUBLE")), 1, "buyers"),
        _table("marts", "dim_buyers", BUYER, 1),
    ),
    ValueIndex.build(VALUES),
)


def test_the_preferred_of_twins_stays_with_its_values():
    kept = one_of_each(LAYERS)
    assert [table.key for table in kept.tables] == [("raw", "spend"), ("marts", "orders"), ("marts", "dim_buyers")]
    assert [(hit.schema, hit.value) for hit in kept.values.lookup("open")] == [("marts", "open")]
    assert kept.values.count("raw", "orders") == 0 and len(kept.values) == 1


OWN = (Column("Harvested on", "DATE"), Column("Kg of honey", "DOUBLE"), Column("Water (in %)", "DOUBLE"))
LOADED = Table("harvest", "main", OWN, row_count=4, preference=-1)
STAGED = Table(
    "stg_harvest",
    "staging",
    (
        *(Column("harvested_on", "DATE"), Column("kg_of_honey", "DOUBLE"), Column("water_in", "DOUBLE")),
        Column("hive_no", "INTEGER", n_distinct=2),
    ),
    row_count=4,
    preference=-0.5,
    made_from=frozenset([LOADED.key]),
)


def test_columns_that_were_renamed_in_staging_are_the_same_to_a_glossary_too():
    assert [table.key for table in one_of_each(Catalog((LOADED, STAGED))).tables] == [STAGED.key]
    terms = (
        '- yield: sum of harvest."Kg of honey"\n- crop: main.harvest.Kg of honey\n- reaped: harvest\n'
        '- wet: harvest where "Water (in %)" > 18'
    )
    items = tuple(read_glossary(terms, "words.md"))
    analyst = Analyst(Catalog((LOADED, STAGED), glossary=items))
    for question in ("yield by hive no", "total crop by hive no"):
        sql = analyst.ask(question).candidates[0].sql
        assert "SUM(kg_of_honey)" in sql and "staging.stg_harvest" in sql, sql
    assert "COUNT(*)" in analyst.ask("how many reaped are there").candidates[0].sql
    assert "water_in > 18" in analyst.ask("number of wet harvest").candidates[0].sql


def test_the_plain_word_for_what_a_table_holds_does_not_name_the_loaded_one():
    analyst = Analyst(Catalog((LOADED, STAGED)))
    assert "FROM staging.stg_harvest" in analyst.ask("number of harvest by hive no").candidates[0].sql
    assert "FROM harvest" in analyst.ask("average kg of honey in main.harvest").candidates[0].sql


def test_keys_that_point_at_what_is_gone_are_gone():
    marts_orders = one_of_each(LAYERS).table("marts", "orders")
    assert marts_orders.foreign_keys == ()


def test_equals_stay_side_by_side():
    regions = Catalog((_table("eu", "orders", ORDER, 0), _table("us", "orders", ORDER, 0)))
    assert one_of_each(regions) is regions


@pytest.mark.parametrize(
    ("question", "schema"),
    [
        ("How many orders are there?", "marts"),
        ("How many raw orders are there?", "raw"),
        ("How many rows does raw.orders have?", "raw"),
        ("How many orders are there in staging?", "staging"),
        ("How many orders are there in the raw layer?", "raw"),
    ],
)
def test_a_schema_that_is_named_is_read(question, schema):
    sql = Analyst(LAYERS).ask(question).candidates[0].sql
    assert f"{schema}." in sql


def _made(name, columns, *made_from):
    return Table(name, "main", columns, (columns[0].name,), row_count=4, made_from=frozenset(made_from))


FLAT = Catalog(
    (
        _made("raw_orders", ORDER),
        _made("stg_orders", ORDER, ("main", "raw_orders")),
        _made("orders", (*ORDER, Column("revenue", "DOUBLE")), ("main", "stg_orders"), ("main", "raw_orders")),
        _made("statuses", ORDER[1:2], ("main", "orders"), ("main", "stg_orders"), ("main", "raw_orders")),
    )
)


def test_in_one_schema_what_is_made_from_another_goes_before_it_but_a_part_of_its_columns_does_not():
    assert [table.name for table in one_of_each(FLAT).tables] == ["orders", "statuses"]


@pytest.mark.parametrize(
    ("question", "table"),
    [("How many orders are there?", "orders"), ("How many stg_orders are there?", "stg_orders")],
)
def test_a_table_that_is_named_whole_is_read(question, table):
    assert f" {table}" in Analyst(FLAT).ask(question).candidates[0].sql


SPAN = (Column("dbt_scd_id", "VARCHAR"), Column("dbt_valid_from", "TIMESTAMP"), Column("dbt_valid_to", "TIMESTAMP"))


@pytest.mark.parametrize("name", ["buyers_snapshot", "snap_buyers", "residences"])
@pytest.mark.parametrize("schema", ["raw", "snapshots"])
def test_a_history_is_read_only_where_it_is_named(schema, name):
    history = replace(_table(schema, name, (*BUYER, *SPAN), -3), made_from=frozenset({("raw", "buyers")}))
    catalog = replace(LAYERS, tables=(_table("raw", "buyers", BUYER, -2), history))
    assert [table.key for table in one_of_each(catalog).tables] == [("raw", "buyers")]
    assert "FROM raw.buyers" in Analyst(catalog).ask("How many buyers are there?").candidates[0].sql
    assert f"FROM {schema}.{name}" in Analyst(catalog).ask(f"How many rows has {name}?").candidates[0].sql

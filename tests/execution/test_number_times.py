"""Days and moments that are kept as numbers, and the numbers that look like them and are none."""

import datetime as dt

import pytest

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.execution.catalog import CatalogService
from pluto_duck_text2sql import Analyst
from pluto_duck_text2sql.data.catalog import is_calendar
from pluto_duck_text2sql.data.numbered_times import DAYS, MICROSECONDS, MILLISECONDS, SECONDS, SECONDS_OF_DAYS

TIMES = [
    ("sale_date_key", "INTEGER", (20240131, 20230301), DAYS),
    ("date_id", "BIGINT", (20240131, -1), DAYS),
    ("SaleDt", "INTEGER", (20240131, 0, 99991231), DAYS),
    ("orderdate", "DOUBLE", (20240131, 20240229), DAYS),
    ("shipped_on", "DECIMAL(8,0)", (20240131, 19000101), DAYS),
    ("loaded_at", "BIGINT", (20240131093000, 20240201000000), SECONDS_OF_DAYS),
    ("timestamp", "BIGINT", (1700000000, 1500000000), SECONDS),
    ("created_utc", "DOUBLE", (1700000000.25, 1500000000), SECONDS),
    ("epoch", "INTEGER", (1700000000, 0), SECONDS),
    ("event_time_ms", "BIGINT", (1700000000000, 1500000000000), MILLISECONDS),
    ("arrival_epoch", "BIGINT", (1700000000, 1500000000), SECONDS),
    ("ts", "BIGINT", (1700000000000000, 1500000000000000), MICROSECONDS),
]
NO_TIMES = [
    ("customer_id", "INTEGER", (20240131, 20230301)),
    ("zip_code", "INTEGER", (20240131, 20230301)),
    ("candidate_id", "INTEGER", (20240131, 20230301)),
    ("version", "INTEGER", (20240131, 20230301)),
    ("amount", "DECIMAL(12,2)", (20240131, 20230301)),
    ("amount_to_date_total", "INTEGER", (20240131, 20230301)),
    ("phone", "BIGINT", (1700000000, 1500000000)),
    ("followers", "BIGINT", (1700000000, 1500000000)),
    ("date_key", "INTEGER", (20240131, 20231301)),
    ("date_key", "INTEGER", (20240131, 20230230)),
    ("date_key", "INTEGER", (1, 2)),
    ("date_key", "INTEGER", (-1, 0)),
    ("time", "INTEGER", (930, 1745)),
    ("timestamp", "BIGINT", (1700000000, 5)),
    ("created_at", "DOUBLE", (1700000000, "'inf'")),
    ("created_at", "DOUBLE", (1700000000, "'nan'")),
    ("lead_days", "INTEGER", (20240131, 20230301)),
]


@pytest.fixture
def warehouse(tmp_path):
    opened = Warehouse.open(load_settings(tmp_path / "root").paths.create().warehouse)
    yield opened
    opened.close()


@pytest.fixture
def service(warehouse, tmp_path):
    return CatalogService(warehouse, load_settings(tmp_path / "root"))


def _column(warehouse, service, name, kind, values):
    rows = ", ".join(f"({each})" for each in values)
    with warehouse.write() as session:
        session.execute(f'CREATE TABLE things ("{name}" {kind})')
        session.execute(f"INSERT INTO things VALUES {rows}, (NULL)")
    return service.catalog().table("main", "things").column(name)


@pytest.mark.parametrize(("name", "kind", "values", "form"), TIMES)
def test_numbers_that_all_are_times_are_known_as_such(name, kind, values, form, warehouse, service):
    column = _column(warehouse, service, name, kind, values)
    assert (column.date_format, column.kind, column.is_moment) == (form, "time", form != DAYS)
    assert isinstance(column.maximum, dt.date) and 2017 <= column.minimum.year <= column.maximum.year <= 2024


@pytest.mark.parametrize(("name", "kind", "values"), NO_TIMES)
def test_numbers_that_look_like_them_stay_numbers(name, kind, values, warehouse, service):
    column = _column(warehouse, service, name, kind, values)
    assert (column.date_format, column.kind) == ("", "number")


def test_what_stands_for_no_day_is_missing(warehouse, service):
    column = _column(warehouse, service, "sold_on", "INTEGER", (20240131, 20240301, 99991231, -1))
    assert (column.maximum, column.null_fraction, column.no_times) == (dt.date(2024, 3, 1), 0.6, (-1, 99991231))
    with warehouse.read() as session:
        sql = Analyst(service.catalog()).ask("number of things per month").candidates[0].sql
        assert [row[0] for row in session.rows(sql)] == [None, dt.date(2024, 1, 1), dt.date(2024, 3, 1)]


STAR = """
CREATE TABLE dim_date AS SELECT strftime(d, '%Y%m%d')::INTEGER AS date_key, d::DATE AS full_date, d > DATE '2030-01-01'
  AS is_far FROM generate_series(DATE '2022-01-01', DATE '2031-12-31', INTERVAL 1 DAY) t(d);
CREATE TABLE fct_visits (visit_sk INTEGER, visit_date_key INTEGER, left_key INTEGER);
INSERT INTO fct_visits VALUES (1, 20230401, 20230405), (2, 20230601, 20230602);
"""


def test_days_point_at_the_calendar_whose_key_is_but_a_number(warehouse, service):
    with warehouse.write() as session:
        session.execute(STAR)
    catalog = service.catalog()
    calendar, visits = catalog.table("main", "dim_date"), catalog.table("main", "fct_visits")
    assert [(key.columns, key.ref_table) for key in visits.foreign_keys] == [(("visit_date_key",), "dim_date")]
    assert (calendar.column("date_key").kind, calendar.column("date_key").minimum) == ("number", 20220101)
    assert (visits.column("visit_date_key").kind, visits.column("left_key").kind) == ("time", "number")
    assert is_calendar(calendar) and not is_calendar(visits)


def test_a_calendar_tells_no_last_day(warehouse, service):
    with warehouse.write() as session:
        session.execute(STAR)
    assert service.catalog().latest_day(dt.date(2035, 1, 1)) == dt.date(2023, 6, 1)


def test_what_is_declared_to_point_at_a_day_is_one(warehouse, service):
    with warehouse.write() as session:
        session.execute("CREATE TABLE days (date_key INTEGER PRIMARY KEY, day DATE)")
        session.execute("INSERT INTO days VALUES (20230401, '2023-04-01'), (20230405, '2023-04-05')")
        session.execute("CREATE TABLE stays (stay_id INTEGER, left_key INTEGER REFERENCES days (date_key))")
        session.execute("INSERT INTO stays VALUES (1, 20230405)")
    assert service.catalog().table("main", "stays").column("left_key").date_format == DAYS


def test_days_are_shown_as_days_and_compared_as_they_are_kept(warehouse, service):
    with warehouse.write() as session:
        session.execute(STAR)
    analyst = Analyst(service.catalog())
    with warehouse.read() as session:
        told = [analyst.ask(each).candidates[0].sql for each in ("last visit date", "visits in April 2023")]
        assert session.row(told[0]) == (dt.date(2023, 6, 1),)
    assert "visit_date_key >= 20230401" in told[1]


def test_the_year_9999_is_no_day_to_count_from(warehouse, service):
    with warehouse.write() as session:
        session.execute("CREATE TABLE prices (item VARCHAR, price INTEGER, valid_from DATE, valid_to DATE)")
        session.execute("INSERT INTO prices VALUES ('nut', 5, '2024-01-01', '9999-12-31')")
    assert Analyst(service.catalog()).ask("how many prices changed in the last 90 days").status != "failed"

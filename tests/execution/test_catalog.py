"""The catalog: keys declared and inferred, comments, statistics, values, and only what changed looked at again."""

import datetime as dt
import subprocess
import sys

import pytest

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import NotFound
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.execution import catalog as catalog_module
from pluto_duck_backend.app.services.execution.catalog import CatalogService
from pluto_duck_backend.app.services.execution.guard import Rights
from pluto_duck_backend.app.services.execution.known import KnownTables
from pluto_duck_text2sql import Analyst

SCHEMA = """
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name VARCHAR, country VARCHAR);
CREATE TABLE orders (
  order_id INTEGER, customer_id INTEGER, ordered_at TIMESTAMP, total DECIMAL(10,2), extra STRUCT(a INTEGER)
);
INSERT INTO customers VALUES (1, 'Ann', 'Germany'), (2, 'Bob', NULL);
INSERT INTO orders VALUES (10, 1, '2024-01-01', 5, {'a': 1}), (11, 1, '2024-02-01', 7, NULL);
CREATE SCHEMA marts;
CREATE VIEW marts.big AS SELECT * FROM orders WHERE total > 6;
CREATE TABLE empty_one (a INTEGER[], b JSON, c INTERVAL, d BLOB);
COMMENT ON TABLE orders IS 'What was bought';
COMMENT ON COLUMN orders.total IS 'In euros';
"""


@pytest.fixture
def warehouse(tmp_path):
    opened = Warehouse.open(load_settings(tmp_path / "root").paths.create().warehouse)
    with opened.write() as session:
        session.execute(SCHEMA)
    yield opened
    opened.close()


@pytest.fixture
def service(warehouse, tmp_path):
    return CatalogService(warehouse, load_settings(tmp_path / "root"))


def test_tables_columns_comments_and_counts(service):
    orders = service.catalog().table("main", "orders")
    assert (orders.comment, orders.row_count, orders.kind) == ("What was bought", 2, "table")
    assert orders.column("total").comment == "In euros"
    assert service.catalog().table("marts", "big").kind == "view"
    assert service.catalog().table("marts", "big").row_count == 1


def test_keys_are_declared_or_borne_out_by_the_data(service):
    catalog = service.catalog()
    assert catalog.table("main", "customers").primary_key == ("customer_id",)
    assert catalog.table("main", "orders").primary_key == ("order_id",)
    (key,) = catalog.table("main", "orders").foreign_keys
    assert (key.columns, key.ref_table, key.inferred) == (("customer_id",), "customers", True)


def test_a_key_may_begin_with_what_says_that_it_is_one(service, warehouse):
    with warehouse.write() as session:
        session.execute("CREATE TABLE materias AS SELECT 'M' || n AS cod_materia FROM range(5) t(n)")
        session.execute("CREATE TABLE notas AS SELECT n AS nota, 'M' || n % 5 AS cod_materia FROM range(40) t(n)")
    catalog = service.catalog()
    (key,) = catalog.table("main", "notas").foreign_keys
    assert (key.columns, key.ref_table, key.inferred) == (("cod_materia",), "materias", True)


def test_a_key_that_leads_a_table_may_be_called_anything(service, warehouse):
    with warehouse.write() as session:
        session.execute("CREATE TABLE hr_export AS SELECT 'E' || n AS EmpNo, n % 3 AS Dept FROM range(9) t(n)")
        session.execute("CREATE TABLE leave AS SELECT n AS LeaveId, 'E' || n % 9 AS EmpNo FROM range(40) t(n)")
    catalog = service.catalog()
    assert catalog.table("main", "hr_export").primary_key == ("EmpNo",)
    (key,) = catalog.table("main", "leave").foreign_keys
    assert (key.columns, key.ref_table, key.inferred) == (("EmpNo",), "hr_export", True)


def test_what_leads_a_table_that_is_called_as_it_is_is_its_key(service, warehouse):
    with warehouse.write() as session:
        session.execute("CREATE TABLE web_orders AS SELECT 'S-' || n AS \"order\", n % 3 AS lines FROM range(50) t(n)")
        session.execute("CREATE TABLE lines AS SELECT 'S-' || n % 50 AS \"Order ref\", n AS qty FROM range(99) t(n)")
        session.execute("CREATE TABLE cities AS SELECT 'C' || n AS city, n + 5 AS id FROM range(9) t(n)")
    catalog = service.catalog()
    assert catalog.table("main", "web_orders").primary_key == ("order",)
    assert catalog.table("main", "cities").primary_key == ("id",)
    (key,) = catalog.table("main", "lines").foreign_keys
    assert (key.columns, key.ref_table, key.ref_columns) == (("Order ref",), "web_orders", ("order",))


@pytest.mark.parametrize(
    ("table", "key", "pointer"),
    [
        ("clients", "pk_client", "fk_client"),
        ("clients", "PkClient", "FkClient"),
        ("Client", "Id", "ClientFK"),
        ("T_CLIENT", "CLIENT_ID", "FK_CLIENT_ID"),
        ("tbl_client", "client_pk", "client_fk"),
        ("dim_client", "client_sk", "client_sk"),
        ("dim_client", "sk_client", "sk_client"),
        ("dim_client", "client_key", "client_sk"),
        ("clients", "id", "id_client"),
        ("clients", "client_id", "fk_billing_client"),
        ("clients", "id", "fk_client_id"),
        ("clients", "client_id", "client_id_fk"),
        ("clients", "pk", "client_id"),
        ("clients", "uuid", "client_uuid"),
        ("clients", "oid", "client_oid"),
        ("clients", "client_guid", "client_guid"),
        ("clients", "id", "client_ref"),
        ("clients", "id", "client"),
        ("cust", "custno", "custno"),
    ],
)
def test_keys_as_people_name_them(service, warehouse, table, key, pointer):
    with warehouse.write() as session:
        session.execute(f"CREATE TABLE {table} AS SELECT 'N' || n AS name, n AS {key} FROM range(100, 120) t(n)")
        session.execute(f"CREATE TABLE visits AS SELECT n AS visit_id, 100 + n % 20 AS {pointer} FROM range(99) t(n)")
    catalog = service.catalog()
    assert catalog.table("main", table).primary_key == (key,)
    found = catalog.table("main", "visits").foreign_keys
    assert [(each.columns, each.ref_table) for each in found] == [((pointer,), table)]


@pytest.mark.parametrize("column", ["rating", "number_of_ratings", "rating_number", "refund_ref"])
def test_what_only_sounds_like_a_key_of_a_table_is_none(service, warehouse, column):
    with warehouse.write() as session:
        session.execute("CREATE TABLE ratings AS SELECT n AS id, n % 5 AS stars FROM range(1000) t(n)")
        session.execute(f"CREATE TABLE visits AS SELECT n AS visit_id, n % 5 + 1 AS {column} FROM range(99) t(n)")
    assert service.catalog().table("main", "visits").foreign_keys == ()


@pytest.mark.parametrize(
    ("column", "others", "at"),
    [
        ("adopter_id", "", ["persons"]),
        ("donor_no", "", ["persons"]),
        ("sensor_id", "", []),
        ("adopter_id", "CREATE TABLE staff AS SELECT n AS staff_id, 'S' || n AS full_name FROM range(40) t(n)", []),
    ],
)
def test_somebody_is_one_of_the_only_people_there_are(service, warehouse, column, others, at):
    with warehouse.write() as session:
        session.execute("CREATE TABLE persons AS SELECT n AS person_id, 'P' || n AS last_name FROM range(30) t(n)")
        session.execute(f"CREATE TABLE adoptions AS SELECT n AS adoption_id, n % 9 AS {column} FROM range(50) t(n)")
        session.execute(others or "SELECT 1")
        session.execute("DROP VIEW marts.big")
        session.execute("DROP TABLE orders")
        session.execute("DROP TABLE customers")
    assert [each.ref_table for each in service.catalog().table("main", "adoptions").foreign_keys] == at


@pytest.mark.parametrize(("column", "at"), [("advisor", ["faculty"]), ("spouse", []), ("age", [])])
def test_who_works_for_people_is_one_of_the_only_others(service, warehouse, column, at):
    with warehouse.write() as session:
        session.execute(
            "CREATE TABLE faculty AS SELECT n AS fac_id, 'F' || n AS first_name, 'L' || n AS last_name "
            "FROM range(40) t(n)"
        )
        session.execute(
            f"CREATE TABLE students AS SELECT 500 + n AS stu_id, 'S' || n AS last_name, n % 9 AS {column} "
            "FROM range(50) t(n)"
        )
        session.execute("DROP VIEW marts.big")
        session.execute("DROP TABLE orders")
        session.execute("DROP TABLE customers")
    assert [each.ref_table for each in service.catalog().table("main", "students").foreign_keys] == at


@pytest.fixture
def house(service, warehouse):
    """A house whose staff have roles, whose guests bring guests; nothing is declared."""
    with warehouse.write() as session:
        session.execute(
            "CREATE TABLE staff AS SELECT n AS staff_id, 'S' || n AS full_name, DATE '2020-01-01' AS hired_on, "
            "CASE WHEN n < 3 THEN 'Manager' ELSE 'senior coach' END AS role, nullif(n % 3, 0) AS reports_to "
            "FROM range(1, 9) t(n)"
        )
        session.execute(
            "CREATE TABLE guest_book AS SELECT n AS guest_id, 'G' || n AS first_name, 'H' || n AS last_name, "
            "CASE WHEN n > 20 THEN n - 20 END AS invited_by, n % 2 + 1 AS mgr_id FROM range(1, 41) t(n)"
        )
        session.execute(
            "CREATE TABLE lessons AS SELECT n AS lesson_id, n % 6 + 3 AS coach_id, n % 8 + 1 AS booked_by, "
            "n % 7 AS grade, CASE WHEN n > 50 THEN n - 50 END AS previous_lesson_id FROM range(1, 101) t(n)"
        )
    return service.catalog()


@pytest.mark.parametrize(
    ("table", "column", "at"),
    [
        ("lessons", "coach_id", "staff"),
        ("lessons", "booked_by", "staff"),
        ("lessons", "previous_lesson_id", "lessons"),
        ("staff", "reports_to", "staff"),
        ("guest_book", "invited_by", "guest_book"),
        ("guest_book", "mgr_id", "staff"),
        ("lessons", "grade", None),
    ],
)
def test_a_key_may_be_called_after_the_part_that_somebody_plays(house, table, column, at):
    found = {key.columns: key.ref_table for key in house.table("main", table).foreign_keys}
    assert found.get((column,)) == at


_LOOK = """
import sys
from pathlib import Path
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.execution.catalog import CatalogService
settings = load_settings(Path(sys.argv[1]))
print(len(CatalogService(Warehouse.open(settings.paths.warehouse), settings).catalog().tables))
sys.exit(" ".join({"pandas", "pyarrow"} & set(sys.modules)))
"""


def test_looking_at_the_data_loads_no_library_of_frames(house, warehouse, tmp_path):
    """DuckDB would, which takes a second, for the first parameter that a statement has."""
    warehouse.close()
    look = subprocess.run([sys.executable, "-c", _LOOK, tmp_path / "root"], capture_output=True, text=True)
    assert (int(look.stdout), look.stderr.strip()) == (len(house.tables), "")


def test_a_key_that_the_data_contradicts_is_none(service, warehouse):
    with warehouse.write() as session:
        session.execute("INSERT INTO orders VALUES (12, 99, NULL, NULL, NULL)")
    assert service.catalog().table("main", "orders").foreign_keys == ()


def test_statistics(service):
    country = service.catalog().table("main", "customers").column("country")
    assert (country.n_distinct, country.null_fraction) == (1, 0.5)
    total = service.catalog().table("main", "orders").column("total")
    assert (str(total.minimum), str(total.maximum)) == ("5.00", "7.00")


def test_values_follow_the_data(service, warehouse):
    assert [hit.value for hit in service.catalog().values.lookup("germany")] == ["Germany"]
    with warehouse.write() as session:
        session.execute("INSERT INTO customers VALUES (3, 'Cid', 'France')")
    assert [hit.value for hit in service.catalog().values.lookup("france")] == ["France"]
    with warehouse.write() as session:
        session.execute("DROP VIEW marts.big")
        session.execute("DROP TABLE orders")
    assert service.catalog().table("main", "orders") is None


def test_the_same_state_is_the_same_catalog(service):
    assert service.catalog() is service.catalog()


def test_the_values_of_texts_that_sort_the_rows_are_kept_and_of_no_others(service, warehouse):
    with warehouse.write() as session:
        session.execute(
            "CREATE TABLE sorted AS SELECT range AS id, 'sort ' || range % 12 AS sort, 'kind ' || range % 13 AS kind, "
            "CASE WHEN range < 12 THEN 'fax ' || range END AS fax, range % 12 AS number, nullif(range % 3, 2) AS few "
            "FROM range(60)"
        )
    kept = {each.name: each.samples for each in service.catalog().table("main", "sorted").columns}
    assert kept.pop("sort") == tuple(sorted(f"sort {n}" for n in range(12)))
    assert kept.pop("few") == (0, 1)
    assert set(kept.values()) == {()}


def test_the_texts_of_a_small_table_are_kept_where_rows_of_others_are_sorted_by_them(service, warehouse):
    states = "SELECT range AS state_id, 'state ' || range AS name FROM range(8)"
    with warehouse.write() as session:
        session.execute(f"CREATE TABLE states AS {states}; CREATE TABLE moods AS {states}")
        session.execute(
            "CREATE TABLE clerks AS SELECT range AS clerk_id, 'Clerk ' || range AS name, 'a' AS b, 'c' AS d, 'e' AS f "
            "FROM range(8)"
        )
        session.execute(
            "CREATE TABLE tickets AS SELECT range AS ticket_id, range % 8 AS state_id, range % 8 AS clerk_id "
            "FROM range(24)"
        )
    kept = {
        name: service.catalog().table("main", name).column("name")
        for name in ("states", "moods", "clerks", "customers")
    }
    assert kept["states"].lookup == tuple(f"state {n}" for n in range(8))
    assert [kept[name].lookup for name in ("moods", "clerks", "customers")] == [(), (), ()]
    assert [kept[name].samples for name in ("states", "moods", "clerks")] == [(), (), ()]
    with warehouse.write() as session:
        session.execute("CREATE OR REPLACE TABLE tickets AS SELECT * FROM tickets WHERE ticket_id < 10")
    assert service.catalog().table("main", "states").column("name").lookup == ()


def test_a_table_is_described_with_statistics(service):
    described = service.describe_table("orders")
    assert described["columns"][3] == {
        "name": "total",
        "type": "DECIMAL(10,2)",
        "nullable": True,
        "comment": "In euros",
        "n_distinct": 2,
        "minimum": 5.0,
        "maximum": 7.0,
        "null_fraction": 0.0,
        "frequent": [],
    }
    assert service.describe_table("marts.big")["kind"] == "view"
    assert {table["table"] for table in service.describe()["tables"]} == {"customers", "orders", "big", "empty_one"}


def test_the_values_of_most_rows_come_first_and_follow_the_table(service, warehouse):
    with warehouse.write() as session:
        session.execute("CREATE TABLE often (id INTEGER, kind VARCHAR, n DATE, l INTEGER[])")
        session.execute("INSERT INTO often SELECT range, ['a', 'b', 'b'][1 + range % 3], NULL, [1] FROM range(9)")

    def seen():
        return {column["name"]: column["frequent"] for column in service.describe_table("often")["columns"]}

    assert seen() == {"id": [], "kind": ["b", "a"], "n": [], "l": []}
    with warehouse.write() as session:
        session.execute("INSERT INTO often SELECT 9, 'c', DATE '2025-01-02', NULL FROM range(20)")
    assert seen()["kind"] == ["c", "b", "a"] and seen()["n"] == ["2025-01-02"]


def test_a_table_of_thousands_of_columns_is_looked_at(service, warehouse):
    with warehouse.write() as session:
        columns = ", ".join(f"n % {1 + place % 5} AS c{place}" for place in range(5_000))
        session.execute(f"CREATE TABLE wide AS SELECT {columns} FROM range(30) t(n)")
    wide = service.catalog().table("main", "wide")
    assert [(each.n_distinct, each.samples) for each in wide.columns[:3]] == [(1, (0,)), (2, (0, 1)), (3, (0, 1, 2))]
    assert (wide.columns[-1].n_distinct, wide.columns[-1].samples) == (5, ())


def test_what_is_no_number_does_not_disturb_the_values_of_a_column(service, warehouse):
    with warehouse.write() as session:
        session.execute("CREATE TABLE marks AS SELECT unnest(['nan', '2', '1', '2', NULL])::DOUBLE AS mark")
    assert service.catalog().table("main", "marks").column("mark").samples == (1, 2)


def test_an_unknown_table_is_named_with_the_nearest(service):
    with pytest.raises(NotFound, match="Did you mean orders"):
        service.describe_table("oders")


def test_no_name_of_the_users_is_taken_for_one_of_ours(service, warehouse):
    names = ["v", "s", "p", "q", "t", "n", "count", "select", "value", "a b", 'x"y', "1", "ß", "source"]
    columns = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
    with warehouse.write() as session:
        session.execute(f"CREATE TABLE s ({columns.replace(',', ' VARCHAR,')} VARCHAR)")
        session.execute(f"INSERT INTO s VALUES ({', '.join(repr(f'w{n}') for n in range(len(names)))})")
        session.execute("CREATE TABLE p AS SELECT 1 AS s_id, 'x' AS v, 2 AS p")
    catalog = service.catalog()
    assert [column.n_distinct for column in catalog.table("main", "s").columns] == [1] * len(names)
    assert [each.column for each in catalog.values.lookup("w0")] == ["v"]


def _looked_at(monkeypatch, service):
    """The tables looked at again from now on."""
    seen, real = [], catalog_module.look
    monkeypatch.setattr(catalog_module, "look", lambda *args: seen.append(args[1].key[1]) or real(*args))
    return seen


@pytest.mark.parametrize(
    ("change", "again"),
    [
        ("INSERT INTO customers VALUES (3, 'Cid', 'France')", ["customers"]),
        ("INSERT INTO orders SELECT * FROM orders", ["orders", "big"]),
        ("COMMENT ON COLUMN orders.total IS 'In dollars'", ["orders", "big"]),
        ("CREATE TABLE more AS SELECT 1 AS a", ["more"]),
        ("DROP TABLE empty_one", []),
        ("CREATE OR REPLACE VIEW marts.big AS SELECT * FROM orders", ["big"]),
        ("CREATE VIEW deep AS FROM marts.big", ["deep"]),
        ("ALTER TABLE empty_one RENAME a TO z", ["empty_one"]),
        ("UPDATE main.customers SET name = 'Zoe' WHERE name = 'Ann'", ["customers"]),
        ('DELETE FROM "orders" WHERE order_id = 10', ["orders", "big"]),
        ("MERGE INTO customers USING (SELECT 1 AS i) ON customer_id = i WHEN MATCHED THEN DELETE", ["customers"]),
    ],
)
def test_only_what_changed_is_looked_at_again(service, warehouse, monkeypatch, change, again):
    service.catalog()
    seen = _looked_at(monkeypatch, service)
    with warehouse.write() as session:
        session.execute(change)
    service.catalog()
    assert sorted(seen) == sorted(again)


def test_a_key_is_checked_again_only_where_a_table_of_it_changed(service, warehouse, monkeypatch):
    checked = []
    module = "pluto_duck_backend.app.services.execution.keys._included"
    monkeypatch.setattr(module, lambda session, table, column, parent: checked.append(table.name) or True)
    service.catalog()
    before = len(checked)
    with warehouse.write() as session:
        session.execute("INSERT INTO empty_one VALUES ([1], NULL, NULL, NULL)")
    assert service.catalog().table("main", "orders").foreign_keys
    assert (before, len(checked)) == (1, 1)
    with warehouse.write() as session:
        session.execute("INSERT INTO customers VALUES (3, 'Cid', 'France')")
    service.catalog()
    assert checked == ["orders", "orders"]


def test_what_dbt_commits_is_looked_at_again(service, warehouse):
    assert service.catalog().values.lookup("germany")
    with warehouse.guest() as guest:
        guest.execute("UPDATE customers SET country = 'Norway' WHERE country = 'Germany'")
        warehouse.changed()
        assert service.catalog().values.lookup("norway")
        guest.execute("BEGIN")
        guest.execute("UPDATE customers SET country = 'Sweden'")
        assert service.catalog().values.lookup("norway")
        guest.execute("COMMIT")
    assert (service.catalog().values.lookup("norway"), len(service.catalog().values.lookup("sweden"))) == ([], 1)


def test_what_a_view_shows_follows_its_tables(service, warehouse):
    assert service.catalog().table("marts", "big").row_count == 1
    with warehouse.write() as session:
        session.execute("INSERT INTO orders VALUES (12, 2, NULL, 70, NULL)")
    assert service.catalog().table("marts", "big").row_count == 2


RIGHTS = Rights(
    "germans",
    ("customers", "orders"),
    {"customers": ("customer_id", "country")},
    {"customers": "customer_id IN (SELECT customer_id FROM orders)"},
)


@pytest.fixture
def confined(warehouse, tmp_path):
    service = CatalogService(warehouse, load_settings(tmp_path / "root"), RIGHTS, KnownTables(warehouse).now)
    yield service
    service.close()


def test_rights_hide_values_and_columns(confined, warehouse):
    found = confined.catalog()
    assert [table.name for table in found.tables] == ["customers", "orders"]
    assert [column.name for column in found.table("main", "customers").columns] == ["customer_id", "country"]
    assert [hit.value for hit in found.values.lookup("germany")] == ["Germany"]
    assert found.values.lookup("ann") == []


def test_a_value_is_forgotten_when_another_table_hides_its_row(confined, warehouse):
    assert confined.catalog().values.lookup("germany")
    with warehouse.write() as session:
        session.execute("DELETE FROM orders")
    assert confined.catalog().values.lookup("germany") == []
    assert confined.catalog().values.lookup_fuzzy("germny") == []


def test_the_index_holds_what_settings_allow(warehouse, tmp_path):
    with warehouse.write() as session:
        session.execute(
            "CREATE TABLE many AS SELECT 'common' AS word FROM range(9) UNION ALL SELECT 'w' || range FROM range(50)"
        )
    settings = load_settings(tmp_path / "root", catalog={"values_per_column": 10, "values_total": 12})
    values = CatalogService(warehouse, settings).catalog().values
    assert len(values) == 12
    assert (values.count("main", "customers"), values.count("main", "many")) == (3, 9)
    assert [hit.value for hit in values.lookup("common")] == ["common"]


def test_large_columns_are_indexed_whole(warehouse, service, tmp_path):
    with warehouse.write() as session:
        session.execute("CREATE TABLE many AS SELECT 'Name ' || range AS name, 'x' AS one FROM range(120_000)")
    values = service.catalog().values
    assert values.count("main", "many") == 120_001
    assert [hit.value for hit in values.lookup("name 119999")] == ["Name 119999"]
    folder = load_settings(tmp_path / "root").paths.catalog
    assert list(folder.iterdir())
    service.close()
    assert not list(folder.iterdir())


DATED = {
    "%m/%d/%Y %H:%M": ("8/29/2013 9:08", "9/1/2013 14:30"),
    "%d.%m.%Y": ("29.08.2013", "01.09.2013"),
    "%b %d, %Y": ("Aug 29, 2013", "Sep 1, 2013"),
    "%Y-%m-%d": ("2013-08-29", "2013-09-01"),
    "%d/%b/%y %I:%M %p": ("29/Aug/13 9:08 AM", "01/Sep/13 2:30 PM"),
    "%Y%m%dT%H%M%S": ("20130829T090800", "20130901T143000"),
    "%Y-%m-%d %H:%M:%S%z": ("2013-08-29 09:08:00 +0200", "2013-09-01 14:30:00 +0000"),
    "%Y-%m-%dT%H:%M:%S%z": ("2013-08-29T09:08:00-05:00", "2013-09-01T23:30:00-05:00"),
}


@pytest.mark.parametrize("form", DATED)
def test_texts_that_are_dates_know_their_format_and_days(warehouse, service, form):
    first, last = DATED[form]
    with warehouse.write() as session:
        session.execute(f"CREATE TABLE trips AS FROM (VALUES ('{first}'), ('{last}'), (NULL)) AS t(started)")
    column = service.catalog().table("main", "trips").column("started")
    assert column.date_format == form
    assert (column.minimum.date().isoformat(), column.maximum.date().isoformat()) == ("2013-08-29", "2013-09-01")


@pytest.mark.parametrize("texts", [("1/2/2013", "3/4/2013"), ("29.08.2013", "soon"), ("Ann", "Bob"), ("12", "13")])
def test_texts_that_two_formats_read_or_none_stay_texts(warehouse, service, texts):
    with warehouse.write() as session:
        session.execute(f"CREATE TABLE trips AS FROM (VALUES ('{texts[0]}'), ('{texts[1]}')) AS t(started)")
    column = service.catalog().table("main", "trips").column("started")
    assert not column.is_time and not isinstance(column.maximum, dt.date)


def test_the_analyst_reads_them_as_dates(warehouse, service):
    with warehouse.write() as session:
        session.execute("CREATE TABLE trips AS FROM (VALUES ('8/29/2013 9:08'), ('9/1/2013 14:30')) AS t(start_date)")
    sql = Analyst(service.catalog()).ask("trips by month").candidates[0].sql
    with warehouse.read() as session:
        assert [row[0].isoformat() for row in session.rows(sql)] == ["2013-08-01", "2013-09-01"]


def test_texts_that_are_all_numbers_are_known_and_sorted_as_such(service, warehouse):
    with warehouse.write() as session:
        session.execute("CREATE TABLE shops (name VARCHAR, staff VARCHAR, zip VARCHAR, note VARCHAR)")
        session.execute(
            "INSERT INTO shops VALUES ('A', '425', '07302', '7'), ('B', '9', '10001', 'x'), ('C', '', '2', '1')"
        )
    shops = service.catalog().table("main", "shops")
    assert [each.name for each in shops.columns if each.of_numbers] == ["staff"]
    for question in ("which shop has the most staff?", "names of shops with more than 10 staff"):
        sql = Analyst(service.catalog()).ask(question).candidates[0].sql
        with warehouse.read() as session:
            assert session.rows(sql)[0][0] == "A"


def test_numbers_beside_words_for_what_is_missing_are_numbers(service, warehouse):
    with warehouse.write() as session:
        session.execute("CREATE TABLE trips (carrier VARCHAR, delay VARCHAR, gate VARCHAR)")
        session.execute(
            "INSERT INTO trips VALUES ('AA', '4', 'A'), ('AA', 'NA', 'NA'), ('BB', ' ', 'C'), ('BB', '-2', 'C')"
        )
    trips = service.catalog().table("main", "trips")
    delay = trips.column("delay")
    assert [each.name for each in trips.columns if each.of_numbers] == ["delay"]
    assert (delay.kind, delay.minimum, delay.maximum) == ("number", -2, 4)
    wanted = {
        "average delay by carrier": [("AA", 4.0), ("BB", -2.0)],
        "how many trips have no delay?": [(2,)],
        "the trip with the lowest delay: carrier and delay": [("BB", "-2")],
    }
    for question, rows in wanted.items():
        sql = Analyst(service.catalog()).ask(question).candidates[0].sql
        with warehouse.read() as session:
            assert session.rows(sql) == rows, sql


def test_percentages_are_numbers_with_or_without_a_blank(service, warehouse):
    rows = "('A', '15.2%', '7 %', '12A'), ('A', '17%', '19 %', '3C')"
    with warehouse.write() as session:
        session.execute(f"CREATE TABLE jars AS SELECT * FROM (VALUES {rows}) t(kind, water, vat, shelf)")
    catalog = service.catalog()
    found = [(each.name, each.unit, each.minimum) for each in catalog.table("main", "jars").columns if each.of_numbers]
    assert found == [("water", "%", 15.2), ("vat", "%", 7)]
    sql = Analyst(catalog).ask("average water by kind").candidates[0].sql
    with warehouse.read() as session:
        assert session.rows(sql) == [("A", 16.1)]


def test_texts_that_are_months_are_their_first_days(service, warehouse):
    with warehouse.write() as session:
        session.execute("CREATE TABLE targets AS FROM (VALUES ('Jan-26'), ('Mar-26')) AS t(month)")
    column = service.catalog().table("main", "targets").column("month")
    assert (column.date_format, column.maximum.date().isoformat()) == ("%b-%y", "2026-03-01")


def test_texts_with_spelt_months_and_short_years_are_dates(service, warehouse):
    with warehouse.write() as session:
        session.execute("CREATE TABLE stays (check_in VARCHAR)")
        session.execute("INSERT INTO stays VALUES ('23-OCT-10'), ('02-FEB-10')")
    assert service.catalog().table("main", "stays").column("check_in").date_format == "%d-%b-%y"


@pytest.mark.parametrize(
    ("rows", "day", "meets"),
    [
        (
            "(1, '2001-01-01', '2002-01-01'), (1, '2002-01-01', '2003-01-01'), (1, '2003-01-01', '9999-01-01')",
            9999,
            True,
        ),
        (
            "(1, '2001-01-01', '2001-12-31'), (1, '2002-01-01', '2099-12-31'), (2, '2003-01-01', '2099-12-31')",
            2099,
            False,
        ),
        ("(1, '2001-01-01', '2002-01-01'), (1, '2002-01-01', '2003-01-01'), (1, '2003-01-01', NULL)", None, True),
        (
            "(1, '2041-01-01', '2042-01-01'), (2, '2050-01-01', '2054-01-01'), (3, '2003-01-01', '2051-01-01')",
            None,
            False,
        ),
    ],
)
def test_an_end_that_stands_for_none_is_told_and_whether_it_meets_the_next(service, warehouse, rows, day, meets):
    with warehouse.write() as session:
        session.execute("CREATE TABLE rates (rate_id INTEGER, from_date DATE, to_date DATE)")
        session.execute(f"INSERT INTO rates VALUES {rows}")
    end = service.catalog().table("main", "rates").column("to_date")
    assert (end.open_end.day.year if end.open_end else None, end.meets_next) == (day, meets)


@pytest.mark.parametrize(
    ("kind", "gone", "open_end"),
    [
        ("INTEGER", "20220501", "20991231"),
        ("BIGINT", "20220501", "99991231"),
        ("DOUBLE", "20220501", "20991231"),
        ("TIMESTAMP WITH TIME ZONE", "'2022-05-01 00:00:00+00'", "'9999-12-31 00:00:00+00'"),
        ("DATE", "'2022-05-01'", "'infinity'"),
    ],
)
def test_an_end_that_stands_for_none_may_be_kept_in_any_way(service, warehouse, kind, gone, open_end):
    with warehouse.write() as session:
        session.execute(f"CREATE TABLE rates (rate_id INTEGER, from_date DATE, to_date {kind})")
        for n, last in enumerate((gone, open_end, open_end)):
            session.execute(f"INSERT INTO rates VALUES ({n}, '202{n}-01-01', {last})")
    sql = Analyst(service.catalog()).ask("How many rates are there currently?").candidates[0].sql
    with warehouse.read() as session:
        assert session.rows(sql) == [(2,)]


def _keys_of(service, table):
    return [(each.columns, each.ref_table) for each in service.catalog().table("main", table).foreign_keys]


def test_keys_are_found_where_all_columns_of_a_table_begin_alike_and_so_do_all_tables(service, warehouse):
    with warehouse.write() as session:
        session.execute("CREATE TABLE zoo_keepers_dataset AS SELECT 'K' || n AS keeper_id, 'T' || n % 3 AS keeper_town,"
                        " n AS keeper_age FROM range(20) t(n)")  # fmt: skip
        session.execute("CREATE TABLE zoo_feedings_dataset AS SELECT n AS feeding_id, 'K' || n % 20 AS keeper_id, "
                        "n % 5 AS kilos FROM range(90) t(n)")  # fmt: skip
        session.execute(
            "CREATE TABLE zoo_visits_dataset AS SELECT n AS visit_id, n % 90 AS feeding FROM range(99) t(n)"
        )
        for left in ("VIEW marts.big", "TABLE orders", "TABLE customers"):
            session.execute(f"DROP {left}")
    assert _keys_of(service, "zoo_feedings_dataset") == [(("keeper_id",), "zoo_keepers_dataset")]
    assert _keys_of(service, "zoo_visits_dataset") == [(("feeding",), "zoo_feedings_dataset")]


def test_texts_that_tables_begin_with_under_one_name_are_keys_of_the_one_that_tells_most(service, warehouse):
    with warehouse.write() as session:
        session.execute("CREATE TABLE song_facts AS SELECT 's' || n AS sconst, 'Song ' || n AS called, n AS seconds "
                        "FROM range(50) t(n)")  # fmt: skip
        session.execute("CREATE TABLE song_marks AS SELECT 's' || n AS sconst, n % 5 AS mark FROM range(40) t(n)")
        session.execute("CREATE TABLE plays AS SELECT n AS place, 's' || n % 50 AS sconst FROM range(200) t(n)")
    assert service.catalog().table("main", "song_facts").primary_key == ("sconst",)
    assert _keys_of(service, "song_marks") == [(("sconst",), "song_facts")]
    assert _keys_of(service, "plays") == [(("sconst",), "song_facts")]


@pytest.mark.parametrize("column", ["month", "title", "weekday_name"])
def test_texts_of_times_and_titles_that_tables_begin_with_are_no_keys(service, warehouse, column):
    with warehouse.write() as session:
        session.execute(f"CREATE TABLE rain AS SELECT 'M' || n AS {column}, n AS mm, n AS days FROM range(12) t(n)")
        session.execute(f"CREATE TABLE sun AS SELECT 'M' || n AS {column}, n AS hours FROM range(12) t(n)")
    assert _keys_of(service, "sun") == _keys_of(service, "rain") == []


@pytest.mark.parametrize(("lost", "found"), [(2, ["paint_type_words"]), (20, [])])
def test_a_few_texts_of_a_long_shared_name_may_point_at_nothing(service, warehouse, lost, found):
    with warehouse.write() as session:
        session.execute("CREATE TABLE paint_type_words AS SELECT 'P' || n AS paint_type_name, 'Q' || n AS "
                        "paint_type_name_german FROM range(10) t(n)")  # fmt: skip
        session.execute(f"CREATE TABLE tins AS SELECT n AS tin_id, CASE WHEN n < {lost} THEN 'none' ELSE 'P' || n % 10 "
                        "END AS paint_type_name FROM range(100) t(n)")  # fmt: skip
    assert [table for _, table in _keys_of(service, "tins")] == found

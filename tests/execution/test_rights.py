"""Rights: what is confined shows in every position of a query; whatever cannot be confined is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pluto_duck_backend.app.core.config import RightsSettings, load_settings
from pluto_duck_backend.app.core.dbt_models import Models, write_models
from pluto_duck_backend.app.core.dbt_models import Relation as DbtRelation
from pluto_duck_backend.app.core.errors import PlutoDuckError, QueryFailed, Refused
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.execution.executor import QueryService
from pluto_duck_backend.app.services.execution.guard import Rights, check
from pluto_duck_backend.app.services.execution.guard.rights_book import RightsBook
from pluto_duck_backend.app.services.execution.known import KnownTables

GERMAN_IDS = "SELECT id FROM customers WHERE country = 'DE'"
GERMANS = Principal("anna", "germans")
RIGHTS = {
    "germans": RightsSettings(
        tables=["orders", "customers", "staging.*", "by_wildcard.*", "shown"],
        columns={"customers": ["id", "name", "country"]},
        rows={
            "customers": "country = 'DE'",
            "orders": "customer_id IN (SELECT id FROM customers WHERE country = 'DE')",
        },
    ),
    "nothing": RightsSettings(tables=[]),
    "broken": RightsSettings(rows={"orders": "region = 'DE'"}),
    "spread": RightsSettings(rows={"customers": "country = 'DE' -- and\n  AND id > 3"}),
}
SCOPES = {
    "all": RightsSettings(),
    "people": RightsSettings(tables=["customers", "secrets", "shown"], columns={"customers": ["id", "email"]}),
    "early": RightsSettings(rows={"customers": "id < 10 -- the first ones"}),
    "open": RightsSettings(rows={"customers": "true) OR (true"}),
    "open_end": RightsSettings(rows={"customers": "true /*"}),
}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    found = load_settings(tmp_path_factory.mktemp("rights") / "root")
    warehouse = Warehouse.open(found.paths.create().warehouse)
    with warehouse.write() as session:
        session.execute(
            """
            CREATE TABLE customers AS SELECT range AS id, 'n' || range AS name, 'm' || range AS email,
                ['DE', 'FR', 'IT'][1 + range % 3] AS country FROM range(30);
            CREATE TABLE orders AS SELECT range AS id, range % 30 AS customer_id, range * 2 AS amount FROM range(300);
            CREATE TABLE secrets AS SELECT 'x' AS secret;
            CREATE SCHEMA staging; CREATE TABLE staging.plain AS SELECT range AS a FROM range(5);
            CREATE SCHEMA by_wildcard;
            CREATE VIEW by_wildcard.all_customers AS SELECT * FROM customers;
            CREATE VIEW by_wildcard.leak AS SELECT * FROM secrets;
            CREATE VIEW shown AS SELECT count(*) AS n FROM secrets;
            CREATE MACRO every_name() AS (SELECT list(name) FROM customers);
            CREATE MACRO twice(x) AS x * 2;
            """
        )
    opened = QueryService(warehouse, found.paths, found.query, RightsBook(RIGHTS, SCOPES.__getitem__))
    yield opened
    opened.close()
    warehouse.close()


def _rows(service, sql, who=GERMANS):
    return service.run(sql, who=who, max_rows=1000).rows


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT count(*) FROM customers", [[10]]),
        ("SELECT count(*) FROM main.customers AS c WHERE c.id >= 0", [[10]]),
        ("SELECT DISTINCT country FROM customers", [["DE"]]),
        ("FROM customers SELECT count(*)", [[10]]),
        ("SELECT count(*) FROM (SELECT * FROM customers)", [[10]]),
        ("WITH c AS (SELECT * FROM customers) SELECT count(*) FROM c", [[10]]),
        ("SELECT (SELECT count(*) FROM customers)", [[10]]),
        ("SELECT count(*) FROM staging.plain WHERE EXISTS (SELECT 1 FROM customers WHERE country <> 'DE')", [[0]]),
        ("SELECT count(*) FROM orders JOIN customers ON customer_id = customers.id", [[100]]),
        ("SELECT count(*) FROM staging.plain CROSS JOIN customers", [[50]]),
        ("SELECT count(*) FROM orders", [[100]]),
        ("SELECT count(*) FROM (SELECT id FROM customers UNION ALL SELECT id FROM orders)", [[110]]),
        ("SELECT count(*) FROM (SELECT id FROM customers EXCEPT SELECT id FROM customers)", [[0]]),
        ("SELECT count(*) FROM by_wildcard.all_customers", [[10]]),
        ("SELECT n FROM shown", [[1]]),
        ("SELECT twice(21)", [[42]]),
        ("SELECT count(*) FROM staging.plain", [[5]]),
        ("SELECT count(*) FROM staging.plain, LATERAL (SELECT * FROM customers WHERE id = a)", [[2]]),
        ("SELECT sum(COLUMNS(c -> c = 'id')) FROM customers" , [[135]]),
        ("WITH RECURSIVE r AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM r, customers WHERE n = id) "
         "SELECT max(n) FROM r", [[1]]),
        # A CTE of the table's name neither helps nor harms the condition, which names customers itself.
        ("WITH customers AS (SELECT 1 AS id, 'DE' AS country) SELECT count(*) FROM orders", [[100]]),
    ],
)  # fmt: skip
def test_hidden_rows_are_not_there(sql, expected, service):
    if "->" in sql:
        sql = sql.replace("c -> c = 'id'", "'^id$'")
    assert _rows(service, sql) == expected


def test_hidden_columns_are_not_there(service):
    assert [column["name"] for column in service.run("SELECT * FROM customers", who=GERMANS).columns] == [
        *("id", "name", "country")
    ]
    assert [row[0] for row in _rows(service, "DESCRIBE customers")] == ["id", "name", "country"]
    assert len(_rows(service, "SUMMARIZE customers")) == 3
    for sql in ("SELECT email FROM customers", "SELECT c.email FROM customers c", "SELECT max(email) FROM customers"):
        with pytest.raises(QueryFailed):
            _rows(service, sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM secrets",
        "SELECT * FROM staging.plain WHERE a IN (SELECT 1 FROM secrets)",
        "SELECT * FROM by_wildcard.leak",
        "SELECT every_name()",
        "SHOW TABLES",
        "SHOW ALL TABLES",
        "SELECT * FROM information_schema.columns",
        "WITH s AS (FROM secrets) SELECT 1",
        "SELECT 1 UNION SELECT 2 FROM secrets",
        "EXPLAIN SELECT * FROM secrets",
        "DESCRIBE secrets",
        "PIVOT secrets ON secret USING count(*)",
    ],
)
def test_what_is_not_granted_is_refused_like_what_is_not_there(sql, service):
    with pytest.raises(Refused) as refused:
        _rows(service, sql)
    assert "Did you mean secrets" not in refused.value.message


def test_what_dbt_would_build_is_told_to_those_who_see_everything(tmp_path):
    found = load_settings(tmp_path / "root")
    write_models(found.paths, Models((DbtRelation("model.shop.salaries", "main", "salaries", "model", "shop"),)))
    warehouse = Warehouse.open(found.paths.create().warehouse)
    service = QueryService(warehouse, found.paths, found.query, RightsBook(RIGHTS, SCOPES.__getitem__))
    hints = []
    for who in (Principal(), GERMANS):
        with pytest.raises(Refused) as refused:
            _rows(service, "FROM salaries", who)
        hints.append(refused.value.hint)
    assert "dbt build --select +salaries`" in hints[0]
    assert "dbt" not in hints[1]
    service.close()
    warehouse.close()


def test_a_pivot_makes_columns_of_visible_values_only(service):
    assert _rows(service, "PIVOT customers ON country USING count(*) GROUP BY id LIMIT 1") == [[0, 1]]
    assert len(_rows(service, "PIVOT customers ON country USING count(*) GROUP BY id LIMIT 1", Principal())[0]) == 4


def test_rights_that_do_not_fit_the_table_let_nothing_through(service):
    """`region` is no column of orders: a query around the condition must not be able to supply it."""
    for sql in ("SELECT * FROM orders", "SELECT * FROM (SELECT 'DE' AS region) r, LATERAL (SELECT * FROM orders)"):
        with pytest.raises(PlutoDuckError):
            _rows(service, sql, Principal("eve", "broken"))
    with pytest.raises(PlutoDuckError):
        _rows(service, "SELECT * FROM customers", Principal("eve", "no such rights"))
    with pytest.raises(Refused):
        _rows(service, "SELECT * FROM customers", Principal("eve", "nothing"))


def test_others_jobs_are_not_there_for_the_confined(service):
    mine, others = service.run("SELECT 1", who=GERMANS), service.run("SELECT 2")
    assert service.get(mine.job_id, GERMANS).rows == [[1]]
    for ask in (service.get, service.cancel):
        with pytest.raises(PlutoDuckError, match="no query"):
            ask(others.job_id, who=GERMANS)
    with pytest.raises(PlutoDuckError, match="no query"):
        service.stream(others.job_id, "csv", GERMANS)


COLUMNS = ("a", "b", "c")
comparison = st.builds(
    "{} {} {}".format, st.sampled_from(COLUMNS), st.sampled_from(["=", "<>", "<", ">", ">="]), st.integers(-2, 6)
)
predicate = st.recursive(
    comparison | st.just("c IS NULL") | st.just("b IN (1, 2, 3)") | st.just("a IN (SELECT b FROM second WHERE b > 1)"),
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from(["AND", "OR"]), inner)
        | st.builds("NOT ({})".format, inner)
    ),
    max_leaves=4,
)
source = st.sampled_from(
    [
        "first", "second", "main.first", "first AS f", "(SELECT * FROM first)", "(FROM first WHERE a > 1) AS q",
        "first JOIN second USING (a)", "first NATURAL JOIN second", "first LEFT JOIN main.second s ON first.a = s.b",
        "(SELECT * FROM first UNION ALL SELECT * FROM second)", "(SELECT * FROM first EXCEPT SELECT * FROM second) e",
        "first, LATERAL (SELECT max(b) AS top FROM second WHERE second.a = first.a)", "shown_view",
        "(WITH second AS (SELECT 1 AS a, 2 AS b, 3 AS c) SELECT * FROM second, (SELECT count(*) AS n FROM first))",
    ]
)  # fmt: skip
query = st.one_of(
    st.builds("SELECT * FROM {}".format, source),
    st.builds("SELECT count(*), (SELECT sum(a) FROM first WHERE {}) FROM {}".format, comparison, source),
    st.builds("SELECT count(*) FROM {} WHERE EXISTS (SELECT 1 FROM second WHERE {})".format, source, comparison),
    st.builds("WITH q AS (FROM {}), first AS (SELECT 1 AS a) SELECT (SELECT count(*) FROM q), * FROM first".format,
              source),
    st.builds("SELECT a, rank() OVER (ORDER BY b, c) FROM second WHERE a NOT IN (FROM first SELECT a WHERE {})".format,
              comparison),
)  # fmt: skip


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    warehouse = Warehouse.open(tmp_path_factory.mktemp("property") / "warehouse.duckdb")
    rows = "SELECT range % 5 AS a, range % 4 AS b, nullif(range % 7, 3) AS c FROM range({})"
    with warehouse.write() as session:
        session.execute(f"CREATE TABLE first AS {rows.format(23)}; CREATE TABLE second AS {rows.format(17)}")
        session.execute("CREATE VIEW shown_view AS SELECT f.a, s.b FROM first f JOIN second s ON f.b = s.c")
        session.execute("CREATE SCHEMA whole; CREATE TABLE whole.second AS FROM second")
    yield warehouse, KnownTables(warehouse)
    warehouse.close()


@settings(max_examples=300, deadline=None)
@given(sql=query, on_first=predicate, on_second=predicate)
def test_a_confined_query_is_the_query_over_the_filtered_tables(tables, sql, on_first, on_second):
    warehouse, known = tables
    rights = Rights("some", tables=("main.*",), rows={"first": on_first, "second": on_second})
    confined = check(sql, known.now(), rights=rights).sql
    with warehouse.read() as session:
        found = sorted(map(repr, session.rows(confined)))
    with pytest.raises(RuntimeError, match="undo"), warehouse.write() as session:
        keep = on_first.replace("FROM second", "FROM whole.second")
        session.execute(f"DELETE FROM first WHERE NOT coalesce({keep}, false)")
        keep = on_second.replace("FROM second", "FROM whole.second")
        session.execute(f"DELETE FROM second WHERE NOT coalesce({keep}, false)")
        expected = sorted(map(repr, session.rows(sql)))
        raise RuntimeError("undo")
    assert found == expected


@pytest.mark.parametrize(
    ("rights", "sql", "rows"),
    [
        ("germans@all", "SELECT count(*) FROM customers", [[10]]),
        ("germans@people", "SELECT * FROM customers WHERE id < 6", [[0], [3]]),
        ("@people", "SELECT * FROM customers WHERE id < 2", [[0, "m0"], [1, "m1"]]),
        ("@people", "SELECT * FROM shown", [[1]]),
        ("@early", "SELECT count(*) FROM customers", [[10]]),
        ("germans@early", "SELECT count(*) FROM customers", [[4]]),
        ("spread@early", "SELECT count(*) FROM customers", [[2]]),
    ],
)
def test_within_an_agents_scope_is_seen_what_both_show(service, rights, sql, rows):
    assert _rows(service, sql, Principal("anna", rights)) == rows


@pytest.mark.parametrize(
    ("rights", "sql"),
    [
        ("germans@people", "SELECT * FROM secrets"),
        ("germans@people", "SELECT email FROM customers"),
        ("germans@people", "SELECT * FROM orders"),
        ("germans@open", "SELECT count(*) FROM customers"),
        ("germans@open_end", "SELECT count(*) FROM customers"),
        ("@nothing_of_the_kind", "SELECT 1 FROM customers"),
    ],
)
def test_a_scope_opens_nothing_that_rights_close(service, rights, sql):
    with pytest.raises((PlutoDuckError, KeyError)):
        _rows(service, sql, Principal("anna", rights))

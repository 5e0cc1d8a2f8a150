"""What SQL may do: a corpus of attacks that are refused and of queries people write that run."""

import json

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contracts.reference import ROOT

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError, QueryFailed, Refused
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.execution.executor import QueryService
from pluto_duck_backend.app.services.execution.guard import check
from pluto_duck_backend.app.services.execution.guard.expansion import MAX_SUBQUERIES
from pluto_duck_backend.app.services.execution.guard.text import MAX_LENGTH
from pluto_duck_backend.app.services.execution.known import KnownTables

CORPUS = ROOT / "tests" / "fixtures" / "guard"


def _lines(name):
    """One statement a line; other line ends and odd spaces are part of some."""
    return [line for line in (CORPUS / name).read_bytes().decode().split("\n") if line]


REFUSED = [*_lines("refused.sql"), *map(json.loads, _lines("refused_bytes.jsonl"))]
EXHAUSTING = _lines("exhausting.sql")
ALLOWED = _lines("allowed.sql")
ONLY_BEFORE_2 = ("x -> x + 1",)


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("guard")
    (folder / "x.csv").write_text("a\n1\n")
    found = load_settings(folder / "root")
    warehouse = Warehouse.open(found.paths.create().warehouse)
    with warehouse.write() as session:
        session.execute((CORPUS / "setup.sql").read_text())
        session.execute("CREATE MACRO tm(x) AS TABLE SELECT * FROM read_csv(x)")
        session.execute("CREATE MACRO harmless(x) AS x * 2")
        session.execute("CREATE MACRO first_rows(n) AS TABLE SELECT a FROM t LIMIT n")
        session.execute(f"CREATE VIEW file_view AS SELECT * FROM read_csv('{folder / 'x.csv'}')")
        session.execute("CREATE VIEW view_on_file_view AS SELECT * FROM file_view")
        session.execute("CREATE MACRO shadow(x) AS (SELECT content FROM read_text('/etc/hostname'))")
    yield QueryService(warehouse, found.paths, found.query)
    warehouse.close()


@pytest.fixture(scope="module")
def known(service):
    return KnownTables(service._warehouse).now()


@pytest.mark.parametrize("sql", REFUSED)
def test_attacks_are_refused(sql, known):
    with pytest.raises(PlutoDuckError) as refused:
        check(sql, known)
    assert refused.value.exit_code in (1, 4)
    assert refused.value.message


@pytest.mark.parametrize("sql", EXHAUSTING)
def test_what_nothing_could_stop_is_refused_before_it_runs(sql, known):
    with pytest.raises(Refused):
        check(sql, known)


@pytest.mark.parametrize("sql", ALLOWED)
def test_what_people_write_runs(sql, service):
    if duckdb.__version__ >= "2" and any(old in sql for old in ONLY_BEFORE_2):
        pytest.skip("DuckDB 2.0 has no such syntax")
    assert service.run(sql).status == "succeeded"


MUTATIONS = (
    lambda sql: sql.upper() if "'" not in sql and '"' not in sql and "$" not in sql else sql,
    lambda sql: f"/* SELECT */ {sql} -- end",
    lambda sql: f"  \n\t{sql}\n ;",
    lambda sql: f"SELECT * FROM ({sql}) AS inner_query",
    lambda sql: f"WITH outer_query AS ({sql}) SELECT * FROM outer_query",
    lambda sql: f"SELECT 1 WHERE EXISTS ({sql})",
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(REFUSED), st.lists(st.sampled_from(MUTATIONS), min_size=1, max_size=3))
def test_no_disguise_helps(known, sql, mutations):
    for mutate in mutations:
        sql = mutate(sql.rstrip(";"))
    with pytest.raises(PlutoDuckError):
        check(sql, known)


@pytest.mark.parametrize("sql", ["SELECT 1e400", "SELECT -1e999 AS least"])
def test_a_number_beyond_all_is_called_so_and_not_too_deep(known, sql):
    with pytest.raises(QueryFailed) as failed:
        check(sql, known)
    assert failed.value.code == "number_too_large"


MOST_AROUND = 3
SELECTS = [
    sql
    for sql in ALLOWED
    if sql.lower().startswith(("select", "from", "with", "values")) and "pivot" not in sql.lower() and ";" not in sql
    if sql.lower().count("select") <= MAX_SUBQUERIES - MOST_AROUND
]
#   a PIVOT without a list needs the service, to look its values up; what is nested to the limit has no room around it
HARMLESS = (
    lambda sql: f"/* DROP TABLE t; */ {sql} /* COPY t TO 'x' */",
    lambda sql: f"\n\t {sql}\r\n ;",
    lambda sql: f"SELECT * FROM ({sql}\n) AS inner_query",
    lambda sql: f"WITH outer_query AS ({sql}\n) SELECT * FROM outer_query",
    lambda sql: f"WITH outer_query AS MATERIALIZED ({sql}\n) SELECT count(*) FROM outer_query",
    lambda sql: f"SELECT 1 WHERE NOT EXISTS ({sql}\n)",
    lambda sql: f"DESCRIBE {sql}",
)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(SELECTS), st.lists(st.sampled_from(HARMLESS[:-1]), min_size=1, max_size=MOST_AROUND), st.booleans()
)
def test_what_people_write_may_be_written_around(known, sql, mutations, described):
    for mutate in mutations:
        sql = mutate(sql.rstrip().rstrip(";"))
    check(HARMLESS[-1](sql) if described else sql, known)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(SELECTS), st.sampled_from(REFUSED), st.integers(0, 3))
def test_an_attack_inside_a_harmless_query_is_found(known, sql, attack, place):
    sql, attack = sql.rstrip().rstrip(";"), attack.rstrip(";")
    whole = (
        f"SELECT * FROM ({sql}\n) AS q WHERE EXISTS ({attack}\n)",
        f"WITH unused AS ({attack}\n) SELECT * FROM ({sql}\n) AS q",
        f"SELECT (SELECT count(*) FROM ({attack}\n) AS r) FROM ({sql}\n) AS q",
        f"(SELECT 1 FROM ({sql}\n) AS q) UNION ALL (SELECT 1 FROM ({attack}\n) AS r)",
    )[place]
    with pytest.raises(PlutoDuckError):
        check(whole, known)


def test_length_and_nesting_are_bounded(known):
    with pytest.raises(Refused, match="characters"):
        check("SELECT '" + "x" * MAX_LENGTH + "'", known)
    with pytest.raises(Refused, match="levels deep"):
        check("SELECT " + "(" * 500 + "1" + ")" * 500, known)


def test_nothing_to_run_is_wrong_usage_and_what_hides_is_refused(known):
    for blank in ("", " ; ", "EXPLAIN"):
        with pytest.raises(InvalidInput) as wrong:
            check(blank, known)
        assert (wrong.value.code, wrong.value.exit_code) == ("empty_sql", 2)
    for hidden in ("-- nothing", "/* SELECT 1 */"):
        with pytest.raises(Refused, match="no statement"):
            check(hidden, known)


def test_a_refusal_says_what_and_what_instead(known):
    with pytest.raises(Refused) as refused:
        check("SELECT * FROM 'x.csv'", known)
    assert "x.csv" in refused.value.message
    assert "ingest" in refused.value.hint

"""Append, incremental, merge: what comes in, what is remembered, what a failure leaves."""

import json
import os
import sqlite3
import subprocess
import sys
import textwrap

import pytest

from pluto_duck_backend.app.core import lineage
from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.services.ingestion import IngestionService


def _csv(rows, header="id,at,v"):
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


JANUARY = [(1, "2026-01-01", "a"), (2, "2026-01-02", "b"), (3, "2026-01-02", "c")]


@pytest.fixture
def feed(bench, write):
    """`feed(rows, **options)` writes the rows as feed.csv and loads them."""

    def load(rows, header="id,at,v", **options):
        return bench.load(write("feed.csv", _csv(rows, header)), **options).tables[0]

    return load


def test_incremental_reads_on_from_the_cursor_with_ties(bench, feed):
    feed(JANUARY, mode="incremental", cursor="at")
    tied = (4, "2026-01-02", "tied")
    result = feed([*JANUARY, tied, (5, "2026-01-03", "new")], mode="incremental", cursor="at")
    assert (result.rows, result.inserted) == (2, 2)
    assert bench.rows("SELECT id FROM feed ORDER BY id") == [(1,), (2,), (3,), (4,), (5,)]
    assert bench.service.sources()[0]["state"] == {"cursor": "at", "type": "DATE", "value": "2026-01-03"}
    assert bench.service.sources()[0]["next"] == "rows from at = 2026-01-03 on"


def test_equal_rows_at_the_boundary_keep_their_number(bench, feed):
    twice = [(1, "2026-01-01", "x")] * 2
    feed(twice, mode="incremental", cursor="at")
    assert feed(twice, mode="incremental", cursor="at").rows == 0
    assert feed([*twice, twice[0]], mode="incremental", cursor="at").rows == 1
    assert bench.rows("SELECT count(*) FROM feed") == [(3,)]


def test_late_rows_come_in_within_the_look_back_only(bench, feed):
    feed([(10, "2026-01-10", "a")], mode="incremental", cursor="at")
    late = [(10, "2026-01-10", "a"), (9, "2026-01-09", "late"), (1, "2026-01-01", "too late")]
    assert feed(late, mode="incremental", cursor="at").rows == 0
    assert feed(late, mode="incremental", cursor="at", look_back="2 days").rows == 1
    assert feed(late, mode="incremental", cursor="at", look_back="2 days").rows == 0
    assert bench.rows("SELECT v FROM feed ORDER BY id") == [("late",), ("a",)]


def test_a_numeric_look_back_counts_units(bench, feed):
    feed([(10, "2026-01-10", "a")], mode="incremental", cursor="id")
    assert (
        feed([(9, "2026-01-01", "b"), (7, "2026-01-01", "c")], mode="incremental", cursor="id", look_back=2).rows == 1
    )


@pytest.mark.parametrize("look_back", ["2 days", "soon"])
def test_a_look_back_that_does_not_fit_the_cursor_is_said(bench, feed, look_back):
    feed(JANUARY, mode="incremental", cursor="id")
    with pytest.raises(InvalidInput, match=f"look-back of '{look_back}' does not fit the cursor id of type BIGINT"):
        feed(JANUARY, mode="incremental", cursor="id", look_back=look_back)


def test_rows_without_a_cursor_come_once(bench, feed):
    rows = [*JANUARY, (4, "", "no date")]
    feed(rows, mode="incremental", cursor="at")
    assert feed(rows, mode="incremental", cursor="at").rows == 0
    assert feed([*rows, (5, "", "none either")], mode="incremental", cursor="at").rows == 1


EMPTY = [("", "p"), ("", "q")]


@pytest.mark.parametrize("files", [1, 2], ids=["a file", "a folder"])
def test_a_cursor_without_values_has_the_type_of_the_others(bench, write, files):
    options = {"table": "t", "mode": "incremental", "cursor": "at"}
    first = write("in/z.csv", _csv([(3, "p"), (1, "q")], "at,v"))
    bench.load(first.parent, **options)
    empty = write("in/a.csv", _csv(EMPTY[:1], "at,v"))
    source = first.parent if files > 1 else empty
    assert bench.load(source, **options).tables[0].rows == 1
    assert bench.load(source, **options).tables[0].rows == 0
    assert bench.types("t")["at"] == "BIGINT"
    assert bench.service.sources()[0]["state"] == {"cursor": "at", "type": "BIGINT", "value": "3"}


def test_a_cursor_that_first_comes_later_is_of_its_own_type(bench, feed):
    """As texts 10 would lie before 9, and count as read."""
    options = {"header": "at,v", "mode": "incremental", "cursor": "at"}
    loads = [EMPTY, EMPTY, [*EMPTY, (9, "x")], [*EMPTY, (9, "x"), (10, "y")]]
    assert [feed(rows, **options).rows for rows in loads] == [2, 0, 1, 1]
    assert bench.rows('SELECT "at", v FROM feed ORDER BY ALL') == [(9, "x"), (10, "y"), (None, "p"), (None, "q")]


@pytest.mark.parametrize("files", [1, 2], ids=["a file", "a folder"])
@pytest.mark.parametrize("read", [True, False], ids=["known files", "all files"])
def test_a_text_among_cursors_of_numbers_is_said_with_its_place(bench, write, files, read):
    options = {"table": "t", "mode": "incremental", "cursor": "at"}
    first = write("in/z.csv", _csv([(3, "p"), (1, "q")], "at,v"))
    bench.load(first.parent if read else first, **options)
    wrong = write("in/a.csv", _csv([(4, "p"), ("soon", "q")], "at,v"))
    with pytest.raises(InvalidInput, match=r"a\.csv, line 3: column at holds 'soon', which is no BIGINT") as caught:
        bench.load(first.parent if files > 1 else wrong, **options)
    assert (caught.value.code, "--mode replace" in caught.value.hint) == ("columns_differ", True)
    assert bench.rows("SELECT count(*) FROM t") == [(2,)]


def test_a_cursor_spelt_as_a_code_is_read_as_the_number_it_is(bench, feed):
    options = {"header": "at,v", "mode": "incremental", "cursor": "at"}
    feed([(3, "p")], **options)
    assert feed([(3, "p"), ("002", "late"), ("+10", "q")], **options).rows == 1
    assert bench.rows('SELECT "at" FROM feed ORDER BY ALL') == [(3,), (10,)]


@pytest.mark.parametrize("options", [{"mode": "incremental", "cursor": "id"}, {"mode": "merge", "key": "code"}])
def test_numbers_are_compared_with_the_texts_of_a_column_as_texts(bench, feed, options):
    feed([(1, "A5"), (2, "6")], header="id,code", **options)
    assert feed([(2, "6"), (3, "8")], header="id,code", **options).rows == 1
    assert bench.rows("FROM feed ORDER BY id") == [(1, "A5"), (2, "6"), (3, "8")]


def test_an_empty_column_of_one_file_leaves_the_type_to_the_others(bench, write):
    write("in/a.csv", "k,v,w\n1,,\n")
    write("in/b.csv", "k,v,w\n2,2.5,\n")
    bench.load(write("in/c.csv", "k,v,w\n3,7,\n").parent, table="t")
    assert bench.types("t") == {"k": "BIGINT", "v": "DOUBLE", "w": "VARCHAR"}


def test_changed_rows_replace_theirs_where_a_key_is_named(bench, feed):
    feed(JANUARY, mode="incremental", cursor="at", key="id")
    result = feed([*JANUARY, (1, "2026-01-05", "changed"), (9, "2026-01-05", "new")], **_CHANGING)
    assert (result.inserted, result.updated) == (1, 1)
    assert bench.rows("SELECT id, v FROM feed ORDER BY id") == [(1, "changed"), (2, "b"), (3, "c"), (9, "new")]


_CHANGING = {"mode": "incremental", "cursor": "at", "key": "id"}


def test_the_later_of_two_rows_with_one_key_wins_already_in_the_first_load(bench, feed):
    feed([(1, "2026-01-02", "later"), (1, "2026-01-01", "earlier")], **_CHANGING)
    assert bench.rows("SELECT v FROM feed") == [("later",)]


def test_a_table_loaded_before_is_gone_on_with(bench, feed):
    feed(JANUARY)
    assert feed([*JANUARY, (4, "2026-02-01", "d")], mode="incremental", cursor="at").rows == 1


def test_rows_that_somebody_else_put_beyond_the_position_are_not_doubled(bench, feed):
    feed(JANUARY, mode="incremental", cursor="at")
    with bench.warehouse.write() as session:
        session.execute("INSERT INTO feed VALUES (4, DATE '2026-01-05', 'd'), (5, DATE '2026-01-07', 'e')")
    later = [(4, "2026-01-05", "d"), (6, "2026-01-06", "f"), (5, "2026-01-07", "e"), (7, "2026-01-08", "g")]
    assert feed([*JANUARY, *later], mode="incremental", cursor="at").rows == 2
    assert bench.rows("SELECT id FROM feed ORDER BY id") == [(n,) for n in range(1, 8)]


def test_the_position_outlives_deleted_rows_and_the_process(bench, feed):
    feed(JANUARY, mode="incremental", cursor="id")
    with bench.warehouse.write() as session:
        session.execute("DELETE FROM feed")
    bench.service = IngestionService(bench.warehouse, bench.paths, bench.service._settings)
    assert feed([*JANUARY, (4, "2026-02-01", "d")], mode="incremental", cursor="id").rows == 2
    assert bench.rows("SELECT id FROM feed ORDER BY id") == [(3,), (4,)]


def test_a_cursor_that_the_source_lacks_is_said(bench, feed):
    with pytest.raises(InvalidInput, match=r"has no column 'att'.*Did you mean at"):
        feed(JANUARY, mode="incremental", cursor="att")
    assert bench.tables() == []


@pytest.mark.parametrize("declared", ["INTEGER", "REAL", "TEXT", "TIMESTAMP", "DATE"])
def test_sqlite_reads_on_whatever_the_cursor_is(bench, tmp_path, declared):
    path = tmp_path / "s.sqlite"
    value = {"INTEGER": "{}", "REAL": "{}.5", "TEXT": "'k{:04}'", "TIMESTAMP": "'2026-01-01T{:02}:00:00'"}
    make = value.get(declared, "'2026-01-{:02}'").format
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE TABLE t (c {declared}, v)")
        connection.executescript("".join(f"INSERT INTO t VALUES ({make(n)}, {n});" for n in range(1, 9)))
    assert bench.load(path, mode="incremental", cursor="c").tables[0].rows == 8
    with sqlite3.connect(path) as connection:
        connection.executescript("".join(f"INSERT INTO t VALUES ({make(n)}, {n});" for n in (8, 9, 10)))
    assert bench.load(path, mode="incremental", cursor="c").tables[0].rows == 3
    assert bench.rows("SELECT count(*), sum(v) FROM t") == [(11, 63)]


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16"])
def test_sqlite_reads_on_from_any_text(bench, tmp_path, encoding):
    """Texts beyond U+FFFF come before U+E000 in UTF-16, after it in UTF-8."""
    path = tmp_path / "s.sqlite"

    def load(*texts):
        with sqlite3.connect(path) as connection:
            connection.executemany("INSERT INTO t VALUES (?)", [(each,) for each in texts])
        return bench.load(path, mode="incremental", cursor="c").tables[0].rows

    with sqlite3.connect(path) as connection:
        connection.executescript(f"PRAGMA encoding = '{encoding}'; CREATE TABLE t (c TEXT COLLATE NOCASE)")
    assert load("B", "a") == 2
    assert load("A", "a", "b", "é") == 3
    assert load("z", "é", "\ue000") == 2
    assert load("\U00010000") == 1


def test_merge_updates_inserts_and_keeps_the_rest(bench, feed):
    feed(JANUARY, mode="merge", key="id")
    result = feed(
        [(2, "2026-01-02", "changed"), (3, "2026-01-02", "c"), (4, "2026-01-04", "d")], mode="merge", key="id"
    )
    assert (result.rows, result.inserted, result.updated, result.deleted) == (2, 1, 1, 0)
    assert bench.rows("SELECT id, v FROM feed ORDER BY id") == [(1, "a"), (2, "changed"), (3, "c"), (4, "d")]


def test_merge_deletes_what_is_gone_where_asked(bench, feed):
    feed(JANUARY, mode="merge", key="id")
    result = feed([(2, "2026-01-02", "B"), (4, "2026-01-04", "d")], mode="merge", key="id", delete_missing=True)
    assert (result.inserted, result.updated, result.deleted) == (1, 1, 2)
    assert bench.rows("SELECT id FROM feed ORDER BY id") == [(2,), (4,)]


def test_a_key_of_two_columns_merges_into_a_table_with_that_primary_key(bench, tmp_path):
    path = tmp_path / "s.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE t (a INT, b TEXT, v REAL, PRIMARY KEY (a, b));"
            "INSERT INTO t VALUES (1, 'x', 1), (1, 'y', 2), (2, 'x', 3)"
        )
    bench.load(path)
    with sqlite3.connect(path) as connection:
        connection.executescript("UPDATE t SET v = 9 WHERE b = 'y'; INSERT INTO t VALUES (3, 'z', 4)")
    result = bench.load(path, mode="merge", key="a,b").tables[0]
    assert (result.inserted, result.updated) == (1, 1)
    assert bench.rows("SELECT sum(v), count(*) FROM t") == [(17.0, 4)]


def test_keys_of_more_rows_than_an_index_may_hold_are_known_and_not_enforced(bench, tmp_path, monkeypatch):
    monkeypatch.setattr("pluto_duck_backend.app.services.ingestion.creating._INDEXED_ROWS", 2)
    path = tmp_path / "s.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE few (a INT PRIMARY KEY); INSERT INTO few VALUES (1), (2);"
            "CREATE TABLE many (a INT PRIMARY KEY, b TEXT); INSERT INTO many VALUES (1, 'x'), (2, 'y'), (3, 'z')"
        )
    result = bench.load(path)
    assert [each for each in result.warnings if "known but not enforced" in each and each.startswith("many: ")]
    kinds = "constraint_type = 'PRIMARY KEY'"
    assert bench.rows(f"SELECT table_name FROM duckdb_constraints() WHERE {kinds}") == [("few",)]
    assert lineage.declared_keys(bench.paths)["main", "many"]["primary_key"] == ["a"]
    with sqlite3.connect(path) as connection:
        connection.executescript("UPDATE many SET b = 'w' WHERE a = 2; INSERT INTO many VALUES (4, 'v')")
    merged = bench.load(path, mode="merge", key="a").tables[1]
    assert (merged.table, merged.inserted, merged.updated) == ("many", 1, 1)


def test_equal_rows_count_once_in_a_merge(bench, feed):
    assert feed([*JANUARY, JANUARY[0]], mode="merge", key="id").rows == 3


@pytest.mark.parametrize(
    ("row", "words"),
    [((1, "2026-01-09", "other"), "does not name one row: id = 1 has 2 that differ"), (("", "", "x"), "is NULL in 1")],
)
def test_a_key_that_names_no_single_row_changes_nothing(bench, feed, row, words):
    feed(JANUARY, mode="merge", key="id")
    with pytest.raises(InvalidInput, match=words):
        feed([*JANUARY, row], mode="merge", key="id")
    assert bench.rows("SELECT count(*) FROM feed") == [(3,)]


@pytest.mark.parametrize("options", [{"mode": "append"}, _CHANGING, {"mode": "merge", "key": "id"}])
def test_new_columns_are_added_and_missing_ones_told(bench, write, options):
    bench.load(write("t.csv", "id,at,name\n1,2026-01-01,ann\n"), **options)
    result = bench.load(write("t.csv", "id,at,full_name,n\n2,2026-01-02,bob,7\n"), **options)
    assert bench.rows("SELECT * FROM t ORDER BY id")[1][2:] == (None, "bob", 7)
    told = "\n".join(result.warnings)
    assert "new column full_name VARCHAR was added" in told
    assert "no column name any more" in told
    assert "name may have been renamed to full_name" in told


@pytest.mark.parametrize(
    ("before", "after", "kind", "rows"),
    [
        ("1", "2.5", "DOUBLE", [(1.0,), (2.5,)]),
        ("2026-01-01", "2026-01-02 10:00:00", "TIMESTAMP", None),
        ("7", "12345678901234567890123", "HUGEINT", [(7,), (12345678901234567890123,)]),
        ("2.5", "3", "DOUBLE", [(2.5,), (3.0,)]),
        ("text", "5", "VARCHAR", [("text",), ("5",)]),
    ],
)
def test_types_are_widened_where_values_need_it(bench, write, before, after, kind, rows):
    bench.load(write("t.csv", f"v\n{before}\n"))
    bench.load(write("t.csv", f"v\n{after}\n"), mode="append")
    assert bench.types("t") == {"v": kind}
    assert rows is None or bench.rows("FROM t") == rows


def test_a_text_that_a_column_of_whole_numbers_would_round_is_refused(bench, write):
    bench.load(write("t.csv", "k\n1\n"), mode="append")
    with pytest.raises(InvalidInput, match=r"line 3: column k holds '2.5', which is no BIGINT"):
        bench.load(write("t.csv", "k\n007\n2.5\n"), mode="append")
    bench.load(write("t.csv", "k\n007\n"), mode="append")
    assert bench.rows("SELECT k FROM t ORDER BY k") == [(1,), (7,)]


def test_a_widening_that_would_lose_digits_is_refused(bench, write):
    bench.load(write("t.csv", f"v\n{2**60 + 1}\n"))
    with pytest.raises(InvalidInput, match="column v is BIGINT and holds numbers that DOUBLE would round"):
        bench.load(write("t.csv", "v\n2.5\n"), mode="append")
    assert bench.rows("FROM t") == [(2**60 + 1,)]


def test_the_contract_refuses_and_names_each_difference(bench, write):
    bench.load(write("t.csv", "id,name\n1,ann\n"))
    with pytest.raises(InvalidInput, match="column id is DOUBLE instead of BIGINT; missing column name"):
        bench.load(write("t.csv", "id\n2.5\n"), mode="append", columns="contract")
    assert bench.rows("FROM t") == [(1, "ann")]


@pytest.mark.parametrize(
    "options", [{"mode": "replace"}, {"mode": "append"}, _CHANGING, {"mode": "merge", "key": "id"}]
)
def test_a_failed_load_leaves_table_and_state_and_the_next_one_works(bench, write, options):
    good = write("feed.csv", _csv(JANUARY))
    bench.load(good, **options)
    before = lineage.lineage_file(bench.paths).read_bytes()
    rows = bench.rows("FROM feed ORDER BY ALL")
    write("feed.csv", _csv(JANUARY)[:-9] + '"never closed\n' * 3)
    with pytest.raises(InvalidInput, match=r"feed\.csv"):
        bench.load(good, max_rejects=0, **options)
    assert bench.rows("FROM feed ORDER BY ALL") == rows
    assert lineage.lineage_file(bench.paths).read_bytes() == before
    write("feed.csv", _csv([*JANUARY, (4, "2026-03-01", "d")]))
    bench.load(good, **options)
    assert (4,) in bench.rows("SELECT id FROM feed")
    last, failure, *_ = bench.service.history()
    assert (last["status"], failure["status"], failure["error"]["code"]) == ("succeeded", "failed", "bad_rows")


_KILLED = """
    import os, sys
    from pathlib import Path
    from pluto_duck_backend.app.core import lineage
    from pluto_duck_backend.app.core.config import IngestSettings
    from pluto_duck_backend.app.core.paths import Paths
    from pluto_duck_backend.app.core.warehouse import Session, Warehouse
    from pluto_duck_backend.app.services.ingestion import IngestionService

    def die(*_):
        os._exit(9)

    paths, place = Paths(Path(sys.argv[1])), sys.argv[3]
    service = IngestionService(Warehouse.open(paths.warehouse), paths, IngestSettings())
    if place == "before the commit":
        prepare = lineage.prepare
        lineage.prepare = lambda *given: die(prepare(*given))
    elif place == "after the commit":
        Path.replace = die
    for request in service.plan([sys.argv[2]], mode="incremental", cursor="id"):
        list(service.load(request, cancelled=lambda: False))
"""


@pytest.mark.parametrize("place", ["before the commit", "after the commit"])
def test_a_killed_load_leaves_table_and_state_together(bench, feed, tmp_path, write, place):
    feed(JANUARY, mode="incremental", cursor="id")
    bench.warehouse.close()
    path = write("feed.csv", _csv([*JANUARY, (4, "2026-02-01", "d")]))
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_KILLED), bench.paths.root, path, place], env=os.environ
    )
    assert done.returncode == 9
    bench.warehouse = type(bench.warehouse).open(bench.paths.warehouse)
    bench.service = IngestionService(bench.warehouse, bench.paths, bench.service._settings)
    committed = place == "after the commit"
    assert bench.rows("SELECT count(*) FROM feed") == [(4 if committed else 3,)]
    assert bench.service.sources()[0]["state"]["value"] == ("4" if committed else "3")
    assert bench.load(path, mode="incremental", cursor="id").tables[0].rows == (0 if committed else 1)
    assert bench.rows("SELECT count(*) FROM feed") == [(4,)]
    bench.warehouse.close()


def test_an_older_position_than_needed_doubles_nothing(bench, feed):
    feed(JANUARY, mode="incremental", cursor="id")
    file = lineage.lineage_file(bench.paths)
    older = json.loads(file.read_text())
    older["tables"][0]["state"]["value"] = "1"
    file.write_text(json.dumps(older))
    assert feed(JANUARY, mode="incremental", cursor="id").rows == 0

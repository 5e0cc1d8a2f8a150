"""The library as scripts and notebooks use it; docs/python.md is run as it stands."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import polars
import pytest

import pluto_duck
from pluto_duck_backend.app.core.errors import EnvironmentFault, InternalFault, InvalidInput, PlutoDuckError

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
HEAVY = {
    "langgraph",
    "langchain_core",
    "dbt",
    "fastapi",
    "polars",
    "pandas",
    "pyarrow",
    "sqlglot",
    "duckdb",
    "vl_convert",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A root with a table of sales, and a file to load beside it."""
    folder = tmp_path_factory.mktemp("python")
    (folder / "sales.csv").write_text("sale_id,country,total\n1,France,10\n2,Germany,30\n3,France,15\n4,Italy,5\n")
    (folder / "more.csv").write_text("a,b\n1,2\n")
    with pluto_duck.connect(folder / "root") as duck:
        assert duck.load(folder / "sales.csv") == ["sales"]
    return folder / "root"


def test_an_unsure_answer_is_read_otherwise_by_the_next_message(root):
    with pluto_duck.connect(root) as duck:
        unsure = duck.ask("biggest gap between countries")
        others = [each for each in unsure.next if each.startswith("rather: ")]
        assert (unsure.confidence < 0.6, len(others)) == (True, 2)
        again = [unsure.then(each) for each in others]
        assert [each.status for each in again] == ["succeeded", "succeeded"]
        assert len({unsure.sql, *(each.sql for each in again)}) == 3
        assert not any(each.startswith("rather: ") for answer in again for each in answer.next)


def test_a_path_is_seen_from_where_it_is_said(root, monkeypatch):
    monkeypatch.chdir(root.parent)
    with pluto_duck.connect(root) as duck:
        assert duck.load("more.csv", table="said.here") == ["said.here"]
        (known,) = [each for each in duck._client().sources() if each["schema"] == "said"]
    assert known["request"]["config"] == {"path": str(root.parent / "more.csv")}


def test_a_load_that_fails_is_no_bug_of_ours(root):
    with pluto_duck.connect(root) as duck, pytest.raises(PlutoDuckError, match="does not exist") as raised:
        duck.load(root.parent / "no such.csv")
    assert (raised.value.code, raised.value.exit_code) == ("file_not_found", 1)
    assert not isinstance(raised.value, InternalFault)


def test_what_the_docs_show_runs(root, monkeypatch):
    monkeypatch.setenv("PLUTODUCK_ROOT", str(root))
    monkeypatch.chdir(root.parent)
    known = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
        frames = [each.pl() for each in (known.get("a"), known.get("c")) if each]
        exec(block, known)
    a, c = known["a"], known["c"]
    assert [each.height for each in frames] == [a.row_count, 2] and a.row_count == 3
    assert (a.chart.kind, c.chart.kind) == ("bar", "pie")
    assert "<svg" in Path("report.html").read_text()
    board = known["board"]
    assert [each.rows for each in board.tiles] == [a.rows, [[4]]] and board.tiles[0].chart.kind == "bar"
    assert (board.title, board.board_id) == ("Sales by country", "sales")
    assert "<svg" in Path("sales.html").read_text()
    html = a._repr_html_()
    assert "<svg" in html and "France" in html and "SELECT" in html
    assert set(a.chart._repr_mimebundle_()) >= {"application/vnd.vegalite.v6+json", "image/svg+xml", "text/plain"}


def test_frames_of_all_libraries_hold_the_same(root):
    with pluto_duck.connect(root) as duck:
        frames = duck.sql("SELECT country, total FROM sales ORDER BY ALL")
        assert frames.pl().to_dicts() == frames.df().to_dict("records") == frames.arrow().to_pylist()


def test_what_has_no_rows_says_why(root):
    with pluto_duck.connect(root) as duck:
        a = asyncio.run(duck.aask("what is the average temperature on mars"))
        assert a.status in ("cannot_answer", "needs_input") and a.chart is None and a.text
        with pytest.raises(InvalidInput, match="has no rows"):
            a.pl()
        with pytest.raises(PlutoDuckError, match="nothing"):
            duck.sql("SELECT nothing FROM sales")


def test_a_missing_library_is_named(root, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pluto_duck.connect(root) as duck:
        frames = asyncio.run(duck.asql("SELECT 1 AS n"))
        assert frames.pl().equals(polars.DataFrame({"n": [1]}, schema={"n": polars.Int32}))
        with pytest.raises(EnvironmentFault, match="needs pandas") as raised:
            frames.df()
    assert "pluto-duck[notebook]" in raised.value.hint


def test_importing_it_costs_nothing():
    report = "import sys; import pluto_duck; dir(pluto_duck); print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())


def test_a_closed_connection_says_what_to_do(tmp_path):
    duck = pluto_duck.connect(tmp_path / "closed")
    frames, board = duck.sql("SELECT 1 AS n"), duck.boards.create("Mine")
    duck.close()
    duck.close()
    for call in (lambda: duck.ask("how many"), frames.pl, lambda: board.refresh(), lambda: duck.boards.list()):
        with pytest.raises(PlutoDuckError, match="This connection is closed") as raised:
            call()
        assert raised.value.hint == "Open another: pluto_duck.connect()."
    assert "This connection is closed" in board._repr_html_()


def test_boards_are_changed_refreshed_and_shown_in_a_notebook(root, tmp_path):
    with pluto_duck.connect(root) as duck:
        board = duck.boards.create("Mine")
        board.pin(duck.sql("SELECT 1 AS n"), "One").pin(duck.sql("SELECT count(*) AS n FROM sales"), "Sales")
        assert [each.title for each in duck.boards.open("mine").tiles] == ["One", "Sales"]
        file = root / board.file
        file.write_text(file.read_text().replace("FROM sales", "FROM gone"))
        failed = asyncio.run(board.arefresh("Sales")).tiles[1]
        assert "gone" in failed.failure and failed.ran_at is None
        assert 'srcdoc="&lt;!doctype html' in board._repr_html_()
        assert [each.title for each in board.unpin(failed).tiles] == ["One"]
        with pytest.raises(PlutoDuckError, match="No tiles of 'Mine' are called 'Two'"):
            board.refresh("Two")
        with pytest.raises(PlutoDuckError, match="has no answer to pin"):
            board.pin(duck.ask("what is the average temperature on mars"))
        board.delete()
        (root / "configs" / "boards" / "odd.toml").write_text("version = 9\n")
        assert "Mine" not in [each.title for each in duck.boards]
        assert "version 9" in duck.boards.broken()["configs/boards/odd.toml"]

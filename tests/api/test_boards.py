"""Boards over HTTP: what is pinned runs again under the guard and the rights of who asks, and failure is told apart."""

import json
import re
import time
import tomllib
from pathlib import Path

import pytest
from tests.api.reading import ask

from pluto_duck_backend.app.core.principal import OWNER

FIXTURES = Path(__file__).parents[1] / "fixtures"
BY_NAME = ({"sql": "SELECT b, sum(a) AS sum_a FROM t GROUP BY b ORDER BY b", "reading": ["a → t.a"]},)
BROKEN = [json.loads(line) for line in (FIXTURES / "boards" / "broken.jsonl").read_text().splitlines()]


@pytest.fixture
def pinned(api):
    """`pinned(replies)`: a client, and a board "Sales" with the answer of one run on it."""

    def _pinned(replies=BY_NAME, **more):
        client = api(replies)
        run_id = ask(client, "Total a by b")
        client.get(f"/agent/{run_id}/events")
        assert client.post("/boards", json={"title": "Sales"}).json()["board_id"] == "sales"
        answer = client.post("/boards/sales/tiles", json={"run_id": run_id, **more})
        assert answer.status_code == 201, answer.text
        return client, answer.json()

    return _pinned


@pytest.fixture
def change(workspace):
    """`change(statement)`: the warehouse behind the client."""

    def _change(statement):
        with workspace.opened[-1].warehouse.write() as session:
            session.execute(statement)

    return _change


def _run_sql(client, sql):
    return client.post("/query?wait=true", json={"sql": sql}).json()["job_id"]


def test_a_pinned_answer_shows_its_result_and_stands_in_a_file_people_read(pinned, tmp_path):
    _, board = pinned()
    (tile,) = board["tiles"]
    assert (tile["title"], tile["question"], tile["reading"]) == ("Total a by b", "Total a by b", ["a → t.a"])
    assert tile["result"]["rows"][1] == ["x1", 1] and tile["result"]["row_count"] == 5
    assert tile["result"]["chart"]["usermeta"]["kind"] == "bar"
    assert (tile["reads"], tile["changed"], tile["failure"]) == (["main.t"], None, None)
    text = (tmp_path / "root" / board["file"]).read_text()
    assert '\nsql = """\nSELECT b, sum(a) AS sum_a FROM t GROUP BY b ORDER BY b\n"""\n' in text
    assert tomllib.loads(text)["tiles"][0]["reads"] == {"main.t": ["a BIGINT", "b VARCHAR"]}


def test_a_refresh_runs_the_queries_again(pinned, change):
    client, board = pinned()
    before = board["tiles"][0]["result"]
    change("INSERT INTO t VALUES (100, 'x1')")
    assert client.get("/boards/sales").json()["tiles"][0]["result"] == before
    after = client.post("/boards/sales/refresh").json()["tiles"][0]["result"]
    assert after["rows"][1] == ["x1", 101] and after["job_id"] != before["job_id"]
    assert client.get(f"/query/{after['job_id']}").json()["status"] == "succeeded"


def test_who_gives_up_before_a_query_begins_gives_it_up(pinned, workspace, monkeypatch, tmp_path):
    pinned()
    file = tmp_path / "root" / "configs" / "boards" / "sales.toml"
    file.write_text(file.read_text().replace("FROM t", "FROM t, range(100000000000)"))
    made = workspace.opened[-1]
    refreshing, run = made.boards.refreshing("sales", None, OWNER), made.queries.run

    def late(sql, **options):
        refreshing.cancel()
        return run(sql, **options)

    monkeypatch.setattr(made.queries, "run", late)
    began = time.monotonic()
    refreshing.run()
    assert time.monotonic() - began < 60
    assert [each["status"] for each in made.queries.list(1)] == ["cancelled"]


def test_a_failure_keeps_the_last_result_and_never_looks_like_one(pinned, change):
    client, board = pinned()
    change("ALTER TABLE t RENAME COLUMN a TO amount")
    (tile,) = client.post("/boards/sales/refresh").json()["tiles"]
    assert tile["result"] == board["tiles"][0]["result"]
    assert tile["failure"]["at"] > tile["result"]["ran_at"] and "a" in tile["failure"]["message"]
    assert tile["changed"] == "main.t has no a any more"
    page = client.get("/boards/sales/export").text
    assert "Failed at" in page and "What is shown is the result before that." in page
    change("ALTER TABLE t RENAME COLUMN amount TO a")
    (tile,) = client.post("/boards/sales/refresh").json()["tiles"]
    assert (tile["failure"], tile["changed"]) == (None, None)


def test_a_type_that_changed_is_told_though_the_query_still_runs(pinned, change):
    client, _ = pinned()
    change("ALTER TABLE t ALTER a TYPE DOUBLE")
    (tile,) = client.post("/boards/sales/refresh").json()["tiles"]
    assert (tile["failure"], tile["changed"]) == (None, "main.t.a is DOUBLE, not BIGINT")


def test_tiles_are_ordered_renamed_shown_otherwise_and_taken_off(pinned):
    client, board = pinned()
    first = board["tiles"][0]["tile_id"]
    job = _run_sql(client, "SELECT count(*) AS n FROM t")
    second = client.post("/boards/sales/tiles", json={"job_id": job}).json()["tiles"][1]
    assert second["title"] == "Query of main.t" and second["result"]["rows"] == [[5]]
    order = [second["tile_id"], first]
    shown = client.patch("/boards/sales", json={"order": order, "title": "All sales"}).json()
    assert (shown["title"], [tile["tile_id"] for tile in shown["tiles"]]) == ("All sales", order)
    refused = client.patch("/boards/sales", json={"order": [first]})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_order")
    path = f"/boards/sales/tiles/{first}"
    tile = client.patch(path, json={"title": "By name", "display": "pie"}).json()["tiles"][1]
    assert (tile["title"], tile["result"]["chart"]["usermeta"]["kind"]) == ("By name", "pie")
    assert client.patch(path, json={"display": "table"}).json()["tiles"][1]["result"]["chart"] is None
    assert client.get("/boards/all sales").json()["board_id"] == "sales"
    assert [each["tile_id"] for each in client.delete(path).json()["tiles"]] == [second["tile_id"]]
    assert client.delete(path).json()["code"] == "tile_not_found"
    assert client.delete("/boards/sales").json() == {"board_id": "sales"}
    assert client.get("/boards/sales").json()["code"] == "board_not_found"


def test_titles_that_are_alike_make_boards_of_their_own(api):
    client = api()
    made = [client.post("/boards", json={"title": title}).json()["board_id"] for title in ("Q1!", "q1", "売上")]
    assert made == ["q1", "q1-2", "board"]
    assert client.post("/boards", json={"title": "  "}).json()["code"] == "bad_title"


def test_what_has_no_answer_is_not_pinned(pinned):
    client, _ = pinned(({"sql": "SELECT 1 AS n"}, {"cannot_answer": "No."}))
    failed = client.post("/query", json={"sql": "SELECT no_such FROM t"}).json()["job_id"]
    client.get(f"/query/{failed}?wait=true")
    for pin, code in [
        ({"job_id": failed}, "nothing_to_pin"),
        ({"job_id": "query-1"}, "job_not_found"),
        ({"run_id": "run-1"}, "run_not_found"),
        ({"run_id": "run-1", "job_id": "query-1"}, "invalid_request"),
        ({}, "invalid_request"),
    ]:
        assert client.post("/boards/sales/tiles", json=pin).json()["code"] == code


def test_broken_files_are_told_and_disturb_no_other(pinned, tmp_path):
    client, _ = pinned()
    folder = tmp_path / "root" / "configs" / "boards"
    for n, case in enumerate(BROKEN):
        (folder / f"b{n}.toml").write_text(case["text"])
    boards = {each["board_id"]: each["error"] for each in client.get("/boards").json()["boards"]}
    assert boards["sales"] is None
    for n, case in enumerate(BROKEN):
        error = boards[f"b{n}"]
        assert error["code"] == "bad_board" and str(folder / f"b{n}.toml") in error["message"], case["what"]
        assert re.search(case["told"], error["message"]), (case["what"], error["message"])
    assert client.get("/boards/b0").status_code == 422
    assert client.get("/boards/sales").status_code == 200


def test_a_board_written_by_hand_is_run_under_the_guard(api, tmp_path):
    client = api()
    folder = tmp_path / "root" / "configs" / "boards"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text(
        'version = 1\ntitle = "Mine"\n\n[[tiles]]\ntitle = "Rows"\nsql = "SELECT count(*) AS n FROM t"\n\n'
        '[[tiles]]\ntitle = "Secrets"\nsql = "SELECT * FROM read_csv(\'/etc/passwd\')"\n'
    )
    rows, secrets = client.post("/boards/mine/refresh").json()["tiles"]
    assert (rows["result"]["rows"], rows["failure"]) == ([[5]], None)
    assert secrets["result"] is None and secrets["failure"]["code"] == "table_function"


def test_the_file_to_send_loads_nothing_and_runs_nothing(pinned):
    client, _ = pinned(title="<b>Totals</b>")
    client.post("/boards/sales/tiles", json={"job_id": _run_sql(client, "SELECT 42 AS answer")})
    client.post("/boards/sales/tiles", json={"job_id": _run_sql(client, "SELECT b, a FROM t ORDER BY a")})
    client.post("/boards/sales/tiles", json={"job_id": _run_sql(client, "SELECT b, b || '<i>' AS c FROM t")})
    answer = client.get("/boards/sales/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="sales.html"'
    page = answer.text
    assert "<h2>&lt;b&gt;Totals&lt;/b&gt;</h2>" in page and "x1&lt;i&gt;" in page and "<p class=one>42</p>" in page
    assert "<svg" in page and "Reads main.t" in page
    assert not re.search(r"<script|<link|@import|\ssrc=|url\((?!#)", page)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert page.count("<svg") == 2 and len(ids) == len(set(ids))
    assert set(re.findall(r"url\(#([^)]+)\)", page)) <= set(ids)
    assert not re.findall(r"https?://(?!www\.w3\.org)", page)

"""SQL over HTTP: jobs, waiting, going away, results in every format."""

import csv
import io
import json
import threading
import time

import httpx
import polars
import pytest
from tests.api.reading import calling

SLOW = "SELECT sum(a.range * b.range) AS s FROM range(1000000) a, range(1000000) b"
VALUES = (
    "SELECT 9007199254740993 AS big, 1.5::DECIMAL(4,2) AS money, DATE '2025-01-31' AS day, "
    "'nan'::DOUBLE AS nothing, NULL AS missing, 'a,\"b\"' AS words"
)


def _ended(client, job_id):
    while (job := client.get(f"/query/{job_id}").json())["status"] == "running":
        time.sleep(0.01)
    return job


def test_a_query_is_a_job_and_its_preview_is_in_the_contracts_json(shared_api):
    client = shared_api()
    answer = client.post("/query", json={"sql": VALUES})
    assert answer.status_code == 202
    job = _ended(client, answer.json()["job_id"])
    assert (job["status"], job["row_count"], job["error"]) == ("succeeded", 1, None)
    assert job["rows"] == [["9007199254740993", 1.5, "2025-01-31", None, None, 'a,"b"']]
    assert [each["name"] for each in job["columns"]] == ["big", "money", "day", "nothing", "missing", "words"]


def test_waiting_answers_with_the_ended_job(shared_api):
    client = shared_api()
    answer = client.post("/query?wait=true", json={"sql": "SELECT * FROM t ORDER BY a", "max_rows": 2})
    job = answer.json()
    assert (answer.status_code, job["rows"], job["row_count"], job["truncated"]) == (
        200,
        [[0, "x0"], [1, "x1"]],
        5,
        True,
    )
    client.get(f"/query/{job['job_id']}/result")
    kept = client.get(f"/query/{job['job_id']}").json()
    told_once_kept = {"profile": None, "result_bytes": None}
    assert {**kept, **told_once_kept} == {**job, **told_once_kept}
    assert kept["result_bytes"] > 0
    assert kept["profile"][0] == {"name": "a", "nulls": 0, "distinct": 5, "least": 0, "greatest": 4}


def test_every_format_holds_the_full_result(shared_api):
    client = shared_api()
    job_id = client.post("/query?wait=true", json={"sql": "FROM t ORDER BY a", "max_rows": 1}).json()["job_id"]
    rows = [[n, f"x{n}"] for n in range(5)]

    def result(form):
        answer = client.get(f"/query/{job_id}/result", params={"format": form})
        assert answer.status_code == 200
        return answer

    assert result("json").json()["rows"] == rows
    assert list(csv.reader(io.StringIO(result("csv").text))) == [["a", "b"], *[[str(a), b] for a, b in rows]]
    assert [list(row) for row in polars.read_parquet(io.BytesIO(result("parquet").content)).rows()] == rows
    assert [list(row) for row in polars.read_ipc_stream(io.BytesIO(result("arrow").content)).rows()] == rows


def test_cancelling_interrupts_and_the_one_who_waits_is_told(shared_api):
    client = shared_api()
    job_id = client.post("/query", json={"sql": SLOW}).json()["job_id"]
    time.sleep(0.2)
    assert client.post(f"/query/{job_id}/cancel").status_code == 202
    job = _ended(client, job_id)
    assert (job["status"], job["error"]["code"]) == ("cancelled", "cancelled")


def test_a_limit_of_time_is_kept(shared_api):
    answer = shared_api().post("/query?wait=true", json={"sql": SLOW, "timeout_s": 0.3})
    assert (answer.status_code, answer.json()["code"]) == (408, "query_timeout")


def test_hanging_up_while_waiting_cancels_the_query(serve, tmp_path):
    history = tmp_path / "root" / "artifacts" / "queries" / "queries.jsonl"
    with calling(serve(), timeout=2) as client, pytest.raises(httpx.ReadTimeout):
        client.post("/api/v1/query?wait=true", json={"sql": SLOW})
    deadline = time.monotonic() + 10
    while not history.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [json.loads(line)["status"] for line in history.read_text().splitlines()] == ["cancelled"]


def test_many_who_wait_do_not_hold_up_the_others(serve):
    address = serve()
    with calling(f"{address}/api/v1") as client:
        job_id = client.post("/query", json={"sql": SLOW, "timeout_s": 50}).json()["job_id"]

        def wait():
            with calling(address) as waiting:
                waiting.get(f"/api/v1/query/{job_id}?wait=true")

        threads = [threading.Thread(target=wait) for _ in range(45)]
        for thread in threads:
            thread.start()
        time.sleep(1)
        assert client.post("/agent/run", json={"question": "q"}).status_code == 202
        assert all(thread.is_alive() for thread in threads)
        client.post(f"/query/{job_id}/cancel")
    for thread in threads:
        thread.join()

"""Files over HTTP: larger than any other body, under their own names, and nowhere else."""

import pytest


def _upload(client, data, **params):
    return client.post("/ingest/upload", params=params, content=data)


def _ended(client, answer):
    job = answer.json()["job_id"]
    client.get(f"/ingest/{job}/events")
    return client.get(f"/ingest/{job}").json()


def test_a_file_larger_than_other_bodies_becomes_a_table(api):
    client = api()
    rows = "".join(f"{n},{'x' * 50}\n" for n in range(40_000))
    job = _ended(client, _upload(client, f"id,text\n{rows}".encode(), name="large.csv"))
    assert job["status"] == "succeeded", job
    found = client.post("/query", json={"sql": "SELECT count(*) FROM large"}, params={"wait": True}).json()
    assert found["rows"] == [[40_000]]
    again = _ended(client, _upload(client, b"id,text\n1,y\n", name="more.csv", target="large", mode="append"))
    assert again["status"] == "succeeded"


@pytest.mark.parametrize("name", ["../x.csv", "a/b.csv", "a\\b.csv", ".hidden", "x\x00.csv", ""])
def test_a_name_that_is_no_name_is_refused(api, name, tmp_path):
    answer = _upload(api(), b"a\n1\n", name=name)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_file_name")
    assert not list(tmp_path.rglob("uploads/*/*"))


def test_an_empty_file_leaves_nothing(api, tmp_path):
    assert _upload(api(), b"", name="x.csv").json()["code"] == "empty_file"
    assert not list(tmp_path.rglob("uploads/*"))


def test_a_stranger_loads_nothing(api):
    client = api(token="secret")
    assert _upload(client, b"a\n1\n", name="x.csv").status_code == 401

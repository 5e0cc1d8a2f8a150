"""Confirming an answer over HTTP."""


def _asked(client):
    started = client.post("/agent/run", json={"question": "How many?"}).json()
    client.get(f"/agent/{started['run_id']}/events")
    return started["run_id"]


def test_a_confirmed_run_is_in_the_memory(api):
    client = api()
    run_id = _asked(client)
    kept = client.post(f"/agent/{run_id}/confirm", json={})
    assert kept.status_code == 200
    assert kept.json()["sql"] == "SELECT count(*) AS n FROM t"
    assert client.get("/memory").json() == {"confirmed": [kept.json()]}


def test_a_contradiction_is_a_conflict_until_it_replaces(api, tmp_path):
    client = api([{"sql": "SELECT 1 AS n"}])
    run_id = _asked(client)
    kept = client.post(f"/agent/{run_id}/confirm", json={}).json()
    file = tmp_path / "root" / kept["file"]
    file.write_text(file.read_text().replace("SELECT 1", "SELECT 2"))
    refused = client.post(f"/agent/{run_id}/confirm", json={})
    assert (refused.status_code, refused.json()["code"]) == (409, "confirmed_otherwise")
    assert "SELECT 2 AS n" in refused.json()["detail"]
    assert client.post(f"/agent/{run_id}/confirm", json={"replace": True}).json()["file"] == kept["file"]
    assert "SELECT 1 AS n" in file.read_text()


def test_a_run_without_an_answer_is_refused(api):
    client = api([{"cannot_answer": "No."}])
    answer = client.post(f"/agent/{_asked(client)}/confirm", json={})
    assert (answer.status_code, answer.json()["code"]) == (422, "nothing_to_confirm")
    assert client.post("/agent/run-1/confirm", json={}).json()["code"] == "run_not_found"
    assert client.get("/memory").json() == {"confirmed": []}


def test_a_wrong_answer_is_corrected_with_sql_that_runs(api):
    client = api()
    run_id = _asked(client)
    refused = client.post(f"/agent/{run_id}/confirm", json={"sql": "SELECT nothing FROM t"})
    assert (refused.status_code, refused.json()["code"]) == (400, "binder_error")
    written = client.post(f"/agent/{run_id}/confirm", json={"sql": "DROP TABLE t"})
    assert written.status_code == 403, written.text
    kept = client.post(f"/agent/{run_id}/confirm", json={"sql": "SELECT sum(a) AS n FROM t"})
    assert (kept.status_code, kept.json()["sql"]) == (200, "SELECT sum(a) AS n FROM t")
    assert client.get("/memory").json()["confirmed"] == [kept.json()]


def test_a_question_that_was_not_answered_is_taught(api):
    client = api([{"cannot_answer": "No."}])
    kept = client.post(f"/agent/{_asked(client)}/confirm", json={"sql": "SELECT 5 AS n"})
    assert (kept.status_code, kept.json()["question"]) == (200, "How many?")


def test_what_was_confirmed_is_forgotten(api, tmp_path):
    client = api()
    kept = client.post(f"/agent/{_asked(client)}/confirm", json={}).json()
    name = kept["file"].rpartition("/")[2]
    assert client.delete(f"/memory/{name}").json() == kept
    assert not (tmp_path / "root" / kept["file"]).exists()
    assert client.get("/memory").json() == {"confirmed": []}
    again = client.delete(f"/memory/{name}")
    assert (again.status_code, again.json()["code"]) == (404, "not_confirmed")

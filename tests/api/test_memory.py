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

"""The chart of a query, as its specification and as an image; and in the final object of a run."""

import pytest

BY_NAME = ({"sql": "SELECT b, sum(a) AS sum_a FROM t GROUP BY b ORDER BY sum_a DESC"},)


def _job(api, sql):
    return api.post("/query", json={"sql": sql}, params={"wait": True}).json()["job_id"]


def _final(api, **request):
    run = api.post("/agent/run", json=request).json()
    api.get(run["events_url"].removeprefix("/api/v1"))
    return {**api.get(f"/agent/{run['run_id']}").json()["final"], **run}


def test_an_answer_carries_its_chart(shared_api):
    client = shared_api(BY_NAME)
    final = _final(client, question="sum by name", max_rows=1)
    assert len(final["rows"]) == 1
    assert final["chart"]["usermeta"]["kind"] == "bar"
    assert [each["sum_a"] for each in final["chart"]["data"]["values"]] == [4, 3, 2, 1, 0]
    again = client.get(f"/query/{final['job_id']}/chart").json()
    assert again["data"] == final["chart"]["data"] and again["background"] == "#ffffff"


def test_a_kind_is_obeyed_in_the_question_and_afterwards(shared_api):
    client = shared_api(BY_NAME * 2)
    first = _final(client, question="sum by name as a pie chart")
    assert first["chart"]["usermeta"]["kind"] == "pie"
    second = _final(client, question="as a column chart", conversation_id=first["conversation_id"])
    assert second["chart"]["usermeta"]["kind"] == "column"
    assert client.get(f"/query/{first['job_id']}/chart", params={"kind": "bar"}).json()["usermeta"]["kind"] == "bar"
    shown = client.get(f"/query/{second['job_id']}/chart").json()["title"]
    assert shown == second["chart"]["title"] and shown["subtitle"] == ["sum by name as a column chart"]


@pytest.mark.parametrize(("form", "begins"), [("png", b"\x89PNG"), ("svg", b"<svg")])
def test_a_chart_as_an_image(shared_api, form, begins):
    client = shared_api()
    job = _job(client, "SELECT b, a AS sum_a FROM t")
    answer = client.get(f"/query/{job}/chart", params={"format": form, "theme": "dark"})
    assert answer.headers["content-type"].startswith("image/") and answer.content.startswith(begins)


def test_where_none_fits_it_says_so(shared_api):
    client = shared_api()
    job = _job(client, "SELECT b FROM t")
    for params, said in (({}, "nothing in this result"), ({"kind": "map"}, "nothing in this result")):
        problem = client.get(f"/query/{job}/chart", params=params)
        assert (problem.status_code, problem.json()["code"]) == (404, "no_chart")
        assert said in problem.json()["detail"]
    assert client.get("/query/query-none/chart").json()["code"] == "job_not_found"

"""Settings over HTTP: told without secrets, limits changed at once and for good, all else refused."""

import stat

import pytest


def _value(client, name):
    return next(each for each in client.get("/settings").json()["settings"] if each["name"] == name)


def test_secrets_are_masked_and_sources_named(api, monkeypatch):
    monkeypatch.setenv("PLUTODUCK_AGENT__API_KEY", "sk-secret")
    monkeypatch.setenv("PLUTODUCK_PROVIDERS__OPENAI__API_KEY", "sk-other")
    client = api()
    text = client.get("/settings").text
    assert "sk-secret" not in text and "sk-other" not in text
    key = _value(client, "agent.api_key")
    assert (key["value"], key["source"], key["changeable"]) == ("********", "environment", False)
    assert _value(client, "query.timeout_s")["description"] == "Seconds a query may take."


def test_a_limit_holds_at_once_and_is_written_down(api, tmp_path):
    client = api()
    answer = client.patch("/settings", json={"name": "query.max_rows", "value": 2})
    assert (answer.status_code, answer.json()["value"], answer.json()["source"]) == (200, "2", "config.toml")
    job = client.post("/query?wait=true", json={"sql": "SELECT * FROM t"}).json()
    assert (len(job["rows"]), job["truncated"]) == (2, True)
    file = tmp_path / "root" / "configs" / "config.toml"
    assert "max_rows = 2" in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("name", "value", "status", "code"),
    [
        ("server.host", 0, 403, "not_changeable"),
        ("agent.policy", 1, 403, "not_changeable"),
        ("query.timeout", 1, 404, "setting_not_found"),
        ("query.timeout_s", 0, 422, "bad_setting"),
        ("agent.max_rows", 2.5, 422, "bad_setting"),
    ],
)
def test_what_is_no_limit_and_what_no_limit_takes_is_refused(api, name, value, status, code, tmp_path):
    answer = api().patch("/settings", json={"name": name, "value": value})
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert not (tmp_path / "root" / "configs" / "config.toml").exists()


def test_what_the_environment_says_is_changed_there(api, monkeypatch):
    monkeypatch.setenv("PLUTODUCK_QUERY__MAX_ROWS", "7")
    answer = api().patch("/settings", json={"name": "query.max_rows", "value": 3})
    assert (answer.status_code, answer.json()["code"]) == (409, "set_in_environment")


def test_the_checks_are_those_of_doctor(api):
    checks = {each["check"]: each for each in api().post("/settings/checks").json()["checks"]}
    assert list(checks)[:2] == ["python", "installation"]
    assert checks["warehouse"]["ok"] and checks["warehouse"]["found"].startswith("1 tables")
    assert checks["provider"]["found"] == "scripted"
